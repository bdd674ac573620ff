"""Reading a menu: the options that look best by their words first, then more of those that still look best."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from thumbindex.decision.base import Choice
from thumbindex.decision.embedded.calibration import Floats, Fusion
from thumbindex.decision.embedded.reader import Reader, Wanted

__all__ = ["MOST_WINDOWS", "REACH", "Reach", "ReadMenu", "menu_kind", "read_menu", "text_kind"]

# Of one text, in a menu or alone.
MOST_WINDOWS = 3
# Texts of fewer characters are a line or two of a page.
_LINE_CHARACTERS = 400


@dataclass(frozen=True, slots=True)
class Reach:
    """How much of a menu the network reads.

    Attributes:
        options: So many, the best by their words, in their most telling window.
        deep: So many of those, the best so far, in `MOST_WINDOWS` windows.
    """

    options: int
    deep: int


# What two cores read in about a second. Pages get most of it, since a page that is not read is hardly found; as many
# are read deeply as are checked. 64 pages, 20 deep and 16 lines, a sixth more windows, put one of FinanceBench's 52 and
# three of 534 written questions among the first 3 and 5.
REACH: Mapping[str, Reach] = MappingProxyType({"page": Reach(56, 16), "section": Reach(10, 0), "line": Reach(12, 0)})
_KIND = re.compile("|".join(REACH))


@dataclass(frozen=True, slots=True)
class ReadMenu:
    """What was read of a menu.

    Attributes:
        scores: Of the best and the second best window of each option, NaN where there is none; shape `(options, 2)`.
        pieces: Word pieces read.
    """

    scores: Floats
    pieces: int


def menu_kind(choice: Choice) -> str:
    """The kind of a menu: what its instructions name first, or by the length of its options where they name none."""
    named = _KIND.search(choice.instructions.lower())
    return named[0] if named else text_kind(max(choice.options.values(), key=len))


def text_kind(text: str) -> str:
    """Whether a text is a "line" or as long as a "page"."""
    return "line" if len(text) < _LINE_CHARACTERS else "page"


def read_menu(  # noqa: PLR0913
    question: str, texts: Sequence[str], lexical: Floats, reader: Reader, reach: Reach, fusion: Fusion
) -> ReadMenu:
    """The scores of the options that are read.

    Args:
        question: What is asked.
        texts: The options.
        lexical: Their log-odds by words, shape `(options,)`.
        reader: Reads them.
        reach: How much of them.
        fusion: Says which look best after the first window.
    """
    scores = np.full((len(texts), 2), np.nan)
    pieces = 0
    for count, windows in ((reach.options, 1), (reach.deep, MOST_WINDOWS)):
        promising = np.where(np.isnan(scores[:, 0]) & (windows > 1), -np.inf, fusion.log_odds(lexical, scores))
        best = _best(promising, texts, count)
        for row, reading in zip(
            best, reader.read([Wanted(question, texts[row], windows) for row in best]), strict=True
        ):
            scores[row, : len(reading.scores)] = reading.scores[:2]
            pieces += reading.pieces
    return ReadMenu(scores, pieces)


def _best(values: Floats, texts: Sequence[str], count: int) -> list[int]:
    """Rows of the greatest values; of equals, those whose text comes first in the alphabet, in whatever order given."""
    return sorted(range(len(texts)), key=lambda row: (-values[row], texts[row]))[:count]
