"""The contract of a vector index, and the one that any library can have: exact search over vectors kept in it."""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import ColumnElement, delete, insert, select

from thumbindex.catalog.database import Database
from thumbindex.catalog.schema import chunk_vectors
from thumbindex.embedding.base import Vectors

__all__ = ["ChunkHit", "ExactIndex", "VectorIndex"]

# Enough to tell the versions of one document's vectors apart.
_DIGEST_DIGITS = 16


@dataclass(frozen=True, slots=True)
class ChunkHit:
    """A chunk that was found, and its cosine similarity to what was asked: higher is nearer, at most 1."""

    document_id: str
    number: int
    score: float


class VectorIndex(Protocol):
    """What every index of chunk vectors is. It holds the vectors of one encoder."""

    def put(self, document_id: str, vectors: Vectors) -> None:
        """Keep the vectors of a document's chunks, row `i` that of chunk `i`, in place of those it had."""
        ...

    def remove(self, document_id: str) -> None:
        """Drop the vectors of a document."""
        ...

    def search(self, vector: Vectors, top_k: int, within: Collection[str] | None = None) -> list[ChunkHit]:
        """The chunks nearest to a vector of shape `(1, dimensions)`, nearest first.

        Args:
            vector: Of length 1.
            top_k: How many.
            within: Ids of the only documents to look in; None looks in all.
        """
        ...


class ExactIndex:
    """Every vector is compared, so nothing is missed: good for a hundred thousand chunks.

    They are kept as float16 in the library and read into memory on the first search, and again on the first after some
    of them changed, whoever changed them.

    Args:
        database: The library.
        encoder: Whose vectors.
    """

    def __init__(self, database: Database, encoder: str) -> None:
        self._database = database
        self._encoder = encoder
        self._held = _Held.empty()

    def put(self, document_id: str, vectors: Vectors) -> None:
        """Keep the vectors of a document."""
        content = vectors.astype("<f2").tobytes()
        digest = hashlib.sha256(content).hexdigest()[:_DIGEST_DIGITS]
        row = {"dimensions": vectors.shape[1], "digest": digest, "content": content}
        with self._database.writing() as connection:
            self._database.hold(connection, document_id)
            connection.execute(delete(chunk_vectors).where(*self._of(document_id)))
            connection.execute(insert(chunk_vectors).values(document_id=document_id, encoder=self._encoder, **row))

    def remove(self, document_id: str) -> None:
        """Drop the vectors of a document."""
        with self._database.writing() as connection:
            connection.execute(delete(chunk_vectors).where(*self._of(document_id)))

    def search(self, vector: Vectors, top_k: int, within: Collection[str] | None = None) -> list[ChunkHit]:
        """The nearest chunks."""
        held = self._current()
        if not len(held.documents):
            return []
        scores = held.vectors @ vector[0].astype(np.float32)
        if within is not None:
            wanted = np.isin(held.owner, [held.positions[d] for d in within if d in held.positions])
            scores = np.where(wanted, scores, -np.inf)
        best = _best(scores, top_k)
        return [ChunkHit(held.documents[held.owner[row]], int(held.numbers[row]), float(scores[row])) for row in best]

    def _of(self, document_id: str) -> tuple[ColumnElement[bool], ...]:
        return chunk_vectors.c.document_id == document_id, chunk_vectors.c.encoder == self._encoder

    def _current(self) -> _Held:
        of_encoder = chunk_vectors.c.encoder == self._encoder
        columns = chunk_vectors.c.document_id, chunk_vectors.c.digest
        with self._database.reading() as connection:
            digests = {row.document_id: row.digest for row in connection.execute(select(*columns).where(of_encoder))}
            if digests != self._held.digests:
                contents = select(chunk_vectors.c.document_id, chunk_vectors.c.dimensions, chunk_vectors.c.content)
                rows = connection.execute(contents.where(of_encoder).order_by(chunk_vectors.c.document_id)).all()
                parts = [(row.document_id, _decoded(row.content, row.dimensions)) for row in rows]
                self._held = _Held.of(parts, digests)
        return self._held


@dataclass(frozen=True)
class _Held:
    """All vectors in memory.

    Attributes:
        digests: Of the vectors of each document, by its id.
        documents: Ids.
        positions: Where each id stands among them.
        owner: For each vector, the position of its document.
        numbers: For each vector, its chunk's number.
        vectors: Shape `(chunks, dimensions)`.
    """

    digests: Mapping[str, str]
    documents: list[str]
    positions: dict[str, int]
    owner: NDArray[np.int64]
    numbers: NDArray[np.int64]
    vectors: Vectors

    @classmethod
    def empty(cls) -> _Held:
        none = np.zeros(0, np.int64)
        return cls({}, [], {}, none, none, np.zeros((0, 0), np.float32))

    @classmethod
    def of(cls, parts: Sequence[tuple[str, Vectors]], digests: Mapping[str, str]) -> _Held:
        if not parts:
            return cls.empty()
        sizes = [len(part) for _, part in parts]
        documents = [document for document, _ in parts]
        owner = np.repeat(np.arange(len(parts)), sizes)
        numbers = np.concatenate([np.arange(size) for size in sizes])
        return cls(
            digests,
            documents,
            {d: row for row, d in enumerate(documents)},
            owner,
            numbers,
            np.concatenate([part for _, part in parts]),
        )


def _decoded(content: bytes, dimensions: int) -> Vectors:
    return np.frombuffer(content, "<f2").reshape(-1, dimensions).astype(np.float32)


def _best(scores: Vectors, top_k: int) -> list[int]:
    """The rows of the highest scores, highest first, the earlier of equals first; none of minus infinity."""
    top = (
        np.argpartition(-scores, min(top_k, len(scores)) - 1)[:top_k] if len(scores) > top_k else np.arange(len(scores))
    )
    ordered = top[np.lexsort((top, -scores[top]))]
    return [int(row) for row in ordered if np.isfinite(scores[row])]
