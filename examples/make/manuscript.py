"""A manuscript (plain text with a little mark-up) to blocks.

    # Part            ## Item          ### Section        #### Subsection
    ^ centred line    ^^ title line    > small print      - list item
    (a) clause, indented by its leading spaces
    @name argument    a table, generated blocks, or a change of layout

Anything else is a paragraph: one a line. In any text `**bold**` is bold and `[[name]]` marks this very place, so that
a question can refer to the page it is drawn on. `{name}` stands for a figure of the model.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from make.tables import Table

__all__ = ["Block", "Directive", "Heading", "Text", "expand", "parse", "read"]

_CLAUSE = re.compile(r"^\((?:[a-z]{1,2}|[ivx]{1,5}|\d{1,2})\) ")
_PREFIXES = {"^^ ": "title", "^ ": "centred", "> ": "note", "- ": "bullet"}


@dataclass(frozen=True)
class Heading:
    """A heading; level 0 is a part of the book.

    Attributes:
        level: 0 to 3.
        text: What it says.
        listed: On the contents page; otherwise only in an index of its own section.
    """

    level: int
    text: str
    listed: bool = True


@dataclass(frozen=True)
class Text:
    """A run of prose: `kind` names its style, `depth` its indent."""

    text: str
    kind: str = "body"
    depth: int = 0


@dataclass(frozen=True)
class Directive:
    """A change of layout, or something to be put in its place."""

    name: str
    argument: str = ""


Block = Heading | Text | Directive | Table


def read(path: Path, figures: Mapping[str, object]) -> list[Block]:
    """The blocks of a manuscript, its figures filled in."""
    return list(parse(path.read_text("utf-8").format_map(figures)))


def parse(text: str) -> Iterator[Block]:
    """The blocks of a text, one for each line that is not blank."""
    for line in text.splitlines():
        if line.strip():
            yield _block(line)


def _block(line: str) -> Block:
    bare = line.strip()
    if heading := re.match(r"(#+) (.+)", bare):
        return Heading(len(heading[1]) - 1, heading[2])
    if bare.startswith("@"):
        name, _, argument = bare[1:].partition(" ")
        return Directive(name, argument)
    for prefix, kind in _PREFIXES.items():
        if bare.startswith(prefix):
            return Text(bare.removeprefix(prefix), kind)
    if _CLAUSE.match(bare):
        return Text(bare, "clause", 1 + (len(line) - len(line.lstrip())) // 2)
    return Text(bare)


def expand(blocks: Iterable[Block], parts: Mapping[str, Callable[[], Iterable[Block]]]) -> Iterator[Block]:
    """The blocks with each `@name` that `parts` knows replaced by what it makes; other directives concern layout."""
    for block in blocks:
        if isinstance(block, Directive) and block.name in parts:
            yield from expand(parts[block.name](), parts)
        else:
            yield block
