"""How much texts bear on a question by their words: the evidence that lexical ranking weighs.

A passage is a text whose first line is its title. Four fields speak for it, each by the BM25 formula: all of its terms,
its best short window, pairs of neighbouring terms, and the title.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from thumbindex.terms import is_asking_term, terms, without_stop_words

__all__ = [
    "FIELDS",
    "FIELD_WEIGHTS",
    "PassageTerms",
    "Passages",
    "Segments",
    "TermPositions",
    "asked_share",
    "passage_terms",
]

FIELDS = ("body", "window", "pairs", "title")
# What a field adds to a text's log-odds of being the one that answers: softmax regression, temperature included, by
# training/fit_lexical.py on the written set and the training documents of MMLongBench.
FIELD_WEIGHTS = (0.43, 0.38, 0.16, 0.15)

Floats = NDArray[np.float64]
Integers = NDArray[np.int64]

# The usual values: with them the first field alone is plain BM25, below which no ranking should fall.
_K1, _B = 1.2, 0.75
_WINDOW_K1 = 1.2
# Half a window, in content terms: about a sentence or two rows of a table. 15, 30 and 60 were tried.
_HALF_WINDOW = 15
# A term that every text holds still counts. Without it a menu of a dozen pages, all chosen for holding the question's
# terms, is ranked by what is left over. 0.5, 1, 2 and 3 were tried: 2 was best for the menus of sections of the written
# set, and about even with 1 for its pages.
_LEAST_WEIGHT = 2.0
# What is left of the weight of a word that asks rather than names; set by hand, not fitted.
_ASKING_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class PassageTerms:
    """The content terms of a text in order.

    Attributes:
        terms: Without stop words.
        title_length: How many of them, the first ones, are the title's.
        length: All terms of the text, stop words included.
    """

    terms: tuple[str, ...]
    title_length: int = 0
    length: int = 0


def passage_terms(text: str) -> PassageTerms:
    """The terms of a text whose first line is its title."""
    title, _, body = text.partition("\n")
    title_terms, body_terms = terms(title), terms(body)
    title_content = without_stop_words(title_terms)
    content = (*title_content, *without_stop_words(body_terms))
    return PassageTerms(content, len(title_content), len(title_terms) + len(body_terms))


class TermPositions:
    """Where each term stands in a run of terms."""

    def __init__(self, terms: Sequence[str]) -> None:
        numbers: dict[str, int] = {}
        ids = np.fromiter((numbers.setdefault(term, len(numbers)) for term in terms), np.int64, len(terms))
        self._numbers = numbers
        self._order = np.argsort(ids, kind="stable")
        self._starts = np.searchsorted(ids[self._order], np.arange(len(numbers) + 1))

    def of(self, term: str) -> Integers:
        """Its positions in order; empty where it does not occur."""
        number = self._numbers.get(term)
        if number is None:
            return np.empty(0, np.int64)
        return self._order[self._starts[number] : self._starts[number + 1]]


@dataclass(frozen=True)
class Segments:
    """A run of terms cut into texts.

    Attributes:
        owner: For each position, the text it lies in, shape `(terms,)`, ascending.
        lengths: How long each text is held to be, shape `(texts,)`.
        k1: How soon a term's count saturates.
        b: How much long texts are held back, 0 to 1.
    """

    owner: Integers
    lengths: Floats
    k1: float = _K1
    b: float = _B

    @classmethod
    def from_lengths(cls, lengths: Sequence[int], k1: float = _K1, b: float = _B) -> Segments:
        """Texts of these lengths, one after the other."""
        return cls(np.repeat(np.arange(len(lengths)), lengths), np.asarray(lengths, np.float64), k1, b)

    def held_to_be(self, lengths: Sequence[int]) -> Segments:
        """The same texts, weighed as if they had these lengths."""
        return replace(self, lengths=np.asarray(lengths, np.float64))

    @cached_property
    def _norm(self) -> Floats:
        mean = self.lengths.mean() if self.lengths.any() else 1.0
        return self.k1 * (1 - self.b + self.b * np.maximum(self.lengths, 1) / mean)

    def counts(self, positions: Integers) -> Floats:
        """How many of the positions lie in each text."""
        return np.bincount(self.owner[positions], minlength=len(self.lengths)).astype(np.float64)

    def saturated(self, counts: Floats) -> Floats:
        """BM25's part for a term that comes `counts` times, before its weight."""
        return counts * (self.k1 + 1) / (counts + self._norm)

    def weight(self, counts: Floats) -> float:
        """How telling a term of these counts is: Lucene's idf."""
        total, holding = len(self.lengths), np.count_nonzero(counts)
        return float(np.log1p((total - holding + 0.5) / (holding + 0.5)))


def asked_share(term: str) -> float:
    """What is left of a term's weight in a question: less for one that says how to answer than for what it is about."""
    return _ASKING_SHARE if is_asking_term(term) else 1.0


