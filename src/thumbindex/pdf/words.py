"""What the reader hands to the layout: words as drawn, before there are lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

__all__ = ["PageText", "Style", "Word"]


class Style(NamedTuple):
    """How a run of text is set.

    Attributes:
        size_pt: Font size as seen.
        bold: By the font's weight or its name.
        turn: Direction of the text in degrees clockwise as seen; 0 reads from left to right.
        visible: Whether it is painted at all.
    """

    size_pt: float
    bold: bool = False
    turn: int = 0
    visible: bool = True


class Word(NamedTuple):
    """Characters between two spaces; the box is from the top left of the page as seen."""

    text: str
    x0: float
    y0: float
    x1: float
    y1: float
    style: Style


@dataclass(frozen=True)
class PageText:
    """A page before it is laid out in lines.

    Attributes:
        number: From 1.
        label: From the file's own page labels; empty where it has none.
        width_pt: As seen.
        height_pt: As seen.
        rotation: Clockwise, from the file.
        words: In the order the file draws them.
        image_share: Part of the page that pictures cover, in [0, 1]; looked at only where there is little or unpainted
            text, else 0.
        drawings: Vector drawings, likewise.
        truncated: Whether characters beyond the limit were left out.
    """

    number: int
    label: str
    width_pt: float
    height_pt: float
    rotation: int = 0
    words: tuple[Word, ...] = ()
    image_share: float = 0.0
    drawings: int = 0
    truncated: bool = False
