"""A question about a document, with all that is needed to answer it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from thumbindex.decision.base import DecisionModel
from thumbindex.document import Document
from thumbindex.search.document_terms import DocumentTerms
from thumbindex.tree import Tree

__all__ = ["Inquiry"]


@dataclass(frozen=True)
class Inquiry:
    """A question about a document.

    Attributes:
        question: What is asked.
        document: What is searched.
        tree: Its sections.
        terms: Its words.
        model: What decides.
    """

    question: str
    document: Document
    tree: Tree
    terms: DocumentTerms
    model: DecisionModel

    @cached_property
    def readable_pages(self) -> tuple[int, ...]:
        """Numbers of the pages that have text."""
        return tuple(page.number for page in self.document.pages if page.text.strip())

    def page_title(self, page: int) -> str:
        """How a trace names a page: its number, and the printed one where it differs."""
        label = self.document.page(page).label
        return f"page {page}" if label == str(page) else f"page {page} (printed {label})"

    def page_text(self, page: int) -> str:
        """What the page says to the model."""
        return self.terms.page_texts[page - 1]
