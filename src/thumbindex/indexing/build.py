"""The tree of a document, step by step from the sources of its outline."""

from __future__ import annotations

from thumbindex.document import Document
from thumbindex.indexing.assemble import deepest_first, filled, grafted, without_echoes
from thumbindex.indexing.bookmarks import bookmark_headings
from thumbindex.indexing.contents import contents_headings
from thumbindex.indexing.crossref import cross_reference_headings
from thumbindex.indexing.filings import filing_headings
from thumbindex.indexing.fitting import grouped, split
from thumbindex.indexing.headings import set_headings
from thumbindex.indexing.material import gathered
from thumbindex.indexing.options import IndexOptions
from thumbindex.indexing.outline import at_tops, levelled
from thumbindex.indexing.sections import sections
from thumbindex.indexing.shape import (
    at_page_tops,
    with_front_matter,
    without_scraps,
    without_single_root,
    without_wrappers,
)
from thumbindex.indexing.statements import financial_headings
from thumbindex.indexing.summaries import summarised
from thumbindex.indexing.titlepage import title_of
from thumbindex.tree import Tree

__all__ = ["BUILDER", "build_tree"]

# Trees kept under another name are built anew: counts up when the same document comes to another tree.
BUILDER = "outline-2"

_DEFAULTS = IndexOptions()


def build_tree(document: Document, options: IndexOptions = _DEFAULTS) -> Tree:
    """The sections of the document, nested, each with its pages and an extractive summary; no model is asked."""
    material = gathered(document)
    title = title_of(material)

    statements = at_tops(financial_headings(material), document)
    filing = at_tops(filing_headings(material, statements), document)
    given = [bookmark_headings(material), *contents_headings(material)]
    found = at_tops(set_headings(material, title), document)

    outline = grafted(filing, statements) if filing else []
    for source in deepest_first(given):
        outline = grafted(outline, at_tops(source, document))
    outline = outline or cross_reference_headings(material)
    outline = filled(without_single_root(levelled(without_echoes(outline))), found)
    outline = outline if filing else grafted(outline, statements)

    outline = with_front_matter(without_echoes(outline), material, title)
    outline = without_wrappers(without_scraps(levelled(outline), material))
    outline = with_front_matter(without_single_root(outline), material, title)
    outline = split(at_page_tops(outline, material), material, options.max_leaf_pages)
    outline = grouped(outline, options.max_menu)
    return Tree(summarised(sections(outline, len(document.pages)), document, material.body))
