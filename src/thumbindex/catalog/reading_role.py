"""Running a SELECT that we did not think up on PostgreSQL: as a role that may read the view, after a look at its parts.

A role alone does not do: any role may read the system catalogues and call most functions, and one function gives a
session the role back that it came from. So the statement becomes a temporary view first, which runs nothing; PostgreSQL
keeps a view as a tree of nodes that names every table, function and operator by number. Each must be one of those
allowed below; a node of a kind that is not known is refused. Then that view is read, so that what runs is what was
looked at, and all is rolled back.

What remains: making the view reads the statement's literals as their types, and takes the lightest lock on what it
names, also where it is then refused. The kinds of nodes were looked at in PostgreSQL 15, 16 and 18.
"""

from __future__ import annotations

import re
from typing import Any

from sqlalchemy import Connection, text
from sqlalchemy.exc import SQLAlchemyError

from thumbindex.catalog.database import Database
from thumbindex.catalog.schema import VIEW
from thumbindex.errors import RefusedStatementError

__all__ = ["run_as_reader"]

_ROLE = "thumbindex_reader"
_ASKED = "pg_temp.thumbindex_asked"
# Where a tree has text of the statement, such as an alias, a backslash stands before every brace.
_NODE = re.compile(r"(?<!\\)\{(\w+)")
_TABLE = re.compile(r" :relid (\d+)")
_SOURCE = "RANGETBLREF"
# One SELECT from one table, comparisons, and what PostgreSQL makes of IN and of values of another type. Two are called
# otherwise before version 16.
_NODES = frozenset(
    {
        *("QUERY", "RANGETBLENTRY", "RTE", "RTEPERMISSIONINFO", "ALIAS", "FROMEXPR", _SOURCE, "TARGETENTRY"),
        *("VAR", "CONST", "OPEXPR", "BOOLEXPR", "NULLTEST", "BOOLEANTEST", "SCALARARRAYOPEXPR", "ARRAYEXPR", "ARRAY"),
        *("FUNCEXPR", "RELABELTYPE", "ARRAYCOERCEEXPR", "CASETESTEXPR", "SORTGROUPCLAUSE"),
    }
)
# Which of PostgreSQL's own may be called; the last three functions are how numbers of different types are compared.
_CALLS = (
    (
        re.compile(r" :funcid (\d+)"),
        text(
            "SELECT oid FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace "
            "AND proname IN ('lower', 'upper', 'btrim', 'ltrim', 'rtrim', 'int8', 'numeric', 'float8')"
        ),
    ),
    (
        re.compile(r" :opno (\d+)"),
        text(
            "SELECT oid FROM pg_operator WHERE oprnamespace = 'pg_catalog'::regnamespace "
            "AND oprname IN ('=', '<>', '<', '<=', '>', '>=', '~~', '!~~', '~~*', '!~~*', '+', '-')"
        ),
    ),
)
_TREE = text(f"SELECT ev_action::text FROM pg_rewrite WHERE ev_class = '{_ASKED}'::regclass")
# Before version 16 the tree of a view names the view itself, too.
_NUMBERS = text(f"SELECT '{VIEW}'::regclass::oid, '{_ASKED}'::regclass::oid")
# What is not as it must be, as the statement that makes it so. Before version 16 every member may take on a role.
_MISSING = text(
    f"""
    WITH reader AS (SELECT oid FROM pg_roles WHERE rolname = '{_ROLE}'),
    shown AS (
        SELECT oid, relnamespace, relnamespace::regnamespace AS place FROM pg_class WHERE oid = '{VIEW}'::regclass
    )
    SELECT needed.statement FROM shown LEFT JOIN reader ON true CROSS JOIN LATERAL (VALUES
        (1, 'CREATE ROLE {_ROLE} NOLOGIN NOINHERIT', reader.oid IS NOT NULL),
        (2, format('GRANT {_ROLE} TO %I', current_user), pg_has_role(reader.oid,
            CASE WHEN current_setting('server_version_num')::integer < 160000 THEN 'MEMBER' ELSE 'SET' END)),
        (3, format('GRANT TEMPORARY ON DATABASE %I TO {_ROLE}', current_database()),
            has_database_privilege(reader.oid, current_database(), 'TEMPORARY')),
        (4, format('GRANT USAGE ON SCHEMA %s TO {_ROLE}', shown.place),
            has_schema_privilege(reader.oid, shown.relnamespace, 'USAGE')),
        (5, format('GRANT SELECT ON %s.{VIEW} TO {_ROLE}', shown.place),
            has_table_privilege(reader.oid, shown.oid, 'SELECT'))
    ) AS needed (number, statement, met) WHERE met IS NOT TRUE ORDER BY number
    """
)
_SEE_ONLY_THE_LIBRARY = text(
    "SELECT set_config('search_path', format('pg_catalog, %s, pg_temp', relnamespace::regnamespace), true) "
    f"FROM pg_class WHERE oid = '{VIEW}'::regclass"
)


