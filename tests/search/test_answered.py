"""What says whether a document answers at all."""

import numpy as np
import pytest
from samples import Weights, document, tree

from thumbindex.decision.registry import load_model
from thumbindex.search import DocumentTerms, SearchOptions, find
from thumbindex.search.answered import ANSWER_FEATURES, answer_features, answer_probability
from thumbindex.search.inquiry import Inquiry

DOCUMENT = document(["Leave", "Northwind gives 25 days of paid leave."], ["Meals", "Lunch costs 1 euro in 2024."])
TREE = tree(("Leave", 1, 1), ("Meals", 2, 2))
TERMS = DocumentTerms.from_document(DOCUMENT, TREE)


def features(question, chosen, checks):
    found = answer_features(Inquiry(question, DOCUMENT, TREE, TERMS, Weights()), chosen, checks)
    return dict(zip(ANSWER_FEATURES, found.tolist(), strict=True))


def test_the_best_checks_and_the_lead_of_the_choice_are_weighed():
    found = features("paid leave", {1: 0.8, 2: 0.2}, {1: 0.9, 2: 0.5})
    assert found["best"] == pytest.approx(np.log(9))
    assert found["second"] == pytest.approx(0)
    assert found["third"] < -10
    assert found["margin"] == pytest.approx(np.log(4))


def test_names_and_figures_that_occur_nowhere_are_seen():
    found = features("How many days does Southwind give in 2031?", {1: 0.8, 2: 0.2}, {1: 0.9, 2: 0.5})
    assert (found["missing_names"], found["missing_figures"]) == (1, 1)
    assert features("How many days does Northwind give?", {1: 1.0}, {1: 0.9})["missing_names"] == 0


def test_what_the_best_page_lacks_counts_though_another_page_has_it():
    found = features("What leave does Northwind give in 2024?", {1: 0.8, 2: 0.2}, {1: 0.9, 2: 0.1})
    assert found["missing_figures"] == 0
    assert found["page_missing_specific"] == pytest.approx(1 / 2)


def test_a_model_that_was_not_measured_answers_as_its_best_check_does():
    assert answer_probability(np.zeros(len(ANSWER_FEATURES)), "weights-1") is None
    pages = document(["1 no"], ["2 answer"])
    finding = find("where?", pages, tree(("A", 1, 1), ("B", 2, 2)), Weights(), SearchOptions(strategy="flat"))
    assert (finding.answered, finding.answer_probability) == (True, pytest.approx(0.9))


@pytest.mark.parametrize("model", ["embedded", "lexical"])
def test_the_models_of_the_package_are_measured(model):
    probability = answer_probability(np.zeros(len(ANSWER_FEATURES)), load_model(model).name)
    assert probability == pytest.approx(0.5)


@pytest.mark.parametrize("model", ["embedded", "lexical"])
def test_an_answer_is_more_probable_where_there_is_one(model):
    deciding = load_model(model)
    asked = "How many days of paid leave does Northwind give?", "What was Southwind's revenue in 2031?"
    there, not_there = (find(question, DOCUMENT, TREE, deciding).answer_probability for question in asked)
    assert there > not_there
