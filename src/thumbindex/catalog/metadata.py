"""Choosing documents by metadata: the conditions that a question sets, as SQL with bound values on the one view."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from math import prod
from typing import Any

from sqlalchemy import text

from thumbindex.catalog.choosing import NOT_ASKED, Choosing, Chosen
from thumbindex.catalog.database import Database
from thumbindex.catalog.fields import Field, FieldTable, FieldType
from thumbindex.catalog.mentions import Condition, conditions_of
from thumbindex.catalog.schema import VIEW
from thumbindex.decision.base import Choice, Decision, DecisionModel
from thumbindex.search.finding import Step, StepOption
from thumbindex.search.spending import Spending

__all__ = ["Filter", "agreement", "choose_by_metadata"]

# More rows than this choose nothing.
_MOST_ROWS = 2_000
# How well a document fits whose value is unknown, or another one. Set by hand: an unknown value may still be right.
_UNKNOWN, _OTHER = 0.3, 0.05
# A report gives the figures of the year before too, and of the one before that; it rarely tells of the next.
_YEARS_BEFORE = {0: 1.0, 1: 0.3, 2: 0.15}
_YEAR_AHEAD = 0.1
_FAR = 0.03


@dataclass(frozen=True)
class Filter:
    """Conditions on the view, all of which must hold; compiled to SQL whose values are bound, never pasted in."""

    conditions: tuple[Condition, ...]

    def sql(self, limit: int = _MOST_ROWS) -> tuple[str, dict[str, str | int]]:
        """The statement and its bound values."""
        parameters: dict[str, str | int] = {}
        clauses = []
        for condition in self.conditions:
            names = []
            for number, value in enumerate(condition.values):
                names.append(f":{condition.field.name}_{number}")
                parameters[f"{condition.field.name}_{number}"] = value
            # SQLite goes by the index on a list of several only where it is told that nothing is missing.
            present = f"{condition.field.name} IS NOT NULL AND " if len(names) > 1 else ""
            clauses.append(f"{present}{condition.field.name} IN ({', '.join(names)})")
        where = f" WHERE {' AND '.join(clauses)}" if clauses else ""
        columns = ", ".join(("document_id", *(condition.field.name for condition in self.conditions)))
        return f"SELECT {columns} FROM {VIEW}{where} LIMIT {limit}", parameters

    def shown(self) -> str:
        """The statement for a reader, its values written out."""
        statement, parameters = self.sql()
        for name in sorted(parameters, key=len, reverse=True):
            value = parameters[name]
            written = str(value) if isinstance(value, int) else "'" + value.replace("'", "''") + "'"
            statement = statement.replace(f":{name}", written)
        return statement


def choose_by_metadata(
    question: str,
    database: Database,
    table: FieldTable,
    model: DecisionModel | None,
    spending: Spending | None = None,
) -> Choosing:
    """The documents whose metadata fit what the question names, best first.

    Where no document fits all conditions, those that fit some come with a lower score. Where the budget ends, what the
    question names literally still counts.

    Raises:
        DecisionError: The model failed.
        StoreError: The library cannot be read.
    """
    spending = spending or Spending()
    conditions, decisions = conditions_of(question, table, model, spending)
    trace = tuple(_step(field, decision) for field, decision in decisions.items())
    cut_short = [NOT_ASKED] if spending.stopped else []
    if not conditions:
        note = "; ".join(["the question names no value of any field", *cut_short])
        return Choosing("metadata", applies=False, note=note, trace=trace)
    strict = Filter(tuple(conditions))
    rows = _rows(strict, conditions, database)
    anchored = _anchor(conditions)
    near = _rows(Filter(anchored), conditions, database) if anchored else []
    if not rows and not near:
        near = _rows_fitting_some(conditions, database)
    scored = {row["document_id"]: agreement(row, conditions) for row in (*near, *rows)}
    reasons = {row["document_id"]: _reason(row, conditions) for row in (*near, *rows)}
    # Of documents that fit equally well, the one of more pages says more.
    pages = {row["document_id"]: int(row["pages"] or 0) for row in (*near, *rows)}
    ranked = sorted(scored, key=lambda document_id: (-scored[document_id], -pages[document_id], document_id))
    note = "; ".join([*([] if rows else ["no document fits all of this; the nearest are shown"]), *cut_short])
    documents = tuple(Chosen(document_id, scored[document_id], reasons[document_id]) for document_id in ranked)
    return Choosing("metadata", documents, True, strict.shown(), note, trace, only=bool(anchored))


def agreement(row: Mapping[str, str | int | None], conditions: Sequence[Condition]) -> float:
    """How well a document's values fit conditions, in (0, 1]: the product over them."""
    return prod(_agreement(row.get(condition.field.name), condition) for condition in conditions)


def _agreement(value: str | int | None, condition: Condition) -> float:
    if value is None:
        return _UNKNOWN
    if condition.field.type is FieldType.INTEGER and "year" in condition.field.name:
        return _of_years(int(value), [int(year) for year in condition.values])
    if condition.field.type is FieldType.DATE:
        return 1.0 if value in condition.values else _of_days(str(value), str(condition.values[0]))
    return condition.probability if value in condition.values else max(_OTHER, _UNKNOWN * (1 - condition.probability))


def _of_years(year: int, named: Sequence[int]) -> float:
    """A report of the latest year that is named fits best: it gives the figures of the earlier ones as well."""
    latest = max(named)
    if year < latest:
        ahead = _YEAR_AHEAD if latest - year == 1 else _FAR
        return max(ahead, 0.5 if year in named else 0.0)
    return _YEARS_BEFORE.get(year - latest, _FAR)


def _of_days(value: str, named: str) -> float:
    apart = abs((date.fromisoformat(value) - date.fromisoformat(named)).days)
    return 0.5 if apart <= 7 else _OTHER


def _anchor(conditions: Sequence[Condition]) -> tuple[Condition, ...]:
    """The conditions that every document must fit: those on who, not on what or when."""
    return tuple(
        condition
        for condition in conditions
        if condition.field.type is FieldType.TEXT and condition.field.name != "report_type" and condition.how == "named"
    )


def _rows_fitting_some(conditions: Sequence[Condition], database: Database) -> list[dict[str, Any]]:
    found = [row for condition in conditions for row in _rows(Filter((condition,)), conditions, database)]
    return list({row["document_id"]: row for row in found}.values())


def _rows(chosen: Filter, wanted: Sequence[Condition], database: Database) -> list[dict[str, Any]]:
    """The rows that fit a filter, with the fields of all `wanted` conditions."""
    statement, parameters = chosen.sql()
    columns = ", ".join(("document_id", "pages", *(condition.field.name for condition in wanted)))
    statement = f"SELECT {columns} {statement[statement.index('FROM') :]}"
    with database.reading() as connection:
        return [dict(row) for row in connection.execute(text(statement), parameters).mappings()]


def _reason(row: Mapping[str, str | int | None], conditions: Sequence[Condition]) -> str:
    fits = [c for c in conditions if row.get(c.field.name) in c.values]
    return ", ".join(f"{c.field.name} {row[c.field.name]}" for c in fits)


def _step(field: Field, decision: Decision) -> Step:
    assert isinstance(decision.question, Choice)
    options = tuple(
        StepOption(decision.question.options[key], probability) for key, probability in decision.probabilities.items()
    )
    return Step(f"Which {field.name}", options, decision.model, decision.usage)
