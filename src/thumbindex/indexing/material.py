"""What every source of the outline looks at: the document, and what is known of its print beforehand."""

from __future__ import annotations

import statistics
from dataclasses import dataclass

from thumbindex.document import Document
from thumbindex.indexing.links import LineTargets, line_targets
from thumbindex.indexing.lists import contents_pages, cross_reference_pages
from thumbindex.indexing.style import Body, body_of
from thumbindex.indexing.titles import Vocabulary, vocabulary

__all__ = ["Material", "gathered"]

# Slides hold less than this; a page of prose, several times as much.
_SLIDE_CHARACTERS = 600
_MIN_SLIDES = 3


@dataclass(frozen=True)
class Material:
    """A document with what is known of its print.

    Attributes:
        document: As read.
        words: How often it uses each word.
        body: How its prose is set.
        targets: Where the lines of its contents pages link to.
        contents: Its contents pages, in order.
        cross_references: Pages that say where each Item of a filing is answered.
        lists: Both: pages whose lines name headings that stand elsewhere.
        deck: Whether its pages are slides: little text on most.
    """

    document: Document
    words: Vocabulary
    body: Body
    targets: LineTargets
    contents: tuple[int, ...]
    cross_references: tuple[int, ...]
    lists: frozenset[int]
    deck: bool


def gathered(document: Document) -> Material:
    """The document with what is known of its print."""
    targets = line_targets(document)
    contents, references = contents_pages(document, targets), cross_reference_pages(document)
    return Material(
        document=document,
        words=vocabulary(document),
        body=body_of(document),
        targets=targets,
        contents=tuple(contents),
        cross_references=tuple(references),
        lists=frozenset({*contents, *references}),
        deck=_is_deck(document),
    )


def _is_deck(document: Document) -> bool:
    lengths = [sum(len(line.text) for line in page.lines if not line.repeated) for page in document.pages]
    printed = [length for length in lengths if length]
    return len(printed) >= _MIN_SLIDES and statistics.median(printed) < _SLIDE_CHARACTERS
