from hypothesis import given
from hypothesis import strategies as st

from thumbindex.indexing.heading import agreed, ascending, in_order
from thumbindex.indexing.sequences import best_sequence

from indexing.printed import heading  # isort: skip


def test_the_run_of_most_weight_wins_over_references():
    values = [7, 1, 8, 2, 7, 3, 4, 5]
    weights = [1, 3, 1, 3, 1, 3, 3, 3]
    assert best_sequence(values, weights, gap_cost=0.0) == [1, 3, 5, 6, 7]


def test_gaps_cost():
    assert best_sequence([1, 9, 2, 3], [1, 1.5, 1, 1], gap_cost=1.0) == [0, 2, 3]


def test_of_equals_the_first_is_taken():
    assert best_sequence([1, 2, 2, 3], [1, 1, 1, 1], gap_cost=0.0) == [0, 1, 3]


def test_nothing_comes_of_nothing():
    assert best_sequence([], [], gap_cost=1.0) == []


@given(st.lists(st.tuples(st.integers(1, 20), st.floats(0.1, 5)), max_size=40))
def test_a_run_ascends_in_value_and_place(pairs):
    values = [value for value, _ in pairs]
    run = best_sequence(values, [weight for _, weight in pairs], gap_cost=0.5)
    assert run == sorted(run)
    picked = [values[index] for index in run]
    assert picked == sorted(set(picked))


@given(st.lists(st.tuples(st.integers(1, 9), st.integers(0, 9)), max_size=30))
def test_the_kept_positions_never_go_back(positions):
    kept = [positions[index] for index in ascending(positions)]
    assert kept == sorted(kept)
    assert bool(kept) == bool(positions)


def test_a_heading_that_points_back_is_left_out():
    headings = [heading("A", 2), heading("B", 9), heading("C", 3), heading("D", 5)]
    assert [h.title for h in in_order(headings)] == ["A", "C", "D"]


def test_sources_that_agree_are_surer_than_each():
    both = agreed(heading("A", 1, confidence=0.75), heading("A", 1, confidence=0.9))
    assert both.confidence == 0.975
