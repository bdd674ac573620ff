"""Reading texts for a question: which windows of them, and what the network says of each."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from threading import Lock

import numpy as np
from numpy.typing import NDArray

from thumbindex.decision.embedded.network import Network, Row
from thumbindex.decision.embedded.windows import Span, TextPieces, overlaps, question_pieces, rows, spans, text_pieces
from thumbindex.decision.embedded.wordpiece import SEP, Pieces, WordPiece
from thumbindex.errors import BackendUnavailableError
from thumbindex.terms import ASKING_WORDS, STOPWORDS

__all__ = ["Reader", "Reading", "Wanted"]

_REMEMBERED_TEXTS = 4_096
_REMEMBERED_QUESTIONS = 256
# A question reads some 200 windows: this holds the last forty or more, in some megabytes with their texts.
_REMEMBERED_WINDOWS = 8_192
# Past this much of a text is not looked at: a book in one option.
_MOST_CHARACTERS = 200_000


@dataclass(frozen=True, slots=True)
class Wanted:
    """A text to be read for a question, in at most so many windows."""

    question: str
    text: str
    windows: int


@dataclass(frozen=True, slots=True)
class Reading:
    """The scores of a text's windows, best first, and how many word pieces were read for them."""

    scores: tuple[float, ...]
    pieces: int


_Key = tuple[str, str, int]


class Reader:
    """Reads texts for questions. What it read is remembered, so that reading more of a text costs only the rest.

    Args:
        network: Scores windows.
        vocabulary: Cuts texts into pieces.
    """

    def __init__(self, network: Network, vocabulary: WordPiece) -> None:
        self._network = network
        self._weights = _weights(vocabulary.vocabulary)
        self._question = lru_cache(_REMEMBERED_QUESTIONS)(partial(question_pieces, vocabulary=vocabulary))
        self._text = lru_cache(_REMEMBERED_TEXTS)(partial(text_pieces, vocabulary=vocabulary))
        self._scores = _Recent(_REMEMBERED_WINDOWS)

    @classmethod
    def from_folder(cls, folder: Path) -> Reader:
        """The reader of a folder with `reader.onnx` and `vocab.txt`.

        Raises:
            BackendUnavailableError: One of them is missing or damaged.
        """
        try:
            vocabulary = WordPiece.from_file(folder / "vocab.txt")
        except (OSError, ValueError) as error:
            raise BackendUnavailableError(f"cannot read {folder / 'vocab.txt'}: install thumbindex again") from error
        if len(vocabulary.vocabulary) <= SEP:
            raise BackendUnavailableError(f"{folder / 'vocab.txt'} is no vocabulary: install thumbindex again")
        return cls(Network.from_file(folder / "reader.onnx"), vocabulary)

    def read(self, wanted: Sequence[Wanted]) -> list[Reading]:
        """What the network says of each text's most telling windows; all that is new is read at once."""
        windows = [self._windows(want) for want in wanted]
        keys = {
            (want.question, want.text, first): end
            for want, part in zip(wanted, windows, strict=True)
            for first, end in part
        }
        known = self._scores.get(keys)
        fresh = [key for key in keys if key not in known]
        scores = self._network.scores([self._row(*key, keys[key]) for key in fresh])
        known |= dict(zip(fresh, scores, strict=True))
        self._scores.put(zip(fresh, scores, strict=True))
        return [self._reading(want, part, known) for want, part in zip(wanted, windows, strict=True)]

    def _windows(self, want: Wanted) -> list[Span]:
        """The most telling windows of a text: by the question's pieces in them, the earlier of equals."""
        question, text = self._pieces(want.question, want.text)
        every = spans(question, text)
        if len(every) <= want.windows:
            chosen = range(len(every))
        else:
            found = overlaps(question, text, every, self._weights)
            chosen = np.argsort(-found, kind="stable")[: want.windows].tolist()
        return [(int(every[row, 0]), int(every[row, 1])) for row in chosen]

    def _pieces(self, question: str, text: str) -> tuple[Pieces, TextPieces]:
        return self._question(question), self._text(text[:_MOST_CHARACTERS])

    def _row(self, question: str, text: str, first: int, end: int) -> Row:
        asked, told = self._pieces(question, text)
        return rows(asked, [(told, (first, end))])

    def _reading(self, want: Wanted, windows: Sequence[Span], known: dict[_Key, float]) -> Reading:
        scores = sorted((known[want.question, want.text, first] for first, _ in windows), reverse=True)
        return Reading(tuple(scores), sum(end - first for first, end in windows))


class _Recent:
    """The scores of the last `capacity` windows read."""

    def __init__(self, capacity: int) -> None:
        self._capacity = capacity
        self._scores: OrderedDict[_Key, float] = OrderedDict()
        self._lock = Lock()

    def get(self, keys: Iterable[_Key]) -> dict[_Key, float]:
        """Those of the keys that are known."""
        with self._lock:
            found = {key: self._scores[key] for key in keys if key in self._scores}
            for key in found:
                self._scores.move_to_end(key)
            return found

    def put(self, scores: Iterable[tuple[_Key, float]]) -> None:
        """Keep scores; those unused for longest give way."""
        with self._lock:
            self._scores.update(scores)
            while len(self._scores) > self._capacity:
                self._scores.popitem(last=False)


def _weights(vocabulary: Sequence[str]) -> NDArray[np.float32]:
    """What a piece in common says, by id: nothing where it is a stop word or a sign, half where it asks or goes on."""
    return np.fromiter(map(_weight, vocabulary), np.float32, len(vocabulary))


def _weight(piece: str) -> float:
    if piece in STOPWORDS or not piece.removeprefix("##").isalnum():
        return 0.0
    return 0.5 if piece in ASKING_WORDS or piece.startswith("##") else 1.0
