"""The search held to the question sets of the examples."""

from pathlib import Path

import pytest

from thumbindex.decision.registry import load_model
from thumbindex.evaluation.metrics import figures
from thumbindex.evaluation.questions import load_questions
from thumbindex.evaluation.runs import evaluate
from thumbindex.library import Library
from thumbindex.search import SearchOptions

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def library():
    return Library()


@pytest.mark.parametrize("model", ["embedded", "lexical"])
@pytest.mark.parametrize(("name", "at_3", "at_10"), [("handbook", 0.8, 0.9), ("annual-report", 0.75, 0.85)])
def test_most_questions_find_their_page_among_the_first(library, name, at_3, at_10, model):
    questions = load_questions(EXAMPLES / f"{name}.questions.jsonl")
    assert len(questions) >= 20
    found = figures(list(evaluate(questions, EXAMPLES, library, load_model(model), SearchOptions())))
    assert found["hit@3"] >= at_3
    assert found["hit@10"] >= at_10
    assert found["section_recall"] >= 0.75
    assert found["section_share"] <= 0.25
    assert found["no_answer_auroc"] > 0.5


def test_the_question_of_the_readme_finds_a_page_that_states_it(library):
    finding = library.open(EXAMPLES / "annual-report.pdf").find(
        "How much did the company spend on capital expenditure in 2025?"
    )
    line = finding.pages[0].lines[0].text
    assert "apital expenditures" in line
    assert "217" in line


HANDBOOK_QUESTION = "How many vacation days do new employees get?"


def test_the_question_of_the_handbook_finds_its_page(library):
    assert library.open(EXAMPLES / "handbook.pdf").find(HANDBOOK_QUESTION).pages[0].page == 7


@pytest.mark.parametrize("model", ["lexical", "embedded"])
def test_the_question_of_the_handbook_finds_its_row(library, model):
    finding = library.open(EXAMPLES / "handbook.pdf").find(HANDBOOK_QUESTION, model=model)
    assert "26 days" in finding.pages[0].lines[0].text
