"""Beam search down the tree of sections."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import exp, fsum, log
from types import MappingProxyType

from thumbindex.document import PageRange
from thumbindex.errors import BudgetSpentError
from thumbindex.search.describe import Describer
from thumbindex.search.finding import FoundSection, Step
from thumbindex.search.fitted import fitted
from thumbindex.search.inquiry import Inquiry
from thumbindex.search.menus import Menu, Option, choose
from thumbindex.tree import Node, Tree

__all__ = [
    "LEAST_HELD",
    "Descent",
    "SectionPath",
    "descend",
    "joined_with_pages",
    "parts_of",
    "past_single_options",
    "section_menu",
]

_INSTRUCTIONS = "Which section of the document holds the answer to the question?"
_LEAST_PROBABILITY = 1e-12
# A section without a promising page may still hold the answer.
LEAST_HELD = 1e-3


@dataclass(frozen=True)
class SectionPath:
    """A way down the tree.

    Attributes:
        nodes: The sections passed, the outermost first. The last may be the opening part of the one before it, or a run
            of small neighbours.
        log_probabilities: Of each step that was a choice.
        menus: Numbers of the menus asked on the way, in the order of asking.
    """

    nodes: tuple[Node, ...] = ()
    log_probabilities: tuple[float, ...] = ()
    menus: tuple[int, ...] = ()

    @property
    def score(self) -> float:
        """The geometric mean of the steps' probabilities; 1 before the first."""
        steps = self.log_probabilities
        return exp(fsum(steps) / len(steps)) if steps else 1.0

    def found(self) -> FoundSection:
        """As the finding shows it: an opening part goes by the section it opens."""
        titles = tuple(node.title for node in self.nodes)
        path = titles[:-1] if titles[-2:-1] == titles[-1:] else titles
        return FoundSection(path, self.nodes[-1].pages.first, self.nodes[-1].pages.last, self.score)


@dataclass(frozen=True)
class Descent:
    """Where the search ended, best first, and every menu on the way.

    Attributes:
        ends: Of the paths.
        step: The menus.
        stopped: Why the paths were not followed to their ends; empty where they were.
    """

    ends: tuple[SectionPath, ...]
    step: Step
    stopped: str = ""

    @property
    def pages(self) -> frozenset[int]:
        """The pages of the sections it ended in."""
        return frozenset(number for end in self.ends for node in end.nodes[-1:] for number in node.pages.numbers)


@dataclass(frozen=True, slots=True)
class _Asked:
    """A menu that was asked: its step, its number, and the number of the menu that led to it."""

    number: int
    parent: int | None
    step: Step


def descend(
    inquiry: Inquiry,
    describer: Describer,
    beam: int,
    section_pages: int = 1,
    chosen_pages: Mapping[int, float] = MappingProxyType({}),
) -> Descent:
    """Follow the `beam` best paths from the root until each ends in a section without parts, or of few pages.

    The menus of all open paths of a level are asked in one batch. Neighbours that together have at most
    `section_pages` pages are one option, and no section of so few pages is opened: what tells its pages apart is their
    text, which is looked at next.

    Args:
        inquiry: The question and the document.
        describer: Says what an option for a section says.
        beam: How many paths are followed.
        section_pages: See above.
        chosen_pages: By page, its probability in a choice among all pages, where there was one: it has a say.

    Raises:
        DecisionError: The model failed; where a budget is spent, the paths end where they are.
    """
    shares = fitted(inquiry.model.name, "sections") if chosen_pages else None
    paths: tuple[SectionPath, ...] = (SectionPath(),)
    asked: list[_Asked] = []
    while True:
        grown = [past_single_options(path, inquiry.tree, section_pages) for path in paths]
        parts = [parts_of(path, inquiry.tree, section_pages) for path in grown]
        if not any(parts):
            return Descent(tuple(grown), Step("Sections", children=_nested(asked, None)))
        menus = [section_menu(path, options, describer) for path, options in zip(grown, parts, strict=True) if options]
        try:
            answers = iter(choose(inquiry.question, menus, inquiry.model))
        except BudgetSpentError as error:
            return Descent(paths, Step("Sections", children=_nested(asked, None)), str(error))
        pool: list[SectionPath] = []
        for path, options in zip(grown, parts, strict=True):
            if not options:
                pool.append(path)
                continue
            chosen = next(answers)
            probabilities = list(chosen.probabilities.values())
            if shares:
                probabilities = joined_with_pages(options, probabilities, chosen_pages, shares)
            pool += _extended(path, options, probabilities, chosen.step, asked)
        paths = tuple(sorted(pool, key=lambda path: path.score, reverse=True)[:beam])


