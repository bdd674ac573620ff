"""How large menus and leaves may be."""

from __future__ import annotations

from dataclasses import dataclass

from thumbindex.errors import OptionError

__all__ = ["IndexOptions"]


@dataclass(frozen=True, slots=True)
class IndexOptions:
    """Limits on the shape of a tree.

    Attributes:
        max_menu: Most children a section has, 2 or more.
        max_leaf_pages: Most pages a section without children has, 1 or more.
    """

    max_menu: int = 40
    max_leaf_pages: int = 16

    def __post_init__(self) -> None:
        if self.max_menu < 2:
            raise OptionError(f"a menu needs room for at least 2 sections, not {self.max_menu}")
        if self.max_leaf_pages < 1:
            raise OptionError(f"a leaf holds at least 1 page, not {self.max_leaf_pages}")
