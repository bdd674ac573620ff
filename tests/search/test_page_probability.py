import pytest

from thumbindex.search.fitted import fitted
from thumbindex.search.page_probability import PAGE_FEATURES, page_features, page_probabilities

CHOSEN = {1: 0.7, 2: 0.2, 3: 0.1}
CHECKS = {1: 0.5, 2: 0.5}


def test_a_page_has_the_features_that_the_weights_are_for():
    features = page_features(CHOSEN, CHECKS, 0.5)
    assert features.shape == (2, len(PAGE_FEATURES))
    assert features[0, PAGE_FEATURES.index("lead")] > 0 > features[1, PAGE_FEATURES.index("lead")]
    for model in ("lexical-1", "embedded-1"):
        assert set(fitted(model, "pages")) == set(PAGE_FEATURES)


@pytest.mark.parametrize("model", ["lexical-1", "embedded-1"])
def test_a_page_that_leads_the_choice_is_likelier_to_answer_than_one_of_the_same_check(model):
    probabilities = page_probabilities(CHOSEN, CHECKS, 0.5, model)
    assert 0 < probabilities[2] < probabilities[1] < 1
    surer = page_probabilities(CHOSEN, {1: 0.9, 2: 0.5}, 0.5, model)
    assert surer[1] > probabilities[1]
    assert page_probabilities(CHOSEN, CHECKS, 0.9, model)[1] >= probabilities[1]


def test_a_model_that_was_not_measured_says_what_its_check_says():
    assert page_probabilities(CHOSEN, CHECKS, 0.5, "another-1") == CHECKS


@pytest.mark.parametrize(("chosen", "checks"), [({}, CHECKS), (CHOSEN, {})])
def test_a_search_that_ended_early_says_what_it_knows(chosen, checks):
    assert page_probabilities(chosen, checks, 0.5, "embedded-1") == checks


def test_nothing_is_impossible():
    probabilities = page_probabilities({1: 1.0, 2: 0.0}, {1: 1.0, 2: 0.0}, 1.0, "embedded-1")
    assert 0 < probabilities[2] < probabilities[1] < 1
