"""Trees in PageIndex's shape, made ours: from its JSON, or built by the `pageindex` package (extra `pageindex`)."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from thumbindex.document import Document, PageRange
from thumbindex.errors import GenerationError, OptionalDependencyError, TreeError
from thumbindex.indexing.titles import clean_title, find_title
from thumbindex.tree import Node, NodeSource, SummarySource, Tree

__all__ = ["build_with_pageindex", "tree_from_json"]

_LISTS = ("structure", "tree", "result", "nodes")
_MAX_DEPTH = 50


def tree_from_json(value: Any, document: Document) -> Tree:
    """The tree of `{title, start_index, end_index, summary?, nodes?}` objects, pages counted from 1, made to fit.

    A section begins at its title where that stands on its first page. Siblings are put in order, one that runs past the
    start of the next ends there, and pages in no section get one: PageIndex's own trees need all three.

    Args:
        value: A list of nodes, or an object that holds it under "structure", "tree", "result", or "nodes".
        document: What the tree is of.

    Raises:
        TreeError: A node is of another form, leaves the document or its parent, or there are none.
    """
    whole = PageRange(1, len(document.pages))
    nodes = _nodes(_listed(value), whole, document, "")
    if not nodes:
        raise TreeError("this tree has no sections")
    return Tree(tuple(_covering(nodes, document)))


def build_with_pageindex(file: Path, document: Document) -> Tree:
    """The tree that the `pageindex` package makes of the file: by its cloud with PAGEINDEX_API_KEY, else locally.

    Raises:
        OptionalDependencyError: The extra is not installed.
        GenerationError: The package failed.
        TreeError: What it made does not fit the document.
    """
    try:
        import pageindex  # noqa: PLC0415 - an extra, heavy to import
    except ImportError as error:
        raise OptionalDependencyError("this needs an extra: pip install 'thumbindex[pageindex]'") from error
    key = os.environ.get("PAGEINDEX_API_KEY")
    try:
        if key:
            client = pageindex.PageIndexClient(api_key=key)
            structure: Any = client.get_document_structure(client.submit_document(str(file), wait=True)["doc_id"])
        else:
            structure = pageindex.page_index_flash(str(file), summary=False, optimize=False)
    except Exception as error:  # the package raises whatever its many dependencies raise
        reason = str(error).replace(key or "\0", "…").splitlines()
        raise GenerationError(f"pageindex failed: {type(error).__name__}: {(reason or [''])[0]}") from None
    return tree_from_json(structure, document)


def _listed(value: Any) -> list[Any]:
    while isinstance(value, dict) and "title" not in value:
        key = next((name for name in _LISTS if name in value), None)
        if key is None:
            raise TreeError(f"a tree is a list of sections, or an object with one under {', '.join(_LISTS)}")
        value = value[key]
    listed = [value] if isinstance(value, dict) else value
    if not isinstance(listed, list):
        raise TreeError(f"a tree is a list of sections, not {type(value).__name__}")
    return listed


def _nodes(rows: list[Any], within: PageRange, document: Document, path: str, depth: int = 0) -> list[Node]:
    if depth > _MAX_DEPTH:
        raise TreeError(f"this tree is more than {_MAX_DEPTH} levels deep")
    nodes = [_node(row, within, document, f"{path}/{index}", depth) for index, row in enumerate(rows)]
    return _placed(sorted(nodes, key=lambda node: node.pages.first), document)


def _node(row: Any, within: PageRange, document: Document, path: str, depth: int) -> Node:
    title, pages = _fields(row, path)
    if not within.covers(pages):
        raise TreeError(
            f"section {path} ({title!r}) covers pages {pages.first} to {pages.last},"
            f" outside {within.first} to {within.last}"
        )
    children = row.get("nodes") or []
    summary = row.get("summary") or row.get("prefix_summary") or ""
    if not isinstance(children, list) or not isinstance(summary, str):
        raise TreeError(f"section {path} ({title!r}): nodes must be a list and summary text")
    return Node(
        title=title,
        pages=pages,
        summary=summary,
        summary_source=SummarySource.IMPORTED,
        source=NodeSource.IMPORTED,
        children=tuple(_nodes(children, pages, document, path, depth + 1)),
    )


def _fields(row: Any, path: str) -> tuple[str, PageRange]:
    if not isinstance(row, dict):
        raise TreeError(f"section {path} is not an object with title, start_index, and end_index")
    title, first, last = row.get("title"), row.get("start_index"), row.get("end_index")
    if not isinstance(title, str) or not clean_title(title):
        raise TreeError(f"section {path} has no title")
    if type(first) is not int or type(last) is not int or not 1 <= first <= last:
        raise TreeError(f"section {path} ({title!r}) has start_index {first!r} and end_index {last!r}: pages from 1")
    return clean_title(title), PageRange(first, last)


def _placed(nodes: list[Node], document: Document) -> list[Node]:
    """The siblings with the lines where they begin, each ending where the next one starts."""
    starts: list[tuple[int, int]] = []
    for node in nodes:
        page = node.pages.first
        after = starts[-1][1] if starts and starts[-1][0] == page else -1
        found = find_title(node.title, document.page(page), after)
        starts.append((page, found.line if found else max(after, 0)))
    placed = [replace(node, start_line=line) for node, (_, line) in zip(nodes, starts, strict=True)]
    ended = [_ended(left, right) for left, right in pairwise(placed)]
    return ended + placed[-1:]


def _ended(node: Node, following: Node) -> Node:
    """The node cut where the following sibling begins, children included."""
    first, line = following.pages.first, following.start_line
    if node.pages.last < first:
        return node
    if line == 0 and node.pages.first < first:
        return _cut(node, first - 1, None)
    return _cut(node, first, line)


def _cut(node: Node, last: int, end_line: int | None) -> Node:
    end = max(node.pages.first, min(node.pages.last, last))
    inside = [child for child in node.children if (child.pages.first, child.start_line) < (last, end_line or 10**9)]
    if inside and inside[-1].pages.last >= last:
        inside[-1] = _cut(inside[-1], last, end_line)
    return replace(
        node,
        pages=PageRange(node.pages.first, end),
        end_line=end_line if end == last else None,
        children=tuple(inside),
    )


def _covering(nodes: list[Node], document: Document) -> list[Node]:
    """The top level with sections for the pages that none covers."""
    covered = {number for node in nodes for number in node.pages.numbers}
    missing = [page.number for page in document.pages if page.number not in covered]
    gaps = [_gap(document, pages) for pages in _runs(missing)]
    return sorted([*nodes, *gaps], key=lambda node: (node.pages.first, node.start_line))


def _runs(numbers: Sequence[int]) -> list[PageRange]:
    runs: list[PageRange] = []
    for number in numbers:
        if runs and runs[-1].last == number - 1:
            runs[-1] = PageRange(runs[-1].first, number)
        else:
            runs.append(PageRange(number, number))
    return runs


def _gap(document: Document, pages: PageRange) -> Node:
    first = next((line.text for line in document.page(pages.first).lines if not line.repeated), "")
    return Node(clean_title(first) or f"Pages {pages.first}–{pages.last}", pages, source=NodeSource.PAGES)
