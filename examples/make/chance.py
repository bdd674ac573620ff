"""Seeded chance: the same facts on every machine and Python version."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeVar

__all__ = ["Chance", "Writer", "draw_facts", "read_banks", "read_rows"]

T = TypeVar("T")


class Chance:
    """Picks for one subject. Only `random()` is used: it alone is promised never to change between Pythons."""

    def __init__(self, subject: str) -> None:
        self._random = random.Random(subject).random

    def share(self, low: float, high: float) -> float:
        """A number in [low, high)."""
        return low + (high - low) * self._random()

    def between(self, low: int, high: int, step: int = 1) -> int:
        """A whole number from `low` to `high`, in steps."""
        return low + step * int(self._random() * ((high - low) // step + 1))

    def pick(self, options: Sequence[T]) -> T:
        """One of the options."""
        return options[int(self._random() * len(options))]

    def some(self, options: Sequence[T], count: int) -> list[T]:
        """That many different options, in their own order."""
        left = list(range(len(options)))
        chosen = sorted(left.pop(int(self._random() * len(left))) for _ in range(count))
        return [options[index] for index in chosen]

    def chance(self, probability: float) -> bool:
        """True that often."""
        return self._random() < probability


class Writer:
    """Sentences from a bank, dealt so that one is not used again before all of its kind have been."""

    def __init__(self, banks: Mapping[str, Sequence[str]], subject: str) -> None:
        self._banks = banks
        self._chance = Chance(subject)
        self._left: dict[str, list[str]] = {}

    def sentence(self, kind: str, facts: Mapping[str, object]) -> str:
        """A sentence of that kind, with the facts filled in."""
        left = self._left.get(kind) or list(self._banks[kind])
        self._left[kind] = left
        return left.pop(int(self._chance.share(0, len(left)))).format_map(facts)

    def paragraph(self, kinds: str, facts: Mapping[str, object]) -> str:
        """Sentences of those kinds (names set apart by spaces) in a row."""
        return " ".join(self.sentence(kind, facts) for kind in kinds.split())


def read_banks(path: Path) -> dict[str, list[str]]:
    """Kinds of sentences from a file: `= kind`, then a sentence a line."""
    banks: dict[str, list[str]] = {}
    for row in path.read_text("utf-8").splitlines():
        if row.startswith("= "):
            banks[row[2:].strip()] = current = []
        elif row.strip():
            current.append(row.strip())
    return banks


def read_rows(path: Path) -> list[list[str]]:
    """The rows of a file, their cells set apart by vertical bars."""
    return [row.split("|") for row in path.read_text("utf-8").splitlines() if row.strip()]


def draw_facts(
    luck: Chance, words: Mapping[str, Sequence[str]], ranges: Mapping[str, tuple[int, int]]
) -> dict[str, object]:
    """A word of each kind, also with a capital letter (`kind_cap`), and a number from each range."""
    chosen = {kind: luck.pick(options) for kind, options in words.items()}
    capitals = {f"{kind}_cap": word[0].upper() + word[1:] for kind, word in chosen.items()}
    return {**chosen, **capitals, **{name: luck.between(*ends) for name, ends in ranges.items()}}
