"""Text to the terms that lexical ranking counts."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

import Stemmer

__all__ = ["STOPWORDS", "content_terms", "terms"]

# Scripts written without spaces: each run becomes overlapping pairs of characters, since no word list ships with us.
_UNSPACED = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_TERM = re.compile(rf"[{_UNSPACED}]+|\d+(?:[.,]\d+)*|[^\W\d_{_UNSPACED}]+(?:['’][^\W\d_]+)?", re.UNICODE)
_UNSPACED_RUN = re.compile(rf"[{_UNSPACED}]")

STOPWORDS = frozenset(
    "a about after all also am an and any are as at be been before being both but by can could did do does doing done "
    "each for from get give given had has have having he her here his how i if in into is it its itself just like me "
    "more most much my no nor not of off on only or other our out over own please same she should so some such tell "
    "than that the their them then there these they this those through to too under until up us very was we were what "
    "when where which while who whom whose why will with would you your".split()
)


def terms(text: str) -> list[str]:
    """Stemmed, lower-case terms of `text` in order, stop words included; thousands separators go ("1,577" → "1577")."""
    found: list[str] = []
    for word in _TERM.findall(unicodedata.normalize("NFKC", text).lower()):
        if word[0].isdigit():
            found.append(word.replace(",", ""))
        elif _UNSPACED_RUN.match(word):
            found.extend(word[i : i + 2] for i in range(max(1, len(word) - 1)))
        else:
            found.append(_stem(word))
    return found


def content_terms(text: str) -> list[str]:
    """The terms of `text` without stop words; all of them where it has no others."""
    every = terms(text)
    return [term for term in every if term not in _stemmed_stopwords()] or every


@lru_cache(maxsize=200_000)
def _stem(word: str) -> str:
    return str(_stemmer().stemWord(word.replace("’", "'").removesuffix("'s")))


@lru_cache(maxsize=1)
def _stemmer() -> Stemmer.Stemmer:
    return Stemmer.Stemmer("english")


@lru_cache(maxsize=1)
def _stemmed_stopwords() -> frozenset[str]:
    return frozenset(_stem(word) for word in STOPWORDS)
