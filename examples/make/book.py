"""Flowables to a PDF: page templates, running heads, page labels, and a record of what was drawn where."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from reportlab import rl_config
from reportlab.lib.colors import HexColor
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import BaseDocTemplate, Frame, PageTemplate

from make.manuscript import Block, Heading
from make.typeset import GUTTER_PT, ContentsEntry, Look, typeset

__all__ = ["Book", "Drawn", "draw"]

_ROMAN = ((10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"))


@dataclass(frozen=True)
class Book:
    """A book to be drawn: its blocks and how it presents itself.

    Attributes:
        title: In the file's properties.
        author: The organisation, also in the running foot.
        foot: In the running foot beside the page number.
        blocks: All of it, in order. Pages before `@mark body` have roman numbers.
        look: Its typography.
    """

    title: str
    author: str
    foot: str
    blocks: Sequence[Block]
    look: Look


@dataclass(frozen=True)
class Drawn:
    """What was drawn where. Pages are counted from 1."""

    page_count: int
    headings: tuple[tuple[int, str, int], ...]
    marks: dict[str, tuple[int, ...]] = field(default_factory=dict)

    @cached_property
    def front_pages(self) -> int:
        """How many pages have roman numbers."""
        return self.marks.get("body", (1,))[0] - 1

    def label(self, page: int) -> str:
        """The number printed on a page."""
        return str(page - self.front_pages) if page > self.front_pages else roman(page)


def roman(number: int) -> str:
    """A small roman number, up to 39."""
    written = ""
    for value, digits in _ROMAN:
        written += digits * (number // value)
        number %= value
    return written


def draw(book: Book, path: Path) -> Drawn:
    """Draws the book twice: once to learn the page of every heading, once with these on the contents page."""
    rl_config.useA85 = 0  # binary streams: a fifth smaller than reportlab's default
    headings = [block for block in book.blocks if isinstance(block, Heading)]
    first = _draw(book, path, _contents(headings, ["0"] * len(headings)))
    entries = _contents(headings, [first.label(page) for _, _, page in first.headings])
    final = _draw(book, path, entries)
    if final.headings != first.headings:
        raise RuntimeError("the page numbers on the contents page moved the pages they name")
    return final


def _contents(headings: Sequence[Heading], labels: Sequence[str]) -> list[ContentsEntry]:
    return [
        ContentsEntry(heading.level, heading.text, label, key, heading.listed)
        for key, (heading, label) in enumerate(zip(headings, labels, strict=True))
    ]


def _draw(book: Book, path: Path, contents: Sequence[ContentsEntry]) -> Drawn:
    document = _Document(book, path)
    document.build(typeset(book.blocks, book.look, contents), canvasmaker=document.canvas_maker)
    return Drawn(document.page, tuple(document.headings), {name: tuple(at) for name, at in document.marks.items()})


class _Document(BaseDocTemplate):
    def __init__(self, book: Book, path: Path) -> None:
        super().__init__(
            str(path),
            pagesize=book.look.page_size,
            title=book.title,
            author=book.author,
            invariant=1,
            allowSplitting=1,
        )
        self.book = book
        self.headings: list[tuple[int, str, int]] = []
        self.marks: dict[str, list[int]] = {}
        self.sections: dict[int, str] = {}
        self.addPageTemplates(list(_templates(book.look)))

    def canvas_maker(self, *args: object, **how: object) -> Canvas:
        return _Canvas(self, *args, **how)

    def record(self, label: str, page: int) -> None:
        """Notes that a mark was drawn."""
        if not label.startswith("heading "):
            self.marks.setdefault(label, []).append(page)
            return
        _, _, level, title = label.split(" ", 3)
        self.headings.append((int(level), title, page))
        if int(level) < self.book.look.bold_levels:
            self.sections[page] = title

    @property
    def label(self) -> str:
        """The number to print on the current page."""
        body = self.marks.get("body")
        return str(self.page - body[0] + 1) if body else roman(self.page)

    def section(self) -> str:
        """The part of the book that the current page belongs to."""
        before = [page for page in self.sections if page <= self.page]
        return self.sections[max(before)] if before else ""


class _Canvas(Canvas):
    def __init__(self, document: _Document, *args: object, **how: object) -> None:
        super().__init__(*args, **how)
        self._document = document
        self.setNamedCB("mark", self.mark)

    def mark(self, _canvas: Canvas, _kind: str, label: str) -> None:
        """Called where a mark is drawn."""
        document = self._document
        document.record(label, self.getPageNumber())
        if label.startswith("heading ") and document.book.look.bookmarks:
            key = f"heading{len(document.headings) - 1}"
            level, title, _ = document.headings[-1]
            self.bookmarkPage(key)
            if level < document.book.look.contents_levels:
                self.addOutlineEntry(title, key, level=level)

    def save(self) -> None:
        """Adds the page labels before the file is written."""
        body = self._document.marks.get("body", [1])[0] - 1
        if body:
            self.addPageLabel(0, "ROMAN_LOWER", 1)
        self.addPageLabel(body, "ARABIC", 1)
        super().save()


def _templates(look: Look) -> list[PageTemplate]:
    width, height = look.page_size
    margin, foot = look.margin_pt, 62
    tall = height - foot - 72
    half = look.column_pt(2)
    one = Frame(margin, foot, look.width_pt, tall, 0, 0, 0, 0, id="one")
    left = Frame(margin, foot, half, tall, 0, 0, 0, 0, id="left")
    right = Frame(margin + half + GUTTER_PT, foot, half, tall, 0, 0, 0, 0, id="right")
    wide = Frame(margin, foot, height - 2 * margin, width - foot - 72, 0, 0, 0, 0, id="wide")
    return [
        PageTemplate("cover", [one]),
        PageTemplate("plain", [one], onPageEnd=_running_heads),
        PageTemplate("columns", [left, right], onPageEnd=_running_heads),
        _Rotated("rotated", [wide], onPage=_turn, onPageEnd=_running_heads, pagesize=(height, width)),
    ]


class _Rotated(PageTemplate):
    """A tall page drawn sideways that viewers turn: how word processors store one wide page among tall ones."""

    rotation = 90


def _turn(canvas: Canvas, document: _Document) -> None:
    """Turns the origin to where the lower left corner will be seen."""
    canvas.translate(document.book.look.page_size[0], 0)
    canvas.rotate(90)


def _running_heads(canvas: Canvas, document: _Document) -> None:
    look = document.book.look
    width, height = look.page_size
    if document.pageTemplate.id == "rotated":
        width, height = height, width
    left, right = look.margin_pt, width - look.margin_pt
    canvas.saveState()
    canvas.setStrokeColor(HexColor(0x9AA5B1))
    canvas.setFillColor(HexColor(0x444444))
    canvas.setLineWidth(0.5)
    canvas.line(left, height - 56, right, height - 56)
    canvas.setFont(look.body_font, 8.5)
    odd = document.page % 2 == 1
    outer, inner = (document.section(), document.book.author) if odd else (document.book.author, document.section())
    canvas.drawString(left, height - 50, inner)
    canvas.drawRightString(right, height - 50, outer)
    canvas.drawString(left, 38, document.book.foot)
    canvas.drawRightString(right, 38, document.label)
    canvas.restoreState()
