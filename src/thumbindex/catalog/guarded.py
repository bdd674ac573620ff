"""Running a SELECT that we did not think up: it may read the one view, nothing else, and not for long.

The statement was checked and rebuilt before; this holds even if that were wrong, and asks the database itself what a
statement would do.

On SQLite the authoriser is asked about every table, column and function while the statement is compiled, on a
connection that can only read. On PostgreSQL `reading_role.py` does the like. What neither prevents: a statement may
keep one connection busy, and fill the memory that the database gives a sort, until its deadline.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from thumbindex.catalog.database import Database, read_only_uri
from thumbindex.catalog.reading_role import run_as_reader
from thumbindex.catalog.schema import VIEW
from thumbindex.endpoints import sendable
from thumbindex.errors import RefusedStatementError

__all__ = ["DEADLINE_S", "run_guarded"]

DEADLINE_S = 2.0
_MOST_ROWS = 2_000
_LONGEST = 20_000
_STEPS_BETWEEN_LOOKS = 1_000
_FUNCTIONS = frozenset({"lower", "upper", "trim", "like"})
# What the view is made of.
_BEHIND_THE_VIEW = frozenset({"documents", "field_values"})
_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: 1_000_000,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 100,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 1,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 200,
}


def run_guarded(statement: str, database: Database, deadline_s: float = DEADLINE_S) -> list[str]:
    """The first column of the rows that a SELECT gives, as text, at most 2,000 of them.

    Raises:
        RefusedStatementError: It would do more than read the view, takes too long, or cannot be run.
    """
    if len(statement) > _LONGEST:
        raise RefusedStatementError(f"the model's SQL has {len(statement):,} characters, more than {_LONGEST:,}")
    if database.is_postgresql:
        return run_as_reader(sendable(statement), database, deadline_s, _MOST_ROWS)
    return _run_on_sqlite(sendable(statement), database, deadline_s)


def _run_on_sqlite(statement: str, database: Database, deadline_s: float) -> list[str]:
    address = read_only_uri(Path(str(database.engine.url.database)))
    try:
        with closing(sqlite3.connect(address, uri=True, isolation_level=None)) as connection:
            connection.execute("PRAGMA query_only = ON")
            for limit, most in _LIMITS.items():
                connection.setlimit(limit, most)
            connection.set_authorizer(_authorise)
            connection.set_progress_handler(_past(time.monotonic() + deadline_s), _STEPS_BETWEEN_LOOKS)
            return [str(row[0]) for row in connection.execute(statement).fetchmany(_MOST_ROWS)]
    except (sqlite3.Error, sqlite3.Warning) as error:
        reason = "it took too long" if "interrupted" in str(error) else str(error)
        raise RefusedStatementError(f"the model's SQL was stopped: {reason}") from error


def _past(deadline: float) -> Callable[[], bool]:
    return lambda: time.monotonic() > deadline


def _authorise(action: int, first: str | None, second: str | None, _database: str | None, source: str | None) -> int:
    """SQLite asks this of every part of a statement before it runs."""
    if action == sqlite3.SQLITE_SELECT:
        return sqlite3.SQLITE_OK
    if action == sqlite3.SQLITE_READ:
        allowed = first == VIEW or (first in _BEHIND_THE_VIEW and source == VIEW)
        return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY
    if action == sqlite3.SQLITE_FUNCTION and (second or "").lower() in _FUNCTIONS:
        return sqlite3.SQLITE_OK
    return sqlite3.SQLITE_DENY
