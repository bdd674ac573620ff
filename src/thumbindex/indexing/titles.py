"""Titles: cleaned of what printing adds to them, compared, and found again on a page."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass
from functools import lru_cache

from thumbindex.document import Document, Page
from thumbindex.indexing.numbering import parse_numbering

__all__ = [
    "Found",
    "Vocabulary",
    "bare_key",
    "clean_title",
    "find_title",
    "is_continued",
    "line_at",
    "title_key",
    "vocabulary",
]

_LEADERS = re.compile(r"(?:\s*[.·•…_]){3,}\s*|\s{2,}")
_CONTINUED = re.compile(r"[\s(\[—–-]*\b(?:continued|cont[’']?d|cont\.)[\s)\].]*$", re.IGNORECASE)
_SPACED_LETTERS = re.compile(r"\b(?:[^\W\d_] ){3,}[^\W\d_]\b")
_SPLIT_POSSESSIVE = re.compile(r"(?<=[’'])\s(?=s\b)")
_NOT_KEY = re.compile(r"[\W_]+")
_FOOTNOTE = re.compile(r"(?<=[a-z)])(?:\s?\(\d\))+$")
_WORD = re.compile(r"[^\W\d_]+")
_EDGES = " \t-–—|:;,•·*†‡"
MAX_TITLE_CHARACTERS = 200
# A line that goes on after the title, or a running header with its words, is not less like it than this.
_LEAST_LIKENESS = 0.4

Vocabulary = Counter[str]


def vocabulary(document: Document) -> Vocabulary:
    """How often each lower-case word stands in the document."""
    words: Counter[str] = Counter()
    for page in document.pages:
        words.update(_WORD.findall(page.text.lower()))
    return words


def clean_title(text: str, words: Vocabulary | None = None) -> str:
    """`text` without dot leaders, "(continued)", footnote marks, hanging punctuation, and gaps inside words.

    A gap inside a word is one whose closing makes a word that the document uses far more often than its pieces.
    """
    title = _LEADERS.sub(" ", text)
    title = _CONTINUED.sub("", title)
    title = _FOOTNOTE.sub("", title).strip(_EDGES)
    title = _SPACED_LETTERS.sub(lambda match: match[0].replace(" ", ""), title)
    title = _SPLIT_POSSESSIVE.sub("", title)
    if words:
        title = _without_gaps(title, words)
    if len(title) > MAX_TITLE_CHARACTERS:
        title = title[:MAX_TITLE_CHARACTERS].rsplit(" ", 1)[0].rstrip(_EDGES) + "…"
    return title


def is_continued(text: str) -> bool:
    """Whether the title says that it goes on from an earlier page."""
    return bool(_CONTINUED.search(text))


def _without_gaps(title: str, words: Vocabulary) -> str:
    pieces = title.split(" ")
    joined = pieces[:1]
    for piece in pieces[1:]:
        left, right = _WORD.findall(joined[-1].lower()), _WORD.findall(piece.lower())
        if left and right and joined[-1][-1:].isalpha() and piece[:1].isalpha() and _belongs(left[-1], right[0], words):
            joined[-1] += piece
        else:
            joined.append(piece)
    return " ".join(joined)


def _belongs(left: str, right: str, words: Vocabulary) -> bool:
    whole = words[left + right]
    if right == "s":
        return whole > 0
    return whole >= 3 and whole > 5 * min(words[left], words[right]) and len(left + right) >= 4


@lru_cache(maxsize=200_000)
def title_key(text: str) -> str:
    """Letters and digits of the title only, lower case: what two printings of it share."""
    return _NOT_KEY.sub("", _CONTINUED.sub("", text).casefold())


@lru_cache(maxsize=50_000)
def bare_key(text: str) -> str:
    """`title_key` without the number in front; with it where nothing else is left."""
    numbering = parse_numbering(text)
    return (title_key(numbering.rest) if numbering else "") or title_key(text)


@dataclass(frozen=True, slots=True)
class Found:
    """A title found on a page: its first line, how many lines it takes, and how like it is, in (0, 1]."""

    line: int
    lines: int
    likeness: float


def find_title(title: str, page: Page, near_y_pt: float | None = None) -> Found | None:
    """Where `title` stands on the page: as a line of its own, or wrapped over up to four lines.

    With its number is better than without; a line that only begins with the title counts little. Of places alike the
    one nearest to height `near_y_pt` is meant, or the first. None where nothing is like it.
    """
    best: tuple[float, float] = (0.0, 0.0)
    found: Found | None = None
    for wanted, worth in {title_key(title): 1.0, bare_key(title): 0.85}.items():
        if len(wanted) < 3:
            continue
        for index, line in enumerate(page.lines):
            match = _match(wanted, worth, page, index)
            if match:
                away = abs(line.box.y0 - near_y_pt) if near_y_pt is not None else 0.0
                if (match.likeness, -away) > best:
                    best, found = (match.likeness, -away), match
    return found if found and found.likeness >= _LEAST_LIKENESS else None


def line_at(page: Page, y_pt: float | None) -> int:
    """The first line that reaches below that height; 0 where the height is unknown or below all text."""
    if y_pt is None:
        return 0
    below = (index for index, line in enumerate(page.lines) if line.box.y1 > y_pt + 1 and not line.repeated)
    return next(below, 0)


def _match(wanted: str, worth: float, page: Page, index: int) -> Found | None:
    lines = page.lines
    for key in {title_key(lines[index].text), bare_key(lines[index].text)}:
        if not key or key[:6] != wanted[: min(6, len(key))]:
            continue
        taken, count = key, 1
        while len(taken) < len(wanted) and wanted.startswith(taken) and count < 4 and index + count < len(lines):
            taken += title_key(lines[index + count].text)
            count += 1
        likeness = _likeness(wanted, taken, worth)
        if likeness:
            styled = lines[index].bold or lines[index].cells == 1
            return Found(index, count, likeness * (0.5 if lines[index].repeated else 1.0 if styled else 0.9))
    return None


def _likeness(wanted: str, taken: str, worth: float) -> float:
    if taken == wanted:
        return worth
    if taken.startswith(wanted):
        return worth * (0.8 if len(taken) < 1.5 * len(wanted) else 0.4 if len(wanted) >= 8 else 0.0)
    return 0.0
