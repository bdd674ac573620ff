"""Vectors in PostgreSQL with pgvector: approximate search through a graph (HNSW), for millions of chunks."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from typing import Any

from sqlalchemy import Connection, text

from thumbindex.catalog.database import Database
from thumbindex.catalog.vectors import ChunkHit
from thumbindex.embedding.base import Vectors

__all__ = ["PgvectorIndex"]

# Candidates that the search through the graph keeps; the more, the less is missed. pgvector takes at most 1,000.
_LEAST_CANDIDATES, _MOST_CANDIDATES = 100, 1_000


class PgvectorIndex:
    """Half-precision vectors of one encoder, in a table of its own, since pgvector wants all of one length.

    Args:
        database: The library, on PostgreSQL.
        encoder: Whose vectors.
        dimensions: Their length, at most 4,000.
    """

    def __init__(self, database: Database, encoder: str, dimensions: int) -> None:
        self._database = database
        self._table = f"vectors_{hashlib.sha256(f'{encoder} {dimensions}'.encode()).hexdigest()[:16]}"
        with database.writing() as connection:
            database.hold(connection, self._table)
            self._create(connection, dimensions)

    @staticmethod
    def is_available(database: Database) -> bool:
        """Whether the server has the extension."""
        if not database.is_postgresql:
            return False
        offered = "SELECT count(*) FROM pg_available_extensions WHERE name = 'vector'"
        with database.reading() as connection:
            return bool(connection.scalar(text(offered)))

    def put(self, document_id: str, vectors: Vectors) -> None:
        """Keep the vectors of a document."""
        with self._database.writing() as connection:
            self._database.hold(connection, document_id)
            connection.execute(text(f"DELETE FROM {self._table} WHERE document_id = :id"), {"id": document_id})
            driver: Any = connection.connection.driver_connection
            with driver.cursor() as cursor, cursor.copy(f"COPY {self._table} FROM STDIN") as copy:
                for number, vector in enumerate(vectors):
                    copy.write_row((document_id, number, _written(vector)))

    def remove(self, document_id: str) -> None:
        """Drop the vectors of a document."""
        with self._database.writing() as connection:
            connection.execute(text(f"DELETE FROM {self._table} WHERE document_id = :id"), {"id": document_id})

    def search(self, vector: Vectors, top_k: int, within: Collection[str] | None = None) -> list[ChunkHit]:
        """The nearest chunks."""
        where = "" if within is None else "WHERE document_id = ANY(:within)"
        statement = (
            f"SELECT document_id, number, 1 - (embedding <=> CAST(:vector AS halfvec)) AS score FROM {self._table} "
            f"{where} ORDER BY embedding <=> CAST(:vector AS halfvec) LIMIT :top_k"
        )
        candidates = min(_MOST_CANDIDATES, max(_LEAST_CANDIDATES, 2 * top_k))
        bound = {"vector": _written(vector[0]), "top_k": top_k} | ({} if within is None else {"within": list(within)})
        with self._database.reading() as connection:
            connection.execute(text(f"SET LOCAL hnsw.ef_search = {candidates}"))
            # With a condition the graph is walked on until enough rows meet it.
            connection.execute(text("SET LOCAL hnsw.iterative_scan = strict_order"))
            rows = connection.execute(text(statement), bound).all()
        # NaN is what the distance to a vector of zeros is.
        hits = [ChunkHit(row.document_id, row.number, float(row.score)) for row in rows if row.score == row.score]
        return sorted(hits, key=lambda hit: -hit.score)

    def _create(self, connection: Connection, dimensions: int) -> None:
        connection.execute(text("CREATE EXTENSION IF NOT EXISTS vector"))
        connection.execute(
            text(
                f"CREATE TABLE IF NOT EXISTS {self._table} ("
                "document_id varchar(16) NOT NULL REFERENCES documents (id) ON DELETE CASCADE, "
                "number integer NOT NULL, "
                f"embedding halfvec({int(dimensions)}) NOT NULL, PRIMARY KEY (document_id, number))"
            )
        )
        self._build_graph(connection)

    def drop_graph(self) -> None:
        """Drop the graph: filling a large library is faster without, searching it much slower."""
        with self._database.writing() as connection:
            connection.execute(text(f"DROP INDEX IF EXISTS {self._table}_near"))

    def build_graph(self) -> None:
        """Build the graph over all vectors at once, if it was dropped."""
        with self._database.writing() as connection:
            self._build_graph(connection)

    def _build_graph(self, connection: Connection) -> None:
        on = f"{self._table} USING hnsw (embedding halfvec_cosine_ops)"
        connection.execute(text(f"CREATE INDEX IF NOT EXISTS {self._table}_near ON {on}"))


def _written(vector: Vectors) -> str:
    return f"[{','.join(map('{:.6g}'.format, vector.tolist()))}]"
