import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from thumbindex.evaluation.estimators import (
    BINS,
    area_under_roc,
    bin_shares,
    calibration_error,
    coverage_at,
    coverage_curve,
    ratio,
    resampled,
    squared_error,
    undefined,
    value,
)

# Few distinct scores, so that equals are common.
scores = st.integers(0, 8).map(lambda n: n / 8)
claims = st.lists(st.tuples(scores, st.booleans()), min_size=1, max_size=40)


def error(rows):
    probabilities, outcomes = zip(*rows, strict=True)
    return value(calibration_error(probabilities, outcomes, range(len(rows))), len(rows))


def test_ratio_is_a_mean_over_the_questions_that_count():
    assert value(ratio([1, 0, 1], [1, 1, 0]), 3) == pytest.approx(2 / 2)
    assert value(ratio([1, 0, 0], [1, 1, 0]), 3) == pytest.approx(1 / 2)
    assert value(ratio([0, 0], [0, 0]), 2) is None
    assert value(undefined, 2) is None


def test_calibration_error_by_hand():
    assert error([(0.25, False), (0.5, True), (0.75, True)]) == pytest.approx((0.25 + 0.5 + 0.25) / 3)
    said_20_percent = [(0.2, place < 3) for place in range(15)]
    said_90_percent = [(0.9, place < 12) for place in range(15)]
    assert error(said_20_percent + said_90_percent) == pytest.approx((0 + 0.1) / 2)


def test_calibration_error_of_none_is_none():
    assert value(calibration_error([], [], []), 3) is None
    assert value(squared_error([], [], []), 3) is None
    assert value(calibration_error([], [], []), 0) is None


@given(st.lists(st.integers(0, 10), min_size=1, max_size=6))
def test_a_model_that_is_right_as_often_as_it_says_has_no_error(tenths):
    rows = [(tenth / 10, place < tenth) for tenth in tenths for place in range(10)]
    assert error(rows) == pytest.approx(0, abs=1e-9)


@given(claims, st.randoms())
def test_calibration_error_does_not_depend_on_order(rows, random):
    shuffled = random.sample(rows, len(rows))
    assert error(shuffled) == pytest.approx(error(rows))


@given(st.lists(st.floats(0, 1), min_size=BINS, max_size=BINS * 4, unique=True), st.randoms())
def test_calibration_error_is_the_textbook_one_where_the_bins_come_out_even(probabilities, random):
    ordered = sorted(probabilities[: len(probabilities) // BINS * BINS])
    rows = [(probability, random.random() < 0.5) for probability in ordered]
    groups = np.array_split(np.array(rows, float), BINS)
    expected = sum(len(g) / len(rows) * abs(g[:, 1].mean() - g[:, 0].mean()) for g in groups)
    assert error(rows) == pytest.approx(expected)


@given(claims)
def test_calibration_error_is_between_the_gap_of_the_means_and_that_of_each_claim(rows):
    gaps = [outcome - probability for probability, outcome in rows]
    assert abs(sum(gaps)) / len(gaps) - 1e-9 <= error(rows) <= sum(map(abs, gaps)) / len(gaps) + 1e-9


@given(st.lists(scores, min_size=1, max_size=40), st.integers(1, 20))
def test_bins_share_out_every_claim_and_hold_equal_mass(probabilities, bins):
    shares = bin_shares(probabilities, bins)
    assert shares.sum(axis=1) == pytest.approx(np.ones(len(probabilities)))
    assert shares.sum(axis=0) == pytest.approx(np.full(bins, len(probabilities) / bins))
    assert np.all(np.diff(np.array(probabilities) @ shares) >= -1e-9)


def test_squared_error_by_hand():
    assert value(squared_error([0.5, 1.0, 0.0], [1, 1, 1], [0, 0, 1]), 2) == pytest.approx((0.25 + 0 + 1) / 3)


def test_claims_weigh_as_their_question_does():
    twice_the_first = np.array([[2.0, 0.0], [0.0, 1.0]])
    estimate = squared_error([0.5, 1.0, 0.0], [1, 1, 1], [0, 0, 1])
    assert estimate(twice_the_first) == pytest.approx([0.125, 1])


@given(claims)
def test_auroc_is_the_share_of_pairs_in_the_right_order(rows):
    positive = [score for score, kind in rows if kind]
    negative = [score for score, kind in rows if not kind]
    pairs = [(p > n) + (p == n) / 2 for p in positive for n in negative]
    found = value(area_under_roc(*zip(*rows, strict=True)), len(rows))
    assert found == (pytest.approx(sum(pairs) / len(pairs)) if pairs else None)


@given(claims)
def test_auroc_only_knows_the_order_of_the_scores(rows):
    bent = [(np.exp(3 * score) - 7, kind) for score, kind in rows]
    found, of_bent = (value(area_under_roc(*zip(*r, strict=True)), len(rows)) for r in (rows, bent))
    assert of_bent == (None if found is None else pytest.approx(found))


def test_coverage_by_hand():
    sureness, right = [0.9, 0.8, 0.8, 0.1], [True, True, False, True]
    coverage, precision = coverage_curve(sureness, right, np.ones((1, 4)))
    assert coverage[0] == pytest.approx([1 / 4, 3 / 4, 1])
    assert precision[0] == pytest.approx([1, 2 / 3, 3 / 4])
    assert value(coverage_at(0.95, sureness, right), 4) == pytest.approx(1 / 4)
    assert value(coverage_at(0.75, sureness, right), 4) == 1
    assert value(coverage_at(0.95, [0.9, 0.1], [False, True]), 2) == 0
    assert value(coverage_at(0.95, [], []), 0) is None


def test_nineteen_of_twenty_are_95_percent():
    assert value(coverage_at(0.95, [0.5] * 20, [True] * 19 + [False]), 20) == 1


@given(claims, st.sampled_from([0.5, 0.75, 0.95, 1.0]))
def test_coverage_is_the_best_of_all_thresholds(rows, precision):
    best = 0.0
    for threshold in {score for score, _ in rows}:
        claimed = [right for score, right in rows if score >= threshold]
        if sum(claimed) >= precision * len(claimed):
            best = max(best, len(claimed) / len(rows))
    assert value(coverage_at(precision, *zip(*rows, strict=True)), len(rows)) == pytest.approx(best)


@given(st.lists(st.tuples(scores, st.booleans(), st.integers(0, 3)), min_size=1, max_size=12))
def test_a_weight_is_the_question_that_many_times(rows):
    repeated = [(score, kind) for score, kind, times in rows for _ in range(times)]
    if not repeated:
        return
    weights = np.array([[float(times) for *_, times in rows]])
    for estimator in (area_under_roc, lambda s, k: coverage_at(0.75, s, k), lambda s, k: ratio(s, np.ones(len(s)))):
        weighted = estimator(*zip(*[row[:2] for row in rows], strict=True))(weights)[0]
        expected = value(estimator(*zip(*repeated, strict=True)), len(repeated))
        assert weighted == pytest.approx(np.nan if expected is None else expected, nan_ok=True)


def test_resamples_draw_as_many_questions_as_there_are_and_repeat_with_their_seed():
    first, again, other = (np.concatenate(list(resampled(7, 50, seed))) for seed in (1, 1, 2))
    assert first.shape == (50, 7)
    assert (first.sum(axis=1) == 7).all()
    assert (first == again).all()
    assert (first != other).any()
