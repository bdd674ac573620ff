"""What an option for a section says to a model."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from thumbindex.search.document_terms import DocumentTerms
from thumbindex.terms import content_terms
from thumbindex.tree import Node

__all__ = ["Describer", "Telling"]

_LINES = 16
_LEAST_PROBABILITY = 1e-12


@dataclass(frozen=True)
class Telling:
    """How much of a document bears on a question, by its words unless a model has read all pages.

    Attributes:
        pages: Log-odds by page, shape `(pages,)`.
        lines: By line of the document's `LineTerms`, shape `(lines,)`.
    """

    pages: NDArray[np.float64]
    lines: NDArray[np.float64]

    @classmethod
    def for_question(cls, question: str, terms: DocumentTerms) -> Telling:
        """Score a document's pages and lines against a question."""
        asked = content_terms(question)
        return cls(terms.passages.log_odds(asked), terms.lines.scores(asked))

    def as_chosen(self, probabilities: Mapping[int, float]) -> Telling:
        """The same, its pages weighed as a choice among them did; a page that was no option bears on nothing."""
        pages = np.full(len(self.pages), np.log(_LEAST_PROBABILITY))
        for page, probability in probabilities.items():
            pages[page - 1] = np.log(max(probability, _LEAST_PROBABILITY))
        return replace(self, pages=pages)

    def best_pages(self, pages: Sequence[int]) -> list[int]:
        """The pages, the most telling first, the earlier of equals first."""
        return sorted(pages, key=lambda page: -self.pages[page - 1])


@dataclass(frozen=True)
class Describer:
    """Describes sections.

    Attributes:
        terms: The document's words.
        telling: What bears on the question; None where descriptions shall be the same for all questions.
    """

    terms: DocumentTerms
    telling: Telling | None = None

    def text(self, section: Node) -> str:
        """Title, summary, and what inside the section bears most on the question, each on a line of its own.

        The latter is from the section's most telling page: the headings over it and its most telling lines. Lines of
        one place say more together than the best of several, which long sections always have.
        """
        lines = self.terms.lines.span(section)
        summary = section.summary or " ".join(self.terms.lines.texts[lines][:_LINES])
        return "\n".join(part for part in (section.title, summary, *self._evidence(section, lines)) if part)

    def _evidence(self, section: Node, lines: slice) -> Iterator[str]:
        if self.telling is None or lines.start == lines.stop:
            return
        pages = self.terms.lines.pages[lines]
        page = self.telling.best_pages(sorted(set(pages.tolist())))[0]
        yield self.terms.headings[page - 1]
        scores = np.where(pages == page, self.telling.lines[lines], 0.0)
        best = np.argsort(-scores, kind="stable")[:_LINES]
        yield from (self.terms.lines.texts[lines.start + row] for row in sorted(best.tolist()) if scores[row] > 0)
