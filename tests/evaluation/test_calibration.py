import pytest
from runs_of_questions import result

from thumbindex.evaluation.calibration import answer_claims, coverage, kept_claims, page_claims, reliability
from thumbindex.evaluation.estimators import value
from thumbindex.evaluation.metrics import figures

ANSWERED = result([2], ranking=[2, 5], also=[7], checked=[(2, 0.8), (5, 0.4), (7, 0.6)], kept=(2, 7), answered=True)
UNANSWERABLE = result([], ranking=[1], checked=[(1, 0.3), (6, 0.1)], kept=(1,), answer_probability=0.3)
UNREADABLE = result([4], note="no text")


def test_a_checked_page_is_right_when_it_is_labelled_and_pages_of_unanswerable_questions_count():
    claims = page_claims([ANSWERED, UNANSWERABLE])
    assert claims.probabilities.tolist() == [0.8, 0.4, 0.6, 0.3, 0.1]
    assert claims.outcomes.tolist() == [1, 0, 1, 0, 0]
    assert list(claims.owners) == [0, 0, 0, 1, 1]


def test_kept_claims_are_those_that_the_user_sees():
    assert kept_claims([ANSWERED, UNANSWERABLE]).probabilities.tolist() == [0.8, 0.6, 0.3]


def test_a_question_whose_document_could_not_be_searched_claims_nothing():
    assert answer_claims([UNREADABLE, UNANSWERABLE]).probabilities.tolist() == [0.3]


def test_calibration_figures_by_hand():
    found = figures([ANSWERED, UNANSWERABLE])
    assert found["ece"] == pytest.approx((0.2 + 0.4 + 0.4 + 0.3 + 0.1) / 5)
    assert found["brier"] == pytest.approx((0.04 + 0.16 + 0.16 + 0.09 + 0.01) / 5)
    assert found["kept_ece"] == pytest.approx((0.2 + 0.4 + 0.3) / 3)


def test_figures_of_answered_by_hand():
    sure = result([1], ranking=[1], kept=(1,), answered=True, answer_probability=0.9)
    wrong_page = result([1], ranking=[3], kept=(3,), answered=True, answer_probability=0.8)
    none = result([], ranking=[1], answer_probability=0.1)
    found = figures([sure, wrong_page, none])
    assert found["answered_ece"] == pytest.approx((0.1 + 0.2 + 0.1) / 3)
    assert found["answered_brier"] == pytest.approx((0.01 + 0.04 + 0.01) / 3)
    assert found["answered_coverage_at_95"] == pytest.approx(2 / 3)
    assert found["kept_coverage_at_95"] == pytest.approx(1 / 3)


def test_answered_is_not_measured_on_questions_of_one_kind():
    for results in ([ANSWERED], [UNANSWERABLE], []):
        found = figures(results)
        names = ("answered_ece", "answered_brier", "answered_coverage_at_95", "no_answer_auroc")
        assert [found[name] for name in names] == [None] * 4


def test_the_diagram_shows_what_the_error_sums_up():
    results = [result([1], checked=[(1, 0.05 * n), (2, 0.03 * n)]) for n in range(1, 20)]
    claims = page_claims(results)
    bins = reliability(claims)
    gaps = [abs(said - was) for said, was in zip(bins.predicted, bins.observed, strict=True)]
    assert bins.claims == 38
    assert sum(gaps) / len(gaps) == pytest.approx(value(claims.error, len(results)))


def test_there_are_no_bins_without_claims_and_no_curve_without_questions():
    assert reliability(page_claims([])).predicted == ()
    assert coverage([], []).coverage == ()
