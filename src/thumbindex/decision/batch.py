"""The one place for batching, concurrency, retries, the answer cache, and the totals of what was spent."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from threading import Lock

from thumbindex.decision.base import Decision, DecisionModel, Limits, Request, Usage
from thumbindex.decision.cache import Answer, AnswerCache, MemoryCache, request_key
from thumbindex.errors import BackendUnavailableError, DecisionError, OptionError

__all__ = ["Decider", "RetryPolicy"]

_Batch = Sequence[tuple[str, Request]]
_Answered = list[tuple[str, Decision]]


@dataclass(frozen=True, slots=True)
class RetryPolicy:
    """When a backend that cannot be reached is asked again: after `first_wait_s`, then `factor` times as long.

    Attributes:
        attempts: How often a request is made in all.
        first_wait_s: Before the second attempt.
        factor: By which each wait is longer than the last.
        longest_wait_s: No wait is longer.
    """

    attempts: int = 4
    first_wait_s: float = 0.5
    factor: float = 2.0
    longest_wait_s: float = 30.0

    def __post_init__(self) -> None:
        if self.attempts < 1:
            raise OptionError(f"a request is made at least once, not {self.attempts} times")
        if min(self.first_wait_s, self.longest_wait_s) < 0 or self.factor < 1:
            raise OptionError(f"waits are not negative and do not shrink: {self}")

    def waits_s(self) -> Iterator[float]:
        """The wait before each further attempt."""
        return (min(self.longest_wait_s, self.first_wait_s * self.factor**again) for again in range(self.attempts - 1))


class Decider:
    """A decision model in front of another: what was answered before is not asked again, what fails is tried again.

    Args:
        model: What answers.
        max_in_flight: Calls of the model at one time; more than 1 only for a model that may be called from threads.
        batch_size: Requests in one call of the model; None puts all in one.
        retries: For `BackendUnavailableError`; any other error is final.
        cache: Where answers are kept; by default in memory.
        sleep: Waits that many seconds.
    """

    def __init__(  # noqa: PLR0913
        self,
        model: DecisionModel,
        *,
        max_in_flight: int = 1,
        batch_size: int | None = None,
        retries: RetryPolicy = RetryPolicy(),
        cache: AnswerCache | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if max_in_flight < 1 or (batch_size is not None and batch_size < 1):
            raise OptionError(f"at least one request at a time, not {max_in_flight} calls of {batch_size}")
        self._model = model
        self._max_in_flight = max_in_flight
        self._batch_size = batch_size
        self._retries = retries
        self._cache: AnswerCache = MemoryCache() if cache is None else cache
        self._sleep = sleep
        self._usage = Usage()
        self._lock = Lock()

    @property
    def name(self) -> str:
        """That of the model behind."""
        return self._model.name

    @property
    def limits(self) -> Limits:
        """Those of the model behind."""
        return self._model.limits

    @property
    def usage(self) -> Usage:
        """All that was spent so far; answers from the cache cost nothing."""
        with self._lock:
            return self._usage

    def decide(self, requests: Sequence[Request]) -> list[Decision]:
        """The answers, in the order of the requests; equal requests are asked once.

        Answers that came before another request failed are kept, so that asking again pays for the failed ones only.

        Raises:
            RequestTooLongError: A request holds more than the model takes.
            BackendUnavailableError: The model could not be reached in all attempts.
            InvalidDistributionError: What came back is no distribution over what was asked.
        """
        keys = [request_key(self.name, request) for request in requests]
        known = {key: answer for key in dict.fromkeys(keys) if (answer := self._cache.get(key))}
        fresh = self._ask({key: request for key, request in zip(keys, requests, strict=True) if key not in known})
        known |= {key: _answer(decision) for key, decision in fresh.items()}
        return [
            fresh.pop(key) if key in fresh else _recalled(request, known[key])
            for key, request in zip(keys, requests, strict=True)
        ]

    def _ask(self, requests: Mapping[str, Request]) -> dict[str, Decision]:
        waiting = list(requests.items())
        size = self._batch_size or max(1, len(waiting))
        outcomes = self._outcomes([waiting[first : first + size] for first in range(0, len(waiting), size)])
        answered = [outcome for outcome in outcomes if not isinstance(outcome, DecisionError)]
        fresh = {key: decision for outcome in answered for key, decision in outcome}
        for key, decision in fresh.items():
            self._cache.put(key, _answer(decision))
        with self._lock:
            self._usage = sum((decision.usage for decision in fresh.values()), self._usage)
        for outcome in outcomes:
            if isinstance(outcome, DecisionError):
                raise outcome
        return fresh

    def _outcomes(self, batches: Sequence[_Batch]) -> list[_Answered | DecisionError]:
        if self._max_in_flight == 1 or len(batches) < 2:
            return [self._outcome(batch) for batch in batches]
        with ThreadPoolExecutor(min(self._max_in_flight, len(batches))) as pool:
            return list(pool.map(self._outcome, batches))

    def _outcome(self, batch: _Batch) -> _Answered | DecisionError:
        waits_s = self._retries.waits_s()
        while True:
            try:
                decisions = self._model.decide([request for _, request in batch])
                return [(key, decision) for (key, _), decision in zip(batch, decisions, strict=True)]
            except BackendUnavailableError as error:
                wait_s = next(waits_s, None)
                if wait_s is None:
                    return error
                self._sleep(wait_s)
            except DecisionError as error:
                return error


def _answer(decision: Decision) -> Answer:
    return Answer(decision.probabilities, decision.model)


def _recalled(request: Request, answer: Answer) -> Decision:
    return Decision(request.question, answer.probabilities, answer.model)
