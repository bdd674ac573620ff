import threading
from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text

from thumbindex.catalog.store import Store
from thumbindex.document import Bookmark, Box, Document, Line, Link, Page, PageFlag, PageRange
from thumbindex.errors import StoreError
from thumbindex.tree import Node, Tree

DOCUMENT = Document(
    id="0123456789abcdef",
    name="Bericht – März.pdf",
    sha256="0123456789abcdef" * 4,
    pages=(
        Page(1, "i", 612, 792, lines=(Line("Überblick", Box(72, 72, 200, 90), 18, bold=True),)),
        Page(2, "ii", 792, 612, rotation=90, flags=frozenset({PageFlag.NEEDS_OCR})),
    ),
    bookmarks=(Bookmark("Überblick", 1, 0, 72),),
    links=(Link(1, Box(1, 2, 3, 4), 2),),
    title="Bericht",
)
TREE = Tree((Node("Überblick", PageRange(1, 2), children=(Node("Zahlen", PageRange(2, 2)),)),))


@pytest.fixture
def store(tmp_path):
    made = Store.from_path(tmp_path / "deep" / "library.sqlite")
    yield made
    made.close()


def test_a_document_comes_back_as_it_was(store):
    store.put_document(DOCUMENT, Path("/somewhere/Bericht.pdf"), "reader-1")
    stored = store.document(DOCUMENT.id)
    assert stored.document == DOCUMENT
    assert (stored.path, stored.reader) == (Path("/somewhere/Bericht.pdf"), "reader-1")


def test_what_was_never_kept_is_none(store):
    assert store.document("f" * 16) is None
    assert store.tree("f" * 16, "builder-1") is None


def test_a_tree_belongs_to_its_document_and_builder(store):
    store.put_document(DOCUMENT, Path("a.pdf"), "reader-1")
    store.put_tree(DOCUMENT.id, "builder-1", TREE)
    assert store.tree(DOCUMENT.id, "builder-1") == TREE
    assert store.tree(DOCUMENT.id, "builder-2") is None


def test_what_a_model_wrote_is_kept_by_key(store):
    store.put_document(DOCUMENT, Path("a.pdf"), "reader-1")
    store.put_summary(DOCUMENT.id, "k" * 64, "About pumps.")
    store.put_summary(DOCUMENT.id, "k" * 64, "About valves.")
    assert store.summaries(DOCUMENT.id) == {"k" * 64: "About valves."}
    assert store.summaries("f" * 16) == {}


def test_reading_anew_replaces_the_document_and_drops_its_trees(store):
    store.put_document(DOCUMENT, Path("a.pdf"), "reader-1")
    store.put_tree(DOCUMENT.id, "builder-1", TREE)
    store.put_document(replace(DOCUMENT, pages=DOCUMENT.pages[:1]), Path("a.pdf"), "reader-2")
    assert len(store.document(DOCUMENT.id).document.pages) == 1
    assert store.tree(DOCUMENT.id, "builder-1") is None


def test_a_document_that_fails_half_way_is_not_there_at_all(store):
    twice = replace(DOCUMENT, pages=(DOCUMENT.pages[0], DOCUMENT.pages[0]))
    with pytest.raises(StoreError):
        store.put_document(twice, Path("a.pdf"), "reader-1")
    assert store.document(DOCUMENT.id) is None


def test_many_writers_of_the_same_document_leave_one(tmp_path):
    stores = [Store.from_path(tmp_path / "library.sqlite") for _ in range(4)]
    threads = [threading.Thread(target=s.put_document, args=(DOCUMENT, Path("a.pdf"), "reader-1")) for s in stores]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert stores[0].document(DOCUMENT.id).document == DOCUMENT
    for made in stores:
        made.close()


def test_a_file_that_is_no_store_is_a_clear_error(tmp_path):
    (tmp_path / "library.sqlite").write_bytes(b"not a database " * 100)
    with pytest.raises(StoreError, match=r"library\.sqlite cannot be used .*removed"):
        Store.from_path(tmp_path / "library.sqlite")


def test_a_damaged_page_is_a_clear_error(store, tmp_path):
    store.put_document(DOCUMENT, Path("a.pdf"), "reader-1")
    engine = create_engine(f"sqlite:///{tmp_path}/deep/library.sqlite")
    with engine.begin() as connection:
        connection.execute(text("UPDATE pages SET content = x'00' WHERE number = 2"))
    engine.dispose()
    with pytest.raises(StoreError, match="cannot be used"):
        store.document(DOCUMENT.id)


def test_a_store_of_a_newer_version_is_left_alone(tmp_path):
    Store.from_path(tmp_path / "library.sqlite").close()
    engine = create_engine(f"sqlite:///{tmp_path}/library.sqlite")
    with engine.begin() as connection:
        connection.execute(text("INSERT INTO schema_version VALUES (99)"))
    engine.dispose()
    with pytest.raises(StoreError, match="newer thumbindex"):
        Store.from_path(tmp_path / "library.sqlite")


def test_a_folder_that_cannot_be_made_is_a_clear_error(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(StoreError, match="cannot keep documents"):
        Store.from_path(tmp_path / "file" / "library.sqlite")
