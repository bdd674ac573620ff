"""BM25 over a list of texts already split into terms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["BM25"]


class BM25:
    """Scores texts against a query by Okapi BM25 (Robertson & Zaragoza 2009), with Lucene's idf that is never negative.

    Args:
        texts: The terms of each text.
        k1: How soon a term's count saturates; 1.2 is the value of Lucene and of the TREC runs.
        b: How much long texts are held back, 0 to 1; 0.75 likewise.
    """

    def __init__(self, texts: Iterable[Sequence[str]], k1: float = 1.2, b: float = 0.75) -> None:
        counts = [Counter(text) for text in texts]
        self._size = len(counts)
        lengths = np.array([sum(count.values()) for count in counts], dtype=np.float64)
        mean = lengths.mean() if self._size and lengths.any() else 1.0
        self._norm = k1 * (1 - b + b * lengths / mean)
        self._k1 = k1
        postings: dict[str, tuple[list[int], list[int]]] = {}
        for row, count in enumerate(counts):
            for term, times in count.items():
                rows, frequency = postings.setdefault(term, ([], []))
                rows.append(row)
                frequency.append(times)
        self._postings = postings

    def __len__(self) -> int:
        return self._size

    def idf(self, term: str) -> float:
        """`log(1 + (N - n + 0.5) / (n + 0.5))` for a term in n of N texts."""
        holding = len(self._postings[term][0]) if term in self._postings else 0
        return float(np.log1p((self._size - holding + 0.5) / (holding + 0.5)))

    def scores(self, query: Iterable[str]) -> NDArray[np.float64]:
        """The score of every text, shape `(len(self),)`; a term asked twice counts once."""
        total = np.zeros(self._size)
        for term in dict.fromkeys(query):
            if term not in self._postings:
                continue
            rows, frequency = (np.asarray(part) for part in self._postings[term])
            total[rows] += self.idf(term) * frequency * (self._k1 + 1) / (frequency + self._norm[rows])
        return total
