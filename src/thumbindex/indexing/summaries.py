"""Summaries taken from the text: sub-headings, row labels, and the sentences that tell a section from the rest."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from thumbindex.document import Document, Line, join_split_words
from thumbindex.indexing.style import Body
from thumbindex.indexing.titles import clean_title, title_key
from thumbindex.indexing.wording import reads_as_title
from thumbindex.terms import STOPWORDS
from thumbindex.tree import Node, SummarySource

__all__ = ["MAX_WORDS", "MIN_WORDS", "summarised"]

MIN_WORDS, MAX_WORDS = 20, 60
# What each kind of piece may take of a summary.
_HEADING_WORDS, _SENTENCE_WORDS, _LABEL_WORDS, _TITLES_WORDS = 18, 32, 22, 45
# A summary leaves out at least this share of a short section.
_LEFT_OUT = 0.2
_NO_TEXT = "No text."
_MAX_SENTENCES, _MAX_CANDIDATES = 250, 24

_WORD = re.compile(r"[^\W\d_]{3,}|[\u3040-\u9fff\uac00-\ud7af]")
_SENTENCE = re.compile(r"(?<=[a-z0-9)”\"’%][.!?])\s+(?=[A-Z“\"(])|(?<=[。！？])")
_NUMBER = re.compile(r"\(?[$€£¥]?\s?\(?\d|\$|[—–-]\s*$|[%]")

Rarity = Callable[[str], float]


def summarised(nodes: Sequence[Node], document: Document, body: Body) -> tuple[Node, ...]:
    """The sections with a summary each, of 20 to 60 words where they have that many; no two siblings have the same."""
    rarity = _rarity(document)
    return _siblings(nodes, document, body, rarity)


def _rarity(document: Document) -> Rarity:
    """How telling a word is: the logarithm of pages per page that has it; 0 for stop words."""
    holders = Counter(word for page in document.pages for word in set(_WORD.findall(page.search_text.lower())))
    count = len(document.pages) + 1
    weights = {word: math.log(count / holders[word]) + 0.1 for word in holders if word not in STOPWORDS}
    return lambda word: weights.get(word, 0.0)


def _siblings(nodes: Sequence[Node], document: Document, body: Body, rarity: Rarity) -> tuple[Node, ...]:
    taken: set[str] = set()
    done: list[Node] = []
    for bare in nodes:
        node = replace(bare, children=_siblings(bare.children, document, body, rarity))
        summary = (_of_parent if node.children else _of_leaf)(node, document, body, rarity)
        if summary in taken:
            pages = node.pages
            where = f"(page {pages.first}, line {node.start_line + 1}, to page {pages.last})"
            summary = f"{_cut(summary, MAX_WORDS - len(where.split()))} {where}".strip()
        taken.add(summary)
        done.append(replace(node, summary=summary, summary_source=SummarySource.EXTRACTIVE))
    return tuple(done)


def _of_leaf(node: Node, document: Document, body: Body, rarity: Rarity) -> str:
    lines = [line for _, _, line in node.lines(document)]
    headings, labels, prose = _sorted_out(lines, node.title, body)
    weights = _weights(lines, rarity)
    sentences = _by_weight(_sentences(prose), weights)
    pieces = [
        _joined(headings, _HEADING_WORDS),
        _first(sentences, _SENTENCE_WORDS),
        _joined(_rows_by_weight(labels, weights), _LABEL_WORDS),
        *(_cut(sentence, _SENTENCE_WORDS) for sentence in sentences[1:4]),
        _cut(" ".join(line.text for line in lines if title_key(line.text) not in title_key(node.title)), 2 * MIN_WORDS),
    ]
    whole = _cut(" ".join(line.text for line in lines), MIN_WORDS)
    return _composed(pieces, sum(line.text.count(" ") + 1 for line in lines)) or whole or _NO_TEXT


def _of_parent(node: Node, document: Document, body: Body, rarity: Rarity) -> str:
    """The titles of the children, then the most telling sentence of the opening or what the children say first."""
    titles = _joined((child.title for child in node.children), _TITLES_WORDS)
    opening = node.opening()
    own = _of_leaf(opening, document, body, rarity) if opening else ""
    inside = [_cut(child.summary, MIN_WORDS) for child in node.children]
    words = sum(line.text.count(" ") + 1 for _, _, line in node.lines(document)) if len(node.pages) == 1 else 10**6
    return _composed([titles, own, *inside], words)


def _sorted_out(lines: Sequence[Line], title: str, body: Body) -> tuple[list[str], list[str], list[str]]:
    """What stands out, the labels of rows, and prose; the section's own title left out."""
    headings: list[str] = []
    labels: list[str] = []
    prose: list[str] = []
    own = title_key(title)
    for line in lines:
        text = line.text
        if title_key(text) in own:
            continue
        if line.cells > 1:
            number = _NUMBER.search(text)
            label = text[: number.start()] if number else ""
            if len(label) > 3:
                labels.append(label.strip(" .:"))
        elif body.yields_to(line) and len(text) <= 120:
            if reads_as_title(text) and own not in title_key(text):
                headings.append(clean_title(text))
        elif len(text) > 25 or (prose and text[:1].islower()):
            prose.append(text)
    return list(dict.fromkeys(headings)), list(dict.fromkeys(labels)), prose


