"""Pages that list what stands on other pages: contents, and cross-reference indexes of filings."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from thumbindex.document import Document, Page
from thumbindex.indexing.links import LineTargets
from thumbindex.indexing.numbering import roman_value

__all__ = [
    "CONTENTS_TITLE",
    "IS_NUMBER",
    "PAGES_NAMED",
    "contents_pages",
    "cross_reference_pages",
    "line_label",
]

_LABEL = re.compile(
    r"(?P<leaders>[\s.·•…_]+)"
    r"(?P<label>\d{1,4}|[ivxlc]{1,6}|[A-Z]{1,2}-\d{1,3})(?:\s?[-–—]\s?(?:\d{1,4}|[A-Z]{1,2}-\d{1,3}))?$"
)
CONTENTS_TITLE = re.compile(r"(?:table of )?contents(?: page)?|in this report|index|outline|agenda", re.IGNORECASE)
# A number and what it counts, whose last figure is no page number.
IS_NUMBER = re.compile(
    r"(?:item|note|chapter|section|part|appendix|exhibit|schedule|article|page)s?\s+(?:\d{1,3}[A-Z]?|[IVXLC]+|[A-Z])[.:]?",
    re.IGNORECASE,
)
_ITEM = re.compile(r"items?\s*\d{1,2}\s?[A-C]?\b", re.IGNORECASE)
PAGES_NAMED = re.compile(r"\s*\bpages?\s+(?P<first>[A-Z]?-?\d{1,4}|[ivxlc]+)\b.*$", re.IGNORECASE)

_MIN_LINKS, _MIN_LINKED_SHARE = 5, 0.4
_MIN_ENTRIES, _MIN_ENTRY_SHARE, _MIN_SPACED_SHARE = 5, 0.45, 0.6
# A page that calls itself contents needs no more than this.
_MIN_NAMED_ENTRIES = 3
_TITLE_LINES = 8
# An index names nearly all Items of the form, and pages for many of them.
_MIN_ITEMS, _MIN_PAGES = 10, 5


def contents_pages(document: Document, targets: LineTargets) -> list[int]:
    """The numbers of the pages that are a list of titles with page numbers, or with links."""
    return [page.number for page in document.pages if _is_contents(page, targets)]


def cross_reference_pages(document: Document) -> list[int]:
    """The numbers of the pages that say on which pages of a freely ordered report each Item of its form stands."""
    return [page.number for page in document.pages if _is_cross_reference(page)]


def line_label(text: str) -> re.Match[str] | None:
    """The page label that the line ends with, where a title stands before it."""
    if text[-1:].isdigit() or text[-1:] in "ivxlc":
        label = _LABEL.search(text)
        if label and any(c.isalpha() for c in text[: label.start()]) and not IS_NUMBER.fullmatch(text):
            return label
    return None


def _is_contents(page: Page, targets: LineTargets) -> bool:
    lines = [(index, line) for index, line in enumerate(page.lines) if not line.repeated]
    linked = [targets[page.number, index].target_page for index, _ in lines if (page.number, index) in targets]
    if len(linked) >= max(_MIN_LINKS, _MIN_LINKED_SHARE * len(lines)) and _ascending(linked):
        return True
    entries = [(line, label) for _, line in lines if (label := line_label(line.text))]
    if len(entries) < _MIN_NAMED_ENTRIES:
        return False
    spaced = sum(line.cells > 1 or len(label["leaders"].strip()) > 2 for line, label in entries)
    if spaced < _MIN_SPACED_SHARE * len(entries) or not _ascending([_ordinal(label["label"]) for _, label in entries]):
        return False
    named = any(CONTENTS_TITLE.fullmatch(line.text.strip(" :.")) for _, line in lines[:_TITLE_LINES])
    return named or len(entries) >= max(_MIN_ENTRIES, _MIN_ENTRY_SHARE * len(lines))


def _ascending(values: Sequence[int]) -> bool:
    """Whether the values hardly ever fall, and do rise."""
    falls = sum(left > right for left, right in pairwise(values))
    return falls <= 0.15 * len(values) and len(set(values)) >= 3


def _ordinal(label: str) -> int:
    """A number that orders labels as they follow each other: roman, arabic, lettered ("F-3")."""
    if label.isdigit():
        return int(label)
    if label[-1].isdigit():
        return 10_000 + int(label.rpartition("-")[2])
    return roman_value(label) - 1_000


def _is_cross_reference(page: Page) -> bool:
    items = sum(bool(_ITEM.match(line.text)) for line in page.lines)
    return items >= _MIN_ITEMS and sum(bool(PAGES_NAMED.search(line.text)) for line in page.lines) >= _MIN_PAGES
