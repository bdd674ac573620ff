"""The command line: parse, call the library, render. A module a group of commands; they are named here."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from thumbindex import __version__
from thumbindex.cli.documents import find_command, page_command, tree_command
from thumbindex.cli.fields import fields_app
from thumbindex.cli.indexing import index_command
from thumbindex.cli.library import documents_command, remove_command, show_command
from thumbindex.cli.measuring import compare_command, eval_command
from thumbindex.cli.models import models_command, serve_command
from thumbindex.cli.searching import search_command
from thumbindex.errors import InputError, ThumbindexError
from thumbindex.render import printable

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


@app.callback(invoke_without_command=True)
def _version(
    version: Annotated[bool, typer.Option("--version", help="Print the version.", is_eager=True)] = False,
) -> None:
    if version:
        print(f"thumbindex {__version__}")
        raise typer.Exit


app.command("find")(find_command)
app.command("tree")(tree_command)
app.command("page")(page_command)
app.command("eval")(eval_command)
app.command("compare")(compare_command)
app.command("index")(index_command)
app.command("search")(search_command)
app.command("documents")(documents_command)
app.command("show")(show_command)
app.command("remove")(remove_command)
app.add_typer(fields_app, name="fields")
app.command("models")(models_command)
app.command("serve")(serve_command)


def main() -> None:
    """Run the command line; errors become one line and an exit code: 2 the caller's mistake, 1 the file's or ours."""
    try:
        app()
    except ThumbindexError as error:
        print(f"thumbindex: {printable(str(error))}", file=sys.stderr)
        raise SystemExit(2 if isinstance(error, InputError) else 1) from None