def run_as_reader(statement: str, database: Database, deadline_s: float, most_rows: int) -> list[str]:
    """The first column of the rows that a SELECT on the view gives, as text.

    Raises:
        RefusedStatementError: It would do more, takes too long, cannot be run, or the role is not there and cannot be
            made; then the message holds the statements that an administrator has to run.
    """
    from psycopg import Error  # noqa: PLC0415 - an extra

    try:
        _let_reader_read(database)
        with database.engine.connect() as connection:
            connection.execute(_SEE_ONLY_THE_LIBRARY)
            connection.execute(text(f"SET LOCAL statement_timeout = {int(deadline_s * 1_000)}"))
            # What processes of the server find side by side comes in any order.
            connection.execute(text("SET LOCAL max_parallel_workers_per_gather = 0"))
            connection.execute(text(f"SET LOCAL ROLE {_ROLE}"))
            _make_view(connection, statement)
            _check(connection)
            connection.execute(text("SET TRANSACTION READ ONLY"))
            return [str(value) for value in connection.scalars(text(f"SELECT answer FROM {_ASKED} LIMIT {most_rows}"))]
    except (SQLAlchemyError, Error) as error:
        reason = (str(getattr(error, "orig", None) or error).splitlines() or [type(error).__name__])[0]
        raise _stopped("it took too long" if "statement timeout" in reason else reason) from error


def _let_reader_read(database: Database) -> None:
    """See to the role."""
    with database.engine.begin() as connection:
        if not connection.scalars(_MISSING).all():
            return
        database.hold(connection, _ROLE)
        missing = connection.scalars(_MISSING).all()
        try:
            for statement in missing:
                connection.exec_driver_sql(statement.replace("%", "%%"))
            done = not connection.scalars(_MISSING).all()  # a GRANT that may not be made can be a mere warning
        except SQLAlchemyError:
            done = False
        if not done:
            raise RefusedStatementError(
                f"a model's SQL is run as the role {_ROLE}; have an administrator run: {'; '.join(missing)}"
            )


def _make_view(connection: Connection, statement: str) -> None:
    driver: Any = connection.connection.driver_connection
    with driver.cursor() as cursor:
        # Binary: by the protocol that takes one statement and no more.
        cursor.execute(f"CREATE TEMPORARY VIEW {_ASKED} (answer) AS {statement}", binary=True)


def _check(connection: Connection) -> None:
    tree: str = connection.scalar(_TREE)
    nodes = _NODE.findall(tree)
    if others := sorted(set(nodes) - _NODES):
        raise _stopped(f"it is more than a SELECT on {VIEW} ({', '.join(others)})")
    view, asked = map(str, connection.execute(_NUMBERS).one())
    if set(_TABLE.findall(tree)) - {asked} != {view} or nodes.count(_SOURCE) != 1:
        raise _stopped(f"it does not read {VIEW} alone")
    for calls, allowed in _CALLS:
        if not set(calls.findall(tree)) <= set(map(str, connection.scalars(allowed))):
            raise _stopped("it calls a function or an operator that is not allowed")


def _stopped(reason: str) -> RefusedStatementError:
    return RefusedStatementError(f"the model's SQL was stopped: {reason}")
