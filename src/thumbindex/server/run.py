"""Running the server on an address until it is told to stop (extra `serve`)."""

from __future__ import annotations

import socket
from collections.abc import Callable, Sequence

import uvicorn

from thumbindex.errors import ServerStartError
from thumbindex.server.answering import Shelf
from thumbindex.server.app import Bounds, make_app

__all__ = ["serve"]


def serve(  # noqa: PLR0913
    shelf: Shelf,
    host: str,
    port: int,
    *,
    keys: Sequence[str] = (),
    max_body_bytes: int,
    started: Callable[[str], None],
) -> None:
    """Answer on the address until interrupted; `started` is told the base URL once connections are taken.

    Raises:
        ServerStartError: The address cannot be used.
    """
    with _listening(host, port) as listening:
        shown = f"[{host}]" if ":" in host else host
        started(f"http://{shown}:{listening.getsockname()[1]}")
        app = make_app(shelf, keys, Bounds(max_body_bytes=max_body_bytes))
        config = uvicorn.Config(app, log_level="warning", access_log=False, server_header=False)
        uvicorn.Server(config).run(sockets=[listening])


def _listening(host: str, port: int) -> socket.socket:
    try:
        return socket.create_server(
            (host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET, backlog=128
        )
    except OSError as error:
        raise ServerStartError(f"cannot serve on {host}, port {port}: {error.strerror or error}") from error
