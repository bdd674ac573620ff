"""The question sets: well-formed, of all styles, and answered where they say."""

from __future__ import annotations

from collections import Counter

import pytest
from make.book import Drawn
from make.questions import Question, to_jsonl


def test_rows_have_the_fields_of_a_question_set(example):
    for row in example.questions:
        assert set(row) == {"id", "doc", "question", "pages", "also", "style", "evidence"}
        assert row["doc"] == example.path.name
        assert row["question"].strip()


def test_ids_and_questions_are_unique(example):
    assert len({row["id"] for row in example.questions}) == len(example.questions)
    assert len({row["question"] for row in example.questions}) == len(example.questions)


def test_there_are_enough_of_each_style(example):
    styles = Counter(row["style"] for row in example.questions)
    assert set(styles) == {"question", "keywords", "table", "paraphrase", "near miss"}
    assert min(styles.values()) >= 5
    assert len(example.questions) - styles["near miss"] >= 25


def test_pages_are_in_the_document_and_also_adds_others(example):
    for row in example.questions:
        assert all(1 <= page <= len(example.texts) for page in row["pages"] + row["also"])
        assert not set(row["pages"]) & set(row["also"])


def test_only_near_misses_have_no_page(example):
    for row in example.questions:
        assert (row["style"] == "near miss") == (not row["pages"])
        assert row["pages"] or not row["also"]


def test_the_evidence_stands_on_its_page(example):
    for row in example.questions:
        assert {int(page) for page in row["evidence"]} == {*row["pages"], *row["also"]}
        for page, words in row["evidence"].items():
            assert words in example.texts[int(page) - 1], row["question"]


def test_capital_expenditure_is_answered_by_the_cash_flow_statement(report):
    row = next(row for row in report.questions if "capital expenditure in 2025" in row["question"])
    (page,) = row["pages"]
    assert "Consolidated statements of cash flows" in report.texts[page - 1]
    shown = {
        number
        for number, text in enumerate(report.texts, 1)
        if "apital expenditures" in text and any(form in text for form in (" (217)", "$217", " 217 188"))
    }
    assert shown <= {page, *row["also"]}


def test_a_mark_that_was_never_drawn_is_an_error():
    question = Question("question", "Where?", {"nowhere": "here"})
    with pytest.raises(KeyError, match="nowhere"):
        to_jsonl([question], "q", "x.pdf", Drawn(3, ()))


def test_a_mark_drawn_on_two_pages_is_an_error():
    question = Question("question", "Where?", {"twice": "here"})
    with pytest.raises(ValueError, match="twice"):
        to_jsonl([question], "q", "x.pdf", Drawn(3, (), {"twice": (1, 2)}))
