"""Lines that are set as headings may be: one page at a time, before the outline is considered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from thumbindex.document import Line, Page, join_split_words
from thumbindex.indexing.heading import STRONG
from thumbindex.indexing.lists import CONTENTS_TITLE, line_label
from thumbindex.indexing.material import Material
from thumbindex.indexing.numbering import Numbering, parse_numbering
from thumbindex.indexing.style import Body, body_on, is_capitals, wrapped_lines
from thumbindex.indexing.titles import Vocabulary, clean_title
from thumbindex.indexing.wording import is_garbled, is_worded, known_name, reads_as_title

__all__ = ["Candidate", "candidates"]

# Larger type, a number, or both are as good as print gives; weight alone or capitals alone are also used for emphasis.
_LARGER, _KNOWN_NAME, _NUMBERED, _HEAVY, _CAPITALS, _SENTENCE = 0.75, 0.7, 0.7, 0.55, 0.5, 0.4
_MAX_CHARACTERS, _MAX_LINES = 160, 4
# A plain numbered line is a heading where its number goes on from the one before, if it is not longer than this.
_PLAIN, _MAX_PLAIN = 0.45, 80
# A bold line that ends with a period and is longer than this is a sentence: the title of a risk, or emphasis.
_MIN_SENTENCE_CHARACTERS = 60
_NEARLY_LARGEST = 0.95
# A setting in which a page has more titles than this is a list, a form, or a table.
_MAX_PER_PAGE = 8


@dataclass(frozen=True, slots=True)
class Candidate:
    """A line (or wrapped lines) that stands out, with how it is set; `plain` where only its number does."""

    title: str
    page: int
    line: int
    last_line: int
    size_pt: float
    bold: bool
    capitals: bool
    confidence: float
    plain: bool = False


def candidates(material: Material) -> list[Candidate]:
    """The lines that stand out as headings do, in reading order, entries of contents pages left out.

    Of slides, their titles, all of one rank.
    """
    pages = [page for page in material.document.pages if page.number not in material.cross_references]
    if material.deck:
        return [title for page in pages if (title := _slide_title(page, material.words))]
    return [candidate for page in pages for candidate in _outside_list(_on_page(page, material), page, material)]


def _outside_list(found: Sequence[Candidate], page: Page, material: Material) -> list[Candidate]:
    """The candidates of a page without those in its list of headings that stand elsewhere, where it has one."""
    if page.number not in material.lists:
        return list(found)
    entries = [
        index
        for index, line in enumerate(page.lines)
        if (page.number, index) in material.targets
        or line_label(line.text)
        or CONTENTS_TITLE.fullmatch(line.text.strip(" :."))
    ]
    first, last = (entries[0], entries[-1]) if entries else (0, len(page.lines))
    return [candidate for candidate in found if not first <= candidate.line <= last]


def _slide_title(page: Page, words: Vocabulary) -> Candidate | None:
    """The topmost line in the largest type of the slide."""
    printed = [(index, line) for index, line in enumerate(page.lines) if not line.repeated]
    titles = [(index, line) for index, line in printed if reads_as_title(line.text) and not is_garbled(line.text)]
    if not titles:
        return None
    largest = max(line.font_size_pt for _, line in titles)
    index = next(index for index, line in titles if line.font_size_pt >= _NEARLY_LARGEST * largest)
    last = index + wrapped_lines(page.lines, index) - 1
    title = clean_title(" ".join(line.text for line in page.lines[index : last + 1]), words)
    return Candidate(title, page.number, printed[0][0], last, 1.0, bold=True, capitals=True, confidence=_LARGER)


def _on_page(page: Page, material: Material) -> list[Candidate]:
    found: list[Candidate] = []
    until = 0
    edges, body = _edges(page), body_on(page, material.body)
    for index, line in enumerate(page.lines):
        if index < until or line.repeated or line.cells > 2 or not _may_be_title(line, body):
            continue
        until = index + (wrapped_lines(page.lines, index, _MAX_LINES) if body.yields_to(line) else 1)
        candidate = _candidate(page, range(index, until), _Surroundings(edges, body, material.words))
        if candidate:
            found.append(candidate)
            until = candidate.last_line + 1
    crowded = Counter((c.bold, c.capitals, round(c.size_pt)) for c in found)
    return [c for c in found if crowded[c.bold, c.capitals, round(c.size_pt)] <= _MAX_PER_PAGE]


def _may_be_title(line: Line, body: Body) -> bool:
    """A cheap look that turns away nearly all lines."""
    text = line.text
    if not 3 <= len(text) <= _MAX_CHARACTERS or line.font_size_pt < 0.8 * body.size_pt:
        return False
    if body.is_larger(line) or body.is_heavier(line) or text[0].isdigit() or text[:2].isupper():
        return True
    return text[0].isupper() and (len(text) < 24 or text[:8].casefold() == "abstract") and bool(known_name(text))


def _candidate(page: Page, span: range, around: _Surroundings) -> Candidate | None:
    line, body = page.lines[span.start], around.body
    text = join_split_words("\n".join(page.lines[i].text for i in span)).replace("\n", " ")
    known = known_name(text)
    if known and (len(text) > len(known) or not body.yields_to(line)):
        text, span = known, range(span.start, span.start + 1)
    numbering = parse_numbering(text)
    name = numbering.rest if numbering else text
    if not reads_as_title(text) or name[:1].islower() or (line.cells == 2 and not numbering) or is_garbled(text):
        return None
    confidence = _KNOWN_NAME if known else _confidence(line, text, numbering, body)
    if not confidence:
        return None
    worded = confidence == _PLAIN or is_worded(name, around.words)
    if confidence < STRONG and not (worded and _stands_over_prose(page.lines, span, around.edges)):
        return None
    return Candidate(
        title=clean_title(text, around.words),
        page=page.number,
        line=span.start,
        last_line=span.stop - 1,
        size_pt=line.font_size_pt,
        bold=line.bold,
        capitals=is_capitals(name),
        confidence=confidence,
        plain=confidence == _PLAIN,
    )


@dataclass(frozen=True, slots=True)
class _Surroundings:
    """What a line of a page is compared with."""

    edges: _Edges
    body: Body
    words: Vocabulary


def _confidence(line: Line, text: str, numbering: Numbering | None, body: Body) -> float:
    """How much the setting says for a heading; 0 where it says nothing."""
    sentence = text.endswith(".") and len(text) > _MIN_SENTENCE_CHARACTERS
    capitals = is_capitals(text) and not sentence and not (text.endswith(".") and " " not in text)
    numbered = numbering is not None and (bool(numbering.word) or numbering.depth > 1 or numbering.rest[:1].isupper())
    if body.is_larger(line) and not sentence:
        return _LARGER + 0.1 * numbered
    if numbered and not sentence and (capitals or body.is_heavier(line)):
        return _NUMBERED
    if body.is_heavier(line):
        return _SENTENCE if sentence else _HEAVY
    if capitals:
        return _CAPITALS
    return _PLAIN if numbering and _may_be_all(numbering, text) else 0.0


def _may_be_all(numbering: Numbering, text: str) -> bool:
    """Whether a number may be the only sign of a heading: "2.1", or the "A." of some journals, before a short title."""
    telling = (numbering.kind == "1" and numbering.depth > 1) or numbering.style == "A."
    return telling and not numbering.word and len(text) <= _MAX_PLAIN and text[-1] not in ".:" and not line_label(text)


@dataclass(frozen=True, slots=True)
class _Edges:
    """Where the prose of a page begins, and about which middles it is set."""

    lefts: frozenset[int]
    middles: frozenset[int]

    def hold(self, line: Line) -> bool:
        """Whether the line begins where prose begins, somewhat set in or not, or is centred over it."""
        left, middle = line.box.x0, (line.box.x0 + line.box.x1) / 2
        return any(-4 <= left - edge <= 24 for edge in self.lefts) or any(abs(middle - m) <= 6 for m in self.middles)


def _edges(page: Page) -> _Edges:
    prose = [line.box for line in page.lines if line.cells == 1 and len(line.text) >= 40 and not line.repeated]
    lefts = {round(box.x0) for box in prose} or {min((round(line.box.x0) for line in page.lines), default=0)}
    middles = {round((box.x0 + box.x1) / 2) for box in prose} | {round(page.width_pt / 2)}
    return _Edges(frozenset(lefts), frozenset(middles))


def _stands_over_prose(lines: Sequence[Line], span: range, edges: _Edges) -> bool:
    """Whether a weak heading is no cell of a table: nothing beside it, set like prose, no row both above and below.

    A line that the next one goes on from in small letters is a paragraph that begins in bold.
    """
    line = lines[span.start]
    before = lines[span.start - 1] if span.start else None
    following = lines[span.stop] if span.stop < len(lines) else None
    in_table = before is not None and before.cells > 2 and following is not None and following.cells > 2
    beside = any(
        other is not None and other.box.y0 < line.box.y1 - 2 and other.box.y1 > line.box.y0 + 2
        for other in (before, following if len(span) == 1 else None)
    )
    runs_on = following is not None and following.text[:1].islower() and line.text[-1:] not in ".:!?"
    return not in_table and not beside and not runs_on and edges.hold(line)
