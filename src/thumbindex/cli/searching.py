"""The command that asks a library: search."""

from __future__ import annotations

from typing import Annotated

import typer

from thumbindex.cli.arguments import Encoder, Json, LibraryOption, Llm, Model
from thumbindex.cli.deciding import (
    Estimate,
    MaxCost,
    MaxTokens,
    NoAnswers,
    Record,
    Replay,
    deciding_model,
    print_estimate,
)
from thumbindex.cli.opening import opened
from thumbindex.cli.terminal import out, print_json
from thumbindex.errors import OptionError
from thumbindex.library_search import By, LibrarySearch, forecast_search, search_library
from thumbindex.render import render_library_finding, render_trace

__all__ = ["search_command"]


def search_command(
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="What you want to know, in plain words.")],
    library: LibraryOption = None,
    by: Annotated[By, typer.Option(help="How documents are chosen. auto: by all that applies, joined.")] = By.AUTO,
    documents: Annotated[int, typer.Option(min=1, help="Look for pages in at most this many documents.")] = 3,
    pages: Annotated[int, typer.Option(min=1, help="Show at most this many pages.")] = 5,
    model: Model = None,
    encoder: Encoder = None,
    llm: Llm = None,
    as_json: Json = False,
    trace: Annotated[bool, typer.Option("--trace", help="Show every decision on the way.")] = False,
    max_cost: MaxCost = None,
    max_tokens: MaxTokens = None,
    estimate: Estimate = False,
    record: Record = None,
    replay: Replay = None,
    no_cache: NoAnswers = False,
) -> None:
    """Find the documents of a library that a question is about, and the pages in them that answer it.

    A page shows two probabilities: that its document is meant, and that the page answers.

    Example: thumbindex search "What were the capital expenditures of Marrowick in 2025?"
    """
    if llm and (estimate or record or replay):
        raise OptionError("--estimate, --record and --replay know nothing of what --llm says: leave it out with them")
    search = LibrarySearch(by, documents, pages)
    deciding = deciding_model(
        model,
        max_cost=max_cost,
        max_tokens=max_tokens,
        estimate=estimate,
        record=record,
        replay=replay,
        no_cache=no_cache,
    )
    with opened(library, encoder, deciding, llm, must_exist=True) as collection:
        if estimate:
            print_estimate(model, forecast_search(collection, question, search), as_json)
            return
        finding = search_library(collection, question, search)
    if as_json:
        print_json(finding.to_json())
        return
    out.print(render_library_finding(finding))
    if trace:
        out.print(render_trace(finding.trace))
