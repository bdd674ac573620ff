"""What answers may cost, and what they have cost so far."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from threading import Lock

from thumbindex.decision.base import Decision, Usage
from thumbindex.errors import BudgetSpentError, OptionError

__all__ = ["Budget", "Ledger", "Prices"]


@dataclass(frozen=True, slots=True)
class Prices:
    """Dollars per million tokens."""

    input: float
    output: float = 0.0

    def __post_init__(self) -> None:
        if not (0 <= self.input < float("inf") and 0 <= self.output < float("inf")):
            raise OptionError(f"prices are dollars per million tokens, 0 or more, not {self.input} and {self.output}")

    def cost_usd(self, usage: Usage) -> float:
        """What the tokens cost."""
        return (usage.input_tokens * self.input + usage.output_tokens * self.output) / 1_000_000


@dataclass(frozen=True, slots=True)
class Budget:
    """What may be spent at most; None is without bound."""

    max_cost_usd: float | None = None
    max_tokens: int | None = None

    def __post_init__(self) -> None:
        for name, value in (("a budget in dollars", self.max_cost_usd), ("a budget in tokens", self.max_tokens)):
            if value is not None and not 0 <= value < float("inf"):
                raise OptionError(f"{name} is 0 or more, not {value}")


class Ledger:
    """What was spent, held below a budget: what is in flight counts as spent at its forecast.

    Args:
        prices: Of the model; None where they are not known.
        budget: What may be spent.

    Raises:
        OptionError: A budget in dollars, and no prices.
    """

    def __init__(self, prices: Prices | None = None, budget: Budget | None = None) -> None:
        self._prices = prices
        self._budget = budget or Budget()
        if prices is None and self._budget.max_cost_usd is not None:
            raise OptionError(
                "a budget in dollars needs the price of the model: set input_price in the settings, or bound the tokens"
            )
        self._spent = Usage()
        self._forecast: list[Usage] = []
        self._lock = Lock()

    @property
    def spent(self) -> Usage:
        """By all answers so far."""
        with self._lock:
            return self._spent

    def priced(self, usage: Usage) -> Usage:
        """The usage with its cost."""
        return replace(usage, cost_usd=self._prices.cost_usd(usage) if self._prices else None)

    @contextmanager
    def reserved(self, forecast: Usage) -> Iterator[None]:
        """Room for a request while it is in flight.

        Raises:
            BudgetSpentError: It might pass the budget.
        """
        held = self.priced(forecast)
        with self._lock:
            self._check(sum(self._forecast, self._spent + held))
            self._forecast.append(held)
        try:
            yield
        finally:
            with self._lock:
                self._forecast.remove(held)

    def entered(self, decisions: Sequence[Decision]) -> list[Decision]:
        """The decisions with their costs, which are now spent."""
        priced = [replace(decision, usage=self.priced(decision.usage)) for decision in decisions]
        with self._lock:
            self._spent = sum((decision.usage for decision in priced), self._spent)
        return priced

    def _check(self, usage: Usage) -> None:
        most_cost, most_tokens = self._budget.max_cost_usd, self._budget.max_tokens
        if most_cost is not None and (usage.cost_usd or 0.0) > most_cost:
            raise BudgetSpentError(f"the next request might pass the budget of ${most_cost:g}")
        if most_tokens is not None and usage.tokens > most_tokens:
            raise BudgetSpentError(f"the next request might pass the budget of {most_tokens:,} tokens")
