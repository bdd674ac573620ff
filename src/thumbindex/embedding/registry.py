"""Encoders by name."""

from __future__ import annotations

import importlib.util
from functools import lru_cache

from thumbindex.embedding.base import Encoder
from thumbindex.embedding.compatible import CompatibleEncoder
from thumbindex.embedding.wordllama import WordLlamaEncoder
from thumbindex.errors import UnknownModelError

__all__ = ["default_encoder", "load_encoder"]


def load_encoder(spec: str) -> Encoder:
    """The encoder of that name.

    Args:
        spec: "wordllama" or `openai:BASE_URL#MODEL`.

    Raises:
        UnknownModelError: There is no such encoder.
        OptionalDependencyError: It needs an extra that is not installed.
    """
    if spec == "wordllama":
        return _wordllama()
    if spec.startswith("openai:"):
        return CompatibleEncoder.from_spec(spec)
    raise UnknownModelError(f"there is no encoder {spec!r}: use wordllama or openai:BASE_URL#MODEL")


@lru_cache(maxsize=1)
def _wordllama() -> WordLlamaEncoder:
    """Read once in a process: its vocabulary takes a fifth of a second."""
    return WordLlamaEncoder.from_package()


def default_encoder() -> str | None:
    """The name of the encoder that is used where none is named; None where no weights are installed."""
    return "wordllama" if importlib.util.find_spec("wordllama") else None
