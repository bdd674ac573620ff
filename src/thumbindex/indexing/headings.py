"""Headings by how they are set: larger, heavier or in capitals, on lines of their own, numbered or not."""

from __future__ import annotations

import re
import statistics
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from thumbindex.document import Document, Line, Page, join_split_words
from thumbindex.indexing.heading import Heading
from thumbindex.indexing.levels import LevelKey, nested_levels, stepped
from thumbindex.indexing.numbering import Numbering, parse_numbering
from thumbindex.indexing.sequences import best_sequence
from thumbindex.indexing.style import Body, is_capitals, wrapped_lines
from thumbindex.indexing.titles import Vocabulary, clean_title, is_continued, title_key
from thumbindex.tree import NodeSource

__all__ = ["STRONG", "is_outermost_name", "reads_as_title", "set_headings", "title_of"]

_CAPTION = re.compile(
    r"(?:table|figure|fig\.|exhibit|chart|graph|box|source|sources|note|notes|map|photo|algorithm|listing|plate)\b[\s.:]*"
    r"(?:\d|[A-Z]\b|$|:)|\(?(?:\$ ?in|in|dollars in|amounts in|unaudited|continued)\b|\W*(?:https?:|www\.)|[\d\W]+$",
    re.IGNORECASE,
)
_DATE = re.compile(
    r"(?:(?:as of|at|for the|years?|quarters?|months?|fiscal|ended|ending|three|six|nine|twelve|and|to|through|"
    r"january|february|march|april|may|june|july|august|september|october|november|december|"
    r"jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b|[\s\d.,/–—-])+",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]{3}|[\u3040-\u9fff\uac00-\ud7af]{2}")
# Sections that many authors name alike; "Abstract" also stands at the head of its own paragraph.
_KNOWN = re.compile(
    r"abstract(?=\s*[—–:.-]|$)|(?:(?:executive )?summary|introduction|preface|foreword|acknowledge?ments?|references|bibliography|"
    r"glossary|index|conclusions?|appendi(?:x|ces)|limitations)$",
    re.IGNORECASE,
)
_OUTERMOST = re.compile(r"abstract|references|bibliography|acknowledge?ments?|ethics statement|works cited", re.IGNORECASE)
_REFERENCES = re.compile(r"\b(?:references|bibliography|works cited)\W*$", re.IGNORECASE)
_WORDS = re.compile(r"[^\W\d_]+")
_STUTTER = re.compile(r"(\w)\1{3}")
_PUNCTUATION = frozenset(".,:;!?'\"()[]&/%$€£#@+-–—‘’“”§®™©…*|·•")
_BULLET = re.compile(r"[•◦▪■●○\-–—*□☐☒✓➢§]\s")

# Larger type, a number, or both are as good as print gives; weight alone or capitals alone are also used for emphasis.
STRONG = 0.7
_LARGER, _KNOWN_NAME, _NUMBERED, _HEAVY, _CAPITALS, _SENTENCE = 0.75, 0.7, 0.7, 0.55, 0.5, 0.4
_MAX_CHARACTERS, _MAX_LINES = 160, 4
# Sizes nearer than this are one size.
_SIZE_STEP_PT = 0.6
# A setting in which a page has more titles than this is a list, a form, or a table.
_MAX_PER_PAGE = 8
# A cover and the page after it print the title of the whole.
_TITLE_PAGES = 2


@dataclass(frozen=True, slots=True)
class _Set:
    """A line (or wrapped lines) that stands out, with how it is set."""

    title: str
    page: int
    line: int
    size_pt: float
    bold: bool
    capitals: bool
    confidence: float
    last_line: int


