"""Metadata: the fields that a library declares, the value of each for each document, and what filled it."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from pathlib import Path

from sqlalchemy import Connection, Select, and_, delete, func, insert, select, update
from sqlalchemy.sql.compiler import RESERVED_WORDS

from thumbindex.catalog.database import Database
from thumbindex.catalog.facts import Fact, Rank
from thumbindex.catalog.organisations import name_key
from thumbindex.catalog.schema import STANDARD_FIELDS, aliases, create_view, field_values, fields, stages
from thumbindex.errors import FieldError, PathError

__all__ = ["Field", "FieldTable", "FieldType", "facts_from_csv", "facts_from_flags", "value_key"]

_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_RESERVED = frozenset({"document_id", "name", "pages", "path", "added", "id"})
_FILE_COLUMNS = ("file", "name", "filename", "file_name", "document")
_MOST_FIELDS = 40
# What an integer column holds on either database.
_GREATEST = 2**31 - 1


class FieldType(StrEnum):
    """What the values of a field are."""

    TEXT = "text"
    INTEGER = "integer"
    DATE = "date"


@dataclass(frozen=True, slots=True)
class Field:
    """A declared field."""

    name: str
    type: FieldType

    def parse(self, value: str | int) -> str | int:
        """The value as it is kept; a date in ISO form.

        Raises:
            FieldError: It is of another type.
        """
        given = str(value).strip()
        try:
            match self.type:
                case FieldType.INTEGER:
                    return _whole_number(given)
                case FieldType.DATE:
                    return date.fromisoformat(given).isoformat()
        except ValueError as error:
            wanted = "a date as 2023-06-30" if self.type is FieldType.DATE else "a whole number"
            raise FieldError(f"{self.name} takes {wanted}, not {given!r}") from error
        if not given:
            raise FieldError(f"{self.name} takes some text, not nothing")
        return given


def _whole_number(given: str) -> int:
    number = int(given)
    if abs(number) > _GREATEST:
        raise ValueError(f"{given} is too large")
    return number


class FieldTable:
    """The fields of a library and their values."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> tuple[Field, ...]:
        """The declared fields, in the order of their declaration."""
        with self._database.reading() as connection:
            rows = connection.execute(select(fields).order_by(fields.c.position, fields.c.name)).all()
        return tuple(Field(row.name, FieldType(row.type)) for row in rows)

    def field(self, name: str) -> Field:
        """The field of that name.

        Raises:
            FieldError: There is none.
        """
        found = next((field for field in self.all() if field.name == name), None)
        if found is None:
            raise FieldError(f"there is no field {name}: `thumbindex fields list` shows those there are")
        return found

    def count(self, name: str) -> int:
        """How many documents have a value for a field."""
        with self._database.reading() as connection:
            held = select(func.count()).select_from(field_values).where(field_values.c.field == name)
            return int(connection.scalar(held) or 0)

    def declare(self, name: str, kind: FieldType) -> Field:
        """A new field; one that documents themselves tell is filled when they are indexed the next time.

        Raises:
            FieldError: The name cannot be one, is taken, or of another type, or there are too many fields.
        """
        if not _NAME.fullmatch(name) or name in _RESERVED or name in RESERVED_WORDS:
            raise FieldError(
                f"{name!r} cannot name a field: use lower-case letters, digits and _, not a word of SQL or of our own"
            )
        if STANDARD_FIELDS.get(name, kind) != kind:
            raise FieldError(f"{name} is filled from the pages and of type {STANDARD_FIELDS[name]}, not {kind}")
        with self._database.writing() as connection:
            taken = set(connection.scalars(select(fields.c.name)))
            if name in taken:
                raise FieldError(f"there is a field {name} already")
            if len(taken) >= _MOST_FIELDS:
                raise FieldError(f"a library has at most {_MOST_FIELDS} fields")
            position = (connection.scalar(select(func.max(fields.c.position))) or 0) + 1
            connection.execute(insert(fields).values(name=name, type=kind.value, position=position))
            create_view(connection)
            if name in STANDARD_FIELDS:
                connection.execute(delete(stages).where(stages.c.stage == "metadata"))
        return Field(name, kind)

    def drop(self, name: str) -> None:
        """Remove a field and all its values.

        Raises:
            FieldError: There is none of that name.
        """
        with self._database.writing() as connection:
            if connection.scalar(select(fields.c.name).where(fields.c.name == name)) is None:
                raise FieldError(f"there is no field {name}")
            connection.execute(delete(fields).where(fields.c.name == name))
            create_view(connection)

    def fill(self, document_id: str, facts: Iterable[Fact]) -> None:
        """Set the values that the facts give, where no better source has filled them; facts on no field are left out.

        Raises:
            FieldError: A fact is of another type than its field.
        """
        declared = {field.name: field for field in self.all()}
        with self._database.writing() as connection:
            self._database.hold(connection, "fields")
            for fact in facts:
                if fact.field in declared:
                    _fill(connection, document_id, declared[fact.field], fact)

    def clear(self, document_id: str, name: str) -> None:
        """Take a value away."""
        with self._database.writing() as connection:
            connection.execute(
                delete(field_values).where(field_values.c.document_id == document_id, field_values.c.field == name)
            )

    def values(self, name: str, limit: int) -> list[str]:
        """The distinct values of a field, the most frequent first, at most `limit`."""
        found = select(field_values.c.text).where(field_values.c.field == name).group_by(field_values.c.text)
        found = found.order_by(func.count().desc(), field_values.c.text).limit(limit)
        with self._database.reading() as connection:
            return list(connection.scalars(found))

    def distinct(self, name: str, limit: int) -> list[str]:
        """The first distinct values of a field in the order of their letters, at most `limit`.

        Each is looked up as the next after the one before: a hundred thousand documents of two kinds are two steps.
        """
        found: list[str] = []
        next_one = select(func.min(field_values.c.text)).where(field_values.c.field == name)
        with self._database.reading() as connection:
            value = connection.scalar(next_one)
            while value is not None and len(found) < limit:
                found.append(value)
                value = connection.scalar(next_one.where(field_values.c.text > value))
        return found

    def values_by_key(self, name: str, keys: Sequence[str], *, prefix: bool = False, limit: int = 64) -> dict[str, str]:
        """The values of a field whose key, or that of one of whose aliases, is one of `keys`: key by value.

        Args:
            name: Of the field.
            keys: As `value_key` makes them.
            prefix: Take keys that begin so, too.
            limit: At most so many values.
        """
        parts = []
        for table in (field_values, aliases):
            # The key first: SQLite without statistics goes by the index of the first column of DISTINCT.
            found = select(table.c.key, table.c.text).where(table.c.field == name)
            if prefix:
                ranges = [and_(table.c.key >= key, table.c.key < key + "\U0010ffff") for key in keys]
                parts += [found.where(one).limit(limit) for one in ranges]
            else:
                parts.append(found.where(table.c.key.in_(keys)))
        if not keys:
            return {}
        with self._database.reading() as connection:
            rows = [row for part in parts for row in connection.execute(part.distinct()).all()]
            texts = set(connection.scalars(_in_use(name, [row.text for row in rows])))
        return {row.text: row.key for row in rows[:limit] if row.text in texts}

    def aliases(self, name: str, values: Sequence[str]) -> dict[str, list[str]]:
        """The other names of values, by value."""
        found: dict[str, list[str]] = {value: [] for value in values}
        rows = select(aliases.c.text, aliases.c.alias).where(aliases.c.field == name, aliases.c.text.in_(values))
        with self._database.reading() as connection:
            for row in connection.execute(rows.order_by(aliases.c.alias)):
                found[row.text].append(row.alias)
        return found


