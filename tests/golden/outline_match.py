"""How well a produced tree follows an outline that a reader wrote by hand.

A golden outline has two levels of entries: `title` as printed, `page` from 1 where the section starts, `children`,
and where needed `also` (another wording that the document itself prints for the section) and `optional` (readers
differ whether it is a section: finding it and missing it cost the same, nothing). A produced tree has PageIndex's
shape: `title`, `start_index`, `end_index`, `nodes`.

An entry and a node match when they start on the same page and their titles are alike: equal after normalising, with
or without the printed number, or nearly so. Matching is one to one, the most alike pair first.

What counts against precision, and what does not:

- Level 1: every node that matches no entry counts, except front matter: a node titled as a cover or a contents page,
  and nodes that stand before the first match and end no later than the page of the first entry (title blocks, leads,
  preambles). A tree with one root, which matches no entry, is read from that root's children: the root is the title
  of the document.
- Level 2: a match counts wherever the node hangs. A node that matches nothing counts unless its parent is front
  matter, or matches an entry without children: there the outline says nothing. Children of a parent that matches
  no entry do count, since the reader has no such section.

Recall is over all entries of the level that are not optional.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any

__all__ = ["outline_f1", "title_likeness"]

# OCR, dropped ligatures and a lost hyphen stay above this in titles of ordinary length; another title stays below.
NEARLY_EQUAL = 0.9

FRONT_MATTER = frozenset({"contents", "table of contents", "cover", "cover page", "title page", "front matter"})

LABEL = re.compile(
    r"""(?:(?:part|chapter|section|appendix|annex|article|item|lecture)\s+)?
        (?:\d+(?:\.\d+)*|[a-z](?:\.\d+)+|[ivxlc]+|[a-z])
        (?:\s*[.):|–—-]\s*|\s+)(?=\S)""",
    re.VERBOSE,
)


@dataclass(frozen=True)
class Entry:
    """A golden entry; `titles` are all the wordings that count."""

    titles: tuple[str, ...]
    page: int
    optional: bool
    has_children: bool


@dataclass(frozen=True)
class Section:
    """A produced node; `parent` is the place of its parent among the nodes of level 1, and None on level 1."""

    title: str
    first: int
    last: int
    parent: int | None = None


def outline_f1(
    golden: Mapping[str, Any], tree_nodes: Sequence[Mapping[str, Any]], level: int
) -> tuple[float, float, float]:
    """(precision, recall, F1) of the produced nodes of a level (1 or 2) against the golden entries of that level.

    Raises:
        ValueError: The level is neither 1 nor 2, or the outline has no entries that must be found on it.
    """
    if level not in (1, 2):
        raise ValueError(f"level must be 1 or 2, not {level}")
    entries = list(_entries(golden, level))
    required = sum(not entry.optional for entry in entries)
    if not required:
        raise ValueError(f"the outline of {golden['file']} says nothing about level {level}")
    nodes = _without_title_root(golden, tree_nodes)
    sections, counted = _first_level(golden, nodes) if level == 1 else _second_level(golden, nodes)
    found = _matches(entries, sections)
    right = sum(not entry.optional for entry in found.values())
    wrong = sum(place in counted and place not in found for place in range(len(sections)))
    return _scores(right, right + wrong, required)


def title_likeness(printed: str, produced: str) -> float:
    """How alike two titles are, in [0, 1]; 1 when they are equal but for case, punctuation, spaces or numbering."""
    pairs = ((one, other) for one in _wordings(printed) for other in _wordings(produced))
    return max(SequenceMatcher(None, one, other, autojunk=False).ratio() for one, other in pairs)


def _wordings(title: str) -> set[str]:
    text = unicodedata.normalize("NFKC", title).casefold().strip()
    label = LABEL.match(text)
    return {_plain(text), _plain(text[label.end() :] if label else text)}


def _plain(text: str) -> str:
    return " ".join(re.sub(r"[\W_]+", " ", text).split())


def _entries(golden: Mapping[str, Any], level: int) -> Iterator[Entry]:
    for item in golden["outline"]:
        yield from map(_entry, (item,) if level == 1 else item.get("children", ()))


def _entry(item: Mapping[str, Any]) -> Entry:
    titles = (item["title"], *item.get("also", ()))
    return Entry(titles, item["page"], item.get("optional", False), bool(item.get("children")))


def _without_title_root(golden: Mapping[str, Any], nodes: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
    below: Sequence[Mapping[str, Any]] = nodes[0].get("nodes", ()) if len(nodes) == 1 else ()
    is_title = below and not _matches(list(_entries(golden, 1)), [_section(nodes[0])])
    return below if is_title else nodes


def _section(node: Mapping[str, Any], parent: int | None = None) -> Section:
    return Section(node["title"], node["start_index"], node["end_index"], parent)


def _first_level(golden: Mapping[str, Any], nodes: Sequence[Mapping[str, Any]]) -> tuple[list[Section], set[int]]:
    """The produced sections of level 1 and the places of those that are no front matter."""
    entries = list(_entries(golden, 1))
    sections = [_section(node) for node in nodes]
    first_match = min(_matches(entries, sections), default=len(sections))
    body_page = min(entry.page for entry in entries)
    return sections, {
        place
        for place, section in enumerate(sections)
        if _plain(section.title.casefold()) not in FRONT_MATTER
        and not (place < first_match and section.last <= body_page)
    }


def _second_level(golden: Mapping[str, Any], nodes: Sequence[Mapping[str, Any]]) -> tuple[list[Section], set[int]]:
    """The produced sections of level 2 and the places of those under a parent of which the outline says something."""
    parents, body = _first_level(golden, nodes)
    found = _matches(list(_entries(golden, 1)), parents)
    silent = {place for place, entry in found.items() if not entry.has_children}
    sections = [_section(child, place) for place, node in enumerate(nodes) for child in node.get("nodes", ())]
    return sections, {place for place, section in enumerate(sections) if section.parent in body - silent}


def _matches(entries: Sequence[Entry], sections: Sequence[Section]) -> dict[int, Entry]:
    """The entry that each matched section, by its place, stands for."""
    pairs = sorted(
        (-likeness, place, index)
        for place, section in enumerate(sections)
        for index, entry in enumerate(entries)
        if entry.page == section.first
        and (likeness := max(title_likeness(title, section.title) for title in entry.titles)) >= NEARLY_EQUAL
    )
    found: dict[int, Entry] = {}
    taken: set[int] = set()
    for _, place, index in pairs:
        if place not in found and index not in taken:
            found[place] = entries[index]
            taken.add(index)
    return found


def _scores(right: int, produced: int, required: int) -> tuple[float, float, float]:
    precision = right / produced if produced else 0.0
    recall = right / required
    return precision, recall, 2 * right / (produced + required)
