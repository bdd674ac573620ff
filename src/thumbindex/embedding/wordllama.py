"""Static vectors of the `wordllama` wheel (extra `wordllama`): a vector a word piece, a text is the mean of its own.

The weights and the vocabulary are read straight from the installed package; its code is not imported, since its loader
looks for files on the network. Word pieces are joined by the ranks of byte-pair encoding, a word at a time.
"""

from __future__ import annotations

import importlib.util
import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from thumbindex.embedding.base import Vectors, unit
from thumbindex.errors import OptionalDependencyError

__all__ = ["WordLlamaEncoder"]

_WEIGHTS = "weights/l2_supercat_256.safetensors"
_VOCABULARY = "tokenizers/l2_supercat_tokenizer_config.json"
_SPACE = "▁"
_WORD = re.compile(r"\S+")
_REMEMBERED_WORDS = 100_000
# A longer run of characters is no word; joining its pieces would take quadratic time.
_LONGEST_WORD = 64


class WordLlamaEncoder:
    """The mean of the vectors of a text's word pieces.

    Args:
        vectors: By piece, shape `(pieces, dimensions)`.
        pieces: Row of each piece.
        ranks: Which two pieces are joined first; a lower rank goes first.
    """

    def __init__(
        self, vectors: NDArray[np.float16], pieces: Mapping[str, int], ranks: Mapping[tuple[str, str], int]
    ) -> None:
        self._vectors = vectors
        self._pieces = pieces
        self._ranks = ranks
        self._word = lru_cache(_REMEMBERED_WORDS)(self._rows_of_word)

    @classmethod
    def from_package(cls) -> WordLlamaEncoder:
        """The encoder of the installed wheel.

        Raises:
            OptionalDependencyError: It is not installed.
        """
        spec = importlib.util.find_spec("wordllama")
        if spec is None or spec.origin is None:
            raise OptionalDependencyError("these vectors need an extra: pip install 'thumbindex[wordllama]'")
        folder = Path(spec.origin).parent
        model = json.loads((folder / _VOCABULARY).read_text(encoding="utf-8"))["model"]
        merges = (merge.split(" ", 1) if isinstance(merge, str) else merge for merge in model["merges"])
        return cls(
            _weights(folder / _WEIGHTS),
            model["vocab"],
            {(left, right): rank for rank, (left, right) in enumerate(merges)},
        )

    @property
    def name(self) -> str:
        """Name and version."""
        return f"wordllama-{self.dimensions}"

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return int(self._vectors.shape[1])

    def encode(self, texts: Sequence[str]) -> Vectors:
        """A vector of length 1 for each text; zeros for an empty one."""
        encoded = np.zeros((len(texts), self.dimensions), np.float32)
        for row, text in enumerate(texts):
            pieces = [piece for word in _WORD.findall(text) for piece in self._word(word)]
            if pieces:
                encoded[row] = self._vectors[pieces].mean(axis=0, dtype=np.float32)
        return unit(encoded)

    def _rows_of_word(self, word: str) -> tuple[int, ...]:
        spaced = _SPACE + word[:_LONGEST_WORD]
        rows: list[int] = []
        for part in _joined(list(spaced), self._ranks):
            if part in self._pieces:
                rows.append(self._pieces[part])
            else:
                rows += [self._pieces[f"<0x{byte:02X}>"] for byte in part.encode("utf-8", "replace")]
        return tuple(rows)


def _joined(parts: list[str], ranks: Mapping[tuple[str, str], int]) -> list[str]:
    """The parts with neighbours joined, the pair of the lowest rank first, until no pair has a rank."""
    while True:
        best = min(pairwise(parts), key=lambda pair: ranks.get(pair, len(ranks)), default=None)
        if best is None or best not in ranks:
            return parts
        done: list[str] = []
        index = 0
        while index < len(parts):
            if tuple(parts[index : index + 2]) == best:
                done.append(best[0] + best[1])
                index += 2
            else:
                done.append(parts[index])
                index += 1
        parts = done


def _weights(file: Path) -> NDArray[np.float16]:
    """The one matrix of a safetensors file: eight bytes say how long its JSON header is, then come header and rows."""
    with file.open("rb") as stream:
        header_bytes = int.from_bytes(stream.read(8), "little")
        header = json.loads(stream.read(header_bytes))
    (entry,) = (value for key, value in header.items() if key != "__metadata__")
    begin = 8 + header_bytes + entry["data_offsets"][0]
    weights: NDArray[np.float16] = np.memmap(file, np.float16, "r", begin, tuple(entry["shape"]))
    return weights
