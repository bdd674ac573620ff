import pytest

from thumbindex.indexing.levels import LevelKey, nested_levels, stepped


def levels(*titles, setting=(0,)):
    return nested_levels([LevelKey(setting, title) for title in titles])


def test_dotted_numbers_tell_their_depth():
    assert levels("1 A", "1.1 B", "1.1.1 C", "1.2 D", "2 E") == [0, 1, 2, 1, 0]


def test_kinds_of_numbers_nest_as_they_first_appear():
    titles = [
        "I. Introduction",
        "A. Background",
        "1. Standards",
        "2. Rules",
        "B. Goals",
        "II. Discussion",
        "A. Overview",
    ]
    assert levels(*titles) == [0, 1, 2, 2, 1, 0, 1]


def test_parts_enclose_items():
    assert levels("PART I", "Item 1. Business", "Item 2. Properties", "PART II", "Item 5. Market") == [0, 1, 1, 0, 1]


def test_parts_in_other_numerals_than_those_of_the_whole_stand_where_they_are_set():
    titles = [(0, "PART I"), (0, "PART II"), (0, "Exhibit 4 Contract"), (1, "Part 1. The work"), (1, "Part 2. Time")]
    keys = [LevelKey((setting,), title) for setting, title in [*titles, (0, "Exhibit 5 Code")]]
    assert nested_levels(keys) == [0, 0, 1, 2, 2, 1]


def test_the_number_of_an_exhibit_says_what_it_is_and_not_how_deep_it_lies():
    assert levels("Exhibit 97 Pay", "Exhibit 99.1 Plants", "Exhibit 32 Certification") == [0, 0, 0]


def test_larger_settings_enclose_smaller():
    keys = [LevelKey((s,), t) for s, t in [(0, "Pumps"), (1, "Sold"), (2, "Abroad"), (1, "Made"), (0, "Valves")]]
    assert nested_levels(keys) == [0, 1, 2, 1, 0]


def test_titles_set_as_numbered_ones_stand_beside_them():
    assert levels("Abstract", "1 Introduction", "2 Methods", "References") == [0, 0, 0, 0]


@pytest.mark.parametrize(("values", "ranks"), [([10, 10.3, 14, 14.2, 20], [0, 0, 1, 1, 2]), ([], []), ([5], [0])])
def test_values_close_to_each_other_are_one_step(values, ranks):
    assert stepped(values, 1.0) == ranks
