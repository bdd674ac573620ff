"""Words that uneven kerning tore apart ("OVERVI EW"), made whole by the words of the rest of the document. Pure.

Geometry alone cannot do this: the torn gap is often as wide as a space. What tells it is that the parts stand nowhere
else in the document, and the whole stands in several places.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace

from thumbindex.document import Page

__all__ = ["mend_words"]

_RARE = 2
_MIN_WHOLE = 3
# "a rise" may well be two words where "arise" is common.
_MIN_WHOLE_AFTER_ARTICLE = 20


def mend_words(pages: Sequence[Page]) -> tuple[Page, ...]:
    """The pages with torn words joined."""
    rows = [[line.text.casefold().split() for line in page.lines] for page in pages]
    counts = Counter(word for row in rows for words in row for word in words)
    rare = {word for word, count in counts.items() if count <= _RARE and word.isalpha()}
    mended = []
    for page, row in zip(pages, rows, strict=True):
        torn = {
            index: text
            for index, words in enumerate(row)
            if not rare.isdisjoint(words)
            and (text := _mended(page.lines[index].text, words, counts, rare)) != page.lines[index].text
        }
        mended.append(_with_texts(page, torn) if torn else page)
    return tuple(mended)


def _with_texts(page: Page, texts: Mapping[int, str]) -> Page:
    lines = list(page.lines)
    for index, text in texts.items():
        lines[index] = replace(lines[index], text=text)
    return replace(page, lines=tuple(lines))


def _mended(text: str, words: Sequence[str], counts: Mapping[str, int], rare: Set[str]) -> str:
    parts = text.split()
    if len(parts) != len(words):
        return text
    joined = [parts[0]]
    for index in range(1, len(parts)):
        if _is_torn(words[index - 1], words[index], counts, rare):
            joined[-1] += parts[index]
        else:
            joined.append(parts[index])
    return " ".join(joined)


def _is_torn(left: str, right: str, counts: Mapping[str, int], rare: Set[str]) -> bool:
    if not (left in rare or right in rare) or not (left.isalpha() and right.isalpha()):
        return False
    whole = counts.get(left + right, 0)
    if left in ("a", "i"):
        return whole >= _MIN_WHOLE_AFTER_ARTICLE
    if left in rare and right in rare:
        return whole >= max(counts[left], counts[right])
    return whole >= max(_MIN_WHOLE, 3 * min(counts[left], counts[right]))
