"""The few things a user of the package does: open a document, look at its tree, ask it. The parts are joined here."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path

from PIL.Image import Image
from platformdirs import user_cache_path

from thumbindex.catalog.store import Store
from thumbindex.decision.base import DecisionModel
from thumbindex.decision.registry import DEFAULT_MODEL, load_model
from thumbindex.document import Box, Document, Page
from thumbindex.errors import PathError, UnknownDocumentError
from thumbindex.indexing import BUILDER, IndexOptions, build_tree
from thumbindex.pdf import READER, read_pdf, render_page
from thumbindex.search import DocumentTerms, Finding, SearchOptions, find
from thumbindex.tree import Tree

__all__ = ["IndexedDocument", "Library", "Progress", "open"]

Progress = Callable[[str, int, int], None]
"""Called as work goes on with what is being done, how many steps are done, and how many there are."""

_DOCUMENT_ID = re.compile(r"[0-9a-f]{16}")


@dataclass(frozen=True)
class IndexedDocument:
    """A document that can be asked.

    Attributes:
        document: What was read.
        tree: Its sections.
        file: Where it was read from.
    """

    document: Document
    tree: Tree
    file: Path

    @property
    def id(self) -> str:
        """Derived from the file's bytes: the same for every copy."""
        return self.document.id

    @property
    def name(self) -> str:
        """The file's name."""
        return self.document.name

    @property
    def pages(self) -> tuple[Page, ...]:
        """All pages; the first is page 1."""
        return self.document.pages

    def page(self, number: int) -> Page:
        """The page of that number, counted from 1.

        Raises:
            PageNumberError: The document has no such page.
        """
        return self.document.page(number)

    def find(
        self,
        question: str,
        options: SearchOptions | None = None,
        *,
        model: str | DecisionModel = DEFAULT_MODEL,
    ) -> Finding:
        """The pages and lines that answer the question, and whether any does.

        Args:
            question: In plain words.
            options: How to search.
            model: What decides: a name as `load_model` takes it, or a model.

        Raises:
            QuestionError: The question is empty or far too long.
            UnknownModelError: No model of that name.
            NoTextError: No page has text.
            DecisionError: The model failed.
        """
        deciding = load_model(model) if isinstance(model, str) else model
        return find(question, self.document, self.tree, deciding, options or SearchOptions(), terms=self._terms)

    def image(self, number: int, marks: Sequence[Box] = (), *, scale: float = 1.5) -> Image:
        """A picture of a page, the boxes in `marks` highlighted; `scale` is pixels per point.

        Raises:
            PageNumberError: The document has no such page.
            PathError: The file it was read from is no longer there, or has changed.
        """
        self.page(number)
        if _sha256(self.file) != self.document.sha256:
            raise PathError(f"{self.file} has changed since it was read: open it again")
        return render_page(self.file, number, scale=scale, marks=marks)

    @cached_property
    def _terms(self) -> DocumentTerms:
        return DocumentTerms(self.document)


class Library:
    """Documents that were read and indexed, kept so that none is read twice.

    Args:
        store: Where they are kept; None keeps nothing.
        index_options: How trees are built.
    """

    def __init__(self, store: Store | None = None, index_options: IndexOptions | None = None) -> None:
        self._store = store
        self._index_options = index_options or IndexOptions()

    @classmethod
    def from_cache(cls, folder: Path | None = None, index_options: IndexOptions | None = None) -> Library:
        """The library kept in `folder`, by default the user's cache folder.

        Raises:
            StoreError: It cannot be written or read.
        """
        folder = folder or user_cache_path("thumbindex")
        return cls(Store.from_path(folder / "library.sqlite"), index_options)

    def open(self, source: str | Path, *, progress: Progress | None = None) -> IndexedDocument:
        """The document in a file, or the kept one of that id, read and indexed if it has not been.

        Raises:
            PathError: No such file.
            UnknownDocumentError: No document of that id is kept.
            DocumentError: The file cannot be used.
            StoreError: What is kept cannot be read or written.
        """
        if isinstance(source, str) and _DOCUMENT_ID.fullmatch(source) and not Path(source).exists():
            document, file = self._kept(source, progress)
        else:
            file = Path(source)
            document = self._read(file, progress)
        return IndexedDocument(document, self._tree(document, progress), file)

    def _kept(self, document_id: str, progress: Progress | None) -> tuple[Document, Path]:
        stored = self._store.document(document_id) if self._store else None
        if stored is None:
            raise UnknownDocumentError(f"no document {document_id} is kept here: give its file instead")
        if stored.reader == READER:
            return stored.document, stored.path
        return self._read(stored.path, progress), stored.path

    def _read(self, file: Path, progress: Progress | None) -> Document:
        if self._store:
            stored = self._store.document(Document.id_of(_sha256(file)))
            if stored and stored.reader == READER:
                return stored.document
        document = read_pdf(file, progress=partial(progress, "Reading") if progress else None)
        if self._store:
            self._store.put_document(document, file, READER)
        return document

    def _tree(self, document: Document, progress: Progress | None) -> Tree:
        builder = f"{BUILDER} {self._index_options}"
        kept = self._store.tree(document.id, builder) if self._store else None
        if kept:
            return kept
        if progress:
            progress("Indexing", 0, 1)
        tree = build_tree(document, self._index_options)
        if self._store:
            self._store.put_tree(document.id, builder, tree)
        if progress:
            progress("Indexing", 1, 1)
        return tree


def open(source: str | Path, *, cache: bool = True, progress: Progress | None = None) -> IndexedDocument:
    """The document in a PDF file, or one read before by its id.

    Args:
        source: Path of the file, or a document's id.
        cache: Whether what is read and indexed is kept in the user's cache folder for the next time.
        progress: Told how far the work is.

    Raises:
        PathError: No such file.
        UnknownDocumentError: No document of that id is kept.
        DocumentError: The file cannot be used.
        StoreError: The cache cannot be used.
    """
    library = Library.from_cache() if cache else Library()
    return library.open(source, progress=progress)


def _sha256(file: Path) -> str:
    if file.is_dir():
        raise PathError(f"{file} is a folder: name a PDF file")
    try:
        with file.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except FileNotFoundError as error:
        raise PathError(f"there is no file {file}") from error
    except OSError as error:
        raise PathError(f"cannot read {file}: {error.strerror}") from error
