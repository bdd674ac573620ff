"""Opening a document as the options of a command say."""

from __future__ import annotations

from pathlib import Path

from rich.progress import TaskID

from thumbindex.cli.arguments import SUMMARY_TOKENS
from thumbindex.cli.terminal import bar, err
from thumbindex.errors import StoreError
from thumbindex.generation.chat import ChatGenerator
from thumbindex.indexing.generated import SummaryBudget
from thumbindex.library import IndexedDocument, Library
from thumbindex.tree import SummarySource

__all__ = ["library", "open_document"]


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


def _say_who_summarised(document: IndexedDocument, model: str) -> None:
    sources = [node.summary_source for _, node in document.tree.walk()]
    written = sources.count(SummarySource.GENERATED)
    rest = "" if written == len(sources) else "; the others stay extractive (model failed, or budget spent)"
    err.print(f"{written} of {len(sources)} summaries are by {model}{rest}", style="dim")
