"""Words to runs: neighbours on one line with no more than a space between them. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from statistics import median
from typing import NamedTuple

from thumbindex.pdf.words import Word

__all__ = ["WIDE_GAP", "Run", "is_leftward", "join_words"]

# A wider gap, in font sizes, parts table cells and columns. Justified prose seldom stretches a space to half of this.
WIDE_GAP = 0.95
# Of a wide gap: what rounding leaves between the letters of a word.
_NO_GAP = 0.03
_NO_GAP_BETWEEN_LETTERS = 0.15
# They belong to the word they follow, if nothing is between.
_MARKS = frozenset(".,;:%)")
# Fewer capitals in a row may well be what they seem ("classes A B C").
_FEWEST_LETTERS = 4
_RIGHT_TO_LEFT = re.compile(r"[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")


class Run(NamedTuple):
    """Words on one line with ordinary spaces between them, in reading order.

    Attributes:
        x0, y0, x1, y1: Where it stands.
        order: Its place among the runs of the page as the file draws them.
        words: At least one.
    """

    x0: float
    y0: float
    x1: float
    y1: float
    order: int
    words: Sequence[Word]


def join_words(words: Sequence[Word]) -> list[Run]:
    """The words as runs, each drawn once: bold faked by drawing a text twice is undone."""
    no_gap, is_part = (_NO_GAP_BETWEEN_LETTERS, _is_letters) if _are_letters(words) else (_NO_GAP, _is_mark)
    groups: list[list[Word]] = []
    last_text, last_x0, last_y0, last_x1, last_y1 = "", 0.0, 0.0, 0.0, -1e9
    for word in words:
        text, x0, y0, x1, y1, style = word
        gap, widest = x0 - last_x1, WIDE_GAP * style[0]
        if (y1 == last_y1 or _level(y0, y1, last_y0, last_y1)) and (
            (-0.4 * widest <= gap <= widest and x0 > last_x0) or _follows_leftward(word, groups[-1][-1])
        ):
            if -no_gap * widest < gap < no_gap * widest and is_part(word, groups[-1][-1]):
                groups[-1][-1] = _together(groups[-1][-1], word)
            else:
                groups[-1].append(word)
        elif text == last_text and abs(x0 - last_x0) + abs(y0 - last_y0) < 0.3 * widest:
            continue
        else:
            groups.append([word])
        last_text, last_x0, last_y0, last_x1, last_y1 = text, x0, y0, x1, y1
    return _distinct(groups)


def _are_letters(words: Sequence[Word]) -> bool:
    """Whether the words are single letters for the most part: on some pages PDFium takes each letter for a line."""
    return sum([len(word[0]) == 1 for word in words]) > max(20, 0.4 * len(words))


def _is_letters(word: Word, last: Word) -> bool:
    return (len(word.text) <= 2 or len(last.text) <= 2) and word.style.size_pt == last.style.size_pt


def _is_mark(word: Word, _: Word) -> bool:
    return word.text in _MARKS


def _together(left: Word, right: Word) -> Word:
    return Word(left.text + right.text, left.x0, min(left.y0, right.y0), right.x1, max(left.y1, right.y1), left.style)


def _level(y0: float, y1: float, last_y0: float, last_y1: float) -> bool:
    """Whether the higher of two words overlaps the lower by half of the smaller one's height."""
    return min(y1, last_y1) - max(y0, last_y0) >= 0.5 * min(y1 - y0, last_y1 - last_y0)


def _follows_leftward(word: Word, last: Word) -> bool:
    widest = WIDE_GAP * word.style.size_pt
    if not -0.4 * widest <= last.x0 - word.x1 <= widest:
        return False
    return is_leftward(word.text) or is_leftward(last.text)


def is_leftward(text: str) -> bool:
    """Whether the text has letters of a script read from right to left."""
    return not text.isascii() and bool(_RIGHT_TO_LEFT.search(text))


def _distinct(groups: Iterable[Sequence[Word]]) -> list[Run]:
    """The groups as runs, without those that say the same at the same place as an earlier one."""
    seen: set[tuple[str, int, int]] = set()
    runs: list[Run] = []
    for group in groups:
        text = "".join([word[0] for word in group])
        words = group if len(text) > 2 * len(group) else _without_letter_spacing(group)
        x0, y0, x1, y1 = _bounds(words)
        # Two grids, so that a copy drawn a fraction of a point away shares a cell of one of them.
        near = (text, round(x0 / 4), round(y0 / 4))
        shifted = (text, int(x0 / 4), int(y0 / 4))
        if (near not in seen and shifted not in seen) or len(text) < 2:
            runs.append(Run(x0, y0, x1, y1, len(runs), words))
        seen.add(near)
        seen.add(shifted)
    return runs


def _bounds(words: Sequence[Word]) -> tuple[float, float, float, float]:
    if len(words) == 1:
        return words[0][1:5]
    _, lefts, tops, rights, bottoms, _ = zip(*words, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)


def _without_letter_spacing(words: Sequence[Word]) -> Sequence[Word]:
    """The words, letters set wide ("F O R M") joined: the gap between two such words is wider than within them."""
    if sum(map(_is_letter, words)) < max(_FEWEST_LETTERS, 0.6 * len(words)):
        return words
    gaps = [right.x0 - left.x1 for left, right in pairwise(words)]
    widest = 1.5 * median(gaps)
    joined = [words[0]]
    for gap, before, word in zip(gaps, words, words[1:], strict=False):
        if gap <= widest and _is_letter(before) and _is_letter(word):
            joined[-1] = _together(joined[-1], word)
        else:
            joined.append(word)
    return joined


def _is_letter(word: Word) -> bool:
    """Whether it is a capital, perhaps with a stop."""
    text = word[0]
    return text[0].isupper() and (len(text) == 1 or (len(text) == 2 and text[1] in ":.,;"))
