"""The documents of a library: listing, looking up, and removing them; and what has been made of each."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, and_, delete, func, insert, select

from thumbindex.catalog.database import Database
from thumbindex.catalog.fields import Field, FieldType, value_key
from thumbindex.catalog.schema import descriptions, documents, field_values, stages
from thumbindex.errors import UnknownDocumentError

__all__ = ["Entry", "FieldValue", "Listing", "Order", "mark_stage"]

_FEWEST_ID_CHARACTERS = 4
# Either database takes so many bound values in a statement.
_IDS_AT_ONCE = 10_000


class Order(StrEnum):
    """What documents may be sorted by besides the fields."""

    NAME = "name"
    PAGES = "pages"
    ADDED = "added"


@dataclass(frozen=True, slots=True)
class FieldValue:
    """A value of a field, and what filled it ("flag", "CSV", "file name", "page 1")."""

    value: str | int
    source: str


@dataclass(frozen=True)
class Entry:
    """A document of a library.

    Attributes:
        id: Derived from the file's bytes.
        name: The file's name.
        path: Where it stood when it was read.
        pages: How many.
        added_at: When it was first read.
        reader: Name and version of what read it.
        stages: What has been made of it, and by which version of what.
        fields: Its metadata by field.
        description: One sentence; empty while it has none.
    """

    id: str
    name: str
    path: str
    pages: int
    added_at: datetime
    reader: str = ""
    stages: Mapping[str, str] = field(default_factory=dict)
    fields: Mapping[str, FieldValue] = field(default_factory=dict)
    description: str = ""

    def value(self, name: str) -> str | int | None:
        """The value of a field, or None."""
        return self.fields[name].value if name in self.fields else None


class Listing:
    """What a library holds."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def count(self) -> int:
        """How many documents there are."""
        with self._database.reading() as connection:
            return int(connection.scalar(select(func.count()).select_from(documents)) or 0)

    def makers(self, stage: str) -> dict[str, int]:
        """Of how many documents each maker made a stage."""
        made = (
            select(stages.c.maker, func.count().label("documents"))
            .where(stages.c.stage == stage)
            .group_by(stages.c.maker)
        )
        with self._database.reading() as connection:
            return {row.maker: row.documents for row in connection.execute(made)}

    def all(self) -> list[Entry]:
        """Every document, by name."""
        return self.matching()

    def matching(
        self,
        values: Sequence[tuple[Field, str | int]] = (),
        order: Order | Field = Order.NAME,
        limit: int | None = None,
    ) -> list[Entry]:
        """The documents that have all these values, however they are spelled.

        Args:
            values: Of fields.
            order: What they are sorted by, the smallest first; those without a value come last.
            limit: At most so many.

        Raises:
            FieldError: A value is of another type than its field.
        """
        ids = select(documents.c.id)
        for wanted, value in values:
            key = value_key(wanted.parse(value))
            holders = select(field_values.c.document_id).where(field_values.c.field == wanted.name)
            ids = ids.where(documents.c.id.in_(holders.where(field_values.c.key == key)))
        if isinstance(order, Field):
            ids = ids.outerjoin(
                field_values, and_(field_values.c.document_id == documents.c.id, field_values.c.field == order.name)
            )
        return self._entries(ids.order_by(*_sorting(order), *_sorting(Order.NAME), documents.c.id).limit(limit))

    def longest(self, within: Sequence[str] | None = None) -> list[str]:
        """The ids of all documents, or of those in `within`, those of the most pages first."""
        ids = select(documents.c.id).order_by(documents.c.page_count.desc(), documents.c.id)
        with self._database.reading() as connection:
            return list(connection.scalars(ids if within is None else ids.where(documents.c.id.in_(within))))

    def entries(self, ids: Sequence[str]) -> list[Entry]:
        """The documents of these ids that there are, in the order of the ids."""
        found = {entry.id: entry for entry in self._entries(select(documents.c.id).where(documents.c.id.in_(ids)))}
        return [found[document_id] for document_id in ids if document_id in found]

    def entry(self, document_id: str) -> Entry:
        """The document of that id, or of the one id that begins with it.

        Raises:
            UnknownDocumentError: There is none, or more than one.
        """
        if len(document_id) < _FEWEST_ID_CHARACTERS:
            raise UnknownDocumentError(
                f"{document_id!r} is no id: give at least {_FEWEST_ID_CHARACTERS} characters of one"
            )
        found = self._entries(
            select(documents.c.id).where(documents.c.id.startswith(document_id, autoescape=True)).limit(2)
        )
        if len(found) != 1:
            problem = "more than one document has an id" if found else "there is no document with an id"
            raise UnknownDocumentError(f"{problem} that begins with {document_id}: see `thumbindex documents`")
        return found[0]

    def find(self, document_id: str) -> Entry | None:
        """The document of exactly that id, or None."""
        found = self._entries(select(documents.c.id).where(documents.c.id == document_id))
        return found[0] if found else None

    def remove(self, document_id: str) -> None:
        """Drop a document and all that was made of it."""
        with self._database.writing() as connection:
            connection.execute(delete(documents).where(documents.c.id == document_id))

    def mark(self, document_id: str, stage: str, maker: str) -> None:
        """Note that a stage of a document was made, and by what."""
        with self._database.writing() as connection:
            mark_stage(connection, document_id, stage, maker)

    def unmark(self, document_id: str, names: Sequence[str]) -> None:
        """Note that stages of a document have to be made anew."""
        with self._database.writing() as connection:
            here = stages.c.document_id == document_id
            connection.execute(delete(stages).where(here, stages.c.stage.in_(names)))

    def _entries(self, ids: Select[tuple[str]]) -> list[Entry]:
        with self._database.reading() as connection:
            found = [row.id for row in connection.execute(ids)]
            groups = (found[first : first + _IDS_AT_ONCE] for first in range(0, len(found), _IDS_AT_ONCE))
            return [entry for group in groups for entry in _entries_of(connection, group)]


