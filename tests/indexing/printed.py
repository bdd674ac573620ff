"""Small documents made line by line, as a reader of PDFs would hand them over."""

from collections.abc import Sequence
from dataclasses import replace

from thumbindex.document import Bookmark, Box, Document, Line, Link, Page
from thumbindex.indexing.heading import Heading
from thumbindex.indexing.material import gathered
from thumbindex.tree import NodeSource

PROSE = "The company reports what it did over the year and how the pumps it makes were sold in each market."


def line(text, *, size=10.0, bold=False, cells=1, repeated=False, x=72.0):
    """A line of which only the place is not yet known."""
    return Line(text, Box(x, 0, x + 5 * len(text) * size / 10, size), size, bold, repeated, cells)


def big(text, size=16.0, **how):
    return line(text, size=size, bold=True, **how)


def bold(text, **how):
    return line(text, bold=True, **how)


def header(text):
    return line(text, size=8.0, repeated=True)


def row(*cells, **how):
    return line(" ".join(cells), cells=len(cells), **how)


def prose(count=4):
    """Lines of running text, each of another beginning so that none is like another."""
    return [line(f"{number + 1} times over: {PROSE}") for number in range(count)]


def page(number, *items, label=None):
    """A page of lines set below each other; strings are prose."""
    lines, y = [], 72.0
    for item in items:
        for each in item if isinstance(item, list) else [item]:
            made = line(each) if isinstance(each, str) else each
            height = made.font_size_pt
            lines.append(replace(made, box=Box(made.box.x0, y, made.box.x1, y + height)))
            y += height * 1.2 + (6 if made.bold else 0)
    return Page(number, label or str(number), 612, 792, lines=tuple(lines))


def document(*pages: Sequence, bookmarks=(), links=(), labels=None):
    """A document of pages given as lists of lines."""
    made = [
        each if isinstance(each, Page) else page(number, *each, label=labels[number - 1] if labels else None)
        for number, each in enumerate(pages, 1)
    ]
    return Document("0" * 16, "report.pdf", "0" * 64, tuple(made), tuple(bookmarks), tuple(links))


def material(*pages, **more):
    return gathered(document(*pages, **more))


def bookmark(title, page, level=0, y_pt=None):
    return Bookmark(title, page, level, y_pt)


def link_over(page: Page, index, target_page, target_y_pt=None):
    return Link(page.number, page.lines[index].box, target_page, target_y_pt)


def heading(title, page, line=0, level=0, source=NodeSource.HEADING, *, confidence=0.8):
    return Heading(title, page, line, level, source, confidence)


def shown(headings):
    """Headings as (level, title, page)."""
    return [(h.level, h.title, h.page) for h in headings]


def drawn(nodes, depth=0):
    """A tree as lines of text."""
    found = []
    for node in nodes:
        found.append(f"{'  ' * depth}{node.pages.first}-{node.pages.last} {node.title}")
        found += drawn(node.children, depth + 1)
    return found
