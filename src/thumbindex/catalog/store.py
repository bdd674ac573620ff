"""Documents and trees kept by content hash in a database, so that a file is read once."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import Row, delete, insert, select, update

from thumbindex.catalog.database import Database
from thumbindex.catalog.schema import documents, pages, summaries, trees
from thumbindex.codec import (
    Outline,
    decode_outline,
    decode_page,
    decode_tree,
    encode_outline,
    encode_page,
    encode_tree,
)
from thumbindex.document import Document
from thumbindex.tree import Tree

__all__ = ["Store", "StoredDocument"]


@dataclass(frozen=True)
class StoredDocument:
    """A document as kept.

    Attributes:
        document: What was read.
        path: Where the file stood when it was last read.
        reader: Name and version of what read it.
    """

    document: Document
    path: Path
    reader: str


class Store:
    """One database. Every write is one transaction: a document is there whole or not at all."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @classmethod
    def from_path(cls, path: Path) -> Store:
        """The store in one SQLite file, a cache, made where there is none.

        Raises:
            StoreError: The file cannot be made, or is no store.
        """
        return cls(Database.from_location(path, is_cache=True))

    def document(self, document_id: str) -> StoredDocument | None:
        """The document of that id, or None."""
        with self._database.reading() as connection:
            row = connection.execute(select(documents).where(documents.c.id == document_id)).one_or_none()
            if row is None:
                return None
            contents = connection.scalars(
                select(pages.c.content).where(pages.c.document_id == document_id).order_by(pages.c.number)
            ).all()
            return StoredDocument(_document(row, contents), Path(row.path), row.reader)

    def put_document(self, document: Document, path: Path, reader: str) -> None:
        """Keep a document, in place of what another reader made of it (its trees go with that).

        What the same reader made before stays, and with it all that was made of it since.
        """
        row = {
            "id": document.id,
            "sha256": document.sha256,
            "name": document.name,
            "path": str(path.absolute()),
            "page_count": len(document.pages),
            "outline": _pack(encode_outline(Outline(document.title, document.bookmarks, document.links))),
            "reader": reader,
        }
        contents = [
            {"document_id": document.id, "number": page.number, "content": _pack(encode_page(page))}
            for page in document.pages
        ]
        with self._database.writing() as connection:
            self._database.hold(connection, document.id)
            kept = connection.scalar(select(documents.c.reader).where(documents.c.id == document.id))
            if kept == reader:
                connection.execute(update(documents).where(documents.c.id == document.id).values(path=row["path"]))
                return
            connection.execute(delete(documents).where(documents.c.id == document.id))
            connection.execute(insert(documents), row)
            connection.execute(insert(pages), contents)

    def tree(self, document_id: str, builder: str) -> Tree | None:
        """The tree that `builder` (its name, version and settings) made of the document, or None."""
        with self._database.reading() as connection:
            content = connection.scalar(
                select(trees.c.content).where(trees.c.document_id == document_id, trees.c.builder == builder)
            )
            return None if content is None else decode_tree(zlib.decompress(content))

    def put_tree(self, document_id: str, builder: str, tree: Tree) -> None:
        """Keep a tree of a document that is kept."""
        with self._database.writing() as connection:
            self._database.hold(connection, document_id)
            connection.execute(delete(trees).where(trees.c.document_id == document_id, trees.c.builder == builder))
            connection.execute(
                insert(trees).values(document_id=document_id, builder=builder, content=_pack(encode_tree(tree)))
            )

    def summaries(self, document_id: str) -> dict[str, str]:
        """The texts that models wrote about the document, by key."""
        with self._database.reading() as connection:
            rows = connection.execute(
                select(summaries.c.key, summaries.c.text).where(summaries.c.document_id == document_id)
            )
            return {row.key: row.text for row in rows}

    def put_summary(self, document_id: str, key: str, summary: str) -> None:
        """Keep a text that a model wrote about a document that is kept."""
        with self._database.writing() as connection:
            self._database.hold(connection, document_id)
            connection.execute(delete(summaries).where(summaries.c.document_id == document_id, summaries.c.key == key))
            connection.execute(insert(summaries).values(document_id=document_id, key=key, text=summary))

    def close(self) -> None:
        """Let go of the database."""
        self._database.close()


def _document(row: Row[Any], contents: Sequence[bytes]) -> Document:
    outline = decode_outline(zlib.decompress(row.outline))
    return Document(
        id=row.id,
        name=row.name,
        sha256=row.sha256,
        pages=tuple(decode_page(zlib.decompress(content)) for content in contents),
        bookmarks=outline.bookmarks,
        links=outline.links,
        title=outline.title,
    )


def _pack(content: bytes) -> bytes:
    return zlib.compress(content, 1)
