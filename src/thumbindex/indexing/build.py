"""The tree of a document, step by step from the sources of its outline."""

from __future__ import annotations

from thumbindex.document import Document
from thumbindex.indexing.assemble import deepest_first, filled, grafted, without_echoes
from thumbindex.indexing.bookmarks import bookmark_headings
from thumbindex.indexing.contents import contents_headings, contents_pages
from thumbindex.indexing.filings import filing_headings
from thumbindex.indexing.headings import set_headings, title_of
from thumbindex.indexing.links import line_targets
from thumbindex.indexing.options import IndexOptions
from thumbindex.indexing.outline import at_tops, levelled
from thumbindex.indexing.sections import sections
from thumbindex.indexing.shape import (
    grouped,
    split,
    with_front_matter,
    without_scraps,
    without_single_root,
    without_wrappers,
)
from thumbindex.indexing.statements import financial_headings
from thumbindex.indexing.style import body_of
from thumbindex.indexing.summaries import summarised
from thumbindex.indexing.titles import vocabulary
from thumbindex.tree import Tree

__all__ = ["build_tree"]


def build_tree(document: Document, options: IndexOptions = IndexOptions()) -> Tree:  # noqa: B008 (frozen)
    """The sections of the document, nested, each with its pages and an extractive summary; no model is asked."""
    words, body = vocabulary(document), body_of(document)
    targets = line_targets(document)
    contents = contents_pages(document, targets)
    title = title_of(document)

    statements = at_tops(financial_headings(document, body, contents, words), document)
    filing = filing_headings(document, body, contents, words, statements)
    given = [bookmark_headings(document, words), *contents_headings(document, targets, words)]
    found = set_headings(document, body, contents, words)

    outline = grafted(at_tops(filing, document), statements) if filing else []
    for source in deepest_first(given):
        outline = grafted(outline, at_tops(source, document))
    outline = without_single_root(levelled(without_echoes(outline)))
    outline = filled(outline, at_tops(found, document))
    outline = outline if filing else grafted(outline, statements)
    outline = with_front_matter(without_echoes(outline), document, contents, title)
    outline = without_wrappers(without_scraps(levelled(outline), document))
    outline = with_front_matter(without_single_root(outline), document, contents, title)
    outline = grouped(split(outline, document, options.max_leaf_pages, words), options.max_menu)
    return Tree(summarised(sections(outline, document), document, body))
