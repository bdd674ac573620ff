"""Writes the example documents and their question sets.

python make_examples.py [FOLDER]        (default: the folder of this file)
"""

from __future__ import annotations

import sys
from pathlib import Path

from make import handbook, report
from make.book import Book, Drawn, draw
from make.handbook.questions import QUESTIONS as HANDBOOK_QUESTIONS
from make.questions import Question, to_jsonl
from make.report.questions import QUESTIONS as REPORT_QUESTIONS


def make_handbook(folder: Path) -> Drawn:
    """Writes handbook.pdf and its questions."""
    return _make(handbook.book(), HANDBOOK_QUESTIONS, folder / "handbook.pdf", "handbook")


def make_report(folder: Path) -> Drawn:
    """Writes annual-report.pdf and its questions."""
    return _make(report.book(), REPORT_QUESTIONS, folder / "annual-report.pdf", "report")


def _make(book: Book, questions: tuple[Question, ...], path: Path, prefix: str) -> Drawn:
    drawn = draw(book, path)
    path.with_suffix(".questions.jsonl").write_text(to_jsonl(questions, prefix, path.name, drawn), "utf-8")
    print(f"{path.name}: {drawn.page_count} pages, {len(questions)} questions")
    return drawn


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else Path(__file__).parent
    make_handbook(target)
    make_report(target)
