"""Documents and trees as compact bytes and back: for the wire between processes and for the store.

JSON in arrays, lengths in hundredths of a point. Decoding trusts nothing: what does not fit the types raises
`CodecError`, since the other end may be a worker that a hostile file took over.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

from thumbindex.document import Bookmark, Box, Line, Link, Page, PageFlag, PageRange
from thumbindex.errors import ThumbindexError
from thumbindex.tree import Node, NodeSource, SummarySource, Tree

__all__ = [
    "CodecError",
    "Outline",
    "decode_outline",
    "decode_page",
    "decode_tree",
    "encode_outline",
    "encode_page",
    "encode_tree",
]

# No PDF page is larger than this (14,400 units of at most 1/72 inch times a user unit of up to 75,000).
_MAX_LENGTH = 10**11
_BOLD = 1
_REPEATED = 2
_FLAGS = tuple(PageFlag)


class CodecError(ThumbindexError):
    """Bytes that are no encoding of the type asked for."""


@dataclass(frozen=True)
class Outline:
    """What a file says about itself besides its pages."""

    title: str = ""
    bookmarks: tuple[Bookmark, ...] = ()
    links: tuple[Link, ...] = ()


def encode_page(page: Page) -> bytes:
    """The page as bytes; lengths are rounded to a hundredth of a point."""
    lines = page.lines
    return _dump(
        [
            page.number,
            page.label,
            _hundredths(page.width_pt),
            _hundredths(page.height_pt),
            page.rotation,
            [_FLAGS.index(flag) for flag in sorted(page.flags)],
            [line.text for line in lines],
            [_hundredths(value) for line in lines for value in (*line.box, line.font_size_pt)],
            [line.bold * _BOLD | line.repeated * _REPEATED for line in lines],
            [line.cells for line in lines],
        ]
    )


def decode_page(encoded: bytes) -> Page:
    """The page that `encode_page` wrote.

    Raises:
        CodecError: The bytes are no page.
    """
    number, label, width, height, rotation, flags, texts, lengths, styles, cells = _load(encoded, 10)
    _check(_integer(number, 1) and isinstance(label, str) and rotation in (0, 90, 180, 270), "page")
    _check(_integers(lengths) and _integers(styles, 0, 3) and _integers(cells, 0), "page")
    _check(_integers([width, height], 0) and _integers(flags, 0, len(_FLAGS) - 1), "page")
    _check(isinstance(texts, list) and len(lengths) == 5 * len(texts) == 5 * len(styles) == 5 * len(cells), "page")
    _check(set(map(type, texts)) <= {str}, "page")
    return Page(
        number=number,
        label=label,
        width_pt=width / 100,
        height_pt=height / 100,
        rotation=rotation,
        lines=tuple(_lines(texts, lengths, styles, cells)),
        flags=frozenset(_FLAGS[flag] for flag in flags),
    )


def encode_outline(outline: Outline) -> bytes:
    """The outline as bytes; lengths are rounded to a hundredth of a point."""
    return _dump(
        [
            outline.title,
            [[b.title, b.page, b.level, _optional_hundredths(b.y_pt)] for b in outline.bookmarks],
            [
                [link.page, *map(_hundredths, link.box), link.target_page, _optional_hundredths(link.target_y_pt)]
                for link in outline.links
            ],
        ]
    )


def decode_outline(encoded: bytes) -> Outline:
    """The outline that `encode_outline` wrote.

    Raises:
        CodecError: The bytes are no outline.
    """
    title, bookmarks, links = _load(encoded, 3)
    _check(isinstance(title, str) and isinstance(bookmarks, list) and isinstance(links, list), "outline")
    return Outline(title, tuple(map(_bookmark, bookmarks)), tuple(map(_link, links)))


def encode_tree(tree: Tree) -> bytes:
    """The tree as bytes."""
    return _dump([_node_row(node) for node in tree.nodes])


def decode_tree(encoded: bytes) -> Tree:
    """The tree that `encode_tree` wrote.

    Raises:
        CodecError: The bytes are no tree.
    """
    rows = _load(encoded)
    try:
        return Tree(tuple(map(_node, rows)))
    except (TypeError, ValueError, ThumbindexError, RecursionError) as error:
        raise CodecError(f"these bytes are no tree: {error}") from error


def _lines(texts: list[str], lengths: list[int], styles: list[int], cells: list[int]) -> Iterator[Line]:
    points = [length / 100 for length in lengths]
    boxes = zip(points[0::5], points[1::5], points[2::5], points[3::5], strict=True)
    for text, box, size, style, count in zip(texts, boxes, points[4::5], styles, cells, strict=True):
        yield Line(text, Box._make(box), size, style & _BOLD > 0, style & _REPEATED > 0, count)


def _bookmark(row: object) -> Bookmark:
    title, page, level, y = _fields(row, 4, "bookmark")
    _check(
        isinstance(title, str) and _integer(page, 1) and _integer(level, 0) and (y is None or _integer(y)), "bookmark"
    )
    return Bookmark(title, page, level, _optional_points(y))


def _link(row: object) -> Link:
    page, *box, target, y = _fields(row, 7, "link")
    _check(_integers(box) and _integer(page, 1) and _integer(target, 1) and (y is None or _integer(y)), "link")
    return Link(page, Box._make(length / 100 for length in box), target, _optional_points(y))


def _node_row(node: Node) -> list[Any]:
    return [
        node.title,
        node.pages.first,
        node.pages.last,
        node.start_line,
        node.end_line,
        node.summary,
        node.summary_source.value,
        node.source.value,
        node.confidence,
        [_node_row(child) for child in node.children],
    ]


def _node(row: object) -> Node:
    title, first, last, start, end, summary, summary_source, source, confidence, children = _fields(row, 10, "node")
    _check(isinstance(title, str) and isinstance(summary, str) and isinstance(children, list), "node")
    _check(_integers([first, last], 1) and _integer(start, 0) and (end is None or _integer(end, 0)), "node")
    _check(isinstance(confidence, int | float) and 0 <= confidence <= 1, "node")
    return Node(
        title=title,
        pages=PageRange(first, last),
        start_line=start,
        end_line=end,
        summary=summary,
        summary_source=SummarySource(summary_source),
        source=NodeSource(source),
        confidence=float(confidence),
        children=tuple(map(_node, children)),
    )


def _dump(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def _load(encoded: bytes, fields: int | None = None) -> list[Any]:
    try:
        value = json.loads(encoded.decode("utf-8", "surrogatepass"), parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise CodecError(f"these bytes are not JSON: {error}") from error
    _check(isinstance(value, list) and fields in (None, len(value)), "list of fields")
    return list(value)


def _no_constant(name: str) -> NoReturn:
    raise CodecError(f"{name} is no number")


def _check(fits: bool, what: str) -> None:
    if not fits:
        raise CodecError(f"these bytes are no {what}")


def _fields(row: object, count: int, what: str) -> list[Any]:
    if not isinstance(row, list) or len(row) != count:
        raise CodecError(f"these bytes are no {what}")
    return row


def _integer(value: object, low: int = -_MAX_LENGTH, high: int = _MAX_LENGTH) -> bool:
    return isinstance(value, int) and type(value) is int and low <= value <= high


def _integers(values: object, low: int = -_MAX_LENGTH, high: int = _MAX_LENGTH) -> bool:
    """Whether it is a list of whole numbers in the range; in C loops, since a document has 200,000 of them."""
    if not isinstance(values, list) or not set(map(type, values)) <= {int}:
        return False
    return not values or (low <= min(values) and max(values) <= high)


def _hundredths(length_pt: float) -> int:
    return round(length_pt * 100)


def _optional_hundredths(length_pt: float | None) -> int | None:
    return None if length_pt is None else _hundredths(length_pt)


def _optional_points(length: int | None) -> float | None:
    return None if length is None else length / 100
