"""The one place for batching, concurrency, retries, the answer cache, the budget, and the totals of what was spent."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Event

from thumbindex.decision.base import (
    Choice,
    Decision,
    DecisionModel,
    ForecastingModel,
    Limits,
    RemoteModel,
    Request,
    Usage,
)
from thumbindex.decision.budget import Budget, Ledger, Prices
from thumbindex.decision.cache import Answer, AnswerCache, MemoryCache, request_key
from thumbindex.decision.packing import question_tokens, state_tokens
from thumbindex.decision.waiting import RetryPolicy, Throttle
from thumbindex.errors import (
    BackendUnavailableError,
    DecisionError,
    DecisionsCancelledError,
    OptionError,
    RequestTooLongError,
)

__all__ = ["Decider", "RetryPolicy"]

_Batch = Sequence[tuple[str, Request]]
_FREE = Prices(0.0)
# How often who waits looks up whether the call was cancelled.
_LOOK_UP_S = 0.2


class Decider:
    """A decision model in front of another: what was answered before is not asked again, what fails is tried again.

    A model in the process is called with whole batches. A remote one gets its packs of requests side by side, as many
    as it bears.

    Args:
        model: What answers.
        batch_size: Requests in one call of a model in the process; None puts all in one.
        retries: For `BackendUnavailableError`; any other error is final.
        throttle: Bounds the requests in flight to a remote model.
        cache: Where answers are kept; by default in memory.
        prices: Of the model; None where they are not known. A model in the process is free.
        budget: What may be spent.
        sleep: Waits that many seconds; by default until then or until the call is cancelled.
    """

    def __init__(  # noqa: PLR0913
        self,
        model: DecisionModel,
        *,
        batch_size: int | None = None,
        retries: RetryPolicy | None = None,
        throttle: Throttle | None = None,
        cache: AnswerCache | None = None,
        prices: Prices | None = None,
        budget: Budget | None = None,
        sleep: Callable[[float], object] | None = None,
    ) -> None:
        if batch_size is not None and batch_size < 1:
            raise OptionError(f"a call of the model takes at least one request, not {batch_size}")
        self.model = model
        self._remote = model if isinstance(model, RemoteModel) else None
        self._batch_size = batch_size
        self._retries = retries or RetryPolicy()
        self._throttle = throttle or Throttle()
        self._cache: AnswerCache = MemoryCache() if cache is None else cache
        self._ledger = Ledger(prices if self._remote else _FREE, budget)
        self._undelivered: dict[str, Usage] = {}
        self._cancelled = Event()
        self._sleep = sleep

    @property
    def name(self) -> str:
        """That of the model behind."""
        return self.model.name

    @property
    def limits(self) -> Limits:
        """Those of the model behind."""
        return self.model.limits

    @property
    def usage(self) -> Usage:
        """All that was spent so far; answers from the cache cost nothing."""
        return self._ledger.spent

    def forecast(self, requests: Sequence[Request]) -> Usage:
        """What the answers will cost at most, by estimate, were none of them known."""
        if isinstance(self.model, ForecastingModel):
            return self._ledger.priced(self.model.forecast(requests))
        tokens = sum(state_tokens(request.state) + question_tokens(request.question) for request in requests)
        return Usage(len(requests), tokens)

    def cancel(self) -> None:
        """End what is going on: no further request is sent, and `decide` raises. For good; called from any thread."""
        self._cancelled.set()

    def decide(self, requests: Sequence[Request]) -> list[Decision]:
        """The answers, in the order of the requests; equal requests are asked once.

        Answers that came before another request failed are kept, so that asking again pays for the failed ones only.

        Raises:
            RequestTooLongError: A request holds more than the model takes.
            BackendUnavailableError: The model could not be reached in all attempts.
            BackendRefusedError: The model will not answer, or not this (RequestRefusedError).
            InvalidDistributionError: What came back is no distribution over what was asked.
            BudgetSpentError: The next request might pass the budget.
            DecisionsCancelledError: `cancel` was called.
        """
        identity = self._remote.identity if self._remote else self.name
        keys = [request_key(identity, request) for request in requests]
        known = {key: answer for key in dict.fromkeys(keys) if (answer := self._cache.get(key))}
        known |= {
            key: Answer(dict.fromkeys(request.question.keys, 1.0), self.name)
            for key, request in zip(keys, requests, strict=True)
            if _is_certain(request)
        }
        fresh = self._ask({key: request for key, request in zip(keys, requests, strict=True) if key not in known})
        known |= {key: _answer(decision) for key, decision in fresh.items()}
        return [
            fresh.pop(key) if key in fresh else self._recalled(request, key, known[key])
            for key, request in zip(keys, requests, strict=True)
        ]

    def _ask(self, requests: Mapping[str, Request]) -> dict[str, Decision]:
        outcomes = self._outcomes(self._batches(list(requests.items())))
        fresh = {key: each for outcome in outcomes if isinstance(outcome, dict) for key, each in outcome.items()}
        errors = [outcome for outcome in outcomes if isinstance(outcome, DecisionError)]
        if errors:
            self._undelivered |= {key: decision.usage for key, decision in fresh.items()}
            raise next((error for error in errors if not isinstance(error, DecisionsCancelledError)), errors[0])
        return fresh

    def _recalled(self, request: Request, key: str, answer: Answer) -> Decision:
        """An answer from the cache: free, unless it was paid for in a call that then failed."""
        return Decision(request.question, answer.probabilities, answer.model, self._undelivered.pop(key, Usage()))

    def _batches(self, waiting: _Batch) -> list[_Batch]:
        if self._remote:
            return [[waiting[at] for at in pack] for pack in self._remote.packs([request for _, request in waiting])]
        size = self._batch_size or max(1, len(waiting))
        return [waiting[first : first + size] for first in range(0, len(waiting), size)]

    def _outcomes(self, batches: Sequence[_Batch]) -> list[dict[str, Decision] | DecisionError]:
        failed = Event()
        if not self._remote or len(batches) < 2:
            return [self._outcome(batch, failed) for batch in batches]
        with ThreadPoolExecutor(min(self._throttle.most, len(batches))) as pool:
            try:
                return list(pool.map(lambda batch: self._outcome(batch, failed), batches))
            except BaseException:  # the user interrupts: what has not been sent never is
                failed.set()
                pool.shutdown(wait=False, cancel_futures=True)
                raise

    def _outcome(self, batch: _Batch, failed: Event) -> dict[str, Decision] | DecisionError:
        """The answers to a batch, or why there are none. What is too long says nothing about the other batches."""
        attempts = 0
        while True:
            attempts += 1
            try:
                return self._answered(batch, failed)
            except RequestTooLongError as error:
                return error
            except BackendUnavailableError as error:
                wait_s = self._retries.wait_s(error, attempts)
                if wait_s is None:
                    failed.set()
                    return error
                self._pause(wait_s, failed)
            except DecisionError as error:
                failed.set()
                return error

    def _pause(self, wait_s: float, failed: Event) -> None:
        """Wait, unless nobody wants the answer any more."""
        if self._sleep:
            self._sleep(wait_s)
            return
        until = time.monotonic() + wait_s
        while not self._cancelled.is_set() and (left_s := until - time.monotonic()) > 0:
            if failed.wait(min(left_s, _LOOK_UP_S)):
                return

    def _answered(self, batch: _Batch, failed: Event) -> dict[str, Decision]:
        requests = [request for _, request in batch]
        with self._throttle.slot():
            if self._cancelled.is_set() or failed.is_set():
                raise DecisionsCancelledError("cancelled before all questions were answered")
            with self._ledger.reserved(self.forecast(requests)):
                decisions = self._ledger.entered(self.model.decide(requests))
        answered = dict(zip((key for key, _ in batch), decisions, strict=True))
        for key, decision in answered.items():
            self._cache.put(key, _answer(decision))
        return answered


def _is_certain(request: Request) -> bool:
    return isinstance(request.question, Choice) and len(request.question.options) == 1


def _answer(decision: Decision) -> Answer:
    return Answer(decision.probabilities, decision.model)