def value_key(value: str | int) -> str:
    """A value as it is matched with questions: the words that tell it, run together."""
    return "".join(name_key(str(value)))


def facts_from_flags(flags: Sequence[str], option: str = "--meta") -> list[Fact]:
    """The facts of `key=value` flags.

    Raises:
        FieldError: A flag is of another form.
    """
    found = []
    for flag in flags:
        name, separator, value = flag.partition("=")
        if not separator or not name.strip():
            raise FieldError(f"write {option} FIELD=VALUE, not {flag!r}")
        found.append(Fact(name.strip(), value.strip(), "flag", Rank.FLAG))
    return found


def facts_from_csv(path: Path) -> Mapping[str, list[Fact]]:
    """The facts of a CSV file with a header, by casefolded file name; the column `file` names it, others are fields.

    Raises:
        PathError: It cannot be read.
        FieldError: No column names the file, two have one name, a row has too many cells or no file, a file comes
            twice, or the quotation marks are wrong.
    """
    found: dict[str, list[Fact]] = {}
    try:
        with path.open(encoding="utf-8-sig", newline="") as stream:
            reader = csv.reader(stream, strict=True)
            try:
                names = [name.strip().lower() for name in next(reader, [])]
                file_column = _file_column(names, path)
                for row in reader:
                    file, facts = _row_facts(names, row, file_column, f"{path}, line {reader.line_num}")
                    if file.casefold() in found:
                        raise FieldError(f"{path}, line {reader.line_num}: {file} is in a line above already")
                    if file:
                        found[file.casefold()] = facts
            except csv.Error as error:
                raise FieldError(f"{path}, line {reader.line_num}: {error}: look for a stray quotation mark") from error
    except (OSError, UnicodeDecodeError) as error:
        raise PathError(f"cannot read the metadata {path}: {getattr(error, 'strerror', None) or error}") from error
    return found


