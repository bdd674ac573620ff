"""Headings from printed contents pages: entries read, their page labels mapped to pages, each looked up on its page."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from thumbindex.document import Box, Document, Link, Page
from thumbindex.indexing.bookmarks import line_at
from thumbindex.indexing.heading import Heading, ascending, in_order
from thumbindex.indexing.levels import LevelKey, nested_levels, stepped
from thumbindex.indexing.links import LineTargets
from thumbindex.indexing.numbering import parse_numbering, roman_value
from thumbindex.indexing.titles import Vocabulary, clean_title, find_title, title_key
from thumbindex.tree import NodeSource

__all__ = ["contents_headings", "contents_pages", "line_label"]

_LABEL = re.compile(
    r"(?P<leaders>[\s.·•…_]+)"
    r"(?P<label>\d{1,4}|[ivxlc]{1,6}|[A-Z]{1,2}-\d{1,3})(?:\s?[-–—]\s?(?:\d{1,4}|[A-Z]{1,2}-\d{1,3}))?$"
)
_CONTENTS = re.compile(r"(?:table of )?contents(?: page)?|in this report|index|outline|agenda", re.IGNORECASE)
_PLAIN_CONTENTS = re.compile(r"(?:table of )?contents|outline|agenda", re.IGNORECASE)
_PART = re.compile(r"part\s+[IVX]+\b", re.IGNORECASE)
_COLUMN_NAME = re.compile(r"(?:beginning\s*)?page(?:s|\s*(?:no\.?|numbers?|#))?|no\.?", re.IGNORECASE)
_LIST_ITEM = re.compile(r"(?:figure|table|exhibit|chart|box)s?\s+[\dA-Z]", re.IGNORECASE)

# Confidence of a place: title found there or not, through a link or through the printed number.
_LINKED, _LINKED_BLIND, _PRINTED, _PRINTED_BLIND = 0.95, 0.8, 0.9, 0.5
_VERIFIED = {_LINKED, _PRINTED}
_LIKE = 0.4

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


def contents_headings(document: Document, targets: LineTargets, words: Vocabulary) -> list[list[Heading]]:
    """One outline per run of contents pages, the largest first; runs whose titles are not where they say are dropped."""
    places = _places_of_lines(document)
    listed = contents_pages(document, targets)
    outlines = []
    for block in _runs(listed):
        entries = [entry for number in block for entry in _entries(document.page(number), targets, words)]
        headings = _resolved(_without_lists(entries), document, places, set(block))
        verified = sum(heading.confidence in _VERIFIED for heading in headings)
        if len(headings) >= 3 and verified >= 0.5 * len(headings):
            outlines.append(headings)
    outlines += [found for page in document.pages if page.number not in listed and (found := _plain_list(page, places))]
    return sorted(outlines, key=len, reverse=True)


def contents_pages(document: Document, targets: LineTargets) -> list[int]:
    """The numbers of the pages that are a list of titles with page numbers, or with links."""
    return [page.number for page in document.pages if _is_contents(page, targets)]


def _is_contents(page: Page, targets: LineTargets) -> bool:
    lines = [(index, line) for index, line in enumerate(page.lines) if not line.repeated]
    entries = [(line, label) for _, line in lines if (label := line_label(line.text))]
    linked = [targets[page.number, index].target_page for index, _ in lines if (page.number, index) in targets]
    if len(linked) >= 5 and len(linked) >= 0.4 * len(lines) and _ascending(linked):
        return True
    if len(entries) < 3:
        return False
    spaced = sum(line.cells > 1 or len(label["leaders"].strip()) > 2 for line, label in entries)
    labels = [_ordinal(label["label"]) for _, label in entries]
    if spaced < 0.6 * len(entries) or not _ascending(labels):
        return False
    named = any(_CONTENTS.fullmatch(line.text.strip(" :.")) for _, line in lines[:8])
    return named or (len(entries) >= 5 and len(entries) >= 0.45 * len(lines))


def line_label(text: str) -> re.Match[str] | None:
    """The page label that the line ends with, where a title stands before it."""
    if text[-1:].isdigit() or text[-1:] in "ivxlc":
        label = _LABEL.search(text)
        if label and any(c.isalpha() for c in text[: label.start()]):
            return label
    return None


def _ascending(values: Sequence[int]) -> bool:
    """Whether the values hardly ever fall, and do rise."""
    falls = sum(left > right for left, right in pairwise(values))
    return falls <= 0.15 * len(values) and len(set(values)) >= 3


def _ordinal(label: str) -> int:
    """A number that orders labels as they follow each other: roman, arabic, lettered ("F-3")."""
    if label.isdigit():
        return int(label)
    if label[-1].isdigit():
        return 10_000 + int(label.rpartition("-")[2])
    return roman_value(label) - 1_000


def _runs(numbers: Sequence[int]) -> Iterator[list[int]]:
    run: list[int] = []
    for number in numbers:
        if run and number != run[-1] + 1:
            yield run
            run = []
        run.append(number)
    if run:
        yield run


def _entries(page: Page, targets: LineTargets, words: Vocabulary) -> Iterator[_Entry]:
    """The entries of a contents page; lines without a page number begin the entry below that goes on from them."""
    begun: _Entry | None = None
    for index, line in enumerate(page.lines):
        if line.repeated or _CONTENTS.fullmatch(line.text.strip(" :.")) or _COLUMN_NAME.fullmatch(line.text):
            continue
        label = line_label(line.text)
        title = line.text[: label.start()] if label else line.text
        link = targets.get((page.number, index))
        entry = _Entry(title, label["label"] if label else "", page.number, index, line.box, line.bold, link)
        if begun and _goes_on(begun, entry):
            entry = replace(entry, title=f"{begun.title} {title}", line=begun.line, box=begun.box, link=link or begun.link)
        elif begun:
            yield begun.cleaned(words)
        begun = entry
        if entry.label:
            yield entry.cleaned(words)
            begun = None
    if begun:
        yield begun.cleaned(words)


def _goes_on(first: _Entry, second: _Entry) -> bool:
    """Whether the second line continues the title of the first: set close below it, alike, with no number of its own."""
    near = 0 <= second.box.y0 - first.box.y1 < 1.8 * first.box.height_pt
    alike = first.bold == second.bold and second.box.x0 > first.box.x0 - 3
    wrapped = first.box.x1 > (0.7 if second.label else 1.0) * second.box.x1
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
    return [entry for entry in entries if not _LIST_ITEM.match(entry.title) and len(title_key(entry.title)) >= 3]


def _resolved(
    entries: Sequence[_Entry], document: Document, places: Mapping[str, list[tuple[int, int]]], block: set[int]
) -> list[Heading]:
    """The entries as headings where they lead; those that lead nowhere go, and those that break the order."""
    levels = nested_levels(_level_keys(entries))
    pages = _Pages(document, _offset(entries, places, block), _pages_of_labels(document), frozenset(block))
    placed = [_placed(entry, level, pages) for entry, level in zip(entries, levels, strict=True)]
    placed = _below_predecessors(placed)
    led = [index for index, heading in enumerate(placed) if heading]
    kept = ascending([heading.position for index in led if (heading := placed[index])])
    known = {led[index]: heading for index in kept if (heading := placed[led[index]])}
    return in_order(_with_unnumbered(entries, levels, known, places, block))


@dataclass(frozen=True)
class _Pages:
    """What it takes to go from a printed page number to a page that is no contents page."""

    document: Document
    offset: int | None
    of_label: Mapping[str, list[int]]
    block: frozenset[int]

    def __contains__(self, number: int) -> bool:
        return 1 <= number <= len(self.document.pages) and number not in self.block

    def named(self, label: str) -> list[int]:
        """The pages that may carry this label, the likeliest first."""
        shifted = [int(label) + self.offset] if label.isdigit() and self.offset is not None else []
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
        if number + shift in pages
        and (found := find_title(entry.title, pages.document.page(number + shift)))
        and found.likeness >= _LIKE
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
    if found and found.likeness >= _LIKE:
        return Heading(entry.title, page.number, found.line, level, NodeSource.LINK, _LINKED)
    return Heading(entry.title, page.number, line_at(page, link.target_y_pt), level, NodeSource.LINK, _LINKED_BLIND)


def _below_predecessors(placed: Sequence[Heading | None]) -> list[Heading | None]:
    """Entries whose line is not known set below the entry before them on the same page."""
    moved: list[Heading | None] = []
    last: Heading | None = None
    for heading in placed:
        if heading and last and heading.confidence == _PRINTED_BLIND and last.page == heading.page:
            heading = replace(heading, line=last.line + 1)
        moved.append(heading)
        last = heading or last
    return moved


def _places_of_lines(document: Document) -> dict[str, list[tuple[int, int]]]:
    """Where each text stands as a line of its own, running headers aside."""
    places: dict[str, list[tuple[int, int]]] = {}
    for page in document.pages:
        for index, line in enumerate(page.lines):
            if not line.repeated and len(line.text) <= 120:
                places.setdefault(title_key(line.text), []).append((page.number, index))
    return places


def _pages_of_labels(document: Document) -> dict[str, list[int]]:
    pages_of: dict[str, list[int]] = {}
    for page in document.pages:
        pages_of.setdefault(page.label.lower(), []).append(page.number)
    return pages_of


def _offset(entries: Sequence[_Entry], places: Mapping[str, list[tuple[int, int]]], block: set[int]) -> int | None:
    """PDF page minus printed page, as most titles that are found as lines have it."""
    votes = Counter(
        page - int(entry.label)
        for entry in entries
        if entry.label.isdigit()
        for page in {page for page, _ in places.get(title_key(entry.title), []) if page not in block}
    )
    if not votes:
        return None
    offset, count = votes.most_common(1)[0]
    return offset if count >= 2 else None


def _with_unnumbered(
    entries: Sequence[_Entry],
    levels: Sequence[int],
    known: Mapping[int, Heading],
    places: Mapping[str, list[tuple[int, int]]],
    block: set[int],
) -> list[Heading]:
    """The known headings (by entry) and, between them, the entries without a page number that stand there as a line."""
    found: list[Heading] = []
    for index, (entry, level) in enumerate(zip(entries, levels, strict=True)):
        if index in known:
            found.append(known[index])
        elif not entry.label and not entry.link and (_PART.match(entry.title) or level < max(levels[index + 1 : index + 2], default=0)):
            limit = next((known[later].position for later in range(index, len(entries)) if later in known), None)
            place = _between(places.get(title_key(entry.title), []), found[-1].position if found else (0, -1), limit, block)
            if place:
                found.append(Heading(entry.title, *place, level, NodeSource.CONTENTS, _PRINTED))
    return found


def _between(
    places: Sequence[tuple[int, int]], start: tuple[int, int], limit: tuple[int, int] | None, block: set[int]
) -> tuple[int, int] | None:
    """The place nearest before `limit`, or the first after `start` where there is no limit."""
    inside = [p for p in places if p > start and (limit is None or p <= limit) and p[0] > max(block)]
    return (inside[-1] if limit else inside[0]) if inside else None


def _plain_list(page: Page, places: Mapping[str, list[tuple[int, int]]]) -> list[Heading]:
    """The headings that a list of contents without page numbers on this page names, each found as a line after it."""
    named = [i for i, line in enumerate(page.lines) if not line.repeated and _PLAIN_CONTENTS.fullmatch(line.text.strip(" :."))]
    if not named:
        return []
    found: list[Heading] = []
    lefts: list[float] = []
    missed = 0
    for index in range(named[0] + 1, len(page.lines)):
        line, last = page.lines[index], found[-1].position if found else (page.number, index)
        if found and found[0].position <= (page.number, index) or missed > 3:
            break
        place = next((p for p in places.get(title_key(line.text), []) if p > max(last, (page.number, index))), None)
        missed = 0 if place else missed + 1
        if place:
            found.append(Heading(clean_title(line.text), *place, 0, NodeSource.CONTENTS, _PRINTED))
            lefts.append(line.box.x0)
    if len(found) < 4:
        return []
    indents = stepped(lefts, _INDENT_STEP_PT)
    levels = nested_levels([LevelKey((indent,), heading.title) for indent, heading in zip(indents, found, strict=True)])
    return [heading.at_level(level) for heading, level in zip(found, levels, strict=True)]
