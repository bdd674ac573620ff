"""Text to the word pieces of the vocabulary that the network was trained with (BERT, uncased)."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from itertools import chain
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

__all__ = ["CLS", "PAD", "SEP", "UNKNOWN", "Pieces", "WordPiece"]

PAD, UNKNOWN, CLS, SEP = 0, 100, 101, 102
"""Ids of the pieces that stand for no text; every vocabulary keeps them at these places."""

Pieces: TypeAlias = NDArray[np.int32]
"""The ids of a text's word pieces in order."""

_LONGEST_WORD = 100
# Words are few and come again; figures are many and rarely do. Past this many the memory starts afresh.
_REMEMBERED_WORDS = 300_000
_IDEOGRAPHS = (
    (0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x2A6DF), (0x2A700, 0x2CEAF), (0x2F800, 0x2FA1F),
)  # fmt: skip


class WordPiece:
    """Cuts text into word pieces.

    Args:
        vocabulary: The pieces by id, those that go on a word beginning with "##".
    """

    def __init__(self, vocabulary: Sequence[str]) -> None:
        self.vocabulary = tuple(vocabulary)
        self._letters = _Letters()
        self._words = _Words(self.vocabulary)

    @classmethod
    def from_file(cls, path: Path) -> WordPiece:
        """The vocabulary of a file with one piece a line."""
        return cls(path.read_text(encoding="utf-8").rstrip("\n").split("\n"))

    def encode(self, text: str) -> Pieces:
        """The ids of a text's pieces, without any that begin or end it."""
        if not text.isascii():
            text = unicodedata.normalize("NFD", text)
        words = text.translate(self._letters).split()
        return np.fromiter(chain.from_iterable(map(self._words.__getitem__, words)), np.int32)


class _Letters(dict[int, str]):
    """What a character becomes: its lower case, itself between spaces where it is a word of its own, or nothing."""

    def __missing__(self, code: int) -> str:
        self[code] = _letter(chr(code))
        return self[code]


def _letter(character: str) -> str:
    if character in "\t\n\r":
        return " "
    category = unicodedata.category(character)
    if category in ("Cc", "Cf", "Co", "Mn") or character == "\ufffd":
        return ""
    if character.isspace():
        return " "
    if _stands_alone(character, category):
        return f" {character} "
    return character.lower()


def _stands_alone(character: str, category: str) -> bool:
    symbol = category[0] == "P" or (character.isascii() and not character.isalnum())
    return symbol or any(first <= ord(character) <= last for first, last in _IDEOGRAPHS)


class _Words(dict[str, tuple[int, ...]]):
    """The pieces of a word: the longest of the vocabulary that begins it, and so on; unknown where that fails."""

    def __init__(self, vocabulary: Sequence[str]) -> None:
        super().__init__()
        self._ids = {piece: number for number, piece in enumerate(vocabulary)}

    def __missing__(self, word: str) -> tuple[int, ...]:
        if len(self) >= _REMEMBERED_WORDS:
            self.clear()
        self[word] = pieces = self._pieces(word)
        return pieces

    def _pieces(self, word: str) -> tuple[int, ...]:
        found: list[int] = []
        start = 0
        while start < len(word) <= _LONGEST_WORD:
            mark = "##" if start else ""
            ends = range(len(word), start, -1)
            end = next((end for end in ends if mark + word[start:end] in self._ids), None)
            if end is None:
                return (UNKNOWN,)
            found.append(self._ids[mark + word[start:end]])
            start = end
        return tuple(found) or (UNKNOWN,)
