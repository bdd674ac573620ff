"""The command that fills a library: index."""

from __future__ import annotations

import shlex
import signal
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Event
from types import FrameType
from typing import Annotated

import typer
from rich.progress import TaskID

from thumbindex.catalog.database import is_url, location_name
from thumbindex.catalog.fields import facts_from_csv, facts_from_flags
from thumbindex.cli.arguments import Encoder, LibraryOption, Llm, VectorsOption
from thumbindex.cli.opening import location_of, opened
from thumbindex.cli.terminal import bar, err, out
from thumbindex.collection import Vectors
from thumbindex.embedding.registry import default_encoder, load_encoder
from thumbindex.errors import FieldError
from thumbindex.indexer import Given, Indexer, IndexEvent, IndexReport, pdf_files

__all__ = ["index_command"]

_INTERRUPTED = 130
_SHOWN_NAMES = 5


def index_command(
    paths: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[PATH]...",
            help="PDF files, folders of them, or patterns. None: what was left over, or is missing.",
        ),
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
    location = location_of(library)
    given = Given(facts_from_flags(meta or []), facts_from_csv(metadata) if metadata else {})
    _check_fields(given, library)
    if encoder:
        load_encoder(encoder)  # says at once that there is none of that name
    elif not default_encoder():
        _say_without_vectors(vectors)
    try:
        with _bars(None if files is None else len(files)) as tell, _no_lost_interrupt() as look:

            def heard(event: IndexEvent) -> None:
                look()
                tell(event)

            report = Indexer(location, jobs, heard, given, encoder, llm, vectors).run(files)
    except KeyboardInterrupt:
        err.print(f"stopped; what was done is kept: {_same_again(library)} goes on with the rest", style="yellow")
        raise typer.Exit(_INTERRUPTED) from None
    if metadata and report.unmatched:
        err.print(_unmatched(report.unmatched, metadata), style="yellow")
    _say(report, location)
    if report.failures or report.left:
        raise typer.Exit(1)


def _same_again(library: str | None) -> str:
    """What a user types to go on; a URL may hold a password, so that it is not repeated."""
    if library is None or is_url(library):
        return "`thumbindex index`" if library is None else "`thumbindex index` with the same --library"
    return f"`thumbindex index --library {shlex.quote(library)}`"


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
def _bars(total: int | None) -> Iterator[Callable[[IndexEvent], None]]:
    with bar() as progress:
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


def _say_without_vectors(vectors: Vectors) -> None:
    kept = "" if vectors is Vectors.AUTO else f", so --vectors {vectors} has none to keep"
    err.print(
        f"semantic search is off: no encoder is installed{kept}; pip install 'thumbindex[wordllama]', or name a server "
        "with --encoder, and index again",
        style="yellow",
    )


def _unmatched(names: Sequence[str], metadata: Path) -> str:
    rows = "1 row" if len(names) == 1 else f"{len(names):,} rows"
    shown = ", ".join([*names[:_SHOWN_NAMES], *(["…"] if len(names) > _SHOWN_NAMES else [])])
    return (
        f"{rows} of {metadata} {'names a file' if len(names) == 1 else 'name files'} not indexed by this run: {shown}"
    )


def _say(report: IndexReport, location: str) -> None:
    for failure in report.failures:
        err.print(f"failed: {failure.path}: {failure.error}", style="red")
    counts = {
        "new": report.new,
        "completed": report.completed,
        "already there": report.present,
        "copy of another" if report.copies == 1 else "copies of others": report.copies,
        "failed": len(report.failures),
        "left": report.left,
    }
    total = sum(counts.values())
    parts = ", ".join(f"{count:,} {what}" for what, count in counts.items() if count)
    files = f"{total:,} {'file' if total == 1 else 'files'}: {parts}" if total else "nothing was left to do"
    out.print(f"{files} · {location_name(location)}")
