"""The tables, and how a database of an older version becomes one of this."""

from __future__ import annotations

from collections.abc import Callable

from sqlalchemy import (
    Column,
    Connection,
    DateTime,
    Float,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    func,
    insert,
    inspect,
    select,
    text,
)

from thumbindex.errors import StoreError

__all__ = [
    "STANDARD_FIELDS",
    "VIEW",
    "aliases",
    "batches",
    "chunk_vectors",
    "chunks",
    "create_view",
    "description_terms",
    "descriptions",
    "documents",
    "field_values",
    "fields",
    "jobs",
    "migrate",
    "pages",
    "stages",
    "summaries",
    "trees",
]

VIEW = "library"
# What first pages and file names tell, by name: the type.
STANDARD_FIELDS = {
    "company": "text",
    "report_type": "text",
    "fiscal_year": "integer",
    "fiscal_quarter": "integer",
    "report_date": "date",
}

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

jobs = Table(
    "jobs",
    _metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column("path", String, nullable=False, unique=True),
    Column("state", String, nullable=False),
    Column("document_id", String(16)),
    Column("attempts", Integer, nullable=False, default=0),
    Column("error", String),
    Column("owner", String),
    Column("lease_until", Float),  # seconds since 1970
    Index("jobs_by_state", "state"),
)

# Which jobs a run of the indexer waits for; several runs may wait for one job.
batches = Table(
    "batches",
    _metadata,
    Column("batch", String(32), primary_key=True),
    Column("job_id", ForeignKey("jobs.id", ondelete="CASCADE"), primary_key=True),
    Index("batches_by_job", "job_id"),
)

# What has been made of a document, and by which version of what.
stages = Table(
    "stages",
    _metadata,
    Column("document_id", ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True),
    Column("stage", String, primary_key=True),
    Column("maker", String, nullable=False),
)

fields = Table(
    "fields",
    _metadata,
    Column("name", String, primary_key=True),
    Column("type", String, nullable=False),
    Column("position", Integer, nullable=False),
)

field_values = Table(
    "field_values",
    _metadata,
    Column("document_id", ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True),
    Column("field", ForeignKey("fields.name", ondelete="CASCADE"), primary_key=True),
    Column("text", String, nullable=False),
    Column("number", Integer),  # the value of an integer field
    Column("key", String, nullable=False),  # the value as questions are matched with it
    Column("source", String, nullable=False),
    Column("rank", Integer, nullable=False),  # of the source: a lower one is not overwritten by a higher one
    Index("field_values_by_text", "field", "text"),
    Index("field_values_by_number", "field", "number"),
    Index("field_values_by_key", "field", "key"),
)

aliases = Table(
    "aliases",
    _metadata,
    Column("field", ForeignKey("fields.name", ondelete="CASCADE"), primary_key=True),
    Column("text", String, primary_key=True),
    Column("alias", String, primary_key=True),
    Column("key", String, nullable=False),
    Column("source", String, nullable=False),
    Index("aliases_by_key", "field", "key"),
)

# The text of a chunk is the lines of its page: it is not kept twice.
chunks = Table(
    "chunks",
    _metadata,
    Column("document_id", ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("page", Integer, nullable=False),
    Column("first_line", Integer, nullable=False),
    Column("last_line", Integer, nullable=False),
    Column("section", String, nullable=False),
)

# All vectors of a document by one encoder: float16, row after row, in the order of its chunks.
chunk_vectors = Table(
    "chunk_vectors",
    _metadata,
    Column("document_id", ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True),
    Column("encoder", String, primary_key=True),
    Column("dimensions", Integer, nullable=False),
    Column("digest", String(16), nullable=False, server_default=""),  # of the content; none before schema 3
    Column("content", LargeBinary, nullable=False),
    Index("chunk_vectors_by_digest", "encoder", "document_id", "digest"),
)

descriptions = Table(
    "descriptions",
    _metadata,
    Column("document_id", ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True),
    Column("author", String, nullable=False),
    Column("text", String, nullable=False),
    Column("terms", Integer, nullable=False),
)

description_terms = Table(
    "description_terms",
    _metadata,
    Column("term", String, primary_key=True),
    Column("document_id", ForeignKey("documents.id", ondelete="CASCADE"), primary_key=True),
    Column("count", Integer, nullable=False),
    Index("description_terms_by_document", "document_id"),
)

_schema_version = Table("schema_version", _metadata, Column("version", Integer, primary_key=True))


def _create_documents(connection: Connection) -> None:
    for table in (documents, pages, trees, summaries):
        table.create(connection)


def _create_library(connection: Connection) -> None:
    for table in (jobs, batches, stages, fields, field_values, aliases, chunks, chunk_vectors):
        table.create(connection)
    for table in (descriptions, description_terms):
        table.create(connection)
    for position, (name, kind) in enumerate(STANDARD_FIELDS.items()):
        connection.execute(insert(fields).values(name=name, type=kind, position=position))
    create_view(connection)


def create_view(connection: Connection) -> None:
    """Make the one view anew that searches by metadata read: a row a document, a column a field."""
    declared = connection.execute(select(fields).order_by(fields.c.position, fields.c.name)).all()
    columns = ["d.id AS document_id", "d.name AS name", "d.page_count AS pages"]
    joins = []
    for number, row in enumerate(declared):
        # The name was checked when it was declared: it is a plain lower-case word.
        columns.append(f"v{number}.{'number' if row.type == 'integer' else 'text'} AS {row.name}")
        on = f"v{number}.document_id = d.id AND v{number}.field = '{row.name}'"
        joins.append(f"LEFT JOIN field_values AS v{number} ON {on}")
    connection.execute(text(f"DROP VIEW IF EXISTS {VIEW}"))
    connection.execute(text(f"CREATE VIEW {VIEW} AS SELECT {', '.join(columns)} FROM documents AS d {' '.join(joins)}"))


def _add_digests_of_vectors(connection: Connection) -> None:
    if any(column["name"] == "digest" for column in inspect(connection).get_columns(chunk_vectors.name)):
        return  # made just now, with the column
    connection.execute(text("ALTER TABLE chunk_vectors ADD COLUMN digest VARCHAR(16) NOT NULL DEFAULT ''"))
    for index in chunk_vectors.indexes:
        index.create(connection)


# Append only: a database remembers how many of these it has been through.
_MIGRATIONS: tuple[Callable[[Connection], None], ...] = (_create_documents, _create_library, _add_digests_of_vectors)


def migrate(connection: Connection) -> None:
    """Bring the database to this version of the schema, inside the caller's transaction.

    Raises:
        StoreError: A newer version of the package wrote this database.
    """
    tables = inspect(connection)
    if not tables.has_table(_schema_version.name):
        if others := tables.get_table_names():
            raise StoreError(f"the database holds something else (a table {sorted(others)[0]!r}): name another")
        _schema_version.create(connection)
    done = connection.scalar(select(func.max(_schema_version.c.version))) or 0
    if done > len(_MIGRATIONS):
        raise StoreError(
            f"this store has schema {done}, written by a newer thumbindex (this one knows {len(_MIGRATIONS)}): upgrade"
        )
    for version, step in enumerate(_MIGRATIONS[done:], done + 1):
        step(connection)
        connection.execute(insert(_schema_version).values(version=version))
