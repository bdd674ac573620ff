"""Does this page answer? Asked of each candidate on its own: a choice always picks one, a check may refuse them all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from thumbindex.decision.base import DecisionModel, Noul, Request, Usage
from thumbindex.search.asking import ask, halves, request_tokens
from thumbindex.search.finding import Step, StepOption
from thumbindex.search.inquiry import Inquiry

__all__ = ["Check", "check_pages", "check_step", "check_texts"]

_INSTRUCTIONS = "Does the text state the answer to the question, or the figures that it follows from?"
_CHECK = Noul(_INSTRUCTIONS)


@dataclass(frozen=True, slots=True)
class Check:
    """The probability that a text answers, and what it cost to know."""

    probability: float
    usage: Usage


def check_pages(inquiry: Inquiry, pages: Sequence[int]) -> tuple[dict[int, float], Step]:
    """By page number, the probability that the page answers; and how that came about.

    Raises:
        DecisionError: The model failed.
    """
    checks = check_texts(inquiry.question, [inquiry.page_text(page) for page in pages], inquiry.model)
    shown = [inquiry.page_title(page) for page in pages]
    step = check_step("Does the page answer?", shown, checks, inquiry.model.name)
    return {page: check.probability for page, check in zip(pages, checks, strict=True)}, step


def check_step(title: str, shown: Sequence[str], checks: Sequence[Check], model: str) -> Step:
    """The checks as one step of a trace."""
    options = tuple(StepOption(text, check.probability) for text, check in zip(shown, checks, strict=True))
    return Step(title, options, model, sum((check.usage for check in checks), Usage()))


def check_texts(question: str, texts: Sequence[str], model: DecisionModel) -> list[Check]:
    """For each text, whether it answers. One longer than the model takes answers as well as its best part.

    Raises:
        DecisionError: The model failed.
    """
    parts = [_fitting(text, question, model) for text in texts]
    requests = [Request({"question": question, "text": part}, _CHECK) for group in parts for part in group]
    answers = iter(ask(requests, model) if requests else [])
    checks = []
    for group in parts:
        decisions = [decision for pieces in islice(answers, len(group)) for decision in pieces]
        usage = sum((decision.usage for decision in decisions), Usage())
        checks.append(Check(max(decision.probability for decision in decisions), usage))
    return checks


def _fitting(text: str, question: str, model: DecisionModel) -> list[str]:
    most = model.limits.max_tokens
    if most is None or request_tokens(question, _INSTRUCTIONS, {"text": text}) <= most:
        return [text]
    return [part for half in halves(text) for part in _fitting(half, question, model)] or [text]
