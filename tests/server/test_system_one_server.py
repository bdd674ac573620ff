"""Our System One server as its clients meet it: over HTTP on loopback."""

from __future__ import annotations

import gzip
import http.client
import json
from pathlib import Path
from threading import Event

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from samples import Weights
from servers import require_system_one, shelf_server, system_one_server

import thumbindex
from thumbindex.decision.base import Choice, Limits, Noul, Request
from thumbindex.decision.batch import Decider
from thumbindex.decision.kept import DiskCache
from thumbindex.decision.registry import load_model
from thumbindex.decision.system_one import SystemOneModel
from thumbindex.endpoints import Endpoint
from thumbindex.errors import (
    BackendBusyError,
    BackendRefusedError,
    BackendUnavailableError,
    InvalidDistributionError,
    RequestRefusedError,
    RequestTooLongError,
)

require_system_one()
from typesafe_sdk import Choice as SDKChoice  # noqa: E402
from typesafe_sdk import Noul as SDKNoul  # noqa: E402
from typesafe_sdk import TypeSafeAuthenticationError, TypeSafeClient  # noqa: E402

from thumbindex.server.answering import Served, Shelf  # noqa: E402

HANDBOOK = Path(__file__).parents[2] / "examples" / "handbook.pdf"
NOUL = {"type": "noul", "instructions": "Is it about leave?"}
BODY = {"model": "jev-latest", "state": "25 days of leave", "questions": {"q": NOUL}}


@pytest.fixture(scope="module")
def url():
    with system_one_server() as url:
        yield url


def call(url, path="/v1/systemone", body=None, method="POST", headers=()):
    """Status, headers, and JSON of one exchange."""
    connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=60)
    try:
        sent = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        connection.request(method, path, sent, dict(headers))
        response = connection.getresponse()
        return response.status, response.headers, json.loads(response.read())
    finally:
        connection.close()


def ask(url, **question):
    status, _, answer = call(
        url, body={"model": "jev-latest", "state": {"question": "leave?"}, "questions": {"q": question}}
    )
    assert status == 200, answer
    return answer["answers"]["q"]


@pytest.mark.parametrize(("keys", "key", "shoulds"), [((), None, 13), (("sk-1", "sk-2"), "sk-2", 15)])
def test_it_conforms(keys, key, shoulds):
    runner = pytest.importorskip("jevcompat.runner")
    with system_one_server(keys=keys) as url:
        report = runner.run(url, key=key, model="jev-latest", timeout=120.0, sdk=True, progress=lambda name: None)
    assert report.verdict == "conformant"
    assert report.count("MUST", "fail") == 0
    assert report.count("SHOULD", "pass") >= shoulds


def test_the_real_client_searches_a_document_s_pages_with_only_its_environment_set(url, monkeypatch):
    monkeypatch.setenv("TYPESAFE_BASE_URL", url)
    monkeypatch.setenv("TYPESAFE_API_KEY", "any")
    pages = thumbindex.open(HANDBOOK, cache=False).pages
    with TypeSafeClient() as client:
        r = client.system_one(
            state={"question": "How many vacation days do new employees get?"},
            questions={
                "page": SDKChoice(
                    instructions="Which page contains the answer?",
                    criteria={f"p{page.number}": page.text for page in pages},
                ),
                "answers": SDKNoul(instructions={"instructions": "Does it answer?", "text": pages[6].text}),
            },
        )
        listed = [model.name for model in client.models.list().models]
    assert r.answers["page"].choice == "p7"
    assert set(r.answers["page"].probabilities) == {f"p{page.number}" for page in pages}
    assert r.model == "lexical-1"
    assert r.usage.input_tokens > 0
    assert listed == ["jev-latest", "lexical"]


def test_the_real_client_may_compress(url):
    with TypeSafeClient(api_key="any", base_url=url, compression="zstd") as client:
        options = {f"p{n}": f"page {n}: " + "words " * 50 for n in range(60)} | {"leave": "25 days of paid leave"}
        r = client.system_one("How much paid leave?", {"page": SDKChoice(criteria=options)})
    assert r.answers["page"].choice == "leave"


