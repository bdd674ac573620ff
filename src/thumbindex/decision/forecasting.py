"""What a search would cost, found out by doing it without asking the model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from thumbindex.decision.base import Decision, Limits, Request
from thumbindex.decision.batch import Decider
from thumbindex.decision.lexical import LexicalModel

__all__ = ["Forecaster"]


class Forecaster:
    """Decides by words alone, at the price of another model: the way is about as long, the figures err upward.

    Args:
        model: Whose price it is; it is not asked.
    """

    def __init__(self, model: Decider) -> None:
        self._model = model
        self._guesses = LexicalModel()

    @property
    def name(self) -> str:
        """That of the other model."""
        return self._model.name

    @property
    def limits(self) -> Limits:
        """Those of the other model, so that menus are split as for it."""
        return self._model.limits

    def decide(self, requests: Sequence[Request]) -> list[Decision]:
        """Guesses, with what the answers would cost."""
        usage = self._model.forecast(requests)
        guesses = self._guesses.decide(requests)
        return [
            replace(guess, usage=share, model=self.name)
            for guess, share in zip(guesses, usage.shares(len(requests)), strict=True)
        ]
