"""How deep each of a list of titles lies, from how they are set and numbered."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from thumbindex.indexing.numbering import Numbering, parse_numbering

__all__ = ["LevelKey", "nested_levels", "stepped"]


class LevelKey(NamedTuple):
    """What is known of a title: how it is set (the least is outermost) and its text."""

    setting: tuple[float, ...]
    title: str


class _Rank(NamedTuple):
    setting: tuple[float, ...]
    numbering: Numbering | None
    is_part: bool  # of the whole: not of something inside it that counts its parts in other numerals


def nested_levels(keys: Sequence[LevelKey]) -> list[int]:
    """The depth of each title, 0 outermost: numbering first, then how it is set."""
    levels: list[int] = []
    stack: list[_Rank] = []
    numberings = [parse_numbering(key.title) for key in keys]
    numerals = next((number.kind for number in numberings if number and number.word == "part"), "")
    for key, number in zip(keys, numberings, strict=True):
        rank = _Rank(key.setting, number, bool(number and number.word == "part" and number.kind == numerals))
        alike = [depth for depth, outer in enumerate(stack) if _alike(rank, outer)]
        del stack[alike[-1] if alike else len(stack) :]
        while stack and not alike and not _inside(rank, stack[-1]):
            stack.pop()
        levels.append(len(stack))
        stack.append(rank)
    return levels


def stepped(values: Sequence[float], step: float) -> list[int]:
    """Each value as the rank of its cluster, ascending; values less than `step` from the next lower are one cluster."""
    ranks: dict[float, int] = {}
    rank, last = -1, float("-inf")
    for value in sorted(set(values)):
        rank += value - last > step
        ranks[value], last = rank, value
    return [ranks[value] for value in values]


def _alike(rank: _Rank, other: _Rank) -> bool:
    """Whether two titles are set and numbered in the same way."""
    left, right = rank.numbering, other.numbering
    if left and right:
        return (left.word, left.kind, _depth(left)) == (right.word, right.kind, _depth(right))
    return left is None and right is None and rank.setting == other.setting


def _depth(numbering: Numbering) -> int:
    """How many parts a number has that say how deep it lies: that of an exhibit says what it is ("32", "99.1")."""
    return 1 if numbering.word == "exhibit" else numbering.depth


def _inside(rank: _Rank, outer: _Rank) -> bool:
    """Whether a title of this rank belongs below the open one."""
    own, other = rank.numbering, outer.numbering
    if outer.is_part or rank.is_part:
        return outer.is_part and not rank.is_part
    if own and other and own.word == other.word and own.kind == other.kind:
        return _depth(own) > _depth(other)
    if rank.setting != outer.setting:
        return rank.setting > outer.setting
    return bool(own and other and not own.word and not other.word)
