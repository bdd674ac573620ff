"""Whether probabilities mean what they say."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from thumbindex.evaluation.estimators import (
    Array,
    Estimator,
    bin_shares,
    calibration_error,
    coverage_at,
    coverage_curve,
    squared_error,
    undefined,
)
from thumbindex.evaluation.results import QuestionResult

__all__ = [
    "Claims",
    "Coverage",
    "Reliability",
    "answer_claims",
    "calibration_measures",
    "coverage",
    "kept_claims",
    "page_claims",
    "reliability",
]

_PRECISION = 0.95


@dataclass(frozen=True)
class Claims:
    """Probabilities that something is so, and whether it is.

    Attributes:
        probabilities: Of each claim.
        outcomes: 1 where it is so, 0 where not.
        owners: The place among the results of the question that each claim is about.
    """

    probabilities: Array
    outcomes: Array
    owners: Sequence[int]

    @property
    def error(self) -> Estimator:
        """The expected calibration error."""
        return calibration_error(self.probabilities, self.outcomes, self.owners)

    @property
    def brier(self) -> Estimator:
        """The mean squared difference of probability and outcome (Brier, 1950)."""
        return squared_error(self.probabilities, self.outcomes, self.owners)


@dataclass(frozen=True)
class Reliability:
    """Claims in bins of equal mass, lowest first: the mean probability of each bin, and how often it came true."""

    predicted: tuple[float, ...]
    observed: tuple[float, ...]
    claims: int


@dataclass(frozen=True)
class Coverage:
    """Points of a precision-coverage curve, the surest questions first."""

    coverage: tuple[float, ...]
    precision: tuple[float, ...]


def page_claims(results: Sequence[QuestionResult]) -> Claims:
    """Of every page that was checked: it answers. So it is when it is one of `pages` or `also` of the question.

    Pages of unanswerable questions count, all as not answering. A page that answers and was not labelled so counts as
    not answering too: where labels are sparse, the error is an upper estimate.
    """
    return _claims(
        (checked.probability, checked.page in result.question.evidence, owner)
        for owner, result in enumerate(results)
        for checked in result.checked
    )


def kept_claims(results: Sequence[QuestionResult]) -> Claims:
    """`page_claims` of the pages shown to the user only, which were picked for a high probability."""
    return _claims(
        (checked.probability, checked.page in result.question.evidence, owner)
        for owner, result in enumerate(results)
        for checked in result.checked
        if checked.page in result.kept
    )


def answer_claims(results: Sequence[QuestionResult]) -> Claims:
    """Of every question whose document could be searched: the document answers it. So it is when it has `pages`."""
    return _claims(
        (result.answer_probability, result.question.answerable, owner)
        for owner, result in enumerate(results)
        if result.searched
    )


def calibration_measures(results: Sequence[QuestionResult]) -> dict[str, Estimator]:
    """What is measured of probabilities, as functions of how often each question counts.

    `ece`, `brier`: of `page_claims`; `kept_ece`: of `kept_claims`; `answered_ece`, `answered_brier`: `answer_claims`.
    `answered_coverage_at_95`: the largest share of all questions, taken from the highest answer probability down, of
    which at least 95 % are answerable. `kept_coverage_at_95`: of which at least 95 % have an evidence page among those
    shown. The three of `answered` say nothing where all questions are answerable, or none, and are not defined there.
    """
    pages, kept, answers = page_claims(results), kept_claims(results), answer_claims(results)
    sureness = [result.answer_probability for result in results]
    answerable = [result.question.answerable for result in results]
    of_answered = {
        "answered_ece": answers.error,
        "answered_brier": answers.brier,
        "answered_coverage_at_95": coverage_at(_PRECISION, sureness, answerable),
    }
    return {
        "ece": pages.error,
        "brier": pages.brier,
        "kept_ece": kept.error,
        **(of_answered if len(set(answerable)) == 2 else dict.fromkeys(of_answered, undefined)),
        "kept_coverage_at_95": coverage_at(_PRECISION, sureness, [result.shows_evidence for result in results]),
    }


def reliability(claims: Claims) -> Reliability:
    """The claims in the bins that `calibration_error` uses; no bins where there are no claims."""
    shares = bin_shares(claims.probabilities)
    masses = shares.sum(axis=0)
    if not masses.all():
        return Reliability((), (), 0)
    predicted, observed = claims.probabilities @ shares / masses, claims.outcomes @ shares / masses
    return Reliability(tuple(predicted.tolist()), tuple(observed.tolist()), len(claims.outcomes))


def coverage(sureness: Sequence[float], right: Sequence[bool]) -> Coverage:
    """The precision-coverage curve of questions that are claimed from the surest down."""
    share, precision = coverage_curve(sureness, right, np.ones((1, len(sureness))))
    return Coverage(tuple(share[0].tolist()), tuple(precision[0].tolist()))


def _claims(rows: Iterable[tuple[float, bool, int]]) -> Claims:
    found = list(rows)
    return Claims(
        probabilities=np.array([probability for probability, _, _ in found], float),
        outcomes=np.array([outcome for _, outcome, _ in found], float),
        owners=[owner for _, _, owner in found],
    )
