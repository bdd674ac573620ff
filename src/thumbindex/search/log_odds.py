"""Log-odds of probabilities, with a floor: nothing is impossible."""

from __future__ import annotations

from math import log

__all__ = ["LEAST_PROBABILITY", "log_odds"]

LEAST_PROBABILITY = 1e-6


def log_odds(probability: float) -> float:
    """Of a probability, held between `LEAST_PROBABILITY` and 1 less that."""
    held = min(max(probability, LEAST_PROBABILITY), 1 - LEAST_PROBABILITY)
    return log(held / (1 - held))
