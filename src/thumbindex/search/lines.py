"""The line of a page that answers."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from thumbindex.document import Box, Line, join_split_words
from thumbindex.search.finding import FoundLine, Step
from thumbindex.search.inquiry import Inquiry
from thumbindex.search.menus import Chosen, Menu, Option, choose
from thumbindex.search.verify import check_step, check_texts

__all__ = ["Passage", "answering_lines", "passages_of"]

_INSTRUCTIONS = "Which line of the page holds the answer to the question?"
_SENTENCE_END = re.compile(r"[.!?:;][\"'”’)\]]*$")
_MOST_LINES = 4


@dataclass(frozen=True, slots=True)
class Passage:
    """Lines that are read as one: a sentence that runs over several, or a row of a table.

    Attributes:
        first: Index of the first on the page.
        text: Their words, those split at a line end joined.
        box: Around them.
    """

    first: int
    text: str
    box: Box


def answering_lines(inquiry: Inquiry, pages: Sequence[int]) -> tuple[list[tuple[int, FoundLine]], Step]:
    """For each page, the index of the line that answers and the line; and how that came about.

    A choice among the lines of the page says which, a check of that line alone says how sure that is.

    Raises:
        DecisionError: The model failed.
    """
    passages = [passages_of(inquiry.document.page(page).lines) for page in pages]
    menus = [_menu(inquiry.page_title(page), group) for page, group in zip(pages, passages, strict=True)]
    chosen = choose(inquiry.question, menus, inquiry.model) if menus else []
    best = [group[_winner(answer)] for group, answer in zip(passages, chosen, strict=True)]
    checks = check_texts(inquiry.question, [passage.text for passage in best], inquiry.model)
    found = [(p.first, FoundLine(p.text, p.box, check.probability)) for p, check in zip(best, checks, strict=True)]
    checked = check_step("Does the line answer?", [p.text for p in best], checks, inquiry.model.name)
    return found, Step("Lines", children=(*(answer.step for answer in chosen), checked))


def passages_of(lines: Sequence[Line]) -> list[Passage]:
    """The lines of a page as passages, running headers and footers left out unless there is nothing else."""
    body = [(index, line) for index, line in enumerate(lines) if not line.repeated] or list(enumerate(lines))
    return [_joined(group) for group in _sentences(body)]


def _sentences(lines: Iterable[tuple[int, Line]]) -> Iterator[list[tuple[int, Line]]]:
    group: list[tuple[int, Line]] = []
    for index, line in lines:
        if group and not _goes_on(group[-1][1], line, len(group)):
            yield group
            group = []
        group.append((index, line))
    if group:
        yield group


def _goes_on(before: Line, line: Line, length: int) -> bool:
    """Whether a sentence of prose that began before runs on in this line."""
    if length == _MOST_LINES or before.cells > 1 or line.cells > 1 or _SENTENCE_END.search(before.text):
        return False
    same_style = before.bold == line.bold and abs(before.font_size_pt - line.font_size_pt) < 0.5
    return same_style and 0 < line.box.y1 - before.box.y1 < 2.2 * line.font_size_pt


def _joined(group: Sequence[tuple[int, Line]]) -> Passage:
    boxes = [line.box for _, line in group]
    box = Box(min(b.x0 for b in boxes), min(b.y0 for b in boxes), max(b.x1 for b in boxes), max(b.y1 for b in boxes))
    text = join_split_words("\n".join(line.text for _, line in group)).replace("\n", " ")
    return Passage(group[0][0], text, box)


def _menu(title: str, passages: Sequence[Passage]) -> Menu:
    options = {f"l{number}": Option(passage.text, passage.text) for number, passage in enumerate(passages, 1)}
    return Menu(f"Lines of {title}", _INSTRUCTIONS, options)


def _winner(chosen: Chosen) -> int:
    probabilities = list(chosen.probabilities.values())
    return probabilities.index(max(probabilities))