def _entries_of(connection: Connection, ids: Sequence[str]) -> list[Entry]:
    """The documents of these ids, all of which there are, in the order of the ids."""
    made: dict[str, dict[str, str]] = {document_id: {} for document_id in ids}
    for row in connection.execute(select(stages).where(stages.c.document_id.in_(ids))):
        made[row.document_id][row.stage] = row.maker
    filled: dict[str, dict[str, FieldValue]] = {document_id: {} for document_id in ids}
    for row in connection.execute(select(field_values).where(field_values.c.document_id.in_(ids))):
        value = row.text if row.number is None else row.number
        filled[row.document_id][row.field] = FieldValue(value, row.source)
    shown = [documents.c[name] for name in ("id", "name", "path", "page_count", "added_at", "reader")]
    described = documents.outerjoin(descriptions, descriptions.c.document_id == documents.c.id)
    rows = connection.execute(select(*shown, descriptions.c.text).select_from(described).where(documents.c.id.in_(ids)))
    found = {row.id: Entry(*row[:6], made[row.id], filled[row.id], row.text or "") for row in rows}
    return [found[document_id] for document_id in ids]


def _sorting(order: Order | Field) -> tuple[ColumnElement[Any], ...]:
    match order:
        case Order.PAGES:
            return (documents.c.page_count,)
        case Order.ADDED:
            return (documents.c.added_at,)
        case Order.NAME:
            return (func.lower(documents.c.name),)
    value = field_values.c.number if order.type is FieldType.INTEGER else field_values.c.text
    return value.is_(None), value


def mark_stage(connection: Connection, document_id: str, stage: str, maker: str) -> None:
    """Note in the caller's transaction that a stage of a document was made."""
    connection.execute(delete(stages).where(stages.c.document_id == document_id, stages.c.stage == stage))
    connection.execute(insert(stages).values(document_id=document_id, stage=stage, maker=maker))
