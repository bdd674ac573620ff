"""The line of a page that answers."""

from __future__ import annotations

from collections.abc import Sequence

from thumbindex.search.finding import FoundLine, Step
from thumbindex.search.inquiry import Inquiry
from thumbindex.search.menus import Chosen, Menu, Option, choose
from thumbindex.search.page_passages import Passage, passages_of
from thumbindex.search.verify import check_step, check_texts
from thumbindex.sections import path_at

__all__ = ["answering_lines", "passage_texts"]

_INSTRUCTIONS = "Which line of the page holds the answer to the question?"


def answering_lines(inquiry: Inquiry, pages: Sequence[int]) -> tuple[list[tuple[int, FoundLine]], Step]:
    """For each page, the index of the line that answers and the line; and how that came about.

    A choice among the lines of the page says which, a check of that line alone says how sure that is.

    Raises:
        DecisionError: The model failed.
    """
    passages = [passages_of(inquiry.document.page(page).lines) for page in pages]
    texts = [passage_texts(inquiry, page, group) for page, group in zip(pages, passages, strict=True)]
    menus = [
        _menu(inquiry.page_title(page), group, read) for page, group, read in zip(pages, passages, texts, strict=True)
    ]
    chosen = choose(inquiry.question, menus, inquiry.model) if menus else []
    winners = [_winner(answer) for answer in chosen]
    best = [group[winner] for group, winner in zip(passages, winners, strict=True)]
    read = [group[winner] for group, winner in zip(texts, winners, strict=True)]
    checks = check_texts(inquiry.question, read, inquiry.model)
    found = [(p.first, FoundLine(p.text, p.box, check.probability)) for p, check in zip(best, checks, strict=True)]
    checked = check_step("Does the line answer?", [p.text for p in best], checks, inquiry.model.name)
    return found, Step("Lines", children=(*(answer.step for answer in chosen), checked))


def passage_texts(inquiry: Inquiry, page: int, passages: Sequence[Passage]) -> list[str]:
    """Each passage of a page as a model reads it: what it stands under on one line, then its words."""
    paths = [path_at(inquiry.tree, page, passage.first) for passage in passages]
    return [p.read_under(path[-1].title if path else "") for p, path in zip(passages, paths, strict=True)]


def _menu(title: str, passages: Sequence[Passage], texts: Sequence[str]) -> Menu:
    shown = zip(passages, texts, strict=True)
    options = {f"l{number}": Option(passage.text, text) for number, (passage, text) in enumerate(shown, 1)}
    return Menu(f"Lines of {title}", _INSTRUCTIONS, options)


def _winner(chosen: Chosen) -> int:
    probabilities = list(chosen.probabilities.values())
    return probabilities.index(max(probabilities))
