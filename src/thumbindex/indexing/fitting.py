"""The outline brought to sizes that can be searched: no menu too long, no leaf of too many pages."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from thumbindex.document import Page
from thumbindex.indexing.heading import Heading
from thumbindex.indexing.material import Material
from thumbindex.indexing.outline import Outline, Position
from thumbindex.indexing.titles import clean_title
from thumbindex.tree import NodeSource

__all__ = ["grouped", "split"]


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
            kept += [heading] if heading else []
            row = []
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


def split(outline: Outline, material: Material, max_pages: int) -> list[Heading]:
    """The outline with page windows, titled by their first line, where more than `max_pages` pages have no heading."""
    windows = _Windows(material, max_pages)
    if not outline:
        return windows.over((1, -1), len(material.document.pages), 0)
    parts: list[Heading] = []
    for index, heading in enumerate(outline):
        parts.append(heading)
        following = outline[index + 1] if index + 1 < len(outline) else None
        last = following.page - (following.line == 0) if following else len(material.document.pages)
        if last - heading.page + 1 > max_pages:
            parts += windows.over(heading.position, last, heading.level + 1)
    return parts


@dataclass(frozen=True)
class _Windows:
    """Page windows in the places where there are no headings."""

    material: Material
    max_pages: int

    def over(self, start: Position, last: int, level: int) -> list[Heading]:
        """Windows from the heading at `start` to page `last`, about as many as each has pages: two choices find one."""
        pages = last - start[0] + 1
        size = min(self.max_pages, max(2, round(math.sqrt(pages))))
        count = math.ceil(pages / size)
        bounds = [start[0] + pages * number // count for number in range(count + 1)]
        windows: list[Heading] = []
        for page, following in pairwise(bounds):
            line = max(0, start[1]) if page == start[0] else 0
            title = _first_words(self.material.document.page(page), start[1] + 1 if page == start[0] else 0)
            named = clean_title(title, self.material.words)
            if not named or any(window.title == named for window in windows):
                named = f"{named} ({_pages_named(page, following - 1)})" if named else _pages_named(page, following - 1)
            windows.append(Heading(named[:1].upper() + named[1:], page, line, level, NodeSource.PAGES, 0.3))
        return windows


def _pages_named(first: int, last: int) -> str:
    return f"page {first}" if first == last else f"pages {first}–{last}"


def _first_words(page: Page, start: int) -> str:
    """The first line that begins a sentence or title; else the first with words; rows of tables and headers aside."""
    worded = [
        line.text
        for line in page.lines[start:]
        if line.cells <= 2 and not line.repeated and sum(map(str.isalpha, line.text)) > max(2, 0.6 * len(line.text))
    ]
    begun = (
        text
        for order, text in enumerate(worded)
        if len(text) >= 12 and text[0].isupper() and (order == 0 or worded[order - 1][-1] in '.:!?)”"')
    )
    return _short(next(begun, worded[0] if worded else ""), 90)
