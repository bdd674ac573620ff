"""The outline without what is no section: titles of the whole, scraps, wrappers; and with what stands before it."""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from dataclasses import replace

from thumbindex.document import Page
from thumbindex.indexing.heading import STRONG, Heading
from thumbindex.indexing.material import Material
from thumbindex.indexing.numbering import parse_numbering
from thumbindex.indexing.outline import Outline, Position, children_of, end_of, extents, levelled, text_measure
from thumbindex.tree import NodeSource

__all__ = [
    "at_page_tops",
    "with_front_matter",
    "without_scraps",
    "without_single_root",
    "without_wrappers",
]

# A weak heading (weight or capitals only) needs this much text under it; a section with less than this needs no parts.
_MIN_WEAK_CHARACTERS, _MIN_DIVIDED_CHARACTERS = 350, 4_500
# Below this, a heading by type stands over nothing: a line of a title, a label.
_MIN_CHARACTERS = 60
# A company's name and a line more may stand above the title of a statement.
_MAX_NAMES, _MAX_NAME_CHARACTERS = 3, 80
# Text before the first heading that belongs to it: a title, authors, an address.
_MAX_TITLE_CHARACTERS = 500


def without_single_root(outline: Outline) -> list[Heading]:
    """The outline with what is under a title of the whole brought up beside it; the title stays over its opening."""
    roots = [index for index, heading in enumerate(outline) if heading.level == 0]
    if roots != [0] or len(outline) < 3:
        return list(outline)
    return [outline[0], *(heading.at_level(heading.level - 1) for heading in outline[1:])]


def with_front_matter(outline: Outline, material: Material, title: str) -> list[Heading]:
    """The outline with what stands before its first heading as a section of its own, or as part of the first if short.

    `title` is the document's; it names an opening that goes on over pages.
    """
    if not outline or (outline[0].position == (1, 0) and outline[0].level == 0):
        return list(outline)
    first, document = outline[0], material.document
    if first.level == 0 and first.page == 1 and _is_title_block(document.page(1), first):
        return [replace(first, line=0), *outline[1:]]
    end = next((heading for heading in outline if heading.level == 0), None)
    last = len(document.pages) if end is None else end.page - (end.line <= _first_printed(document.page(end.page)))
    if last > 1 and any(number <= last for number in material.contents):
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


def without_scraps(outline: Outline, material: Material) -> list[Heading]:
    """The outline without headings by type over hardly any text, and without weak ones that divide what is short."""
    measure = text_measure(material.document)
    given = _has_given_levels(outline)
    parents = _parents(outline)
    sizes = [_size(outline, index, end, measure) for index, end in enumerate(extents(outline))]
    kept: list[Heading] = []
    for index, heading in enumerate(outline):
        parent = parents[index]
        around = sizes[parent] if parent is not None else math.inf
        if heading.source is not NodeSource.HEADING:
            stays = not _is_empty_group(outline, index, sizes[index])
        else:
            stays = material.deck or _carries(heading, sizes[index], around, given and heading.level <= 1)
        if stays:
            kept.append(heading)
    return levelled(kept)


def _has_given_levels(outline: Outline) -> bool:
    """Whether the author's own contents page or bookmarks tell two levels apart, so that weak headings lie deeper."""
    given = {NodeSource.BOOKMARK, NodeSource.LINK, NodeSource.CONTENTS}
    return {0, 1} <= {heading.level for heading in outline if heading.source in given}


def _is_empty_group(outline: Outline, index: int, size: int) -> bool:
    """Whether a title from a contents page has nothing under it but the sibling that follows on its page."""
    heading = outline[index]
    following = outline[index + 1] if index + 1 < len(outline) else None
    crowded = following is not None and following.level == heading.level and following.page == heading.page
    listed = heading.source in {NodeSource.LINK, NodeSource.CONTENTS}
    return listed and crowded and not parse_numbering(heading.title) and size < len(heading.title) + 20


def _carries(heading: Heading, size: int, around: float, beside_given: bool) -> bool:
    """Whether a heading told by its type has enough text under it, in a section large enough to divide."""
    text = size - len(heading.title)
    if heading.confidence >= STRONG:
        return text >= _MIN_CHARACTERS
    factor = 3 if beside_given else 1
    return text >= factor * _MIN_WEAK_CHARACTERS and around >= factor * _MIN_DIVIDED_CHARACTERS


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


def at_page_tops(outline: Outline, material: Material) -> list[Heading]:
    """The outline with headings that have but a name or two set as titles above them moved to the top of their page."""
    taken = {heading.position for heading in outline}
    return [
        replace(heading, line=0) if heading.line and _has_names_above(heading, material, taken) else heading
        for heading in outline
    ]


def _has_names_above(heading: Heading, material: Material, taken: Collection[Position]) -> bool:
    lines = material.document.page(heading.page).lines[: heading.line]
    above = [line for line in lines if not line.repeated]
    named = all(
        material.body.yields_to(line) and len(line.text) <= _MAX_NAME_CHARACTERS and line.text[-1:] not in ".;,"
        for line in above
    )
    free = not any((heading.page, index) in taken for index in range(heading.line))
    return named and free and len(above) <= _MAX_NAMES


def without_wrappers(outline: Outline) -> list[Heading]:
    """The outline without sections that hold just one that begins on their page: the more telling title stays."""
    kept = list(outline)
    index = 0
    while index < len(kept):
        end = end_of(kept, index)
        inside = children_of(kept, index, end)
        if len(inside) != 1 or kept[inside[0]].page != kept[index].page:
            index += 1
            continue
        child = inside[0]
        outer, inner = kept[index], kept[child]
        stays = inner if outer.source is NodeSource.PAGES or inner.confidence > outer.confidence + 0.3 else outer
        if _is_label(outer.title):
            stays = replace(inner, title=f"{outer.title}. {inner.title}")
        lifted = [heading.at_level(heading.level - 1) for heading in kept[child + 1 : end]]
        kept[index:end] = [replace(stays, page=outer.page, line=outer.line, level=outer.level), *lifted]
    return kept


def _is_label(title: str) -> bool:
    numbering = parse_numbering(title)
    return numbering is not None and not any(c.isalpha() for c in numbering.rest)
