"""Running a question set over a library, no document given."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace

from thumbindex.collection import Collection
from thumbindex.errors import BudgetSpentError, QuestionSetError
from thumbindex.evaluation.metrics import DOCUMENT_KS, KS
from thumbindex.evaluation.questions import EvaluationQuestion
from thumbindex.evaluation.results import LibraryResult, Setting
from thumbindex.library_search import LibrarySearch, search_library

__all__ = ["evaluate_library", "settings_of"]


def settings_of(search: LibrarySearch, collection: Collection) -> dict[str, Setting]:
    """How a library is searched, as a run tells it."""
    choosing = {"by": search.by.value, "documents": search.documents, "chunks": search.chunks}
    return {**asdict(search.options), **choosing, "encoder": collection.encoder.name if collection.encoder else ""}


def evaluate_library(
    questions: Sequence[EvaluationQuestion], collection: Collection, search: LibrarySearch
) -> Iterator[LibraryResult]:
    """The result of each question as it comes.

    Raises:
        QuestionSetError: A document of the set is not in the library.
        BudgetSpentError: The budget ended within a question, which says nothing about the search then.
    """
    names = {entry.name for entry in collection.listing.all()}
    missing = sorted({question.document for question in questions} - names)
    if missing:
        more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
        raise QuestionSetError(f"not in the library: {', '.join(missing[:3])}{more}")
    wide = replace(search, pages=max(search.pages, *KS))
    return (_result(question, collection, wide) for question in questions)


def _result(question: EvaluationQuestion, collection: Collection, search: LibrarySearch) -> LibraryResult:
    began = time.perf_counter()
    finding = search_library(collection, question.question, search)
    seconds = time.perf_counter() - began
    if finding.stopped:
        raise BudgetSpentError(finding.stopped)
    names = {document_id: entry.name for document_id, entry in finding.entries.items()}
    ways: dict[str, int | None] = {}
    for choosing in finding.choosings:
        ranked = [names.get(chosen.document_id) for chosen in choosing.documents]
        ways[choosing.way] = ranked.index(question.document) + 1 if question.document in ranked else None
    return LibraryResult(
        question=question,
        answered=finding.answered,
        seconds=seconds,
        input_tokens=finding.usage.input_tokens,
        documents=tuple(names[document.document_id] for document in finding.ranking[: max(DOCUMENT_KS)]),
        ranking=tuple((document.name, page) for document, page in finding.page_ranking),
        ways=ways,
    )
