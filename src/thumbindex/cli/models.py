"""Commands on decision models: models, serve."""

from __future__ import annotations

import os
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from thumbindex.cli.arguments import Json
from thumbindex.cli.terminal import err, out, print_json
from thumbindex.decision.registry import available_models, checked_name, default_model, load_model
from thumbindex.errors import OptionalDependencyError, PathError, ServerStartError
from thumbindex.server.answering import Served, Shelf

__all__ = ["models_command", "serve_command"]

_KEY_VARIABLE = "THUMBINDEX_SERVER_KEY"
_PORT = 8788
_LOOPBACK = {"127.0.0.1", "::1", "localhost"}


def models_command(as_json: Json = False) -> None:
    """List what can decide on this machine, and what is missing for the rest.

    Name one with --model, with THUMBINDEX_MODEL, or as `model` in the settings (THUMBINDEX_CONFIG). No server is asked.
    """
    models, default = available_models(), checked_name(default_model())
    if as_json:
        print_json([{"name": m.name, "about": m.about, "missing": m.missing} for m in models])
        return
    table = Table(box=None, pad_edge=False, header_style="bold", collapse_padding=True)
    for heading in ("model", "here", "about"):
        table.add_column(heading, overflow="fold")
    for model in models:
        here = Text(f"needs: {model.missing}", "yellow") if model.missing else Text("ready", "green")
        table.add_row(Text(model.name), here, Text(model.about))
    out.print(table)
    out.print()
    out.print(f"Used where none is named: {default}")


def serve_command(
    model: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME", help="What answers; can be given several times. The first also answers as jev-latest."
        ),
    ] = None,
    host: Annotated[
        str, typer.Option(help="The address to answer on; 0.0.0.0 for all of this machine's.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 takes a free one.")] = _PORT,
    key_file: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help=f"Keys, one a line, any of which a client must send. Or {_KEY_VARIABLE}."),
    ] = None,
    max_body_mb: Annotated[int, typer.Option(min=1, max=1024, help="Longer requests are refused.")] = 16,
) -> None:
    """Answer System One requests: POST /v1/systemone, GET /v1/models.

    Any client of that protocol can use it: typesafe-sdk with TYPESAFE_BASE_URL=http://127.0.0.1:8788 and any key.
    """
    serve = _server().serve
    names = model or [default_model()]
    keys = _keys(key_file)
    shelf = Shelf([_served(name) for name in names])
    if not keys and host not in _LOOPBACK:
        err.print("thumbindex: no key is set: whoever reaches this address is answered", style="yellow")

    def started(url: str) -> None:
        print(f"serving {', '.join(names)} at {url} (stop with Ctrl-C)", flush=True)

    serve(shelf, host, port, keys=keys, max_body_bytes=max_body_mb * 1024 * 1024, started=started)


def _server() -> Any:
    """The module that serves; it is imported only here because it needs an extra."""
    try:
        return import_module("thumbindex.server.run")
    except ImportError as error:
        raise OptionalDependencyError("serving needs an extra: pip install 'thumbindex[serve]'") from error


def _served(name: str) -> Served:
    known = {model.name: model for model in available_models()}
    about = known[name].about if name in known else f"{name.partition(':')[0]} backend"
    return Served(name, load_model(name), about, known[name].since if name in known else "")


def _keys(file: Path | None) -> list[str]:
    """The keys in the file, without blank lines and comments, and the one in the environment."""
    try:
        lines = file.read_text(encoding="utf-8").splitlines() if file else []
    except (OSError, UnicodeDecodeError) as error:
        raise PathError(f"cannot read keys from {file}") from error
    keys = [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
    if file and not keys:
        raise ServerStartError(f"{file} holds no key")
    own = os.environ.get(_KEY_VARIABLE, "").strip()
    return [*keys, own] if own else keys
