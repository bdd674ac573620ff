"""Characters as a file gives them to text that can be read and searched. Pure."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["clean_text", "with_ligatures"]

# PDFium's mark of a hyphen at a line end; hyphens and spaces that are not to be seen; the bullets of symbol fonts.
_MEANINGS = str.maketrans({"\ufffe": "-", "\u00ad": None, "\u200b": None, "\ufeff": None, "\uf0b7": "•", "\uf0a7": "•"})
# Unknown characters, and private ones that mean something in one font only.
_MEANINGLESS = re.compile(r"[\ufffd\ue000-\uf8ff\U000f0000-\U0010ffff\ud800-\udfff]")

# Where TeX's old fonts keep their ligatures, in place of control characters.
_LIGATURES = str.maketrans("\x0b\x0c\r\x0e\x0f", "\ufb00\ufb01\ufb02\ufb03\ufb04")
_LIGATURE = re.compile(r"[\x0b\x0c\x0e\x0f]|\r(?!\n)")


def with_ligatures(text: str) -> str:
    """The raw text with TeX's ligatures, one character for one; a line end is a return with a line feed, and stays."""
    return _LIGATURE.sub(lambda match: match[0].translate(_LIGATURES), text)


def clean_text(text: str) -> str:
    """The text NFKC-normalised and single-spaced, without control and other characters that say nothing."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", _MEANINGLESS.sub(" ", text.translate(_MEANINGS)))
    if not text.isprintable():
        text = "".join(character if character.isprintable() else " " for character in text)
    return " ".join(text.split())
