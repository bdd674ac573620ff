"""Headings by how they are set: larger, heavier or in capitals, on lines of their own, numbered or not."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence

from thumbindex.indexing.candidates import Candidate, candidates
from thumbindex.indexing.heading import STRONG, Heading
from thumbindex.indexing.levels import LevelKey, nested_levels, stepped
from thumbindex.indexing.material import Material
from thumbindex.indexing.numbering import Numbering, parse_numbering
from thumbindex.indexing.sequences import best_sequence
from thumbindex.indexing.titlepage import SIZE_STEP_PT, without_title
from thumbindex.indexing.titles import title_key
from thumbindex.indexing.wording import names_references
from thumbindex.tree import NodeSource

__all__ = ["set_headings"]

_Setting = tuple[int, bool, bool]


def set_headings(material: Material, title: str) -> list[Heading]:
    """All lines that are set as headings, in reading order, nested by number, then by size and weight.

    Those before the first of the outermost kind lie at level 1: they divide the opening. `title` is the document's.
    """
    found = _without_repeats(candidates(material))
    found = found if material.deck else without_title(found, title)
    found = _without_reference_entries(_without_list_items(found))
    sizes = stepped([-size for size in _sizes(found)], SIZE_STEP_PT)
    settings = [(size, not c.bold, not c.capitals) for c, size in zip(found, sizes, strict=True)]
    levels = nested_levels([LevelKey(setting, c.title) for c, setting in zip(found, settings, strict=True)])
    opening = _length_of_opening(settings, levels)
    return [
        Heading(c.title, c.page, c.line, level + (index < opening), NodeSource.HEADING, c.confidence)
        for index, (c, level) in enumerate(zip(found, levels, strict=True))
    ]


def _without_repeats(found: Sequence[Candidate]) -> list[Candidate]:
    """The candidates without those that come again on page after page: headers that were not known as such."""
    pages: dict[str, set[int]] = {}
    for candidate in found:
        pages.setdefault(title_key(candidate.title), set()).add(candidate.page)
    return [c for c in found if len(on := pages[title_key(c.title)]) <= 2 or c.page - 1 not in on]


def _without_list_items(found: Sequence[Candidate]) -> list[Candidate]:
    """The candidates without stray "2." among the chapters 1, 2, 3 of a document that numbers their parts 2.1, 2.2."""
    run = set(_main_run(found))
    if not run:
        return list(found)
    return [c for index, c in enumerate(found) if index in run or not _is_chapter_number(parse_numbering(c.title))]


def _main_run(found: Sequence[Candidate]) -> list[int]:
    """The indices of the chapters 1, 2, 3 of a document that numbers their parts 2.1, 2.2; empty for others."""
    numbers = [parse_numbering(candidate.title) for candidate in found]
    parts = {n.values[0] for n in numbers if n and not n.word and n.depth == 2 and n.style[0] == "1"}
    single = [index for index, number in enumerate(numbers) if _is_chapter_number(number)]
    if len(parts) < 2 or not single:
        return []
    values = [number.values[0] for index in single if (number := numbers[index])]
    weights = [found[index].size_pt * (1 + found[index].confidence) for index in single]
    return [single[at] for at in best_sequence(values, weights, gap_cost=max(weights) / 2)]


def _is_chapter_number(number: Numbering | None) -> bool:
    return number is not None and not number.word and number.depth == 1 and number.style[0] == "1"


def _without_reference_entries(found: Sequence[Candidate]) -> list[Candidate]:
    """The candidates without weak ones in a list of references, where names of journals stand out."""
    kept: list[Candidate] = []
    inside = False
    for candidate in found:
        if candidate.confidence >= STRONG:
            inside = names_references(candidate.title)
        if not inside or candidate.confidence >= STRONG:
            kept.append(candidate)
    return kept


def _sizes(found: Sequence[Candidate]) -> list[float]:
    """The size of each heading; none counts as larger than the chapters of a document that numbers them."""
    run = _main_run(found)
    if not run:
        return [candidate.size_pt for candidate in found]
    largest = statistics.median(found[index].size_pt for index in run)
    return [min(candidate.size_pt, largest) for candidate in found]


def _length_of_opening(settings: Sequence[_Setting], levels: Sequence[int]) -> int:
    """How many headings stand before the first that is set as most outermost headings are, or more prominently."""
    outermost = Counter(setting for setting, level in zip(settings, levels, strict=True) if level == 0)
    if not outermost:
        return 0
    usual = outermost.most_common(1)[0][0]
    return next(index for index, setting in enumerate(settings) if setting <= usual)
