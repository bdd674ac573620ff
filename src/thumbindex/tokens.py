"""How long a text is for a model whose tokenizer is not at hand."""

from __future__ import annotations

__all__ = ["estimate_tokens"]

_LETTERS_AND_SPACE = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ \n\t"


def estimate_tokens(text: str) -> int:
    """An estimate that errs upward of the tokens in `text`, for any common sub-word tokenizer.

    A third of the ASCII letters and spaces (English prose comes to a fourth), and one for each other UTF-8 byte: digits
    and punctuation are one token each in the most wasteful of the common tokenizers.
    """
    encoded = text.encode("utf-8", "replace")
    others = len(encoded.translate(None, _LETTERS_AND_SPACE))
    return (len(encoded) - others) // 3 + others + 1
