"""Which of some pages answers: one choice over all of them, in windows that fit the model."""

from __future__ import annotations

from collections.abc import Sequence

from thumbindex.search.finding import Step
from thumbindex.search.inquiry import Inquiry
from thumbindex.search.menus import Menu, Option, choose

__all__ = ["choose_page"]

_INSTRUCTIONS = "Which page of the document holds the answer to the question?"


def choose_page(inquiry: Inquiry, pages: Sequence[int]) -> tuple[dict[int, float], Step]:
    """By page number, the probability that it is the one that answers, summing to 1; and how that came about.

    The windows are the parts of the menu, consecutive pages each; the best of every window meet in a final.

    Raises:
        DecisionError: The model failed.
    """
    options = {f"p{page}": Option(inquiry.page_title(page), inquiry.page_text(page)) for page in pages}
    chosen = choose(inquiry.question, [Menu("Pages", _INSTRUCTIONS, options)], inquiry.model)[0]
    return dict(zip(pages, chosen.probabilities.values(), strict=True)), chosen.step
