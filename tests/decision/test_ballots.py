"""How a question is put to a chat model, and how its answer is read."""

from math import log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thumbindex.decision.ballots import Ballot, averaged, ballots, tempered
from thumbindex.decision.base import Choice, Noul, Request, Score

STATE = {"question": "How many days?", "text": "25 days"}
CHOICE = Request(STATE, Choice({"p1": "Leave", "p2": "Meals", "p3": "Badges"}, "Which page?"))
NOUL = Request(STATE, Noul("Does it say?", when_true="it names a number", when_false="it does not"))
SCORE = Request("a plain state", Score(("low", "high"), "How much?"))


def logprobs(**tokens):
    return [(token.replace("_", " "), log(p)) for token, p in tokens.items()]


def test_options_are_lettered_in_their_order_and_in_the_opposite_one():
    first, second = ballots(CHOICE, 2)
    assert first.messages()[1][1].endswith("A. Leave\nB. Meals\nC. Badges\n\nAnswer with A, B or C only.")
    assert second.messages()[1][1].endswith("A. Badges\nB. Meals\nC. Leave\n\nAnswer with A, B or C only.")
    assert ballots(CHOICE, 1) == [first]


def test_the_state_and_the_instructions_are_shown_and_keys_are_not():
    shown = ballots(CHOICE, 1)[0].messages()[1][1]
    assert shown.startswith("Question: How many days?\n\nText: 25 days\n\nWhich page?\n\n")
    assert "p1" not in shown
    assert ballots(SCORE, 1)[0].messages()[1][1].startswith("a plain state\n\nHow much?\n\nA. low\nB. high")


def test_a_noul_is_yes_or_no_and_no_or_yes():
    first, second = ballots(NOUL, 2)
    assert "Yes means: it names a number\n\nNo means: it does not" in first.messages()[1][1]
    assert first.messages()[1][1].endswith("Answer with Yes or No only.")
    assert second.messages()[1][1].endswith("Answer with No or Yes only.")
    assert second.from_logprobs(logprobs(Yes=0.8, No=0.2)) == pytest.approx({"false": 0.2, "true": 0.8})


def test_tokens_of_one_label_are_added_up_and_words_are_not_letters():
    (ballot,) = ballots(CHOICE, 1)
    read = ballot.from_logprobs(logprobs(A=0.3, _A=0.1, B=0.2, _C=0.2, a=0.1, The=0.1))
    assert read == pytest.approx({"p1": 0.5, "p2": 0.25, "p3": 0.25})
    (noul,) = ballots(NOUL, 1)
    assert noul.from_logprobs(logprobs(Yes=0.2, yes=0.2, YES=0.2, No=0.2)) == pytest.approx(
        {"true": 0.75, "false": 0.25}
    )


def test_labels_that_are_not_there_share_what_is_left_but_get_no_more_than_the_least_that_is():
    (ballot,) = ballots(CHOICE, 1)
    assert ballot.from_logprobs(logprobs(A=0.8, The=0.1)) == pytest.approx({"p1": 8 / 9, "p2": 0.5 / 9, "p3": 0.5 / 9})
    assert ballot.from_logprobs(logprobs(A=0.6, B=0.02)) == pytest.approx({"p1": 30 / 32, "p2": 1 / 32, "p3": 1 / 32})
    assert ballot.from_logprobs(logprobs(A=1.0))["p2"] > 0


def test_an_answer_that_is_hardly_a_label_is_none():
    (ballot,) = ballots(CHOICE, 1)
    assert ballot.from_logprobs(logprobs(The=0.999, A=0.0001)) is None


@pytest.mark.parametrize(
    ("text", "probabilities"),
    [
        ('{"A": 0.5, "B": 0.25, "C": 0.25}', {"p1": 0.5, "p2": 0.25, "p3": 0.25}),
        ('Sure:\n```json\n{"A": 50, "B": 25, "C": 25}\n```', {"p1": 0.5, "p2": 0.25, "p3": 0.25}),
        ('{"A": 1, "B": 0, "C": 0}', {"p1": 1, "p2": 0, "p3": 0}),
        ('{"A": 0.5, "B": 0.5}', None),
        ('{"A": 0.5, "B": 0.25, "C": 0.25, "D": 0}', None),
        ('{"A": -1, "B": 1, "C": 1}', None),
        ('{"A": 0, "B": 0, "C": 0}', None),
        ('{"A": "0.5", "B": 0.25, "C": 0.25}', None),
        ('{"A": true, "B": 0.25, "C": 0.25}', None),
        ('{"A": NaN, "B": 0.25, "C": 0.25}', None),
        ('{"A": 1e999, "B": 0.25, "C": 0.25}', None),
        ("[0.5, 0.25, 0.25]", None),
        ("A", None),
        ("", None),
        ('} {"A"', None),
    ],
)
def test_json_is_read_where_it_is_a_distribution(text, probabilities):
    read = ballots(CHOICE, 1)[0].from_json(text)
    assert read == (probabilities and pytest.approx(probabilities))


def test_json_is_asked_for_by_label():
    assert '{"A": …, "B": …, "C": …}' in ballots(CHOICE, 1)[0].json_messages()[1][1]
    assert '{"No": …, "Yes": …}' in ballots(NOUL, 2)[1].json_messages()[1][1]


def test_what_one_order_favours_the_other_takes_back():
    first, second = ballots(CHOICE, 2)
    favours_what_stands_first = logprobs(A=0.6, B=0.2, C=0.2)
    both = [ballot.from_logprobs(favours_what_stands_first) for ballot in (first, second)]
    assert averaged(both) == pytest.approx({"p1": 0.4, "p2": 0.2, "p3": 0.4})


@given(st.floats(0.2, 5))
def test_a_temperature_keeps_the_order_and_moves_how_sure_it_is(temperature):
    cooled = tempered({"a": 0.7, "b": 0.2, "c": 0.1}, temperature)
    assert sum(cooled.values()) == pytest.approx(1)
    assert cooled["a"] >= cooled["b"] >= cooled["c"]
    assert (cooled["a"] > 0.7) == (temperature < 1) or temperature == pytest.approx(1)


def test_a_ballot_reads_what_it_shows():
    for ballot in (*ballots(CHOICE, 2), *ballots(NOUL, 2), *ballots(SCORE, 2)):
        assert isinstance(ballot, Ballot)
        assert set(ballot.keys) == set(ballot.request.question.keys)
        assert len(ballot.labels) == len(ballot.keys)
