"""What a file's name and first pages say about a document: who issued it, what it is, and which period it is about."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from enum import IntEnum

from thumbindex.catalog.kinds import form_in, kind_in, kinds_named
from thumbindex.catalog.organisations import issuers, quoted_names, short_names, ticker_symbols
from thumbindex.catalog.periods import DAY, Named, day_in, days, fiscal_period, named_periods
from thumbindex.document import Document

__all__ = ["READING", "Fact", "Rank", "facts_of", "issuer_candidates"]

# Names what is read here; raised whenever the same document would come to other facts.
READING = "facts-3"
_COVER_PAGES = 3
_ALIAS_PAGES = 12
_BODY_PAGES = 40
_MOST_ALIASES, _MOST_SYMBOLS = 6, 2


class Rank(IntEnum):
    """How much the source of a value counts: a lower one is not overwritten by a higher one."""

    FLAG = 0
    CSV = 1
    NAME = 2
    PAGES = 3


@dataclass(frozen=True, slots=True)
class Fact:
    """A value for a field, what filled it, and other names that the document has for it."""

    field: str
    value: str | int
    source: str
    rank: Rank
    aliases: tuple[str, ...] = ()


_WORDS = re.compile(r"[^\W_]+(?:['’&.-][^\W_]+)*")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_ENDED = re.compile(
    rf"\b(fiscal years?|years?|quarter(?:ly period)?|period|months|weeks)\s+(?:ended|ending)\s*:?\s*({DAY})",
    re.IGNORECASE,
)
_REPORT_DATE = re.compile(
    rf"({DAY})[^\n]*\n?[^\n]*date of (?:earliest event|report)|date of report[^\n]*?({DAY})", re.IGNORECASE
)
_CALLS_ITSELF = re.compile(r"\bfiscal(?:\s+year)?\s+((?:19|20)\d{2})\b", re.IGNORECASE)
_ANNUAL = {"10-K", "20-F", "40-F", "annual report"}
_QUARTERLY = {"10-Q", "quarterly report"}


def facts_of(document: Document, issuer: str | None) -> list[Fact]:
    """The facts of a document, one a field, the better source first where two have one.

    Args:
        document: What was read.
        issuer: Who issued it, of `issuer_candidates`; None where none did.
    """
    name = _facts_of_name(document.name)
    pages = _facts_of_pages(document)
    company = _company(document, issuer, name.get("company"))
    found = pages | {field: fact for field, fact in name.items() if field != "company"}
    return [*([company] if company else []), *found.values()]


def issuer_candidates(document: Document) -> list[str]:
    """Names of organisations that may have issued a document, most likely first."""
    pages = [[line.text for line in page.lines] for page in document.pages[:_COVER_PAGES]]
    return issuers(pages)


def _company(document: Document, issuer: str | None, named: Fact | None) -> Fact | None:
    if issuer is None:
        return named
    opening = "\n".join(page.search_text for page in document.pages[:_ALIAS_PAGES])
    cover = "\n".join(page.text for page in document.pages[:_COVER_PAGES])
    symbols = list(dict.fromkeys(ticker_symbols(cover)))[:_MOST_SYMBOLS]
    body = "\n".join(page.search_text for page in document.pages[:_BODY_PAGES])
    short = [*quoted_names(opening.replace("\n", " "), issuer), *short_names(body, issuer), *symbols]
    own = [named.value] if named else []
    aliases = dict.fromkeys(str(alias) for alias in (*own, *short) if alias != issuer)
    where = next((p.number for p in document.pages[:_COVER_PAGES] if issuer.lower() in p.text.lower()), 1)
    return Fact("company", issuer, f"page {where}", Rank.PAGES, tuple(aliases)[:_MOST_ALIASES])


def _facts_of_name(file_name: str) -> dict[str, Fact]:
    """What a name of the kind `WHO_WHEN_WHAT.pdf` says."""
    stem = file_name.rsplit(".", 1)[0]
    spaced = re.sub(r"[_\s]+", " ", stem)
    dated = re.sub(r"(?<=[A-Za-z])-(?=\d)|(?<=\d)-(?=[A-Za-z]{3})", " ", spaced)
    found: dict[str, str | int] = {}
    kinds = kinds_named(dated)
    named = named_periods(dated)
    if kinds:
        found["report_type"] = kinds[0]
    if named.years:
        found["fiscal_year"] = named.years[0]
    if named.quarters and kinds[:1] != ("10-K",):
        found["fiscal_quarter"] = named.quarters[0]
    if named.days:
        found["report_date"] = named.days[0].isoformat()
    who = _who(spaced, bool(kinds or named.years))
    if who:
        found["company"] = who
    return {field: Fact(field, value, "file name", Rank.NAME) for field, value in found.items()}


def _who(spaced: str, conventional: bool) -> str:
    """The words of a file name before what it says about period and kind; empty where it has no such order."""
    if not conventional:
        return ""
    words: list[str] = []
    for word in spaced.split():
        if kinds_named(word) or named_periods(word) != named_periods("") or re.match(r"\d{2,}\D|\d{3,}$", word):
            break
        words.append(word)
    who = " ".join(words).replace("-", " ").strip()
    generic = kinds_named(" ".join(spaced.split()[: len(words) + 1])) if words else ()
    letters = sum(map(str.isalpha, who))
    return who if words and letters and len(words) <= 4 and not (generic and kinds_named(who)) else ""


def _facts_of_pages(document: Document) -> dict[str, Fact]:
    for page in document.pages[:_COVER_PAGES]:
        if page.search_text.strip():
            return _facts_of_cover(document, page.number)
    return {}


def _facts_of_cover(document: Document, first: int) -> dict[str, Fact]:
    cover = document.pages[first - 1].text
    top = "\n".join(line.text for line in document.pages[first - 1].lines[:40])
    kind = form_in(top) if re.search(r"^\W*form\b", top, re.IGNORECASE | re.MULTILINE) else None
    kind = kind or kind_in(top)
    opening = "\n".join(page.text for page in document.pages[first - 1 : first + 2])
    found: dict[str, str | int | None] = {"report_type": kind}
    years = () if kind in _ANNUAL | _QUARTERLY else _title_period(opening).years
    ended = _period_end(cover, years) or (None if kind == "8-K" else _period_end(opening, years))
    reported = _report_date(cover)
    if kind == "8-K" and reported:
        found |= {"fiscal_year": reported.year, "report_date": reported.isoformat()}
    elif ended:
        found |= _of_period(document, kind, ended, opening)
    else:
        found |= _of_wording(top)
    source = f"page {first}"
    return {field: Fact(field, value, source, Rank.PAGES) for field, value in found.items() if value is not None}


def _period_end(text: str, years: Sequence[int]) -> tuple[str, date] | None:
    """The first period whose end is written, and that day: one of the years that the title names goes before others."""
    found = [(match[1].lower(), day) for match in _ENDED.finditer(text) if (day := day_in(match[2]))]
    of_title = (period for year in years for period in found if period[1].year == year)
    return next(of_title, found[0] if found else None)


def _title_period(opening: str) -> Named:
    return named_periods(" ".join(opening.split("\n")[:6]))


def _report_date(cover: str) -> date | None:
    match = _REPORT_DATE.search(cover)
    return day_in(match[1] or match[2]) if match else None


def _of_period(
    document: Document, kind: str | None, ended: tuple[str, date], opening: str
) -> dict[str, str | int | None]:
    what, end = ended
    found: dict[str, str | int | None] = {"report_date": end.isoformat()}
    title = _title_period(opening)
    if kind in _ANNUAL or (kind not in _QUARTERLY and "year" in what):
        return found | {"fiscal_year": _fiscal_year(document, end)}
    if kind not in _QUARTERLY and title.years:
        return found | {"fiscal_year": title.years[0], "fiscal_quarter": title.quarters[0] if title.quarters else None}
    year, quarter = fiscal_period(end, _year_end_month(document))
    return found | {"fiscal_year": year, "fiscal_quarter": quarter}


def _fiscal_year(document: Document, end: date) -> int:
    """The year that a document itself calls the one that ends on a day in January; else the year of the day."""
    year = fiscal_period(end, 12)[0]
    if year != end.year or end.month > 1:
        return year
    body = "\n".join(page.text for page in document.pages[:_BODY_PAGES])
    calls = Counter(int(match[1]) for match in _CALLS_ITSELF.finditer(body))
    return end.year - 1 if calls[end.year - 1] > calls[end.year] else end.year


def _year_end_month(document: Document) -> int:
    months: Counter[int] = Counter()
    for page in document.pages[:_BODY_PAGES]:
        for match in _ENDED.finditer(page.text.replace("\n", " ")):
            day = day_in(match[2]) if "year" in match[1].lower() else None
            if day:
                months[_month_of_end(day)] += 1
    return months.most_common(1)[0][0] if months else 12


def _month_of_end(day: date) -> int:
    return day.replace(day=1).month if day.day > 15 else (day.month - 2) % 12 + 1


def _of_wording(top: str) -> dict[str, str | int | None]:
    """The period that the first lines name, else the year of the first day written near the top."""
    title = named_periods("\n".join(top.split("\n")[:12]))
    written = list(days("\n".join(top.split("\n")[:20])))
    return {
        "fiscal_year": written[0].year if written else title.years[0] if title.years else None,
        "fiscal_quarter": title.quarters[0] if title.quarters else None,
        "report_date": written[0].isoformat() if written else None,
    }
