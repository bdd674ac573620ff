"""Texts in windows that the network can read together with a question: training and use see the same.

A window is `[CLS] question [SEP] title, some of the body [SEP]`, at most `LENGTH` pieces.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from thumbindex.decision.embedded.wordpiece import CLS, PAD, SEP, Pieces, WordPiece

__all__ = [
    "LENGTH",
    "Span",
    "TextPieces",
    "overlaps",
    "piece_weights",
    "question_pieces",
    "rows",
    "spans",
    "text_pieces",
]

# What the network was trained on. Longer windows cost more than they bring: what answers is a sentence or a table row.
LENGTH = 128
_QUESTION = 48
_TITLE = 16
_FRAME = 3
_STRIDE = 0.75

Span: TypeAlias = tuple[int, int]
"""First and end of a window in the body's pieces."""


@dataclass(frozen=True, slots=True)
class TextPieces:
    """A text cut into pieces.

    Attributes:
        title: What leads every window: the beginning of the first line.
        body: The rest.
    """

    title: Pieces
    body: Pieces


def question_pieces(question: str, vocabulary: WordPiece) -> Pieces:
    """The pieces of a question, as many as the network reads."""
    return vocabulary.encode(question)[:_QUESTION]


def text_pieces(text: str, vocabulary: WordPiece) -> TextPieces:
    """The pieces of a text whose first line is its title; a single line is all body."""
    title, _, body = text.partition("\n")
    if not body:
        title, body = "", title
    leading = vocabulary.encode(title)
    return TextPieces(leading[:_TITLE], np.concatenate([leading[_TITLE:], vocabulary.encode(body)]))


def spans(question: Pieces, text: TextPieces) -> NDArray[np.int64]:
    """The windows of a text's body, shape `(windows, 2)`, at least one; the last ends where the body does."""
    room = LENGTH - _FRAME - len(question) - len(text.title)
    over = max(0, len(text.body) - room)
    count = 1 + -(-over // max(1, int(room * _STRIDE)))
    starts = np.linspace(0, over, count).astype(np.int64) if over else np.zeros(1, np.int64)
    return np.stack([starts, np.minimum(starts + room, len(text.body))], axis=1)


def piece_weights(texts: Sequence[TextPieces], size: int) -> NDArray[np.float32]:
    """What each of the `size` pieces of the vocabulary is worth among these texts: Lucene's idf, shape `(size,)`."""
    holding = np.zeros(size, np.float32)
    for text in texts:
        holding[np.unique(np.concatenate([text.title, text.body]))] += 1
    return np.log1p((len(texts) - holding + 0.5) / (holding + 0.5)).astype(np.float32)


def overlaps(
    question: Pieces, text: TextPieces, windows: NDArray[np.int64], weights: NDArray[np.float32]
) -> NDArray[np.float32]:
    """How much of the question's pieces each window holds, shape `(windows,)`.

    Args:
        question: Its pieces.
        text: The text.
        windows: Spans of its body, shape `(windows, 2)`.
        weights: What each piece of the vocabulary is worth, shape `(vocabulary,)`.
    """
    asked = np.unique(question)
    before = np.zeros((len(asked), len(text.body) + 1), np.int32)
    np.cumsum(text.body[None, :] == asked[:, None], axis=1, out=before[:, 1:])
    held = before[:, windows[:, 1]] > before[:, windows[:, 0]]
    found: NDArray[np.float32] = weights[asked] @ held
    return found


def rows(question: Pieces, windows: Sequence[tuple[TextPieces, Span]]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """What the network reads, one row a window: ids and segments, both of shape `(windows, longest)`.

    Segments are 0 for the question and 1 for the text; short rows are padded with `PAD` and segment 0.
    """
    asked = np.concatenate([[CLS], question, [SEP]])
    told = [np.concatenate([text.title, text.body[start:end], [SEP]]) for text, (start, end) in windows]
    width = len(asked) + max((len(part) for part in told), default=0)
    ids = np.full((len(told), width), PAD, np.int64)
    segments = np.zeros((len(told), width), np.int64)
    ids[:, : len(asked)] = asked
    for row, part in enumerate(told):
        ids[row, len(asked) : len(asked) + len(part)] = part
        segments[row, len(asked) : len(asked) + len(part)] = 1
    return ids, segments
