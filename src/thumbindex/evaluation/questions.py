"""Question sets: JSON Lines of questions whose evidence pages are known."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from thumbindex.errors import PathError, QuestionSetError

__all__ = ["EvaluationQuestion", "load_questions", "parse_question"]


@dataclass(frozen=True)
class EvaluationQuestion:
    """A question about one document.

    Attributes:
        id: Unique in its set.
        document: Name of the PDF.
        question: As a user would ask it.
        pages: Evidence pages, counted from 1; empty where the document does not answer.
        also: Other pages that answer it fully.
    """

    id: str
    document: str
    question: str
    pages: frozenset[int]
    also: frozenset[int] = frozenset()

    @property
    def answerable(self) -> bool:
        """Whether the document answers."""
        return bool(self.pages)

    @property
    def evidence(self) -> frozenset[int]:
        """Every page whose finding is a hit."""
        return self.pages | self.also


def load_questions(path: Path) -> list[EvaluationQuestion]:
    """The questions of a `.jsonl` file with `id, doc, question, pages` and optional `also`, in its order.

    Raises:
        PathError: No such file.
        QuestionSetError: A line is not of the form, an id comes twice, or there are no questions.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise PathError(f"cannot read the question set {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise QuestionSetError(f"{path} is not UTF-8 text: {error.reason} at byte {error.start}") from error
    questions = list(_parsed(text, path))
    if not questions:
        raise QuestionSetError(f"{path} holds no questions")
    seen: set[str] = set()
    for question in questions:
        if question.id in seen:
            raise QuestionSetError(f"{path}: the id {question.id!r} comes twice")
        seen.add(question.id)
    return questions


def _parsed(text: str, path: Path) -> Iterator[EvaluationQuestion]:
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            yield parse_question(json.loads(line))
        except (ValueError, KeyError, TypeError) as error:
            wanted = '{"id": …, "doc": …, "question": …, "pages": […]}'
            reason = f"no {error}" if isinstance(error, KeyError) else error
            raise QuestionSetError(f"{path}, line {number}: {reason}; a line is {wanted}") from error


def parse_question(row: dict[str, Any]) -> EvaluationQuestion:
    """The question in an object with `id, doc, question, pages` and optional `also`.

    Raises:
        ValueError, KeyError, TypeError: It has another form.
    """
    document = row["doc"]
    if not isinstance(document, str) or Path(document).name != document:
        raise ValueError(f"doc must be a file name, not {document!r}")
    if not isinstance(row["question"], str) or not row["question"].strip():
        raise ValueError("question must be text")
    return EvaluationQuestion(
        id=str(row["id"]),
        document=document,
        question=row["question"],
        pages=_page_numbers(row["pages"]),
        also=_page_numbers(row.get("also") or []),
    )


def _page_numbers(values: object) -> frozenset[int]:
    # Public sets hold the odd page 0; it stays evidence that no search can find, so that the question is not made easy.
    if not isinstance(values, list) or not all(type(v) is int and v >= 0 for v in values):
        raise ValueError(f"pages are a list of numbers from 1, not {values!r}")
    return frozenset(values)
