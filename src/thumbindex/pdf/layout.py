"""Words to lines in reading order. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

from thumbindex.document import Box, Line
from thumbindex.pdf.cleaning import clean_text
from thumbindex.pdf.columns import regions
from thumbindex.pdf.runs import WIDE_GAP, Run, is_leftward, join_words
from thumbindex.pdf.words import Word

__all__ = ["lay_out"]


def lay_out(words: Sequence[Word]) -> tuple[Line, ...]:
    """The lines of a page in reading order; text set sideways is read as after turning the page."""
    by_turn: dict[int, list[Word]] = defaultdict(list)
    for word in words:
        by_turn[word.style.turn].append(word)
    upright = _lines(by_turn.pop(0, []))
    sideways = [_turned_lines(turned, turn) for turn, turned in by_turn.items()]
    return _in_order(upright, sideways)


def _in_order(upright: list[Line], sideways: list[list[Line]]) -> tuple[Line, ...]:
    """Blocks of sideways text follow the upright lines above them; small ones (stamps, axis labels) come last."""
    for block in sorted(sideways, key=len):
        top = min((line.box.y0 for line in block), default=0.0)
        if len(block) > len(upright):
            place = sum(line.box.y1 <= top for line in upright)
            upright = upright[:place] + block + upright[place:]
        else:
            upright = upright + block
    return tuple(upright)


def _turned_lines(words: Iterable[Word], turn: int) -> list[Line]:
    level = _lines([Word(word.text, *_turn(word[1:5], -turn), word.style) for word in words])
    return [replace(line, box=Box._make(round(edge, 2) for edge in _turn(line.box, turn))) for line in level]


def _turn(box: Sequence[float], degrees: int) -> tuple[float, float, float, float]:
    """The box turned clockwise about the origin by the nearest quarter turn."""
    x0, y0, x1, y1 = box
    quarter = round(degrees / 90) % 4
    if quarter == 1:
        return -y1, x0, -y0, x1
    if quarter == 2:
        return -x1, -y1, -x0, -y0
    if quarter == 3:
        return y0, -x1, y1, -x0
    return x0, y0, x1, y1


def _lines(words: Sequence[Word]) -> list[Line]:
    lines = [_line(row) for region in regions(join_words(words)) for row in _rows(region)] if words else []
    return [line for line in lines if line.text]


def _rows(runs: Iterable[Run]) -> list[list[Run]]:
    """The runs of a region in rows from top to bottom, each from left to right."""
    rows: list[list[Run]] = []
    bottom = -1e9
    for run in sorted(runs, key=lambda run: run.y0 + run.y1):
        row = None if run.y0 >= bottom else next((row for row in rows[:-4:-1] if _on_row(run, row)), None)
        if row is None:
            rows.append([run])
        else:
            row.append(run)
        bottom = max(bottom, run.y1)
    return [_across(row) if len(row) > 1 else row for row in rows]


def _on_row(run: Run, row: Sequence[Run]) -> bool:
    """Whether the run stands beside those of the row, level with the tallest."""
    height, top, bottom = max([(other.y1 - other.y0, other.y0, other.y1) for other in row])
    if min(run.y1, bottom) - max(run.y0, top) < 0.55 * min(run.y1 - run.y0, height):
        return False
    margin = 1.0 + 0.2 * (run.x1 - run.x0)
    return all(min(run.x1, other.x1) - max(run.x0, other.x0) < margin for other in row)


def _across(row: list[Run]) -> list[Run]:
    """The runs in the direction of reading, from the right where most of the words are of such a script."""
    row.sort(key=lambda run: run.x0)
    if not all(word.text.isascii() for run in row for word in run.words):
        leftward = sum([is_leftward(word.text) * 2 - 1 for run in row for word in run.words])
        return row[::-1] if leftward > 0 else row
    return row


def _line(row: Sequence[Run]) -> Line:
    words = [word for run in row for word in run.words] if len(row) > 1 else row[0].words
    size, bold = _style(words)
    x0, y0, x1, y1 = row[0][:4]
    for run in row[1:]:
        x0, y0, x1, y1 = min(x0, run.x0), min(y0, run.y0), max(x1, run.x1), max(y1, run.y1)
    text = clean_text(" ".join([word[0] for word in words]))
    return Line(text, Box(round(x0, 2), round(y0, 2), round(x1, 2), round(y1, 2)), size, bold, False, _cells(row, size))


def _style(words: Sequence[Word]) -> tuple[float, bool]:
    """Font size of most characters, and whether most are bold."""
    style = words[0].style
    if all(word[5] is style for word in words):
        return style.size_pt, style.bold
    sizes: dict[float, int] = {}
    bold = 0
    for text, *_, style in words:
        sizes[style.size_pt] = sizes.get(style.size_pt, 0) + len(text)
        bold += len(text) if style.bold else -len(text)
    return max(sizes, key=sizes.__getitem__), bold > 0


def _cells(row: Sequence[Run], size_pt: float) -> int:
    if len(row) == 1:
        return 1
    return 1 + sum(right.x0 - left.x1 > WIDE_GAP * size_pt for left, right in pairwise(row))
