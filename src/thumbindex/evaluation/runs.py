"""Running a question set over its documents."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from itertools import chain, groupby
from pathlib import Path

import numpy as np

from thumbindex.bm25 import BM25
from thumbindex.decision.base import DecisionModel
from thumbindex.errors import BudgetSpentError, DocumentError, NoTextError, QuestionSetError
from thumbindex.evaluation.metrics import KS
from thumbindex.evaluation.questions import EvaluationQuestion
from thumbindex.evaluation.results import QuestionResult, SectionResult
from thumbindex.library import IndexedDocument, Library
from thumbindex.search import SearchOptions
from thumbindex.terms import content_terms, terms

__all__ = ["evaluate"]


def evaluate(
    questions: Sequence[EvaluationQuestion],
    folder: Path,
    library: Library,
    model: DecisionModel,
    options: SearchOptions,
) -> Iterator[QuestionResult]:
    """The result of each question as it comes, document by document; the PDFs are in `folder`.

    A document that cannot be read fails its questions, not the run.

    Raises:
        QuestionSetError: A document is not in the folder.
        BudgetSpentError: The budget ended within a question, which says nothing about the search then.
    """
    missing = sorted({q.document for q in questions if not (folder / q.document).is_file()})
    if missing:
        more = f" and {len(missing) - 3} more" if len(missing) > 3 else ""
        raise QuestionSetError(f"not in {folder}: {', '.join(missing[:3])}{more}")
    by_document = groupby(sorted(questions, key=lambda q: q.document), key=lambda q: q.document)
    return chain.from_iterable(_ask(list(group), folder / name, library, model, options) for name, group in by_document)


def _ask(
    questions: Sequence[EvaluationQuestion], file: Path, library: Library, model: DecisionModel, options: SearchOptions
) -> Iterator[QuestionResult]:
    try:
        indexed = library.open(file)
    except DocumentError as error:
        yield from (QuestionResult(question, note=str(error)) for question in questions)
        return
    floor = BM25(terms(page.text) for page in indexed.pages)
    for question in questions:
        try:
            yield _result(question, indexed, floor, model, options)
        except NoTextError as error:
            yield QuestionResult(question, note=str(error), page_count=len(indexed.pages))


def _result(
    question: EvaluationQuestion, indexed: IndexedDocument, floor: BM25, model: DecisionModel, options: SearchOptions
) -> QuestionResult:
    outside = sorted(page for page in question.evidence if not 1 <= page <= len(indexed.pages))
    began = time.perf_counter()
    finding = indexed.find(question.question, options, model=model)
    seconds = time.perf_counter() - began
    if finding.stopped:
        raise BudgetSpentError(finding.stopped)
    return QuestionResult(
        question=question,
        ranking=tuple(page.page for page in finding.ranking),
        kept=tuple(page.page for page in finding.pages),
        checked=finding.checked,
        sections=tuple(SectionResult(section.first, section.last) for section in finding.sections),
        page_count=len(indexed.pages),
        answered=finding.answered,
        answer_probability=finding.answer_probability,
        seconds=seconds,
        input_tokens=finding.usage.input_tokens,
        lexical_ranking=_lexical_ranking(floor, question.question),
        note=f"question {question.id} names page {outside[0]}, which the document does not have" if outside else "",
    )


def _lexical_ranking(floor: BM25, question: str) -> tuple[int, ...]:
    order = np.argsort(-floor.scores(content_terms(question)), kind="stable")
    return tuple(int(row) + 1 for row in order[: max(KS)])
