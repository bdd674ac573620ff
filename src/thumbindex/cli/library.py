"""The commands for a library of many documents: parse, call the collection, render."""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from types import FrameType
from typing import Annotated

import typer
from platformdirs import user_data_path
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn
from rich.table import Table
from rich.text import Text

from thumbindex.catalog.facts import Fact
from thumbindex.catalog.fields import FieldType, facts_from_csv, facts_from_flags, value_key
from thumbindex.catalog.listing import Entry
from thumbindex.cli.arguments import Json, Model
from thumbindex.cli.terminal import err, out, print_json
from thumbindex.collection import Collection, Vectors
from thumbindex.decision.base import DecisionModel
from thumbindex.embedding.registry import load_encoder
from thumbindex.errors import FieldError, PathError
from thumbindex.generation.chat import ChatGenerator
from thumbindex.indexer import Given, Indexer, IndexEvent, IndexReport, pdf_files
from thumbindex.library_search import By, LibrarySearch, search_library
from thumbindex.render import render_library_finding, render_trace

__all__ = [
    "documents_command",
    "fields_app",
    "index_command",
    "opened",
    "remove_command",
    "search_command",
    "show_command",
]

_INTERRUPTED = 130

LibraryOption = Annotated[
    str | None,
    typer.Option(
        "--library",
        metavar="PATH|URL",
        envvar="THUMBINDEX_LIBRARY",
        help="The library: an SQLite file, or postgresql://…; by default a file in your data folder.",
    ),
]
Encoder = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="What encodes text for semantic search: wordllama, or openai:URL#MODEL (texts go to that server). "
        "By default the one whose weights are installed.",
    ),
]

Llm = Annotated[
    str | None,
    typer.Option(
        metavar="chat:URL#MODEL",
        help="A chat model. index: writes the descriptions. search: writes SQL and picks by descriptions. What it is "
        "shown goes to its server.",
    ),
]

VectorsOption = Annotated[
    Vectors,
    typer.Option(
        "--vectors",
        help="Where vectors are kept: auto (in the library), exact (there, compared one by one), "
        "or chroma (a folder beside it). Index and search with the same.",
    ),
]

_SORTS = ("name", "pages", "added")

fields_app = typer.Typer(help="The metadata fields of a library.", no_args_is_help=True, rich_markup_mode=None)


def index_command(
    paths: Annotated[
        list[str] | None,
        typer.Argument(metavar="[PATH]...", help="PDF files, folders of them, or patterns. None: what was left over."),
    ] = None,
    library: LibraryOption = None,
    recursive: Annotated[bool, typer.Option("--recursive", "-r", help="Also look in folders below folders.")] = False,
    jobs: Annotated[int, typer.Option(min=1, help="How many files are indexed at once.")] = 1,
    meta: Annotated[
        list[str] | None,
        typer.Option(metavar="FIELD=VALUE", help="Set a field of all these documents; may be given several times."),
    ] = None,
    metadata: Annotated[
        Path | None,
        typer.Option(metavar="FILE.csv", help="Set fields from a CSV: its column `file` holds file names."),
    ] = None,
    encoder: Encoder = None,
    llm: Llm = None,
    vectors: VectorsOption = Vectors.AUTO,
) -> None:
    """Add documents to a library, so that you can search all of them at once.

    Stop it with Ctrl-C or anyhow: what is done stays done, and the same command again does the rest.

    Example: thumbindex index reports/ --recursive --jobs 2
    """
    files = pdf_files(paths, recursive=recursive) if paths else None
    location = _location(library)
    given = Given(facts_from_flags(meta or []), facts_from_csv(metadata) if metadata else {})
    _check_fields(given, library)
    if encoder:
        load_encoder(encoder)  # says at once that there is none of that name
    try:
        with _bars(None if files is None else len(files)) as tell, _no_lost_interrupt() as look:

            def heard(event: IndexEvent) -> None:
                look()
                tell(event)

            report = Indexer(location, jobs, heard, given, encoder, llm, vectors).run(files)
    except KeyboardInterrupt:
        err.print("stopped; what was done is kept: `thumbindex index` goes on with the rest", style="yellow")
        raise typer.Exit(_INTERRUPTED) from None
    _say(report, location)
    if report.failures or report.left:
        raise typer.Exit(1)


