"""Vectors in Chroma (extra `chroma`): a folder of its own beside the library."""

from __future__ import annotations

import hashlib
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING, Any

from thumbindex.catalog.vectors import ChunkHit
from thumbindex.embedding.base import Vectors
from thumbindex.errors import OptionalDependencyError

if TYPE_CHECKING:
    from chromadb.api import ClientAPI

__all__ = ["ChromaIndex"]

_ROWS_AT_ONCE = 1_000


class ChromaIndex:
    """A collection of Chroma, compared by cosine.

    Args:
        client: Of the `chromadb` package.
        encoder: Whose vectors.
    """

    def __init__(self, client: ClientAPI, encoder: str) -> None:
        name = f"vectors-{hashlib.sha256(encoder.encode()).hexdigest()[:16]}"
        self._collection = client.get_or_create_collection(
            name, embedding_function=None, metadata={"hnsw:space": "cosine"}
        )

    @classmethod
    def from_folder(cls, folder: Path, encoder: str) -> ChromaIndex:
        """The index kept in a folder, made where there is none.

        Raises:
            OptionalDependencyError: The extra `chroma` is not installed.
        """
        try:
            import chromadb  # noqa: PLC0415 - an extra
            from chromadb.config import Settings  # noqa: PLC0415
        except ImportError as error:
            raise OptionalDependencyError("Chroma needs an extra: pip install 'thumbindex[chroma]'") from error
        settings = Settings(anonymized_telemetry=False)
        return cls(chromadb.PersistentClient(path=str(folder), settings=settings), encoder)

    def put(self, document_id: str, vectors: Vectors) -> None:
        """Keep the vectors of a document."""
        self.remove(document_id)
        for first in range(0, len(vectors), _ROWS_AT_ONCE):
            part = vectors[first : first + _ROWS_AT_ONCE]
            numbers = range(first, first + len(part))
            self._collection.add(
                ids=[f"{document_id}/{number}" for number in numbers],
                embeddings=part,
                metadatas=[{"document_id": document_id, "number": number} for number in numbers],
            )

    def remove(self, document_id: str) -> None:
        """Drop the vectors of a document."""
        self._collection.delete(where={"document_id": document_id})

    def search(self, vector: Vectors, top_k: int, within: Collection[str] | None = None) -> list[ChunkHit]:
        """The nearest chunks."""
        count = self._collection.count()
        if not count or (within is not None and not within):
            return []
        where: dict[str, Any] | None = None if within is None else {"document_id": {"$in": list(within)}}
        found = self._collection.query(query_embeddings=vector, n_results=min(top_k, count), where=where)
        rows = zip((found["metadatas"] or [[]])[0], (found["distances"] or [[]])[0], strict=True)
        hits = [ChunkHit(str(row["document_id"]), int(str(row["number"])), 1 - float(apart)) for row, apart in rows]
        return sorted(hits, key=lambda hit: -hit.score)
