"""What of a page's words a reader can see, and how far the text can be trusted. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence

from thumbindex.document import PageFlag
from thumbindex.pdf.words import PageText, Word

__all__ = ["visible_words"]

# What no text that can be read is made of: control characters, private use, and the mark of an unknown character. A run
# of one of them counts once: it is a leader of dots from a symbol font.
_BAD = re.compile(r"([\x00-\x08\x10-\x1f\x7f-\x9f\ufffd\ue000-\uf8ff\U000f0000-\U0010ffff])\1*")
_MIN_SIZE_PT = 1.0
# A picture that covers this much of a page is the page: invisible text over it is what OCR found in a scan.
_SCAN_SHARE = 0.5
_FEW_CHARACTERS = 30
_MANY_DRAWINGS = 150


def visible_words(page: PageText) -> tuple[list[Word], frozenset[PageFlag]]:
    """The words a reader of the page sees, and what is to be known about them.

    Invisible words stay where they are the text layer of a scan; elsewhere they are left out, as are words off the page
    and words too small to read.
    """
    right, bottom = 2 * page.width_pt, 2 * page.height_pt
    # By the middle of the word.
    inside = [word for word in page.words if 0 <= word[1] + word[3] <= right and 0 <= word[2] + word[4] <= bottom]
    unseen = {word.style for word in inside if not word[5].visible or word[5].size_pt < _MIN_SIZE_PT}
    painted = [word for word in inside if word.style not in unseen] if unseen else inside
    flags = set[PageFlag]()
    if page.truncated:
        flags.add(PageFlag.TRUNCATED)
    words = painted
    if len(painted) < len(page.words):
        if page.image_share >= _SCAN_SHARE and _length(painted) < 0.2 * _length(inside):
            words = [word for word in inside if word.style.size_pt >= _MIN_SIZE_PT]
        if len(words) < len(page.words):
            flags.add(PageFlag.HIDDEN_TEXT)
    text = "".join([word.text for word in words])
    bad = len(_BAD.findall(text)) / max(1, len(text))
    if bad > 0.05:
        flags.add(PageFlag.BAD_CHARACTERS)
    if bad > 0.3 or _needs_ocr(page, text):
        flags.add(PageFlag.NEEDS_OCR)
    return words, frozenset(flags)


def _length(words: Sequence[Word]) -> int:
    return sum([len(word.text) for word in words])


def _needs_ocr(page: PageText, text: str) -> bool:
    """Whether the page shows something, but next to no text."""
    return len(text) < _FEW_CHARACTERS and (page.image_share > 0.1 or page.drawings > _MANY_DRAWINGS)
