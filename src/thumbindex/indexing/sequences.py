"""Numbered things in order: the best ascending run among candidates of which many are references or list items."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["best_sequence"]


def best_sequence(values: Sequence[int], weights: Sequence[float], gap_cost: float) -> list[int]:
    """Indices of the ascending run of `values` (strictly, in the order given) of the most weight.

    Each number left out between two neighbours costs `gap_cost`; of runs alike, the one that begins its steps earliest.
    """
    best: list[float] = []
    before: list[int] = []
    for index, (value, weight) in enumerate(zip(values, weights, strict=True)):
        score, link = weight - gap_cost * max(0, value - 1), -1
        for earlier in range(index):
            if values[earlier] < value:
                extended = best[earlier] + weight - gap_cost * (value - values[earlier] - 1)
                if extended > score + 1e-9:
                    score, link = extended, earlier
        best.append(score)
        before.append(link)
    run: list[int] = []
    at = max(range(len(best)), key=best.__getitem__, default=-1)
    while at >= 0:
        run.append(at)
        at = before[at]
    return run[::-1]