def documents_command(
    library: LibraryOption = None,
    where: Annotated[
        list[str] | None,
        typer.Option(metavar="FIELD=VALUE", help="Only those with this value; may be given several times."),
    ] = None,
    sort: Annotated[str, typer.Option(help="Sort by name, pages, added, or a field.")] = "name",
    as_json: Json = False,
) -> None:
    """List the documents of a library.

    Example: thumbindex documents --where report_type=10-K --sort fiscal_year
    """
    wanted = facts_from_flags(where or [], "--where")
    with opened(library, must_exist=True) as collection:
        names = {field.name for field in collection.fields.all()}
        for name in [fact.field for fact in wanted] + ([] if sort in _SORTS else [sort]):
            if name not in names:
                raise FieldError(f"there is no field {name}: `thumbindex fields list` shows those there are")
        entries = _sorted([entry for entry in collection.listing.all() if _fits(entry, wanted)], sort)
    if as_json:
        print_json([_entry_json(entry) for entry in entries])
    else:
        out.print(_table(entries))


def show_command(
    document: Annotated[str, typer.Argument(metavar="ID", help="Its id, or the beginning of it.")],
    library: LibraryOption = None,
    as_json: Json = False,
) -> None:
    """Show one document of a library: its metadata and what filled each value, and its description."""
    with opened(library, must_exist=True) as collection:
        entry = collection.listing.entry(document)
    if as_json:
        print_json(_entry_json(entry))
    else:
        out.print(_card(entry))


def remove_command(
    documents: Annotated[list[str], typer.Argument(metavar="ID...", help="Ids, or the beginnings of them.")],
    library: LibraryOption = None,
) -> None:
    """Remove documents from a library. The files stay where they are."""
    with opened(library, must_exist=True) as collection:
        for found in [collection.listing.entry(document) for document in documents]:
            entry = collection.remove(found.id)
            out.print(f"removed {entry.id}  {entry.name}")


def search_command(
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="What you want to know, in plain words.")],
    library: LibraryOption = None,
    by: Annotated[By, typer.Option(help="How documents are chosen. auto: by all that applies, joined.")] = By.AUTO,
    documents: Annotated[int, typer.Option(min=1, help="Look for pages in at most this many documents.")] = 3,
    pages: Annotated[int, typer.Option(min=1, help="Show at most this many pages.")] = 5,
    model: Model = None,
    encoder: Encoder = None,
    llm: Llm = None,
    vectors: VectorsOption = Vectors.AUTO,
    as_json: Json = False,
    trace: Annotated[bool, typer.Option("--trace", help="Show every decision on the way.")] = False,
) -> None:
    """Find the documents of a library that a question is about, and the pages in them that answer it.

    A page shows two probabilities: that its document is meant, and that the page answers.

    Example: thumbindex search "What were the capital expenditures of Marrowick in 2025?"
    """
    with opened(library, encoder, model, llm, vectors, must_exist=True) as collection:
        finding = search_library(collection, question, LibrarySearch(by, documents, pages))
    if as_json:
        print_json(finding.to_json())
        return
    out.print(render_library_finding(finding))
    if trace:
        out.print(render_trace(finding.trace))


@fields_app.command("list")
def fields_list_command(library: LibraryOption = None, as_json: Json = False) -> None:
    """List the fields of a library, and some of their values."""
    with opened(library) as collection:
        rows = [(field, collection.fields.values(field.name, 5)) for field in collection.fields.all()]
    if as_json:
        print_json([{"name": field.name, "type": field.type.value, "values": values} for field, values in rows])
        return
    for field, values in rows:
        out.print(f"{field.name}  {field.type}  {'; '.join(values)}")


@fields_app.command("add")
def fields_add_command(
    name: Annotated[str, typer.Argument(metavar="NAME", help="Lower-case letters, digits and _.")],
    kind: Annotated[FieldType, typer.Argument(metavar="text|integer|date", help="What its values are.")],
    library: LibraryOption = None,
) -> None:
    """Declare a field; documents get values for it with `index --meta` or `index --metadata`."""
    with opened(library) as collection:
        field = collection.fields.declare(name, kind)
    out.print(f"added {field.name} ({field.type})")


@fields_app.command("remove")
def fields_remove_command(name: Annotated[str, typer.Argument(metavar="NAME")], library: LibraryOption = None) -> None:
    """Remove a field and all its values."""
    with opened(library) as collection:
        collection.fields.drop(name)
    out.print(f"removed {name}")


def _check_fields(given: Given, library: str | None) -> None:
    """Say at once, not after an hour of indexing, that a field or value cannot be."""
    facts = [*given.flags, *(fact for found in given.by_file.values() for fact in found)]
    if not facts:
        return
    with opened(library) as collection:
        declared = {field.name: field for field in collection.fields.all()}
    for fact in facts:
        if fact.field not in declared:
            raise FieldError(f"there is no field {fact.field}: `thumbindex fields add {fact.field} text` declares one")
        declared[fact.field].parse(fact.value)


