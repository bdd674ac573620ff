"""The System One backend: the official client against the reference server, sound and with each of its faults."""

from __future__ import annotations

import json
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from servers import require_system_one

from thumbindex.decision.base import Choice, Noul, Request, Score
from thumbindex.decision.batch import Decider, RetryPolicy
from thumbindex.decision.registry import load_model
from thumbindex.decision.settings import ModelSettings, Settings
from thumbindex.errors import (
    BackendBusyError,
    BackendRefusedError,
    BackendUnavailableError,
    DecisionError,
    InvalidDistributionError,
    MissingKeyError,
    RequestRefusedError,
    RequestTooLongError,
)

require_system_one()
mock = pytest.importorskip("jevcompat.mock")

QUESTION = {"question": "How many days?"}
REQUESTS = [
    Request(QUESTION, Choice({"P1": "Paid leave", "Ключ e\u0301": "Meals", "é": "Badges"}, "Which?")),
    Request(QUESTION | {"text": "25 days"}, Noul("Does the text answer?")),
    Request(QUESTION | {"text": "a badge"}, Noul("Does the text answer?", when_true="a number of days")),
    Request(QUESTION | {"text": "25 days"}, Score(("no", "partly", "yes"), "How well?")),
]
NO_WAIT = RetryPolicy(first_wait_s=0)

# What is not here is answered, and right: it breaks what is not asked for, or what the answer is not read from.
REFUSED = {
    "wrong-route": BackendRefusedError,
    "xssi-200": InvalidDistributionError,
    "auth-rejects-header": BackendRefusedError,
    "auth-x-api-key": BackendRefusedError,
    "auth-plain": BackendRefusedError,
    "auth-invalid-403-text": BackendRefusedError,
    "reject-jev-latest": BackendRefusedError,
    "first-question-only": InvalidDistributionError,
    "nfd-keys": InvalidDistributionError,
    "string-only-text": BackendRefusedError,
    "noul-two-sided": BackendRefusedError,
    "no-usage": InvalidDistributionError,
    "float-usage": InvalidDistributionError,
    "boolean-type": InvalidDistributionError,
    "noul-range": InvalidDistributionError,
    "choice-no-confidence": InvalidDistributionError,
    "choice-key-case": InvalidDistributionError,
    "choice-sum": InvalidDistributionError,
    "choice-second": InvalidDistributionError,
    "score-no-legend": InvalidDistributionError,
    "score-keys-1-based": InvalidDistributionError,
    "score-sum": InvalidDistributionError,
}
# These change what the model says, not how: any distribution may come.
LEAKS = {"id-leaks", "batch-leaks", "order-leaks"}


@pytest.fixture(autouse=True)
def key(monkeypatch):
    monkeypatch.setenv("TYPESAFE_API_KEY", "sk-ours-7f3a")


def decider(url, settings=None, name="jev-latest"):
    full = f"systemone:{url}#{name}"
    loaded = load_model(full, settings=Settings(models={full: settings or ModelSettings()}), keep_answers=False)
    return Decider(loaded.model, retries=NO_WAIT)


def answers(config):
    with mock.Running(config) as running:
        return [dict(decision.probabilities) for decision in decider(running.url).decide(REQUESTS)]


@pytest.fixture(scope="module")
def right():
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TYPESAFE_API_KEY", "sk-ours-7f3a")
        return answers(mock.MockConfig())


@pytest.mark.parametrize("fault", sorted(mock.FAULTS))
def test_a_fault_gives_a_named_error_or_the_right_answer(fault, right):
    key = "sk-theirs-19cc" if fault.startswith("auth-") and fault != "auth-rejects-header" else None
    config = mock.MockConfig(key=key, faults=frozenset({fault}))
    if fault in REFUSED:
        with pytest.raises(REFUSED[fault]) as caught:
            answers(config)
        assert "sk-" not in str(caught.value)
        assert "\n" not in str(caught.value)
    else:
        got = answers(config)
        assert fault in LEAKS or got == right


def test_a_menu_too_long_for_the_server_says_so_that_it_can_be_split():
    with (
        mock.Running(mock.MockConfig(faults=frozenset({"cap-64"}))) as running,
        pytest.raises(RequestTooLongError, match="at most 64"),
    ):
        decider(running.url).decide([Request(QUESTION, Choice({f"p{n}": "" for n in range(65)}))])


def test_questions_about_one_state_share_a_request():
    with mock.Running() as running:
        model = decider(running.url)
        model.decide(REQUESTS)
        assert running.server.RequestHandlerClass.cfg.requests == model.usage.requests == 1


def test_checks_of_many_texts_go_in_requests_of_sixteen():
    checks = [Request(QUESTION | {"text": f"page {n}"}, Noul("Does the text answer?")) for n in range(40)]
    with mock.Running() as running:
        model = decider(running.url)
        model.decide(checks)
        assert model.usage.requests == 3
        assert model.forecast(checks).requests == 3
        alone = decider(running.url, ModelSettings(questions_per_request=1))
        alone.decide(checks)
        assert alone.usage.requests == 40


