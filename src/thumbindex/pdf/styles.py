"""How text is set, from what a file says of its fonts and matrices. Pure."""

from __future__ import annotations

import math
import re
from typing import TypeAlias

from thumbindex.pdf.words import Style

__all__ = ["Matrix", "is_bold", "style_through"]

Matrix: TypeAlias = tuple[float, float, float, float]
"""`a b c d` of a PDF matrix: (a, b) is where the x axis goes, (c, d) the y axis, in user space."""

_BOLD_NAME = re.compile(r"bold|black|heavy|demi|[-,]bd\b", re.IGNORECASE)
_REGULAR_NAME = re.compile(r"regu|book|light|thin|oblique|(?<!medi)ital|dingbats", re.IGNORECASE)
# Text tilted by no more than this is level: the scanner's fault.
_LEVEL_DEGREES = 5


def style_through(matrix: Matrix, size: float, bold: bool, visible: bool, rotation: int) -> Style:
    """The style of text of nominal `size` drawn through `matrix` on a page that is shown turned by `rotation`."""
    a, b, c, d = matrix
    turn = round(math.degrees(math.atan2(-b, a))) + rotation
    quarter = round(turn / 90) * 90
    return Style(
        size_pt=round(size * math.hypot(c, d), 2) or 0.01,
        bold=bold,
        turn=(quarter if abs(turn - quarter) <= _LEVEL_DEGREES else turn) % 360,
        visible=visible,
    )


def is_bold(name: str, weight: int, forced: bool) -> bool:
    """By the font's name, or its flag, else by its weight, which is a guess from the width of stems and often wrong."""
    if forced or _BOLD_NAME.search(name):
        return True
    return 600 <= weight <= 1000 and not _REGULAR_NAME.search(name)
