"""Outlines of several sources merged into one."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from thumbindex.indexing.heading import STRONG, Heading, agreed
from thumbindex.indexing.numbering import parse_numbering
from thumbindex.indexing.outline import Outline
from thumbindex.indexing.titles import bare_key, title_key
from thumbindex.indexing.wording import names_whole_part

__all__ = ["deepest_first", "filled", "grafted", "without_echoes"]

# So many lines apart, two sources may still mean one heading.
_LINES_APART = 3
_SMALL_WORDS = re.compile(r"\b(?:the|a|an|and|of|to|in|for)\b", re.IGNORECASE)
# Titles that take more than a line are longer than this.
_LONG_TITLE = 50
# Headings on so many first pages before an outline that begins soon after are those of a cover.
_COVER_PAGES = 3


def deepest_first(outlines: Sequence[Outline]) -> list[Outline]:
    """The outlines in the order in which they are trusted with depth: those that tell levels apart before flat ones."""
    return sorted(outlines, key=lambda outline: len({heading.level for heading in outline}) < 2)


def grafted(base: Outline, more: Outline) -> list[Heading]:
    """`base` with what only `more` has, each heading at the depth that `more` gives it relative to what both have."""
    twins = _twins(base, more)
    levels = _levels_in_base(base, more, twins)
    merged = _with_agreement(base, more, twins)
    numbers = _numbers(base)
    above: list[tuple[int, int]] = []
    for index, heading in enumerate(more):
        above = _open_above(above, heading.level)
        twin = twins[index]
        if twin is not None:
            level = base[twin].level
        elif (number := _number(heading)) and number[0] and number in numbers:
            continue
        else:
            level = above[-1][1] + 1 if above else levels.get(heading.level, _level_inside(base, heading))
            level = max(level, _level_under_item(base, heading))
            merged.append(heading.at_level(level))
        above.append((heading.level, level))
    return sorted(merged, key=lambda heading: (heading.position, heading.level))


def filled(base: Outline, found: Outline) -> list[Heading]:
    """`base` with lesser headings nested inside its sections; abstract, references and the like stand beside them."""
    if not base:
        return list(found)
    twins = _twins(base, found)
    numbers, beside = _numbers(base), _whole_parts(base, found)
    merged = _with_agreement(base, found, twins)
    positions = [heading.position for heading in base]
    section = -1
    local: list[tuple[int, int]] = []
    for index, heading in enumerate(found):
        if twins[index] is not None or _number(heading) in numbers or _is_of_cover(heading, base):
            continue
        inside = bisect_right(positions, heading.position) - 1
        local = _open_above(local, heading.level) if inside == section else []
        section = inside
        floor = base[inside].level + 1 if inside >= 0 else 1
        level = 0 if index in beside else local[-1][1] + 1 if local else floor
        local.append((heading.level, level))
        merged.append(heading.at_level(level))
    return sorted(merged, key=lambda heading: (heading.position, heading.level))


def _open_above(stack: Sequence[tuple[int, int]], level: int) -> list[tuple[int, int]]:
    """What of a stack of (level in its source, level in the outline) a heading of `level` lies under."""
    depth = next((i for i, (own, _) in enumerate(stack) if own >= level), len(stack))
    return list(stack[:depth])


def _numbers(base: Outline) -> set[tuple[str, str, tuple[int, ...]]]:
    """The numbers that the base's own headings carry; another "2." inside it is an item of a list."""
    return {number for heading in base if (number := _number(heading))}


def _number(heading: Heading) -> tuple[str, str, tuple[int, ...]] | None:
    numbering = parse_numbering(heading.title)
    return (numbering.word, numbering.kind, numbering.values) if numbering else None


def _whole_parts(base: Outline, found: Outline) -> set[int]:
    """The headings of `found` that name a part of the whole, once, where an outermost section may begin."""
    names = Counter(bare_key(heading.title) for heading in found if names_whole_part(heading.title))
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


def _is_of_cover(heading: Heading, base: Outline) -> bool:
    """Whether a heading stands before the known outline, on a cover or too faint to divide the pages after it."""
    first = base[0].page
    faint = first - 1 <= _COVER_PAGES or heading.page <= 2 or heading.confidence < STRONG
    return heading.page < first and faint


def without_echoes(outline: Outline) -> list[Heading]:
    """The outline without headings that repeat the last one or one they lie under, and with one heading at a place."""
    kept: list[Heading] = []
    for heading in outline:
        last = kept[-1] if kept else None
        key = bare_key(heading.title)
        again = last is not None and bare_key(last.title) == key and heading.page - last.page <= 1
        crowded = last is not None and last.position == heading.position and last.level >= heading.level
        if not again and not crowded and all(bare_key(o.title) != key for o in _open_sections(kept, heading.level)):
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
    """Whether two sources mean one heading: the same title on or next to the page, or alike titles at one place."""
    keys = _loose_key(one.title), _loose_key(other.title)
    if keys[0] == keys[1]:
        numbered = title_key(one.title) == title_key(other.title)
        return one.page == other.page or numbered
    if one.page != other.page:
        return False
    shorter, longer = sorted(keys, key=len)
    return len(shorter) >= 4 and longer.startswith(shorter) and abs(one.line - other.line) <= _LINES_APART


def _loose_key(title: str) -> str:
    """`bare_key` without the small words that two printings of a title differ by."""
    return bare_key(_SMALL_WORDS.sub("", title)) or bare_key(title)


def _with_agreement(base: Outline, more: Outline, twins: Sequence[int | None]) -> list[Heading]:
    merged = list(base)
    for heading, twin in zip(more, twins, strict=True):
        if twin is not None:
            merged[twin] = agreed(_completed(merged[twin], heading), heading)
    return merged


def _completed(kept: Heading, other: Heading) -> Heading:
    """`kept` with the rest of a long title that it lost where the title wraps, if the other source has it."""
    own, longer = bare_key(kept.title), bare_key(other.title)
    numbering, others = parse_numbering(kept.title), parse_numbering(other.title)
    if len(kept.title) < _LONG_TITLE or not longer.startswith(own) or longer == own:
        return kept
    number = kept.title[: -len(numbering.rest)] if numbering and numbering.rest else ""
    return replace(kept, title=number + (others.rest if others else other.title))


def _levels_in_base(base: Outline, more: Outline, twins: Sequence[int | None]) -> dict[int, int]:
    """For each level of `more` the level that most of its headings have in `base`."""
    counts: dict[int, Counter[int]] = defaultdict(Counter)
    for heading, twin in zip(more, twins, strict=True):
        if twin is not None:
            counts[heading.level][base[twin].level] += 1
    return {level: counter.most_common(1)[0][0] for level, counter in counts.items()}


def _level_under_item(base: Outline, heading: Heading) -> int:
    """The least level of a heading that stands inside an Item of a filing: nothing but Items is beside Items."""
    outer = next((o for o in reversed(base) if o.position <= heading.position and o.level <= 1), None)
    own = parse_numbering(heading.title)
    if outer is None or outer.level == 0 or (own and own.word in {"item", "part"}):
        return 0
    return 2 if _is_item(outer) else 0


def _level_inside(base: Outline, heading: Heading) -> int:
    """One below the section of `base` that the heading stands in."""
    before = [other for other in base if other.position <= heading.position]
    return before[-1].level + 1 if before else 0
