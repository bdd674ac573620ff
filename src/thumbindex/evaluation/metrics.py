"""What a run of questions is worth, as pure functions of its results."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from thumbindex.evaluation.questions import EvaluationQuestion

__all__ = ["KS", "QuestionResult", "SectionResult", "auroc", "figures", "ranking_figures"]

KS = (1, 2, 3, 5, 10)
Figures = dict[str, float | int | None]


@dataclass(frozen=True)
class SectionResult:
    """A section that the tree search ended in: its first and last page."""

    first: int
    last: int


@dataclass(frozen=True)
class QuestionResult:
    """What came of one question.

    Attributes:
        question: What was asked.
        ranking: Pages best first, at least ten where the document has them, kept ones first.
        kept: The pages shown to the user.
        sections: Where tree search ended; empty for flat search.
        page_count: Pages of the document.
        answered: Whether some page was said to answer.
        answer_probability: Of that.
        seconds: From question to finding.
        input_tokens: Read by the decision model.
        lexical_ranking: Pages by plain stemmed BM25 over whole pages: the floor.
        note: Why the document could not be searched, or what is odd about the question; empty as a rule.
    """

    question: EvaluationQuestion
    ranking: tuple[int, ...] = ()
    kept: tuple[int, ...] = ()
    sections: tuple[SectionResult, ...] = ()
    page_count: int = 0
    answered: bool = False
    answer_probability: float = 0.0
    seconds: float = 0.0
    input_tokens: int = 0
    lexical_ranking: tuple[int, ...] = ()
    note: str = ""

    @property
    def section_pages(self) -> frozenset[int]:
        """The pages of the sections that the search ended in."""
        return frozenset(page for section in self.sections for page in range(section.first, section.last + 1))


def figures(results: Sequence[QuestionResult]) -> Figures:
    """The figures of a run; one that does not apply is None.

    `hit@k`: share of answerable questions with a page of `pages` or `also` among the first k of the ranking.
    `all@k`: the same with every page of `pages` there. `mrr`: mean of 1/rank of the first such page, 0 where none is.
    `kept_hit`: share of answerable questions where a kept page is one. `section_recall`: share where one lies in a
    section that the search ended in; `section_share`: mean share of the document's pages in those sections.
    `no_answer_auroc`: of the answer probability, between answerable and unanswerable questions.
    `no_answer_accuracy`: share of all questions, in a set with unanswerable ones, where "answered" was right.
    """
    answerable = [r for r in results if r.question.answerable]
    with_sections = [r for r in answerable if r.sections]
    unanswerable = [r for r in results if not r.question.answerable]
    return {
        "questions": len(results),
        **ranking_figures(answerable, [r.ranking for r in answerable]),
        "kept_hit": _mean(bool(r.question.evidence & set(r.kept)) for r in answerable),
        "kept_pages": _mean(len(r.kept) for r in results),
        "section_recall": _mean(bool(r.question.evidence & r.section_pages) for r in answerable)
        if with_sections
        else None,
        "section_share": _mean(len(r.section_pages) / r.page_count for r in with_sections),
        "no_answer_auroc": auroc(
            [r.answer_probability for r in answerable], [r.answer_probability for r in unanswerable]
        ),
        "no_answer_accuracy": _mean(r.answered == r.question.answerable for r in results) if unanswerable else None,
        "seconds_per_question": _mean(r.seconds for r in results),
        "tokens_per_question": _mean(r.input_tokens for r in results),
    }


def ranking_figures(answerable: Sequence[QuestionResult], rankings: Sequence[Sequence[int]]) -> Figures:
    """`hit@k`, `all@k` and `mrr` of rankings, one for each result."""
    pairs = [(r.question, ranking) for r, ranking in zip(answerable, rankings, strict=True)]
    found: Figures = {f"hit@{k}": _mean(bool(q.evidence & set(ranking[:k])) for q, ranking in pairs) for k in KS}
    found |= {f"all@{k}": _mean(q.pages <= set(ranking[:k]) for q, ranking in pairs) for k in KS}
    found["mrr"] = _mean(_reciprocal_rank(q.evidence, ranking) for q, ranking in pairs)
    return found


def auroc(positive: Sequence[float], negative: Sequence[float]) -> float | None:
    """The chance that a positive scores above a negative, equals counted half; None where either is empty."""
    if not positive or not negative:
        return None
    low = np.sort(np.asarray(negative))
    below = np.searchsorted(low, positive, side="left")
    up_to = np.searchsorted(low, positive, side="right")
    return float((below + up_to).mean() / (2 * len(low)))


def _reciprocal_rank(evidence: frozenset[int], ranking: Sequence[int]) -> float:
    return next((1 / rank for rank, page in enumerate(ranking, 1) if page in evidence), 0.0)


def _mean(values: Iterable[float]) -> float | None:
    collected = list(values)
    return fmean(collected) if collected else None
