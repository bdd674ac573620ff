from threading import Event, Thread

import pytest
from samples import Weights

from thumbindex.decision.base import Choice, Request, Usage
from thumbindex.decision.batch import Decider, RetryPolicy
from thumbindex.decision.waiting import Throttle
from thumbindex.errors import (
    BackendRefusedError,
    BackendUnavailableError,
    DecisionError,
    DecisionsCancelledError,
    OptionError,
)


def request(*odds):
    return Request({"question": "?"}, Choice({f"o{n}": f"text {value}" for n, value in enumerate(odds)}))


class Flaky(Weights):
    """Cannot be reached the first `failures` times."""

    failures = 0

    def decide(self, requests):
        if self.failures:
            self.failures -= 1
            raise BackendUnavailableError("down")
        return super().decide(requests)


def test_equal_requests_are_asked_once_and_asking_again_is_free():
    model = Weights()
    decider = Decider(model)
    first = decider.decide([request(1, 3), request(1, 3)])
    again = decider.decide([request(1, 3)])
    assert len(model.asked) == 1
    assert first[0].probabilities == first[1].probabilities == again[0].probabilities
    assert decider.usage.decisions == 1
    assert again[0].usage.decisions == 0


def test_what_cannot_be_reached_is_tried_again_after_growing_waits():
    model, waits = Flaky(), []
    model.failures = 3
    Decider(model, sleep=waits.append, retries=RetryPolicy(attempts=4, first_wait_s=1, factor=2)).decide(
        [request(1, 2)]
    )
    assert waits == [1, 2, 4]


def test_after_the_last_attempt_the_error_is_the_backend_s():
    model = Flaky()
    model.failures = 9
    with pytest.raises(BackendUnavailableError):
        Decider(model, sleep=lambda seconds: None, retries=RetryPolicy(attempts=2)).decide([request(1, 2)])


def test_batches_are_answered_in_order():
    decider = Decider(Weights(), batch_size=2)
    requests = [request(1, n) for n in range(1, 20)]
    answers = [decision.probabilities["o1"] for decision in decider.decide(requests)]
    assert answers == pytest.approx([n / (n + 1) for n in range(1, 20)])


def test_batches_of_nothing_are_refused():
    with pytest.raises(OptionError):
        Decider(Weights(), batch_size=0)


def test_who_waits_to_ask_again_is_let_go_by_a_cancellation():
    waiting = Event()

    class Down(Weights):
        def decide(self, requests):
            waiting.set()
            raise BackendUnavailableError("down")

    decider = Decider(Down(), retries=RetryPolicy(first_wait_s=3600, longest_wait_s=3600))
    failures = []

    def ask():
        try:
            decider.decide([request(1, 2)])
        except DecisionError as error:
            failures.append(type(error))

    asking = Thread(target=ask)
    asking.start()
    waiting.wait()
    decider.cancel()
    asking.join()
    assert failures == [DecisionsCancelledError]


def test_once_a_request_has_failed_for_good_no_more_are_sent():
    class Refusing(Weights):
        identity = "refusing"

        def packs(self, requests):
            return [[position] for position in range(len(requests))]

        def forecast(self, requests):
            return Usage(len(requests))

        def decide(self, requests):
            self.asked += requests
            raise BackendRefusedError("no")

    model = Refusing()
    with pytest.raises(BackendRefusedError):
        Decider(model, throttle=Throttle(1, 1)).decide([request(1, n) for n in range(1, 50)])
    assert len(model.asked) == 1
