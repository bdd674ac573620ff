import json

import pytest

from thumbindex.errors import PathError, QuestionSetError
from thumbindex.evaluation.questions import load_questions

GOOD = {"id": "q1", "doc": "a.pdf", "question": "How many?", "pages": [3], "also": [5], "kind": "ignored"}


def written(tmp_path, *rows):
    path = tmp_path / "questions.jsonl"
    path.write_text("\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows))
    return path


def test_a_hit_is_any_evidence_page_or_another_page_that_answers(tmp_path):
    (question,) = load_questions(written(tmp_path, GOOD, ""))
    assert (question.document, question.pages, question.evidence) == ("a.pdf", {3}, {3, 5})
    assert question.answerable


def test_no_pages_means_the_document_does_not_answer(tmp_path):
    (question,) = load_questions(written(tmp_path, GOOD | {"pages": [], "also": None}))
    assert not question.answerable


@pytest.mark.parametrize(
    "row",
    [
        "no json",
        "[1]",
        {"id": "q1"},
        GOOD | {"pages": 3},
        GOOD | {"pages": [-1]},
        GOOD | {"pages": [True]},
        GOOD | {"pages": ["3"]},
        GOOD | {"doc": "../secret.pdf"},
        GOOD | {"question": " "},
    ],
)
def test_a_bad_line_is_named(tmp_path, row):
    with pytest.raises(QuestionSetError, match="line 2"):
        load_questions(written(tmp_path, GOOD, row))


def test_an_id_comes_once(tmp_path):
    with pytest.raises(QuestionSetError, match="'q1' comes twice"):
        load_questions(written(tmp_path, GOOD, GOOD))


def test_an_empty_set_a_missing_file_and_a_binary_one_are_errors(tmp_path):
    with pytest.raises(QuestionSetError, match="no questions"):
        load_questions(written(tmp_path, ""))
    with pytest.raises(PathError, match="cannot read"):
        load_questions(tmp_path / "none.jsonl")
    (tmp_path / "binary.jsonl").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(QuestionSetError, match="not UTF-8"):
        load_questions(tmp_path / "binary.jsonl")