def _location(library: str | None) -> str:
    return library or str(user_data_path("thumbindex") / "library.sqlite")


@contextmanager
def _no_lost_interrupt() -> Iterator[Callable[[], None]]:
    """A function that raises KeyboardInterrupt if one came and got lost: in a finaliser, Python only prints it."""
    asked = Event()

    def handle(number: int, frame: FrameType | None) -> None:
        asked.set()
        signal.default_int_handler(number, frame)

    def look() -> None:
        if asked.is_set():
            raise KeyboardInterrupt

    before = signal.signal(signal.SIGINT, handle)
    try:
        yield look
    finally:
        signal.signal(signal.SIGINT, before)


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
    place = _location(library)
    if must_exist and "://" not in place and not Path(place).is_file():
        raise PathError(f"there is no library {place}: `thumbindex index` makes one")
    generator = ChatGenerator.from_spec(llm) if llm else None
    collection = Collection.from_location(place, encoder, model, generator, vectors)
    try:
        yield collection
    finally:
        collection.close()


@contextmanager
def _bars(total: int | None) -> Iterator[Callable[[IndexEvent], None]]:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as progress:
        everything = progress.add_task("All files", total=total)
        files: dict[str, TaskID] = {}

        def tell(event: IndexEvent) -> None:
            if not event.stage:
                progress.advance(everything)
                if event.path in files:
                    progress.remove_task(files.pop(event.path))
                return
            if event.path not in files:
                files[event.path] = progress.add_task("", total=event.total)
            described = f"{event.stage} {Path(event.path).name}"
            progress.update(files[event.path], description=described, completed=event.done, total=event.total)

        yield tell


def _say(report: IndexReport, location: str) -> None:
    for failure in report.failures:
        err.print(f"failed: {failure.path}: {failure.error}", style="red")
    failed = f", {len(report.failures)} failed" if report.failures else ""
    left = f", {report.left} left" if report.left else ""
    out.print(f"{report.done} files indexed{failed}{left} · {_shown(location)}")


def _shown(location: str) -> str:
    """The location without a password."""
    scheme, separator, rest = location.partition("://")
    if not separator or "@" not in rest:
        return location
    user, _, host = rest.rpartition("@")
    return f"{scheme}://{user.partition(':')[0]}@{host}"


def _fits(entry: Entry, wanted: list[Fact]) -> bool:
    return all(value_key(entry.value(fact.field) or "") == value_key(fact.value) for fact in wanted)


def _sorted(entries: list[Entry], key: str) -> list[Entry]:
    def of(entry: Entry) -> object:
        fixed = {"name": entry.name.casefold(), "pages": entry.pages, "added": entry.added_at}
        return fixed[key] if key in fixed else entry.value(key)

    known = [entry for entry in entries if of(entry) is not None]
    return sorted(known, key=of) + [entry for entry in entries if of(entry) is None]  # type: ignore[arg-type]


def _table(entries: list[Entry]) -> Table:
    names = list(dict.fromkeys(name for entry in entries for name in entry.fields))
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("id", "name", "pages", *names):
        table.add_column(column, justify="right" if column == "pages" else "left")
    for entry in entries:
        values = (entry.value(name) for name in names)
        table.add_row(
            entry.id, entry.name, str(entry.pages), *("" if value is None else str(value) for value in values)
        )
    return table


def _card(entry: Entry) -> Text:
    text = Text(f"{entry.name}\n", style="bold")
    text.append(f"{entry.id} · {entry.pages} pages · {entry.path}\n", style="dim")
    if entry.description:
        text.append(f"{entry.description}\n", style="not bold")
    for name, value in entry.fields.items():
        text.append(f"  {name}: {value.value}", style="not bold")
        text.append(f"  ({value.source})\n", style="dim")
    for stage, maker in entry.stages.items():
        text.append(f"  {stage} by {maker}\n", style="dim")
    return text


def _entry_json(entry: Entry) -> dict[str, object]:
    return {
        "id": entry.id,
        "name": entry.name,
        "path": entry.path,
        "pages": entry.pages,
        "added_at": entry.added_at.isoformat(),
        "description": entry.description,
        "fields": {name: {"value": value.value, "source": value.source} for name, value in entry.fields.items()},
        "stages": dict(entry.stages),
    }
