import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import Weights

from thumbindex.decision.base import Limits
from thumbindex.errors import RequestTooLongError
from thumbindex.search.menus import Menu, Option, choose

odds = st.lists(st.integers(1, 10**6), min_size=1, max_size=60, unique=True)


def menu(values):
    return Menu("Sections", "Which?", {f"s{n}": Option(f"Option {n}", f"text {v}") for n, v in enumerate(values, 1)})


def chosen(values, model):
    return choose("?", [menu(values)], model)[0]


@given(odds, st.integers(2, 9))
def test_a_menu_split_by_the_model_s_limits_has_the_winner_of_the_whole(values, most):
    split = chosen(values, Weights(Limits(max_options=most)))
    whole = chosen(values, Weights())
    assert max(split.probabilities, key=split.probabilities.get) == max(
        whole.probabilities, key=whole.probabilities.get
    )


@given(odds, st.integers(3, 9))
def test_a_menu_refused_as_too_long_is_halved_and_has_the_same_winner(values, most):
    split = chosen(values, Weights(most_options=most))
    assert max(split.probabilities, key=split.probabilities.get) == f"s{values.index(max(values)) + 1}"


@given(odds, st.integers(2, 9))
def test_probabilities_are_over_all_options_in_their_order_and_sum_to_one(values, most):
    found = chosen(values, Weights(Limits(max_options=most))).probabilities
    assert list(found) == [f"s{n}" for n in range(1, len(values) + 1)]
    assert sum(found.values()) == pytest.approx(1)


def test_no_request_holds_more_options_than_the_model_takes():
    model = Weights(Limits(max_options=255))
    chosen(range(1, 1001), model)
    assert max(len(request.question.options) for request in model.asked) <= 255


def test_no_request_holds_more_tokens_than_the_model_takes():
    model = Weights(Limits(max_tokens=2000))
    texts = {f"p{n}": Option(f"page {n}", f"{n} " + "word " * 1500) for n in range(1, 9)}
    choose("?", [Menu("Pages", "Which?", texts)], model)
    assert all(sum(len(t) for t in request.question.options.values()) < 2000 * 4 for request in model.asked)


def test_one_option_is_certain_and_costs_nothing():
    model = Weights()
    assert chosen([7], model).probabilities == {"s1": 1}
    assert model.asked == []


def test_menus_of_a_level_are_asked_together_and_answered_in_order():
    first, second = choose("?", [menu([1, 9]), menu([9, 1])], Weights())
    assert max(first.probabilities, key=first.probabilities.get) == "s2"
    assert max(second.probabilities, key=second.probabilities.get) == "s1"


def test_a_model_that_refuses_everything_is_an_error():
    with pytest.raises(RequestTooLongError):
        chosen([1, 2, 3], Weights(most_options=1))
