"""Names of organisations: as printed, as people shorten them, and when two are the same."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

__all__ = ["issuers", "name_key", "quoted_names", "short_names", "ticker_symbols"]

_LEGAL = frozenset(
    "inc incorporated corp corporation company companies co ltd limited llc llp lp plc nv bv sa ag se spa gmbh kgaa ab "
    "asa oyj group holding holdings the".split()
)
_SUFFIX = (
    r"(?:(?i:Inc|Corp|Corporation|Company|Ltd|Limited|LLC|plc|GmbH)|Incorporated|Companies|Co|L\.L\.C|N\.V|S\.A|AG"
    r"|SE|Group|Holdings|University|Institute|Foundation|Association|Commission|Agency|Cent(?:er|re)|Department"
    r"|Ministry)"
)
_PART = r"(?:[A-Z0-9][\w&’'.-]*|of|and|for|the|de|&)"
_NAME = re.compile(rf"\b[A-Z0-9][\w&’'.-]*(?:,? {_PART}){{0,6}},? {_SUFFIX}\b\.?(?: (?:of|for)(?: [A-Z]\w+){{1,3}})?")
_CHARTER = re.compile(
    r"exact name of registrants?\b|name of (?:registrant|issuer|small business issuer)", re.IGNORECASE
)
_RULE = re.compile(r"^[\W_]*$")
_QUOTED = re.compile(r"\((?:the |hereinafter |together,? |collectively,? )*[“\"]([^”\"]{2,40})[”\"]")
# "“Apple”, “we” and “our” mean Apple Inc.", "as used here, “BXP” refers to …"
_MEANS = re.compile(
    r"((?:[“\"][^”\"]{2,40}[”\"](?:\s*(?:,|and|or|,\s*and|,\s*or)\s*)?)+)\s*(?:mean|refer)s?\b(.{2,90})"
)
_IN_QUOTES = re.compile(r"[“\"]([^”\"]{2,40})[”\"]")
_FORMERLY = re.compile(r"formerly(?: known as| called)?,? [“\"]?([A-Z][\w&’' .-]{2,40}?)(?=[”\"),.;]|$)")
_SYMBOL = re.compile(
    r"\b([A-Z][A-Z.]{0,5})\d*\s+(?:The )?(?:New York Stock Exchange|NYSE|N(?:ASDAQ|asdaq))"
    r"|\bunder the (?:ticker |trading )?symbols? [“\"]?([A-Z][A-Z.]{1,5})\b"
)
_WORD = re.compile(r"[^\W_]+")
_DOMAIN = re.compile(r"\.(?:com|org|net)\b", re.IGNORECASE)
# A beginning of a name that a document uses so often alone, against the whole, is a name of its own where it is told of
# as somebody: it owns, has subsidiaries, or income is attributable to it. A place or a plain word is not.
_LEAST_USES, _LEAST_USE_SHARE, _LEAST_AS_SOMEBODY = 5, 0.5, 2
# Beginnings of the words of a name in one word ("FedEx") are hardly ever anything else.
_LEAST_COMPOUND_USES, _SHORTEST_COMPOUND = 3, 4
_CAPITALISED = re.compile(r"\b[A-Z][A-Za-z&]{2,11}\b")
# Words that make no name by themselves: what documents call a party, and what kinds of party there are.
_GENERIC = frozenset(
    "company companies registrant corporation we us our issuer parent partnership trust center centre commission "
    "agency association university institute department foundation ministry research smaller reporting emerging "
    "growth exchange stock new york school college about all".split()
)
_NO_SYMBOLS = frozenset("NYSE NASDAQ NAME THE EACH STOCK LLC INC PLC CORP LTD".split())
# So many lines from the top a cover names who issued the document.
_COVER_LINES = 40
_FOOTNOTE = re.compile(r"^(?:\d+(?:\.\d+)+\.? |\d+ ?(?=[A-Z][a-z])|(?:About|While|All of|Use) )")
_NO_NAME = re.compile(r"__|^\d{4}\b| \d{1,2} |^(?:for|from|to|or|commission file|in|by)\b", re.IGNORECASE)
_MOST_CANDIDATES = 5


def name_key(name: str) -> tuple[str, ...]:
    """The words that tell an organisation, without legal form: equal for "3M COMPANY" and "3M Co."."""
    plain = name.replace("’", "'")
    folded = unicodedata.normalize("NFKD", plain).encode("ascii", "ignore").decode() or plain
    words = [word.removesuffix("'s") for word in _words(folded)]
    told = [word for word in words if word not in _LEGAL]
    return tuple(told or words)


def issuers(pages: Sequence[Sequence[str]]) -> list[str]:
    """Names that may be that of who issued a document, most likely first, from the lines of its first pages.

    The name that a cover declares as the registrant's stands alone. Else names on a line of their own near the top come
    first, then those that come most often.
    """
    lines = [line for page in pages for line in page]
    declared = _declared(lines)
    if declared:
        return [declared]
    spelled: dict[str, str] = {}
    counts: Counter[str] = Counter()
    for name in _names(lines):
        key = " ".join(name_key(name))
        counts[key] += 1
        spelled.setdefault(key, name)
    alone = {" ".join(name_key(line)) for line in lines[:_COVER_LINES] if _NAME.fullmatch(_tidy(line))}
    ranked = sorted(counts, key=lambda key: (key not in alone, -counts[key]))
    return [spelled[key] for key in ranked[:_MOST_CANDIDATES]]


def _declared(lines: Sequence[str]) -> str | None:
    for number, line in enumerate(lines):
        if _CHARTER.search(line):
            before = [text for text in lines[max(0, number - 4) : number] if not _RULE.match(text)]
            if before and _plausible(before[-1]):
                return _tidy(before[-1])
    return None


def quoted_names(text: str, name: str) -> Iterator[str]:
    """Short names by which a text says it calls `name`, and former ones."""
    words = set(name_key(name))
    initials = "".join(word[0] for word in name_key(name))
    for match in _QUOTED.finditer(text):
        short = match[1].strip(" ,.")
        before = set(_words(text[max(0, match.start() - 60) : match.start()]))
        told = set(name_key(short))
        if told - _GENERIC and (told <= words or (short.lower() == initials and words & before)):
            yield short
    for match in _MEANS.finditer(text):
        if words <= set(_words(match[2])):
            called = (short.strip(" ,.") for short in _IN_QUOTES.findall(match[1]))
            yield from (
                short for short in called if _is_telling(short) and (short.isupper() or set(name_key(short)) <= words)
            )
    for match in _FORMERLY.finditer(text):
        ahead = [word for word in _words(text[max(0, match.start() - 60) : match.start()]) if word not in _LEGAL]
        if tuple(ahead[-len(words) :]) == name_key(name):
            yield match[1].strip()


def short_names(text: str, name: str) -> Iterator[str]:
    """What a text calls an organisation alone: its first words, its initials, or beginnings of its words in one.

    "Verizon" for "Verizon Communications Inc.", "AMD" for "Advanced Micro Devices, Inc.", "Amex" for "American Express
    Company".
    """
    words = [word for word in _tidy(name).replace(",", " ").split() if word.lower().strip(".") not in _LEGAL]
    for count in range(1, len(words)):
        first, following = (r"\s+".join(map(re.escape, part)) for part in (words[:count], words[count : count + 1]))
        whole = len(re.findall(rf"(?i:\b{first}\s+{following}\b)", text))
        if _is_somebody(_as_written(first), rf"(?!\s+(?i:{following}))", whole, text):
            yield " ".join(words[:count]).title() if name.isupper() else " ".join(words[:count])
    told = name_key(name)
    initials = "".join(word[0] for word in told).upper()
    if len(told) > 1 and _is_somebody(initials, "", 0, text):
        yield initials
    for word, uses in Counter(_CAPITALISED.findall(text)).most_common():
        if uses >= _LEAST_COMPOUND_USES and _is_compound(word.lower(), told):
            yield word


def _is_somebody(pattern: str, not_followed_by: str, whole: int, text: str) -> bool:
    """Whether a text uses a name alone often enough, and as that of somebody."""
    alone = len(re.findall(rf"\b{pattern}\b{not_followed_by}", text))
    if alone < max(_LEAST_USES, _LEAST_USE_SHARE * whole):
        return False
    owning = len(re.findall(rf"\b{pattern}(?:['’][sS]\b|(?<=[sS])['’]|\s+(?:and|or)\s+its\b)", text))
    attributed = len(re.findall(rf"\battributable\s+to\s+{pattern}\b{not_followed_by}", text))
    return owning + attributed >= _LEAST_AS_SOMEBODY


def _is_compound(word: str, told: Sequence[str]) -> bool:
    """Whether a word is made of beginnings, of two letters or more, of all words of a name, two at least."""
    if len(told) < 2 or len(word) < _SHORTEST_COMPOUND:
        return False
    return _is_made_of(word, told)


def _is_made_of(word: str, told: Sequence[str]) -> bool:
    if not told or not word:
        return not told and not word
    return any(
        _is_made_of(word[length:], told[1:])
        for length in range(2, min(len(word), len(told[0])) + 1)
        if word[:length] == told[0][:length]
    )


def _is_telling(name: str) -> bool:
    """Whether a name has a word that not every organisation has in its name or is called by."""
    return bool(set(name_key(name)) - _GENERIC - _LEGAL)


def _as_written(pattern: str) -> str:
    """A pattern for a name inside a sentence: where a cover prints it in capitals, the text does not."""
    return pattern if not pattern.isupper() else f"(?:{pattern}|{pattern.title()})"


def ticker_symbols(text: str) -> Iterator[str]:
    """Trading symbols that stand before the name of an exchange."""
    for match in _SYMBOL.finditer(text):
        symbol = (match[1] or match[2]).strip(".")
        if len(symbol) > 1 and symbol not in _NO_SYMBOLS:
            yield symbol


def _names(lines: Iterable[str]) -> Iterator[str]:
    for line in lines:
        for match in _NAME.finditer(line):
            name = _tidy(match[0])
            if _plausible(name) and _is_telling(name):
                yield name


def _tidy(name: str) -> str:
    return re.sub(r"\s+([.,])", r"\1", _FOOTNOTE.sub("", " ".join(name.split()))).strip(" ,;:*_(")


def _plausible(name: str) -> bool:
    return (
        not _NO_NAME.search(name)
        and 2 <= len(name) <= 80
        and sum(map(str.isalpha, name)) >= 2
        and len(name.split()) <= 10
    )


def _words(text: str) -> list[str]:
    plain = _DOMAIN.sub("", text.replace("’", "'").replace("'s", "").replace("'S", "")).replace(".", "")
    return [word.lower() for word in _WORD.findall(plain)]