def test_a_key_is_asked_for_and_any_of_those_set_will_do():
    with system_one_server(keys=["sk-one", "sk-two"]) as url:
        for key in ("sk-one", "sk-two"):
            with TypeSafeClient(api_key=key, base_url=url) as client:
                assert client.models.list().models
        with TypeSafeClient(api_key="sk-three", base_url=url) as client, pytest.raises(TypeSafeAuthenticationError):
            client.system_one("x", {"q": SDKNoul(instructions="?")})
        for headers in ({}, {"Authorization": "sk-one"}, {"Authorization": "Basic sk-one"}):
            for path, method in (("/v1/systemone", "POST"), ("/v1/models", "GET")):
                status, _, body = call(url, path, BODY, method, headers)
                assert (status, body["detail"]["error_type"]) == (401, "authentication_error")
                assert "sk-" not in json.dumps(body)


def test_models_go_by_the_name_they_were_started_by_and_their_own(url):
    for name in ("jev-latest", "lexical", "lexical-1"):
        assert call(url, body=BODY | {"model": name})[0] == 200
    status, _, body = call(url, body=BODY | {"model": "gpt-9"})
    assert (status, body["detail"]["error_type"]) == (404, "not_found")
    assert "GET /v1/models" in body["detail"]["message"]


def test_several_models_are_served_and_the_first_is_the_default():
    other = Served("weights", Weights(name="weights-1"))
    with shelf_server(Shelf([other, Served("lexical", load_model("lexical"))])) as url:
        asked = {
            "model": "jev-latest",
            "state": "x",
            "questions": {"q": {"type": "choice", "criteria": {"a": "1", "b": "3"}}},
        }
        assert call(url, body=asked)[2]["model"] == "weights-1"
        assert call(url, body=asked | {"model": "lexical"})[2]["model"] == "lexical-1"
        assert [m["name"] for m in call(url, "/v1/models", method="GET")[2]["models"]] == [
            "jev-latest",
            "weights",
            "lexical",
        ]


def test_answers_are_those_of_the_model(url):
    model = load_model("lexical")
    texts = {"p1": "25 days of leave", "p2": "meals"}
    (choice,) = model.decide([Request({"question": "leave?"}, Choice(texts))])
    assert ask(url, type="choice", criteria=texts)["probabilities"] == pytest.approx(dict(choice.probabilities))
    (noul,) = model.decide([Request({"question": "leave?", "text": texts["p1"]}, Noul("Does it?"))])
    brought = ask(url, type="noul", instructions={"instructions": "Does it?", "text": texts["p1"]})
    assert brought["noul"] == pytest.approx(noul.probability)


def test_the_name_of_an_option_is_read_where_it_says_something(url):
    assert ask(url, type="choice", criteria={"Meals": None, "Paid leave": None})["choice"] == "Paid leave"
    assert ask(url, type="choice", criteria={"Meals": "what we owe", "Leave": "what we owe"})["choice"] == "Leave"
    opaque = ask(url, type="choice", criteria={"p1": "the same text", "p2": "the same text"})
    assert opaque["probabilities"]["p1"] == pytest.approx(0.5)


def test_a_choice_that_is_too_long_for_the_model_is_asked_in_parts():
    narrow = Weights(limits=Limits(max_options=10))
    with shelf_server(Shelf([Served("narrow", narrow)])) as url:
        answer = ask(url, type="choice", criteria={f"k{n}": f"weight {n}" for n in range(1, 101)})
    assert answer["choice"] == "k100"
    assert sum(answer["probabilities"].values()) == pytest.approx(1)
    assert max(len(request.question.options) for request in narrow.asked) <= 10


