"""Headings from a cross-reference index: a table that says on which pages of a report each Item of its form stands."""

from __future__ import annotations

from collections.abc import Iterator

from thumbindex.document import Page
from thumbindex.indexing.heading import Heading
from thumbindex.indexing.lists import PAGES_NAMED
from thumbindex.indexing.material import Material
from thumbindex.indexing.numbering import parse_numbering
from thumbindex.indexing.titles import Vocabulary, bare_key, clean_title, find_title
from thumbindex.tree import NodeSource

__all__ = ["cross_reference_headings"]

_FOUND, _BLIND = 0.85, 0.5


def cross_reference_headings(material: Material) -> list[Heading]:
    """The Items where the index says they begin, in the order of the document; level 0, "Item" kept in the title."""
    document = material.document
    page_of = {page.label.lower(): page for page in reversed(document.pages)}
    entries = (e for number in material.cross_references for e in _entries(document.page(number), material.words))
    headings: dict[tuple[int, int], Heading] = {}
    for title, label in entries:
        page = page_of.get(label.lower())
        if page is not None and page.number not in material.lists:
            found = find_title(title, page)
            line, sure = (found.line, _FOUND) if found else (0, _BLIND)
            headings.setdefault((page.number, line), Heading(title, page.number, line, 0, NodeSource.CONTENTS, sure))
    return sorted(headings.values(), key=lambda heading: heading.position)


def _entries(page: Page, words: Vocabulary) -> Iterator[tuple[str, str]]:
    for line in page.lines:
        pages = PAGES_NAMED.search(line.text)
        title = clean_title(line.text[: pages.start()], words) if pages else ""
        numbering = parse_numbering(title)
        if pages and numbering and numbering.word == "item" and len(bare_key(title)) > 3:
            yield title, pages["first"]
