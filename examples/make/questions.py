"""Questions about a document, each tied to the places where it is answered."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from make.book import Drawn

__all__ = ["Question", "to_jsonl"]

Style = Literal["question", "keywords", "table", "paraphrase", "near miss"]


@dataclass(frozen=True)
class Question:
    """A question.

    Attributes:
        style: How it is put; a "near miss" is not answered by the document.
        text: As a reader would ask it.
        answers: Mark of the place that answers it, to words that stand there.
        also: Other places that answer it fully, likewise.
    """

    style: Style
    text: str
    answers: Mapping[str, str] = field(default_factory=dict)
    also: Mapping[str, str] = field(default_factory=dict)


def to_jsonl(questions: Iterable[Question], prefix: str, document: str, drawn: Drawn) -> str:
    """The question set, a JSON object a line; its pages are where the marks were drawn.

    Raises:
        KeyError: A mark was not drawn.
        ValueError: A mark was drawn more than once.
    """
    rows = (_row(question, f"{prefix}-{number}", document, drawn) for number, question in enumerate(questions, 1))
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _row(question: Question, identifier: str, document: str, drawn: Drawn) -> dict[str, object]:
    answers = {_page(mark, drawn): words for mark, words in question.answers.items()}
    also = {_page(mark, drawn): words for mark, words in question.also.items()}
    others = sorted(set(also) - set(answers))
    return {
        "id": identifier,
        "doc": document,
        "question": question.text,
        "pages": sorted(answers),
        "also": others,
        "style": question.style,
        "evidence": {str(page): (also | answers)[page] for page in [*sorted(answers), *others]},
    }


def _page(mark: str, drawn: Drawn) -> int:
    pages = set(drawn.marks[mark])
    if len(pages) != 1:
        raise ValueError(f"the mark {mark!r} stands on pages {sorted(pages)}, not on one")
    return pages.pop()
