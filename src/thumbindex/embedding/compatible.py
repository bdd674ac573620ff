"""Vectors from any OpenAI-compatible server, `POST /v1/embeddings` (extra `chat`)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from thumbindex.embedding.base import Vectors, unit
from thumbindex.endpoints import Endpoint
from thumbindex.errors import EmbeddingError, UnknownModelError
from thumbindex.generation.client import openai_client

if TYPE_CHECKING:
    from openai import OpenAI

__all__ = ["CompatibleEncoder"]

_KIND = "openai"
_TEXTS_AT_ONCE = 64


class CompatibleEncoder:
    """Asks a server.

    Args:
        client: Of the `openai` package, pointed at the server.
        model: The model's name there.
    """

    def __init__(self, client: OpenAI, model: str) -> None:
        self._client = client
        self._model = model

    @classmethod
    def from_spec(cls, spec: str) -> CompatibleEncoder:
        """The encoder of `openai:BASE_URL#MODEL`; the key comes from the environment variable OPENAI_API_KEY.

        Raises:
            UnknownModelError: The spec is of another form.
            OptionalDependencyError: The extra `chat` is not installed.
        """
        kind, _, place = spec.partition(":")
        if kind != _KIND:
            raise UnknownModelError(f"{kind!r} is no kind of encoder: write {_KIND}:BASE_URL#MODEL")
        endpoint = Endpoint.from_text(place, _KIND)
        return cls(openai_client(endpoint), endpoint.model)

    @property
    def name(self) -> str:
        """The model's name at its server."""
        return self._model

    @cached_property
    def dimensions(self) -> int:
        """Length of a vector; the server is asked for one."""
        return int(self._ask(["a"]).shape[1])

    def encode(self, texts: Sequence[str]) -> Vectors:
        """A vector of length 1 for each text.

        Raises:
            EmbeddingError: The server cannot be reached, refuses, or answers with something else.
        """
        if not texts:
            return np.zeros((0, self.dimensions), np.float32)
        parts = [self._ask(texts[first : first + _TEXTS_AT_ONCE]) for first in range(0, len(texts), _TEXTS_AT_ONCE)]
        return unit(np.concatenate(parts))

    def _ask(self, texts: Sequence[str]) -> Vectors:
        from openai import OpenAIError  # noqa: PLC0415 - an extra

        try:
            # An empty text is refused by most servers.
            response = self._client.embeddings.create(model=self._model, input=[text or " " for text in texts])
        except OpenAIError as error:
            raise EmbeddingError(f"{self._model} did not encode: {type(error).__name__}") from error
        rows = sorted(response.data, key=lambda row: row.index)
        try:
            vectors = np.array([row.embedding for row in rows], np.float32)
        except ValueError as error:
            raise EmbeddingError(f"{self._model} answered with vectors of different lengths") from error
        if vectors.ndim != 2 or len(vectors) != len(texts) or not np.isfinite(vectors).all():
            raise EmbeddingError(f"{self._model} answered with {len(rows)} vectors for {len(texts)} texts")
        return vectors
