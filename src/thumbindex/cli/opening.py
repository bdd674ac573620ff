"""Opening a document or a library as the options of a command say."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from rich.progress import TaskID

from thumbindex.catalog.database import is_url
from thumbindex.cli.arguments import SUMMARY_TOKENS
from thumbindex.cli.terminal import bar, err
from thumbindex.collection import Collection, Vectors
from thumbindex.decision.base import DecisionModel
from thumbindex.errors import PathError, StoreError
from thumbindex.folders import library_file
from thumbindex.generation.chat import ChatGenerator
from thumbindex.indexing.generated import SummaryBudget
from thumbindex.library import IndexedDocument, Library
from thumbindex.tree import SummarySource

__all__ = ["library", "location_of", "open_document", "opened"]


def open_document(
    file: str,
    no_cache: bool,
    tree: str | None = None,
    summaries: str | None = None,
    summary_tokens: int = SUMMARY_TOKENS,
) -> IndexedDocument:
    """The document, read and indexed with a bar of progress if it was not before."""
    generator = ChatGenerator.from_spec(summaries) if summaries else None
    with bar() as progress:
        tasks: dict[str, TaskID] = {}

        def advance(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = progress.add_task(stage, total=total)
            progress.update(tasks[stage], completed=done, total=total)

        document = library(no_cache).open(
            file,
            tree="pageindex" if tree == "pageindex" else Path(tree) if tree else None,
            summaries=generator,
            budget=SummaryBudget(max_tokens=summary_tokens),
            progress=advance,
        )
    if generator:
        _say_who_summarised(document, generator.name)
    return document


def library(no_cache: bool) -> Library:
    """The library in the user's cache, or one that keeps nothing."""
    if no_cache:
        return Library()
    try:
        return Library.from_cache()
    except StoreError as error:
        err.print(f"thumbindex: going on without a cache: {error}", style="yellow")
        return Library()


def location_of(library: str | None) -> str:
    """Where the named library is, or the user's own.

    Raises:
        PathError: It names a folder.
    """
    place = library or str(library_file())
    if not is_url(place) and Path(place).is_dir():
        raise PathError(f"{place} is a folder: name a file in it, as {Path(place) / 'library.sqlite'}")
    return place


@contextmanager
def opened(
    library: str | None,
    encoder: str | None = None,
    model: str | DecisionModel | None = None,
    llm: str | None = None,
    vectors: Vectors = Vectors.AUTO,
    *,
    must_exist: bool = False,
) -> Iterator[Collection]:
    """The library at a location, or the user's own, until the block ends.

    Raises:
        PathError: It must exist and does not: a mistyped path shall not look like an empty library.
    """
    place = location_of(library)
    if must_exist and not is_url(place) and not Path(place).is_file():
        raise PathError(f"there is no library {place}: `thumbindex index` makes one")
    generator = ChatGenerator.from_spec(llm) if llm else None
    collection = Collection.from_location(place, encoder, model, generator, vectors)
    try:
        yield collection
    finally:
        collection.close()


def _say_who_summarised(document: IndexedDocument, model: str) -> None:
    sources = [node.summary_source for _, node in document.tree.walk()]
    written = sources.count(SummarySource.GENERATED)
    rest = "" if written == len(sources) else "; the others stay extractive (model failed, or budget spent)"
    err.print(f"{written} of {len(sources)} summaries are by {model}{rest}", style="dim")
