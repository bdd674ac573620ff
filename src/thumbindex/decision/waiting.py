"""When a server is asked again, and how many requests it is sent at once."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from math import isfinite
from threading import Condition

from thumbindex.errors import BackendBusyError, BackendUnavailableError, OptionError

__all__ = ["RetryPolicy", "Throttle", "told_wait_s"]

# What a System One server bears was reported as about 8 requests in flight; others bear more.
_FIRST_IN_FLIGHT, _MOST_IN_FLIGHT = 8, 32


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """When a backend that cannot be reached is asked again: after `first_wait_s`, then `factor` times as long.

    A backend that is busy is asked again after as long as it says, more often, and never sooner than that.

    Attributes:
        attempts: How often a request is made in all.
        first_wait_s: Before the second attempt.
        factor: By which each wait is longer than the last.
        longest_wait_s: No wait that we choose is longer.
        busy_attempts: How often a request is made in all while the backend says that it is busy.
        longest_told_wait_s: A backend that asks for a longer wait is not waited for.
    """

    attempts: int = 4
    first_wait_s: float = 0.5
    factor: float = 2.0
    longest_wait_s: float = 30.0
    busy_attempts: int = 10
    longest_told_wait_s: float = 120.0

    def __post_init__(self) -> None:
        if min(self.attempts, self.busy_attempts) < 1:
            raise OptionError(f"a request is made at least once, not {min(self.attempts, self.busy_attempts)} times")
        if min(self.first_wait_s, self.longest_wait_s, self.longest_told_wait_s) < 0 or self.factor < 1:
            raise OptionError(f"waits are not negative and do not shrink: {self}")

    def wait_s(self, error: BackendUnavailableError, attempts: int) -> float | None:
        """How long to wait before asking again after `attempts` of them; None: the error is final."""
        chosen = min(self.longest_wait_s, self.first_wait_s * self.factor ** (attempts - 1))
        if not isinstance(error, BackendBusyError):
            return chosen if attempts < self.attempts else None
        wait = chosen if error.wait_s is None else error.wait_s
        return wait if attempts < self.busy_attempts and wait <= self.longest_told_wait_s else None


class Throttle:
    """Bounds the requests in flight by what the server bears.

    The bound grows by one for every round of answers, and halves when the server says that it is busy: once for all
    requests that were in flight by then (additive increase, multiplicative decrease).
    """

    def __init__(self, first: int = _FIRST_IN_FLIGHT, most: int = _MOST_IN_FLIGHT) -> None:
        if not 1 <= first <= most:
            raise OptionError(f"requests in flight: {first} at first and {most} at most make no sense")
        self.most = most
        self._bound = float(first)
        self._in_flight = 0
        self._halvings = 0
        self._changed = Condition()

    @property
    def bound(self) -> int:
        """How many may be in flight now."""
        with self._changed:
            return int(self._bound)

    @contextmanager
    def slot(self) -> Iterator[None]:
        """One request in flight; how it ends moves the bound."""
        with self._changed:
            self._changed.wait_for(lambda: self._in_flight < int(self._bound))
            self._in_flight += 1
            halvings = self._halvings
        try:
            yield
            self._moved(lambda bound: min(self.most, bound + 1 / bound))
        except BackendBusyError:
            self._halve(halvings)
            raise
        finally:
            with self._changed:
                self._in_flight -= 1
                self._changed.notify_all()

    def _moved(self, move: Callable[[float], float]) -> None:
        with self._changed:
            self._bound = move(self._bound)

    def _halve(self, seen: int) -> None:
        with self._changed:
            if seen == self._halvings:
                self._halvings += 1
                self._bound = max(1.0, self._bound / 2)


def told_wait_s(headers: Mapping[str, str]) -> float | None:
    """How long a server asks to wait: `retry-after-ms`, or `retry-after` in seconds or as a date; None if it does not.

    Header names must be in lower case, or the mapping blind to case.
    """
    for name, unit_s in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        raw = (headers.get(name) or "").strip()
        try:
            wait = float(raw) * unit_s
        except ValueError:
            wait = _until(raw)
        if isfinite(wait) and raw:
            return max(0.0, wait)
    return None


def _until(date: str) -> float:
    try:
        return parsedate_to_datetime(date).timestamp() - time.time()
    except (ValueError, TypeError, OverflowError):
        return float("nan")
