"""The network: one window in, one score out, run by onnxruntime."""

from __future__ import annotations

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from numpy.typing import NDArray

from thumbindex.errors import BackendUnavailableError

if TYPE_CHECKING:
    from onnxruntime import InferenceSession

__all__ = ["Network", "Row"]

Row: TypeAlias = tuple[NDArray[np.int64], NDArray[np.int64]]
"""Ids and segments of one window, both of shape `(1, length)`."""

# Windows are small: past this many at a time they wait for memory, not for each other.
_MOST_THREADS = 8


class Network:
    """Scores windows. Each is run by itself, on one thread of several.

    Run together, windows would change each other's scores: the range that activations are rounded to is that of all in
    the batch. Alone, a window has the same score always, and no padding is computed.

    Args:
        session: Of onnxruntime, on one thread.
        threads: Windows run at one time.
    """

    def __init__(self, session: InferenceSession, threads: int) -> None:
        self._session = session
        self._threads = threads
        self._pool: tuple[int, ThreadPoolExecutor] | None = None

    @classmethod
    def from_file(cls, path: Path, threads: int | None = None) -> Network:
        """The network of an ONNX file; by default on as many threads as this process has processors.

        Raises:
            BackendUnavailableError: The file is missing, or no such network.
        """
        import onnxruntime  # noqa: PLC0415 - a tenth of a second that only this model needs

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 4
        try:
            session = onnxruntime.InferenceSession(path.read_bytes(), options, providers=["CPUExecutionProvider"])
        except OSError as error:
            raise BackendUnavailableError(f"cannot read the model {path}: install thumbindex again") from error
        except Exception as error:  # onnxruntime's errors have no base of their own
            raise BackendUnavailableError(f"{path} is no network of this model: install thumbindex again") from error
        if [found.name for found in session.get_inputs()] != ["ids", "segments"]:
            raise BackendUnavailableError(f"{path} is no network of this model: install thumbindex again")
        return cls(session, threads or min(_MOST_THREADS, _processors()))

    def scores(self, rows: Sequence[Row]) -> list[float]:
        """The score of each window, whatever the others are."""
        if len(rows) < 2 or self._threads == 1:
            return [self._score(row) for row in rows]
        return list(self._workers().map(self._score, rows))

    def _workers(self) -> ThreadPoolExecutor:
        """The threads of this process: a fork inherits the pool, but none of its threads."""
        if self._pool is None or self._pool[0] != os.getpid():
            self._pool = os.getpid(), ThreadPoolExecutor(self._threads, thread_name_prefix="thumbindex-network")
        return self._pool[1]

    def _score(self, row: Row) -> float:
        ids, segments = row
        (scores,) = self._session.run(["score"], {"ids": ids, "segments": segments})
        return float(scores[0])


def _processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
