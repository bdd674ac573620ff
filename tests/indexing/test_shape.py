import pytest
from hypothesis import given
from hypothesis import strategies as st
from indexing.printed import big, bold, document, header, heading, line, material, page, prose, shown

from thumbindex.indexing.fitting import grouped, split
from thumbindex.indexing.outline import at_tops, children_of, end_of, extents, levelled, text_measure
from thumbindex.indexing.shape import (
    at_page_tops,
    with_front_matter,
    without_scraps,
    without_single_root,
    without_wrappers,
)
from thumbindex.tree import NodeSource

outlines = st.lists(st.tuples(st.integers(1, 9), st.integers(0, 30), st.integers(0, 5)), max_size=60).map(
    lambda places: [heading(f"T{i}", p, n, level) for i, (p, n, level) in enumerate(sorted(set(places)))]
)


@given(outlines)
def test_levels_go_down_one_step_at_a_time_and_keep_who_is_under_whom(outline):
    steps = [h.level for h in levelled(outline)]
    assert all(after <= before + 1 for before, after in zip([-1, *steps], steps, strict=False))
    assert extents(levelled(outline)) == extents(outline)


@given(outlines)
def test_extents_are_where_subtrees_end(outline):
    assert extents(outline) == [end_of(outline, index) for index in range(len(outline))]


def test_children_are_one_level_below():
    outline = [heading("A", 1), heading("B", 1, 1, 1), heading("C", 1, 2, 2), heading("D", 1, 3, 1), heading("E", 2)]
    assert children_of(outline, 0, 4) == [1, 3]


def test_text_is_measured_without_headers():
    made = document([header("Pump report"), line("1234"), line("12")], [line("123")])
    measure = text_measure(made)
    assert measure((1, 0), None) == 12
    assert measure((1, 2), (2, 0)) == 3


def test_a_heading_below_headers_only_stands_at_the_top_of_its_page():
    made = document([header("Pump report"), line("7"), big("Sales"), prose(3)])
    assert at_tops([heading("Sales", 1, 2)], made)[0].position == (1, 0)


def test_a_company_name_above_a_statement_goes_with_it():
    m = material([prose(9)], [bold("PUMP COMPANY"), bold("BALANCE SHEETS"), prose(9)])
    assert at_page_tops([heading("BALANCE SHEETS", 2, 1)], m)[0].position == (2, 0)
    other = [heading("PUMP COMPANY", 2, 0), heading("BALANCE SHEETS", 2, 1)]
    assert at_page_tops(other, m)[1].position == (2, 1)


def front(outline, *pages, title="Pump report", **more):
    return shown(with_front_matter(outline, material(*pages, **more), title))


def test_a_cover_is_a_section():
    assert front([heading("Sales", 2)], [big("Pump report")], prose(5)) == [(0, "Cover page", 1), (0, "Sales", 2)]


def test_pages_before_the_outline_that_hold_the_contents_are_front_matter():
    contents = [big("Contents"), *[line(f"Sales {n} ........ {n}") for n in range(1, 8)]]
    assert front([heading("Sales", 3)], [big("Pump report")], contents, prose(5))[0] == (0, "Front matter", 1)


def test_an_opening_of_pages_is_titled_as_the_document():
    assert front([heading("Sales", 3)], prose(9), prose(9), prose(9))[0] == (0, "Pump report", 1)


def test_a_few_lines_before_the_first_heading_belong_to_it():
    made = with_front_matter(
        [heading("Abstract", 1, 2)], material([big("Pumps"), line("A. Author"), line("Abstract"), prose(5)]), ""
    )
    assert [h.position for h in made] == [(1, 0)]


def test_a_lead_of_some_length_is_a_section():
    assert front([heading("Life", 1, 8)], [prose(8), big("Life"), prose(5)]) == [(0, "Pump report", 1), (0, "Life", 1)]


def test_a_title_over_all_gives_way_to_what_it_holds():
    outline = [heading("Pumps", 1), heading("Made", 2, 0, 1), heading("Sold", 3, 0, 1), heading("Abroad", 3, 4, 2)]
    assert shown(without_single_root(outline)) == [(0, "Pumps", 1), (0, "Made", 2), (0, "Sold", 3), (1, "Abroad", 3)]


def test_a_section_that_only_wraps_another_goes():
    outline = [heading("Pumps", 1), heading("Pumps sold", 1, 1, 1), heading("Abroad", 2, 0, 2), heading("Valves", 3)]
    assert shown(without_wrappers(outline)) == [(0, "Pumps", 1), (1, "Abroad", 2), (0, "Valves", 3)]


