import pytest
from hypothesis import given
from hypothesis import strategies as st
from indexing.printed import PROSE, big, bold, document, header, heading, line, prose, row

from thumbindex.indexing.sections import sections
from thumbindex.indexing.style import body_of
from thumbindex.indexing.summaries import MAX_WORDS, MIN_WORDS, summarised
from thumbindex.tree import SummarySource

TELLING = "Impellers of bronze outlast those of iron in salt water by eleven years, as divers found off Norway."


def summaries(made, *outline):
    nodes = summarised(sections(outline, len(made.pages)), made, body_of(made))
    return [node.summary for top in nodes for node in top.walk()]


def test_a_summary_tells_what_the_section_says_and_others_do_not():
    made = document([prose(9)], [prose(4), TELLING, prose(4)], [prose(9)])
    first, second, _ = summaries(made, heading("A", 1), heading("B", 2), heading("C", 3))
    assert TELLING in second
    assert TELLING not in first


def test_sub_headings_and_row_labels_are_named():
    made = document(
        [prose(3), bold("Pumps by country"), row("Norway", "11"), row("Impellers of bronze", "$", "7"), prose(2)],
        prose(9),
    )
    (summary, _) = summaries(made, heading("Sales", 1), heading("Costs", 2))
    assert "Pumps by country" in summary
    assert "Impellers of bronze" in summary
    assert "11" not in summary.split("Impellers")[0]


def test_a_section_of_sections_is_told_by_their_titles():
    made = document(prose(9), prose(9))
    top, *_ = summaries(made, heading("Sales", 1), heading("Hand pumps", 1, 0, 1), heading("Foot pumps", 2, 0, 1))
    assert top.startswith("Hand pumps; Foot pumps")


@pytest.mark.parametrize("lines", [1, 3, 40])
def test_a_summary_has_its_size_and_never_is_the_page(lines):
    made = document([prose(lines)], [TELLING])
    text = made.page(1).text
    summary, short = summaries(made, heading("A", 1), heading("B", 2))
    assert len(summary.split()) <= MAX_WORDS
    assert len(summary.split()) >= min(MIN_WORDS, len(text.split()) - 1)
    assert text not in summary
    assert 0 < len(short.split()) < len(TELLING.split())


def test_siblings_that_say_the_same_are_told_apart():
    made = document(["None."], ["None."], ["None."])
    found = summaries(made, heading("Item 3", 1), heading("Item 4", 2), heading("Item 6", 3))
    assert len(set(found)) == 3


def test_headers_and_the_title_itself_are_not_repeated():
    made = document([header("Pump report 2023"), big("Sales of pumps"), prose(5)], prose(5))
    summary, _ = summaries(made, heading("Sales of pumps", 1), heading("B", 2))
    assert "Pump report" not in summary
    assert "Sales of pumps" not in summary


def test_a_section_without_text_has_a_summary_of_its_own_or_none():
    found = summaries(document([], [], []), heading("A", 1), heading("B", 2), heading("C", 3))
    assert len(set(found)) == 3


def test_summaries_say_who_wrote_them():
    made = document(prose(5))
    (node,) = summarised(sections([heading("A", 1)], 1), made, body_of(made))
    assert node.summary_source is SummarySource.EXTRACTIVE


@given(st.lists(st.lists(st.text(max_size=80), max_size=8), min_size=1, max_size=5))
def test_any_text_is_summarised_within_bounds(pages):
    made = document(*[[line(text) for text in texts] for texts in pages])
    outline = [heading(f"Page {number}", number) for number in range(1, len(pages) + 1)]
    found = summaries(made, *outline)
    assert all(len(summary.split()) <= MAX_WORDS for summary in found)
    assert len(set(found)) == len(found)


def test_prose_fixture_is_longer_than_a_summary():
    assert len(PROSE.split()) < MAX_WORDS
