"""The passages of a page, sentences and rows of tables, each with the headings and heads of columns it stands under."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from statistics import median

from thumbindex.document import Box, Line, join_split_words

__all__ = ["Passage", "passages_of"]

_SENTENCE_END = re.compile(r"[.!?:;][\"'”’)\]]*$")
_MOST_LINES = 4
_LONGEST_HEADING = 25
_LARGER_PT = 0.6
# Between the heads of the columns and the first row of figures stands at most a caption or two.
_LOOK_AHEAD = 3
_FIGURE = re.compile(r"[-–—(]*[$€£¥]?\d[\d.,]*[%)]*|[–—]")
_YEAR = re.compile(r"(?:19|20)\d{2}")
_DAY_OF_MONTH = re.compile(r"\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.? \d{1,2}\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Passage:
    """Lines that are read as one: a sentence that runs over several, or a row of a table.

    Attributes:
        first: Index of the first on the page.
        text: Their words, those split at a line end joined.
        box: Around them.
        is_row: Whether it is a row of a table.
        stands_out: Whether it is set in bold or larger type.
        under: What it stands under: a heading or caption, and the heads of the columns.
        introduces: Whether it is itself such a heading: it says what comes, not the answer.
    """

    first: int
    text: str
    box: Box
    is_row: bool = False
    stands_out: bool = False
    under: tuple[str, ...] = ()
    introduces: bool = False

    def read_under(self, section: str) -> str:
        """The passage as a model reads it: what it stands under on one line, then its words."""
        over = dict.fromkeys(title for title in (section, *self.under) if title)
        return f"{' - '.join(over)}\n{self.text}" if over else self.text


def passages_of(lines: Sequence[Line]) -> list[Passage]:
    """The lines of a page as passages that may hold an answer.

    Running headers and footers, and what only says what comes, are left out unless there is nothing else.
    """
    body = [(index, line) for index, line in enumerate(lines) if not line.repeated] or list(enumerate(lines))
    usual_pt = median([line.font_size_pt for _, line in body] or [0.0])
    mostly_bold = sum(line.bold for _, line in body) > len(body) / 2
    placed = list(_placed([_joined(group, usual_pt, mostly_bold) for group in _sentences(body)]))
    return [passage for passage in placed if not passage.introduces] or placed


def _placed(passages: Sequence[Passage]) -> Iterator[Passage]:
    """The passages, each with what it stands under on its page."""
    heading, columns, in_heads = "", "", False
    for number, passage in enumerate(passages):
        ahead = passages[number + 1 : number + 1 + _LOOK_AHEAD]
        if passage.is_row and not _has_figures(passage.text) and any(map(_is_data, ahead)):
            columns = f"{columns} {passage.text}" if in_heads else passage.text
            in_heads = True
            yield replace(passage, under=(heading,), introduces=True)
            continue
        in_heads = in_heads and not passage.is_row
        if passage.is_row:
            yield replace(passage, under=(heading, columns))
        elif _is_heading(passage, bool(ahead) and ahead[0].is_row):
            heading = passage.text
            columns = columns if any(map(_is_data, ahead)) else ""
            yield replace(passage, introduces=True)
        else:
            columns = ""
            yield replace(passage, under=(heading,))


def _is_heading(passage: Passage, next_is_row: bool) -> bool:
    if len(passage.text.split()) > _LONGEST_HEADING:
        return False
    if passage.text.endswith(":") or (passage.stands_out and passage.text.endswith("?")):
        return True
    return not _SENTENCE_END.search(passage.text) and (passage.stands_out or next_is_row)


def _is_data(passage: Passage) -> bool:
    return passage.is_row and _has_figures(passage.text)


def _has_figures(text: str) -> bool:
    """Whether a row has a number that is no year, or a dash for one: heads of columns have none."""
    return any(_FIGURE.fullmatch(word) and not _YEAR.fullmatch(word) for word in _DAY_OF_MONTH.sub("", text).split())


def _sentences(lines: Iterable[tuple[int, Line]]) -> Iterator[list[tuple[int, Line]]]:
    group: list[tuple[int, Line]] = []
    for index, line in lines:
        if group and not _goes_on(group[-1][1], line, len(group)):
            yield group
            group = []
        group.append((index, line))
    if group:
        yield group


def _goes_on(before: Line, line: Line, length: int) -> bool:
    """Whether a sentence of prose that began before runs on in this line."""
    if length == _MOST_LINES or before.cells > 1 or line.cells > 1 or _SENTENCE_END.search(before.text):
        return False
    same_style = before.bold == line.bold and abs(before.font_size_pt - line.font_size_pt) < 0.5
    return same_style and 0 < line.box.y1 - before.box.y1 < 2.2 * line.font_size_pt


def _joined(group: Sequence[tuple[int, Line]], usual_pt: float, mostly_bold: bool) -> Passage:
    boxes = [line.box for _, line in group]
    box = Box(min(b.x0 for b in boxes), min(b.y0 for b in boxes), max(b.x1 for b in boxes), max(b.y1 for b in boxes))
    text = join_split_words("\n".join(line.text for _, line in group)).replace("\n", " ")
    lines = [line for _, line in group]
    bold = not mostly_bold and all(line.bold for line in lines)
    larger = all(line.font_size_pt > usual_pt + _LARGER_PT for line in lines)
    return Passage(group[0][0], text, box, any(line.cells > 1 for line in lines), bold or larger)
