"""Headings of financial statements and of the numbered notes that follow them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from thumbindex.document import Line, Page
from thumbindex.indexing.heading import Heading
from thumbindex.indexing.lists import line_label
from thumbindex.indexing.material import Material
from thumbindex.indexing.numbering import Numbering, parse_numbering
from thumbindex.indexing.sequences import best_sequence
from thumbindex.indexing.style import is_capitals, wrapped_lines
from thumbindex.indexing.titles import clean_title, is_continued, title_key
from thumbindex.tree import NodeSource

__all__ = ["financial_headings"]

_QUALIFIER = r"(?:(?:condensed|consolidated|combined|interim|unaudited|group|company|the|and|parent)\s+)*"
_KIND = r"(?:income|earnings|operations|cash flows?|profit and loss|profit or loss|equity|comprehensive)"
_STATEMENT = re.compile(
    rf"{_QUALIFIER}(?:"
    r"(?:balance sheets?|profit and loss account)(?: (?:as (?:of|at)|at) .{0,40})?|"
    rf"(?:\S+ ){{0,3}}{_KIND}(?: \S+)? statements?(?: for .{{0,40}})?|"
    r"statements? of (?:consolidated |comprehensive |changes in |total |net |other |financial |cash |stockholders|"
    r"shareholders|shareowners|shareholder|stockholder|shareowner|member|owners|partners|retained |profit|income|"
    r"earnings|operations|equity|loss|capital|common|cash flows?)[^.]{0,90}"
    r")(?:\s*\(?(?:unaudited|as restated)\)?)?",
    re.IGNORECASE,
)
_HINT = re.compile(r"statement|balance|account|report|audit|profit", re.IGNORECASE)
_BELOW_TITLE = re.compile(
    r"\W*(?:(?:in|dollars|amounts|millions|thousands|unaudited|years?|fiscal|for|as|at|three|six|nine|twelve|quarter|"
    r"january|march|april|june|july|september|december)\b|\$)",
    re.IGNORECASE,
)
_UNITS = re.compile(r"\s*\(?(?:\$ ?in|in|dollars in|amounts in) (?:millions|thousands|billions|\$).*", re.IGNORECASE)
_REPORT = re.compile(
    r"(?:reports? of (?:independent|management|the independent)|management[’']s (?:annual )?(?:report|responsibility)|"
    r"independent auditors?[’']? report|auditors?[’'] report|statement of management)\b.{0,90}",
    re.IGNORECASE,
)
_NOTES = re.compile(
    rf"(?:combined |selected )?notes to (?:the )?{_QUALIFIER}(?:financial statements?|accounts)[^.]{{0,60}}|"
    r"notes forming part of .{0,60}",
    re.IGNORECASE,
)
# Statements and audit reports before the first note follow each other within this many pages.
_PAGES_APART = 4
_MIN_NOTES = 3
# The longest note there is (pensions, or fair values of a bank) takes some twenty pages.
_MAX_NOTE_PAGES = 30
_MIN_ROWS = 6
# A page with more titles of statements lists them.
_MAX_ON_PAGE = 2
_TOP_LINES = 12


@dataclass(frozen=True, slots=True)
class _Note:
    """A line that may begin a note; `weight` says how much it looks like a heading."""

    number: int
    style: tuple[str, str]
    title: str
    page: int
    line: int
    weight: float

    @property
    def position(self) -> tuple[int, int]:
        return self.page, self.line


def financial_headings(material: Material) -> list[Heading]:
    """Statements, audit reports and the notes as a whole (level 0), each numbered note (1), in reading order."""
    notes = _notes(material)
    pages = (page for page in material.document.pages if page.number not in material.lists)
    found = [list(_statements(page, material)) for page in pages]
    statements = [heading for on_page in found if len(on_page) <= _MAX_ON_PAGE for heading in on_page]
    if notes:
        statements = _next_to(statements, notes[0].page, notes[-1].page)
    return sorted([*_without_repeats(statements), *notes], key=lambda heading: heading.position)


def _statements(page: Page, material: Material) -> Iterator[Heading]:
    """Titles of statements near the top of the page with a table below, and of audit reports."""
    body = material.body
    printed = [index for index, line in enumerate(page.lines) if not line.repeated]
    for order, index in enumerate(printed):
        line = page.lines[index]
        if line.cells > 1 or not 12 <= len(line.text) <= 160 or not _HINT.search(line.text):
            continue
        if not (order < _TOP_LINES or body.yields_to(line)) or is_continued(line.text):
            continue
        title = _UNITS.sub("", clean_title(_statement_title(page.lines, index), material.words))
        if (_STATEMENT.fullmatch(title) and _rows(page.lines[index:]) >= _MIN_ROWS) or (
            _REPORT.fullmatch(title) and body.yields_to(line)
        ):
            yield Heading(title, page.number, index, 0, NodeSource.PATTERN, 0.85)


def _rows(lines: Sequence[Line]) -> int:
    return sum(line.cells > 1 and any(map(str.isdigit, line.text)) for line in lines)


def _statement_title(lines: Sequence[Line], index: int) -> str:
    """The title with the lines it wraps to, without the line of dates or units below it."""
    last = index + wrapped_lines(lines, index)
    below = (other for other in range(index + 1, last) if _BELOW_TITLE.match(lines[other].text))
    return " ".join(line.text for line in lines[index : next(below, last)])


def _next_to(statements: Sequence[Heading], first_note: int, last_note: int) -> list[Heading]:
    """The statements that lead up to the first note or follow the last, without a gap of many pages."""
    kept: list[Heading] = []
    reach = first_note
    for heading in reversed([s for s in statements if s.page <= first_note]):
        if reach - heading.page > _PAGES_APART:
            break
        kept.append(heading)
        reach = heading.page
    reach = last_note
    return [*reversed(kept), *(s for s in statements if last_note < s.page)]


def _without_repeats(headings: Sequence[Heading]) -> list[Heading]:
    """A statement that goes on over pages under the same title counts once."""
    kept: list[Heading] = []
    for heading in headings:
        if not kept or title_key(kept[-1].title) != title_key(heading.title):
            kept.append(heading)
    return kept


def _notes(material: Material) -> list[Heading]:
    starts = [
        (page.number, index)
        for page in material.document.pages
        for index, line in enumerate(page.lines)
        if line.text[:2].casefold() in {"no", "co", "se"} and _NOTES.fullmatch(line.text.strip(" .:"))
        if not line_label(line.text)
    ]
    notes = _best_run(list(_note_candidates(material, starts[0] if starts else None)), starts)
    if len(notes) < _MIN_NOTES:
        return []
    start = _start_of_notes(starts, notes[0].position)
    level = 1 if start else 0
    found = [Heading(n.title, n.page, n.line, level, NodeSource.PATTERN, 0.9 if n.weight > 2 else 0.75) for n in notes]
    if start:
        line = material.document.page(start[0]).lines[start[1]]
        found.insert(0, Heading(clean_title(line.text, material.words), *start, 0, NodeSource.PATTERN, 0.9))
    return found


def _start_of_notes(starts: Sequence[tuple[int, int]], first: tuple[int, int]) -> tuple[int, int] | None:
    """The title of the notes on the page of the first note, or on the page before."""
    before = [start for start in starts if start < first and first[0] - start[0] <= 1]
    return min((start for start in before if start[0] == before[-1][0]), default=None)


def _note_candidates(material: Material, start: tuple[int, int] | None) -> Iterator[_Note]:
    for page in material.document.pages:
        for index, line in enumerate(page.lines) if page.number not in material.lists else ():
            named = line.text[:4].casefold() == "note"
            numbered = line.text[:1].isdigit() or line.text[:1] == "("
            after = start is not None and start <= (page.number, index)
            if named or (numbered and after and material.body.yields_to(line)):
                numbering = parse_numbering(line.text)
                if numbering and numbering.word in {"note", ""} and numbering.depth == 1 and numbering.style[0] == "1":
                    note = _note(numbering, page, index, material)
                    if note:
                        yield note


def _note(numbering: Numbering, page: Page, index: int, material: Material) -> _Note | None:
    line, stands_out = page.lines[index], material.body.yields_to(page.lines[index])
    rest = numbering.rest
    lines = wrapped_lines(page.lines, index) if stands_out else 1
    title = " ".join(each.text for each in page.lines[index : index + lines])
    if not any(c.isalpha() for c in rest) and numbering.word and index + 1 < len(page.lines):
        rest = page.lines[index + 1].text
        title = f"{line.text} {rest}"
    if len(rest) < 3 or not rest[0].isupper() or line.cells > 3:
        return None
    setting = "" if numbering.word else f"{line.bold} {is_capitals(line.text)} {line.font_size_pt:.0f}"
    weight = 1.0 + 1.0 * bool(numbering.word) + 1.5 * stands_out
    weight -= 1.0 * (line.repeated or is_continued(title)) + 0.7 * (len(title) > 130)
    return _Note(
        number=numbering.values[0],
        style=(numbering.word, numbering.style + setting),
        title=clean_title(title, material.words),
        page=page.number,
        line=index,
        weight=weight,
    )


def _best_run(candidates: Sequence[_Note], starts: Sequence[tuple[int, int]]) -> list[_Note]:
    """Notes 1, 2, 3 in one way of writing, of the most weight; bare numbers must begin below the title of the notes."""
    best: list[_Note] = []
    for style in dict.fromkeys(note.style for note in candidates):
        alike = [note for note in candidates if note.style == style]
        run = best_sequence([note.number for note in alike], [note.weight for note in alike], gap_cost=1.0)
        chosen = _unbroken([alike[index] for index in run])
        if not chosen or (not style[0] and not _start_of_notes(starts, chosen[0].position)):
            continue
        if sum(note.weight for note in chosen) > sum(note.weight for note in best):
            best = chosen
    return best


def _unbroken(run: Sequence[_Note]) -> list[_Note]:
    """The run up to the first leap in pages that no note is long enough for."""
    leaps = (i for i in range(1, len(run)) if run[i].page - run[i - 1].page > _MAX_NOTE_PAGES)
    return list(run[: next(leaps, len(run))])
