"""Runs to regions that are each read line by line: columns of prose come apart, tables stay whole. Pure.

A region is cut along a gutter, a vertical strip that hardly any run crosses. A strip between the columns of a table
looks the same, so three things decide for each stretch of it that no run crosses: whether both sides hold prose,
whether the file draws one side after the other or goes to and fro, and whether the lines of the sides stand level.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import accumulate, groupby
from typing import NamedTuple

from thumbindex.pdf.runs import Run

__all__ = ["regions"]

_BIN_PT = 3.0
_MAX_DEPTH = 5
_MIN_ROWS = 3
_MIN_PEAK = 2
_MIN_BINS = 2
# A narrower strip of text beside other text holds its bullets or footnote marks.
_MIN_SHARE = 0.1


class _Gutter(NamedTuple):
    x0: float
    x1: float


class _Side(NamedTuple):
    """One side of a gutter: what decides whether it is a column.

    Attributes:
        bottoms: Where its rows stand.
        starts: Where its rows begin.
        texts: Rows with at least three words.
        numbers: Rows without a word.
        words: In all rows, numbers too.
    """

    bottoms: list[float]
    starts: list[float]
    texts: int
    numbers: int
    words: int

    @property
    def is_prose(self) -> bool:
        """Whether its rows hold as many words as lines of prose do."""
        return self.words >= 5 * len(self.bottoms)

    @property
    def is_numeric(self) -> bool:
        """Whether many of its rows hold nothing but numbers."""
        return self.numbers > 0.4 * len(self.bottoms)

    @property
    def is_ranged_left(self) -> bool:
        """Whether most of its rows begin at the same place."""
        return max(Counter(round(x / 2) for x in self.starts).values()) > 0.5 * len(self.starts)


def regions(runs: Sequence[Run]) -> list[list[Run]]:
    """The runs of a page in regions, in reading order; inside a region, lines go from top to bottom."""
    return _split(sorted(runs, key=lambda run: run.y0), 0)


def _split(runs: list[Run], depth: int) -> list[list[Run]]:
    if depth == _MAX_DEPTH or not _stands_beside(runs):
        return [runs]
    for gutter in _gutters(runs):
        parts = _cut_along(gutter, runs)
        if len(parts) > 1:
            return [region for part in parts for region in _split(part, depth + 1)]
    blocks = _blocks(runs)
    return [region for block in blocks for region in _split(block, depth + 2)] if len(blocks) > 1 else [runs]


def _stands_beside(runs: Sequence[Run]) -> bool:
    """Whether enough runs for two columns stand beside other runs."""
    beside, bottom = 0, -1e9
    for _, y0, _, y1, *_ in runs:
        beside += y0 < bottom - 0.4 * (y1 - y0)
        bottom = max(bottom, y1)
    return beside >= 2


def _gutters(runs: Sequence[Run]) -> list[_Gutter]:
    """Up to four strips that few runs cross, the one with most text on its emptier side first."""
    left = min(run.x0 for run in runs)
    width = max(run.x1 for run in runs) - left
    bins = int(width / _BIN_PT) + 2
    steps = [0] * (bins + 1)
    for run in runs:
        if run.x1 - run.x0 < 0.6 * width:
            steps[int((run.x0 - left) / _BIN_PT)] += 1
            steps[int((run.x1 - left) / _BIN_PT) + 1] -= 1
    cover = list(accumulate(steps))[:bins]
    peaks_left, peaks_right = list(accumulate(cover, max)), list(accumulate(reversed(cover), max))[::-1]
    peaks = list(map(min, peaks_left, peaks_right))
    low = [count <= 0.15 * peak and peak >= _MIN_PEAK for count, peak in zip(cover, peaks, strict=True)]
    found = []
    for is_low, group in groupby(range(bins), key=low.__getitem__):
        if is_low:
            strip = _emptiest(list(group), cover)
            if len(strip) >= _MIN_BINS:
                weight = min(peaks_left[strip[0]], peaks_right[strip[-1]])
                gutter = _Gutter(left + strip[0] * _BIN_PT, left + (strip[-1] + 1) * _BIN_PT)
                found.append((weight, len(strip), gutter))
    return [gutter for _, _, gutter in sorted(found, reverse=True)[:4]]


def _emptiest(strip: list[int], cover: Sequence[int]) -> list[int]:
    """The longest stretch of the strip that the fewest runs cover, if that is wide enough; else the strip."""
    fewest = min(cover[index] for index in strip)
    stretches = [list(group) for covered, group in groupby(strip, key=cover.__getitem__) if covered == fewest]
    longest = max(stretches, key=len)
    return longest if len(longest) >= _MIN_BINS else strip


def _cut_along(gutter: _Gutter, runs: list[Run]) -> list[list[Run]]:
    """The runs in bands from top to bottom: left and right column where there are columns, the rest whole."""
    parts: list[list[Run]] = []
    whole: list[Run] = []
    twice_middle = gutter.x0 + gutter.x1
    for crossed, band in _bands(gutter, runs):
        left = [run for run in band if run.x0 + run.x1 < twice_middle]
        right = [run for run in band if run.x0 + run.x1 >= twice_middle]
        if not crossed and _are_columns(left, right):
            parts += [whole] * bool(whole) + [left, right]
            whole = []
        else:
            whole = whole + band
    return parts + [whole] * bool(whole)


def _bands(gutter: _Gutter, runs: Sequence[Run]) -> list[tuple[bool, list[Run]]]:
    """From top to bottom in turn: (True, runs in the gutter and beside those), (False, runs that leave it free)."""
    rows = _crossed_rows(gutter, runs)
    tops = [top for top, _ in rows]

    def is_crossed(run: Run) -> bool:
        middle = (run.y0 + run.y1) / 2
        row = bisect_right(tops, middle) - 1
        return row >= 0 and middle <= rows[row][1]

    return [(crossed, list(band)) for crossed, band in groupby(runs, key=is_crossed)]


def _crossed_rows(gutter: _Gutter, runs: Iterable[Run]) -> list[tuple[float, float]]:
    """From where to where runs cross the gutter, joined where they overlap."""
    rows: list[tuple[float, float]] = []
    middle = (gutter.x0 + gutter.x1) / 2
    for x0, y0, x1, y1, *_ in runs:
        if x0 < middle < x1 or (gutter.x0 <= x0 and x1 <= gutter.x1):
            if rows and y0 <= rows[-1][1]:
                rows[-1] = (rows[-1][0], max(rows[-1][1], y1))
            else:
                rows.append((y0, y1))
    return rows


def _are_columns(left: list[Run], right: list[Run]) -> bool:
    """Whether the two sides of a gutter are to be read one after the other."""
    if not left or not right or min(_width(left), _width(right)) < _MIN_SHARE * _width([*left, *right]):
        return False
    sides = _side(left), _side(right)
    fewer = min(len(side.bottoms) for side in sides)
    changes = _changes_of_side(left, right)
    if fewer < _MIN_ROWS:
        return changes == 1 and fewer > 1 and all(side.words >= 6 * len(side.bottoms) for side in sides)
    if changes <= 1 + 0.25 * fewer:
        return _are_columns_drawn_in_turn(sides, changes)
    if _level(*sides) < 0.4:
        return all(side.texts >= 0.5 * len(side.bottoms) and not side.is_numeric for side in sides)
    return fewer >= 8 and all(side.is_prose for side in sides) and _filled(left) and _filled(right)


def _are_columns_drawn_in_turn(sides: tuple[_Side, _Side], changes: int) -> bool:
    """Whether two sides of which the file draws one after the other are columns, and not those of a table."""
    prose = any(side.is_prose for side in sides)
    if prose and _level(*sides) < 0.5:
        return True
    # The heads of a table's columns are stacked like text, but no prose, and centred or ranged right.
    if any(side.is_numeric for side in sides) or not (prose or all(side.is_ranged_left for side in sides)):
        return False
    even = changes == 1 and all(side.numbers <= 0.1 * len(side.bottoms) for side in sides)
    return even or all(side.texts >= 0.3 * len(side.bottoms) for side in sides)


def _side(runs: Sequence[Run]) -> _Side:
    bottoms: list[float] = []
    starts: list[float] = []
    letters: list[int] = []
    words: list[int] = []
    bottom = -1e9
    for run in runs:
        if run.y0 < bottom - 0.5 * (run.y1 - run.y0):
            starts[-1] = min(starts[-1], run.x0)
            letters[-1] += _worded(run)
            words[-1] += len(run.words)
        else:
            bottom = run.y1
            bottoms.append(bottom)
            starts.append(run.x0)
            letters.append(_worded(run))
            words.append(len(run.words))
    return _Side(bottoms, starts, sum(count >= 3 for count in letters), letters.count(0), sum(words))


def _worded(run: Run) -> int:
    """How many of its words begin or end with a letter."""
    return sum([word[0][0].isalpha() or word[0][-1].isalpha() for word in run.words])


def _changes_of_side(left: Iterable[Run], right: Iterable[Run]) -> int:
    """How often the file goes from one side to the other."""
    order = sorted([(run.order, 0) for run in left] + [(run.order, 1) for run in right])
    return sum(1 for _ in groupby(side for _, side in order)) - 1


def _level(left: _Side, right: _Side) -> float:
    """The part of the rows of the shorter side that stand level with a row of the other."""
    fewer, more = sorted((left.bottoms, right.bottoms), key=len)
    return sum(any(abs(y - other) < 1.5 for other in more) for y in fewer) / len(fewer)


def _filled(runs: Sequence[Run]) -> bool:
    """Whether most runs reach across the column, as prose does and cells do not."""
    width = _width(runs)
    return sum(run.x1 - run.x0 > 0.8 * width for run in runs) > 0.6 * len(runs)


def _width(runs: Sequence[Run]) -> float:
    return max(run.x1 for run in runs) - min(run.x0 for run in runs)


def _blocks(runs: list[Run]) -> list[list[Run]]:
    """The runs parted by blank strips from side to side that are wider than the space between two lines."""
    blocks = [[runs[0]]]
    bottom = runs[0].y1
    for run in runs[1:]:
        if run.y0 - bottom > 0.6 * (run.y1 - run.y0):
            blocks.append([])
        blocks[-1].append(run)
        bottom = max(bottom, run.y1)
    return blocks