def _file_column(names: Sequence[str], path: Path) -> int:
    """Where the file stands among the names of the columns."""
    twice = next((name for position, name in enumerate(names) if name and name in names[:position]), None)
    if twice:
        raise FieldError(f"{path} has two columns {twice}: leave one")
    column = next((position for position, name in enumerate(names) if name in _FILE_COLUMNS), None)
    if column is None:
        raise FieldError(f"{path} has no column `file`: its first line names the columns")
    return column


def _row_facts(names: Sequence[str], row: Sequence[str], file_column: int, where: str) -> tuple[str, list[Fact]]:
    """The file that a row names, empty where the row is, and the facts in it."""
    cells = [cell.strip() for cell in row]
    if any(cells[len(names) :]):
        raise FieldError(f"{where} has {len(cells)} cells for {len(names)} columns: put values with commas in quotes")
    file = Path(cells[file_column]).name if len(cells) > file_column else ""
    if any(cells) and not file:
        raise FieldError(f"{where} names no file")
    given = zip(names, cells, strict=False)  # a row may end early
    facts = [
        Fact(name, cell, "CSV", Rank.CSV)
        for position, (name, cell) in enumerate(given)
        if name and cell and position != file_column
    ]
    return file, facts


def _fill(connection: Connection, document_id: str, field: Field, fact: Fact) -> None:
    value = field.parse(fact.value)
    key = value_key(value)
    place = and_(field_values.c.document_id == document_id, field_values.c.field == field.name)
    known = connection.execute(select(field_values.c.rank).where(place)).first()
    if known is not None and known.rank < fact.rank:
        return
    spelled = _spelling(connection, field, str(value), key)
    number = value if isinstance(value, int) else None
    row = {"text": spelled, "number": number, "key": key, "source": fact.source, "rank": int(fact.rank)}
    if known is None:
        connection.execute(insert(field_values).values(document_id=document_id, field=field.name, **row))
    else:
        connection.execute(update(field_values).where(place).values(**row))
    for alias in fact.aliases:
        _add_alias(connection, field.name, spelled, alias, fact.source)


def _spelling(connection: Connection, field: Field, value: str, key: str) -> str:
    """The value as the library spells it already, so that "3M CO" and "3M Company" are one."""
    if field.type is not FieldType.TEXT:
        return value
    same = select(func.min(field_values.c.text)).where(field_values.c.field == field.name, field_values.c.key == key)
    return connection.scalar(same) or value


def _add_alias(connection: Connection, name: str, value: str, alias: str, source: str) -> None:
    place = and_(aliases.c.field == name, aliases.c.text == value, aliases.c.alias == alias)
    if connection.execute(select(aliases.c.alias).where(place)).first() is None:
        row = {"field": name, "text": value, "alias": alias, "key": value_key(alias), "source": source}
        connection.execute(insert(aliases).values(**row))


def _in_use(name: str, values: Sequence[str]) -> Select[tuple[str]]:
    used = select(field_values.c.text).where(field_values.c.field == name, field_values.c.text.in_(values))
    return used.distinct()
