"""Blocks to flowables: styles, rich text, tables, contents lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import takewhile
from xml.sax.saxutils import escape

from reportlab.lib.colors import HexColor
from reportlab.lib.enums import TA_CENTER, TA_JUSTIFY, TA_LEFT, TA_RIGHT
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.platypus import (
    CondPageBreak,
    Flowable,
    NextPageTemplate,
    PageBreak,
    Paragraph,
    Spacer,
)
from reportlab.platypus import Table as Grid

from make.manuscript import Block, Directive, Heading, Text
from make.tables import Row, Table

__all__ = ["GUTTER_PT", "ContentsEntry", "Look", "typeset"]

KEEP_WHOLE_ROWS = 26
"""Tables up to this length are never split: they fit on a page under a heading."""


GUTTER_PT = 20.0
ACCENT = HexColor(0x1F3A5F)


@dataclass(frozen=True)
class Look:
    """The typography of a book. Only the standard PDF fonts, which need no embedding and look the same everywhere."""

    page_size: tuple[float, float]
    margin_pt: float
    body_font: str
    bold_font: str
    heading_font: str
    size_pt: float
    leading_pt: float
    justified: bool = True
    bookmarks: bool = False
    contents_levels: int = 3
    bold_levels: int = 2
    part_alignment: int = TA_CENTER
    heading_sizes_pt: tuple[float, ...] = (17, 14, 11.5, 10)

    @property
    def width_pt(self) -> float:
        """Of the text."""
        return self.page_size[0] - 2 * self.margin_pt

    def column_pt(self, columns: int) -> float:
        """Width of one of that many columns."""
        return (self.width_pt - GUTTER_PT * (columns - 1)) / columns

    def style(self, kind: str, depth: int = 0) -> ParagraphStyle:
        """The paragraph style of a kind of text."""
        body = {
            "fontName": self.body_font,
            "fontSize": self.size_pt,
            "leading": self.leading_pt,
            "spaceAfter": 7,
        }
        flush = TA_JUSTIFY if self.justified else TA_LEFT
        indent = 18 * depth
        kinds: dict[str, dict[str, object]] = {
            "body": body | {"alignment": flush},
            "column": body | {"alignment": TA_LEFT},
            "clause": body | {"alignment": flush, "leftIndent": indent + 6, "firstLineIndent": -12},
            "bullet": body | {"leftIndent": 18, "bulletIndent": 6, "spaceAfter": 4},
            "note": body | {"fontSize": self.size_pt - 2, "leading": self.leading_pt - 2.5},
            "centred": body | {"alignment": TA_CENTER},
            "title": body | self._heading(26, 32) | {"alignment": TA_CENTER, "spaceBefore": 18, "spaceAfter": 14},
        }
        return ParagraphStyle(kind, **kinds[kind])

    def heading_style(self, level: int) -> ParagraphStyle:
        """The paragraph style of a heading."""
        size = self.heading_sizes_pt[level]
        levels: list[dict[str, object]] = [
            {"alignment": self.part_alignment, "spaceAfter": 12},
            {"spaceBefore": 10, "spaceAfter": 0.5 * size},
            {"spaceBefore": 8, "spaceAfter": 5},
            {"spaceBefore": 6, "spaceAfter": 4, "textColor": HexColor(0x333333)},
        ]
        look = self._heading(size, 1.28 * size) | levels[level]
        return ParagraphStyle(f"heading{level}", keepWithNext=1, **look)

    def _heading(self, size_pt: float, leading_pt: float) -> dict[str, object]:
        return {"fontName": self.heading_font, "fontSize": size_pt, "leading": leading_pt, "textColor": ACCENT}


@dataclass(frozen=True)
class ContentsEntry:
    """A heading as the contents page names it; `key` is its place among all headings."""

    level: int
    title: str
    label: str
    key: int
    listed: bool = True


class ContentsLine(Flowable):
    """A title, dot leaders and the printed page number; linked where the book has bookmarks."""

    def __init__(self, entry: ContentsEntry, look: Look) -> None:
        super().__init__()
        self._entry, self._look = entry, look
        bold = entry.level < look.bold_levels
        self._font = look.bold_font if bold else look.body_font
        self._size = look.size_pt if bold else look.size_pt - 1
        self.height = self._size * (1.75 if bold else 1.42)

    def wrap(self, available_width: float, _available_height: float) -> tuple[float, float]:
        """The size it takes."""
        self.width = available_width
        return self.width, self.height

    def draw(self) -> None:
        """Title at the left, number at the right, dots between."""
        left, canvas, dots = 16.0 * max(0, self._entry.level + 1 - self._look.bold_levels), self.canv, " ."
        title = _plain(self._entry.title)
        canvas.setFont(self._font, self._size)
        canvas.drawString(left, 3, title)
        canvas.drawRightString(self.width, 3, self._entry.label)
        start = left + stringWidth(title, self._font, self._size) + 4
        room = self.width - start - max(24, stringWidth(self._entry.label, self._font, self._size) + 6)
        count = int(room / stringWidth(dots, self._look.body_font, self._size))
        canvas.setFont(self._look.body_font, self._size)
        canvas.drawRightString(start + room, 3, dots * count)
        if self._look.bookmarks:
            canvas.linkRect("", f"heading{self._entry.key}", (0, 0, self.width, self.height), relative=1, thickness=0)


class Landmark(Flowable):
    """Nothing to see: tells the canvas that this place has been drawn."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.width = self.height = 0.0
        self._name = name

    def draw(self) -> None:
        """Record the page."""
        self.canv.mark(self.canv, "", self._name)


