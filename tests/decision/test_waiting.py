from email.utils import formatdate
from threading import Event, Thread
from time import time

import pytest

from thumbindex.decision.waiting import RetryPolicy, Throttle, told_wait_s
from thumbindex.errors import BackendBusyError, BackendUnavailableError, OptionError


def finish(throttle, *, busy=False):
    if not busy:
        with throttle.slot():
            return
    with pytest.raises(BackendBusyError), throttle.slot():
        raise BackendBusyError("busy")


def test_it_starts_at_eight_and_grows_by_one_for_each_round_of_answers():
    throttle = Throttle()
    assert throttle.bound == 8
    for _ in range(9):
        finish(throttle)
    assert throttle.bound == 9


def test_it_halves_when_the_server_is_busy_and_never_ends():
    throttle = Throttle()
    bounds = []
    for _ in range(5):
        finish(throttle, busy=True)
        bounds.append(throttle.bound)
    assert bounds == [4, 2, 1, 1, 1]


def test_it_halves_once_for_all_requests_that_were_in_flight():
    throttle = Throttle()
    slots = [throttle.slot() for _ in range(4)]
    for slot in slots:
        slot.__enter__()
    for slot in slots:
        assert not slot.__exit__(BackendBusyError, BackendBusyError("busy"), None)
    assert throttle.bound == 4


def test_it_never_grows_beyond_its_bound():
    throttle = Throttle(first=2, most=3)
    for _ in range(50):
        finish(throttle)
    assert throttle.bound == 3


def test_a_full_one_lets_the_next_in_when_one_ends():
    throttle = Throttle(first=1, most=1)
    entered = Event()
    slot = throttle.slot()
    slot.__enter__()

    def wait():
        with throttle.slot():
            entered.set()

    waiting = Thread(target=wait)
    waiting.start()
    assert not entered.is_set()
    slot.__exit__(None, None, None)
    waiting.join()
    assert entered.is_set()


def test_what_cannot_be_reached_waits_longer_each_time_and_then_fails():
    policy = RetryPolicy(attempts=4, first_wait_s=1, factor=3, longest_wait_s=5)
    assert [policy.wait_s(BackendUnavailableError("down"), n) for n in (1, 2, 3, 4)] == [1, 3, 5, None]


def test_what_is_busy_waits_as_told():
    policy = RetryPolicy(busy_attempts=3, longest_told_wait_s=60)
    assert [policy.wait_s(BackendBusyError("busy", 20), n) for n in (1, 2, 3)] == [20, 20, None]
    assert policy.wait_s(BackendBusyError("busy", 61), 1) is None
    assert policy.wait_s(BackendBusyError("busy"), 1) == policy.first_wait_s


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "3"}, 3.0),
        ({"retry-after": "0"}, 0.0),
        ({"retry-after": "-5"}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": ""}, None),
        ({"retry-after-ms": "1500", "retry-after": "9"}, 1.5),
        ({"retry-after-ms": "soon", "retry-after": "9"}, 9.0),
    ],
)
def test_a_told_wait_is_read_as_servers_write_it(headers, seconds):
    assert told_wait_s(headers) == seconds


def test_a_told_wait_may_be_a_date():
    assert 50 < told_wait_s({"retry-after": formatdate(time() + 60, usegmt=True)}) <= 60


@pytest.mark.parametrize("setting", [{"attempts": 0}, {"busy_attempts": 0}, {"first_wait_s": -1}, {"factor": 0.5}])
def test_a_policy_that_makes_no_sense_is_refused(setting):
    with pytest.raises(OptionError):
        RetryPolicy(**setting)
