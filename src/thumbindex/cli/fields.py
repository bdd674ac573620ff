"""The commands on the metadata fields of a library: fields list, add, remove."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from thumbindex.catalog.fields import FieldType
from thumbindex.cli.arguments import Json, LibraryOption
from thumbindex.cli.opening import opened
from thumbindex.cli.terminal import out, print_json
from thumbindex.errors import FieldError

__all__ = ["fields_app"]

fields_app = typer.Typer(help="The metadata fields of a library.", no_args_is_help=True, rich_markup_mode=None)


@fields_app.command("list")
def fields_list_command(library: LibraryOption = None, as_json: Json = False) -> None:
    """List the fields of a library, and some of their values."""
    with opened(library, must_exist=True) as collection:
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
    """Declare a field; documents get values for it with `index --meta` or `index --metadata`.

    Company, report_type, fiscal_year, fiscal_quarter and report_date, added again, are filled by the next `index`.
    """
    with opened(library) as collection:
        field = collection.fields.declare(name, kind)
    out.print(f"added {field.name} ({field.type})")


@fields_app.command("remove")
def fields_remove_command(
    name: Annotated[str, typer.Argument(metavar="NAME")],
    library: LibraryOption = None,
    yes: Annotated[bool, typer.Option("--yes", help="Remove the values, too, without asking.")] = False,
) -> None:
    """Remove a field and all its values."""
    with opened(library, must_exist=True) as collection:
        held = collection.fields.count(collection.fields.field(name).name)
        if held and not yes:
            _confirm(f"{held:,} {'document has' if held == 1 else 'documents have'} a value for {name}")
        collection.fields.drop(name)
    out.print(f"removed {name}")


def _confirm(what: str) -> None:
    """Ask on a terminal. Raises FieldError where there is none."""
    if not sys.stdin.isatty():
        raise FieldError(f"{what}: --yes removes the field with all of them")
    typer.confirm(f"{what}. Remove the field with all of them?", abort=True, err=True)