BAD = {
    "nothing": b"",
    "no JSON": b"{",
    "no UTF-8": b'{"model": "\xff"}',
    "an array": [],
    "NaN": b'{"model": "jev-latest", "state": NaN, "questions": {}}',
    "deep": b'{"state":' + b"[" * 200_000,
    "no state": {k: v for k, v in BODY.items() if k != "state"},
    "state is a number": BODY | {"state": 3},
    "model is a number": BODY | {"model": 3},
    "questions is a list": BODY | {"questions": [NOUL]},
    "no questions": BODY | {"questions": {}},
    "question is a string": BODY | {"questions": {"q": "leave?"}},
    "unknown type": BODY | {"questions": {"q": {"type": "box", "instructions": "?"}}},
    "type is a list": BODY | {"questions": {"q": {"type": ["noul"]}}},
    "noul of nothing": BODY | {"questions": {"q": {"type": "noul"}}},
    "noul with a third way": BODY | {"questions": {"q": NOUL | {"criteria": {"maybe": "?"}}}},
    "options are a list": BODY | {"questions": {"q": {"type": "choice", "criteria": ["a", "b"]}}},
    "256 options": BODY | {"questions": {"q": {"type": "choice", "criteria": {f"o{n}": None for n in range(256)}}}},
    "an option is a number": BODY | {"questions": {"q": {"type": "choice", "criteria": {"a": 1}}}},
    "one level": BODY | {"questions": {"q": {"type": "score", "criteria": ["low"]}}},
    "a level is null": BODY | {"questions": {"q": {"type": "score", "criteria": ["low", None]}}},
    "a picture": BODY | {"assets": {"a": {"type": "image"}}},
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_body_says_where_and_what(url, name):
    status, headers, body = call(url, body=BAD[name])
    assert status == 422
    assert headers["content-type"] == "application/json"
    for error in body["detail"]:
        assert error["loc"][0] == "body"
        assert error["msg"]
        assert error["type"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)
QUESTION = st.fixed_dictionaries(
    {"type": st.sampled_from(["noul", "choice", "score"]) | JSON},
    optional={"instructions": JSON, "criteria": JSON | st.lists(st.text(), max_size=12)},
)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.dictionaries(st.text(max_size=5), QUESTION | JSON, max_size=3) | JSON, JSON)
def test_no_body_whatever_gets_a_5xx(url, questions, state):
    status, _, _ = call(url, body={"model": "jev-latest", "state": state, "questions": questions})
    assert status in {200, 422}


def test_half_a_surrogate_pair_is_read_and_its_name_comes_back(url):
    question = {"type": "choice", "criteria": {"\udc00": "leave", "b": None}}
    body = BODY | {"state": "\ud83d leave", "questions": {"\ud83d": question}}
    status, _, answer = call(url, body=body)
    assert status == 200
    assert set(answer["answers"]["\ud83d"]["probabilities"]) == {"\udc00", "b"}


@pytest.mark.parametrize(
    ("path", "method", "status"),
    [("/", "GET", 404), ("/v1/nothing", "POST", 404), ("/v1/systemone", "GET", 405), ("/v1/models", "POST", 405)],
)
def test_another_route_is_a_clear_error(url, path, method, status):
    got, _, body = call(url, path, BODY, method)
    assert got == status
    assert body["detail"]["message"]


def test_compressed_bodies_are_read(url):
    zstd = pytest.importorskip("backports.zstd")
    plain = json.dumps(BODY).encode()
    for encoding, body in (("zstd", zstd.compress(plain)), ("gzip", gzip.compress(plain)), ("identity", plain)):
        assert call(url, body=body, headers={"Content-Encoding": encoding})[0] == 200


@pytest.mark.parametrize(("encoding", "status"), [("zstd", 400), ("gzip", 400), ("br", 415)])
def test_bodies_that_cannot_be_decompressed_are_clear_errors(url, encoding, status):
    got, _, body = call(url, body=b"not compressed at all", headers={"Content-Encoding": encoding})
    assert got == status
    assert encoding in body["detail"]["message"]


def test_a_truncated_body_is_a_clear_error(url):
    zstd = pytest.importorskip("backports.zstd")
    for encoding, body in (("zstd", zstd.compress(b"x" * 5000)[:-4]), ("gzip", gzip.compress(b"x" * 5000)[:-9])):
        assert call(url, body=body, headers={"Content-Encoding": encoding})[0] == 400


