"""Text to the terms that lexical ranking counts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

import Stemmer

__all__ = [
    "ASKING_WORDS",
    "STOPWORDS",
    "content_terms",
    "is_asking_term",
    "specific_terms",
    "terms",
    "without_stop_words",
]

# Scripts written without spaces: each run becomes overlapping pairs of characters, since no word list ships with us.
_UNSPACED = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uac00-\ud7af\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
_TERM = re.compile(rf"[{_UNSPACED}]+|\d+(?:[.,]\d+)*|[^\W\d_{_UNSPACED}]+(?:['’][^\W\d_]+)?", re.UNICODE)
_UNSPACED_RUN = re.compile(rf"[{_UNSPACED}]")

# Words of capitals alone that are longer are a way of writing, not a name.
_LONGEST_ACRONYM = 5

STOPWORDS = frozenset(
    "a about after all also am an and any are as at be been before being both but by can could did do does doing done "
    "each for from get give given had has have having he her here his how i if in into is it its itself just like me "
    "more most much my no nor not of off on only or other our out over own please same she should so some such tell "
    "than that the their them then there these they this those through to too under until up us very was we were what "
    "when where which while who whom whose why will with would you your".split()
)

# Words that say how to answer rather than what about: of asking and telling, of number and degree, of time in general.
# They stand in questions more than in answers. Words for a document and its parts ("report", "page", "table") are left
# out on purpose: questions name them where they matter.
ASKING_WORDS = frozenset(
    # asking and telling
    "according answer appear ask assume base based calculate call called compare compared comparison compute consider "
    "contain data define definition describe detail details determine discuss display explain find follow following "
    "found identify include included including indicate information know list look mean mention name need note present "
    "provide question read refer reference rely reply respond response said say says see show shown specify state "
    "stated summarize tell think use used using want "
    # number
    "amount approximate approximately average count decimal digit exact exactly first format integer last number order "
    "percent percentage place places proportion round second third total unit value one two three four five six seven "
    "eight nine ten "
    # degree and circumstance
    "available between big case certain come difference different due during end example full go happen held help high "
    "higher highest important key kind large largest low lower made main mainly major make non occur part per possible "
    "primarily primary reason relevant small specific specifically take taken thing top type useful way "
    # time
    "annual date day fiscal fy month period quarter time year years".split()
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
    return without_stop_words(terms(text))


def without_stop_words(found: list[str]) -> list[str]:
    """The terms that are no stop words; all of them where there are no others."""
    return [term for term in found if term not in _stemmed_stopwords()] or found


def specific_terms(text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The terms of `text` that stand for one thing: of its names, and its figures and years.

    A name is a word with a capital letter that does not begin the text.
    """
    words = _TERM.findall(unicodedata.normalize("NFKC", text))
    figures = [word for word in words if any(character.isdigit() for character in word)]
    cased = [word for word in words[1:] if not word.isupper() or len(word) <= _LONGEST_ACRONYM]
    names = [word for word in cased if word[0].isupper() and word.lower() not in STOPWORDS | ASKING_WORDS]
    return _distinct(names), _distinct(figures)


def is_asking_term(term: str) -> bool:
    """Whether a term is the stem of one of `ASKING_WORDS`."""
    return term in _stemmed_asking_words()


def _distinct(words: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(term for word in words for term in terms(word)))


@lru_cache(maxsize=200_000)
def _stem(word: str) -> str:
    return str(_stemmer().stemWord(word.replace("’", "'").removesuffix("'s")))


@lru_cache(maxsize=1)
def _stemmer() -> Stemmer.Stemmer:
    return Stemmer.Stemmer("english")


@lru_cache(maxsize=1)
def _stemmed_stopwords() -> frozenset[str]:
    return frozenset(_stem(word) for word in STOPWORDS)


@lru_cache(maxsize=1)
def _stemmed_asking_words() -> frozenset[str]:
    return frozenset(_stem(word) for word in ASKING_WORDS)
