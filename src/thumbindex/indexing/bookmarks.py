"""Headings from the file's own outline."""

from __future__ import annotations

import re

from thumbindex.document import Bookmark, Document, Page
from thumbindex.indexing.heading import Heading, in_order
from thumbindex.indexing.numbering import parse_numbering
from thumbindex.indexing.titles import Vocabulary, clean_title, find_title
from thumbindex.tree import NodeSource

__all__ = ["bookmark_headings", "line_at"]

# What converters write as bookmarks: file names, running numbers, empty marks.
_NO_TITLE = re.compile(r"_?\w*\.(?:pdf|docx?|xlsx?|pptx?|html?)|(?:page|slide|blank page|untitled|bookmark)\s*\d*", re.I)
_VERIFIED, _UNVERIFIED = 0.95, 0.7


def bookmark_headings(document: Document, words: Vocabulary) -> list[Heading]:
    """The bookmarks that name a section, in order; none where they are too few or lead all to one page."""
    usable = [b for b in document.bookmarks if 1 <= b.page <= len(document.pages) and _names_a_section(b.title)]
    if len(usable) < 2 or len({b.page for b in usable}) < 2:
        return []
    return in_order([_heading(bookmark, document.page(bookmark.page), words) for bookmark in usable])


def _names_a_section(title: str) -> bool:
    return any(c.isalpha() for c in title) and not _NO_TITLE.fullmatch(title.strip())


def _heading(bookmark: Bookmark, page: Page, words: Vocabulary) -> Heading:
    """The bookmark at the line that prints its title, or, where none does, at the height it points to."""
    title = clean_title(bookmark.title, words)
    found = find_title(title, page, bookmark.y_pt)
    if found and found.likeness >= 0.4:
        title = _with_number(title, page.lines[found.line].text)
        return Heading(title, page.number, found.line, bookmark.level, NodeSource.BOOKMARK, _VERIFIED)
    line = line_at(page, bookmark.y_pt)
    return Heading(title, page.number, line, bookmark.level, NodeSource.BOOKMARK, _UNVERIFIED)


def _with_number(title: str, printed: str) -> str:
    """The title with the number that is printed before it where the bookmark leaves it out."""
    numbering = parse_numbering(printed)
    if numbering is None or parse_numbering(title) or not numbering.rest:
        return title
    return f"{printed[: -len(numbering.rest)].strip()} {title}"


def line_at(page: Page, y_pt: float | None) -> int:
    """The first line that reaches below that height; 0 where the height is unknown or below all text."""
    if y_pt is None:
        return 0
    below = (index for index, line in enumerate(page.lines) if line.box.y1 > y_pt + 1 and not line.repeated)
    return next(below, 0)