def set_headings(document: Document, body: Body, skip: Collection[int], words: Vocabulary) -> list[Heading]:
    """All lines that are set as headings, in reading order, nested by number, then by size and weight.

    Those before the first of the outermost kind lie at level 1: they divide the opening.

    Args:
        skip: Contents pages.
    """
    found = [h for page in document.pages if page.number not in skip for h in _on_page(page, body, words)]
    found = _without_title(_without_repeats(found), title_of(document))
    found = _without_reference_entries(_without_list_items(found))
    sizes = stepped([-size for size in _sizes(found)], _SIZE_STEP_PT)
    settings = [(size, not h.bold, not h.capitals) for h, size in zip(found, sizes, strict=True)]
    levels = nested_levels([LevelKey(setting, h.title) for h, setting in zip(found, settings, strict=True)])
    opening = _length_of_opening(settings, levels)
    return [
        Heading(h.title, h.page, h.line, level + (index < opening), NodeSource.HEADING, h.confidence)
        for index, (h, level) in enumerate(zip(found, levels, strict=True))
    ]


def _length_of_opening(settings: Sequence[tuple[int, bool, bool]], levels: Sequence[int]) -> int:
    """How many headings stand before the first that is set as most outermost headings are, or more prominently."""
    outermost = Counter(setting for setting, level in zip(settings, levels, strict=True) if level == 0)
    if not outermost:
        return 0
    usual = outermost.most_common(1)[0][0]
    return next(index for index, setting in enumerate(settings) if setting <= usual)


def _sizes(found: Sequence[_Set]) -> list[float]:
    """The size of each heading; none counts as larger than the chapters of a document that numbers them."""
    run = _main_run(found)
    if not run:
        return [candidate.size_pt for candidate in found]
    largest = statistics.median(found[index].size_pt for index in run)
    return [min(candidate.size_pt, largest) for candidate in found]


def _on_page(page: Page, body: Body, words: Vocabulary) -> list[_Set]:
    found: list[_Set] = []
    until = 0
    edges = _edges(page)
    for index, line in enumerate(page.lines):
        if index < until or line.repeated or line.cells > 2 or not _may_be_title(line, body):
            continue
        count = wrapped_lines(page.lines, index, _MAX_LINES)
        until = index + count
        candidate = _candidate(page, index, count, edges, body, words)
        if candidate:
            found.append(candidate)
    crowded = Counter((c.bold, c.capitals, round(c.size_pt)) for c in found)
    return [c for c in found if crowded[c.bold, c.capitals, round(c.size_pt)] <= _MAX_PER_PAGE]


def _may_be_title(line: Line, body: Body) -> bool:
    """A cheap look that turns away nearly all lines."""
    text = line.text
    if len(text) < 3 or len(text) > _MAX_CHARACTERS or line.font_size_pt < 0.8 * body.size_pt:
        return False
    if body.is_larger(line) or body.is_heavier(line) or text[0].isdigit() or text[:2].isupper():
        return True
    return text[0].isupper() and (len(text) < 24 or text[:8].casefold() == "abstract") and bool(_KNOWN.match(text))


def _candidate(page: Page, index: int, count: int, edges: _Edges, body: Body, words: Vocabulary) -> _Set | None:
    line = page.lines[index]
    text = join_split_words("\n".join(each.text for each in page.lines[index : index + count])).replace("\n", " ")
    known = _KNOWN.match(text)
    if known and not body.yields_to(line):
        text, count = known[0], 1
    numbering = parse_numbering(text)
    name = numbering.rest if numbering else text
    if not reads_as_title(text) or name[:1].islower() or (line.cells == 2 and not numbering):
        return None
    numbered = numbering is not None and (bool(numbering.word) or numbering.depth > 1 or name[:1].isupper())
    confidence = _KNOWN_NAME if known else _confidence(line, text, numbered, body)
    if not confidence or _is_garbled(text):
        return None
    if confidence < STRONG and not (_stands_over_prose(page.lines, index, count, edges) and _is_worded(text, words)):
        return None
    return _Set(
        title=clean_title(text, words),
        page=page.number,
        line=index,
        size_pt=line.font_size_pt,
        bold=line.bold,
        capitals=is_capitals(name),
        confidence=confidence,
        last_line=index + count - 1,
    )


