"""What a filing has after its last Item: signatures, statements, indexes, exhibits."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from thumbindex.document import Page
from thumbindex.indexing.heading import Heading
from thumbindex.indexing.material import Material
from thumbindex.indexing.titles import Vocabulary, clean_title, is_continued
from thumbindex.indexing.wording import reads_as_title
from thumbindex.tree import NodeSource

__all__ = ["appended"]

_TAIL = re.compile(
    r"signatures?|exhibit index|index (?:to|of) exhibits|exhibits? list|"
    r"index to (?:the )?(?:consolidated )?financial statements.{0,60}|power of attorney",
    re.IGNORECASE,
)
# At the top of a page it opens them; elsewhere it is a part of the Item that lists them.
_DIVIDER = re.compile(r"exhibits", re.IGNORECASE)
_EXHIBIT = re.compile(r"(?:exhibit|ex)[\s-]*\(?\d{1,3}(?:[.\-]\d{1,3})?[a-z]?(?:\.\d+)?\)?[*.]?", re.IGNORECASE)
# An exhibit says so in its first lines.
_EXHIBIT_LINES = 3
# So many statements and notes after the last Item are bound in there, not referred to.
_MIN_STATEMENTS = 4
_MAX_CHARACTERS = 110


def appended(material: Material, last: tuple[int, int], statements: Sequence[Heading]) -> list[Heading]:
    """The headings after position `last`: signatures, indexes, statements, "Exhibits" (0), each exhibit (1)."""
    exhibits = list(_exhibits(material, last))
    end = exhibits[0].position if exhibits else (len(material.document.pages) + 1, 0)
    tail = list(_tail(material, last, end))
    return [*tail, *_statements(statements, last, tail), *exhibits]


def _exhibits(material: Material, last: tuple[int, int]) -> Iterator[Heading]:
    begun = False
    for page in material.document.pages[last[0] - 1 :]:
        printed = [index for index, line in enumerate(page.lines) if not line.repeated]
        for order, index in enumerate(printed[:_EXHIBIT_LINES]):
            if (page.number, index) > last and _EXHIBIT.fullmatch(page.lines[index].text.strip()):
                if not begun:
                    yield Heading("Exhibits", page.number, index, 0, NodeSource.PATTERN, 0.7)
                    begun = True
                title = _exhibit_title(page, printed[order:], material.words)
                yield Heading(title, page.number, index, 1, NodeSource.PATTERN, 0.8)


def _exhibit_title(page: Page, printed: Sequence[int], words: Vocabulary) -> str:
    """The number of an exhibit, and the line below it where that reads as a title."""
    number, *below = (page.lines[index].text for index in printed[:2])
    title = below[0] if below and len(below[0]) <= _MAX_CHARACTERS and reads_as_title(below[0]) else ""
    return clean_title(f"{number} {title}", words)


def _tail(material: Material, last: tuple[int, int], end: tuple[int, int]) -> Iterator[Heading]:
    """Signatures and indexes between the last Item and the exhibits, each where it first stands out."""
    seen: set[str] = set()
    for page in material.document.pages[last[0] - 1 : end[0]]:
        top = next((index for index, line in enumerate(page.lines) if not line.repeated), None)
        for index, line in enumerate(page.lines):
            if not last < (page.number, index) < end or len(line.text) > _MAX_CHARACTERS or line.cells > 2:
                continue
            if line.repeated or is_continued(line.text) or not material.body.yields_to(line):
                continue
            title = clean_title(line.text, material.words)
            kind = title.casefold()[:12]
            name = title.strip(" .:*")
            if (_TAIL.fullmatch(name) or (index == top and _DIVIDER.fullmatch(name))) and kind not in seen:
                seen.add(kind)
                yield Heading(title, page.number, index, 0, NodeSource.PATTERN, 0.8)


def _statements(statements: Sequence[Heading], last: tuple[int, int], tail: Sequence[Heading]) -> Iterator[Heading]:
    """A heading for statements that are bound in after the last Item without an index of their own."""
    after = [heading for heading in statements if heading.position > last]
    if len(after) < _MIN_STATEMENTS:
        return
    before = [heading for heading in tail if heading.position <= after[0].position]
    if not before or not before[-1].title.casefold().startswith("index to"):
        yield Heading("Financial Statements", *after[0].position, 0, NodeSource.PATTERN, 0.7)