def _weights(lines: Sequence[Line], rarity: Rarity) -> dict[str, float]:
    """For each word of the section how often it stands there, dampened, times how telling it is."""
    counts = Counter(_WORD.findall("\n".join(line.text for line in lines).lower()))
    return {word: (1 + math.log(count)) * rarity(word) for word, count in counts.items()}


def _sentences(prose: Sequence[str]) -> list[str]:
    text = join_split_words("\n".join(prose)).replace("\n", " ")
    return [sentence for sentence in _SENTENCE.split(text)[:_MAX_SENTENCES] if sentence.count(" ") >= 5]


def _by_weight(sentences: Sequence[str], weights: Mapping[str, float]) -> list[str]:
    """The four sentences that say most for their length, each judged by words that those before it lack."""
    words = [set(_WORD.findall(sentence.lower())) for sentence in sentences]
    lengths = [sentence.count(" ") + 8 for sentence in sentences]

    def worth(index: int, said: set[str]) -> float:
        return sum(weights.get(word, 0.0) for word in words[index] - said) / lengths[index]

    first = {index: worth(index, set()) for index in range(len(sentences))}
    best = sorted(first, key=lambda index: -first[index])[:_MAX_CANDIDATES]
    chosen: list[int] = []
    said: set[str] = set()
    while best and len(chosen) < 4:
        chosen.append(max(best, key=lambda index: worth(index, said)))
        best.remove(chosen[-1])
        said |= words[chosen[-1]]
    return [sentences[index] for index in chosen]


def _rows_by_weight(labels: Sequence[str], weights: Mapping[str, float]) -> list[str]:
    """The labels with the most telling words, in the order of the table."""
    worth = {label: sum(weights.get(word, 0.0) for word in _WORD.findall(label.lower())) for label in labels}
    best = sorted(labels, key=lambda label: -worth[label])[:8]
    return [label for label in labels if label in best]


def _joined(texts: Iterable[str], max_words: int) -> str:
    """The texts one after another, whole, as long as they fit; the first is cut where it alone does not."""
    kept: list[str] = []
    words = 0
    for text in texts:
        count = text.count(" ") + 1
        if words + count > max_words:
            if not kept:
                kept.append(_cut(text, max_words))
            break
        kept.append(text.rstrip(" .;:"))
        words += count
    return "; ".join(kept)


def _first(sentences: Sequence[str], max_words: int) -> str:
    return _cut(sentences[0], max_words) if sentences else ""


def _cut(text: str, max_words: int) -> str:
    words = text.split()
    return text if len(words) <= max_words else " ".join(words[:max_words]).rstrip(",;:") + "…"


def _composed(pieces: Sequence[str], section_words: int) -> str:
    """Pieces until the summary has enough words, never more than allowed, nor nearly all that the section has."""
    limit = min(MAX_WORDS, max(min(MIN_WORDS, section_words - 1), int(section_words * (1 - _LEFT_OUT))))
    kept: list[str] = []
    words = 0
    for piece in _distinct(pieces):
        room = limit - words
        if room <= 0 or (words >= MIN_WORDS and len(piece.split()) > room):
            continue
        cut = _cut(piece, room)
        kept.append(cut if cut.endswith(("…", ".", "!", "?")) else cut + ".")
        words += len(cut.split())
    return " ".join(kept)


def _distinct(pieces: Sequence[str]) -> Iterator[str]:
    seen: list[str] = []
    for piece in pieces:
        key = title_key(piece)
        if piece and not any(key in other for other in seen):
            seen.append(key)
            yield piece
