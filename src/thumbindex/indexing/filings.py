"""Headings of reports to the SEC: Parts, Items, and what follows the last Item.

The pattern is the form's, which many thousands of authors follow; nothing but the numbers of its Items is relied on.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from thumbindex.document import Line, Page
from thumbindex.indexing.appended import appended
from thumbindex.indexing.heading import Heading
from thumbindex.indexing.lists import line_label
from thumbindex.indexing.material import Material
from thumbindex.indexing.numbering import parse_numbering, roman_value
from thumbindex.indexing.sequences import best_sequence
from thumbindex.indexing.style import Body, is_capitals, wrapped_lines
from thumbindex.indexing.titles import clean_title, is_continued
from thumbindex.tree import NodeSource

__all__ = ["filing_headings"]

_ITEM = re.compile(r"(?:part\s+[IVX]+\s*[.,:—–-]*\s*)?(?P<item>items?\s*\d{1,2}(?!\d).*)", re.IGNORECASE)
_PART = re.compile(r"part\s+(?P<number>I{1,3}|IV)\b[\s.,:—–-]*(?P<rest>.*)", re.IGNORECASE)
_SPACED_PART = re.compile(r"part\s+((?:[IV]\s*){1,3})$", re.IGNORECASE)
_REFERENCE = re.compile(
    r"(?:of|and|or|in|to|on|for|under|above|below|through|as|which|that|is|are|was|were|herein|contained)\b|[,;)\"”]|"
    r".*\b(?:of|in) (?:this|our|the) (?:annual |quarterly )?(?:report|form|filing)",
    re.IGNORECASE,
)
_END_OF_TITLE = re.compile(
    r"(?<=[a-z)]{3})\.\s+(?=[A-Z(])|\s*[.:—–-]\s*(?=(?:none|not applicable|reserved)\b)", re.IGNORECASE
)
# The first Item of each Part of an annual report.
_ANNUAL_PARTS = {1: 1, 2: 5, 3: 10, 4: 15}
_ROMAN = {1: "I", 2: "II", 3: "III", 4: "IV"}
# A contents page with this many Items lists the form's own, not the statements of Item 8.
_MANY_ITEMS = 5
# Documents that only refer to Items name fewer than this in order; forms whose Items are numbered "2.02" have few.
_MIN_ITEMS, _MIN_DECIMAL_ITEMS = 4, 2

_Position = tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Item:
    """A line that may begin an Item; `weight` says how much it looks like a heading, 0 or below where it does not."""

    number: int
    letter: int
    title: str
    page: int
    line: int
    weight: float

    @property
    def position(self) -> tuple[int, int]:
        return self.page, self.line


@dataclass(frozen=True, slots=True)
class _PartLine:
    """A line that may begin a Part, or a running header that names it."""

    number: int
    position: _Position
    text: str
    repeated: bool


def filing_headings(material: Material, statements: Sequence[Heading]) -> list[Heading]:
    """Parts (level 0), Items (1), and what follows the last Item (0); empty where the document is no such report.

    `statements` are the headings of financial statements, which may follow the last Item.
    """
    candidates = [item for item in _candidates(material) if item.weight > 0]
    part_lines = list(_part_lines(material))
    part_two = _part_two_of_quarterly(candidates, part_lines)
    ranks = [_rank(item, part_two) for item in candidates]
    run = best_sequence(ranks, [item.weight for item in candidates], gap_cost=0.0)
    items = _earliest(candidates, ranks, run)
    decimal = all(item.letter > 100 for item in items)
    if len(items) < (_MIN_DECIMAL_ITEMS if decimal else _MIN_ITEMS) or _is_one_table(items):
        return []
    parts = [] if decimal else _parts(material, _first_items(items, part_two), part_lines)
    found = [*parts, *(_heading(item) for item in items), *appended(material, items[-1].position, statements)]
    return sorted(found, key=lambda heading: (heading.position, heading.level))


def _candidates(material: Material) -> Iterator[_Item]:
    for page in material.document.pages:
        matches = [
            (index, match)
            for index, line in enumerate(page.lines)
            if "item" in line.text[:24].casefold() and (match := _ITEM.match(line.text))
        ]
        listed = page.number in material.lists
        if listed and len(matches) >= _MANY_ITEMS:
            continue
        for index, match in matches:
            if not (listed and line_label(page.lines[index].text)):
                item = _item(match["item"], page, index, material)
                if item:
                    yield item


def _item(text: str, page: Page, index: int, material: Material) -> _Item | None:
    body = material.body
    numbering = parse_numbering(text)
    if numbering is None or numbering.word != "item":
        return None
    line = page.lines[index]
    title = _printed_title(text, page, index, body)
    rest = parse_numbering(title)
    name = rest.rest if rest else ""
    weight = 1.0 + 1.5 * (line.bold or body.is_larger(line) or is_capitals(name or text))
    weight += 0.5 * name[:1].isupper()
    weight -= 2.5 * bool(_REFERENCE.match(numbering.rest)) + 1.0 * (line.repeated or is_continued(line.text))
    weight -= 1.0 * (not any(c.isalpha() for c in name)) + 0.7 * (len(name) > 160)
    number, letter = numbering.values
    return _Item(number, letter, clean_title(title, material.words), page.number, index, weight)


def _printed_title(text: str, page: Page, index: int, body: Body) -> str:
    """The whole title of an Item: wrapped over lines, or on the line below its number, without what follows it."""
    lines = page.lines
    count = wrapped_lines(lines, index) if body.yields_to(lines[index]) else 1
    title = " ".join([text, *(line.text for line in lines[index + 1 : index + count])])
    numbering = parse_numbering(title)
    if numbering and not any(c.isalpha() for c in numbering.rest) and index + count < len(lines):
        below = index + count
        more = wrapped_lines(lines, below) if body.yields_to(lines[below]) else 1
        title = " ".join([title, *(line.text for line in lines[below : below + more])])
    end = _END_OF_TITLE.search(title, len("Item 10. ") + 3)
    return title[: end.start()] if end else title


def _part_two_of_quarterly(candidates: Sequence[_Item], part_lines: Sequence[_PartLine]) -> _Position | None:
    """Where Part II begins in a form whose Items count from 1 again there; None in other forms."""
    if any(item.number > 6 or item.letter > 3 for item in candidates):
        return None
    twos = [part.position for part in part_lines if part.number == 2 and not part.repeated]
    return twos[-1] if twos else None


def _rank(item: _Item, part_two: _Position | None) -> int:
    return 10_000 * (part_two is not None and item.position >= part_two) + 100 * item.number + item.letter


def _earliest(candidates: Sequence[_Item], ranks: Sequence[int], run: Sequence[int]) -> list[_Item]:
    """The run, each step moved to the first candidate of its number after the step before that looks as good."""
    chosen: list[_Item] = []
    for index in run:
        after = chosen[-1].position if chosen else (0, 0)
        alike = (
            item
            for item, rank in zip(candidates, ranks, strict=True)
            if rank == ranks[index] and item.position > after and item.weight >= candidates[index].weight
        )
        chosen.append(next(alike, candidates[index]))
    return chosen


def _is_one_table(items: Sequence[_Item]) -> bool:
    """Whether most Items are lines of one table: an index to a report of another order."""
    by_page = Counter(item.page for item in items)
    return len(items) >= 10 and by_page.most_common(1)[0][1] > 0.6 * len(items)


def _heading(item: _Item) -> Heading:
    confidence = 0.95 if item.weight >= 2.5 else 0.8
    return Heading(item.title, item.page, item.line, 1, NodeSource.PATTERN, confidence)


def _part_lines(material: Material) -> Iterator[_PartLine]:
    for page in material.document.pages:
        for index, line in enumerate(page.lines) if page.number not in material.lists else ():
            if line.text[:4].casefold() == "part":
                text = _SPACED_PART.sub(lambda spaced: "PART " + spaced[1].replace(" ", ""), line.text)
                match = _PART.match(text)
                if match and _is_part(match["rest"], line):
                    yield _PartLine(roman_value(match["number"]), (page.number, index), text, line.repeated)


def _is_part(rest: str, line: Line) -> bool:
    return len(rest) < 60 and not _REFERENCE.match(rest) and (not rest or rest[0].isupper() or line.bold)


def _first_items(items: Sequence[_Item], part_two: _Position | None) -> dict[int, tuple[_Item, _Position]]:
    """For each Part its first Item, and where the Item before that begins."""
    firsts: dict[int, tuple[_Item, _Position]] = {}
    before = (0, -1)
    for item in items:
        if part_two is not None:
            part = 2 if item.position >= part_two else 1
        else:
            part = max(number for number, first in _ANNUAL_PARTS.items() if item.number >= first or number == 1)
        firsts.setdefault(part, (item, before))
        before = item.position
    return firsts


def _parts(
    material: Material, firsts: Mapping[int, tuple[_Item, _Position]], part_lines: Sequence[_PartLine]
) -> list[Heading]:
    """The Parts, each at its own line before its first Item, or at that Item where only the others are printed."""
    found: dict[int, Heading] = {}
    for number, (item, before) in firsts.items():
        own = [
            part
            for part in part_lines
            if part.number == number and before < part.position <= item.position and item.page - part.position[0] <= 1
        ]
        if own:
            nearest = min(own, key=lambda part: (part.repeated, -part.position[0], -part.position[1]))
            plain = nearest.repeated or nearest.position == item.position
            title = f"PART {_ROMAN[number]}" if plain else clean_title(nearest.text, material.words)
            found[number] = Heading(title, *nearest.position, 0, NodeSource.PATTERN, 0.95)
    if len(found) < 2:
        return []
    for number, (item, _) in firsts.items():
        found.setdefault(number, Heading(f"PART {_ROMAN[number]}", *item.position, 0, NodeSource.PATTERN, 0.5))
    return list(found.values())
