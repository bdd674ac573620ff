import json

import pytest
from runs_of_questions import RUN, library_result, result

from thumbindex.errors import PathError, ResultFileError
from thumbindex.evaluation.result_files import load_results, result_to_json
from thumbindex.evaluation.results import SectionResult

FULL = result(
    [2],
    [2, 5],
    also=[7],
    id="q1",
    question="How many plants — and where?",
    checked=[(2, 0.8), (5, 0.4)],
    kept=(2,),
    sections=(SectionResult(1, 4),),
    answered=True,
    answer_probability=0.8,
    seconds=0.5,
    input_tokens=120,
    lexical_ranking=(5, 2),
)
EMPTY = result(id="q2", note="no text on any page")

LIBRARY = [
    library_result(
        [2],
        [("b.pdf", 7), ("a.pdf", 2)],
        id="q1",
        documents=("b.pdf", "a.pdf"),
        ways={"metadata": 2, "semantics": None},
        answered=True,
        seconds=0.5,
        input_tokens=120,
    ),
    library_result(id="q2"),
]


def rows():
    return [json.loads(json.dumps(result_to_json(each, RUN))) for each in (FULL, EMPTY)]


def written(tmp_path, lines):
    path = tmp_path / "out.jsonl"
    path.write_text("".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines))
    return path


def test_what_is_written_is_read_back(tmp_path):
    assert load_results(written(tmp_path, rows())) == (RUN, [FULL, EMPTY])


def library_rows():
    return [json.loads(json.dumps(result_to_json(each, RUN))) for each in LIBRARY]


def test_what_is_written_of_a_library_is_read_back(tmp_path):
    assert load_results(written(tmp_path, library_rows())) == (RUN, LIBRARY)


def without(row, name):
    return {key: each for key, each in row.items() if key != name}


BROKEN = {
    "no JSON": lambda row: "no json",
    "a list": lambda row: [1],
    "a question set": lambda row: {"id": "q1", "doc": "a.pdf", "question": "?", "pages": [1]},
    "an older format": lambda row: row | {"format": 1},
    "something else searched": lambda row: row | {"searched": "the web"},
    "no run": lambda row: without(row, "run"),
    "a run that is none": lambda row: row | {"run": "lexical"},
    "a run without a model": lambda row: row | {"run": without(row["run"], "model")},
    "options that are none": lambda row: row | {"run": row["run"] | {"options": {"beam": [3]}}},
    "no ranking": lambda row: without(row, "ranking"),
    "pages that are none": lambda row: row | {"ranking": ["2"]},
    "page 0": lambda row: row | {"kept": [0]},
    "a ranking of another type": lambda row: row | {"ranking": "25"},
    "checked without probability": lambda row: row | {"checked": [{"page": 2}]},
    "a probability above 1": lambda row: row | {"answer_probability": 1.2},
    "no number": lambda row: row | {"answer_probability": float("nan")},
    "no verdict": lambda row: row | {"answered": None},
    "deep nesting": lambda row: "[" * 100_000,
    "an id twice": lambda row: row | {"id": "q1"},
    "two runs in one file": lambda row: row | {"run": row["run"] | {"model": "other-2"}},
}


@pytest.mark.parametrize("name", BROKEN)
def test_other_files_are_refused_with_one_line_that_says_why(tmp_path, name):
    first, second = rows()
    path = written(tmp_path, [first, BROKEN[name](second)])
    with pytest.raises(ResultFileError, match=r"is not what `thumbindex eval --out` of this version writes") as caught:
        load_results(path)
    assert "\n" not in str(caught.value)


BROKEN_OF_A_LIBRARY = {
    "no documents": lambda row: without(row, "documents"),
    "documents that are none": lambda row: row | {"documents": [1]},
    "pages without documents": lambda row: row | {"ranking": [2, 5]},
    "a page that is none": lambda row: row | {"ranking": [["a.pdf", 0]]},
    "a document that is none": lambda row: row | {"ranking": [[1, 2]]},
    "ways that are none": lambda row: row | {"ways": ["metadata"]},
    "a rank that is none": lambda row: row | {"ways": {"metadata": "first"}},
    "of a given document": lambda row: rows()[1],
}


@pytest.mark.parametrize("name", BROKEN_OF_A_LIBRARY)
def test_files_of_a_library_that_are_damaged_are_refused_with_one_line(tmp_path, name):
    first, second = library_rows()
    with pytest.raises(ResultFileError, match=r"is not what `thumbindex eval --out` of this version writes") as caught:
        load_results(written(tmp_path, [first, BROKEN_OF_A_LIBRARY[name](second)]))
    assert "\n" not in str(caught.value)


def test_files_that_cannot_be_read_are_told_apart(tmp_path):
    with pytest.raises(PathError, match="cannot read"):
        load_results(tmp_path / "none.jsonl")
    with pytest.raises(PathError, match="cannot read"):
        load_results(tmp_path)
    with pytest.raises(ResultFileError, match="empty"):
        load_results(written(tmp_path, []))
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(ResultFileError, match="UTF-8"):
        load_results(tmp_path / "binary")
