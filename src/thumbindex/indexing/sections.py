"""From the outline to sections: where each begins and ends, to the line."""

from __future__ import annotations

from thumbindex.document import Document, PageRange
from thumbindex.indexing.outline import Outline, Position, extents
from thumbindex.tree import Node

__all__ = ["sections"]


def sections(outline: Outline, document: Document) -> tuple[Node, ...]:
    """The sections of an outline that begins on page 1; each ends where the next of its depth or above begins."""
    starts = [heading.position for heading in outline]
    ends = extents(outline)
    return _siblings(outline, starts, ends, 0, len(outline), len(document.pages))


def _siblings(
    outline: Outline, starts: list[Position], ends: list[int], first: int, end: int, page_count: int
) -> tuple[Node, ...]:
    nodes: list[Node] = []
    index = first
    while index < end:
        following = starts[ends[index]] if ends[index] < len(outline) else None
        nodes.append(_node(outline, starts, ends, index, following, page_count))
        index = ends[index]
    return tuple(nodes)


def _node(
    outline: Outline, starts: list[Position], ends: list[int], index: int, following: Position | None, page_count: int
) -> Node:
    heading, (page, line) = outline[index], starts[index]
    if following is None:
        last, end_line = page_count, None
    elif following[1] == 0:
        last, end_line = following[0] - 1, None
    else:
        last, end_line = following
    return Node(
        title=heading.title,
        pages=PageRange(page, max(page, last)),
        start_line=line,
        end_line=end_line,
        source=heading.source,
        confidence=heading.confidence,
        children=_siblings(outline, starts, ends, index + 1, ends[index], page_count),
    )
