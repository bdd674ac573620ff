"""Choosing documents by meaning: the chunks nearest to the question speak for the documents they stand in."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Sequence
from math import sqrt

from thumbindex.catalog.choosing import Choosing, Chosen
from thumbindex.catalog.chunks import ChunkTable
from thumbindex.catalog.vectors import ChunkHit, VectorIndex
from thumbindex.embedding.base import Encoder

__all__ = ["TOP_K", "choose_by_semantics", "document_scores"]

# How many chunks of the whole library speak.
TOP_K = 20


def document_scores(hits: Sequence[ChunkHit]) -> dict[str, float]:
    """The score of each document that a chunk was found of, best first.

    `DocScore = Σ ChunkScore / √(N + 1)` over the N chunks found of it (the document search of PageIndex): many chunks
    count for more than one, but less and less.
    """
    by_document: dict[str, list[float]] = defaultdict(list)
    for hit in hits:
        by_document[hit.document_id].append(hit.score)
    scores = {document: sum(found) / sqrt(len(found) + 1) for document, found in by_document.items()}
    return dict(sorted(scores.items(), key=lambda item: (-item[1], item[0])))


def choose_by_semantics(  # noqa: PLR0913
    question: str,
    encoder: Encoder,
    index: VectorIndex,
    chunks: ChunkTable,
    within: Collection[str] | None = None,
    top_k: int = TOP_K,
) -> Choosing:
    """The documents whose chunks are nearest to the question, best first; `within` are the only ones to look in.

    Raises:
        EmbeddingError: The encoder failed.
        StoreError: The library cannot be read.
    """
    hits = index.search(encoder.encode([question]), top_k, within)
    if not hits:
        return Choosing("semantics", applies=False, note="no chunk is encoded yet")
    nearest: dict[str, ChunkHit] = {}
    for hit in hits:
        nearest.setdefault(hit.document_id, hit)
    scores = document_scores(hits)
    reasons = {document: _reason(nearest[document], hits, chunks) for document in scores}
    return Choosing(
        "semantics", tuple(Chosen(document, score, reasons[document]) for document, score in scores.items())
    )


def _reason(hit: ChunkHit, hits: Sequence[ChunkHit], chunks: ChunkTable) -> str:
    count = sum(other.document_id == hit.document_id for other in hits)
    chunk = chunks.chunk(hit.document_id, hit.number)
    where = f", nearest on page {chunk.page}" if chunk else ""
    return f"{count} of {len(hits)} chunks{where}"
