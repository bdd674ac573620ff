"""The first and last lines of a page, where running headers, footers and page numbers stand. Pure."""

from __future__ import annotations

import re
from heapq import nlargest, nsmallest
from typing import NamedTuple

from thumbindex.document import Line, Page

__all__ = ["EdgeLine", "edge_lines", "pattern"]

# A running header of more lines than this is rare; a number that is printed below a footer of three lines is found.
_DEPTH = 4
_DIGITS = re.compile(r"\d+")


class EdgeLine(NamedTuple):
    """One of the outermost lines of a page.

    Attributes:
        index: Into the page's lines.
        at_top: At the top or the bottom.
        rank: 0 for the outermost.
        offset_pt: From the edge of the page.
        line: The line.
    """

    index: int
    at_top: bool
    rank: int
    offset_pt: float
    line: Line

    @property
    def pattern(self) -> str:
        """The text with every number as "#", which is the same on every page for a running line."""
        return pattern(self.line.text)


def pattern(text: str) -> str:
    """The text with every number as "#"."""
    return _DIGITS.sub("#", text.casefold())


def edge_lines(page: Page) -> list[EdgeLine]:
    """The lines nearest to the top, then those nearest to the bottom, outermost first; lines set sideways do not count."""
    upright = [
        (line.box.y0, line.box.y1, index)
        for index, line in enumerate(page.lines)
        if line.box.y1 - line.box.y0 < 3 * line.font_size_pt + 3
    ]
    depth = min(_DEPTH, (len(upright) + 1) // 2)
    top = nsmallest(depth, upright)
    bottom = nlargest(depth, upright, key=lambda entry: entry[1])
    return [EdgeLine(i, True, rank, y0, page.lines[i]) for rank, (y0, _, i) in enumerate(top)] + [
        EdgeLine(i, False, rank, page.height_pt - y1, page.lines[i]) for rank, (_, y1, i) in enumerate(bottom)
    ]
