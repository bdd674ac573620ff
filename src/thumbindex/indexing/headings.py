"""Headings by how they are set: larger, heavier or in capitals, on lines of their own, numbered or not."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from thumbindex.indexing.candidates import Candidate, candidates
from thumbindex.indexing.heading import STRONG, Heading
from thumbindex.indexing.levels import LevelKey, nested_levels, stepped
from thumbindex.indexing.material import Material
from thumbindex.indexing.numbering import Numbering, parse_numbering
from thumbindex.indexing.sequences import best_sequence
from thumbindex.indexing.titlepage import SIZE_STEP_PT, without_title
from thumbindex.indexing.titles import bare_key
from thumbindex.indexing.wording import known_name, names_references, names_whole_part
from thumbindex.tree import NodeSource

__all__ = ["set_headings"]

_Setting = tuple[int, bool, bool]


def set_headings(material: Material, title: str) -> list[Heading]:
    """All lines that are set as headings, in reading order, nested by number, then by size and weight.

    Those before the first of the outermost kind lie at level 1: they divide the opening. `title` is the document's.
    """
    found = _without_repeats(candidates(material))
    found = found if material.deck else without_title(found, title)
    found = _without_reference_entries(_without_list_items(_with_plain_in_order(found)))
    sizes = stepped([-size for size in _sizes(found)], SIZE_STEP_PT)
    settings = [(size, not c.bold, not c.capitals) for c, size in zip(found, sizes, strict=True)]
    usual = _usual_outermost(settings, _levels(found, settings))
    settings = [usual if names_whole_part(c.title) else setting for c, setting in zip(found, settings, strict=True)]
    levels = _levels(found, settings)
    opening = next((index for index, setting in enumerate(settings) if setting <= usual), 0)
    return [
        Heading(c.title, c.page, c.line, level + (index < opening), NodeSource.HEADING, c.confidence)
        for index, (c, level) in enumerate(zip(found, levels, strict=True))
    ]


def _without_repeats(found: Sequence[Candidate]) -> list[Candidate]:
    """The candidates without those that come again on page after page: headers that were not known as such."""
    pages: dict[str, set[int]] = {}
    for candidate in found:
        pages.setdefault(bare_key(candidate.title), set()).add(candidate.page)
    return [c for c in found if len(on := pages[bare_key(c.title)]) <= 2 or not {c.page - 1, c.page - 2} & on]


def _with_plain_in_order(found: Sequence[Candidate]) -> list[Candidate]:
    """The candidates that stand out, and of the plain ones those whose number goes on from the heading before."""
    kept: list[Candidate] = []
    last: tuple[int, ...] = ()
    letter: int | None = None
    for candidate in found:
        number = parse_numbering(candidate.title)
        if number is None or number.word or number.kind not in {"1", "I", "A"}:
            kept += [] if candidate.plain else [candidate]
            continue
        lettered = number.kind == "A" and number.depth == 1
        goes_on = number.values == ((letter or 0) + 1,) and letter is not None if lettered else _follows(number, last)
        if candidate.plain and not goes_on:
            continue
        kept.append(replace(candidate, confidence=STRONG) if candidate.plain else candidate)
        last = last if lettered else number.values
        letter = number.values[0] if lettered else 0 if number.kind == "I" else None
    return kept


def _follows(number: Numbering, last: tuple[int, ...]) -> bool:
    """Whether a number is the next after `last` at its depth or above, or the first below it."""
    values = number.values
    return values == (*last, 1) or any(values == (*last[:depth], last[depth] + 1) for depth in range(len(last)))


def _without_list_items(found: Sequence[Candidate]) -> list[Candidate]:
    """The candidates without stray "2." among the chapters 1, 2, 3 of a document that numbers their parts 2.1, 2.2."""
    run = set(_main_run(found))
    if not run:
        return list(found)
    return [c for index, c in enumerate(found) if index in run or not _is_chapter_number(parse_numbering(c.title))]


def _main_run(found: Sequence[Candidate]) -> list[int]:
    """The indices of the chapters 1, 2, 3 of a document that numbers their parts 2.1, 2.2; empty for others."""
    numbers = [parse_numbering(candidate.title) for candidate in found]
    parts = {n.values[0] for n in numbers if n and not n.word and n.depth == 2 and n.kind == "1"}
    single = [index for index, number in enumerate(numbers) if _is_chapter_number(number)]
    if len(parts) < 2 or not single:
        return []
    values = [number.values[0] for index in single if (number := numbers[index])]
    weights = [found[index].size_pt * (1 + found[index].confidence) for index in single]
    return [single[at] for at in best_sequence(values, weights, gap_cost=max(weights) / 2)]


def _is_chapter_number(number: Numbering | None) -> bool:
    return number is not None and not number.word and number.depth == 1 and number.kind == "1"


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
    """The size of each heading, judged by the chapters of a document that numbers them.

    None counts as larger than those; and between them, what has neither number nor a known name counts as least.
    """
    run = _main_run(found)
    if not run:
        return [candidate.size_pt for candidate in found]
    largest = statistics.median(found[index].size_pt for index in run)
    least = min(candidate.size_pt for candidate in found) - 2 * SIZE_STEP_PT
    return [
        min(c.size_pt, largest) if not run[0] < index < run[-1] or _names_itself(c) else least
        for index, c in enumerate(found)
    ]


def _names_itself(candidate: Candidate) -> bool:
    return parse_numbering(candidate.title) is not None or bool(known_name(candidate.title))


def _levels(found: Sequence[Candidate], settings: Sequence[_Setting]) -> list[int]:
    return nested_levels([LevelKey(setting, c.title) for c, setting in zip(found, settings, strict=True)])


def _usual_outermost(settings: Sequence[_Setting], levels: Sequence[int]) -> _Setting:
    """How most outermost headings are set; sections that divide the whole are, whatever their type."""
    outermost = Counter(setting for setting, level in zip(settings, levels, strict=True) if level == 0)
    return outermost.most_common(1)[0][0] if outermost else (0, False, False)
