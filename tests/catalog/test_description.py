from dataclasses import replace
from pathlib import Path

import pytest
from catalog_documents import document
from samples import Weights, tree

from thumbindex.catalog.choosing import NOT_ASKED
from thumbindex.catalog.description import DescriptionTable, choose_by_description, describe
from thumbindex.catalog.store import Store
from thumbindex.decision.base import Choice, Limits
from thumbindex.decision.batch import Decider
from thumbindex.decision.budget import Budget
from thumbindex.decision.lexical import LexicalModel
from thumbindex.tree import NodeSource, Tree


@pytest.fixture
def table(database):
    """Fills descriptions of documents: each of a number of its own."""

    def fill(sentences):
        described = DescriptionTable(database)
        ids = {}
        for sentence in sentences:
            made = document(sentence)
            Store(database).put_document(made, Path("a.pdf"), "reader-1")
            described.put(made.id, sentence, "test")
            ids[made.id] = sentence
        return described, ids

    return fill


def test_a_description_tells_who_what_when_and_what_about():
    pages = ["Annual report", *["Sales of the Grande line grew, with Nova Motors and more."] * 3]
    made = document("a", *pages)
    sentence = describe(made, tree(("Pumps", 1, 2), ("Valves", 3, 4)), {"company": "Dash Inc.", "fiscal_year": 2021})
    assert sentence == "Dash Inc., fiscal year 2021 (4 pages); about Grande, Nova Motors; sections: Pumps, Valves."


def test_the_title_of_the_file_tells_more_than_its_sections():
    made = replace(document("a", "text"), title="Pumps of the North")
    assert describe(made, tree(), {}) == "Pumps of the North (1 page)."


def test_a_title_that_repeats_what_is_known_is_left_out():
    made = replace(document("a", "text"), title="Dash Inc. 10-K")
    assert describe(made, tree(), {"company": "Dash Inc.", "report_type": "10-K"}) == "Dash Inc. 10-K (1 page)."


def test_windows_of_pages_are_no_sections():
    pages = replace(tree(("Pages 1-4", 1, 1)).nodes[0], source=NodeSource.PAGES)
    assert describe(document("a", "text"), Tree((pages,)), {}) == "a.pdf (1 page)."


def test_a_document_of_no_known_facts_is_described_all_the_same():
    assert describe(document("a", "text"), tree(), {}) == "a.pdf (1 page)."


def test_the_model_picks_by_description(table):
    described, ids = table(["Dash Inc. 10-K about pumps.", "Nova Inc. 10-K about valves.", "A survey of voters."])
    choosing = choose_by_description("What do voters think in the survey?", described, LexicalModel())
    assert ids[choosing.documents[0].document_id] == "A survey of voters."
    assert choosing.trace[-1].title == "Whether any description fits"


@pytest.mark.parametrize("count", [3, 4, 5, 17, 60])
def test_more_descriptions_than_a_choice_holds_meet_in_a_final(table, count):
    described, ids = table([f"{number} documents" for number in range(1, count + 1)])
    model = Weights(limits=Limits(max_options=4))
    choosing = choose_by_description("?", described, model)
    assert ids[choosing.documents[0].document_id] == f"{count} documents"
    asked = [len(request.question.options) for request in model.asked if isinstance(request.question, Choice)]
    assert max(asked) <= 4


def test_of_a_large_library_only_what_shares_words_is_shown(table):
    described, ids = table([f"report {number} on widgets" for number in range(80)] + ["handbook on zebras"])
    choosing = choose_by_description("Where do zebras live?", described, LexicalModel())
    assert [ids[chosen.document_id] for chosen in choosing.documents] == ["handbook on zebras"]
    assert not choose_by_description("Who is the emperor of Mars?", described, LexicalModel()).applies


def with_budgets(table, question, model):
    """Of budgets from none to enough: how many decisions were made, and what the choosing came to."""
    found = []
    for most in range(0, 1_000, 10):
        deciding = Decider(model, budget=Budget(max_tokens=most))
        choosing = choose_by_description(question, table, deciding)
        assert sum(step.usage.decisions for step in choosing.trace) == deciding.usage.decisions
        found.append((deciding.usage.decisions, choosing))
    return found


def test_where_the_budget_ends_before_the_last_choice_this_way_does_not_apply(table):
    described, _ = table([f"{number} documents" for number in range(1, 13)])
    found = with_budgets(described, "?", Weights(limits=Limits(max_options=4)))
    cut_short = [(decisions, choosing) for decisions, choosing in found if decisions < 4]
    assert {decisions for decisions, _ in cut_short} > {0}
    assert {(one.applies, one.documents, one.note) for _, one in cut_short} == {(False, (), NOT_ASKED)}
    assert found[-1][1].applies


def test_where_the_budget_ends_after_the_choice_it_holds(table):
    described, ids = table(
        ["Dash Inc. 10-K about pumps and " + "more " * 100, "A survey of voters and " + "more " * 100]
    )
    found = with_budgets(described, "What do voters think?", LexicalModel())
    cut_short = [choosing for decisions, choosing in found if decisions == 1]
    assert {ids[one.documents[0].document_id][:8] for one in cut_short} == {"A survey"}
    assert {one.note for one in cut_short} == {""}
