"""Headings of reports to the SEC: Parts, Items, and what follows the last Item.

The pattern is the form's, which many thousands of authors follow; nothing but the numbers of its Items is relied on.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from thumbindex.document import Document, Line, Page
from thumbindex.indexing.contents import line_label
from thumbindex.indexing.heading import Heading
from thumbindex.indexing.numbering import parse_numbering, roman_value
from thumbindex.indexing.sequences import best_sequence
from thumbindex.indexing.style import Body, is_capitals, wrapped_lines
from thumbindex.indexing.titles import Vocabulary, clean_title, is_continued
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
_TAIL = re.compile(
    r"signatures?|exhibit index|index (?:to|of) exhibits|exhibits? list|"
    r"index to (?:the )?(?:consolidated )?financial statements.{0,60}|power of attorney",
    re.IGNORECASE,
)
_EXHIBIT = re.compile(r"(?:exhibit|ex)[\s-]*\(?\d{1,3}(?:[.\-]\d{1,3})?[a-z]?(?:\.\d+)?\)?[*.]?", re.IGNORECASE)
_END_OF_TITLE = re.compile(
    r"(?<=[a-z)]{3})\.\s+(?=[A-Z(])|\s*[.:—–-]\s*(?=(?:none|not applicable|reserved)\b)", re.IGNORECASE
)
# The first Item of each Part of an annual report.
_ANNUAL_PARTS = {1: 1, 2: 5, 3: 10, 4: 15}
# Reports of other forms and plain references name fewer Items than this.
# A contents page with this many Items lists the form's own, not the statements of Item 8.
_MANY_ITEMS = 5
_MIN_APPENDED = 4
_MIN_ITEMS, _MIN_DECIMAL_ITEMS = 4, 2


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


def filing_headings(
    document: Document, body: Body, skip: Collection[int], words: Vocabulary, statements: Sequence[Heading]
) -> list[Heading]:
    """Parts (level 0), Items (1), and what follows the last Item (0); empty where the document is no such report.

    Args:
        skip: Contents pages, which name every Item.
        statements: The headings of financial statements, which may follow the last Item.
    """
    candidates = [item for item in _candidates(document, body, skip, words) if item.weight > 0]
    part_two = _part_two_of_quarterly(document, candidates, skip)
    ranks = [_rank(item, part_two) for item in candidates]
    run = best_sequence(ranks, [item.weight for item in candidates], gap_cost=0.0)
    items = _earliest(candidates, ranks, run)
    decimal = all(item.letter > 100 for item in items)
    if len(items) < (_MIN_DECIMAL_ITEMS if decimal else _MIN_ITEMS) or _is_cross_reference(items):
        return []
    parts = [] if decimal else _parts(document, items, part_two, skip)
    tail = list(_tail(document, body, items[-1], words))
    found = [*parts, *(_heading(item) for item in items), *tail, *_appended(statements, items[-1], tail)]
    return sorted(found, key=lambda heading: (heading.position, heading.level))


def _candidates(document: Document, body: Body, skip: Collection[int], words: Vocabulary) -> Iterator[_Item]:
    for page in document.pages:
        matches = [
            (index, match)
            for index, line in enumerate(page.lines)
            if "item" in line.text[:24].casefold() and (match := _ITEM.match(line.text))
        ]
        listed = page.number in skip
        if listed and len(matches) >= _MANY_ITEMS:
            continue
        for index, match in matches:
            if not (listed and line_label(page.lines[index].text)):
                item = _item(match["item"], page, index, body, words)
                if item:
                    yield item


def _item(text: str, page: Page, index: int, body: Body, words: Vocabulary) -> _Item | None:
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
    return _Item(*numbering.values[:2], clean_title(title, words), page.number, index, weight)


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


def _part_two_of_quarterly(
    document: Document, candidates: Sequence[_Item], skip: Collection[int]
) -> tuple[int, int] | None:
    """Where Part II begins in a form whose Items count from 1 again there; None in other forms."""
    if any(item.number > 6 or item.letter > 3 for item in candidates):
        return None
    twos = [position for position, number, repeated in _part_lines(document, skip) if number == 2 and not repeated]
    return twos[-1] if twos else None


def _rank(item: _Item, part_two: tuple[int, int] | None) -> int:
    return 10_000 * (part_two is not None and item.position >= part_two) + 100 * item.number + item.letter


def _earliest(candidates: Sequence[_Item], ranks: Sequence[int], run: Sequence[int]) -> list[_Item]:
    """The run, each step moved to the first candidate of its number that looks as good and stands after the step before."""
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


def _is_cross_reference(items: Sequence[_Item]) -> bool:
    """Whether most Items are but lines of one table, which tells where in a report of another order they are answered."""
    by_page = Counter(item.page for item in items)
    return len(items) >= 10 and by_page.most_common(1)[0][1] > 0.6 * len(items)


def _heading(item: _Item) -> Heading:
    confidence = 0.95 if item.weight >= 2.5 else 0.8
    return Heading(item.title, item.page, item.line, 1, NodeSource.PATTERN, confidence)


def _part_lines(document: Document, skip: Collection[int]) -> Iterator[tuple[tuple[int, int], int, bool]]:
    for page in document.pages:
        for index, line in enumerate(page.lines) if page.number not in skip else ():
            if line.text[:4].casefold() != "part":
                continue
            text = _SPACED_PART.sub(lambda spaced: "PART " + spaced[1].replace(" ", ""), line.text)
            if (match := _PART.match(text)) and _is_part(match, line):
                yield (page.number, index), roman_value(match["number"]), line.repeated


def _is_part(match: re.Match[str], line: Line) -> bool:
    rest = match["rest"]
    return len(rest) < 60 and not _REFERENCE.match(rest) and (not rest or rest[0].isupper() or line.bold)


def _parts(
    document: Document, items: Sequence[_Item], part_two: tuple[int, int] | None, skip: Collection[int]
) -> list[Heading]:
    """The Parts, each at its own line before its first Item; the Items' own lines where others are printed and it is not."""
    lines = list(_part_lines(document, skip))
    found: dict[int, Heading] = {}
    firsts = _first_items(items, part_two)
    for number, (item, before) in firsts.items():
        own = [
            (position, repeated)
            for position, part, repeated in lines
            if part == number and before < position <= item.position and item.page - position[0] <= 1
        ]
        if own:
            position = min(own, key=lambda place: (place[1], (-place[0][0], -place[0][1])))[0]
            found[number] = _part_heading(document, number, position, item, 0.95)
    if len(found) < 2:
        return []
    for number, (item, _) in firsts.items():
        found.setdefault(number, Heading(f"PART {_ROMAN[number]}", *item.position, 0, NodeSource.PATTERN, 0.5))
    return list(found.values())


