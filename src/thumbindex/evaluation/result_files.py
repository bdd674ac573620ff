"""Results of a run as JSON Lines: a question a line, each with the run it belongs to."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from thumbindex.errors import PathError, ResultFileError
from thumbindex.evaluation.questions import parse_question
from thumbindex.evaluation.results import LibraryResult, QuestionResult, Result, Run, SectionResult
from thumbindex.search import CheckedPage

__all__ = ["FORMAT", "load_results", "result_to_json"]

# 1 had neither the run nor the checked pages, 2 did not say what was searched; neither was released.
FORMAT = 3
_SEARCHED = {QuestionResult: "document", LibraryResult: "library"}


def result_to_json(result: Result, run: Run) -> dict[str, Any]:
    """A result as one object for a JSON line: the question's own fields, then what came of it."""
    row = asdict(result)
    question = row.pop("question")
    return {
        "format": FORMAT,
        "searched": _SEARCHED[type(result)],
        "run": asdict(run),
        "id": question["id"],
        "doc": question["document"],
        "question": question["question"],
        "pages": sorted(question["pages"]),
        "also": sorted(question["also"]),
        **row,
    }


def load_results(path: Path) -> tuple[Run, list[Result]]:
    """What `thumbindex eval --out` wrote: the run, and the result of each question.

    Raises:
        PathError: The file cannot be read.
        ResultFileError: It is no such file, or of another format.
    """
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except OSError as error:
        raise PathError(f"cannot read {path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise _refused(path, "it is not UTF-8 text") from error
    rows = [_row(line, number, path) for number, line in enumerate(lines, 1) if line.strip()]
    if not rows:
        raise _refused(path, "it is empty")
    _check_one_run(rows, path)
    return rows[0][0], [result for _, result in rows]


def _row(line: str, number: int, path: Path) -> tuple[Run, Result]:
    try:
        row = json.loads(line)
        if not isinstance(row, dict) or "format" not in row:
            raise ValueError("no format, or that of an older version")
        if row["format"] != FORMAT:
            raise ValueError(f"format {row['format']!r}, this version reads {FORMAT}")
        return _run(row["run"]), _result(row)
    except KeyError as error:
        raise _refused(path, f"line {number} has no {error}") from error
    except (ValueError, TypeError, AttributeError, RecursionError) as error:
        raise _refused(path, f"line {number}: {error}") from error


def _refused(path: Path, reason: str) -> ResultFileError:
    return ResultFileError(
        f"{path} is not what `thumbindex eval --out` of this version writes ({reason}): run it again"
    )


def _check_one_run(rows: Sequence[tuple[Run, Result]], path: Path) -> None:
    first, result = rows[0]
    if any(run != first or type(other) is not type(result) for run, other in rows):
        raise _refused(path, "its lines are of several runs")
    ids = [result.question.id for _, result in rows]
    if len(set(ids)) < len(ids):
        raise _refused(path, f"the id {next(i for i in ids if ids.count(i) > 1)!r} comes twice")


def _run(row: dict[str, Any]) -> Run:
    options = row["options"]
    _check(isinstance(options, dict) and all(isinstance(v, str | int | float | bool) for v in options.values()), "run")
    _check(all(isinstance(row[name], str) for name in ("model", "thumbindex", "date")), "run")
    return Run(row["model"], row["thumbindex"], row["date"], options)


def _result(row: dict[str, Any]) -> Result:
    _check(type(row["answered"]) is bool, "answered")
    common = {
        "question": parse_question(row),
        "answered": row["answered"],
        "seconds": _number(row["seconds"], "seconds"),
        "input_tokens": _count(row["input_tokens"], "input_tokens"),
    }
    _check(row["searched"] in _SEARCHED.values(), "searched")
    return _of_document(row, common) if row["searched"] == "document" else _of_library(row, common)


def _of_document(row: dict[str, Any], common: dict[str, Any]) -> QuestionResult:
    _check(isinstance(row["note"], str), "note")
    checked = tuple(
        CheckedPage(_count(page["page"], "checked", 1), _probability(page["probability"])) for page in row["checked"]
    )
    sections = tuple(
        SectionResult(_count(s["first"], "sections", 1), _count(s["last"], "sections", 1)) for s in row["sections"]
    )
    return QuestionResult(
        **common,
        ranking=_pages(row["ranking"], "ranking"),
        kept=_pages(row["kept"], "kept"),
        checked=checked,
        sections=sections,
        page_count=_count(row["page_count"], "page_count"),
        answer_probability=_probability(row["answer_probability"]),
        lexical_ranking=_pages(row["lexical_ranking"], "lexical_ranking"),
        note=row["note"],
    )


def _of_library(row: dict[str, Any], common: dict[str, Any]) -> LibraryResult:
    documents, ways = row["documents"], row["ways"]
    _check(isinstance(documents, list) and all(isinstance(name, str) for name in documents), "documents")
    _check(isinstance(ways, dict), "ways")
    ranking = tuple((document, _count(page, "ranking", 1)) for document, page in row["ranking"])
    _check(all(isinstance(document, str) for document, _ in ranking), "ranking")
    return LibraryResult(
        **common,
        documents=tuple(documents),
        ranking=ranking,
        ways={way: None if rank is None else _count(rank, "ways", 1) for way, rank in ways.items()},
    )


def _pages(values: Any, name: str) -> tuple[int, ...]:
    _check(isinstance(values, list), name)
    return tuple(_count(value, name, 1) for value in values)


def _count(value: Any, name: str, least: int = 0) -> int:
    _check(type(value) is int and value >= least, name)
    return int(value)


def _number(value: Any, name: str) -> float:
    _check(type(value) in (int, float) and 0 <= value < float("inf"), name)
    return float(value)


def _probability(value: Any) -> float:
    number = _number(value, "a probability")
    _check(number <= 1, "a probability")
    return number


def _check(fits: bool, name: str) -> None:
    if not fits:
        raise ValueError(f"{name} cannot be used")
