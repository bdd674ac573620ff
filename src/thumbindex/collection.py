"""Many documents under one roof: added, listed, chosen among by a question. The parts are joined here."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from thumbindex.catalog.database import Database
from thumbindex.catalog.jobs import JobTable
from thumbindex.catalog.listing import Entry, Listing
from thumbindex.catalog.store import Store
from thumbindex.library import IndexedDocument, Library, Progress

__all__ = ["Collection"]


class Collection:
    """The documents of one database.

    Args:
        database: Where they are kept.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._library = Library(Store(database))
        self.listing = Listing(database)
        self.jobs = JobTable(database)

    @classmethod
    def from_location(cls, location: str | Path) -> Collection:
        """The collection at a path (an SQLite file, made where there is none) or a `postgresql://` URL.

        Raises:
            OptionError: A URL of another kind.
            OptionalDependencyError: PostgreSQL without its extra.
            StoreError: It cannot be used.
        """
        return cls(Database.from_location(location))

    def add(self, file: Path, progress: Progress | None = None) -> Entry:
        """The document in a file, read and indexed as far as it is not yet.

        Each stage is there whole or not at all; what is there is not made again.

        Raises:
            PathError: No such file.
            DocumentError: The file cannot be used.
            StoreError: What is kept cannot be read or written.
        """
        document = self._library.open(file, progress=progress)
        return self.listing.entry(document.id)

    def open(self, document_id: str) -> IndexedDocument:
        """The document of that id, to be asked.

        Raises:
            UnknownDocumentError: There is none.
        """
        return self._library.open(self.listing.entry(document_id).id)

    def remove(self, document_id: str) -> Entry:
        """Drop the document of that id; what it was comes back.

        Raises:
            UnknownDocumentError: There is none.
        """
        entry = self.listing.entry(document_id)
        self.listing.remove(entry.id)
        return entry

    def close(self) -> None:
        """Let go of the database."""
        self._database.close()