def test_a_body_is_bounded_also_after_decompression():
    zstd = pytest.importorskip("backports.zstd")
    with system_one_server(max_body_bytes=10_000) as url:
        long = b" " * 5_000_000 + json.dumps(BODY).encode()
        for encoding, body in (("identity", long), ("zstd", zstd.compress(long)), ("gzip", gzip.compress(long))):
            status, _, answer = call(url, body=body, headers={"Content-Encoding": encoding})
            assert (status, answer["detail"]["error_type"]) == (413, "request_too_large")


def test_a_client_that_does_not_send_its_body_is_not_waited_for():
    with system_one_server(body_timeout_s=0.05) as url:
        connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=60)
        connection.putrequest("POST", "/v1/systemone")
        connection.putheader("Content-Length", "100")
        connection.endheaders()
        assert connection.getresponse().status == 408
        connection.close()


class Failing(Weights):
    """Fails as it is told."""

    error: Exception

    def decide(self, requests):
        raise self.error


@pytest.mark.parametrize(
    ("error", "status"),
    [
        (RequestTooLongError("too long"), 413),
        (RequestRefusedError("not this"), 400),
        (BackendBusyError("busy", 7.0), 429),
        (BackendUnavailableError("down"), 529),
        (BackendRefusedError("no such model there"), 502),
        (InvalidDistributionError("nonsense"), 502),
    ],
)
def test_the_failure_of_a_backend_is_said_in_the_protocol_s_words(error, status):
    failing = Failing()
    failing.error = error
    with shelf_server(Shelf([Served("failing", failing)])) as url:
        got, headers, body = call(url, body=BODY)
    assert got == status
    assert body["detail"]["message"] == str(error)
    assert headers["retry-after"] == ("7" if status == 429 else None)


@pytest.mark.parametrize(("error", "status"), [(RequestRefusedError("not this"), 400), (RequestTooLongError("x"), 413)])
def test_what_a_server_behind_this_one_refuses_the_client_hears(error, status):
    failing = Failing()
    failing.error = error
    with shelf_server(Shelf([Served("failing", failing)])) as behind:
        model = load_model(f"systemone:{behind}#failing", keep_answers=False)
        unknown = load_model(f"systemone:{behind}#gone", keep_answers=False)
        with shelf_server(Shelf([Served("refused", model), Served("unknown", unknown)])) as url:
            got, _, body = call(url, body=BODY)
            assert (got, str(error) in body["detail"]["message"]) == (status, True)
            # That there is no such model is the fault of who started the server.
            assert call(url, body=BODY | {"model": "unknown"})[0] == 502


def test_a_server_whose_memory_breaks_goes_on_without(tmp_path, caplog):
    with system_one_server() as behind:
        model = Decider(
            SystemOneModel.from_endpoint(Endpoint(behind, "lexical")), cache=DiskCache(tmp_path / "a.sqlite")
        )
        with shelf_server(Shelf([Served("remembering", model)])) as url:
            first = call(url, body=BODY)[2]
            again = call(url, body=BODY)[2]
            assert again["answers"] == first["answers"]
            # What was asked before costs nothing, and that is what `usage` says.
            assert first["usage"]["input_tokens"] > again["usage"]["input_tokens"] == 0
            for kept in tmp_path.iterdir():
                kept.write_bytes(b"another program wrote this " * 400)
            for _ in range(2):
                status, _, answer = call(url, body=BODY)
                assert (status, answer["answers"]) == (200, first["answers"])
    assert sum("cannot keep answers" in record.message for record in caplog.records) == 1


def test_more_than_may_wait_are_told_to_come_again():
    entered, release = Event(), Event()

    class Slow(Weights):
        def decide(self, requests):
            entered.set()
            release.wait()
            return load_model("lexical").decide(requests)

    with shelf_server(Shelf([Served("slow", Slow())]), at_once=1, waiting=0) as url:
        connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=60)
        connection.request("POST", "/v1/systemone", json.dumps(BODY))
        entered.wait()
        status, headers, _ = call(url, body=BODY)
        release.set()
        assert connection.getresponse().status == 200
        connection.close()
    assert (status, headers["retry-after"]) == (429, "1")
