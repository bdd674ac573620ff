"""Finding the pages and lines of a document that answer a question."""

from thumbindex.search.document_terms import DocumentTerms
from thumbindex.search.finding import (
    CheckedPage,
    Finding,
    FoundLine,
    FoundPage,
    FoundSection,
    RankedPage,
    Step,
    StepOption,
)
from thumbindex.search.options import SearchOptions, Strategy
from thumbindex.search.pipeline import find

__all__ = [
    "CheckedPage",
    "DocumentTerms",
    "Finding",
    "FoundLine",
    "FoundPage",
    "FoundSection",
    "RankedPage",
    "SearchOptions",
    "Step",
    "StepOption",
    "Strategy",
    "find",
]