def test_a_busy_server_is_asked_again_until_it_answers(right):
    with mock.Running(mock.MockConfig(busy_every=2)) as running:
        model = decider(running.url, ModelSettings(questions_per_request=1))
        checks = [Request(QUESTION | {"text": f"page {n}"}, Noul("Does the text answer?")) for n in range(30)]
        assert len(model.decide(checks)) == 30
        assert model.usage.requests == 30


@contextmanager
def canned(status, body=b"{}", headers=()):
    """A server that gives one answer to everything, and the requests it got."""
    got = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            got.append((self.headers, self.rfile.read(int(self.headers["content-length"]))))
            self.send_response(status)
            for name, value in headers:
                self.send_header(name, value)
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", got
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@pytest.mark.parametrize("status", [429, 529])
def test_a_wait_is_as_long_as_the_server_says(status):
    waits = []
    with canned(status, headers=[("retry-after", "7")]) as (url, got):
        model = Decider(decider(url).model, sleep=waits.append)
        with pytest.raises(BackendBusyError):
            model.decide(REQUESTS[:1])
    assert len(got) == RetryPolicy().busy_attempts
    assert set(waits) == {7.0}


def test_a_wait_that_is_too_long_is_an_error_at_once():
    waits = []
    with canned(429, headers=[("retry-after", "86400")]) as (url, got):
        model = Decider(decider(url).model, sleep=waits.append)
        with pytest.raises(BackendBusyError, match="is busy"):
            model.decide(REQUESTS[:1])
    assert (len(got), waits) == (1, [])


@pytest.mark.parametrize(
    ("status", "error", "asked"),
    [
        (500, BackendUnavailableError, 4),
        (503, BackendUnavailableError, 4),
        (401, BackendRefusedError, 1),
        (404, BackendRefusedError, 1),
        (413, RequestTooLongError, 1),
        (400, RequestRefusedError, 1),
        (422, RequestRefusedError, 1),
    ],
)
def test_what_another_attempt_may_mend_is_asked_again_and_nothing_else(status, error, asked):
    with canned(status) as (url, got), pytest.raises(error) as caught:
        decider(url).decide(REQUESTS[:1])
    assert (type(caught.value), len(got)) == (error, asked)


def test_a_server_that_is_not_there_is_one_clear_error():
    with pytest.raises(BackendUnavailableError, match=r"^jev-latest at http://127\.0\.0\.1:9 cannot be reached$"):
        decider("http://127.0.0.1:9").decide(REQUESTS[:1])


def test_what_a_server_says_is_repeated_without_the_key():
    echo = json.dumps({"detail": {"error_type": "x", "message": "no such key: sk-ours-7f3a\nat all"}}).encode()
    with canned(400, echo) as (url, _), pytest.raises(DecisionError) as caught:
        decider(url).decide(REQUESTS[:1])
    assert "no such key: *** at all" in str(caught.value)
    assert caught.value.__cause__ is None


def test_the_wire_holds_the_protocol_s_form():
    with canned(500) as (url, got), pytest.raises(BackendUnavailableError):
        decider(url + "/v1", name="jev-1.13.0").decide(REQUESTS)
    headers, body = got[0]
    assert headers["authorization"] == "Bearer sk-ours-7f3a"
    sent = json.loads(body)
    assert (sent["model"], sent["state"]) == ("jev-1.13.0", QUESTION)
    assert sent["questions"]["q0"] == {
        "type": "choice",
        "instructions": "Which?",
        "criteria": dict(REQUESTS[0].question.options),
    }
    assert sent["questions"]["q2"] == {
        "type": "noul",
        "instructions": {"instructions": "Does the text answer?", "text": "a badge"},
        "criteria": {"true": "a number of days"},
    }


def test_a_server_of_one_s_own_needs_no_key_and_typesafe_s_does(monkeypatch):
    monkeypatch.delenv("TYPESAFE_API_KEY")
    with mock.Running() as running:
        assert decider(running.url).decide(REQUESTS[:1])
    with pytest.raises(MissingKeyError, match="set TYPESAFE_API_KEY"):
        load_model("typesafe:jev-1.13.0", keep_answers=False)


def test_another_server_for_typesafe_s_client_keeps_answers_of_its_own(monkeypatch):
    cloud = load_model("typesafe:jev-1.13.0", keep_answers=False).model
    with mock.Running() as running:
        monkeypatch.setenv("TYPESAFE_BASE_URL", running.url)
        monkeypatch.delenv("TYPESAFE_API_KEY")
        own = load_model("typesafe:jev-1.13.0", keep_answers=False)
        assert own.decide(REQUESTS[:1])
        assert own.model.identity != cloud.identity


def test_a_key_comes_from_the_variable_that_the_settings_name(monkeypatch):
    monkeypatch.setenv("MY_KEY", "sk-mine")
    with canned(500) as (url, got), pytest.raises(BackendUnavailableError):
        decider(url, ModelSettings(api_key_env="MY_KEY")).decide(REQUESTS[:1])
    assert got[0][0]["authorization"] == "Bearer sk-mine"
