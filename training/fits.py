"""Fits by maximum likelihood, and what they are worth on what was left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from scipy.optimize import minimize

RIDGE = 1e-3
FOLDS = 5
SIGNED = {0: (None, None), 1: (0.0, None), -1: (None, 0.0)}


def fitted_logistic(
    features: np.ndarray, right: np.ndarray, ridge: float = RIDGE, signs: Sequence[int] = (), free: Sequence[int] = ()
) -> tuple[float, np.ndarray]:
    """Bias and weights of a logistic regression; `features` of shape (cases, features), `right` of (cases,).

    A weight whose sign is given as 1 or -1 may not be of the other sign; the ridge does not hold back the `free` ones.
    """
    bounds = [(None, None), *(SIGNED[sign] for sign in signs or [0] * features.shape[1])]
    mean, spread = features.mean(0), features.std(0)
    spread = np.where(spread > 1e-9, spread, np.inf)
    scaled = np.column_stack([np.ones(len(features)), (features - mean) / spread])

    penalised = np.ones(scaled.shape[1])
    penalised[[0, *(1 + number for number in free)]] = 0.0

    def loss(weights: np.ndarray) -> tuple[float, np.ndarray]:
        log_odds = scaled @ weights
        slope = scaled.T @ (sigmoid(log_odds) - right) / len(right)
        held = weights * penalised
        return np.mean(np.logaddexp(0, log_odds) - right * log_odds) + ridge * held @ held, slope + 2 * ridge * held

    found = minimize(loss, np.zeros(scaled.shape[1]), jac=True, method="L-BFGS-B", bounds=bounds).x
    weights = found[1:] / spread
    return float(found[0] - weights @ mean), weights


def sigmoid(log_odds: np.ndarray) -> np.ndarray:
    """Of log-odds, the probability."""
    return 1 / (1 + np.exp(-np.clip(log_odds, -60, 60)))


def folds(groups: Sequence[str]) -> Iterator[tuple[np.ndarray, np.ndarray]]:
    """Masks of what is fitted and of what is left out, groups kept together and spread by size."""
    names, sizes = np.unique(np.asarray(groups), return_counts=True)
    filled = np.zeros(FOLDS)
    fold_of = {}
    for name, size in sorted(zip(names.tolist(), sizes.tolist(), strict=True), key=lambda pair: (-pair[1], pair[0])):
        fold_of[name] = int(filled.argmin())
        filled[fold_of[name]] += size
    held = np.array([fold_of[group] for group in groups])
    for fold in range(FOLDS):
        yield held != fold, held == fold


def calibration_error(probabilities: np.ndarray, right: np.ndarray, bins: int = 15) -> float:
    """Expected calibration error over bins of equal mass."""
    order = np.argsort(probabilities, kind="stable")
    parts = [part for part in np.array_split(order, bins) if len(part)]
    gaps = [len(part) * abs(probabilities[part].mean() - right[part].mean()) for part in parts]
    return float(sum(gaps) / len(order))


def coverage_at(precision: float, probabilities: np.ndarray, right: np.ndarray) -> float:
    """The greatest share of cases that can be said to be right with this precision."""
    order = np.argsort(-probabilities, kind="stable")
    reached = np.cumsum(right[order]) / np.arange(1, len(order) + 1)
    enough = np.flatnonzero(reached >= precision)
    return float((enough[-1] + 1) / len(order)) if len(enough) else 0.0


def area_under_roc(right: np.ndarray, wrong: np.ndarray) -> float:
    """The chance that one of `right` is above one of `wrong`, equals counted half."""
    if not len(right) or not len(wrong):
        return float("nan")
    return float(((right[:, None] > wrong).mean() + (right[:, None] >= wrong).mean()) / 2)
