"""The command line: parse, call the library, render."""

from __future__ import annotations

import json
import os
import sys
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from thumbindex import __version__
from thumbindex.cli_library import register
from thumbindex.decision.registry import DEFAULT_MODEL, load_model
from thumbindex.errors import InputError, PathError, StoreError, ThumbindexError
from thumbindex.evaluation.metrics import QuestionResult, figures, ranking_figures
from thumbindex.evaluation.questions import load_questions
from thumbindex.evaluation.runs import evaluate, result_to_json
from thumbindex.generation.chat import ChatGenerator
from thumbindex.indexing.generated import SummaryBudget
from thumbindex.library import IndexedDocument, Library
from thumbindex.render import render_figures, render_finding, render_trace, render_tree
from thumbindex.search import Finding, SearchOptions
from thumbindex.tree import SummarySource

__all__ = ["app", "main"]

app = typer.Typer(
    name="thumbindex",
    help="Ask a long document a question; get the page and the line that answer it, with a probability for each.",
    epilog='Start with: thumbindex find report.pdf "How much did the company spend on research?"',
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    add_completion=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)
register(app)
# A pipe has no width of its own: wide enough there that no table is cut.
_PIPE_WIDTH = 240
out = Console(highlight=False, soft_wrap=True, width=None if sys.stdout.isatty() else _PIPE_WIDTH)
err = Console(stderr=True, highlight=False, soft_wrap=True)


class Strategy(StrEnum):
    """How pages are looked for."""

    HYBRID = "hybrid"
    TREE = "tree"
    FLAT = "flat"


_DEFAULTS = SearchOptions()
_SUMMARY_TOKENS = SummaryBudget().max_tokens

File = Annotated[str, typer.Argument(metavar="FILE", help="A PDF, or the id of a document read before.")]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Read the file anew and keep nothing.")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON for programs instead of text.")]
TreeSource = Annotated[
    str | None,
    typer.Option(
        "--tree",
        metavar="FILE.json|pageindex",
        help="Use a tree in PageIndex's shape, or have the pageindex package build it, instead of our own.",
    ),
]
Summaries = Annotated[
    str | None,
    typer.Option(metavar="chat:URL#MODEL", help="Have a chat model write the summaries. Page texts go to its server."),
]
SummaryTokens = Annotated[int, typer.Option(help="How many tokens --summaries may read and write for one document.")]
Model = Annotated[str, typer.Option(help="What decides among options. In the package: lexical.")]
StrategyOption = Annotated[
    Strategy,
    typer.Option(help="tree: descend the sections. flat: rank all pages at once. hybrid: both, joined."),
]
Beam = Annotated[int, typer.Option(help="How many paths down the tree are followed at once.")]


@app.callback(invoke_without_command=True)
def _version(
    version: Annotated[bool, typer.Option("--version", help="Print the version.", is_eager=True)] = False,
) -> None:
    if version:
        print(f"thumbindex {__version__}")
        raise typer.Exit


@app.command("find")
def find_command(
    file: File,
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="What you want to know, in plain words.")],
    strategy: StrategyOption = Strategy.HYBRID,
    beam: Beam = _DEFAULTS.beam,
    top_k: Annotated[int, typer.Option(help="Show at most this many pages.")] = _DEFAULTS.top_k,
    model: Model = DEFAULT_MODEL,
    as_json: Json = False,
    trace: Annotated[bool, typer.Option("--trace", help="Show every decision on the way.")] = False,
    image: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Write a PNG of each found page there, the answering line marked."),
    ] = None,
    tree: TreeSource = None,
    summaries: Summaries = None,
    summary_tokens: SummaryTokens = _SUMMARY_TOKENS,
    no_cache: NoCache = False,
) -> None:
    """Find the pages and lines of a document that answer a question.

    Probabilities are of the check "does this page answer?", so they do not add up to 1 over pages.

    Example: thumbindex find report.pdf "What were the capital expenditures in 2025?"
    """
    options = SearchOptions(strategy=strategy.value, beam=beam, top_k=top_k)
    deciding = load_model(model)
    document = _open(file, no_cache, tree, summaries, summary_tokens)
    finding = document.find(question, options, model=deciding)
    if as_json:
        _print_json(finding.to_json())
    else:
        out.print(render_finding(finding))
        if trace:
            out.print(render_trace(finding.trace))
    if image:
        _write_images(document, finding, image)


@app.command("tree")
def tree_command(
    file: File,
    depth: Annotated[int | None, typer.Option(min=1, help="Show this many levels only.")] = None,
    as_json: Json = False,
    explain: Annotated[
        bool, typer.Option("--explain", help="Show what each section was found by, and how sure that is.")
    ] = False,
    tree: TreeSource = None,
    summaries: Summaries = None,
    summary_tokens: SummaryTokens = _SUMMARY_TOKENS,
    no_cache: NoCache = False,
) -> None:
    """Show the sections of a document: title, pages, summary.

    With --json, the tree in PageIndex's shape: title, node_id, start_index, end_index, summary, nodes.
    """
    document = _open(file, no_cache, tree, summaries, summary_tokens)
    if as_json:
        _print_json(document.tree.to_json())
    else:
        out.print(render_tree(document.tree, document.pages, depth, explain))


@app.command("page")
def page_command(
    file: File,
    number: Annotated[int, typer.Argument(metavar="N", help="The PDF page, counted from 1.")],
    image: Annotated[Path | None, typer.Option(metavar="OUT.png", help="Write a picture of the page instead.")] = None,
    no_cache: NoCache = False,
) -> None:
    """Print the text of one page, or draw it."""
    document = _open(file, no_cache)
    page = document.page(number)
    if image:
        _save(document.image(number), image)
    else:
        print(page.text)


