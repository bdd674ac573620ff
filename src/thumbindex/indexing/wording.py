"""What the words of a line say for or against its being a title."""

from __future__ import annotations

import re

from thumbindex.indexing.titles import Vocabulary, is_continued

__all__ = ["is_garbled", "is_worded", "known_name", "names_references", "names_whole_part", "reads_as_title"]

_CAPTION = re.compile(
    r"(?:table|figure|fig\.|exhibit|chart|graph|box|source|sources|note|notes|map|photo|algorithm|listing|plate)\b"
    r"[\s.:]*(?:\d|[A-Z]\b|$|:)|\(?(?:\$ ?in|in|dollars in|amounts in|unaudited|continued)\b|"
    r"\W*(?:https?:|www\.)|[\d\W]+$",
    re.IGNORECASE,
)
_DATE = re.compile(
    r"(?:(?:as of|at|for the|years?|quarters?|months?|fiscal|ended|ending|three|six|nine|twelve|and|to|through|"
    r"january|february|march|april|may|june|july|august|september|october|november|december|"
    r"jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\b|[\s\d.,/–—-])+",
    re.IGNORECASE,
)
_WORD = re.compile(r"[^\W\d_]{3}|[\u3040-\u9fff\uac00-\ud7af]{2}")
_WORDS = re.compile(r"[^\W\d_]+")
_BULLET = re.compile(r"[•◦▪■●○\-–—*□☐☒✓➢§]\s")
# Sections that many authors name alike; "Abstract" also stands at the head of its own paragraph.
_KNOWN = re.compile(
    r"abstract(?=\s*[—–:.-]|$)|(?:(?:executive )?summary|introduction|preface|foreword|acknowledge?ments?|references|"
    r"bibliography|glossary|index|conclusions?|appendi(?:x|ces)|limitations)$",
    re.IGNORECASE,
)
_WHOLE_PART = re.compile(
    r"abstract|references|bibliography|acknowledge?ments?|ethics statement|works cited", re.IGNORECASE
)
_REFERENCES = re.compile(r"\b(?:references|bibliography|works cited)\W*$", re.IGNORECASE)
_STUTTER = re.compile(r"(\w)\1{3}")
_PUNCTUATION = frozenset(".,:;!?'\"()[]&/-–—‘’“”§®™©…·•")
_MAX_CHARACTERS = 320


def reads_as_title(text: str) -> bool:
    """Whether the words could be a title: no fragment, list item, caption, date, unit, or number."""
    letters = sum(map(str.isalpha, text))
    if not _WORD.search(text) or letters < 0.5 * len(text.replace(" ", "")) or len(text) > _MAX_CHARACTERS:
        return False
    if text[:1].islower() or text[-1] in ",;" or _BULLET.match(text) or is_continued(text):
        return False
    return not (_CAPTION.match(text) or _DATE.fullmatch(text) or "...." in text)


def known_name(text: str) -> str:
    """The name of a section that many authors name alike, where `text` is or begins with it; else empty."""
    match = _KNOWN.match(text)
    return match[0] if match else ""


def names_whole_part(title: str) -> bool:
    """Whether authors give this name to a part of the whole, hardly ever to a part of a section."""
    return bool(_WHOLE_PART.fullmatch(title.strip(" .:")))


def names_references(title: str) -> bool:
    """Whether the section lists works cited."""
    return bool(_REFERENCES.search(title))


def is_garbled(text: str) -> bool:
    """Whether the text shows marks of failed character recognition."""
    odd = sum(not (c.isalnum() or c.isspace() or c in _PUNCTUATION) for c in text)
    return odd > 0.1 * len(text) or "\ufffd" in text or bool(_STUTTER.search(text))


def is_worded(text: str, words: Vocabulary) -> bool:
    """Whether most words of the text are used elsewhere in the document."""
    own = _WORDS.findall(text.lower())
    return sum(words[word] > 1 for word in own) >= 0.6 * len(own)
