"""What every source of the outline hands on: a place where a section may begin."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace

from thumbindex.tree import NodeSource

__all__ = ["STRONG", "Heading", "agreed", "ascending", "in_order"]


# A heading surer than this is one whatever stands around it; below, it needs text of its own under it.
STRONG = 0.7


@dataclass(frozen=True, slots=True)
class Heading:
    """A section may begin here.

    Attributes:
        title: As printed, cleaned.
        page: Where it stands, from 1.
        line: Index into the lines of that page.
        level: Depth within its source, 0 outermost.
        source: What showed it.
        confidence: How sure that source is, in [0, 1].
    """

    title: str
    page: int
    line: int
    level: int
    source: NodeSource
    confidence: float

    @property
    def position(self) -> tuple[int, int]:
        """Where it stands in reading order."""
        return self.page, self.line

    def at_level(self, level: int) -> Heading:
        """The same heading at another depth."""
        return self if level == self.level else replace(self, level=level)


def agreed(kept: Heading, other: Heading) -> Heading:
    """`kept`, made surer by a source that says the same (both wrong only if each is, independently)."""
    confidence = 1 - (1 - kept.confidence) * (1 - other.confidence)
    return replace(kept, confidence=min(0.99, round(confidence, 3)))


def in_order(headings: Sequence[Heading]) -> list[Heading]:
    """The most headings whose positions never go back."""
    return [headings[index] for index in ascending([heading.position for heading in headings])]


def ascending(positions: Sequence[tuple[int, int]]) -> list[int]:
    """The indices of a longest run of positions that never goes back (patience sorting)."""
    tails: list[tuple[int, int]] = []
    last_at: list[int] = []
    before: list[int] = []
    for index, position in enumerate(positions):
        length = bisect_right(tails, position)
        before.append(last_at[length - 1] if length else -1)
        tails[length : length + 1] = [position]
        last_at[length : length + 1] = [index]
    kept: list[int] = []
    at = last_at[-1] if last_at else -1
    while at >= 0:
        kept.append(at)
        at = before[at]
    return kept[::-1]
