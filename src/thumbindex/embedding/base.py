"""The contract of an encoder: texts in, vectors out, near each other where the texts are about the same."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

__all__ = ["Encoder", "Vectors", "unit"]

Vectors = NDArray[np.float32]
"""Shape `(texts, dimensions)`."""


class Encoder(Protocol):
    """What every backend is."""

    @property
    def name(self) -> str:
        """Name and version: vectors of different names are never compared."""
        ...

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        ...

    def encode(self, texts: Sequence[str]) -> Vectors:
        """A vector of length 1 for each text, or all zeros for a text that says nothing to the encoder.

        Raises:
            EmbeddingError: The encoder cannot be reached or used.
        """
        ...


def unit(vectors: Vectors) -> Vectors:
    """The vectors scaled to length 1; zeros stay zeros. Their dot product is the cosine similarity."""
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    scaled: Vectors = np.divide(vectors, lengths, out=np.zeros_like(vectors), where=lengths > 0)
    return scaled
