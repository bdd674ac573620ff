"""What came of the questions of a run."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field

from thumbindex.evaluation.questions import EvaluationQuestion
from thumbindex.search import CheckedPage

__all__ = ["LibraryResult", "QuestionResult", "Result", "Run", "SectionResult", "Setting"]

Setting = str | int | float | bool


@dataclass(frozen=True)
class Result(ABC):
    """What came of one question, whatever was searched.

    Attributes:
        question: What was asked.
        answered: Whether some page was said to answer.
        seconds: From question to finding.
        input_tokens: Read by the decision model.
    """

    question: EvaluationQuestion
    answered: bool = False
    seconds: float = 0.0
    input_tokens: int = 0

    @property
    @abstractmethod
    def rank(self) -> int | None:
        """Of the first evidence page in the ranking, from 1; None where none is in it."""

    def right(self, k: int) -> bool:
        """Whether an evidence page is among the first `k`; of an unanswerable question, whether it was not answered."""
        return self.rank is not None and self.rank <= k if self.question.answerable else not self.answered


@dataclass(frozen=True)
class SectionResult:
    """A section that the tree search ended in: its first and last page."""

    first: int
    last: int


@dataclass(frozen=True)
class QuestionResult(Result):
    """What came of a question about a given document.

    Attributes:
        ranking: Pages best first, at least ten where the document has them, kept ones first.
        kept: The pages shown to the user.
        checked: The pages that were checked one by one, with the probability that each answers; the kept ones among
            them.
        sections: Where tree search ended; empty for flat search.
        page_count: Pages of the document.
        answer_probability: That the document answers.
        lexical_ranking: Pages by plain stemmed BM25 over whole pages: the floor.
        note: Why the document could not be searched, or what is odd about the question; empty as a rule.
    """

    ranking: tuple[int, ...] = ()
    kept: tuple[int, ...] = ()
    checked: tuple[CheckedPage, ...] = ()
    sections: tuple[SectionResult, ...] = ()
    page_count: int = 0
    answer_probability: float = 0.0
    lexical_ranking: tuple[int, ...] = ()
    note: str = ""

    @property
    def searched(self) -> bool:
        """Whether the document could be searched."""
        return bool(self.ranking)

    @property
    def section_pages(self) -> frozenset[int]:
        """The pages of the sections that the search ended in."""
        return frozenset(page for section in self.sections for page in range(section.first, section.last + 1))

    @property
    def shows_evidence(self) -> bool:
        """Whether a kept page is an evidence page."""
        return bool(self.question.evidence & set(self.kept))

    @property
    def rank(self) -> int | None:
        """Of the first evidence page in the ranking, from 1; None where none is in it."""
        return next((rank for rank, page in enumerate(self.ranking, 1) if page in self.question.evidence), None)


@dataclass(frozen=True)
class LibraryResult(Result):
    """What came of a question that a whole library was asked.

    Attributes:
        documents: Names of the documents chosen, best first, at most ten.
        ranking: The pages of all documents looked into, best first, those shown before others, as (document, page).
        ways: For each way of choosing, the rank that it gave to the right document; None where it did not choose it.
    """

    documents: tuple[str, ...] = ()
    ranking: tuple[tuple[str, int], ...] = ()
    ways: Mapping[str, int | None] = field(default_factory=dict)

    @property
    def document_rank(self) -> int | None:
        """Of the right document, from 1; None where it was not chosen."""
        names = self.documents
        return names.index(self.question.document) + 1 if self.question.document in names else None

    @property
    def rank(self) -> int | None:
        """Of the first evidence page among the pages of all documents, from 1; None where none is there."""
        right = {(self.question.document, page) for page in self.question.evidence}
        return next((rank for rank, page in enumerate(self.ranking, 1) if page in right), None)


@dataclass(frozen=True)
class Run:
    """How questions were asked.

    Attributes:
        model: Name and version of what decided.
        thumbindex: Version of the package.
        date: When, as YYYY-MM-DD.
        options: How it searched.
    """

    model: str
    thumbindex: str
    date: str
    options: Mapping[str, Setting] = field(default_factory=dict)