def reads_as_title(text: str) -> bool:
    """Whether the words could be a title: no fragment, list item, caption, date, unit, or number."""
    letters = sum(c.isalpha() for c in text)
    if not _WORD.search(text) or letters < 0.5 * len(text.replace(" ", "")) or len(text) > 2 * _MAX_CHARACTERS:
        return False
    if text[:1].islower() or text[-1] in ",;" or _BULLET.match(text) or is_continued(text):
        return False
    return not (_CAPTION.match(text) or _DATE.fullmatch(text) or "...." in text)


def _is_garbled(text: str) -> bool:
    """Whether the text shows marks of failed character recognition."""
    odd = sum(not (c.isalnum() or c.isspace() or c in _PUNCTUATION) for c in text)
    return odd > 0.1 * len(text) or "\ufffd" in text or bool(_STUTTER.search(text))


def _is_worded(text: str, words: Vocabulary) -> bool:
    """Whether most words of a weak heading are used elsewhere in the document."""
    own = _WORDS.findall(text.lower())
    return sum(words[word] > 1 for word in own) >= 0.6 * len(own)


def _confidence(line: Line, text: str, numbered: bool, body: Body) -> float:
    """How much the setting says for a heading; 0 where it says nothing."""
    sentence = text.endswith(".") and len(text) > 60
    if body.is_larger(line) and not sentence:
        return _LARGER + 0.1 * numbered
    stands_out = body.is_heavier(line) or is_capitals(text)
    if numbered and stands_out and not sentence:
        return _NUMBERED
    if body.is_heavier(line):
        return _SENTENCE if sentence else _HEAVY
    return _CAPITALS if is_capitals(text) and not sentence and not (text.endswith(".") and " " not in text) else 0.0


@dataclass(frozen=True, slots=True)
class _Edges:
    """Where the prose of a page begins, and about which middles it is set."""

    lefts: tuple[float, ...]
    middles: tuple[float, ...]

    def hold(self, line: Line) -> bool:
        """Whether the line begins where prose begins, somewhat set in or not, or is centred over it."""
        left, middle = line.box.x0, (line.box.x0 + line.box.x1) / 2
        return any(-4 <= left - edge <= 24 for edge in self.lefts) or any(abs(middle - m) <= 6 for m in self.middles)


def _edges(page: Page) -> _Edges:
    prose = [line.box for line in page.lines if line.cells == 1 and len(line.text) >= 40 and not line.repeated]
    boxes = prose or [line.box for line in page.lines]
    lefts = tuple({round(box.x0) for box in boxes} if prose else {min((round(box.x0) for box in boxes), default=0)})
    return _Edges(lefts, tuple({round((box.x0 + box.x1) / 2) for box in prose} | {round(page.width_pt / 2)}))


def _stands_over_prose(lines: Sequence[Line], index: int, count: int, edges: _Edges) -> bool:
    """Whether a weak heading is no cell of a table: nothing beside it, set like prose, no row both above and below.

    A line that the next one goes on from in small letters is a paragraph that begins in bold.
    """
    line = lines[index]
    before = lines[index - 1] if index else None
    following = lines[index + count] if index + count < len(lines) else None
    in_table = before is not None and before.cells > 2 and following is not None and following.cells > 2
    beside = any(
        other is not None and other.box.y0 < line.box.y1 - 2 and other.box.y1 > line.box.y0 + 2
        for other in (before, following if count == 1 else None)
    )
    runs_on = following is not None and following.text[:1].islower() and line.text[-1:] not in ".:!?"
    return not in_table and not beside and not runs_on and edges.hold(line)


def _without_repeats(found: Sequence[_Set]) -> list[_Set]:
    """Titles without those that come again on page after page: headers that were not known as such."""
    pages: dict[str, set[int]] = {}
    for candidate in found:
        pages.setdefault(title_key(candidate.title), set()).add(candidate.page)
    kept: list[_Set] = []
    for candidate in found:
        key = title_key(candidate.title)
        running = len(pages[key]) > 2 and candidate.page - 1 in pages[key]
        if not running:
            kept.append(candidate)
    return kept


def is_outermost_name(title: str) -> bool:
    """Whether authors give this name to a part of the whole, never to a part of a section."""
    return bool(_OUTERMOST.fullmatch(title.strip(" .:")))


