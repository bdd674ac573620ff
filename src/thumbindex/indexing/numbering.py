"""The numbers in front of headings: "2.1", "IV.", "Appendix B", "Item 7A", "(c)"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

__all__ = ["Numbering", "parse_numbering", "roman_value"]

_WORDS = (
    "chapter|section|article|part|appendix|annex|annexure|schedule|exhibit|item|note|lecture|unit|module|lesson|"
    "book|volume|title|rule|clause|division|subpart|attachment|sec"
)
_PREFIX = re.compile(
    rf"(?P<word>(?:{_WORDS})\b\.?)?\s*"
    r"(?P<open>\()?"
    r"(?P<number>§*\s?\d{1,3}(?:\.\d{1,3}){1,4}|\d{1,3}|[IVXLC]{1,7}|[ivxlc]{1,7}|[A-Z](?:\.\d{1,2}){0,3}|[a-z])"
    r"(?P<close>[.):\]]{0,2})(?P<gap>\s*[-–—:|]\s*|\s+|$)",
    re.IGNORECASE,
)
_ITEM = re.compile(r"items?\s*(\d{1,2})(?:\.(\d{2})|\s?\(?([ABC])\b\)?)?\s*[.:)\-–—|]*\s*", re.IGNORECASE)
# A bare number of this size is an amount, or the number of the page before a running header.
_MAX_NUMBER = 100
_ROMAN = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


@dataclass(frozen=True, slots=True)
class Numbering:
    """A number in front of a heading.

    Attributes:
        word: What it counts, in lower case ("chapter"), or empty.
        style: How it is written: "1", "1.1", "I", "i", "A", "a", with the punctuation after it.
        values: Its parts as numbers ("2.1" is (2, 1), "B" is (2,), Item "7A" is (7, 1), "2.02" (2, 102)).
        rest: The text after it.
    """

    word: str
    style: str
    values: tuple[int, ...]
    rest: str

    @property
    def kind(self) -> str:
        """The style without what varies within one row of headings: "1", "I", "i", "A", "a", or with ")" after it."""
        return self.style[0] + (")" if ")" in self.style else "")

    @property
    def depth(self) -> int:
        """How many parts it has."""
        return len(self.values)


@lru_cache(maxsize=20_000)
def parse_numbering(text: str) -> Numbering | None:
    """The number that `text` begins with, or None where it begins with a word.

    A lone letter or roman figure counts only with punctuation or a word before it, or as a capital before a capital.
    """
    if item := _ITEM.match(text):
        letter = 100 + int(item[2]) if item[2] else ord(item[3].upper()) - 64 if item[3] else 0
        return Numbering("item", "1", (int(item[1]), letter), text[item.end() :])
    match = _PREFIX.match(text)
    if not match:
        return None
    word, rest = (match["word"] or "").lower().rstrip("."), text[match.end() :]
    head, _, tail = match["number"].strip("§ ").partition(".")
    further = [int(part) for part in tail.split(".") if part]
    if head.isdigit() and int(head) >= _MAX_NUMBER and not (word or further or match["close"]):
        return None
    if head.isdigit():
        return Numbering(word, "1" * (1 + len(further)) + match["close"], (int(head), *further), rest)
    marked = bool(word or match["open"] or match["close"] or match["gap"].strip())
    if not _letters(head) or not (marked or (head.isupper() and rest[:1].isupper())):
        return None
    figure = "I" if _is_roman(head) else "A"
    style = figure if head.isupper() else figure.lower()
    return Numbering(word, style * (1 + len(further)) + match["close"], (_letters(head), *further), rest)


def roman_value(text: str) -> int:
    """The value of a roman number in either case; 0 where `text` is none."""
    letters = text.lower()
    if not letters or any(c not in _ROMAN for c in letters):
        return 0
    values = [_ROMAN[c] for c in letters]
    return sum(-v if v < w else v for v, w in zip(values, [*values[1:], 0], strict=True))


def _is_roman(text: str) -> bool:
    return roman_value(text) > 0 and text.lower() not in {"c", "l"}


def _letters(text: str) -> int:
    if _is_roman(text):
        return roman_value(text)
    return ord(text.lower()) - 96 if len(text) == 1 else 0
