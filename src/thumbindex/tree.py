"""The tree of a document: sections, their page ranges, summaries, and where each came from."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import pairwise
from typing import Any

from thumbindex.document import Document, Line, PageRange

__all__ = ["Node", "NodeSource", "SummarySource", "Tree"]


class NodeSource(StrEnum):
    """What showed that a section begins here."""

    BOOKMARK = "bookmark"
    LINK = "link"
    CONTENTS = "contents page"
    HEADING = "heading"
    PATTERN = "document-type pattern"
    PAGES = "page window"
    IMPORTED = "imported"


class SummarySource(StrEnum):
    """Who wrote a summary."""

    EXTRACTIVE = "extractive"
    GENERATED = "generated"
    IMPORTED = "imported"


@dataclass(frozen=True)
class Node:
    """A section.

    Attributes:
        title: As printed, without kerning gaps.
        pages: First and last page with text of the section, both included.
        start_line: Index into the lines of the first page where the section begins; 0 at the top of the page.
        end_line: Index into the lines of the last page where the next section begins; None at the end of the page.
        summary: What the section is about; empty until summarised.
        summary_source: Who wrote the summary.
        source: What showed the section.
        confidence: Of that source, in [0, 1].
        children: Subsections in reading order.
    """

    title: str
    pages: PageRange
    start_line: int = 0
    end_line: int | None = None
    summary: str = ""
    summary_source: SummarySource = SummarySource.EXTRACTIVE
    source: NodeSource = NodeSource.HEADING
    confidence: float = 1.0
    children: tuple[Node, ...] = ()

    def walk(self) -> Iterator[Node]:
        """This node and all below it, parents first."""
        yield self
        for child in self.children:
            yield from child.walk()

    def opening(self) -> Node | None:
        """The part before the first child as a childless node; None where there is none (or no children).

        A part that holds the section's heading only still counts when it has text of its own on an earlier page
        or at least three lines; callers that need it on no pretext test `children` first.
        """
        if not self.children:
            return None
        first = self.children[0]
        if first.start_line > 0:
            last, end_line = first.pages.first, first.start_line
        else:
            last, end_line = first.pages.first - 1, None
        if last < self.pages.first:
            return None
        if last == self.pages.first and end_line is not None and end_line - self.start_line < 3:
            return None
        return Node(
            title=self.title,
            pages=PageRange(self.pages.first, last),
            start_line=self.start_line,
            end_line=end_line,
            source=self.source,
            confidence=self.confidence,
        )

    def lines(self, document: Document) -> Iterator[tuple[int, int, Line]]:
        """Every line of the section that is no running header or footer, as (page, index on the page, line)."""
        for number in self.pages.numbers:
            first = self.start_line if number == self.pages.first else 0
            last = self.end_line if number == self.pages.last else None
            for index, line in enumerate(document.page(number).lines[first:last], first):
                if not line.repeated:
                    yield number, index, line


@dataclass(frozen=True)
class Tree:
    """All sections of a document. Siblings are in order, children lie inside their parent, every page is covered."""

    nodes: tuple[Node, ...]

    def walk(self) -> Iterator[tuple[tuple[Node, ...], Node]]:
        """Every node with the path of its ancestors (root first), parents before children."""
        yield from _walk(self.nodes, ())

    def violations(self, page_count: int) -> list[str]:
        """What is wrong with the tree for a document of `page_count` pages; empty when it keeps its invariants."""
        found = list(_disorder(self.nodes, PageRange(1, max(1, page_count)), "the document"))
        covered = {number for node in self.nodes for number in node.pages.numbers}
        missing = sorted(set(range(1, page_count + 1)) - covered)
        return found + [f"page {number} lies in no section" for number in missing]

    def to_json(self) -> list[dict[str, Any]]:
        """The tree in PageIndex's shape: title, node_id, start_index, end_index, summary, nodes (absent on leaves)."""
        ids = (f"{number:04d}" for number in range(10**9))
        return [_pageindex(node, ids) for node in self.nodes]


def _walk(nodes: tuple[Node, ...], path: tuple[Node, ...]) -> Iterator[tuple[tuple[Node, ...], Node]]:
    for node in nodes:
        yield path, node
        yield from _walk(node.children, (*path, node))


def _disorder(nodes: tuple[Node, ...], within: PageRange, parent: str) -> Iterator[str]:
    for node in nodes:
        if not node.title.strip():
            yield f"a section on page {node.pages.first} has no title"
        if not within.covers(node.pages):
            own = f"{node.title!r} ({node.pages.first}–{node.pages.last})"
            yield f"{own} leaves {parent} ({within.first}–{within.last})"
        yield from _disorder(node.children, node.pages, repr(node.title))
    for left, right in pairwise(nodes):
        if (left.pages.first, left.start_line) > (right.pages.first, right.start_line):
            yield f"{left.title!r} stands before {right.title!r} but begins after it"
        if left.pages.last > right.pages.first:
            yield f"{left.title!r} runs past the start of {right.title!r}"


def _pageindex(node: Node, ids: Iterator[str]) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "title": node.title,
        "node_id": next(ids),
        "start_index": node.pages.first,
        "end_index": node.pages.last,
        "summary": node.summary,
    }
    if node.children:
        entry["nodes"] = [_pageindex(child, ids) for child in node.children]
    return entry
