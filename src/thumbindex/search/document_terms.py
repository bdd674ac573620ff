"""The words of a document, counted once: what makes the second question about it fast."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import zip_longest

import numpy as np
from numpy.typing import NDArray

from thumbindex.document import Document
from thumbindex.passages import Passages, Segments, TermPositions, asked_share, passage_terms
from thumbindex.sections import page_headings, page_text
from thumbindex.terms import content_terms
from thumbindex.tree import Node, Tree

__all__ = ["DocumentTerms", "LineTerms"]

# A line is short: what it repeats and how long it is say little.
_LINE_K1, _LINE_B = 1.2, 0.3
_PLACE = 1_000_000
_SPLIT_WORD = re.compile("[a-z][-\u00ad]$")


@dataclass(frozen=True)
class LineTerms:
    """Every line of a document that is no running header or footer, in reading order, ready to be scored.

    Attributes:
        places: For each line, its page times a million plus its index on the page, ascending; shape `(lines,)`.
        texts: The lines as printed.
        positions: Where each term stands in the run of all lines.
        segments: The run cut into lines.
    """

    places: NDArray[np.int64]
    texts: tuple[str, ...]
    positions: TermPositions
    segments: Segments

    @classmethod
    def from_document(cls, document: Document) -> LineTerms:
        """The lines of a document."""
        lines = [(page.number, i, line) for page in document.pages for i, line in enumerate(page.lines)]
        lines = [entry for entry in lines if not entry[2].repeated]
        terms = [content_terms(text) for text in _with_whole_words([line.text for _, _, line in lines])]
        return cls(
            np.array([page * _PLACE + index for page, index, _ in lines], np.int64),
            tuple(line.text for _, _, line in lines),
            TermPositions([term for line in terms for term in line]),
            Segments.from_lengths([len(line) for line in terms], _LINE_K1, _LINE_B),
        )

    def scores(self, query: Sequence[str]) -> NDArray[np.float64]:
        """How much each line bears on the terms of a question, shape `(lines,)`."""
        total = np.zeros(len(self.texts))
        for term in dict.fromkeys(query):
            counts = self.segments.counts(self.positions.of(term))
            total += asked_share(term) * self.segments.weight(counts) * self.segments.saturated(counts)
        return total

    @cached_property
    def pages(self) -> NDArray[np.int64]:
        """The page of each line, shape `(lines,)`."""
        return self.places // _PLACE

    def span(self, section: Node) -> slice:
        """The lines of a section."""
        pages = section.pages
        end = pages.last * _PLACE + section.end_line if section.end_line is not None else (pages.last + 1) * _PLACE
        first, last = np.searchsorted(self.places, [pages.first * _PLACE + section.start_line, end])
        return slice(int(first), int(last))


@dataclass(frozen=True)
class DocumentTerms:
    """A document and its tree, ready for questions.

    Attributes:
        headings: The sections over each page on one line, empty where there are none; shape `(pages,)`.
        page_texts: What each page says to a model, the headings first; shape `(pages,)`.
        passages: The same, ready to be ranked.
        lines: The lines.
    """

    headings: tuple[str, ...]
    page_texts: tuple[str, ...]
    passages: Passages
    lines: LineTerms

    @classmethod
    def from_document(cls, document: Document, tree: Tree) -> DocumentTerms:
        """Count the words of a document."""
        headings = page_headings(tree, len(document.pages))
        texts = tuple(page_text(titles, page) for titles, page in zip(headings, document.pages, strict=True))
        joined = tuple(" - ".join(titles) for titles in headings)
        passages = Passages([passage_terms(text) for text in texts])
        return cls(joined, texts, passages, LineTerms.from_document(document))


def _with_whole_words(lines: Sequence[str]) -> Iterator[str]:
    """The lines, a word split over two of them given whole to the first."""
    taken = False
    for line, following in zip_longest(lines, lines[1:], fillvalue=""):
        rest = line.partition(" ")[2] if taken else line
        taken = bool(_SPLIT_WORD.search(rest)) and following[:1].islower()
        yield rest[:-1] + following.partition(" ")[0] if taken else rest