def typeset(blocks: Iterable[Block], look: Look, contents: Iterable[ContentsEntry]) -> list[Flowable]:
    """The flowables of a whole book, in order."""
    made: list[Flowable] = []
    entries, headings, columns = list(contents), 0, 1
    for block in blocks:
        if isinstance(block, Heading):
            made += _heading(block, headings, look, made)
            headings += 1
        elif isinstance(block, Table):
            made += _table(block, look, columns)
        elif isinstance(block, Text):
            made.append(_text(block, look, columns))
        elif block.name == "contents":
            made += [ContentsLine(entry, look) for entry in _listed(entries, look, block.argument)]
        elif block.name == "local":
            made += [ContentsLine(entry, look) for entry in _local(entries, headings, int(block.argument))]
        else:
            columns = 2 if block == Directive("layout", "columns") else 1 if block.name == "layout" else columns
            made += _layout(block, fresh=_fresh(made))
    return made


def _listed(entries: list[ContentsEntry], look: Look, beginnings: str) -> Iterator[ContentsEntry]:
    """What a contents page lists: all of it, or titles with one of the beginnings (set apart by semicolons)."""
    for entry in entries:
        if entry.listed and entry.level < look.contents_levels and entry.title.startswith(tuple(beginnings.split(";"))):
            yield entry


def _local(entries: list[ContentsEntry], headings: int, level: int) -> Iterator[ContentsEntry]:
    """The headings of that level that follow before the next higher one."""
    following = takewhile(lambda entry: entry.level >= level, entries[headings:])
    return (entry for entry in following if entry.level == level)


def _fresh(made: list[Flowable]) -> bool:
    """Whether the next flowable stands at the top of a page."""
    seen = [flowable for flowable in made[-2:] if not isinstance(flowable, Landmark)]
    return not seen or isinstance(seen[-1], PageBreak)


def _heading(block: Heading, key: int, look: Look, before: list[Flowable]) -> Iterator[Flowable]:
    if block.level == 0 and not _fresh(before):
        yield PageBreak()
    if not (before and before[-1].getKeepWithNext()):  # a break between two headings would part them
        yield CondPageBreak((110, 110, 90, 64)[block.level])
    mark = f'<onDraw name="mark" label="heading {key} {block.level} {escape(_plain(block.text))}"/>'
    yield Paragraph(mark + rich(block.text), look.heading_style(block.level))


def _text(block: Text, look: Look, columns: int) -> Paragraph:
    kind = "column" if columns > 1 and block.kind == "body" else block.kind
    bullet = "•" if kind == "bullet" else None
    return Paragraph(rich(block.text), look.style(kind, block.depth), bulletText=bullet)


def _layout(block: Directive, fresh: bool) -> list[Flowable]:
    if block.name == "space":
        return [Spacer(1, float(block.argument))]
    if block.name == "mark":
        return [Landmark(block.argument)]
    if block.name == "page":
        return [] if fresh else [PageBreak()]
    if block.name == "layout":
        return [NextPageTemplate(block.argument), PageBreak()]
    raise ValueError(f"the manuscript asks for @{block.name}, which nothing makes")


