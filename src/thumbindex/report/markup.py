"""HTML and SVG elements as text, escaped unless they are elements already."""

from __future__ import annotations

from html import escape

__all__ = ["Markup", "joined", "tag"]

_VOID = frozenset(("circle", "line", "meta", "path", "polyline", "rect"))


class Markup(str):
    """Text that is markup already."""

    __slots__ = ()


def tag(name: str, /, *children: str, **attributes: str | float) -> Markup:
    """The element; text among the children is escaped. Of attributes, `class_` is class and `a_b` is a-b."""
    written = "".join(f' {_name(key)}="{_value(value)}"' for key, value in attributes.items())
    if name in _VOID and not children:
        return Markup(f"<{name}{written}/>")
    return Markup(f"<{name}{written}>{joined(*children)}</{name}>")


def joined(*children: str) -> Markup:
    """The children one after the other."""
    return Markup("".join(c if isinstance(c, Markup) else escape(c) for c in children))


def _name(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


def _value(value: str | float) -> str:
    return escape(value) if isinstance(value, str) else f"{value:.6g}"
