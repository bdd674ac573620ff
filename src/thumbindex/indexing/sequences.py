"""Numbered things in order: the best ascending run among candidates of which many are references or list items."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["best_sequence"]


def best_sequence(values: Sequence[int], weights: Sequence[float], gap_cost: float) -> list[int]:
    """Indices of the ascending run of `values` (strictly, in the order given) of the most weight.

    Each number left out between two neighbours costs `gap_cost`; of runs alike, the one that begins its steps earliest.
    Takes time in proportion to the candidates times their distinct values.
    """
    scores: list[float] = []
    before: list[int] = []
    best_of: dict[int, int] = {}
    for index, (value, weight) in enumerate(zip(values, weights, strict=True)):
        score, link = weight - gap_cost * max(0, value - 1), -1
        for earlier in sorted(at for lower, at in best_of.items() if lower < value):
            extended = scores[earlier] + weight - gap_cost * (value - values[earlier] - 1)
            if extended > score + 1e-9:
                score, link = extended, earlier
        scores.append(score)
        before.append(link)
        if value not in best_of or score > scores[best_of[value]] + 1e-9:
            best_of[value] = index
    run: list[int] = []
    at = max(range(len(scores)), key=scores.__getitem__, default=-1)
    while at >= 0:
        run.append(at)
        at = before[at]
    return run[::-1]
