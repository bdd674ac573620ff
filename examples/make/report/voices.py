"""Where the sentences of the report come from: banks, words and rows in the folder `text`."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from make.chance import Chance, Writer, read_banks, read_rows

__all__ = ["TEXT", "banks", "person", "rows", "writer"]

TEXT = Path(__file__).with_name("text")


@cache
def banks(name: str) -> dict[str, list[str]]:
    """The kinds of words or sentences in a file."""
    return read_banks(TEXT / name)


def rows(name: str) -> list[list[str]]:
    """The rows of a file."""
    return read_rows(TEXT / name)


def writer(name: str) -> Writer:
    """A writer of the sentences of one exhibit."""
    return Writer(banks(f"{name}.bank"), name)


def person(luck: Chance) -> str:
    """A first and a last name."""
    names = banks("sites.words")
    return f"{luck.pick(names['forename'])} {luck.pick(names['surname'])}"