class Passages:
    """Texts to be ranked by the terms of a question.

    Args:
        texts: Their terms.
    """

    def __init__(self, texts: Sequence[PassageTerms]) -> None:
        self._size = len(texts)
        self._positions = TermPositions([term for text in texts for term in text.terms])
        lengths = [len(text.terms) for text in texts]
        self._bodies = Segments.from_lengths(lengths).held_to_be([text.length for text in texts])
        self._titles = Segments.from_lengths([text.title_length for text in texts], k1=1.2, b=0.75)
        self._title_position = _title_positions(texts)
        self._blocks = _Blocks.of(lengths)

    def __len__(self) -> int:
        return self._size

    def holding(self, term: str) -> NDArray[np.bool_]:
        """Whether each text holds the term, shape `(len(self),)`."""
        held: NDArray[np.bool_] = self._bodies.counts(self._positions.of(term)) > 0
        return held

    def log_odds(self, query: Sequence[str]) -> Floats:
        """How much speaks for each text in all, shape `(len(self),)`; their softmax is a distribution."""
        total: Floats = self.evidence(query) @ np.asarray(FIELD_WEIGHTS)
        return total

    def evidence(self, query: Sequence[str]) -> Floats:
        """What speaks for each text, by field, shape `(len(self), len(FIELDS))`; a term asked twice counts once."""
        positions = {term: self._positions.of(term) for term in query}
        counts = {term: self._bodies.counts(found) for term, found in positions.items()}
        shares = {term: asked_share(term) for term in positions}
        idf = {term: shares[term] * self._bodies.weight(count) for term, count in counts.items()}
        weights = {term: shares[term] * _LEAST_WEIGHT + weight for term, weight in idf.items()}
        evidence = np.zeros((self._size, len(FIELDS)))
        window = self._blocks.empty()
        for term, found in positions.items():
            evidence[:, 0] += idf[term] * self._bodies.saturated(counts[term])
            window += weights[term] * self._blocks.saturated(found)
            evidence[:, 3] += shares[term] * self._title(found)
        evidence[:, 1] = self._blocks.best(window)
        for left, right in dict.fromkeys(pairwise(query)):
            together = self._bodies.counts(self._neighbours(positions[left], positions[right]))
            evidence[:, 2] += min(weights[left], weights[right]) * self._bodies.saturated(together)
        return evidence

    def _neighbours(self, left: Integers, right: Integers) -> Integers:
        """Those of `left` that one of `right` follows at once in the same text."""
        followed = left[np.isin(left + 1, right, assume_unique=True)]
        owner = self._bodies.owner
        within: Integers = followed[owner[followed] == owner[followed + 1]]
        return within

    def _title(self, positions: Integers) -> Floats:
        inside = self._title_position[positions]
        counts = self._titles.counts(inside[inside >= 0])
        return self._titles.weight(counts) * self._titles.saturated(counts)


@dataclass(frozen=True)
class _Blocks:
    """Every text in blocks of half a window, an empty block after each, so that a window never runs into the next.

    Attributes:
        owner: The block of each position.
        starts: The first block of each text.
        size: Blocks in all.
    """

    owner: Integers
    starts: Integers
    size: int

    @classmethod
    def of(cls, lengths: Sequence[int]) -> _Blocks:
        """The blocks of texts of these lengths."""
        sizes = np.asarray(lengths, np.int64)
        blocks = -(-sizes // _HALF_WINDOW) + 1
        starts = np.concatenate(([0], np.cumsum(blocks)[:-1])).astype(np.int64) if len(sizes) else sizes
        begins = np.concatenate(([0], np.cumsum(sizes)[:-1])).astype(np.int64) if len(sizes) else sizes
        within = np.arange(int(sizes.sum())) - np.repeat(begins, sizes)
        return cls(np.repeat(starts, sizes) + within // _HALF_WINDOW, starts, int(blocks.sum()))

    def empty(self) -> Floats:
        return np.zeros(self.size)

    def saturated(self, positions: Integers) -> Floats:
        """By window (a block and the next), the part of a term at these positions."""
        counts = np.bincount(self.owner[positions], minlength=self.size).astype(np.float64)
        counts[:-1] += counts[1:].copy()
        counts[self.starts[1:] - 1] = 0  # the empty block after a text would be a window onto the next text
        return counts * (_WINDOW_K1 + 1) / (counts + _WINDOW_K1)

    def best(self, windows: Floats) -> Floats:
        """By text, its best window."""
        return np.maximum.reduceat(windows, self.starts) if len(self.starts) else windows


def _title_positions(texts: Sequence[PassageTerms]) -> Integers:
    """For each position, its place in the run of all titles; -1 where it lies in no title."""
    return np.fromiter(_numbered_titles(texts), np.int64, sum(len(text.terms) for text in texts))


def _numbered_titles(texts: Sequence[PassageTerms]) -> Iterator[int]:
    before = 0
    for text in texts:
        yield from range(before, before + text.title_length)
        yield from (-1 for _ in range(len(text.terms) - text.title_length))
        before += text.title_length
