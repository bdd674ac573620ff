"""Running a SELECT that we did not think up: it may read the one view, nothing else, and not for long.

The statement was checked and rebuilt before; this holds even if that were wrong. On PostgreSQL it holds for tables, for
writing and for time; a statement that calls functions could give itself the role back that it was run from, and that no
statement calls functions is what the check is for.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, text
from sqlalchemy.exc import SQLAlchemyError

from thumbindex.catalog.database import Database
from thumbindex.catalog.schema import VIEW
from thumbindex.errors import RefusedStatementError

__all__ = ["DEADLINE_S", "run_guarded"]

DEADLINE_S = 2.0
_MOST_ROWS = 2_000
_STEPS_BETWEEN_LOOKS = 1_000
_FUNCTIONS = frozenset({"lower", "upper", "trim", "like"})
# What the view is made of.
_BEHIND_THE_VIEW = frozenset({"documents", "field_values"})
_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: 1_000_000,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 20_000,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 100,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 1,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 200,
}
_READER = "thumbindex_reader"


def run_guarded(statement: str, database: Database, deadline_s: float = DEADLINE_S) -> list[str]:
    """The first column of the rows that a SELECT gives, as text, at most 2,000 of them.

    Raises:
        RefusedStatementError: It would do more than read the view, takes too long, or cannot be run.
    """
    run = _run_on_postgresql if database.is_postgresql else _run_on_sqlite
    return run(statement, database, deadline_s)


def _run_on_sqlite(statement: str, database: Database, deadline_s: float) -> list[str]:
    address = f"{Path(str(database.engine.url.database)).absolute().as_uri()}?mode=ro"
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


def _run_on_postgresql(statement: str, database: Database, deadline_s: float) -> list[str]:
    try:
        _let_reader_read(database)
        with database.engine.connect() as connection:
            connection.execute(text("SET TRANSACTION READ ONLY"))
            connection.execute(text(f"SET LOCAL statement_timeout = {int(deadline_s * 1_000)}"))
            connection.execute(text(f"SET LOCAL ROLE {_READER}"))
            return _rows(connection, statement)
    except SQLAlchemyError as error:
        raise _stopped(getattr(error, "orig", None) or error) from error


def _rows(connection: Connection, statement: str) -> list[str]:
    """The rows, by the protocol that takes one statement and no more."""
    driver: Any = connection.connection.driver_connection
    try:
        with driver.cursor() as cursor:
            cursor.execute(statement, binary=True)
            return [str(row[0]) for row in cursor.fetchmany(_MOST_ROWS)]
    except Exception as error:
        if type(error).__module__.partition(".")[0] != "psycopg":
            raise
        raise _stopped(error) from error
    finally:
        driver.rollback()


def _let_reader_read(database: Database) -> None:
    """See to the role that may read the view and nothing else."""
    may = text(
        "SELECT COALESCE((SELECT has_table_privilege(oid, :view, 'SELECT') FROM pg_roles WHERE rolname = :role), false)"
    )
    with database.engine.begin() as connection:
        if connection.scalar(may, {"role": _READER, "view": VIEW}):
            return
        database.hold(connection, _READER)
        if not connection.scalar(text("SELECT 1 FROM pg_roles WHERE rolname = :role"), {"role": _READER}):
            connection.execute(text(f"CREATE ROLE {_READER} NOLOGIN NOINHERIT"))
            connection.execute(text(f"GRANT {_READER} TO CURRENT_USER"))
        connection.execute(text(f"GRANT SELECT ON {VIEW} TO {_READER}"))


def _stopped(error: BaseException) -> RefusedStatementError:
    reason = (str(error).splitlines() or [type(error).__name__])[0]
    if "statement timeout" in reason:
        reason = "it took too long"
    return RefusedStatementError(f"the model's SQL was stopped: {reason}")
