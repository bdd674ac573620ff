"""Small documents, trees, and models for tests of deciding and finding."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from thumbindex.decision.base import Choice, Decision, Limits, Noul, Request, Usage, checked
from thumbindex.document import Box, Document, Line, Page, PageRange
from thumbindex.errors import RequestTooLongError
from thumbindex.tree import Node, Tree


def document(*pages: Sequence[str]) -> Document:
    """A document of pages of lines."""
    return Document(
        id="0" * 16,
        name="sample.pdf",
        sha256="0" * 64,
        pages=tuple(
            Page(number, str(number), 612, 792, lines=tuple(_line(row, text) for row, text in enumerate(texts)))
            for number, texts in enumerate(pages, 1)
        ),
    )


def _line(row: int, text: str) -> Line:
    return Line(text, Box(72, 72 + 30 * row, 540, 84 + 30 * row), 10)


def tree(*sections: tuple) -> Tree:
    """Sections as (title, first, last, *subsections)."""
    return Tree(tuple(_node(*section) for section in sections))


def _node(title: str, first: int, last: int, *children: tuple) -> Node:
    return Node(title, PageRange(first, last), summary=title, children=tuple(_node(*child) for child in children))


@dataclass
class Weights:
    """A model that weighs each option on its own by the number in its text, so that nothing depends on the menu.

    An option's odds are the first number in its text; a text answers if it holds the word "answer".
    """

    limits: Limits = field(default_factory=Limits)
    most_options: int | None = None
    name: str = "weights-1"
    asked: list[Request] = field(default_factory=list)

    def decide(self, requests: Sequence[Request]) -> list[Decision]:
        return [self._decide(request) for request in requests]

    def _decide(self, request: Request) -> Decision:
        self.asked.append(request)
        question = request.question
        if isinstance(question, Choice):
            if self.most_options and len(question.options) > self.most_options:
                raise RequestTooLongError("too many")
            odds = {key: float(re.search(r"\d+", text)[0]) for key, text in question.options.items()}
            probabilities = {key: value / sum(odds.values()) for key, value in odds.items()}
        elif isinstance(question, Noul):
            yes = 0.9 if "answer" in request.state["text"] else 0.1
            probabilities = {"true": yes, "false": 1 - yes}
        else:
            probabilities = dict.fromkeys(question.keys, 1 / len(question.keys))
        return Decision(question, checked(question, probabilities, self.name), self.name, Usage(1, 10, 0, 0.0))