def rich(text: str) -> str:
    """The text in reportlab's mark-up."""
    marked = re.sub(r"\[\[([\w-]+)\]\]", r'<onDraw name="mark" label="\1"/>', escape(text))
    return re.sub(r"\*\*(.+?)\*\*", r"<b>\1</b>", marked)


def _plain(text: str) -> str:
    return re.sub(r"\[\[[\w-]+\]\]|\*\*", "", text)


def _table(block: Table, look: Look, columns: int) -> list[Flowable]:
    small = look.size_pt - (3.2 if block.small else 2 if block.wide else 1.6)
    cells = [_cells(Row(block.columns, "total"), block, look, small)]
    cells += [_cells(row, block, look, small) for row in block.rows]
    splits = len(block.rows) > KEEP_WHOLE_ROWS
    grid = Grid(
        cells,
        colWidths=_widths(block, look, small, columns),
        repeatRows=1,
        splitByRow=splits,
        spaceBefore=2,
        spaceAfter=12,
    )
    grid.setStyle(_rules(block, look))
    caption: list[Flowable] = []
    if block.title:
        caption.append(Paragraph(rich(block.title), look.heading_style(3)))
    if block.unit:
        unit = look.style("note")
        unit.keepWithNext = 1
        caption.append(Paragraph(rich(block.unit), unit))
    return [*caption, grid]


def _cells(row: Row, block: Table, look: Look, size_pt: float) -> list[object]:
    bold = row.kind in {"total", "head"}
    style = ParagraphStyle(
        "cell",
        fontName=look.bold_font if bold else look.body_font,
        fontSize=size_pt,
        leading=size_pt * 1.22,
        leftIndent=10 * row.indent,
    )
    flush_right = ParagraphStyle("number", style, alignment=TA_RIGHT, leftIndent=0)
    made: list[object] = [
        Paragraph(rich(cell), style if column < block.text_columns else flush_right)
        for column, cell in enumerate(row.cells)
    ]
    return made + [""] * (len(block.columns) - len(made))


def _widths(block: Table, look: Look, size_pt: float, columns: int) -> list[float]:
    room = look.page_size[1] - 2 * look.margin_pt if block.wide else look.column_pt(columns)
    if block.shares:
        return [room * share / sum(block.shares) for share in block.shares]
    numbers = [
        max(stringWidth(_plain(word), look.bold_font, size_pt) for word in _column_words(block, column)) + 13
        for column in range(1, len(block.columns))
    ]
    return [room - sum(numbers), *numbers]


def _column_words(block: Table, column: int) -> list[str]:
    cells = [row.cells[column] for row in block.rows if len(row.cells) > column]
    name = block.columns[column]
    return [*([name] if len(block.columns) < 4 else name.split()), *cells, "00,000"]


def _rules(block: Table, look: Look) -> list[tuple[object, ...]]:
    padding = 2.2 if len(block.rows) <= KEEP_WHOLE_ROWS else 1.0  # a statement fits on one page
    style: list[tuple[object, ...]] = [
        ("VALIGN", (0, 0), (-1, -1), "BOTTOM" if block.text_columns == 1 else "TOP"),
        ("TOPPADDING", (0, 0), (-1, -1), padding),
        ("BOTTOMPADDING", (0, 0), (-1, -1), padding),
        ("LEFTPADDING", (0, 0), (-1, -1), 3),
        ("RIGHTPADDING", (0, 0), (-1, -1), 3),
        ("LINEBELOW", (0, 0), (-1, 0), 0.9, ACCENT),
        ("LINEBELOW", (0, -1), (-1, -1), 0.6, ACCENT),
    ]
    for index, row in enumerate(block.rows, 1):
        if row.kind == "total" and block.text_columns < len(block.columns):
            style.append(("LINEABOVE", (block.text_columns, index), (-1, index), 0.5, HexColor(0x555555)))
        if len(row.cells) == 1:
            style.append(("SPAN", (0, index), (-1, index)))
        elif index % 2 == 0:
            style.append(("BACKGROUND", (0, index), (-1, index), HexColor(0xF3F5F8)))
    return style
