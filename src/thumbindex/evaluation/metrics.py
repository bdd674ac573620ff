"""What a run of questions is worth, as pure functions of its results."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from thumbindex.evaluation.calibration import calibration_measures
from thumbindex.evaluation.estimators import Estimator, area_under_roc, ratio, undefined, value
from thumbindex.evaluation.results import LibraryResult, QuestionResult, Result

__all__ = ["DOCUMENT_KS", "KS", "Figures", "figures", "floor_figures", "measures"]

KS = (1, 2, 3, 5, 10)
DOCUMENT_KS = (1, 3, 10)
Figures = dict[str, float | int | None]


def figures(results: Sequence[Result]) -> Figures:
    """The figures of a run, by the names in `measures`, and how many `questions`; one that does not apply is None."""
    return {"questions": len(results), **_values(measures(results), len(results))}


def floor_figures(results: Sequence[QuestionResult]) -> Figures:
    """`hit@k`, `all@k` and `mrr` of the lexical rankings."""
    return _values(_ranking_measures(results, [result.lexical_ranking for result in results]), len(results))


def measures(results: Sequence[Result]) -> dict[str, Estimator]:
    """What is measured, as functions of how often each question counts; all results are of one kind.

    `hit@k`: share of answerable questions with a page of `pages` or `also` among the first k of the ranking. `mrr`:
    mean of 1/rank of the first such page, 0 where none is. `no_answer_accuracy`: share of all questions, in a set with
    unanswerable ones, where "answered" was right. Then what a question cost.

    Of given documents also: `all@k`: share with every page of `pages` among the first k. `kept_hit`: share of
    answerable questions where a kept page is one; `kept_pages`: mean number of them. `section_recall`: share of
    answerable questions where an evidence page lies in a section that the search ended in; `section_share`: mean share
    of the document's pages in those sections. `no_answer_auroc`: of the answer probability, between answerable and
    unanswerable questions. Those of probabilities: see `calibration_measures`.

    Of a library also: `document_hit@k`: share of answerable questions whose document is among the first k chosen;
    `WAY_document_hit@k`: the same of a single way of choosing.
    """
    answerable = np.array([result.question.answerable for result in results], bool)
    verdicts = [result.answered == result.question.answerable for result in results]
    all_questions = np.ones(len(results))
    of_library = [result for result in results if isinstance(result, LibraryResult)]
    of_documents = [result for result in results if isinstance(result, QuestionResult)]
    return {
        **(_library_measures(of_library) if of_library else _document_measures(of_documents)),
        "no_answer_accuracy": undefined if answerable.all() else ratio(verdicts, all_questions),
        "seconds_per_question": ratio([result.seconds for result in results], all_questions),
        "tokens_per_question": ratio([result.input_tokens for result in results], all_questions),
    }


def _document_measures(results: Sequence[QuestionResult]) -> dict[str, Estimator]:
    answerable = np.array([result.question.answerable for result in results], bool)
    return {
        **_ranking_measures(results, [result.ranking for result in results]),
        "kept_hit": ratio([result.shows_evidence for result in results], answerable),
        "kept_pages": ratio([len(result.kept) for result in results], np.ones(len(results))),
        **_section_measures(results),
        "no_answer_auroc": area_under_roc([result.answer_probability for result in results], answerable),
        **calibration_measures(results),
    }


def _library_measures(results: Sequence[LibraryResult]) -> dict[str, Estimator]:
    answerable = [result.question.answerable for result in results]
    of_ways = {
        f"{way}_document_hit": [result.ways.get(way) for result in results]
        for way in dict.fromkeys(way for result in results for way in result.ways)
    }
    ranks = {"document_hit": [result.document_rank for result in results], **of_ways}
    pages = [result.rank for result in results]
    return {
        **{f"{name}@{k}": _hits(found, k, answerable) for name, found in ranks.items() for k in DOCUMENT_KS},
        **{f"hit@{k}": _hits(pages, k, answerable) for k in KS},
        "mrr": ratio([1 / rank if rank else 0.0 for rank in pages], answerable),
    }


def _hits(ranks: Sequence[int | None], k: int, answerable: Sequence[bool]) -> Estimator:
    """The share of answerable questions with a rank among the first k."""
    hits = [counts and rank is not None and rank <= k for rank, counts in zip(ranks, answerable, strict=True)]
    return ratio(hits, answerable)


def _ranking_measures(results: Sequence[QuestionResult], rankings: Sequence[Sequence[int]]) -> dict[str, Estimator]:
    questions = [result.question for result in results]
    answerable = [question.answerable for question in questions]
    pairs = list(zip(questions, rankings, strict=True))
    hits = {f"hit@{k}": [bool(q.evidence & set(ranking[:k])) for q, ranking in pairs] for k in KS}
    alls = {f"all@{k}": [q.answerable and q.pages <= set(ranking[:k]) for q, ranking in pairs] for k in KS}
    shares = {name: ratio(values, answerable) for name, values in {**hits, **alls}.items()}
    return shares | {"mrr": ratio([_reciprocal_rank(q.evidence, ranking) for q, ranking in pairs], answerable)}


def _section_measures(results: Sequence[QuestionResult]) -> dict[str, Estimator]:
    answerable = [result.question.answerable for result in results]
    with_sections = [result.question.answerable and bool(result.sections) for result in results]
    inside = [bool(result.question.evidence & result.section_pages) for result in results]
    shares = [
        len(result.section_pages) / result.page_count if counts else 0.0
        for result, counts in zip(results, with_sections, strict=True)
    ]
    return {
        "section_recall": ratio(inside, answerable) if any(with_sections) else undefined,
        "section_share": ratio(shares, with_sections),
    }


def _reciprocal_rank(evidence: frozenset[int], ranking: Sequence[int]) -> float:
    return next((1 / rank for rank, page in enumerate(ranking, 1) if page in evidence), 0.0)


def _values(estimators: Mapping[str, Estimator], questions: int) -> Figures:
    return {name: value(estimator, questions) for name, estimator in estimators.items()}
