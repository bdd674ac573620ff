"""The check of the questions for training, run as its user runs it: on those committed, and on ones with a fault."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pypdfium2
import pytest

CHECK = Path(__file__).parents[2] / "training" / "check_questions.py"


def check(*arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(CHECK), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, encoding="utf-8", check=False)


def row(**changes: object) -> dict[str, object]:
    plain = {
        "id": "a",
        "doc": "a.pdf",
        "question": "How old is it?",
        "pages": [1],
        "also": [2],
        "kind": "k",
        "set": "s",
    }
    return {**plain, **changes}


@pytest.fixture
def folder(tmp_path):
    """Two pages of `s/a.pdf` in the data, and a writer of rows."""
    for name in ("s", "financebench/pdfs", "mmlongbench", "questions"):
        (tmp_path / name).mkdir(parents=True)
    document = pypdfium2.PdfDocument.new()
    for _ in range(2):
        document.new_page(200, 200)
    document.save(tmp_path / "s" / "a.pdf")
    return tmp_path


def checked(folder: Path, *rows: dict[str, object]) -> subprocess.CompletedProcess[str]:
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (folder / "questions" / "a.jsonl").write_text(lines, encoding="utf-8")
    return check(folder, "--questions", folder / "questions")


def test_the_committed_questions_have_no_fault():
    done = check()
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("0 faults\n")


def test_good_rows_pass_and_are_counted(folder):
    done = checked(folder, row(), row(id="b", question="Who owns it?", pages=[], also=[]))
    assert done.returncode == 0
    assert "2 questions on 1 documents (s 2); no page answers 1 of them" in done.stdout


@pytest.mark.parametrize(
    ("rows", "fault"),
    [
        ([{"id": "a"}], "a line is"),
        ([row(kinds="k")], "fields differ by ['kinds']"),
        ([row(pages=[0], also=[])], "pages count from 1"),
        ([row(also=[1])], "a page is in both pages and also"),
        ([row(pages=[])], "also without pages"),
        ([row(), row(question="Who owns it?")], "'a' comes twice"),
        ([row(), row(id="b", question="how old, is it")], "same question as a.jsonl:1"),
        ([row(also=[3])], "page 3 of 2"),
        ([row(doc="b.pdf")], "no such PDF"),
    ],
)
def test_each_fault_is_named(folder, rows, fault):
    done = checked(folder, *rows)
    assert done.returncode == 1
    assert fault in done.stdout


def test_a_document_that_only_measures_is_refused_under_any_name(folder):
    (folder / "financebench" / "pdfs" / "other.pdf").write_bytes((folder / "s" / "a.pdf").read_bytes())
    assert "measuring only" in checked(folder, row()).stdout


def test_a_development_document_is_refused(folder):
    (folder / "mmlongbench" / "split.json").write_text('{"a.pdf": "dev"}', encoding="utf-8")
    assert "measuring only" in checked(folder, row()).stdout


def test_a_question_of_an_evaluation_set_is_refused(folder):
    (folder / "financebench" / "questions.jsonl").write_text(json.dumps(row(id="f", question="How OLD is it")) + "\n")
    assert "financebench asks this too (f)" in checked(folder, row()).stdout


def test_a_folder_that_is_not_there_is_wrong_usage(folder):
    assert check(folder / "none").returncode == 2
