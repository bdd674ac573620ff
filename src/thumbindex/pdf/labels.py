"""The printed number of each page: from the file's own page labels, else from what headers and footers print. Pure."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from thumbindex.document import Page
from thumbindex.pdf.edges import EdgeLine, pattern

__all__ = ["PrintedNumber", "printed_numbers", "with_labels"]

_NUMBER = r"(?P<number>(?P<prefix>[A-Z]{1,2}-)?\d{1,4}|[ivxlc]{1,7}|[IVXLC]{1,7})"
# A line of nothing but a page number and its usual company.
_ALONE = re.compile(
    rf"(?:(?i:page|pg\.?|p\.)\s*)?[-–—|\[(]?\s*{_NUMBER}\s*[-–—|\])]?(?:\s*(?:of|/)\s*\d{{1,4}})?",
)
_AMONG_WORDS = re.compile(rf"(?<![^\s|]){_NUMBER}(?![^\s|])")
_VALID_ROMAN = re.compile(r"(xc|xl|l?x{0,3})(ix|iv|v?i{0,3})", re.IGNORECASE)
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}

_WINDOW = 6
# Two neighbours must agree: three numbers in a row that rise with the pages are seldom chance.
_MIN_SUPPORT = 2
# A number with other words beside it must come with the same words on so many pages, or any contents page would do.
_MIN_PAGES = 3
_MAX_LENGTH = 200


class PrintedNumber(NamedTuple):
    """What a header or footer prints as the number of its page."""

    label: str
    series: str
    value: int
    edge: EdgeLine
    alone: bool


def printed_numbers(edges: Sequence[Sequence[EdgeLine]]) -> dict[int, PrintedNumber]:
    """By index into `edges` (the edge lines of each page): the number printed there, where neighbours confirm it."""
    pages_with = Counter(pattern for lines in edges for pattern in {edge.pattern for edge in lines})
    candidates = [list(_candidates(lines, pages_with)) for lines in edges]
    places: dict[tuple[str, int], list[int]] = defaultdict(list)
    for position, found in enumerate(candidates):
        for series, value in {(number.series, number.value) for number in found}:
            places[series, value].append(position)
    chosen = {}
    for position, found in enumerate(candidates):
        rated = [(_support(number, position, places), number.alone, -number.edge.rank, number) for number in found]
        best = max(rated, key=lambda entry: entry[:3], default=None)
        if best and best[0] >= _MIN_SUPPORT:
            chosen[position] = best[3]
    return chosen


def with_labels(pages: Sequence[Page], printed: Mapping[int, PrintedNumber]) -> tuple[Page, ...]:
    """The pages labelled: as the file says, unless it says nothing or most printed numbers say otherwise."""
    inferred = _fill(printed, len(pages))
    own = [page.label for page in pages]
    trivial = all(label in ("", str(page.number)) for label, page in zip(own, pages, strict=True))
    denied = sum(own[position] != label for position, label in inferred.items()) > 0.5 * len(pages)
    if trivial or denied:
        return tuple(
            replace(page, label=inferred.get(position, str(page.number))) for position, page in enumerate(pages)
        )
    return tuple(replace(page, label=page.label or str(page.number)) for page in pages)


def _candidates(lines: Sequence[EdgeLine], pages_with: Mapping[str, int]) -> Iterator[PrintedNumber]:
    for edge in lines:
        text = edge.line.text
        if alone := _ALONE.fullmatch(text):
            matches = [alone]
        elif len(text) < _MAX_LENGTH:
            matches = [
                match
                for match in _AMONG_WORDS.finditer(text)
                if pages_with.get(pattern(f"{text[: match.start()]}0{text[match.end() :]}"), 0) >= _MIN_PAGES
            ]
        else:
            continue
        for match in matches:
            number = _printed(match, edge, alone is not None)
            if number:
                yield number


def _printed(match: re.Match[str], edge: EdgeLine, alone: bool) -> PrintedNumber | None:
    text, prefix = match["number"], match["prefix"] or ""
    digits = text[len(prefix) :]
    if digits.isdigit():
        if not alone and not prefix and 1900 <= int(digits) < 2100:
            return None  # a year
        return PrintedNumber(text, prefix.upper(), int(digits), edge, alone)
    if _VALID_ROMAN.fullmatch(digits):
        return PrintedNumber(text, "roman", _roman(digits), edge, alone)
    return None


def _roman(text: str) -> int:
    values = [_ROMAN_VALUES[letter] for letter in text.lower()]
    return sum(-value if value < after else value for value, after in zip(values, [*values[1:], 0], strict=True))


def _support(number: PrintedNumber, position: int, places: Mapping[tuple[str, int], Sequence[int]]) -> int:
    """How many of the numbers just before and after stand on pages before and after, not too far away."""
    support = 0
    for step in (-3, -2, -1, 1, 2, 3):
        for other in places.get((number.series, number.value + step), ()):
            distance = (other - position) * (1 if step > 0 else -1)
            if abs(step) <= distance <= 2 * abs(step) + 1:
                support += 1
                break
    return support


def _fill(printed: Mapping[int, PrintedNumber], count: int) -> dict[int, str]:
    """The labels by position, with those of unnumbered pages between numbered ones.

    Where no number is missing between two numbered pages, the pages between them belong to the printed page that ends
    on the later one.
    """
    labels = {position: number.label for position, number in printed.items()}
    known = sorted(printed)
    for before, after in pairwise(known):
        left, right = printed[before], printed[after]
        missing = right.value - left.value - 1
        if left.series != right.series or not 0 < after - before <= _WINDOW or missing < 0:
            continue
        for position in range(before + 1, after):
            if missing == after - before - 1 and left.label.isdigit():
                labels[position] = str(left.value + position - before)
            elif missing == 0:
                labels[position] = right.label
    return {position: label for position, label in labels.items() if position < count}