_ROMAN = {1: "I", 2: "II", 3: "III", 4: "IV"}


def _first_items(
    items: Sequence[_Item], part_two: tuple[int, int] | None
) -> dict[int, tuple[_Item, tuple[int, int]]]:
    """For each Part its first Item, and where the Item before that begins."""
    firsts: dict[int, tuple[_Item, tuple[int, int]]] = {}
    before = (0, -1)
    for item in items:
        if part_two is not None:
            part = 2 if item.position >= part_two else 1
        else:
            part = max(number for number, first in _ANNUAL_PARTS.items() if item.number >= first or number == 1)
        firsts.setdefault(part, (item, before))
        before = item.position
    return firsts


def _part_heading(document: Document, number: int, position: tuple[int, int], item: _Item, sure: float) -> Heading:
    line = document.page(position[0]).lines[position[1]]
    text = line.text if position != item.position else ""
    rest = _PART.match(text)
    name = clean_title(text) if rest and not line.repeated else f"PART {_ROMAN[number]}"
    return Heading(name, *position, 0, NodeSource.PATTERN, sure)


def _tail(document: Document, body: Body, last: _Item, words: Vocabulary) -> Iterator[Heading]:
    """Signatures, exhibit index and index of statements after the last Item, each where it first stands out; exhibits."""
    seen: set[str] = set()
    for page in document.pages[last.page - 1 :]:
        printed = [index for index, line in enumerate(page.lines) if not line.repeated]
        for order, index in enumerate(printed):
            line = page.lines[index]
            if (page.number, index) <= last.position or len(line.text) > 110 or line.cells > 2:
                continue
            if order < 3 and _EXHIBIT.fullmatch(line.text.strip()):
                if "exhibits" not in seen:
                    yield Heading("Exhibits", page.number, index, 0, NodeSource.PATTERN, 0.7)
                seen.add("exhibits")
                yield Heading(_exhibit_title(page, printed[order:], words), page.number, index, 1, NodeSource.PATTERN, 0.8)
            elif body.yields_to(line) and "exhibits" not in seen:
                title = clean_title(line.text, words)
                kind = title.casefold()[:12]
                if _TAIL.fullmatch(title.strip(" .:*")) and not is_continued(line.text) and kind not in seen:
                    seen.add(kind)
                    yield Heading(title, page.number, index, 0, NodeSource.PATTERN, 0.8)


def _appended(statements: Sequence[Heading], last: _Item, tail: Sequence[Heading]) -> Iterator[Heading]:
    """A heading for statements that are bound in after the last Item without an index of their own."""
    after = [heading for heading in statements if heading.position > last.position]
    if len(after) < _MIN_APPENDED:
        return
    before = [heading for heading in tail if heading.position <= after[0].position]
    if not before or not before[-1].title.casefold().startswith("index to"):
        yield Heading("Financial Statements", *after[0].position, 0, NodeSource.PATTERN, 0.7)


def _exhibit_title(page: Page, printed: Sequence[int], words: Vocabulary) -> str:
    """The number of an exhibit, and the line below it where that reads as a title."""
    number, *below = (page.lines[index].text for index in printed[:2])
    title = below[0] if below and len(below[0]) <= 100 and any(c.isalpha() for c in below[0]) else ""
    return clean_title(f"{number} {title}", words)
