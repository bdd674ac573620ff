"""Where pages and lines stand in the tree, and how a page reads with its sections over it."""

from __future__ import annotations

from collections.abc import Sequence

from thumbindex.document import Page
from thumbindex.tree import Node, Tree

__all__ = ["page_headings", "page_text", "path_at"]


def page_headings(tree: Tree, page_count: int) -> list[tuple[str, ...]]:
    """For each page, the titles of the sections it stands in: up to three deepest ones, then what holds the first."""
    found: list[list[tuple[Node, ...]]] = [[] for _ in range(page_count)]
    for path, node in tree.walk():
        below = {number for child in node.children for number in child.pages.numbers}
        for number in node.pages.numbers:
            if number not in below:
                found[number - 1].append((*path, node))
    return [_titles(paths) for paths in found]


def page_text(headings: Sequence[str], page: Page) -> str:
    """What a page says to a model: the sections it stands in on one line, deepest first, then its own lines."""
    return f"{' - '.join(headings)}\n{page.search_text}" if headings else page.search_text


def path_at(tree: Tree, page: int, line: int) -> tuple[Node, ...]:
    """The sections that a line stands in, from the root to the deepest; `line` indexes the lines of the page."""
    path: tuple[Node, ...] = ()
    nodes = tree.nodes
    while holding := [node for node in nodes if _holds(node, page, line)]:
        path = (*path, holding[-1])
        nodes = holding[-1].children
    return path


def _titles(paths: Sequence[tuple[Node, ...]]) -> tuple[str, ...]:
    if not paths:
        return ()
    above = reversed(paths[0][:-1])
    return tuple(dict.fromkeys([*(path[-1].title for path in paths[:3]), *(node.title for node in above)]))


def _holds(node: Node, page: int, line: int) -> bool:
    if page not in node.pages or (page == node.pages.first and line < node.start_line):
        return False
    return page != node.pages.last or node.end_line is None or line < node.end_line
