"""The tables, and how a database of an older version becomes one of this."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import (
    Column,
    Connection,
    DateTime,
    ForeignKey,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    func,
    insert,
    inspect,
    select,
)

from thumbindex.errors import StoreError

__all__ = ["documents", "migrate", "pages", "summaries", "trees"]

_metadata = MetaData()

documents = Table(
    "documents",
    _metadata,
    Column("id", String(16), primary_key=True),
    Column("sha256", String(64), nullable=False, unique=True),
    Column("name", String, nullable=False),
    Column("path", String, nullable=False),
    Column("page_count", Integer, nullable=False),
    Column("outline", LargeBinary, nullable=False),
    Column("reader", String, nullable=False),
    Column("added_at", DateTime(timezone=True), nullable=False, server_default=func.now()),
)

pages = Table(
    "pages",
    _metadata,
    Column("document_id", ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("content", LargeBinary, nullable=False),
)

trees = Table(
    "trees",
    _metadata,
    Column("document_id", ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True),
    Column("builder", String, primary_key=True),
    Column("content", LargeBinary, nullable=False),
)

summaries = Table(
    "summaries",
    _metadata,
    Column("document_id", ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True),
    Column("key", String(64), primary_key=True),
    Column("text", String, nullable=False),
)

_schema_version = Table("schema_version", _metadata, Column("version", Integer, primary_key=True))


def _create_documents(connection: Connection) -> None:
    for table in (documents, pages, trees, summaries):
        table.create(connection)


# Append only: a database remembers how many of these it has been through.
_MIGRATIONS: tuple[Callable[[Connection], None], ...] = (_create_documents,)


def migrate(connection: Connection) -> None:
    """Bring the database to this version of the schema, inside the caller's transaction.

    Raises:
        StoreError: A newer version of the package wrote this database.
    """
    if not inspect(connection).has_table(_schema_version.name):
        _schema_version.create(connection)
    done = connection.scalar(select(func.max(_schema_version.c.version))) or 0
    if done > len(_MIGRATIONS):
        raise StoreError(
            f"this store has schema {done}, written by a newer thumbindex (this one knows {len(_MIGRATIONS)}): upgrade"
        )
    for version, step in enumerate(_MIGRATIONS[done:], done + 1):
        step(connection)
        connection.execute(insert(_schema_version).values(version=version))
