"""Answers kept on disk: a cache of what was paid for, and recordings that repeat a search without its model."""

from __future__ import annotations

import json
import logging
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from threading import Lock
from typing import Any

from thumbindex.decision.base import Choice, Decision, DecisionModel, Limits, Noul, Question, Request, Usage, checked
from thumbindex.decision.cache import Answer, request_key
from thumbindex.errors import NotRecordedError, RecordingError, StoreError

__all__ = ["DiskCache", "Recorder", "Recording"]

_log = logging.getLogger(__name__)

_SCHEMA = "CREATE TABLE IF NOT EXISTS answers (key TEXT PRIMARY KEY, model TEXT NOT NULL, probabilities TEXT NOT NULL)"
_GET = "SELECT model, probabilities FROM answers WHERE key = ?"
_PUT = "INSERT OR REPLACE INTO answers VALUES (?, ?, ?)"
# About a kilobyte each: some hundreds of megabytes, and tens of thousands of searches. The oldest give way.
_KEPT_ANSWERS = 500_000
_BOUND = "DELETE FROM answers WHERE rowid <= (SELECT max(rowid) FROM answers) - ?"
_BUSY_TIMEOUT_S = 30
_MODEL_FILE, _DECISIONS_FILE = "model.json", "decisions.jsonl"


class DiskCache:
    """Answers in a SQLite file, by digests of what was asked: neither questions nor texts are in it.

    An answer is worth more than that it is kept: once the file cannot be read or written, this logs so and holds none.

    Args:
        path: Of the file, made where there is none.

    Raises:
        StoreError: The file cannot be made, or is no cache.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._given_up = False
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(f"cannot keep answers in {path.parent}: {error.strerror}") from error
        with self._connection() as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute(_SCHEMA)
            connection.execute(_BOUND, (_KEPT_ANSWERS,))

    def get(self, key: str) -> Answer | None:
        """The answer kept under the key."""
        row = self._first_row(_GET, key)
        return Answer(json.loads(row[1]), row[0]) if row else None

    def put(self, key: str, answer: Answer) -> None:
        """Keep an answer."""
        self._first_row(_PUT, key, answer.model, json.dumps(dict(answer.probabilities)))

    def _first_row(self, statement: str, *values: str) -> tuple[str, str] | None:
        if self._given_up:
            return None
        try:
            with self._connection() as connection:
                row: tuple[str, str] | None = connection.execute(statement, values).fetchone()
                return row
        except StoreError as error:
            self._given_up = True
            _log.warning("%s; going on without, until the next start", error)
            return None

    @contextmanager
    def _connection(self) -> Iterator[sqlite3.Connection]:
        # One for each use: a connection belongs to a thread, and opening one costs less than any answer.
        try:
            with closing(sqlite3.connect(self._path, timeout=_BUSY_TIMEOUT_S)) as connection, connection:
                yield connection
        except sqlite3.Error as error:
            raise StoreError(f"cannot keep answers in {self._path}: {error}") from error


class Recorder:
    """A model in front of another that writes down every question and answer.

    The folder gets `model.json`, with what the model is, and `decisions.jsonl`, a line a decision. They hold the texts
    that were shown to the model.

    Args:
        model: What answers.
        folder: Made where there is none; what was recorded there before is added to.

    Raises:
        RecordingError: The folder cannot be written, or holds a recording of another model.
    """

    def __init__(self, model: DecisionModel, folder: Path) -> None:
        self._model = model
        self._file = folder / _DECISIONS_FILE
        self._lock = Lock()
        described = {"name": model.name, "limits": asdict(model.limits)}
        about = folder / _MODEL_FILE
        if about.exists() and _read_model(about) != described:
            raise RecordingError(f"{folder} holds a recording of another model: record into another folder")
        try:
            folder.mkdir(parents=True, exist_ok=True)
            about.write_text(json.dumps(described), encoding="utf-8")
            self._file.touch()
        except OSError as error:
            raise RecordingError(f"cannot record into {folder}: {error.strerror}") from error

    @property
    def name(self) -> str:
        """That of the model behind."""
        return self._model.name

    @property
    def limits(self) -> Limits:
        """Those of the model behind."""
        return self._model.limits

    def decide(self, requests: Sequence[Request]) -> list[Decision]:
        """The answers of the model behind, written down.

        Raises:
            DecisionError: The model failed.
            RecordingError: The folder can no longer be written.
        """
        decisions = self._model.decide(requests)
        lines = [_line(self.name, request, decision) for request, decision in zip(requests, decisions, strict=True)]
        try:
            with self._lock, self._file.open("a", encoding="utf-8") as stream:
                stream.write("".join(lines))
        except OSError as error:
            raise RecordingError(f"cannot record into {self._file}: {error.strerror}") from error
        return decisions


class Recording:
    """A model that knows what was recorded, and nothing else.

    Args:
        folder: As `Recorder` wrote it.

    Raises:
        RecordingError: It holds no recording.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        described = _read_model(folder / _MODEL_FILE)
        self._name = str(described["name"])
        self._limits = Limits(**described["limits"])
        self._rows = _read_rows(folder / _DECISIONS_FILE)

    @property
    def name(self) -> str:
        """That of the model that was recorded."""
        return self._name

    @property
    def limits(self) -> Limits:
        """Those of the model that was recorded."""
        return self._limits

    def decide(self, requests: Sequence[Request]) -> list[Decision]:
        """The answers that were recorded, with what they cost then.

        Raises:
            NotRecordedError: One of the requests was not recorded.
        """
        return [self._decision(request) for request in requests]

    def _decision(self, request: Request) -> Decision:
        row = self._rows.get(request_key(self._name, request))
        if row is None:
            raise NotRecordedError(
                f"{self._folder} has no answer to a question of this search: the document, the question, an option, "
                "or this program is not the same as when it was recorded"
            )
        return _decision_from(request.question, row)


def _line(name: str, request: Request, decision: Decision) -> str:
    row = {
        "key": request_key(name, request),
        "state": request.state if isinstance(request.state, str) else dict(request.state),
        "question": _question_json(request.question),
        "probabilities": dict(decision.probabilities),
        "model": decision.model,
        "usage": asdict(decision.usage),
    }
    return f"{json.dumps(row)}\n"


def _question_json(question: Question) -> dict[str, Any]:
    match question:
        case Choice():
            asked: dict[str, Any] = {"type": "choice", "options": dict(question.options)}
        case Noul():
            asked = {"type": "noul", "true": question.when_true, "false": question.when_false}
        case _:
            asked = {"type": "score", "levels": list(question.levels)}
    return asked | {"instructions": question.instructions}


def _read_model(file: Path) -> dict[str, Any]:
    try:
        described = json.loads(file.read_text(encoding="utf-8"))
        return {"name": described["name"], "limits": asdict(Limits(**described["limits"]))}
    except OSError as error:
        raise RecordingError(f"{file.parent} holds no recording: {file.name}: {error.strerror}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise RecordingError(f"{file} is not as it was recorded") from error


def _read_rows(file: Path) -> dict[str, dict[str, Any]]:
    try:
        rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()]
        return {row["key"]: row for row in rows}
    except OSError as error:
        raise RecordingError(f"cannot read {file}: {error.strerror}") from error
    except (ValueError, KeyError, TypeError) as error:
        raise RecordingError(f"{file} is not as it was recorded") from error


def _decision_from(question: Question, row: dict[str, Any]) -> Decision:
    try:
        probabilities = checked(question, row["probabilities"], row["model"])
        return Decision(question, probabilities, row["model"], replace(Usage(), **row["usage"]))
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise NotRecordedError("a recorded answer has been damaged") from error
