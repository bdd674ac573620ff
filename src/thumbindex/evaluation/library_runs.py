"""Running a question set over a library, no document given."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import fmean
from typing import Any

from thumbindex.collection import Collection
from thumbindex.errors import QuestionSetError
from thumbindex.evaluation.questions import EvaluationQuestion
from thumbindex.library_search import LibrarySearch, search_library

__all__ = ["LibraryResult", "evaluate_library", "library_figures", "library_result_to_json"]

_DOCUMENT_KS = (1, 3, 10)
_PAGE_KS = (1, 3, 5, 10)
_DOCUMENTS_RANKED = max(_DOCUMENT_KS)


@dataclass(frozen=True)
class LibraryResult:
    """What came of one question.

    Attributes:
        question: What was asked.
        documents: Names of the documents chosen, best first, at most ten.
        pages: The pages of all documents searched, best first, as (document, page).
        answered: Whether some page was said to answer.
        seconds: From question to finding.
        ways: For each way of choosing, the rank that it gave to the right document; none where it did not choose it.
    """

    question: EvaluationQuestion
    documents: tuple[str, ...]
    pages: tuple[tuple[str, int], ...]
    answered: bool
    seconds: float
    ways: dict[str, int]

    @property
    def document_rank(self) -> int | None:
        """Of the right document, from 1; None where it was not chosen."""
        names = self.documents
        return names.index(self.question.document) + 1 if self.question.document in names else None

    @property
    def page_rank(self) -> int | None:
        """Of the first evidence page among the pages of all documents, from 1; None where none is there."""
        right = {(self.question.document, page) for page in self.question.evidence}
        return next((rank for rank, page in enumerate(self.pages, 1) if page in right), None)


def evaluate_library(
    questions: Sequence[EvaluationQuestion], collection: Collection, search: LibrarySearch
) -> Iterator[LibraryResult]:
    """The result of each question as it comes.

    Raises:
        QuestionSetError: A document of the set is not in the library.
    """
    names = {entry.name for entry in collection.listing.all()}
    missing = sorted({question.document for question in questions} - names)
    if missing:
        more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
        raise QuestionSetError(f"not in the library: {', '.join(missing[:3])}{more}")
    wide = replace(search, pages=max(search.pages, *_PAGE_KS))
    return (_result(question, collection, wide) for question in questions)


def _result(question: EvaluationQuestion, collection: Collection, search: LibrarySearch) -> LibraryResult:
    began = time.perf_counter()
    finding = search_library(collection, question.question, search)
    seconds = time.perf_counter() - began
    names = {document_id: entry.name for document_id, entry in finding.entries.items()}
    ways: dict[str, int] = {}
    for choosing in finding.choosings:
        ranked = [names.get(chosen.document_id) for chosen in choosing.documents]
        if question.document in ranked:
            ways[choosing.way] = ranked.index(question.document) + 1
    return LibraryResult(
        question,
        tuple(names[document.document_id] for document in finding.ranking[:_DOCUMENTS_RANKED]),
        tuple((page.document.name, page.found.page) for page in finding.pages),
        finding.answered,
        seconds,
        ways,
    )


def library_figures(results: Sequence[LibraryResult]) -> dict[str, float | int | None]:
    """The figures of a run; one that does not apply is None.

    `document_hit@k`: share of answerable questions whose document is among the first k chosen. `hit@k`: share of those
    with an evidence page among the first k pages of all documents. `WAY_document_hit@k`: the first, of a single way.
    """
    answerable = [result for result in results if result.question.answerable]
    ranks = [result.document_rank for result in answerable]
    found: dict[str, float | int | None] = {"questions": len(results)}
    found |= {f"document_hit@{k}": _share(ranks, k) for k in _DOCUMENT_KS}
    found |= {f"hit@{k}": _share([result.page_rank for result in answerable], k) for k in _PAGE_KS}
    for way in sorted({way for result in results for way in result.ways}):
        of_way = [result.ways.get(way) for result in answerable]
        found |= {f"{way}_document_hit@{k}": _share(of_way, k) for k in (1, 3)}
    return found | {"seconds_per_question": fmean(result.seconds for result in results) if results else None}


def library_result_to_json(result: LibraryResult) -> dict[str, Any]:
    """A result as one object for a JSON line."""
    return {
        "id": result.question.id,
        "doc": result.question.document,
        "question": result.question.question,
        "evidence": sorted(result.question.evidence),
        "document_rank": result.document_rank,
        "page_rank": result.page_rank,
        "documents": list(result.documents),
        "pages": [list(page) for page in result.pages],
        "ways": result.ways,
        "answered": result.answered,
        "seconds": result.seconds,
    }


def _share(ranks: Sequence[int | None], k: int) -> float | None:
    return fmean(rank is not None and rank <= k for rank in ranks) if ranks else None
