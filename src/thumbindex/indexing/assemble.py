"""Outlines of several sources merged into one."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from thumbindex.indexing.heading import Heading, agreed
from thumbindex.indexing.headings import is_outermost_name
from thumbindex.indexing.numbering import parse_numbering
from thumbindex.indexing.outline import Outline
from thumbindex.indexing.titles import bare_key, title_key
from thumbindex.tree import NodeSource

__all__ = ["deepest_first", "filled", "grafted", "without_echoes"]

# So many lines apart, two sources may still mean one heading.
_LINES_APART = 3
# Headings on so many first pages before an outline that begins soon after are those of a cover.
_COVER_PAGES, _COVER_SHARE = 3, 0.1


def deepest_first(outlines: Sequence[Outline]) -> list[Outline]:
    """The outlines in the order in which they are trusted with depth: those that tell levels apart before flat ones."""
    return sorted(outlines, key=lambda outline: len({heading.level for heading in outline}) < 2)


def grafted(base: Outline, more: Outline) -> list[Heading]:
    """`base` with the headings that only `more` has, each at the depth that `more` gives it relative to what both have."""
    twins = _twins(base, more)
    levels = _levels_in_base(base, more, twins)
    merged = _with_agreement(base, more, twins)
    numbers = _numbers(base)
    open_levels: list[tuple[int, int]] = []
    for index, heading in enumerate(more):
        while open_levels and open_levels[-1][0] >= heading.level:
            open_levels.pop()
        twin = twins[index]
        if twin is not None:
            level = base[twin].level
        elif (number := _number(heading)) and number[0] and number in numbers:
            continue
        else:
            level = open_levels[-1][1] + 1 if open_levels else levels.get(heading.level, _level_inside(base, heading))
            level = max(level, _level_under_item(base, heading))
            merged.append(heading.at_level(level))
        open_levels.append((heading.level, level))
    return sorted(merged, key=lambda heading: (heading.position, heading.level))


def filled(base: Outline, found: Outline) -> list[Heading]:
    """`base` with lesser headings nested inside its sections; abstract, references and the like stand beside them."""
    if not base:
        return list(found)
    twins = _twins(base, found)
    merged = _with_agreement(base, found, twins)
    positions = [heading.position for heading in base]
    local: list[tuple[int, int]] = []
    at = -1
    start = _where_to_begin(base, found)
    numbers = _numbers(base)
    outermost = _outermost(base, found)
    for index, heading in enumerate(found):
        if heading.position < start or (twins[index] is None and _number(heading) in numbers):
            continue
        while at + 1 < len(base) and positions[at + 1] <= heading.position:
            at += 1
            local = []
        if twins[index] is not None:
            continue
        floor = base[at].level + 1 if at >= 0 else 0
        while local and local[-1][0] >= heading.level:
            local.pop()
        level = local[-1][1] + 1 if local else floor
        if index in outermost:
            level, local = 0, []
        local.append((heading.level, level))
        merged.append(heading.at_level(level))
    return sorted(merged, key=lambda heading: (heading.position, heading.level))


def _numbers(base: Outline) -> set[tuple[str, str, tuple[int, ...]]]:
    """The numbers that the base's own headings carry; another "2." inside it is an item of a list."""
    return {number for heading in base if (number := _number(heading))}


def _number(heading: Heading) -> tuple[str, str, tuple[int, ...]] | None:
    numbering = parse_numbering(heading.title)
    return (numbering.word, numbering.style[0], numbering.values) if numbering else None


def _outermost(base: Outline, found: Outline) -> set[int]:
    """The headings of `found` that name a part of the whole: once in the document, where an outermost section may begin."""
    names = Counter(bare_key(heading.title) for heading in found if is_outermost_name(heading.title))
    return {
        index
        for index, heading in enumerate(found)
        if names[bare_key(heading.title)] == 1
        and next((other.level for other in base if other.position > heading.position), 0) == 0
        and not any(_is_item(other) for other in base)
    }


