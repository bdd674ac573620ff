"""Headings from the file's own outline."""

from __future__ import annotations

import re

from thumbindex.document import Bookmark, Page
from thumbindex.indexing.heading import Heading, in_order
from thumbindex.indexing.material import Material
from thumbindex.indexing.numbering import parse_numbering
from thumbindex.indexing.style import wrapped_lines
from thumbindex.indexing.titles import clean_title, find_title, line_at
from thumbindex.indexing.wording import reads_as_title
from thumbindex.tree import NodeSource

__all__ = ["bookmark_headings"]

# What converters write as bookmarks: file names, running numbers, empty marks.
_NO_TITLE = re.compile(
    r".*\.(?:pdf|docx?|xlsx?|pptx?|html?)|(?:page|slide|blank page|untitled|bookmark|blank)\b\W*\d*(?:\(.*\))?",
    re.IGNORECASE,
)
# A heading that stands so many lines below the place a bookmark points to is the one it means.
_LOOK_AHEAD = 4
_VERIFIED, _UNVERIFIED = 0.95, 0.7


def bookmark_headings(material: Material) -> list[Heading]:
    """The bookmarks that name a section, in order; none where they are too few or lead all to one page."""
    document = material.document
    usable = [b for b in document.bookmarks if 1 <= b.page <= len(document.pages) and _names_a_section(b.title)]
    if len(usable) < 2 or len({b.page for b in usable}) < 2:
        return []
    return in_order([_heading(bookmark, document.page(bookmark.page), material) for bookmark in usable])


def _names_a_section(title: str) -> bool:
    return any(c.isalpha() for c in title) and not _NO_TITLE.fullmatch(title.strip())


def _heading(bookmark: Bookmark, page: Page, material: Material) -> Heading:
    """The bookmark at the line that prints its title, or, where none does, at the height it points to.

    A heading in larger type right there is what readers see, whatever the bookmark's name.
    """
    title = clean_title(bookmark.title, material.words)
    found = find_title(title, page, bookmark.y_pt)
    if found:
        title = _with_number(title, page.lines[found.line].text)
        return Heading(title, page.number, found.line, bookmark.level, NodeSource.BOOKMARK, _VERIFIED)
    line = line_at(page, bookmark.y_pt)
    ahead = range(line, min(line + _LOOK_AHEAD, len(page.lines)))
    printed = next((index for index in ahead if material.body.is_larger(page.lines[index])), None)
    if printed is not None and reads_as_title(page.lines[printed].text):
        wrapped = page.lines[printed : printed + wrapped_lines(page.lines, printed)]
        title, line = clean_title(" ".join(each.text for each in wrapped), material.words), printed
    return Heading(title, page.number, line, bookmark.level, NodeSource.BOOKMARK, _UNVERIFIED)


def _with_number(title: str, printed: str) -> str:
    """The title with the number that is printed before it where the bookmark leaves it out."""
    numbering = parse_numbering(printed)
    if numbering is None or parse_numbering(title) or not numbering.rest:
        return title
    return f"{printed[: -len(numbering.rest)].strip()} {title}"
