"""A document as it was read: pages, lines, boxes, labels. Plain frozen types, no I/O."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import NamedTuple, Self

from thumbindex.errors import PageNumberError

__all__ = ["Bookmark", "Box", "Document", "Line", "Link", "Page", "PageFlag", "PageRange"]

_SPLIT_WORD = re.compile(r"(?<=[a-z])[-\u00ad]\n(?=[a-z])")


class Box(NamedTuple):
    """A rectangle in PDF points, origin at the top left of the page as a reader sees it (rotation applied)."""

    x0: float
    y0: float
    x1: float
    y1: float

    @property
    def width_pt(self) -> float:
        """Width in points."""
        return self.x1 - self.x0

    @property
    def height_pt(self) -> float:
        """Height in points."""
        return self.y1 - self.y0


class PageFlag(StrEnum):
    """What a reader should know about the text of a page."""

    NEEDS_OCR = "needs_ocr"
    BAD_CHARACTERS = "bad_characters"
    HIDDEN_TEXT = "hidden_text"
    TRUNCATED = "truncated"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of text in reading order.

    Attributes:
        text: NFKC-normalised, single-spaced, no control characters.
        box: Where it stands.
        font_size_pt: Of most of its characters, as seen (text matrix applied).
        bold: Whether most of its characters are bold.
        repeated: Whether it is a header or footer that comes again over the pages.
        cells: Runs of text set apart by wide gaps: 1 for prose, 2 or more for a row of a table.
    """

    text: str
    box: Box
    font_size_pt: float
    bold: bool = False
    repeated: bool = False
    cells: int = 1


@dataclass(frozen=True)
class Page:
    """One page; `number` counts from 1, `label` is the printed number ("iv", "35"), or `number` where none is known."""

    number: int
    label: str
    width_pt: float
    height_pt: float
    rotation: int = 0
    lines: tuple[Line, ...] = ()
    flags: frozenset[PageFlag] = frozenset()

    @cached_property
    def text(self) -> str:
        """All lines as seen, one per row."""
        return "\n".join(line.text for line in self.lines)

    @cached_property
    def search_text(self) -> str:
        """The lines without running headers and footers, words split at line ends joined."""
        return join_split_words("\n".join(line.text for line in self.lines if not line.repeated))


def join_split_words(text: str) -> str:
    """Lines joined where a lower-case word was split by a hyphen at the line end."""
    return _SPLIT_WORD.sub("", text)


@dataclass(frozen=True, slots=True, order=True)
class PageRange:
    """Pages `first` to `last`, both counted from 1, both included."""

    first: int
    last: int

    def __post_init__(self) -> None:
        if not 1 <= self.first <= self.last:
            raise PageNumberError(f"no page range runs from {self.first} to {self.last}")

    def __len__(self) -> int:
        return self.last - self.first + 1

    def __contains__(self, page: object) -> bool:
        return isinstance(page, int) and self.first <= page <= self.last

    def covers(self, other: PageRange) -> bool:
        """Whether every page of `other` lies in this range."""
        return self.first <= other.first and other.last <= self.last

    @property
    def numbers(self) -> range:
        """The page numbers in order."""
        return range(self.first, self.last + 1)


@dataclass(frozen=True, slots=True)
class Bookmark:
    """An entry of the file's own outline; `level` counts from 0, `y_pt` from the top of the page as seen."""

    title: str
    page: int
    level: int
    y_pt: float | None = None


@dataclass(frozen=True, slots=True)
class Link:
    """A link from a box on one page to a place in the same document."""

    page: int
    box: Box
    target_page: int
    target_y_pt: float | None = None


@dataclass(frozen=True)
class Document:
    """A document as read. `id` derives from `sha256`, the hash of the file's bytes; `pages[0]` is page 1."""

    id: str
    name: str
    sha256: str
    pages: tuple[Page, ...]
    bookmarks: tuple[Bookmark, ...] = ()
    links: tuple[Link, ...] = ()
    title: str = field(default="")

    @classmethod
    def id_of(cls: type[Self], sha256: str) -> str:
        """The document id of a file's SHA-256 in hex: its first 16 digits."""
        return sha256[:16]

    def page(self, number: int) -> Page:
        """The page of that number, counted from 1.

        Raises:
            PageNumberError: The document has no such page.
        """
        if not 1 <= number <= len(self.pages):
            raise PageNumberError(f"{self.name} has pages 1 to {len(self.pages)}, there is no page {number}")
        return self.pages[number - 1]
