"""Measures as functions of how often each question counts, so that a whole bootstrap is a few matrix products.

An `Estimator` maps weights of shape (resamples, questions), where row `r` says how often resample `r` drew each
question, to the measure's value in each resample; NaN where it is not defined. A row of ones is the set itself.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "BINS",
    "Array",
    "Estimator",
    "area_under_roc",
    "bin_shares",
    "calibration_error",
    "coverage_at",
    "coverage_curve",
    "ratio",
    "resampled",
    "squared_error",
    "undefined",
    "value",
]

Array = NDArray[np.float64]
Estimator = Callable[[Array], Array]

# As many as Guo et al. (2017) and most after them use, so that figures compare.
BINS = 15
# Weights of a chunk stay near 50 MB, whatever the size of the set.
_CHUNK_WEIGHTS = 6_000_000
# Shares of the same sums may differ in the last bits: 19 of 20 is 95 %.
_ROUNDING = 1e-12


def value(estimator: Estimator, questions: int) -> float | None:
    """The measure on the set itself; None where it is not defined."""
    found = float(estimator(np.ones((1, questions)))[0])
    return None if np.isnan(found) else found


def undefined(weights: Array) -> Array:
    """The estimator of a measure that does not apply to the set."""
    return np.full(len(weights), np.nan)


def ratio(numerators: ArrayLike, denominators: ArrayLike) -> Estimator:
    """`Σ numerators / Σ denominators` over questions: a mean, where the denominators count."""
    above, below = np.asarray(numerators, float), np.asarray(denominators, float)
    return lambda weights: _divided(weights @ above, weights @ below)


def area_under_roc(scores: ArrayLike, positive: ArrayLike) -> Estimator:
    """The chance that a positive question scores above a negative one, equals counted half (AUROC)."""
    order, firsts = _tied(np.asarray(scores, float))
    is_positive = np.asarray(positive, bool)[order]

    def estimate(weights: Array) -> Array:
        ordered = weights.take(order, axis=1)
        high = _group_sums(ordered * is_positive, firsts)
        low = _group_sums(ordered, firsts) - high
        below = np.cumsum(low, axis=1) - low / 2
        return _divided((high * below).sum(axis=1), high.sum(axis=1) * low.sum(axis=1))

    return estimate


def calibration_error(probabilities: ArrayLike, outcomes: ArrayLike, owners: Sequence[int]) -> Estimator:
    """The expected calibration error in `BINS` bins of equal mass, of claims that belong to questions.

    `Σ_b (n_b / n) |mean outcome in b − mean probability in b|` (Guo et al., 2017, "On Calibration of Modern Neural
    Networks", eq. 3), which is `Σ_b |Σ_{i in b} (outcome_i − probability_i)| / n`; with bins that hold equally many
    claims instead of equally wide ones (Nguyen and O'Connor, 2015). In resamples the bins stay those of the set.

    Args:
        probabilities: Of each claim.
        outcomes: 1 where the claim is true, 0 where not.
        owners: The row of the question that each claim belongs to.
    """
    claimed = np.asarray(probabilities, float)
    gaps = bin_shares(claimed) * (np.asarray(outcomes, float) - claimed)[:, None]
    rows = np.asarray(owners, int)

    def estimate(weights: Array) -> Array:
        by_question = np.zeros((weights.shape[1], BINS))
        np.add.at(by_question, rows, gaps)
        return _divided(np.abs(weights @ by_question).sum(axis=1), weights @ _counts(rows, weights))

    return estimate


def squared_error(probabilities: ArrayLike, outcomes: ArrayLike, owners: Sequence[int]) -> Estimator:
    """The mean of `(outcome − probability)²` over claims that belong to questions, given as for `calibration_error`."""
    errors = (np.asarray(outcomes, float) - np.asarray(probabilities, float)) ** 2
    rows = np.asarray(owners, int)

    def estimate(weights: Array) -> Array:
        by_question = np.bincount(rows, errors, minlength=weights.shape[1])
        return _divided(weights @ by_question, weights @ _counts(rows, weights))

    return estimate


def bin_shares(probabilities: ArrayLike, bins: int = BINS) -> Array:
    """Shape (claims, bins): the share of each claim that falls into each bin of exactly equal mass, lowest first.

    A claim on the border of two bins belongs to both in part, and equal probabilities are spread over their bins alike:
    so the order of the claims does not matter, and any number of them fills the bins.
    """
    claimed = np.asarray(probabilities, float)
    _, places, counts = np.unique(claimed, return_inverse=True, return_counts=True)
    ends = np.cumsum(counts)
    starts = ends - counts
    edges = np.linspace(0, len(claimed), bins + 1)
    overlap = np.minimum(ends[:, None], edges[1:]) - np.maximum(starts[:, None], edges[:-1])
    return np.asarray((np.clip(overlap, 0, None) / counts[:, None])[places], float)


def coverage_curve(scores: ArrayLike, right: ArrayLike, weights: Array) -> tuple[Array, Array]:
    """Coverage and precision when the questions from each score upwards are claimed, the surest first.

    Coverage is the share of all questions that is claimed, precision the share of the claimed ones that is right.

    Returns:
        Two arrays of shape (resamples, distinct scores).
    """
    order, firsts = _tied(-np.asarray(scores, float))
    ordered = weights.take(order, axis=1)
    claimed = np.cumsum(_group_sums(ordered, firsts), axis=1)
    correct = np.cumsum(_group_sums(ordered * np.asarray(right, bool)[order], firsts), axis=1)
    return _divided(claimed, weights.sum(axis=1, keepdims=True)), _divided(correct, claimed)


def coverage_at(precision: float, scores: ArrayLike, right: ArrayLike) -> Estimator:
    """The largest coverage at which the claimed questions are right at least this often; 0 where there is none."""

    def estimate(weights: Array) -> Array:
        if not weights.shape[1]:
            return undefined(weights)
        coverage, reached = coverage_curve(scores, right, weights)
        return np.asarray(np.where(reached >= precision - _ROUNDING, coverage, 0.0).max(axis=1), float)

    return estimate


def resampled(questions: int, resamples: int, seed: int) -> Iterator[Array]:
    """Weights of bootstrap resamples, in chunks; each draws as many questions as there are, with replacement."""
    random = np.random.default_rng(seed)
    chunk = max(1, _CHUNK_WEIGHTS // max(1, questions))
    for begin in range(0, resamples, chunk):
        rows = min(chunk, resamples - begin)
        picks = random.integers(questions, size=(rows, questions)) + questions * np.arange(rows)[:, None]
        yield np.bincount(picks.ravel(), minlength=rows * questions).reshape(rows, questions).astype(float)


def _counts(rows: NDArray[np.intp], weights: Array) -> Array:
    return np.asarray(np.bincount(rows, minlength=weights.shape[1]), float)


def _divided(above: Array, below: Array) -> Array:
    found: Array = np.full(above.shape, np.nan)
    np.divide(above, below, out=found, where=below != 0)
    return found


def _tied(keys: Array) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The order that sorts the keys, and where in it each group of equal keys begins."""
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    return order, np.flatnonzero(np.r_[True, ordered[1:] != ordered[:-1]][: len(keys)])


def _group_sums(ordered: Array, firsts: NDArray[np.intp]) -> Array:
    """Sums of neighbouring columns, of those from each of `firsts` to the next."""
    return np.asarray(np.add.reduceat(ordered, firsts, axis=1), float) if len(firsts) else ordered
