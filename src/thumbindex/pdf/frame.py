"""The way from PDF user space, where y grows upwards, to the page as a reader sees it. Pure."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

__all__ = ["Frame"]


class Frame(NamedTuple):
    """The way from PDF user space to the page as seen."""

    left: float
    bottom: float
    right: float
    top: float
    rotation: int

    def seen(self, x0: float, y0: float, x1: float, y1: float) -> tuple[float, float, float, float]:
        """The rectangle `x0 ≤ x1`, `y0 ≤ y1` of user space as it is seen."""
        if self.rotation == 0:
            return x0 - self.left, self.top - y1, x1 - self.left, self.top - y0
        if self.rotation == 90:
            return y0 - self.bottom, x0 - self.left, y1 - self.bottom, x1 - self.left
        if self.rotation == 180:
            return self.right - x1, y0 - self.bottom, self.right - x0, y1 - self.bottom
        return self.top - y1, self.right - x1, self.top - y0, self.right - x0

    def all_seen(self, x0: list[float], y0: list[float], x1: list[float], y1: list[float]) -> list[Iterable[float]]:
        """The edges of many rectangles as `seen`: lefts, tops, rights, bottoms."""
        if self.rotation == 0:
            across, down = (-self.left).__add__, self.top.__sub__
            return [map(across, x0), map(down, y1), map(across, x1), map(down, y0)]
        return list(zip(*map(self.seen, x0, y0, x1, y1), strict=True)) or [()] * 4
