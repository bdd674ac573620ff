"""Results to measure, made by hand."""

from thumbindex.evaluation.questions import EvaluationQuestion
from thumbindex.evaluation.results import LibraryResult, QuestionResult, Run
from thumbindex.search import CheckedPage

RUN = Run("lexical-1", "0.1.0", "2026-01-31", {"strategy": "hybrid", "beam": 3, "query_aware": True})


def result(pages=(), ranking=(), also=(), id="q", question="?", checked=(), **fields):
    asked = EvaluationQuestion(id, "a.pdf", question, frozenset(pages), frozenset(also))
    pairs = tuple(CheckedPage(page, probability) for page, probability in checked)
    return QuestionResult(asked, ranking=tuple(ranking), checked=pairs, **{"page_count": 20} | fields)


def library_result(pages=(), ranking=(), doc="a.pdf", id="q", question="?", **fields):
    """A result of a question to a library; `ranking` is of (document, page)."""
    asked = EvaluationQuestion(id, doc, question, frozenset(pages))
    return LibraryResult(asked, ranking=tuple(ranking), **fields)
