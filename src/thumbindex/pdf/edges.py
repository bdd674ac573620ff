"""The first and last lines of a page, where running headers, footers and page numbers stand. Pure."""

from __future__ import annotations

import re
from heapq import nlargest, nsmallest
from operator import itemgetter
from statistics import median_low
from typing import NamedTuple

from thumbindex.document import Line, Page

__all__ = ["EdgeLine", "edge_lines", "pattern"]

# A running header of more lines than this is rare; a number that is printed below a footer of three lines is found.
_DEPTH = 4
_DIGITS = re.compile(r"\d+")


class EdgeLine(NamedTuple):
    """One of the outermost lines of a page.

    Attributes:
        line_index: Into the page's lines.
        at_top: At the top or the bottom.
        rank: 0 for the outermost.
        offset_pt: From the edge of the page.
        large: Set larger than most of the page, as a title is.
        line: The line.
    """

    line_index: int
    at_top: bool
    rank: int
    offset_pt: float
    large: bool
    line: Line

    @property
    def pattern(self) -> str:
        """The text with every number as "#", which is the same on every page for a running line."""
        return pattern(self.line.text)


def pattern(text: str) -> str:
    """The text with every number as "#"."""
    return _DIGITS.sub("#", text.casefold())


def edge_lines(page: Page) -> list[EdgeLine]:
    """The lines nearest to the top, then to the bottom, outermost first; lines set sideways do not count."""
    upright = [
        (line.box.y0, line.box.y1, index)
        for index, line in enumerate(page.lines)
        if line.box.y1 - line.box.y0 < 3 * line.font_size_pt + 3
    ]
    if not upright:
        return []
    large_pt = 1.15 * median_low([line.font_size_pt for line in page.lines])
    depth = min(_DEPTH, (len(upright) + 1) // 2)
    found = []
    for rank, (top, _, index) in enumerate(nsmallest(depth, upright)):
        line = page.lines[index]
        found.append(EdgeLine(index, True, rank, top, line.font_size_pt > large_pt, line))
    for rank, (_, bottom, index) in enumerate(nlargest(depth, upright, key=itemgetter(1))):
        line = page.lines[index]
        found.append(EdgeLine(index, False, rank, page.height_pt - bottom, line.font_size_pt > large_pt, line))
    return found
