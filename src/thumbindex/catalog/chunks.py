"""A document in pieces small enough to be about one thing, each with its page and section."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlalchemy import delete, insert, select

from thumbindex.catalog.database import Database
from thumbindex.catalog.schema import chunks
from thumbindex.document import Document, join_split_words
from thumbindex.sections import path_at
from thumbindex.tree import Tree

__all__ = ["CHUNKER", "Chunk", "ChunkTable", "chunk_text", "chunks_of"]

# Names how documents are cut and told; raised whenever the same document would be cut or told differently.
CHUNKER = "lines-2"
# About a paragraph or a table; a static vector of more is about nothing in particular.
_MOST_WORDS = 120
_SECTION_TITLES = 2


@dataclass(frozen=True, slots=True)
class Chunk:
    """Lines `first_line` to `last_line` of a page, both included, counted from 0; `section` names where they stand."""

    number: int
    page: int
    first_line: int
    last_line: int
    section: str


class ChunkTable:
    """The chunks of the documents of a library."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, document_id: str, found: Sequence[Chunk]) -> None:
        """Keep the chunks of a document, in place of those it had."""
        rows = [
            {
                "document_id": document_id,
                "number": chunk.number,
                "page": chunk.page,
                "first_line": chunk.first_line,
                "last_line": chunk.last_line,
                "section": chunk.section,
            }
            for chunk in found
        ]
        with self._database.writing() as connection:
            self._database.hold(connection, document_id)
            connection.execute(delete(chunks).where(chunks.c.document_id == document_id))
            if rows:
                connection.execute(insert(chunks), rows)

    def chunk(self, document_id: str, number: int) -> Chunk | None:
        """One chunk, or None."""
        one = select(chunks).where(chunks.c.document_id == document_id, chunks.c.number == number)
        with self._database.reading() as connection:
            row = connection.execute(one).one_or_none()
        return Chunk(row.number, row.page, row.first_line, row.last_line, row.section) if row else None


def chunks_of(document: Document, tree: Tree) -> list[Chunk]:
    """The chunks of a document in reading order: none crosses a page, and all its text is in one."""
    spans = ((page.number, span) for page in document.pages for span in _spans(document, page.number))
    return [
        Chunk(number, page, first, last, _section(tree, page, first))
        for number, (page, (first, last)) in enumerate(spans)
    ]


def chunk_text(document: Document, chunk: Chunk, identity: str = "") -> str:
    """What a chunk says: whose document it is in and its section on a line each, then its lines without running ones.

    A paragraph rarely says whose and of when it is, and questions do.
    """
    lines = document.page(chunk.page).lines[chunk.first_line : chunk.last_line + 1]
    body = join_split_words("\n".join(line.text for line in lines if not line.repeated))
    return "\n".join(part for part in (identity, chunk.section, body) if part)


def _spans(document: Document, page: int) -> Iterator[tuple[int, int]]:
    first, words = 0, 0
    lines = document.page(page).lines
    for index, line in enumerate(lines):
        words += 0 if line.repeated else line.text.count(" ") + 1
        if words >= _MOST_WORDS:
            yield first, index
            first, words = index + 1, 0
    if words:
        yield first, len(lines) - 1


def _section(tree: Tree, page: int, line: int) -> str:
    return " - ".join(node.title for node in path_at(tree, page, line)[-_SECTION_TITLES:])
