"""Commands on one document: find, tree, page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from thumbindex.cli.arguments import (
    DEFAULTS,
    SUMMARY_TOKENS,
    Beam,
    File,
    Json,
    Model,
    NoCache,
    Strategy,
    StrategyOption,
    Summaries,
    SummaryTokens,
    TreeSource,
)
from thumbindex.cli.deciding import Estimate, MaxCost, MaxTokens, Record, Replay, deciding_model, print_estimate
from thumbindex.cli.opening import open_document
from thumbindex.cli.terminal import err, made_folder, out, print_json, spare_pdfs
from thumbindex.errors import PathError
from thumbindex.library import IndexedDocument
from thumbindex.render import printable, render_finding, render_trace, render_tree
from thumbindex.search import Finding, SearchOptions

__all__ = ["find_command", "page_command", "tree_command"]


def find_command(
    file: File,
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="What you want to know, in plain words.")],
    strategy: StrategyOption = Strategy.HYBRID,
    beam: Beam = DEFAULTS.beam,
    top_k: Annotated[int, typer.Option(help="Show at most this many pages.")] = DEFAULTS.top_k,
    model: Model = None,
    as_json: Json = False,
    trace: Annotated[bool, typer.Option("--trace", help="Show every decision on the way.")] = False,
    image: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write a PNG of each found page there, the answering line marked."),
    ] = None,
    tree: TreeSource = None,
    summaries: Summaries = None,
    summary_tokens: SummaryTokens = SUMMARY_TOKENS,
    max_cost: MaxCost = None,
    max_tokens: MaxTokens = None,
    estimate: Estimate = False,
    record: Record = None,
    replay: Replay = None,
    no_cache: NoCache = False,
) -> None:
    """Find the pages and lines of a document that answer a question.

    Probabilities are of the check "does this page answer?", so they do not add up to 1 over pages.

    Example: thumbindex find report.pdf "What were the capital expenditures in 2025?"
    """
    options = SearchOptions(strategy=strategy.value, beam=beam, top_k=top_k)
    deciding = deciding_model(
        model,
        max_cost=max_cost,
        max_tokens=max_tokens,
        estimate=estimate,
        record=record,
        replay=replay,
        no_cache=no_cache,
    )
    document = open_document(file, no_cache, tree, summaries, summary_tokens)
    finding = document.find(question, options, model=deciding)
    if estimate:
        print_estimate(model, finding.usage, as_json)
        return
    if as_json:
        print_json(finding.to_json())
    else:
        out.print(render_finding(finding))
        if trace:
            out.print(render_trace(finding.trace))
    if image:
        _write_images(document, finding, image)


def tree_command(
    file: File,
    depth: Annotated[int | None, typer.Option(min=1, help="Show this many levels only.")] = None,
    as_json: Json = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show what each section was found by, and how sure that is.")
    ] = False,
    tree: TreeSource = None,
    summaries: Summaries = None,
    summary_tokens: SummaryTokens = SUMMARY_TOKENS,
    no_cache: NoCache = False,
) -> None:
    """Show the sections of a document: title, pages, summary.

    With --json, the tree in PageIndex's shape: title, node_id, start_index, end_index, summary, nodes.
    """
    document = open_document(file, no_cache, tree, summaries, summary_tokens)
    if as_json:
        print_json(document.tree.to_json())
    else:
        out.print(render_tree(document.tree, document.pages, depth, explain))


def page_command(
    file: File,
    number: Annotated[int, typer.Argument(metavar="N", help="The PDF page, counted from 1.")],
    image: Annotated[Path | None, typer.Option(metavar="OUT.png", help="Write a picture of the page instead.")] = None,
    no_cache: NoCache = False,
) -> None:
    """Print the text of one page, or draw it."""
    document = open_document(file, no_cache)
    page = document.page(number)
    if image:
        _save(document.image(number), spare_pdfs(image))
        err.print(f"wrote {image}")
    else:
        print(printable(page.text, lines=True))


def _write_images(document: IndexedDocument, finding: Finding, folder: Path) -> None:
    made_folder(folder)
    for page in finding.pages:
        target = folder / f"page-{page.page:04d}.png"
        _save(document.image(page.page, [line.box for line in page.lines]), target)
        err.print(f"wrote {target}")


def _save(picture: Any, target: Path) -> None:
    try:
        picture.save(target, format="PNG")
    except OSError as error:
        raise PathError(f"cannot write {target}: {error.strerror or error}") from error
