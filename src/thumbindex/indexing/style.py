"""How the body of a document is set, and what stands out from it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from thumbindex.document import Document, Line, Page
from thumbindex.indexing.numbering import parse_numbering

__all__ = ["Body", "body_of", "body_on", "is_capitals", "same_setting", "wrapped_lines"]

# Words that no title ends with.
_HANGS = re.compile(r"\b(?:of|and|or|the|a|an|in|on|for|to|with|by|from|at|as)$|[,&–—-]$", re.IGNORECASE)

# Lines narrower than so many times their size hold a word or two: they are stacked, not wrapped.
_MIN_WRAPPED_WIDTH = 9
# A line of prose has more characters than this; a page of prose more than so many of them, most set alike.
_PROSE_CHARACTERS, _MIN_PROSE, _MOST = 40, 800, 0.6
# Type this much larger than the body is larger on purpose; less comes from scaling.
_LARGER = 1.08


@dataclass(frozen=True, slots=True)
class Body:
    """The size and weight of most of the prose."""

    size_pt: float
    bold: bool

    def yields_to(self, line: Line) -> bool:
        """Whether the line stands out: larger, heavier, or in capitals."""
        return self.is_larger(line) or self.is_heavier(line) or is_capitals(line.text)

    def is_larger(self, line: Line) -> bool:
        """Whether the line is set in larger type."""
        return line.font_size_pt >= _LARGER * self.size_pt

    def is_heavier(self, line: Line) -> bool:
        """Whether the line is bold where the body is not, and hardly smaller."""
        return line.bold and not self.bold and line.font_size_pt > 0.8 * self.size_pt


def body_of(document: Document) -> Body:
    """The setting in which most characters of prose stand (long lines of one cell; all lines where there are none)."""
    characters: Counter[tuple[float, bool]] = Counter()
    for least in (_PROSE_CHARACTERS, 1):
        for page in document.pages:
            for line in page.lines:
                if line.cells == 1 and len(line.text) >= least and not line.repeated:
                    characters[round(line.font_size_pt * 2) / 2, line.bold] += len(line.text)
        if characters:
            break
    if not characters:
        return Body(10.0, False)
    size, bold = characters.most_common(1)[0][0]
    return Body(size, bold)


def body_on(page: Page, body: Body) -> Body:
    """How the prose of one page is set, where that is larger or heavier than the document's; else the document's."""
    characters: Counter[tuple[float, bool]] = Counter()
    for line in page.lines:
        if line.cells == 1 and len(line.text) >= _PROSE_CHARACTERS and not line.repeated:
            characters[round(line.font_size_pt * 2) / 2, line.bold] += len(line.text)
    if not characters or characters.total() < _MIN_PROSE:
        return body
    (size, bold), count = characters.most_common(1)[0]
    larger = size >= _LARGER * body.size_pt or (bold and not body.bold)
    return Body(size, bold) if larger and count >= _MOST * characters.total() else body


@lru_cache(maxsize=100_000)
def is_capitals(text: str) -> bool:
    """Whether at least four letters stand there and hardly any is small."""
    if text[1:4].islower():
        return False
    letters = "".join(filter(str.isalpha, text))
    return len(letters) >= 4 and sum(map(str.isupper, letters)) >= 0.85 * len(letters)


def same_setting(first: Line, second: Line) -> bool:
    """Whether two lines are set alike."""
    return first.bold == second.bold and abs(first.font_size_pt - second.font_size_pt) <= 0.04 * first.font_size_pt


def wrapped_lines(lines: Sequence[Line], index: int, max_lines: int = 4) -> int:
    """How many lines the title beginning at `index` takes: those set alike close below while it had no room."""
    count = 1
    while count < max_lines and index + count < len(lines):
        last, following = lines[index + count - 1], lines[index + count]
        gap = (following.box.y0 - last.box.y1) / max(last.font_size_pt, 1)
        if following.cells > 1 or following.repeated or not same_setting(last, following) or not -0.5 < gap < 0.9:
            break
        if is_capitals(last.text) != is_capitals(following.text) or parse_numbering(following.text):
            break
        if not (_HANGS.search(last.text) or _is_full(lines, index + count - 1, following)):
            break
        count += 1
    return count


def _is_full(lines: Sequence[Line], index: int, following: Line) -> bool:
    """Whether the next line's first word would not have fitted on this one, judged by the lines around it.

    Centred lines are wrapped where it pleases the eye: for them half the room is enough.
    """
    line = lines[index]
    around = [
        other
        for other in lines[max(0, index - 15) : index + 16]
        if other.cells == 1 and other.box.x0 < line.box.x1 and other.box.x1 > line.box.x0
    ]
    if not around:
        return False
    left, right = min(other.box.x0 for other in around), max(other.box.x1 for other in around)
    off_centre = abs(line.box.x0 + line.box.x1 - following.box.x0 - following.box.x1) / 2
    if off_centre < 3 < abs(line.box.x0 - following.box.x0):
        return line.box.width_pt > 0.5 * (right - left) and following.box.width_pt < 1.2 * line.box.width_pt
    if line.box.width_pt < _MIN_WRAPPED_WIDTH * line.font_size_pt:
        return False
    first_word = following.text.split(" ", 1)[0]
    word_pt = following.box.width_pt * (len(first_word) + 1) / max(len(following.text), 1)
    return line.box.x1 + 1.2 * word_pt > right - 1