def _is_item(heading: Heading) -> bool:
    numbering = parse_numbering(heading.title)
    return numbering is not None and numbering.word == "item"


def _where_to_begin(base: Outline, found: Outline) -> tuple[int, int]:
    """From the page on which the known outline begins; what stands on a few pages before is a cover."""
    last = max(heading.page for heading in (*base, *found))
    return (base[0].page, 0) if base[0].page - 1 <= max(_COVER_PAGES, _COVER_SHARE * last) else (1, 0)


def without_echoes(outline: Outline) -> list[Heading]:
    """The outline without headings that repeat the one before them or one they lie under, and one of two at one place."""
    kept: list[Heading] = []
    for heading in outline:
        key = bare_key(heading.title)
        above = _open_sections(kept, heading.level)
        echo = any(bare_key(other.title) == key for other in above)
        same_place = bool(kept) and kept[-1].position == heading.position and kept[-1].level >= heading.level
        if kept and bare_key(kept[-1].title) == key and heading.page - kept[-1].page <= 1:
            echo = True
        if not echo and not same_place:
            kept.append(heading)
    return kept


def _open_sections(kept: Sequence[Heading], level: int) -> Iterator[Heading]:
    for heading in reversed(kept):
        if heading.level < level:
            yield heading
            level = heading.level
        if level == 0:
            return


def _twins(base: Outline, more: Outline) -> list[int | None]:
    """For each heading of `more` the index of the same heading in `base`, each used once."""
    by_page: dict[int, list[int]] = defaultdict(list)
    for index, heading in enumerate(base):
        by_page[heading.page].append(index)
    used: set[int] = set()
    twins: list[int | None] = []
    for heading in more:
        near = [i for page in (0, -1, 1) for i in by_page[heading.page + page] if i not in used]
        twin = next((i for i in near if _same(base[i], heading)), None)
        if twin is not None:
            used.add(twin)
        twins.append(twin)
    return twins


def _same(one: Heading, other: Heading) -> bool:
    """Whether two sources mean the same heading: the same title on or next to the page, or one place with alike titles."""
    keys = bare_key(one.title), bare_key(other.title)
    if keys[0] == keys[1]:
        numbered = title_key(one.title) == title_key(other.title)
        return one.page == other.page or numbered
    if one.page != other.page:
        return False
    shorter, longer = sorted(keys, key=len)
    return len(shorter) >= 4 and longer.startswith(shorter) and abs(one.line - other.line) <= _LINES_APART


def _with_agreement(base: Outline, more: Outline, twins: Sequence[int | None]) -> list[Heading]:
    merged = list(base)
    for heading, twin in zip(more, twins, strict=True):
        if twin is not None:
            merged[twin] = agreed(merged[twin], heading)
    return merged


def _levels_in_base(base: Outline, more: Outline, twins: Sequence[int | None]) -> dict[int, int]:
    """For each level of `more` the level that most of its headings have in `base`."""
    counts: dict[int, Counter[int]] = defaultdict(Counter)
    for heading, twin in zip(more, twins, strict=True):
        if twin is not None:
            counts[heading.level][base[twin].level] += 1
    return {level: counter.most_common(1)[0][0] for level, counter in counts.items()}


def _level_under_item(base: Outline, heading: Heading) -> int:
    """The least level of a heading that stands inside an Item of a filing: below it, for nothing but Items is beside Items."""
    outer = next((o for o in reversed(base) if o.position <= heading.position and o.level <= 1), None)
    own = parse_numbering(heading.title)
    if outer is None or outer.level == 0 or (own and own.word in {"item", "part"}):
        return 0
    return 2 if _is_item(outer) else 0


def _level_inside(base: Outline, heading: Heading) -> int:
    """One below the section of `base` that the heading stands in."""
    before = [other for other in base if other.position <= heading.position]
    return before[-1].level + 1 if before else 0
