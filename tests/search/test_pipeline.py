import pytest
from hypothesis import given
from hypothesis import strategies as st
from samples import document, tree

from thumbindex.decision.registry import load_model
from thumbindex.errors import NoTextError, OptionError, QuestionError
from thumbindex.search import SearchOptions, find

PAGES = [
    ["Leave", "New employees get 25 days of paid leave a year."],
    ["Expenses", "Meals are paid up to 40 euros a day."],
    ["Security", "Badges are worn in the building."],
    ["Parking", "The garage closes at nine."],
]
DOCUMENT = document(*PAGES)
TREE = tree(
    ("People", 1, 2, ("Leave", 1, 1), ("Expenses", 2, 2)), ("Building", 3, 4, ("Security", 3, 3), ("Parking", 4, 4))
)
STRATEGIES = ["hybrid", "tree", "flat"]


def ask(question="How many days of paid leave do new employees get?", **options):
    return find(question, DOCUMENT, TREE, load_model("lexical"), SearchOptions(**options))


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_page_its_path_and_its_line_are_found(strategy):
    page = ask(strategy=strategy).pages[0]
    assert (page.page, page.path) == (1, ("People", "Leave"))
    assert page.lines[0].text == "New employees get 25 days of paid leave a year."
    assert page.lines[0].box == DOCUMENT.page(1).lines[1].box


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_ranking_holds_every_page_of_a_short_document_once_the_kept_ones_first(strategy):
    finding = ask(strategy=strategy)
    ranked = [page.page for page in finding.ranking]
    assert sorted(ranked) == [1, 2, 3, 4]
    assert ranked[: len(finding.pages)] == [page.page for page in finding.pages]


def test_a_question_of_other_words_is_not_answered_and_two_pages_are_shown():
    finding = ask("Who painted the ceiling of the chapel?")
    assert not finding.answered
    assert finding.answer_probability < ask("How many days of vacation do new employees get?").answer_probability
    assert len(finding.pages) == 2


@pytest.mark.parametrize("question", ["", "   \n", "word " * 10_000])
def test_a_question_must_be_one(question):
    with pytest.raises(QuestionError):
        ask(question)


@pytest.mark.parametrize("question", ["?!", "🎉", "ما هو رأس المال؟", "資本支出"])
def test_any_other_question_gives_a_finding(question):
    assert len(ask(question).ranking) == 4


def test_a_document_without_text_says_so():
    with pytest.raises(NoTextError, match="no text on any page"):
        find("leave?", document([], []), tree(("All", 1, 2)), load_model("lexical"))


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_the_finding_tells_the_probability_of_every_page_checked_not_only_of_those_kept(strategy):
    finding = ask(strategy=strategy)
    checked = {page.page: page.probability for page in finding.checked}
    assert len(checked) == len(finding.checked) > len(finding.pages)
    assert {page.page: checked[page.page] for page in finding.pages} == {p.page: p.probability for p in finding.pages}


def test_the_trace_accounts_for_what_was_spent():
    finding = ask()
    steps = [step for root in finding.trace for step in root.walk()]
    assert finding.usage.decisions == sum(step.usage.decisions for step in steps) > 0
    assert all(0 <= option.probability <= 1 for step in steps for option in step.options)


@pytest.mark.parametrize(
    "options",
    [
        {"beam": 0},
        {"top_k": 0},
        {"strategy": "magic"},
        {"keep_threshold": 1.5},
        {"answer_threshold": -0.5},
        {"max_verified": -1},
    ],
)
def test_options_outside_their_range_are_refused_with_their_value(options):
    (value,) = options.values()
    with pytest.raises(OptionError, match=str(value)):
        SearchOptions(**options)


@given(st.text(min_size=1, max_size=60))
def test_no_question_breaks_the_search(question):
    if question.strip():
        finding = ask(question)
        assert {page.page for page in finding.pages} <= {1, 2, 3, 4}