def parts_of(path: SectionPath, tree: Tree, section_pages: int) -> tuple[Node, ...]:
    """What can be gone on to: the opening part, if any, and the subsections, small neighbours together."""
    if not path.nodes:
        return tuple(_gathered(tree.nodes, section_pages))
    last = path.nodes[-1]
    if not last.children or len(last.pages) <= section_pages:
        return ()
    opening = last.opening()
    return tuple(_gathered((opening, *last.children) if opening else last.children, section_pages))


def _gathered(parts: Sequence[Node], section_pages: int) -> Iterator[Node]:
    """The parts, each run of neighbours that fits `section_pages` as one."""
    run: list[Node] = []
    for part in parts:
        if run and part.pages.last - run[0].pages.first >= section_pages:
            yield _joined(run)
            run = []
        run.append(part)
    if run:
        yield _joined(run)


def _joined(run: Sequence[Node]) -> Node:
    if len(run) == 1:
        return run[0]
    titles = list(dict.fromkeys(part.title for part in run))
    first, last = run[0], run[-1]
    return Node(
        title=f"{titles[0]} … {titles[-1]}" if len(titles) > 1 else titles[0],
        pages=PageRange(first.pages.first, last.pages.last),
        start_line=first.start_line,
        end_line=last.end_line,
        summary="; ".join(titles),
        source=first.source,
        confidence=min(part.confidence for part in run),
    )


def past_single_options(path: SectionPath, tree: Tree, section_pages: int) -> SectionPath:
    """The path, on to where there is something to choose."""
    while len(parts := parts_of(path, tree, section_pages)) == 1:
        path = replace(path, nodes=(*path.nodes, *parts))
    return path


def section_menu(path: SectionPath, parts: Sequence[Node], describer: Describer) -> Menu:
    """What is asked at the end of a path that has these parts."""
    title = path.nodes[-1].title if path.nodes else "The document"
    options = {f"s{number}": Option(part.title, describer.text(part)) for number, part in enumerate(parts, 1)}
    return Menu(title, _INSTRUCTIONS, options)


def joined_with_pages(
    parts: Sequence[Node], probabilities: Sequence[float], pages: Mapping[int, float], shares: Mapping[str, float]
) -> list[float]:
    """The probabilities of sections, by their menu and by what their pages hold, each with its fitted share."""
    held = [fsum(pages.get(number, 0.0) for number in part.pages.numbers) for part in parts]
    odds = [
        max(p, _LEAST_PROBABILITY) ** shares["menu"] * (h + LEAST_HELD) ** shares["pages"]
        for p, h in zip(probabilities, held, strict=True)
    ]
    return [value / fsum(odds) for value in odds]


def _extended(
    path: SectionPath, parts: Sequence[Node], probabilities: Sequence[float], step: Step, asked: list[_Asked]
) -> list[SectionPath]:
    number = len(asked)
    asked.append(_Asked(number, path.menus[-1] if path.menus else None, step))
    return [
        SectionPath(
            (*path.nodes, part),
            (*path.log_probabilities, log(max(probability, _LEAST_PROBABILITY))),
            (*path.menus, number),
        )
        for part, probability in zip(parts, probabilities, strict=True)
    ]


def _nested(asked: Sequence[_Asked], parent: int | None) -> tuple[Step, ...]:
    return tuple(
        replace(menu.step, children=(*menu.step.children, *_nested(asked, menu.number)))
        for menu in asked
        if menu.parent == parent
    )
