"""Running headers and footers: lines that come again over the pages at the same place. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from thumbindex.document import Page
from thumbindex.pdf.edges import EdgeLine
from thumbindex.pdf.labels import PrintedNumber

__all__ = ["repeated_lines", "with_repeated"]


class _Place(NamedTuple):
    """Where a text stands: the index of the page, the distance from its edge, the text with its numbers."""

    position: int
    offset_pt: float
    text: str


_Places = Mapping[tuple[bool, str], Sequence[_Place]]
_SAME_PLACE_PT = 3.0
_VERY_PLACE_PT = 0.75
_NEAR_PAGES = 5
_MIN_PAGES = 4


def repeated_lines(edges: Sequence[Sequence[EdgeLine]], printed: Mapping[int, PrintedNumber]) -> list[set[int]]:
    """For each page the indices of its lines that are headers or footers, page numbers among them."""
    places: dict[tuple[bool, str], list[_Place]] = defaultdict(list)
    for position, lines in enumerate(edges):
        for edge in lines:
            places[edge.at_top, edge.pattern].append(_Place(position, edge.offset_pt, edge.line.text))
    marked = []
    for position, lines in enumerate(edges):
        number = printed.get(position)
        known = {number.edge.line_index} if number else set()
        found = set(known)
        for at_top in (True, False):
            found.update(
                _running([edge for edge in lines if edge.at_top == at_top], position, places, len(edges), known)
            )
        marked.append(found)
    return marked


def with_repeated(pages: Sequence[Page], marked: Sequence[set[int]]) -> tuple[Page, ...]:
    """The pages with those lines marked as repeated."""
    return tuple(
        replace(
            page,
            lines=tuple(
                replace(line, repeated=True) if index in indices else line for index, line in enumerate(page.lines)
            ),
        )
        if indices
        else page
        for page, indices in zip(pages, marked, strict=True)
    )


def _running(lines: Sequence[EdgeLine], position: int, places: _Places, count: int, known: set[int]) -> Iterator[int]:
    """The lines that come again on most pages, and from the edge inwards those that do so on some.

    What comes again on few pages may be the head of a table or a title that recurs: it must stand apart from the text.
    """
    from_edge, scarce = True, 0
    waiting: list[int] = []
    for rank, edge in enumerate(lines):
        recurrence = _recurrence(edge, position, places[edge.at_top, edge.pattern])
        if edge.line_index in known or recurrence.in_place_on_most(count):
            yield edge.line_index
        elif from_edge and (recurrence.comes_on_many(count) or (recurrence.comes_nearby and scarce < 2)):
            waiting.append(edge.line_index)
            scarce += not recurrence.comes_on_many(count)
        else:
            from_edge = False
            continue
        if from_edge and (recurrence.comes_on_many(count) or _stands_apart(edge, lines[rank + 1 : rank + 2])):
            yield from waiting
            waiting = []


class _Recurrence(NamedTuple):
    """On how many pages a line comes again: with any numbers anywhere or in place, the very same in place nearby."""

    letters: int
    anywhere: int
    in_place: int
    same_nearby: int

    def in_place_on_most(self, count: int) -> bool:
        return self.letters > 0 and self.in_place >= max(_MIN_PAGES, 0.5 * count)

    def comes_on_many(self, count: int) -> bool:
        in_place = self.letters > 0 and self.in_place >= max(_MIN_PAGES, 0.2 * count)
        return in_place or (self.letters >= 4 and self.anywhere >= max(_MIN_PAGES, 0.5 * count))

    @property
    def comes_nearby(self) -> bool:
        return 0 < self.letters <= 80 and self.same_nearby >= 3


def _recurrence(edge: EdgeLine, position: int, others: Sequence[_Place]) -> _Recurrence:
    if edge.large:
        # Titles may count ("Exhibit 1", "Exhibit 2"): only the very same one comes again.
        others = [other for other in others if other.text == edge.line.text]
    in_place = [other for other in others if abs(other.offset_pt - edge.offset_pt) <= _SAME_PLACE_PT]
    return _Recurrence(
        letters=sum(map(str.isalpha, edge.pattern)),
        anywhere=len({other.position for other in others}),
        in_place=len({other.position for other in in_place}),
        same_nearby=len(
            {
                other.position
                for other in in_place
                if other.text == edge.line.text
                and abs(other.position - position) <= _NEAR_PAGES
                and abs(other.offset_pt - edge.offset_pt) <= _VERY_PLACE_PT
            }
        ),
    )


def _stands_apart(edge: EdgeLine, following: Sequence[EdgeLine]) -> bool:
    """Whether there is more room between the line and the next one inwards than between lines of a paragraph."""
    if not following:
        return True
    first, second = (edge, following[0]) if edge.at_top else (following[0], edge)
    return second.line.box.y0 - first.line.box.y1 > 0.5 * (edge.line.box.y1 - edge.line.box.y0)
