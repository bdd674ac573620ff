"""Check the questions for training: `python training/check_questions.py [DATA]` lists faults, and exits with 1 if any.

Without DATA: fields, ids, page lists, duplicates. With DATA (the folder that holds `unlabelled`, `mmlongbench`, and
the like) also: every PDF is there and has the pages named, none of them is for measuring only (a file of FinanceBench
under any name, a development document of MMLongBench), and no evaluation set asks the same question.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pypdfium2

from thumbindex.errors import QuestionSetError
from thumbindex.evaluation.questions import EvaluationQuestion, load_questions

QUESTIONS = Path(__file__).parent / "questions"
FIELDS = {"id", "doc", "question", "pages", "also", "kind", "set"}
ONLY_MEASURES = "financebench"
EVALUATION_SETS = ("financebench", "mmlongbench", "written")


@dataclass(frozen=True)
class Row:
    """A question, its place in the report (`file:line`), and the folder of the data that its PDF lies in."""

    place: str
    folder: str
    asked: EvaluationQuestion

    @property
    def words(self) -> str:
        """The question without case and punctuation."""
        return normal(self.asked.question)


def normal(question: str) -> str:
    """The words of a question, so that case and punctuation make no difference."""
    return " ".join(re.findall(r"\w+", question.lower()))


def rows_of(path: Path) -> list[Row]:
    """The rows of a file.

    Raises:
        QuestionSetError: A row is not of the form.
    """
    asked = load_questions(path)
    rows = []
    for number, (line, question) in enumerate(zip(_lines(path), asked, strict=True), 1):
        row = json.loads(line)
        if row.keys() != FIELDS:
            raise QuestionSetError(f"{path.name}:{number}: fields differ by {sorted(row.keys() ^ FIELDS)}")
        rows.append(Row(f"{path.name}:{number}", str(row["set"]), question))
    return rows


def _lines(path: Path) -> list[str]:
    return [line for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]


def faults_of_pages(row: Row) -> Iterator[str]:
    """Page lists that contradict themselves."""
    if 0 in row.asked.evidence:
        yield f"{row.place}: pages count from 1"
    if row.asked.pages & row.asked.also:
        yield f"{row.place}: a page is in both pages and also"
    if row.asked.also and not row.asked.pages:
        yield f"{row.place}: also without pages"


def duplicates(rows: list[Row]) -> Iterator[str]:
    """Ids used twice, and questions asked twice of the same document."""
    for name, key in (("id", lambda row: row.asked.id), ("question", lambda row: (row.asked.document, row.words))):
        first: dict[object, str] = {}
        for row in rows:
            if key(row) in first:
                yield f"{row.place}: same {name} as {first[key(row)]}"
            first.setdefault(key(row), row.place)


def faults_of_documents(rows: list[Row], data: Path) -> Iterator[str]:
    """PDFs that are missing, shorter than the pages named, or for measuring only."""
    measured = {_digest(path) for path in (data / ONLY_MEASURES).rglob("*.pdf")}
    split_file = data / "mmlongbench" / "split.json"
    split = json.loads(split_file.read_text(encoding="utf-8")) if split_file.is_file() else {}
    for folder, document in sorted({(row.folder, row.asked.document) for row in rows}):
        path = _pdf(data, folder, document)
        if path is None:
            yield f"{folder}/{document}: no such PDF in {data}"
            continue
        if _digest(path) in measured or split.get(document) == "dev":
            yield f"{folder}/{document}: this document is for measuring only"
        last = len(pypdfium2.PdfDocument(path))
        for row in rows:
            beyond = max(row.asked.evidence, default=0)
            if (row.folder, row.asked.document) == (folder, document) and beyond > last:
                yield f"{row.place}: page {beyond} of {last}"


def _pdf(data: Path, folder: str, document: str) -> Path | None:
    # A set keeps its PDFs in its folder, or in `pdfs` below it.
    places = (data / folder / document, data / folder / "pdfs" / document)
    return next((place for place in places if place.is_file()), None)


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def shared_with_evaluation(rows: list[Row], data: Path) -> Iterator[str]:
    """Questions that an evaluation set asks in the same words."""
    for name in EVALUATION_SETS:
        path = data / name / "questions.jsonl"
        asked = {normal(question.question): question.id for question in load_questions(path)} if path.is_file() else {}
        for row in rows:
            if row.words in asked:
                yield f"{row.place}: {name} asks this too ({asked[row.words]})"


def summary(rows: list[Row]) -> str:
    """Counts by set, and how many are near misses."""
    sets = Counter(row.folder for row in rows)
    counts = ", ".join(f"{name} {count}" for name, count in sorted(sets.items()))
    documents = len({row.asked.document for row in rows})
    near = sum(not row.asked.answerable for row in rows)
    return f"{len(rows)} questions on {documents} documents ({counts}); no page answers {near} of them"


def checked(questions: Path, data: Path | None) -> tuple[list[Row], list[str]]:
    """The rows whose form is right, and every fault."""
    rows: list[Row] = []
    faults: list[str] = []
    for path in sorted(questions.glob("*.jsonl")):
        try:
            rows += rows_of(path)
        except QuestionSetError as error:
            faults.append(str(error))
    faults += [fault for row in rows for fault in faults_of_pages(row)]
    faults += duplicates(rows)
    if data is not None:
        faults += [*faults_of_documents(rows, data), *shared_with_evaluation(rows, data)]
    return rows, faults


def main() -> None:
    """Print every fault and the counts."""
    parser = argparse.ArgumentParser(description="Check the questions for training.")
    parser.add_argument("data", type=Path, nargs="?", help="folder of the data sets, to check the PDFs too")
    parser.add_argument("--questions", type=Path, default=QUESTIONS, help="folder of the .jsonl files")
    arguments = parser.parse_args()
    for folder in (arguments.questions, arguments.data):
        if folder is not None and not folder.is_dir():
            parser.error(f"no such folder: {folder}")
    rows, faults = checked(arguments.questions, arguments.data)
    print(*faults, summary(rows), f"{len(faults)} faults", sep="\n")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