def title_of(document: Document) -> str:
    """The largest line of the first page that has text, wrapped lines joined; empty where there is none."""
    page = next((page for page in document.pages if any(not line.repeated for line in page.lines)), None)
    if page is None:
        return ""
    sized = [(line.font_size_pt, -index) for index, line in enumerate(page.lines) if _has_words(line)]
    if not sized:
        return ""
    index = -max(sized)[1]
    return clean_title(" ".join(line.text for line in page.lines[index : index + wrapped_lines(page.lines, index)]))


def _has_words(line: Line) -> bool:
    return sum(c.isalpha() for c in line.text) >= 4 and line.box.width_pt > line.box.height_pt and not line.repeated


def _without_title(found: Sequence[_Set], title: str) -> list[_Set]:
    """The headings without the title of the document, what is set right below it, and what stands before an abstract.

    The title is what stands on the first pages in a size that no heading after them has, or is printed there again.
    """
    abstract = next((c for c in found if c.page <= _TITLE_PAGES and c.title.casefold() == "abstract"), None)
    largest = max((c.size_pt for c in found if c.page > _TITLE_PAGES), default=0.0)
    kept: list[_Set] = []
    below: tuple[int, int] | None = None
    for candidate in found:
        place = (candidate.page, candidate.line)
        again = len(title) >= 8 and title_key(candidate.title) == title_key(title)
        early = candidate.page <= _TITLE_PAGES and (again or 0 < largest < candidate.size_pt - _SIZE_STEP_PT)
        before = abstract is not None and place < (abstract.page, abstract.line)
        names_itself = _KNOWN.match(candidate.title) or parse_numbering(candidate.title)
        subtitle = below is not None and below[0] == place[0] and place[1] - below[1] <= 2 and not names_itself
        below = (candidate.page, candidate.last_line) if early or before or subtitle or again else None
        if again and not early:
            kept.append(replace(candidate, size_pt=min(candidate.size_pt, _usual_size(found))))
        elif not (early or before or subtitle):
            kept.append(candidate)
    return kept


def _usual_size(found: Sequence[_Set]) -> float:
    """The size of the largest headings that are not alone in it."""
    counts = Counter(round(candidate.size_pt) for candidate in found)
    return float(max((size for size, count in counts.items() if count > 1), default=max(counts, default=0)))


def _without_list_items(found: Sequence[_Set]) -> list[_Set]:
    """The headings without stray "2." among the chapters 1, 2, 3… of a document that numbers their parts 2.1, 2.2…"""
    run = set(_main_run(found))
    if not run:
        return list(found)
    return [c for index, c in enumerate(found) if index in run or not _is_chapter_number(parse_numbering(c.title))]


def _main_run(found: Sequence[_Set]) -> list[int]:
    """The indices of the chapters 1, 2, 3… of a document that numbers their parts 2.1, 2.2…; empty for others."""
    numbers = [parse_numbering(candidate.title) for candidate in found]
    parts = {n.values[0] for n in numbers if n and not n.word and n.depth == 2 and n.style[0] == "1"}
    single = [index for index, number in enumerate(numbers) if _is_chapter_number(number)]
    if len(parts) < 2 or not single:
        return []
    values = [number.values[0] for index in single if (number := numbers[index])]
    weights = [found[index].size_pt * (1 + found[index].confidence) for index in single]
    return [single[at] for at in best_sequence(values, weights, gap_cost=max(weights) / 2)]


def _is_chapter_number(number: Numbering | None) -> bool:
    return number is not None and not number.word and number.depth == 1 and number.style[0] == "1"


def _without_reference_entries(found: Sequence[_Set]) -> list[_Set]:
    """The headings without weak ones in a list of references, where names of journals stand out."""
    kept: list[_Set] = []
    inside = False
    for candidate in found:
        if candidate.confidence >= STRONG:
            inside = bool(_REFERENCES.search(candidate.title))
        if not inside or candidate.confidence >= STRONG:
            kept.append(candidate)
    return kept
