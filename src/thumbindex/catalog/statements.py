"""SQL that a model wrote: read, held to one SELECT on the one view, and written anew by us.

Nothing of the model's text is passed on. It is parsed, every part of it must be of a kind that is allowed here, and the
statement that runs is built from the parts: which documents, by which conditions, in which order, how many.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from functools import lru_cache
from typing import TYPE_CHECKING

from thumbindex.catalog.schema import VIEW
from thumbindex.errors import OptionalDependencyError, RefusedStatementError

if TYPE_CHECKING:
    from sqlglot import exp

__all__ = ["COLUMNS", "checked_statement"]

# Columns of the view that are no fields.
COLUMNS = ("document_id", "name", "pages")
_MOST_ROWS = 2_000
_LONGEST, _MOST_PARTS, _LONGEST_LITERAL, _DEEPEST = 4_000, 300, 200, 40
_FENCE = re.compile(r"```(?:sql)?\s*(.*?)```", re.DOTALL | re.IGNORECASE)


def checked_statement(written: str, fields: Collection[str], dialect: str) -> str:
    """The statement to run for what a model wrote: it gives ids of documents, at most 2,000.

    Args:
        written: The model's answer; a fence of Markdown around the SQL is taken off.
        fields: The declared fields: columns of the view.
        dialect: "sqlite" or "postgres".

    Raises:
        RefusedStatementError: It is not one SELECT on the view, or uses what is not allowed.
        OptionalDependencyError: The extra `chat` is not installed.
    """
    try:
        from sqlglot import exp  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise OptionalDependencyError("SQL by a chat model needs an extra: pip install 'thumbindex[chat]'") from error
    select = _parsed(written, dialect)
    _check_parts(select)
    _check_tables(select)
    allowed = {*COLUMNS, *fields}
    for column in select.find_all(exp.Column):
        if isinstance(column.this, exp.Star):
            continue
        if column.name.lower() not in allowed:
            raise RefusedStatementError(f"the model's SQL names {column.name!r}, which is no column of {VIEW}")
    return _rebuilt(select, allowed).sql(dialect=dialect, identify=True, comments=False)


@lru_cache(maxsize=1)
def _allowed_parts() -> frozenset[type[exp.Expression]]:
    """What a statement may be made of: no functions but these, no sub-selects, joins, unions, windows, or casts."""
    from sqlglot import exp  # noqa: PLC0415 - an extra

    return frozenset(
        {
            *(exp.Select, exp.From, exp.Table, exp.TableAlias, exp.Where, exp.Order, exp.Ordered, exp.Limit),
            *(exp.Column, exp.Identifier, exp.Star, exp.Alias, exp.Literal, exp.Null, exp.Boolean, exp.Paren),
            *(exp.And, exp.Or, exp.Not, exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.In, exp.Between),
            *(exp.Is, exp.Like, exp.ILike, exp.Neg, exp.Add, exp.Sub, exp.Lower, exp.Upper, exp.Trim),
            *(exp.Tuple, exp.Distinct),
        }
    )


def _parsed(written: str, dialect: str) -> exp.Select:
    import sqlglot  # noqa: PLC0415 - an extra
    from sqlglot import exp  # noqa: PLC0415
    from sqlglot.errors import SqlglotError  # noqa: PLC0415

    fenced = _FENCE.search(written)
    text = (fenced[1] if fenced else written).strip()
    if len(text) > _LONGEST:
        raise RefusedStatementError(f"the model's SQL has {len(text):,} characters, more than {_LONGEST:,}")
    try:
        statements = [statement for statement in sqlglot.parse(text, read=dialect) if statement is not None]
    except (SqlglotError, RecursionError) as error:
        raise RefusedStatementError("the model's answer is not SQL that can be read") from error
    if len(statements) != 1:
        raise RefusedStatementError(f"the model wrote {len(statements)} statements; one is run")
    if type(statements[0]) is not exp.Select:
        raise RefusedStatementError(f"the model's SQL is no SELECT but a {type(statements[0]).__name__.upper()}")
    return statements[0]


def _check_parts(select: exp.Select) -> None:
    from sqlglot import exp  # noqa: PLC0415 - an extra

    for count, part in enumerate(select.walk(), 1):
        if type(part) not in _allowed_parts():
            name = part.sql_name() if isinstance(part, exp.Func) else type(part).__name__
            raise RefusedStatementError(f"the model's SQL uses {name}, which is not allowed")
        if count > _MOST_PARTS or part.depth > _DEEPEST:
            raise RefusedStatementError("the model's SQL is too long or too deep")
        if isinstance(part, exp.Literal) and len(part.name) > _LONGEST_LITERAL:
            raise RefusedStatementError("the model's SQL holds a value that is too long")
    if select.args.get("into") or select.args.get("locks") or select.args.get("hint"):
        raise RefusedStatementError("the model's SQL does more than select")


def _check_tables(select: exp.Select) -> None:
    from sqlglot import exp  # noqa: PLC0415 - an extra

    tables = list(select.find_all(exp.Table))
    if len(tables) != 1 or tables[0].name.lower() != VIEW or tables[0].db or tables[0].catalog:
        raise RefusedStatementError(
            f"the model's SQL reads {', '.join(t.sql() for t in tables) or 'nothing'}, not {VIEW}"
        )
    if any(tables[0].args.get(key) for key in tables[0].args if key not in {"this", "alias"}):
        raise RefusedStatementError(f"the model's SQL reads {VIEW} in a way that is not allowed")


def _rebuilt(select: exp.Select, allowed: Collection[str]) -> exp.Select:
    """A new statement with the conditions and the order of the other."""
    from sqlglot import exp  # noqa: PLC0415 - an extra

    made = exp.select(exp.column("document_id")).from_(exp.to_table(VIEW))
    where, order, limit = (select.args.get(key) for key in ("where", "order", "limit"))
    if where is not None:
        made = made.where(_plain(where.this), copy=False)
    if order is not None:
        named = [one for one in order.expressions if {c.name.lower() for c in one.find_all(exp.Column)} <= {*allowed}]
        made = made.order_by(*(_plain(one) for one in named), copy=False)
    return made.limit(_rows(limit), copy=False)


def _plain(part: exp.Expression) -> exp.Expression:
    """A copy whose columns are lower-case and bare: there is one table."""
    from sqlglot import exp  # noqa: PLC0415 - an extra

    def bare(node: exp.Expression) -> exp.Expression:
        return exp.column(node.name.lower()) if isinstance(node, exp.Column) else node

    return part.copy().transform(bare)


def _rows(limit: exp.Expression | None) -> int:
    wanted = limit.expression.name if limit is not None else ""
    return min(_MOST_ROWS, int(wanted)) if wanted.isdigit() else _MOST_ROWS
