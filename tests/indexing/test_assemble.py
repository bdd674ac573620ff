from indexing.printed import heading, shown

from thumbindex.indexing.assemble import deepest_first, filled, grafted, without_echoes
from thumbindex.tree import NodeSource

BASE = [heading("1 Pumps", 2), heading("2 Valves", 6), heading("2.1 Small valves", 7, level=1), heading("3 Sales", 9)]
FILING = [
    heading("PART I", 2, source=NodeSource.PATTERN),
    heading("Item 1. Business", 2, 1, 1, NodeSource.PATTERN),
    heading("Item 2. Properties", 6, 0, 1, NodeSource.PATTERN),
]


def test_what_both_have_is_surer_and_stays_where_it_is():
    merged = grafted(BASE, [heading("Pumps", 2, level=3), heading("Valves", 6, level=3)])
    assert shown(merged) == shown(BASE)
    assert [h.confidence for h in merged] == [0.96, 0.96, 0.8, 0.8]


def test_what_only_the_other_has_keeps_its_depth_below_what_both_have():
    more = [heading("Pumps", 2, level=1), heading("Hand pumps", 3, level=2), heading("Grip", 3, 9, level=3)]
    assert shown(grafted(BASE, more))[:3] == [(0, "1 Pumps", 2), (1, "Hand pumps", 3), (2, "Grip", 3)]


def test_siblings_of_known_headings_take_their_level():
    more = [heading("Pumps", 2, level=1), heading("Sales", 9, level=1), heading("Thanks", 11, level=1)]
    assert shown(grafted(BASE, more))[-1] == (0, "Thanks", 11)


def test_the_same_title_on_the_next_page_is_the_same_heading():
    assert len(grafted(BASE, [heading("1 Pumps", 3)])) == len(BASE)


def test_nothing_but_items_stands_beside_items():
    more = [heading("Item 1. Business", 2, 1), heading("Overview", 3), heading("Item 2. Properties", 6)]
    assert shown(grafted(FILING, more))[2] == (2, "Overview", 3)


def test_a_second_item_of_one_number_is_a_wrong_link():
    assert len(grafted(FILING, [heading("Item 1. Business", 5)])) == len(FILING)


def test_a_title_cut_short_is_completed_from_the_other_source():
    short = "Item 5. Market for Registrant’s Common Equity, Related Stockholder"
    full = "Market for Registrant’s Common Equity, Related Stockholder Matters and Purchases"
    (merged,) = grafted([heading(short, 3)], [heading(full, 3)])
    assert merged.title == f"Item 5. {full}"


def test_lesser_headings_nest_inside_the_section_they_stand_in():
    found = [heading("Hand pumps", 3, level=2), heading("Grip", 4, level=3), heading("Foot pumps", 5, level=1)]
    assert shown(filled(BASE, found))[:4] == [
        (0, "1 Pumps", 2),
        (1, "Hand pumps", 3),
        (2, "Grip", 4),
        (1, "Foot pumps", 5),
    ]


def test_list_items_with_the_numbers_of_chapters_are_left_out():
    assert shown(filled(BASE, [heading("1 First", 7, 5), heading("2. Then", 7, 9)])) == shown(BASE)


def test_references_stand_beside_the_chapters():
    assert shown(filled(BASE, [heading("References", 11, level=4)]))[-1] == (0, "References", 11)


def test_references_of_a_chapter_stand_inside_it():
    found = [heading("References", 7, 20), heading("References", 11)]
    assert [level for level, title, _ in shown(filled(BASE, found)) if title == "References"] == [2, 1]


def test_lines_of_a_cover_are_left_out():
    assert shown(filled(BASE, [heading("A pump on a cover", 1)])) == shown(BASE)


def test_without_a_known_outline_headings_are_the_outline():
    assert filled([], BASE) == BASE


def test_an_echo_of_the_heading_before_or_above_is_left_out():
    outline = [
        heading("Pumps", 1),
        heading("PUMPS", 1, 2, 1),
        heading("Sold", 2, 0, 1),
        heading("Sold", 3, 0, 1),
        heading("Pumps", 4, 0, 1),
    ]
    assert shown(without_echoes(outline)) == [(0, "Pumps", 1), (1, "Sold", 2)]


def test_of_two_headings_at_one_place_the_first_stays_unless_one_encloses_the_other():
    outline = [heading("PART I", 1), heading("Item 1", 1, level=1), heading("Business", 1, level=1)]
    assert shown(without_echoes(outline)) == [(0, "PART I", 1), (1, "Item 1", 1)]


def test_outlines_that_tell_levels_apart_come_first():
    flat, deep = [heading("A", 1), heading("B", 2)], [heading("A", 1), heading("B", 2, level=1)]
    assert deepest_first([flat, deep]) == [deep, flat]
