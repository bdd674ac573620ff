"""The outline as a flat list of headings in reading order, and what can be asked of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import accumulate

from thumbindex.document import Document
from thumbindex.indexing.heading import Heading

__all__ = ["Outline", "Position", "at_tops", "children_of", "end_of", "extents", "levelled", "text_measure"]

Outline = Sequence[Heading]
Position = tuple[int, int]


def at_tops(outline: Outline, document: Document) -> list[Heading]:
    """The outline with headings that only headers and page numbers stand above moved to the top of their page."""
    return [
        replace(heading, line=0) if heading.line and _is_top(document, heading.position) else heading
        for heading in outline
    ]


def _is_top(document: Document, position: Position) -> bool:
    page, line = position
    return all(above.repeated or sum(map(str.isalpha, above.text)) < 2 for above in document.page(page).lines[:line])


def levelled(outline: Outline) -> list[Heading]:
    """The outline with levels that start at 0 and go down a step at a time, each heading under the one it was under."""
    kept: list[Heading] = []
    stack: list[int] = []
    for heading in outline:
        while stack and stack[-1] >= heading.level:
            stack.pop()
        kept.append(heading.at_level(len(stack)))
        stack.append(heading.level)
    return kept


def end_of(outline: Outline, index: int) -> int:
    """The index after the last heading below the one at `index`."""
    level = outline[index].level
    return next((i for i in range(index + 1, len(outline)) if outline[i].level <= level), len(outline))


def extents(outline: Outline) -> list[int]:
    """`end_of` for every heading."""
    ends = [len(outline)] * len(outline)
    stack: list[int] = []
    for index, heading in enumerate(outline):
        while stack and outline[stack[-1]].level >= heading.level:
            ends[stack.pop()] = index
        stack.append(index)
    return ends


def children_of(outline: Outline, index: int, end: int) -> list[int]:
    """The indices of the headings one level below the one at `index`, whose subtree ends before `end`."""
    return [i for i in range(index + 1, end) if outline[i].level == outline[index].level + 1]


def text_measure(document: Document) -> Callable[[Position, Position | None], int]:
    """A function that counts the characters between two positions (None: the end), headers and footers left out."""
    lines = [
        [0, *accumulate(0 if line.repeated else len(line.text) + 1 for line in page.lines)] for page in document.pages
    ]
    pages = [0, *accumulate(counts[-1] for counts in lines)]

    def before(position: Position | None) -> int:
        if position is None or position[0] > len(lines):
            return pages[-1]
        number, line = position
        counts = lines[number - 1]
        return pages[number - 1] + counts[min(line, len(counts) - 1)]

    return lambda first, end: before(end) - before(first)
