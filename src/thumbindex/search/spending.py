"""Going on with what is known once the budget is spent."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from thumbindex.errors import BudgetSpentError

__all__ = ["Spending"]

_Found = TypeVar("_Found")
_Thing = TypeVar("_Thing")


@dataclass
class Spending:
    """A search under way.

    Attributes:
        stopped: Why nothing more is asked; empty while the budget lasts.
    """

    stopped: str = ""

    def do(self, step: Callable[[], _Found]) -> _Found | None:
        """What the step finds, or None where the budget does not allow it."""
        if self.stopped:
            return None
        try:
            return step()
        except BudgetSpentError as error:
            self.stopped = str(error)
            return None

    def do_for_most(self, step: Callable[[Sequence[_Thing]], _Found], things: Sequence[_Thing]) -> _Found | None:
        """What the step finds for the first of these things, as many as the budget allows; None where that is none.

        What was answered before the budget ended is known, so that asking for half of them costs no more.
        """
        if self.stopped:
            return None
        asked = things
        while asked:
            try:
                return step(asked)
            except BudgetSpentError as error:
                self.stopped = str(error)
                asked = asked[: len(asked) // 2]
        return None
