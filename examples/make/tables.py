"""Tables as plain values: what stands in them, not how they look."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

__all__ = ["Row", "Table", "column_sums", "head", "line", "number", "summed", "table", "text_table", "total"]

RowKind = Literal["line", "total", "head"]


@dataclass(frozen=True)
class Row:
    """One row: its cells as printed, the label first."""

    cells: tuple[str, ...]
    kind: RowKind = "line"
    indent: int = 0


@dataclass(frozen=True)
class Table:
    """A table.

    Attributes:
        columns: Heads of the columns; that of the labels first.
        rows: Every row has a cell for each column, or its label only.
        title: Printed above.
        unit: What the figures are in, printed under the title.
        text_columns: How many columns from the left hold text and are set flush left.
        shares: Relative widths of the columns; None sizes them by what they hold.
        small: Set in small type.
        wide: For a rotated page.
    """

    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    title: str = ""
    unit: str = ""
    text_columns: int = 1
    shares: tuple[float, ...] | None = None
    small: bool = False
    wide: bool = False


def table(title: str, columns: Sequence[str | int], rows: Sequence[Row], **how: object) -> Table:
    """A table of those rows; `how` sets the other fields."""
    made = Table(tuple(str(column) for column in columns), tuple(rows), title)
    return replace(made, **how)  # type: ignore[arg-type]


def text_table(title: str, columns: Sequence[str], rows: Sequence[Sequence[str]], shares: Sequence[float]) -> Table:
    """A table of words."""
    made = tuple(Row(tuple(row)) for row in rows)
    return Table(tuple(columns), made, title, text_columns=len(columns), shares=tuple(shares))


def column_sums(rows: Sequence[Sequence[int]]) -> list[int]:
    """The sum of each column."""
    return [sum(column) for column in zip(*rows, strict=True)]


def number(value: float | str, decimals: int = 0, sign: str = "") -> str:
    """A figure as accountants print it: "1,234", "(56)", "—" for nothing; text as it is."""
    if isinstance(value, str):
        return value
    if round(abs(value), decimals) == 0:
        return "—"
    digits = f"{sign}{abs(value):,.{decimals}f}"
    return f"({digits})" if value < 0 else digits


def line(label: str, *values: float | str, sign: str = "", decimals: int = 0, indent: int = 0) -> Row:
    """An ordinary row."""
    return Row((label, *(number(value, decimals, sign) for value in values)), indent=indent)


def total(label: str, *values: float | str, sign: str = "", decimals: int = 0) -> Row:
    """A row under a rule: the sum of what stands above."""
    return Row((label, *(number(value, decimals, sign) for value in values)), "total")


def summed(values: Mapping[str, int], label: str = "Total") -> list[Row]:
    """A row for each value and one for their sum."""
    return [*(line(name, value) for name, value in values.items()), total(label, sum(values.values()), sign="$")]


def head(label: str) -> Row:
    """A row that names the group of rows below."""
    return Row((label,), "head")
