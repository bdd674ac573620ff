"""The few things a user of the package does: open a document, look at its tree, ask it. The parts are joined here."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any, Literal

from PIL.Image import Image

from thumbindex.catalog.store import Store
from thumbindex.decision.base import DecisionModel
from thumbindex.decision.registry import load_model
from thumbindex.document import Box, Document, Page
from thumbindex.errors import PathError, TreeError, UnknownDocumentError
from thumbindex.folders import cache_folder
from thumbindex.generation.base import TextGenerator
from thumbindex.indexing import BUILDER, IndexOptions, build_tree
from thumbindex.indexing.generated import SummaryBudget, write_summaries
from thumbindex.indexing.pageindex import build_with_pageindex, tree_from_json
from thumbindex.pdf import READER, check_file, read_pdf, render_page
from thumbindex.search import DocumentTerms, Finding, SearchOptions, find
from thumbindex.search.spending import Spending
from thumbindex.tree import Tree

__all__ = ["IndexedDocument", "Library", "Progress", "file_sha256", "open"]

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
        model: str | DecisionModel | None = None,
        spending: Spending | None = None,
    ) -> Finding:
        """The pages and lines that answer the question, and whether any does.

        Args:
            question: In plain words.
            options: How to search.
            model: What decides: a name as `load_model` takes it, or a model; None is what the environment or the
                settings say, else the default.
            spending: Of a search that this is a part of; by default this is one of its own.

        Raises:
            QuestionError: The question is empty or far too long.
            UnknownModelError: No model of that name.
            NoTextError: No page has text.
            DecisionError: The model failed.
        """
        deciding = load_model(model) if model is None or isinstance(model, str) else model
        options = options or SearchOptions()
        return find(question, self.document, self.tree, deciding, options, terms=self._terms, spending=spending)

    def image(self, number: int, marks: Sequence[Box] = (), *, scale: float = 1.5) -> Image:
        """A picture of a page, the boxes in `marks` highlighted; `scale` is pixels per point.

        Raises:
            PageNumberError: The document has no such page.
            PathError: The file it was read from is no longer there, or has changed.
        """
        self.page(number)
        if file_sha256(self.file) != self.document.sha256:
            raise PathError(f"{self.file} has changed since it was read: open it again")
        return render_page(self.file, number, scale=scale, marks=marks)

    @cached_property
    def _terms(self) -> DocumentTerms:
        return DocumentTerms.from_document(self.document, self.tree)


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
        """The library kept in `folder`, by default the user's cache folder or where THUMBINDEX_CACHE points.

        Raises:
            StoreError: It cannot be written or read.
        """
        folder = folder or cache_folder()
        return cls(Store.from_path(folder / "library.sqlite"), index_options)

    def open(
        self,
        source: str | Path,
        *,
        tree: Path | Literal["pageindex"] | None = None,
        summaries: TextGenerator | None = None,
        budget: SummaryBudget | None = None,
        progress: Progress | None = None,
    ) -> IndexedDocument:
        """The document in a file, or the kept one of that id, read and indexed if it has not been.

        Args:
            source: Path of the file, or a document's id.
            tree: A JSON file with a tree in PageIndex's shape, or "pageindex" to have that package build it; by default
                the tree is built here.
            summaries: Writes the summaries; by default they are extractive.
            budget: How much `summaries` may read and write.
            progress: Told how far the work is.

        Raises:
            PathError: No such file.
            UnknownDocumentError: No document of that id is kept.
            DocumentError: The file cannot be used.
            TreeError: The tree in `tree` does not fit the document.
            StoreError: What is kept cannot be read or written.
        """
        if isinstance(source, str) and _DOCUMENT_ID.fullmatch(source) and not Path(source).exists():
            document, file = self._kept(source, progress)
        else:
            file = Path(source)
            document = self._read(file, progress)
        grown = self._tree(document, file, tree, progress)
        if summaries:
            grown = self._summarised(grown, document, summaries, budget, progress)
        return IndexedDocument(document, grown, file)

    def _kept(self, document_id: str, progress: Progress | None) -> tuple[Document, Path]:
        stored = self._store.document(document_id) if self._store else None
        if stored is None:
            raise UnknownDocumentError(f"no document {document_id} is kept here: give its file instead")
        if stored.reader == READER:
            return stored.document, stored.path
        return self._read(stored.path, progress), stored.path

    def _read(self, file: Path, progress: Progress | None) -> Document:
        if self._store:
            stored = self._store.document(Document.id_of(file_sha256(file)))
            if stored and stored.reader == READER:
                return replace(stored.document, name=file.name)
        document = read_pdf(file, progress=partial(progress, "Reading") if progress else None)
        if self._store:
            self._store.put_document(document, file, READER)
        return document

    def _tree(
        self, document: Document, file: Path, source: Path | Literal["pageindex"] | None, progress: Progress | None
    ) -> Tree:
        if isinstance(source, Path):
            return tree_from_json(_json(source), document)
        builder = "pageindex" if source else f"{BUILDER} {self._index_options}"
        kept = self._store.tree(document.id, builder) if self._store else None
        if kept:
            return kept
        if progress:
            progress("Indexing", 0, 1)
        tree = build_with_pageindex(file, document) if source else build_tree(document, self._index_options)
        if self._store:
            self._store.put_tree(document.id, builder, tree)
        if progress:
            progress("Indexing", 1, 1)
        return tree

    def _summarised(
        self,
        tree: Tree,
        document: Document,
        generator: TextGenerator,
        budget: SummaryBudget | None,
        progress: Progress | None,
    ) -> Tree:
        kept = self._store.summaries(document.id) if self._store else {}

        def keep(key: str, summary: str) -> None:
            if self._store:
                self._store.put_summary(document.id, key, summary)

        told = partial(progress, "Summarising") if progress else None
        return write_summaries(tree, document, generator, kept, keep, budget, told)


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


def _json(file: Path) -> Any:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise PathError(f"cannot read the tree {file}: {error.strerror}") from error
    except (ValueError, RecursionError) as error:
        raise TreeError(f"{file} is not JSON: {error}") from error


def file_sha256(file: Path) -> str:
    """The SHA-256 of a file's bytes in hex. Raises PathError where it cannot be read."""
    check_file(file)
    try:
        with file.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest()
    except OSError as error:
        raise PathError(f"cannot read {file}: {error.strerror}") from error
