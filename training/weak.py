"""Questions that a document asks of itself: its row labels, headings and captions put into words.

They teach little about meaning; they bring kinds of document and layouts for which nobody has written questions.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator

import numpy as np

from thumbindex.evaluation.questions import EvaluationQuestion
from thumbindex.terms import content_terms
from training.corpus import Reading

__all__ = ["weak_questions"]

_ROW = re.compile(r"^(?P<label>[A-Z][A-Za-z][A-Za-z ,'’&()/-]{6,70}?)[\s.:$€£]*\(?-?\d[\d,.]*%?\)?(?:\s.*\d.*)$")
_CAPTION = re.compile(r"^(?:Table|Figure|Exhibit|Chart|Box)\s+[\dIVX]+(?:\.\d+)?\s*[.:–-]\s*(?P<label>\S.{14,110})$")
_YEAR = re.compile(r"\b20[012]\d\b")
_MOST = {"row": 12, "heading": 8, "caption": 6}
_ASKED = {
    "row": (
        "What was {label} in {year}?", "{label} {year}", "{label}", "How much was {label}?",
        "How did {label} change from the year before?", "Give the amount of {label} for {year}.",
    ),
    "heading": (
        "Where is {label} discussed?", "{label}", "What does the document say about {label}?",
        "Which page tells about {label}?",
    ),
    "caption": ("{label}", "Which table or figure shows {label}?", "What does the chart on {label} show?"),
}  # fmt: skip
_DROPPED = 0.2


def weak_questions(reading: Reading, rng: np.random.Generator) -> Iterator[EvaluationQuestion]:
    """Some questions about a document, each with every page that holds its label as evidence."""
    for kind, places in (
        ("row", _lines(reading, _ROW)),
        ("heading", _headings(reading)),
        ("caption", _captions(reading)),
    ):
        labels = [label for label, pages in places.items() if len(pages) <= 3 and len(content_terms(label)) >= 2]
        for number in rng.permutation(len(labels))[: _MOST[kind]].tolist():
            label = labels[number]
            asked = _worded(kind, label, reading, min(places[label]), rng)
            pages = frozenset(places[label])
            yield EvaluationQuestion(f"{kind}-{reading.name}-{number}", reading.name, asked, pages)


def _lines(reading: Reading, pattern: re.Pattern[str]) -> dict[str, set[int]]:
    found: dict[str, set[int]] = defaultdict(set)
    for page in reading.document.pages:
        for line in page.lines:
            if not line.repeated and (match := pattern.match(line.text)):
                found[match["label"].strip(" ,(-")].add(page.number)
    return found


def _captions(reading: Reading) -> dict[str, set[int]]:
    return {label.rstrip("."): pages for label, pages in _lines(reading, _CAPTION).items() if "...." not in label}


def _headings(reading: Reading) -> dict[str, set[int]]:
    """Titles of short sections; evidence is every page of theirs, since the answer may stand on any."""
    found: dict[str, set[int]] = defaultdict(set)
    for _, node in reading.tree.walk():
        found[node.title] |= set(node.pages.numbers)
    return found


def _worded(kind: str, label: str, reading: Reading, page: int, rng: np.random.Generator) -> str:
    years = Counter(_YEAR.findall(reading.terms.page_texts[page - 1])).most_common(2)
    patterns = [pattern for pattern in _ASKED[kind] if years or "{year}" not in pattern]
    year = years[int(rng.integers(len(years)))][0] if years else ""
    words = label.split()
    kept = [word for word in words if rng.random() > _DROPPED] if len(words) > 3 else words
    text = " ".join(kept or words)
    text = text if text[1:2].isupper() else text[:1].lower() + text[1:]
    return str(rng.choice(patterns)).format(label=text, year=year)
