"""Does this page answer? What its check, the choice among the pages and the verdict on the document say together."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from thumbindex.search.fitted import fitted
from thumbindex.search.log_odds import LEAST_PROBABILITY, log_odds

__all__ = ["PAGE_FEATURES", "page_features", "page_probabilities"]

PAGE_FEATURES = ("bias", "check", "chosen", "lead", "answered")
"""What is weighed, in this order; `page_features` says what each is."""

Floats = NDArray[np.float64]


def page_probabilities(
    chosen: Mapping[int, float], checks: Mapping[int, float], answered: float, model: str
) -> Mapping[int, float]:
    """By page, the probability that it answers; that of its check for a model that was not measured for more.

    Args:
        chosen: By page, the probability in the choice among them.
        checks: By page, the probability that it answers, looked at alone.
        answered: The probability that the document answers.
        model: Name and version of what chose and checked.
    """
    weights = fitted(model, "pages")
    if weights is None or not chosen or not checks:
        return checks
    weighed = page_features(chosen, checks, answered) @ np.array([weights[feature] for feature in PAGE_FEATURES])
    return dict(zip(checks, (1 / (1 + np.exp(-weighed))).tolist(), strict=True))


def page_features(chosen: Mapping[int, float], checks: Mapping[int, float], answered: float) -> Floats:
    """What speaks for and against each checked page, shape `(checks, len(PAGE_FEATURES))`.

    The log-odds of its check; the logarithms of its probability in the choice and of how often that is the greatest of
    the others; and the log-odds that the document answers.
    """
    best = sorted(chosen, key=chosen.__getitem__, reverse=True)[:2]
    rows = []
    for page, checked in checks.items():
        share = max(chosen.get(page, 0.0), LEAST_PROBABILITY)
        rival = max((chosen[other] for other in best if other != page), default=LEAST_PROBABILITY)
        lead = np.log(share / max(rival, LEAST_PROBABILITY))
        rows.append([1.0, log_odds(checked), np.log(share), lead, log_odds(answered)])
    return np.array(rows)
