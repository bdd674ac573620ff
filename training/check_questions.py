"""Check the questions for training: `python training/check_questions.py [DATA]` lists faults, and exits with 1 if any.

Without DATA: fields, ids, page lists, duplicates. With DATA (the folder that holds `unlabelled`, `written`,
`mmlongbench`, and the like) also: every PDF is there and has the pages named, none of its bytes belong to a document
that only measures, none is a development document of MMLongBench, and no evaluation set asks the same question.
"""

from __future__ import annotations

import hashlib
import json
import re
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pypdfium2

from thumbindex.evaluation.questions import EvaluationQuestion, load_questions

QUESTIONS = Path(__file__).parent / "questions"
FIELDS = {"id", "doc", "question", "pages", "also", "kind", "set"}
ONLY_MEASURES = "financebench"
EVALUATION_SETS = ("financebench", "mmlongbench", "written")


@dataclass(frozen=True)
class Row:
    """A question and where it stands: the file and the line, for the report; its `set`, to find the PDF."""

    place: str
    folder: str
    asked: EvaluationQuestion


def normal(question: str) -> str:
    """The words of a question, so that case and punctuation make no difference."""
    return " ".join(re.findall(r"\w+", question.lower()))


def faults_of_form(path: Path) -> Iterator[str]:
    """Rows whose fields are not those of the format; what `load_questions` checks too is left to it."""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        row = json.loads(line)
        if row.keys() != FIELDS:
            yield f"{path.name}:{number}: fields differ: {sorted(row.keys() ^ FIELDS)}"
        elif not (isinstance(row["kind"], str) and isinstance(row["set"], str) and row["kind"] and row["set"]):
            yield f"{path.name}:{number}: kind and set are text"


def rows_of(path: Path) -> list[Row]:
    """The rows of a file whose form is right."""
    folders = [json.loads(line)["set"] for line in path.read_text(encoding="utf-8").splitlines()]
    asked = load_questions(path)
    return [Row(f"{path.name}:{n}", folder, q) for n, (folder, q) in enumerate(zip(folders, asked, strict=True), 1)]


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
    for key in ("id", "question"):
        first: dict[object, str] = {}
        for row in rows:
            value = row.asked.id if key == "id" else (row.asked.document, normal(row.asked.question))
            if value in first:
                yield f"{row.place}: same {key} as {first[value]}"
            first.setdefault(value, row.place)


def pdf_of(data: Path, folder: str, document: str) -> Path | None:
    """The PDF, which a set keeps in its folder or in `pdfs` below it."""
    places = (data / folder / document, data / folder / "pdfs" / document)
    return next((place for place in places if place.is_file()), None)


def digest(path: Path) -> str:
    """SHA-256 of a file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def faults_of_documents(rows: list[Row], data: Path) -> Iterator[str]:
    """PDFs that are missing, too short for the pages named, or held back for measuring."""
    measured = {digest(path) for path in (data / ONLY_MEASURES).rglob("*.pdf")}
    split_file = data / "mmlongbench" / "split.json"
    split = json.loads(split_file.read_text()) if split_file.is_file() else {}
    for folder, document in sorted({(row.folder, row.asked.document) for row in rows}):
        path = pdf_of(data, folder, document)
        if path is None:
            yield f"{folder}/{document}: no such PDF in {data}"
            continue
        if digest(path) in measured or split.get(document) == "dev":
            yield f"{folder}/{document}: this document is for measuring only"
        last = len(pypdfium2.PdfDocument(path))
        for row in rows:
            if (row.folder, row.asked.document) == (folder, document) and max(row.asked.evidence, default=0) > last:
                yield f"{row.place}: page {max(row.asked.evidence)} of {last}"


def shared_with_evaluation(rows: list[Row], data: Path) -> Iterator[str]:
    """Questions that an evaluation set asks in the same words."""
    for name in EVALUATION_SETS:
        path = data / name / "questions.jsonl"
        asked = {normal(question.question): question.id for question in load_questions(path)} if path.is_file() else {}
        for row in rows:
            if normal(row.asked.question) in asked:
                yield f"{row.place}: asked by {name} too ({asked[normal(row.asked.question)]})"


def summary(rows: list[Row]) -> str:
    """Counts by set, and the share of near misses."""
    sets = Counter(row.folder for row in rows)
    near = sum(not row.asked.answerable for row in rows)
    documents = len({row.asked.document for row in rows})
    counts = ", ".join(f"{name} {count}" for name, count in sorted(sets.items()))
    return f"{len(rows)} questions on {documents} documents ({counts}); {near} that no page answers"


def main() -> None:
    """Print every fault and the counts."""
    paths = sorted(QUESTIONS.glob("*.jsonl"))
    faults = [fault for path in paths for fault in faults_of_form(path)]
    rows = [] if faults else [row for path in paths for row in rows_of(path)]
    faults += [fault for row in rows for fault in faults_of_pages(row)]
    faults += duplicates(rows)
    if len(sys.argv) > 1:
        data = Path(sys.argv[1])
        faults += [*faults_of_documents(rows, data), *shared_with_evaluation(rows, data)]
    print(*faults, summary(rows), f"{len(faults)} faults", sep="\n")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