def test_a_number_alone_is_joined_with_the_one_section_it_holds():
    outline = [heading("Annex 1", 5), heading("Modules", 5, 1, 1), heading("Annex 2", 6)]
    assert shown(without_wrappers(outline)) == [(0, "Annex 1. Modules", 5), (0, "Annex 2", 6)]


def test_weak_headings_divide_only_what_is_long():
    short = material([big("Sales"), bold("Abroad"), prose(3), bold("At home"), prose(3)])
    outline = [
        heading("Sales", 1),
        heading("Abroad", 1, 1, 1, confidence=0.55),
        heading("At home", 1, 5, 1, confidence=0.55),
    ]
    assert shown(without_scraps(outline, short)) == [(0, "Sales", 1)]
    long = material([big("Sales"), bold("Abroad"), prose(30), bold("At home"), prose(30)])
    moved = [outline[0], outline[1], heading("At home", 1, 32, 1, confidence=0.55)]
    assert len(without_scraps(moved, long)) == 3


def test_a_heading_over_nothing_is_a_scrap():
    made = material([big("Sales"), big("Pumps and valves"), prose(9)])
    assert shown(without_scraps([heading("Sales", 1), heading("Pumps and valves", 1, 1)], made)) == [
        (0, "Pumps and valves", 1)
    ]


def test_the_title_of_a_slide_stays_however_little_follows():
    made = material([big("Sales")], [big("Costs"), line("Few")], [big("Thanks")])
    assert len(without_scraps([heading("Sales", 1), heading("Costs", 2), heading("Thanks", 3)], made)) == 3


@given(st.integers(1, 400), st.integers(2, 40))
def test_no_menu_is_longer_than_allowed_and_no_heading_is_lost(count, max_menu):
    outline = [heading(f"T{number}", number) for number in range(1, count + 1)]
    made = grouped(outline, max_menu)
    kept = [h.title for h in made if h.source is NodeSource.HEADING]
    assert kept == [h.title for h in outline]
    assert sum(h.level == 0 for h in made) <= max_menu
    assert all(len(children_of(made, index, end)) <= max_menu for index, end in enumerate(extents(made)))


def test_a_group_is_named_for_its_first_and_last():
    made = grouped([heading(f"Risk {number}", number) for number in range(1, 10)], 4)
    assert shown(made)[:2] == [(0, "Risk 1 – Risk 3", 1), (1, "Risk 1", 1)]


@given(st.integers(1, 200), st.integers(1, 20))
def test_windows_cover_all_pages_and_hold_no_more_than_allowed(count, max_pages):
    made = split([], material(*[prose(1)] * count), max_pages)
    starts = [h.page for h in made]
    assert starts[0] == 1
    assert all(after - before <= max_pages for before, after in zip(starts, [*starts[1:], count + 1], strict=True))
    assert len({h.title for h in made}) == len(made)


def test_a_window_is_titled_by_the_first_line_that_begins_something():
    pages = [
        [header("Pump report"), line("and so it went on."), line("Valves were sold in each market too."), prose(3)]
    ] * 3
    made = split([], material(*pages), 1)
    assert made[0].title == "Valves were sold in each market too."
    assert made[1].title == "Valves were sold in each market too. (page 2)"


def test_pages_without_text_are_titled_by_their_numbers():
    assert shown(split([], material([], [], [], [], []), 2)) == [
        (0, "Page 1", 1),
        (0, "Pages 2–3", 2),
        (0, "Pages 4–5", 4),
    ]


def test_only_what_is_too_long_is_split():
    outline = [heading("Pumps", 1), heading("Valves", 3)]
    made = split(outline, material(*[[big("T"), prose(1)]] * 10), 4)
    assert [(h.level, h.page) for h in made] == [(0, 1), (0, 3), (1, 3), (1, 5), (1, 8)]


@pytest.mark.parametrize("last", [0, 1])
def test_a_first_page_of_the_outline_needs_nothing_before_it(last):
    outline = [heading("Pumps", 1), heading("Valves", 2 + last)]
    assert with_front_matter(outline, material(prose(3), prose(3), prose(3)), "") == outline


def test_page_fixture_numbers_its_lines_downwards():
    made = page(1, prose(3))
    assert [each.box.y0 for each in made.lines] == sorted(each.box.y0 for each in made.lines)
