"""What every backend of the decision contract keeps. A new backend is one line in MODELS."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thumbindex.decision.base import Choice, Decision, DecisionModel, Noul, Request, Score, checked
from thumbindex.decision.registry import load_model
from thumbindex.errors import InvalidDistributionError, OptionError, UnknownModelError

MODELS = ["embedded", "lexical"]
ORDER_INVARIANT = ["embedded", "lexical"]

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


@pytest.fixture(params=MODELS)
def model(request):
    return load_model(request.param)


def test_it_is_a_decision_model(model):
    assert isinstance(model, DecisionModel)
    assert model.name


def test_answers_have_the_keys_asked_in_their_order_and_sum_to_one(model):
    for request, decision in zip(REQUESTS, model.decide(REQUESTS), strict=True):
        assert tuple(decision.probabilities) == request.question.keys
        assert sum(decision.probabilities.values()) == pytest.approx(1)
        assert decision.model == model.name


def test_a_batch_answers_as_singles_do(model):
    batch = [decision.probabilities for decision in model.decide(REQUESTS)]
    assert batch == [model.decide([request])[0].probabilities for request in REQUESTS]


def test_the_text_that_answers_is_preferred(model):
    choice, yes, no, *_ = model.decide(REQUESTS)
    assert choice.choice == "p1"
    assert yes.probability > no.probability


def test_an_empty_batch_is_answered_with_nothing(model):
    assert model.decide([]) == []


def test_one_option_is_certain(model):
    (decision,) = model.decide([Request(QUESTION, Choice({"only": "text"}))])
    assert decision.probabilities == {"only": 1}
    assert decision.confidence == 1


def test_255_options_of_any_text_are_answered(model):
    options = {f"ключ-{n}": text for n, text in enumerate([*["", "🎉", "資本支出", "word " * 5000], *["x"] * 251])}
    (decision,) = model.decide([Request(QUESTION, Choice(options))])
    assert len(decision.probabilities) == 255


@pytest.mark.parametrize("spec", ORDER_INVARIANT)
@given(st.permutations(list(TEXTS)))
def test_the_order_of_options_changes_nothing(spec, keys):
    model = load_model(spec)
    (decision,) = model.decide([Request(QUESTION, Choice({key: TEXTS[key] for key in keys}))])
    (usual,) = model.decide([REQUESTS[0]])
    assert dict(decision.probabilities) == pytest.approx(dict(usual.probabilities))


def test_an_unknown_model_names_those_there_are():
    with pytest.raises(UnknownModelError, match=r"'gpt-9'.*embedded or lexical"):
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
