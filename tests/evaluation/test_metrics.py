import pytest
from runs_of_questions import library_result, result

from thumbindex.evaluation.metrics import figures, floor_figures
from thumbindex.evaluation.results import SectionResult


def test_hit_counts_any_evidence_page_and_all_counts_every_one():
    found = figures([result([2, 4], ranking=[9, 4, 1, 2])])
    assert (found["hit@1"], found["hit@2"], found["all@3"], found["all@5"]) == (0, 1, 0, 1)
    assert found["mrr"] == pytest.approx(1 / 2)


def test_a_page_of_also_is_a_hit_but_all_asks_for_pages():
    found = figures([result([2], also=[7], ranking=[7, 2])])
    assert (found["hit@1"], found["all@1"], found["all@2"]) == (1, 0, 1)


def test_unanswerable_questions_do_not_count_as_misses():
    found = figures([result([1], ranking=[1]), result([], ranking=[5])])
    assert (found["questions"], found["hit@1"]) == (2, 1)


def test_section_recall_and_share():
    inside = result([4], sections=(SectionResult(3, 5), SectionResult(4, 6)))
    outside = result([9], sections=(SectionResult(1, 2),))
    found = figures([inside, outside])
    assert found["section_recall"] == 0.5
    assert found["section_share"] == pytest.approx((4 / 20 + 2 / 20) / 2)


def test_no_answer_figures():
    right = [result([1], answered=True, answer_probability=0.9), result([], answer_probability=0.2)]
    wrong = [result([1], answered=False, answer_probability=0.1)]
    assert figures(right)["no_answer_auroc"] == 1
    assert figures(right + wrong)["no_answer_accuracy"] == pytest.approx(2 / 3)


def test_figures_that_do_not_apply_are_none():
    flat = figures([result([1], ranking=[1])])
    assert flat["section_recall"] is None
    assert flat["no_answer_auroc"] is None
    assert flat["no_answer_accuracy"] is None
    assert figures([result([])])["hit@1"] is None
    assert figures([])["questions"] == 0


def test_the_floor_is_measured_on_the_lexical_ranking():
    assert floor_figures([result([1], ranking=[1], lexical_ranking=(4, 1)), result([])])["mrr"] == 0.5


def test_of_a_library_documents_pages_and_ways_are_measured():
    results = [
        library_result([2], [("a.pdf", 2)], documents=("a.pdf",), ways={"metadata": 1, "semantics": None}),
        library_result([2], [("b.pdf", 2), ("a.pdf", 2)], documents=("b.pdf", "a.pdf"), ways={"metadata": 2}),
        library_result([], [("a.pdf", 2)], documents=("a.pdf",), answered=True, ways={"metadata": 1}),
    ]
    found = figures(results)
    assert found["questions"] == 3
    assert (found["document_hit@1"], found["document_hit@3"]) == (0.5, 1)
    assert (found["metadata_document_hit@1"], found["semantics_document_hit@1"]) == (0.5, 0)
    assert (found["hit@1"], found["hit@2"], found["mrr"]) == (0.5, 1, 0.75)
    assert found["no_answer_accuracy"] == 0
