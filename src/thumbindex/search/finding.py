"""What was found, and every decision on the way to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from thumbindex.decision.base import Usage
from thumbindex.document import Box

__all__ = ["CheckedPage", "Finding", "FoundLine", "FoundPage", "FoundSection", "RankedPage", "Step", "StepOption"]


@dataclass(frozen=True, slots=True)
class StepOption:
    """One thing that could be decided for, and how probable it was found."""

    title: str
    probability: float


@dataclass(frozen=True, slots=True)
class Step:
    """A decision of the search, or several of a kind under one title.

    Attributes:
        title: What was decided.
        options: Of a choice, whose probabilities sum to 1; or things judged one by one, whose probabilities do not.
        model: Name and version of what decided; empty where only the children decided.
        usage: What it cost, the children not counted.
        children: Decisions that this one was made of or led to.
    """

    title: str
    options: tuple[StepOption, ...] = ()
    model: str = ""
    usage: Usage = field(default_factory=Usage)
    children: tuple[Step, ...] = ()

    def walk(self) -> Iterator[Step]:
        """This step and all below it."""
        yield self
        for child in self.children:
            yield from child.walk()

    def to_json(self) -> dict[str, Any]:
        """The step as JSON values."""
        return {
            "title": self.title,
            "model": self.model,
            "options": [{"title": option.title, "probability": option.probability} for option in self.options],
            "usage": self.usage.to_json(),
            "steps": [child.to_json() for child in self.children],
        }


@dataclass(frozen=True, slots=True)
class FoundLine:
    """A line that answers; one sentence or table row may run over several printed lines, which `box` then encloses."""

    text: str
    box: Box
    probability: float


@dataclass(frozen=True, slots=True)
class FoundPage:
    """A page that was kept.

    Attributes:
        page: Its number, counted from 1.
        label: The number printed on it.
        probability: That it answers; several pages may, so that pages do not sum to 1. Its check, the choice among the
            pages and the verdict on the document say so together where that was fitted for the model, else its check
            alone; where the budget ended before that check, the choice.
        path: Titles of the sections that its answering line stands in, outermost first.
        lines: Where on the page.
    """

    page: int
    label: str
    probability: float
    path: tuple[str, ...]
    lines: tuple[FoundLine, ...]

    def to_json(self) -> dict[str, Any]:
        """The page as JSON values."""
        return {
            "page": self.page,
            "label": self.label,
            "probability": self.probability,
            "path": list(self.path),
            "lines": [
                {"text": line.text, "box": list(line.box), "probability": line.probability} for line in self.lines
            ],
        }


@dataclass(frozen=True, slots=True)
class FoundSection:
    """A section that the search down the tree ended in; `score` is the geometric mean of its steps' probabilities."""

    path: tuple[str, ...]
    first: int
    last: int
    score: float


@dataclass(frozen=True, slots=True)
class RankedPage:
    """A page in the ranking, and how probable the choice among the candidates found it; 0 where it was none."""

    page: int
    probability: float


@dataclass(frozen=True, slots=True)
class CheckedPage:
    """A page that was asked about on its own, and the probability that it answers."""

    page: int
    probability: float


@dataclass(frozen=True, slots=True)
class Finding:
    """The answer to a question about a document.

    Attributes:
        question: As asked.
        document_id: Of the document.
        document_name: Of its file.
        document_pages: How many it has.
        answered: Whether some page clearly answers.
        answer_probability: That the document answers.
        pages: Those kept, best first.
        sections: Where the search down the tree ended, best first; empty for flat search.
        ranking: Pages best first, the kept ones in front.
        trace: Every decision.
        checked: Every page whose check decided whether it is kept, best ranked first.
        stopped: Why the search ended before it was done, and before what; empty where it was done.
    """

    question: str
    document_id: str
    document_name: str
    document_pages: int
    answered: bool
    answer_probability: float
    pages: tuple[FoundPage, ...]
    sections: tuple[FoundSection, ...]
    ranking: tuple[RankedPage, ...]
    trace: tuple[Step, ...]
    checked: tuple[CheckedPage, ...] = ()
    stopped: str = ""

    @property
    def usage(self) -> Usage:
        """What all decisions cost."""
        return sum((step.usage for root in self.trace for step in root.walk()), Usage())

    def to_json(self) -> dict[str, Any]:
        """The finding as JSON values, in the shape that the command line prints."""
        return {
            "question": self.question,
            "document": {"id": self.document_id, "name": self.document_name, "pages": self.document_pages},
            "answered": self.answered,
            "answer_probability": self.answer_probability,
            "stopped": self.stopped or None,
            "pages": [page.to_json() for page in self.pages],
            "sections": [
                {"path": list(section.path), "first": section.first, "last": section.last, "score": section.score}
                for section in self.sections
            ],
            "usage": self.usage.to_json(),
            "trace": [step.to_json() for step in self.trace],
        }
