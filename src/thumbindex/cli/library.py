"""The commands on the documents of a library: documents, show, remove."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated

import typer
from rich.cells import cell_len
from rich.text import Text

from thumbindex.catalog.fields import facts_from_flags
from thumbindex.catalog.listing import Entry, Order
from thumbindex.cli.arguments import Json, LibraryOption
from thumbindex.cli.opening import opened
from thumbindex.cli.terminal import err, out, print_json
from thumbindex.collection import Collection
from thumbindex.render import printable

__all__ = ["documents_command", "remove_command", "show_command"]


def documents_command(
    library: LibraryOption = None,
    where: Annotated[
        list[str] | None,
        typer.Option(metavar="FIELD=VALUE", help="Only those with this value; may be given several times."),
    ] = None,
    sort: Annotated[str, typer.Option(help="Sort by name, pages, added, or a field.")] = "name",
    limit: Annotated[int | None, typer.Option(min=1, help="List the first N only.")] = None,
    as_json: Json = False,
) -> None:
    """List the documents of a library.

    Example: thumbindex documents --where report_type=10-K --sort fiscal_year --limit 20
    """
    wanted = facts_from_flags(where or [], "--where")
    with opened(library, must_exist=True) as collection:
        values = [(collection.fields.field(fact.field), fact.value) for fact in wanted]
        order = Order(sort) if sort in set(Order) else collection.fields.field(sort)
        entries = collection.listing.matching(values, order, limit)
    if as_json:
        print_json([_entry_json(entry) for entry in entries])
    elif entries:
        _print_table(entries)
    else:
        err.print("no document fits" if wanted else "the library has no documents: `thumbindex index` adds some")


def show_command(
    document: Annotated[str, typer.Argument(metavar="ID", help="Its id, or the beginning of it.")],
    library: LibraryOption = None,
    as_json: Json = False,
) -> None:
    """Show one document of a library: its metadata and what filled each value, and its description."""
    with opened(library, must_exist=True) as collection:
        entry = collection.listing.entry(document)
        called = {name: _other_names(collection, name, value.value) for name, value in entry.fields.items()}
    if as_json:
        print_json({**_entry_json(entry), "other_names": {name: found for name, found in called.items() if found}})
    else:
        out.print(_card(entry, called))


def remove_command(
    documents: Annotated[list[str], typer.Argument(metavar="ID...", help="Ids, or the beginnings of them.")],
    library: LibraryOption = None,
) -> None:
    """Remove documents from a library. The files stay where they are."""
    with opened(library, must_exist=True) as collection:
        for found in [collection.listing.entry(document) for document in documents]:
            entry = collection.remove(found.id)
            out.print(f"removed {entry.id}  {entry.name}")


def _print_table(entries: Sequence[Entry]) -> None:
    """A line a document. Columns are only padded, never wrapped: rich's tables take a minute for 100,000 rows."""
    names = list(dict.fromkeys(name for entry in entries for name in entry.fields))
    rows = [("id", "name", "pages", *names)]
    for entry in entries:
        values = (entry.value(name) for name in names)
        shown = ("" if value is None else printable(str(value)) for value in values)
        rows.append((entry.id, printable(entry.name), f"{entry.pages:>5}", *shown))
    widths = [max(map(cell_len, column)) for column in zip(*rows, strict=True)]
    lines = (
        "  ".join(cell + " " * (width - cell_len(cell)) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    )
    out.print(Text(next(lines), style="bold"))
    for line in lines:
        print(line)


def _other_names(collection: Collection, field: str, value: str | int) -> list[str]:
    return collection.fields.aliases(field, [str(value)])[str(value)]


def _card(entry: Entry, called: Mapping[str, Sequence[str]]) -> Text:
    text = Text(f"{printable(entry.name)}\n", style="bold")
    text.append(f"{entry.id} · {entry.pages} pages · {printable(entry.path)}\n", style="dim")
    if entry.description:
        text.append(f"{printable(entry.description)}\n", style="not bold")
    for name, value in entry.fields.items():
        text.append(f"  {name}: {printable(str(value.value))}", style="not bold")
        also = f", also called {', '.join(map(printable, called[name]))}" if called[name] else ""
        text.append(f"  ({value.source}){also}\n", style="dim")
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
