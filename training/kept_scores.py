"""Scores of windows kept in a file from one run to the next."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from thumbindex.decision.embedded.network import Network, Row


class KeptNetwork(Network):
    """A network that runs no window twice; `keep` writes what it knows.

    Args:
        path: The network's ONNX file.
        file: Where scores are kept; one made by another network is not used.
    """

    def __init__(self, path: Path, file: Path | None) -> None:
        made = Network.from_file(path)
        super().__init__(made._session, made._threads)
        self.sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
        self._file = file
        self._known: dict[bytes, float] = {}
        if file and file.exists():
            kept = np.load(file)
            if str(kept["network"]) == self.sha256:
                self._known = dict(zip((key.tobytes() for key in kept["keys"]), kept["scores"].tolist(), strict=True))

    def scores(self, rows: Sequence[Row]) -> list[float]:
        """The score of each window."""
        keys = [hashlib.blake2b(ids.tobytes() + segments.tobytes(), digest_size=16).digest() for ids, segments in rows]
        fresh = {key: row for key, row in zip(keys, rows, strict=True) if key not in self._known}
        self._known |= dict(zip(fresh, super().scores(list(fresh.values())), strict=True))
        return [self._known[key] for key in keys]

    def keep(self) -> None:
        """Write what is known."""
        if self._file:
            keys = np.frombuffer(b"".join(self._known), np.uint8).reshape(-1, 16)
            np.savez(self._file, keys=keys, scores=np.array(list(self._known.values())), network=np.array(self.sha256))