@app.command("eval")
def eval_command(
    questions: Annotated[Path, typer.Argument(metavar="QUESTIONS.jsonl", help="Lines of {id, doc, question, pages}.")],
    documents: Annotated[Path, typer.Option(metavar="DIR", help="The folder with the PDFs.")],
    strategy: StrategyOption = Strategy.HYBRID,
    beam: Beam = _DEFAULTS.beam,
    model: Model = DEFAULT_MODEL,
    limit: Annotated[int | None, typer.Option(min=1, help="Ask the first N questions only.")] = None,
    static: Annotated[
        bool, typer.Option("--static", help="Describe sections by title and summary only, the same for all questions.")
    ] = False,
    out_file: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write one JSON line a question, with its ranking.")
    ] = None,
    as_json: Json = False,
    no_cache: NoCache = False,
) -> None:
    """Measure the search on a question set whose evidence pages are known.

    The row "bm25" is the floor: plain stemmed BM25 over whole pages, in the same run.
    """
    options = SearchOptions(strategy=strategy.value, beam=beam, query_aware=not static)
    deciding = load_model(model)
    asked = load_questions(questions)[:limit]
    results: list[QuestionResult] = []
    with _bar() as progress:
        task = progress.add_task("Asking", total=len(asked))
        for result in evaluate(asked, documents, _library(no_cache), deciding, options):
            results.append(result)
            progress.advance(task)
    if out_file:
        lines = (json.dumps(result_to_json(result), ensure_ascii=False) for result in results)
        _write_text(out_file, "".join(f"{line}\n" for line in lines))
    if as_json:
        _print_json(figures(results) | {"bm25": _floor(results)})
    else:
        out.print(render_figures(_rows(results)))
    for note in sorted({f"{r.question.document}: {r.note}" for r in results if r.note}):
        err.print(f"note: {note}", style="yellow")


def main() -> None:
    """Run the command line; errors become one line and an exit code: 2 the caller's mistake, 1 the file's or ours."""
    try:
        app()
    except ThumbindexError as error:
        print(f"thumbindex: {error}", file=sys.stderr)
        raise SystemExit(2 if isinstance(error, InputError) else 1) from None


def _open(
    file: str,
    no_cache: bool,
    tree: str | None = None,
    summaries: str | None = None,
    summary_tokens: int = _SUMMARY_TOKENS,
) -> IndexedDocument:
    generator = ChatGenerator.from_spec(summaries) if summaries else None
    with _bar() as progress:
        tasks: dict[str, TaskID] = {}

        def advance(stage: str, done: int, total: int) -> None:
            if stage not in tasks:
                tasks[stage] = progress.add_task(stage, total=total)
            progress.update(tasks[stage], completed=done, total=total)

        document = _library(no_cache).open(
            file,
            tree="pageindex" if tree == "pageindex" else Path(tree) if tree else None,
            summaries=generator,
            budget=SummaryBudget(max_tokens=summary_tokens),
            progress=advance,
        )
    if generator:
        _say_who_summarised(document, generator.name)
    return document


def _say_who_summarised(document: IndexedDocument, model: str) -> None:
    sources = [node.summary_source for _, node in document.tree.walk()]
    written = sources.count(SummarySource.GENERATED)
    rest = "" if written == len(sources) else "; the others stay extractive (model failed, or budget spent)"
    err.print(f"{written} of {len(sources)} summaries are by {model}{rest}", style="dim")


def _library(no_cache: bool) -> Library:
    if no_cache:
        return Library()
    folder = os.environ.get("THUMBINDEX_CACHE")
    try:
        return Library.from_cache(Path(folder) if folder else None)
    except StoreError as error:
        err.print(f"thumbindex: going on without a cache: {error}", style="yellow")
        return Library()


@contextmanager
def _bar() -> Iterator[Progress]:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as progress:
        yield progress


def _rows(results: list[QuestionResult]) -> dict[str, dict[str, float | int | None]]:
    by_document: dict[str, list[QuestionResult]] = defaultdict(list)
    for result in results:
        by_document[result.question.document].append(result)
    rows = {name: figures(group) for name, group in sorted(by_document.items())} if len(by_document) > 1 else {}
    return rows | {"bm25": _floor(results), "all": figures(results)}


def _floor(results: list[QuestionResult]) -> dict[str, float | int | None]:
    answerable = [r for r in results if r.question.answerable]
    return ranking_figures(answerable, [r.lexical_ranking for r in answerable])


def _write_images(document: IndexedDocument, finding: Finding, folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise PathError(f"cannot write pictures to {folder}: {error.strerror}") from error
    for page in finding.pages:
        target = folder / f"page-{page.page:04d}.png"
        _save(document.image(page.page, [line.box for line in page.lines]), target)
        err.print(f"wrote {target}")


def _save(picture: Any, target: Path) -> None:
    try:
        picture.save(target, format="PNG")
    except OSError as error:
        raise PathError(f"cannot write {target}: {error.strerror or error}") from error


def _write_text(target: Path, text: str) -> None:
    try:
        target.write_text(text, encoding="utf-8")
    except OSError as error:
        raise PathError(f"cannot write {target}: {error.strerror}") from error


def _print_json(value: object) -> None:
    print(json.dumps(value, ensure_ascii=False, indent=2))
