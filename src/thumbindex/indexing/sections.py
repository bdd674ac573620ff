"""From the outline to sections: where each begins and ends, to the line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from thumbindex.document import PageRange
from thumbindex.indexing.outline import Outline, extents
from thumbindex.tree import Node

__all__ = ["sections"]


def sections(outline: Outline, page_count: int) -> tuple[Node, ...]:
    """The sections of an outline that begins on page 1; each ends where the next of its depth or above begins."""
    return _Layout(outline, extents(outline), page_count).siblings(0, len(outline))


@dataclass(frozen=True, slots=True)
class _Layout:
    """An outline with the index after the last heading below each."""

    outline: Outline
    ends: Sequence[int]
    page_count: int

    def siblings(self, first: int, end: int) -> tuple[Node, ...]:
        """The sections of one depth among the headings from `first` to before `end`."""
        nodes: list[Node] = []
        index = first
        while index < end:
            nodes.append(self.node(index))
            index = self.ends[index]
        return tuple(nodes)

    def node(self, index: int) -> Node:
        """The section of one heading with all below it."""
        heading = self.outline[index]
        last, end_line = self.last_page(self.ends[index])
        return Node(
            title=heading.title,
            pages=PageRange(heading.page, max(heading.page, last)),
            start_line=heading.line,
            end_line=end_line,
            source=heading.source,
            confidence=heading.confidence,
            children=self.siblings(index + 1, self.ends[index]),
        )

    def last_page(self, end: int) -> tuple[int, int | None]:
        """The last page before the heading at `end`, and the line there at which that begins; None at a page's top."""
        if end == len(self.outline):
            return self.page_count, None
        page, line = self.outline[end].position
        return (page, line) if line else (page - 1, None)
