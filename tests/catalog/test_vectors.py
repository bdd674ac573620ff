from pathlib import Path

import numpy as np
import pytest
from catalog_documents import document
from sqlalchemy import text

from thumbindex.catalog.chroma import ChromaIndex
from thumbindex.catalog.database import Database
from thumbindex.catalog.pgvector import PgvectorIndex
from thumbindex.catalog.semantic import document_scores
from thumbindex.catalog.store import Store
from thumbindex.catalog.vectors import ChunkHit, ExactIndex
from thumbindex.embedding.base import unit

DIMENSIONS = 8
AXES = np.eye(DIMENSIONS, dtype=np.float32)


@pytest.fixture(params=["exact", "exact on postgresql", "pgvector", "chroma"])
def index(request, tmp_path):
    match request.param:
        case "exact":
            database = request.getfixturevalue("sqlite")
            return documents_kept(ExactIndex(database, "axes"), database)
        case "exact on postgresql":
            database = request.getfixturevalue("postgresql_database")
            return documents_kept(ExactIndex(database, "axes"), database)
        case "pgvector":
            database = request.getfixturevalue("postgresql_database")
            return documents_kept(PgvectorIndex(database, "axes", DIMENSIONS), database)
        case _:
            pytest.importorskip("chromadb")
            return ChromaIndex.from_folder(tmp_path / "chroma", "axes")


def documents_kept(index, database):
    for name in ("a", "b", "c"):
        Store(database).put_document(document(name), Path("x.pdf"), "reader-1")
    return index


A, B, C = (document(name).id for name in ("a", "b", "c"))


def test_the_nearest_chunks_come_first_with_their_cosine(index):
    index.put(A, AXES[:3])
    index.put(B, unit(AXES[:1] + AXES[1:2]))
    hits = index.search(AXES[:1], 2)
    assert [(hit.document_id, hit.number) for hit in hits] == [(A, 0), (B, 0)]
    assert [hit.score for hit in hits] == pytest.approx([1.0, 0.7071], abs=2e-3)


def test_search_within_some_documents_finds_no_others(index):
    index.put(A, AXES[:3])
    index.put(B, AXES[3:5])
    assert {hit.document_id for hit in index.search(AXES[:1], 10, within=[B])} == {B}
    assert index.search(AXES[:1], 10, within=[C]) == []


def test_putting_again_replaces(index):
    index.put(A, AXES[:4])
    index.put(A, AXES[4:6])
    hits = index.search(AXES[4:5], 10)
    assert [hit.number for hit in hits] == [0, 1]


def test_what_was_removed_is_not_found(index):
    index.put(A, AXES[:2])
    index.put(B, AXES[2:4])
    index.search(AXES[:1], 5)
    index.remove(A)
    assert {hit.document_id for hit in index.search(AXES[:1], 5)} == {B}


def test_an_index_without_vectors_finds_nothing(index):
    assert index.search(AXES[:1], 5) == []


def test_what_is_put_after_a_search_is_found_by_the_next(index):
    index.put(A, AXES[:1])
    index.search(AXES[:1], 5)
    index.put(B, AXES[1:2])
    assert index.search(AXES[1:2], 1)[0].document_id == B


def test_half_precision_ranks_like_full_precision(index):
    vectors = unit(np.random.default_rng(3).normal(size=(200, DIMENSIONS)).astype(np.float32))
    index.put(A, vectors)
    asked = unit(np.random.default_rng(4).normal(size=(1, DIMENSIONS)).astype(np.float32))
    exact = np.argsort(-(vectors @ asked[0]))[:10]
    assert {hit.number for hit in index.search(asked, 10)} == set(exact.tolist())


def test_document_scores_follow_the_formula():
    hits = [ChunkHit(A, 0, 0.9), ChunkHit(B, 0, 0.8), ChunkHit(B, 1, 0.7), ChunkHit(B, 2, 0.6)]
    scores = document_scores(hits)
    assert scores[A] == pytest.approx(0.9 / 2**0.5)
    assert scores[B] == pytest.approx((0.8 + 0.7 + 0.6) / 4**0.5)
    assert list(scores) == [B, A]


def two_of_one_library(location):
    first, second = (Database.from_location(location) for _ in range(2))
    return documents_kept(ExactIndex(first, "axes"), first), ExactIndex(second, "axes"), (first, second)


def test_what_another_process_put_in_place_of_old_vectors_is_found(location):
    index, other, databases = two_of_one_library(location)
    index.put(A, AXES[:2])
    index.put(B, AXES[2:4])
    assert other.search(AXES[:1], 1)[0] == ChunkHit(A, 0, 1.0)
    # The same ids, as many chunks: only the vectors are others.
    index.put(B, AXES[4:6])
    assert [hit.document_id for hit in other.search(AXES[4:5], 1)] == [B]
    assert other.search(AXES[2:3], 1)[0].score == 0
    for database in databases:
        database.close()


def test_a_library_from_before_vectors_had_digests_is_brought_up_to_date(location):
    index, other, databases = two_of_one_library(location)
    index.put(A, AXES[:2])
    with databases[0].writing() as connection:
        connection.execute(text("DROP INDEX chunk_vectors_by_digest"))
        connection.execute(text("ALTER TABLE chunk_vectors DROP COLUMN digest"))
        connection.execute(text("DELETE FROM schema_version WHERE version > 2"))
    for database in databases:
        database.close()
    index, other, databases = two_of_one_library(location)
    assert index.search(AXES[1:2], 1)[0].number == 1
    other.put(A, AXES[2:4])
    assert index.search(AXES[2:3], 1)[0] == ChunkHit(A, 0, 1.0)
    for database in databases:
        database.close()
