"""Headings from printed contents pages: entries read, their page labels mapped to pages, each looked up on its page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from thumbindex.document import Box, Document, Link, Page
from thumbindex.indexing.heading import Heading, ascending, in_order
from thumbindex.indexing.levels import LevelKey, nested_levels, stepped
from thumbindex.indexing.lists import CONTENTS_TITLE, IS_NUMBER, line_label
from thumbindex.indexing.material import Material
from thumbindex.indexing.numbering import parse_numbering, roman_value
from thumbindex.indexing.titles import Vocabulary, clean_title, find_title, line_at, title_key
from thumbindex.tree import NodeSource

__all__ = ["contents_headings"]

_Places = Mapping[str, Sequence[tuple[int, int]]]

_PLAIN = re.compile(r"(?:table of )?contents|outline|agenda", re.IGNORECASE)
_PART = re.compile(r"part\s+[IVX]+\b", re.IGNORECASE)
_COLUMN_NAME = re.compile(r"(?:beginning\s*)?page(?:s|\s*(?:no\.?|numbers?|#))?|no\.?", re.IGNORECASE)
_LIST_ITEM = re.compile(r"(?P<word>figure|table|exhibit|chart|box)s?\s+[\dA-Z]", re.IGNORECASE)

# Confidence of a place: title found there or not, through a link or through the printed number.
_LINKED, _LINKED_BLIND, _PRINTED, _PRINTED_BLIND = 0.95, 0.8, 0.9, 0.5
# Lines that are no title, in a list of contents without page numbers, before it is taken to have ended.
_MAX_MISSED = 3
_VERIFIED = {_LINKED, _PRINTED}
# A title that wraps over lines without page numbers fills its first line.
_MIN_WRAPPED = 40
_MIN_ENTRIES, _MIN_PLAIN_ENTRIES = 3, 4

# Indents that differ by less are one: a quarter of the usual step.
_INDENT_STEP_PT = 4.0
_SIZE_STEP_PT = 1.0


@dataclass(frozen=True, slots=True)
class _Entry:
    """A line of a contents page (or several, where a title wraps) as printed."""

    title: str
    label: str
    page: int
    line: int
    box: Box
    bold: bool
    link: Link | None

    def cleaned(self, words: Vocabulary) -> _Entry:
        """The entry with its title as it should be shown."""
        return replace(self, title=clean_title(self.title, words))


def contents_headings(material: Material) -> list[list[Heading]]:
    """One outline per run of contents pages, largest first; a run whose titles are not where it says is dropped."""
    places = _places_of_lines(material.document)
    outlines = []
    for block in _runs(material.contents):
        entries = [e for number in block for e in _entries(material.document.page(number), material)]
        headings = _resolved(_without_lists(entries), material, places, frozenset(block))
        verified = sum(heading.confidence in _VERIFIED for heading in headings)
        if len(headings) >= _MIN_ENTRIES and verified >= 0.5 * len(headings):
            outlines.append(headings)
    pages = (page for page in material.document.pages if page.number not in material.lists)
    outlines += [found for page in pages if (found := _plain_list(page, places))]
    return sorted(outlines, key=len, reverse=True)


def _runs(numbers: Sequence[int]) -> Iterator[list[int]]:
    run: list[int] = []
    for number in numbers:
        if run and number != run[-1] + 1:
            yield run
            run = []
        run.append(number)
    if run:
        yield run


def _entries(page: Page, material: Material) -> Iterator[_Entry]:
    """The entries of a contents page; lines without a page number begin the entry below that goes on from them."""
    begun: _Entry | None = None
    for index, line in enumerate(page.lines):
        if line.repeated or CONTENTS_TITLE.fullmatch(line.text.strip(" :.")) or _COLUMN_NAME.fullmatch(line.text):
            continue
        label = line_label(line.text)
        title = line.text[: label.start()] if label else line.text
        link = material.targets.get((page.number, index))
        entry = _Entry(title, label["label"] if label else "", page.number, index, line.box, line.bold, link)
        if begun and _goes_on(begun, entry):
            entry = replace(
                entry, title=f"{begun.title} {title}", line=begun.line, box=begun.box, link=link or begun.link
            )
        elif begun:
            yield begun.cleaned(material.words)
        begun = entry
        if entry.label:
            yield entry.cleaned(material.words)
            begun = None
    if begun:
        yield begun.cleaned(material.words)


def _goes_on(first: _Entry, second: _Entry) -> bool:
    """Whether the second line continues the title of the first: close below, set alike, with no number of its own."""
    near = 0 <= second.box.y0 - first.box.y1 < 1.8 * first.box.height_pt
    alike = first.bold == second.bold and second.box.x0 > first.box.x0 - 3
    if IS_NUMBER.fullmatch(first.title) and not _PART.match(first.title):
        return parse_numbering(second.title) is None
    wrapped = first.box.x1 > 0.7 * second.box.x1 and (bool(second.label) or len(first.title) >= _MIN_WRAPPED)
    one_target = not (first.link and second.link) or _target(first.link) == _target(second.link)
    unnumbered = parse_numbering(second.title) is None and not _PART.match(first.title)
    return near and alike and wrapped and one_target and unnumbered


def _target(link: Link) -> tuple[int, float | None]:
    return link.target_page, link.target_y_pt


def _level_keys(entries: Sequence[_Entry]) -> list[LevelKey]:
    """How far in each entry is set; where all are flush, how large and heavy.

    Weight is second: rows of leader dots make a bold entry look light.
    """
    indents = stepped([entry.box.x0 for entry in entries], _INDENT_STEP_PT)
    steps = {indent for indent, entry in zip(indents, entries, strict=True) if not _PART.match(entry.title)}
    if len(steps) > 1:
        return [LevelKey((indent,), entry.title) for indent, entry in zip(indents, entries, strict=True)]
    sizes = stepped([-entry.box.height_pt for entry in entries], _SIZE_STEP_PT)
    return [LevelKey((size, not entry.bold), entry.title) for size, entry in zip(sizes, entries, strict=True)]


def _without_lists(entries: Sequence[_Entry]) -> list[_Entry]:
    """The entries without lists of figures, tables, and the like: of those whose entries have others set below them."""
    listed = [_list_word(entry.title) for entry in entries]
    opened = {
        word
        for (word, entry), (below, following) in pairwise(zip(listed, entries, strict=True))
        if word and not below and following.box.x0 - entry.box.x0 > _INDENT_STEP_PT
    }
    kept = [entry for word, entry in zip(listed, entries, strict=True) if not word or word in opened]
    return [entry for entry in kept if len(title_key(entry.title)) >= 3]


def _list_word(title: str) -> str:
    found = _LIST_ITEM.match(title)
    return found["word"].casefold() if found else ""


def _resolved(entries: Sequence[_Entry], material: Material, places: _Places, block: frozenset[int]) -> list[Heading]:
    """The entries as headings where they lead; those that lead nowhere go, and those that break the order."""
    levels = nested_levels(_level_keys(entries))
    pages = _Pages(material.document, _offsets(entries, places, block), _pages_of_labels(material.document), block)
    placed = _below_predecessors([_placed(entry, level, pages) for entry, level in zip(entries, levels, strict=True)])
    led = [index for index, heading in enumerate(placed) if heading]
    kept = ascending([heading.position for index in led if (heading := placed[index])])
    known = {led[index]: heading for index in kept if (heading := placed[led[index]])}
    return in_order(_with_groups(entries, levels, known, places, block))


@dataclass(frozen=True)
class _Pages:
    """What it takes to go from a printed page number to a page that is no contents page."""

    document: Document
    offsets: Mapping[bool, int]
    of_label: Mapping[str, list[int]]
    block: frozenset[int]

    def __contains__(self, number: int) -> bool:
        return 1 <= number <= len(self.document.pages) and number not in self.block

    def named(self, label: str) -> list[int]:
        """The pages that may carry this label, the likeliest first."""
        roman = _is_roman(label)
        shifted = [_value(label) + self.offsets[roman]] if _value(label) and roman in self.offsets else []
        return [number for number in dict.fromkeys([*shifted, *self.of_label.get(label.lower(), [])]) if number in self]


def _placed(entry: _Entry, level: int, pages: _Pages) -> Heading | None:
    """Where the entry leads: through its link, else through its label, the title looked for there and next to it."""
    if entry.link:
        return _linked(entry, entry.link, level, pages)
    named = pages.named(entry.label) if entry.label else []
    found_at = [
        (found.likeness - 0.1 * abs(shift), number + shift, found.line)
        for number in named
        for shift in (0, 1, -1, 2, -2)
        if number + shift in pages and (found := find_title(entry.title, pages.document.page(number + shift)))
    ]
    if found_at:
        _, number, line = max(found_at, key=lambda place: place[0])
        return Heading(entry.title, number, line, level, NodeSource.CONTENTS, _PRINTED)
    return Heading(entry.title, named[0], 0, level, NodeSource.CONTENTS, _PRINTED_BLIND) if named else None


def _linked(entry: _Entry, link: Link, level: int, pages: _Pages) -> Heading | None:
    if link.target_page not in pages:
        return None
    page = pages.document.page(link.target_page)
    found = find_title(entry.title, page, link.target_y_pt)
    if found:
        return Heading(entry.title, page.number, found.line, level, NodeSource.LINK, _LINKED)
    return Heading(entry.title, page.number, line_at(page, link.target_y_pt), level, NodeSource.LINK, _LINKED_BLIND)


def _below_predecessors(placed: Sequence[Heading | None]) -> list[Heading | None]:
    """Entries whose line is not known set below the entry before them on the same page."""
    moved: list[Heading | None] = []
    last: Heading | None = None
    for heading in placed:
        blind = heading is not None and heading.confidence == _PRINTED_BLIND
        if heading and last and blind and last.page == heading.page:
            moved.append(replace(heading, line=last.line + 1))
        else:
            moved.append(heading)
        last = moved[-1] or last
    return moved


def _places_of_lines(document: Document) -> _Places:
    """Where each text stands as a line of its own, running headers aside."""
    places: dict[str, list[tuple[int, int]]] = {}
    for page in document.pages:
        for index, line in enumerate(page.lines):
            if not line.repeated and len(line.text) <= 120 and (key := title_key(line.text)):
                places.setdefault(key, []).append((page.number, index))
    return places


def _pages_of_labels(document: Document) -> dict[str, list[int]]:
    pages_of: dict[str, list[int]] = {}
    for page in document.pages:
        pages_of.setdefault(page.label.lower(), []).append(page.number)
    return pages_of


def _offsets(entries: Sequence[_Entry], places: _Places, block: frozenset[int]) -> dict[bool, int]:
    """PDF page minus printed page, for roman (True) and arabic numbers, as most titles found as lines have it."""
    votes = Counter(
        (_is_roman(entry.label), page - _value(entry.label))
        for entry in entries
        if _value(entry.label)
        for page in {page for page, _ in places.get(title_key(entry.title), []) if page not in block}
    )
    return {roman: offset for (roman, offset), count in reversed(votes.most_common()) if count >= 2}


def _is_roman(label: str) -> bool:
    return roman_value(label) > 0


def _value(label: str) -> int:
    """The number a label stands for; 0 where it has letters of another kind."""
    return int(label) if label.isdigit() else roman_value(label)


def _with_groups(
    entries: Sequence[_Entry],
    levels: Sequence[int],
    known: Mapping[int, Heading],
    places: _Places,
    block: frozenset[int],
) -> list[Heading]:
    """The known headings (by entry) and, between them, titles of groups and of unknown labels that stand there."""
    found: list[Heading] = []
    for index, (entry, level) in enumerate(zip(entries, levels, strict=True)):
        grouping = bool(_PART.match(entry.title)) or level < max(levels[index + 1 : index + 2], default=0)
        if index in known:
            found.append(known[index])
        elif not entry.link and (grouping or entry.label):
            start = max(found[-1].position if found else (0, -1), (max(block), 10**6))
            limit = next((known[later].position for later in range(index, len(entries)) if later in known), None)
            place = _between(places.get(title_key(entry.title), []), start, limit)
            if place:
                found.append(Heading(entry.title, *place, level, NodeSource.CONTENTS, _PRINTED))
    return found


def _between(
    places: Sequence[tuple[int, int]], start: tuple[int, int], limit: tuple[int, int] | None
) -> tuple[int, int] | None:
    """The place nearest before `limit`, or the first after `start` where there is no limit."""
    inside = [place for place in places if place > start and (limit is None or place <= limit)]
    return (inside[-1] if limit else inside[0]) if inside else None


def _plain_list(page: Page, places: _Places) -> list[Heading]:
    """The headings that a list of contents without page numbers on this page names, each found as a line after it."""
    titles = (i for i, line in enumerate(page.lines) if not line.repeated and _PLAIN.fullmatch(line.text.strip(" :.")))
    first = next(titles, None)
    found: list[Heading] = []
    lefts: list[float] = []
    missed = 0
    for index in range(first + 1, len(page.lines)) if first is not None else ():
        here = (page.number, index)
        if missed > _MAX_MISSED or (found and found[0].position <= here):
            break
        line = page.lines[index]
        start = max(found[-1].position, here) if found else here
        place = next((place for place in places.get(title_key(line.text), []) if place > start), None)
        missed = 0 if place else missed + 1
        if place:
            found.append(Heading(clean_title(line.text), *place, 0, NodeSource.CONTENTS, _PRINTED))
            lefts.append(line.box.x0)
    if len(found) < _MIN_PLAIN_ENTRIES:
        return []
    indents = stepped(lefts, _INDENT_STEP_PT)
    levels = nested_levels([LevelKey((indent,), heading.title) for indent, heading in zip(indents, found, strict=True)])
    return [heading.at_level(level) for heading, level in zip(found, levels, strict=True)]
