import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from runs_of_questions import library_result, result

from thumbindex.errors import OptionError, ResultFileError
from thumbindex.evaluation.comparison import compare
from thumbindex.evaluation.metrics import figures


def hits(*found):
    """A result a question: the right page first where `found`, second otherwise."""
    return [
        result([1], [1, 2] if hit else [2, 1], id=f"q{n}", question=f"Question {n}?", answer_probability=0.5)
        for n, hit in enumerate(found)
    ]


def by_measure(comparison):
    return {difference.measure: difference for difference in comparison.differences}


def test_a_run_does_not_differ_from_itself():
    comparison = compare(hits(True, False, True), hits(True, False, True), resamples=200)
    assert (comparison.won, comparison.lost) == ((), ())
    for row in comparison.differences:
        assert (row.difference, row.low, row.high, row.verdict) == (0, 0, 0, "")


def test_questions_won_and_lost_are_named_with_their_ranks():
    comparison = compare(hits(True, False, False), hits(False, True, False), resamples=200)
    assert [(c.id, c.question, c.rank_a, c.rank_b) for c in comparison.won] == [("q1", "Question 1?", 2, 1)]
    assert [(c.id, c.rank_a, c.rank_b) for c in comparison.lost] == [("q0", 1, 2)]
    assert compare(hits(True, False), hits(False, True), k=2, resamples=200).won == ()


def test_an_unanswerable_question_is_won_by_not_answering_it():
    claims = [result([], [3], id="u", answered=True)]
    refuses = [result([], [3], id="u", answered=False)]
    assert [change.answerable for change in compare(claims, refuses, resamples=10).won] == [False]


def test_the_differences_are_those_of_the_figures():
    a, b = hits(True, False, False, True), hits(True, True, True, False)
    row = by_measure(compare(a, b, resamples=500))["hit@1"]
    assert (row.a, row.b) == (figures(a)["hit@1"], figures(b)["hit@1"])
    assert row.difference == pytest.approx(0.25)
    assert row.low <= row.difference <= row.high


def test_the_interval_is_that_of_paired_differences():
    won, same = 60, 340
    row = by_measure(compare(hits(*[False] * 400), hits(*[True] * won + [False] * same)))["hit@1"]
    share = won / 400
    half = 1.96 * math.sqrt(share * (1 - share) / 400)
    assert (row.low, row.high) == (pytest.approx(share - half, abs=0.005), pytest.approx(share + half, abs=0.005))
    assert row.verdict == "better"


def test_less_is_better_for_errors_and_costs():
    slow = [result([1], [1], id=f"q{n}", seconds=2.0, checked=[(1, 0.2)]) for n in range(5)]
    fast = [result([1], [1], id=f"q{n}", seconds=1.0, checked=[(1, 0.9)]) for n in range(5)]
    rows = by_measure(compare(slow, fast, resamples=100))
    assert {rows[name].verdict for name in ("seconds_per_question", "ece", "brier")} == {"better"}
    assert by_measure(compare(fast, slow, resamples=100))["ece"].verdict == "worse"


def test_measures_that_do_not_apply_to_both_are_left_out():
    assert "no_answer_auroc" not in by_measure(compare(hits(True, False), hits(True, True), resamples=10))


def test_the_same_seed_gives_the_same_intervals():
    a, b = hits(*[True, False] * 20), hits(*[True, True, False, False] * 10)
    assert compare(a, b, resamples=300, seed=4) == compare(a, b, resamples=300, seed=4)
    assert compare(a, b, resamples=300, seed=4) != compare(a, b, resamples=300, seed=5)


def test_only_questions_of_both_runs_are_compared():
    a, b = hits(True, False, True), hits(True, True, True, True)[1:]
    comparison = compare(a, b, resamples=100)
    assert (comparison.questions, comparison.only_a, comparison.only_b) == (2, 1, 1)
    other_label = [result([9], [1], id="q0", question="Question 0?"), *hits(True, False)[1:]]
    assert compare(hits(True, False), other_label, resamples=100).changed == 1


def test_runs_without_a_common_question_and_settings_out_of_range_are_refused():
    with pytest.raises(ResultFileError, match="no question in common"):
        compare(hits(True), [result([1], id="other")])
    with pytest.raises(OptionError, match="resamples 0"):
        compare(hits(True), hits(True), resamples=0)


def library_hits(*ranks, **ways):
    """A result a question to a library, with the right page at these ranks; the right document is always first."""
    return [
        library_result(
            [1], [("b.pdf", 1)] * (rank - 1) + [("a.pdf", 1)], id=f"q{n}", documents=("a.pdf", "b.pdf"), ways=ways
        )
        for n, rank in enumerate(ranks)
    ]


def test_runs_over_a_library_are_compared_by_documents_and_pages():
    comparison = compare(library_hits(1, 2, 3), library_hits(1, 1, 4), resamples=100)
    rows = by_measure(comparison)
    assert (rows["hit@1"].a, rows["hit@1"].b) == (pytest.approx(1 / 3), pytest.approx(2 / 3))
    assert (rows["document_hit@1"].a, rows["document_hit@1"].b) == (1, 1)
    assert [(change.id, change.rank_a, change.rank_b) for change in comparison.won] == [("q1", 2, 1)]
    assert compare(library_hits(1, 2, 3), library_hits(1, 1, 4), k=3, resamples=100).lost[0].id == "q2"


def test_of_ways_only_those_of_both_runs_are_compared():
    rows = by_measure(compare(library_hits(1, metadata=1, semantics=None), library_hits(1, metadata=2), resamples=10))
    assert (rows["metadata_document_hit@1"].a, rows["metadata_document_hit@1"].b) == (1, 0)
    assert "semantics_document_hit@1" not in rows


def test_a_run_over_given_documents_and_one_over_a_library_are_not_compared():
    with pytest.raises(ResultFileError, match="compare two of a kind"):
        compare(hits(True), library_hits(1))


@settings(max_examples=25)
@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=1, max_size=15))
def test_the_other_way_round_everything_turns_its_sign(pairs):
    a, b = hits(*(x for x, _ in pairs)), hits(*(y for _, y in pairs))
    there, back = compare(a, b, resamples=50), compare(b, a, resamples=50)
    assert (len(there.won), len(there.lost)) == (len(back.lost), len(back.won))
    for one, other in zip(there.differences, back.differences, strict=True):
        assert (one.difference, one.low, one.high) == pytest.approx((-other.difference, -other.high, -other.low))
