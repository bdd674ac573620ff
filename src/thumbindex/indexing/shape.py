"""The outline brought to a shape that can be searched: no scraps, no menu too long, no leaf too large."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import replace

from thumbindex.document import Document, Page
from thumbindex.indexing.heading import Heading
from thumbindex.indexing.headings import STRONG
from thumbindex.indexing.numbering import parse_numbering
from thumbindex.indexing.outline import Outline, Position, children_of, extents, levelled, text_measure
from thumbindex.indexing.titles import Vocabulary, clean_title
from thumbindex.tree import NodeSource

__all__ = ["grouped", "split", "with_front_matter", "without_scraps", "without_single_root", "without_wrappers"]

# A weak heading (weight or capitals only) needs this much text under it; a section with less than this needs no parts.
_MIN_WEAK_CHARACTERS, _MIN_DIVIDED_CHARACTERS = 350, 4_500
# Below this, a heading by type stands over nothing: a line of a title, a label.
_MIN_CHARACTERS = 60
# Pages of slides hold less; there the line at the top of a page is its title, however little follows.
_DECK_CHARACTERS = 700
# Text before the first heading that belongs to it: a title, authors, an address.
_MAX_TITLE_CHARACTERS = 500


def without_single_root(outline: Outline) -> list[Heading]:
    """The outline without a title of the whole over all of it: what is under it comes up, the title stays over its opening."""
    roots = [index for index, heading in enumerate(outline) if heading.level == 0]
    if roots != [0] or len(outline) < 3:
        return list(outline)
    return [outline[0], *(heading.at_level(heading.level - 1) for heading in outline[1:])]


def with_front_matter(outline: Outline, document: Document, contents: Collection[int], title: str) -> list[Heading]:
    """The outline with what stands before its first heading: a section of its own, or, where it is short, part of the first.

    Args:
        contents: Contents pages.
        title: Of the document, which names an opening that goes on over pages.
    """
    if not outline or (outline[0].position == (1, 0) and outline[0].level == 0):
        return list(outline)
    first = outline[0]
    belongs = first.page == 1 and _is_title_block(document.page(1), first)
    if belongs and first.level == 0:
        return [replace(first, line=0), *outline[1:]]
    end = next((heading for heading in outline if heading.level == 0), None)
    last = len(document.pages) if end is None else end.page - (end.line <= _first_printed(document.page(end.page)))
    if last > 1 and any(number <= last for number in contents):
        name = "Front matter"
    else:
        name = "Cover page" if last == 1 and end and end.page > 1 else title or "Front matter"
    return [Heading(name, 1, 0, 0, NodeSource.PAGES, 0.5), *outline]


def _is_title_block(page: Page, first: Heading) -> bool:
    """Whether what stands above the first heading is but a title: few words, or what an abstract has above it."""
    above = [line.text for line in page.lines[: first.line] if not line.repeated]
    return first.title.casefold() == "abstract" or sum(map(len, above)) <= _MAX_TITLE_CHARACTERS


def _first_printed(page: Page) -> int:
    return next((index for index, line in enumerate(page.lines) if not line.repeated), 0)


def _printed_lines(page: Page, before: int) -> int:
    return sum(not line.repeated for line in page.lines[:before])


def without_scraps(outline: Outline, document: Document) -> list[Heading]:
    """The outline without headings by type alone over hardly any text, and without weak ones that divide what is short."""
    measure = text_measure(document)
    deck = measure((1, 0), None) < _DECK_CHARACTERS * len(document.pages)
    ends, parents = extents(outline), _parents(outline)
    sizes = [_size(outline, index, end, measure) for index, end in enumerate(ends)]
    kept: list[Heading] = []
    for index, heading in enumerate(outline):
        parent = parents[index]
        around = sizes[parent] if parent is not None else math.inf
        slide = deck and _printed_lines(document.page(heading.page), heading.line) == 0
        if heading.source is not NodeSource.HEADING or slide or _carries(heading, sizes[index], around):
            kept.append(heading)
    return levelled(kept)


def _carries(heading: Heading, size: int, around: float) -> bool:
    """Whether a heading told by its type has enough text under it, in a section large enough to divide."""
    text = size - len(heading.title)
    if heading.confidence >= STRONG:
        return text >= _MIN_CHARACTERS
    return text >= _MIN_WEAK_CHARACTERS and around >= _MIN_DIVIDED_CHARACTERS


def _size(outline: Outline, index: int, end: int, measure: Callable[[Position, Position | None], int]) -> int:
    return measure(outline[index].position, outline[end].position if end < len(outline) else None)


def _parents(outline: Outline) -> list[int | None]:
    parents: list[int | None] = []
    stack: list[int] = []
    for index, heading in enumerate(outline):
        while stack and outline[stack[-1]].level >= heading.level:
            stack.pop()
        parents.append(stack[-1] if stack else None)
        stack.append(index)
    return parents


def without_wrappers(outline: Outline) -> list[Heading]:
    """The outline without sections that hold just one that begins on their page: the more telling title stays."""
    kept = list(outline)
    index = 0
    while index < len(kept):
        end = extents(kept)[index]
        inside = children_of(kept, index, end)
        if len(inside) != 1 or kept[inside[0]].page != kept[index].page:
            index += 1
            continue
        child = inside[0]
        outer, inner = kept[index], kept[child]
        stays = inner if inner.confidence > outer.confidence + 0.3 else outer
        if _is_label(outer.title):
            stays = replace(inner, title=f"{outer.title}. {inner.title}")
        lifted = [heading.at_level(heading.level - 1) for heading in kept[child + 1 : end]]
        kept[index:end] = [replace(stays, page=outer.page, line=outer.line, level=outer.level), *lifted]
    return kept


def _is_label(title: str) -> bool:
    numbering = parse_numbering(title)
    return numbering is not None and not any(c.isalpha() for c in numbering.rest)


def grouped(outline: Outline, max_menu: int) -> list[Heading]:
    """The outline with long rows of siblings gathered, in order, under headings that name their first and last."""
    kept = list(outline)
    level = 0
    while any(heading.level >= level for heading in kept):
        kept = _grouped_at(kept, level, max_menu)
        level += 1
    return kept


def _grouped_at(outline: Outline, level: int, max_menu: int) -> list[Heading]:
    kept: list[Heading] = []
    row: list[list[Heading]] = []
    for heading in [*outline, None]:
        if heading is None or heading.level < level:
            kept += _gathered(row, level, max_menu)
            row = []
            if heading is not None:
                kept.append(heading)
        elif heading.level == level:
            row.append([heading])
        else:
            row[-1].append(heading)
    return kept


def _gathered(row: Sequence[list[Heading]], level: int, max_menu: int) -> Iterator[Heading]:
    """A row of siblings, each with what is below it; in groups alike in number where they are too many for a menu."""
    if len(row) <= max_menu:
        yield from (heading for sibling in row for heading in sibling)
        return
    groups = min(max_menu, math.ceil(math.sqrt(len(row))))
    for number in range(groups):
        group = row[len(row) * number // groups : len(row) * (number + 1) // groups]
        first, last = group[0][0], group[-1][0]
        title = first.title if len(group) == 1 else f"{_short(first.title)} – {_short(last.title)}"
        if len(group) > 1:
            yield Heading(title, first.page, first.line, level, NodeSource.PAGES, 0.5)
        for heading in (heading for sibling in group for heading in sibling):
            yield heading.at_level(heading.level + (len(group) > 1))


def _short(title: str, max_characters: int = 60) -> str:
    return title if len(title) <= max_characters else title[:max_characters].rsplit(" ", 1)[0] + "…"


def split(outline: Outline, document: Document, max_pages: int, words: Vocabulary) -> list[Heading]:
    """The outline with page windows, titled by their first line, where more than `max_pages` pages have no heading."""
    count = len(document.pages)
    if not outline:
        return _windows(document, (1, 0), count, 0, max_pages, words)
    parts: list[Heading] = []
    for index, heading in enumerate(outline):
        parts.append(heading)
        following = outline[index + 1] if index + 1 < len(outline) else None
        last = following.page - (following.line == 0) if following else count
        if last - heading.page + 1 > max_pages:
            parts += _windows(document, heading.position, last, heading.level + 1, max_pages, words)
    return parts


def _windows(
    document: Document, start: Position, last: int, level: int, max_pages: int, words: Vocabulary
) -> list[Heading]:
    """Windows alike in length from `start` to page `last`: about as many as each has pages, so that two choices find one."""
    pages = last - start[0] + 1
    size = min(max_pages, max(2, round(math.sqrt(pages))))
    count = math.ceil(pages / size)
    firsts = [start[0] + pages * number // count for number in range(count)]
    windows: list[Heading] = []
    for number, page in enumerate(firsts):
        line = start[1] if number == 0 else 0
        end = firsts[number + 1] - 1 if number + 1 < count else last
        title = _first_words(document.page(page), line, words)
        if not title or any(window.title == title for window in windows):
            pages_named = f"page {page}" if end == page else f"pages {page}–{end}"
            title = f"{title} ({pages_named})" if title else pages_named.capitalize()
        windows.append(Heading(title, page, line, level, NodeSource.PAGES, 0.3))
    return windows


def _first_words(page: Page, start: int, words: Vocabulary) -> str:
    """The first line that says something: words, no row of a table, no header."""
    for least in (12, 3):
        for line in page.lines[start:]:
            letters = sum(c.isalpha() for c in line.text)
            if letters >= least and letters > 0.6 * len(line.text) and line.cells <= 2 and not line.repeated:
                return _short(clean_title(line.text, words), 90)
    return ""
