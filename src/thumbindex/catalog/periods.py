"""Years, quarters and days as people write them, in questions, in file names, and on the pages of documents."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

__all__ = ["DAY", "Named", "day_in", "days", "fiscal_period", "named_periods"]

_MONTHS = {
    name: number
    for number, names in enumerate(
        (
            "january jan",
            "february feb",
            "march mar",
            "april apr",
            "may",
            "june jun",
            "july jul",
            "august aug",
            "september sept sep",
            "october oct",
            "november nov",
            "december dec",
        ),
        1,
    )
    for name in names.split()
}
_MONTH = "(?:" + "|".join(sorted(_MONTHS, key=len, reverse=True)) + r")\b\.?"
_YEAR = r"(?:19|20)\d{2}"
_ORDINAL = r"\d{1,2}(?:st|nd|rd|th)?"
DAY = (
    rf"(?:{_MONTH}\s+{_ORDINAL},?\s+{_YEAR}|{_ORDINAL}\s+(?:of\s+)?{_MONTH},?\s+{_YEAR}"
    rf"|{_YEAR}[-./]\d{{1,2}}[-./]\d{{1,2}})"
)
_DAY = re.compile(rf"(?<![\w.]){DAY}(?!\d)", re.IGNORECASE)
_NUMBERS = re.compile(r"\d+")
_WORD = re.compile(r"[a-z]+", re.IGNORECASE)

_QUARTER_WORDS = {"first": 1, "second": 2, "third": 3, "fourth": 4}
_SHORT = r"['’]?(?:\d{2}(?!\d)|(?:19|20)\d{2})"
_OF = r"(?:\s*(?:,|-|of|in|for)?\s*(?:the\s+)?(?:fiscal\s+(?:year\s+)?|fy\s*|year\s+)?)"
_QUARTER = re.compile(
    rf"(?<![a-z\d])(?:q([1-4])|([1-4])q|(first|second|third|fourth)[\s-]+(?:fiscal\s+)?quarter)"
    rf"(?:{_OF}({_SHORT})(?![\d%]))?",
    re.IGNORECASE,
)
_YEAR_QUARTER = re.compile(rf"(?<!\d)({_YEAR})\s*[-/]?\s*q([1-4])(?!\d)", re.IGNORECASE)
_FISCAL = re.compile(rf"(?<![a-z])(?:fy|fiscal(?:\s+years?)?)\s*[-']?\s*({_SHORT})(?!\d)", re.IGNORECASE)
_PLAIN = re.compile(rf"(?<![\d$€£.,])({_YEAR})(?![\d%]|[.,]\d|[-./]\d)")

# A year that ends in its first days is that of the weeks before; months of 52-week years end some days off.
_SLACK = timedelta(days=15)


@dataclass(frozen=True, slots=True)
class Named:
    """The periods that a text names: years and quarters, each once, in the order of the text; single days."""

    years: tuple[int, ...] = ()
    quarters: tuple[int, ...] = ()
    days: tuple[date, ...] = ()


def named_periods(text: str) -> Named:
    """The periods that a question or a file name names ("FY2018", "fiscal 22", "Q2 2023", "1st July 2022", "2016")."""
    found_days = list(days(text))
    rest = _DAY.sub(" ", text)
    years: dict[int, int] = {}
    quarters: dict[int, int] = {}
    for match in _YEAR_QUARTER.finditer(rest):
        years.setdefault(int(match[1]), match.start())
        quarters.setdefault(int(match[2]), match.start())
    for match in _QUARTER.finditer(rest):
        quarter = int(match[1] or match[2] or _QUARTER_WORDS[match[3].lower()])
        quarters.setdefault(quarter, match.start())
        if match[4]:
            years.setdefault(_full_year(match[4]), match.start())
    for pattern in (_FISCAL, _PLAIN):
        for match in pattern.finditer(rest):
            years.setdefault(_full_year(match[1]), match.start())
    for day in found_days:
        years.setdefault(day.year, len(text))
    return Named(tuple(sorted(years, key=years.__getitem__)), tuple(quarters), tuple(found_days))


def days(text: str) -> Iterator[date]:
    """The days written in a text, in its order."""
    for match in _DAY.finditer(text):
        day = day_in(match[0])
        if day:
            yield day


def day_in(text: str) -> date | None:
    """The day that a text of the form `DAY` names; None where there is no such day."""
    numbers = [int(number) for number in _NUMBERS.findall(text)]
    words = [_MONTHS[word.lower()] for word in _WORD.findall(text) if word.lower() in _MONTHS]
    try:
        if words:
            day, year = numbers[:2]
            return date(year, words[0], day)
        return date(*numbers[:3])
    except (ValueError, TypeError):
        return None


def fiscal_period(end: date, year_end_month: int = 12) -> tuple[int, int]:
    """The fiscal year and quarter of a period that ends on a day, where fiscal years end in a month."""
    within = end - _SLACK
    months_in = (within.month - year_end_month - 1) % 12
    year = within.year + (within.month > year_end_month)
    return year, months_in // 3 + 1


def _full_year(text: str) -> int:
    number = int(_NUMBERS.findall(text)[0])
    return number if number >= 100 else 2000 + number if number < 70 else 1900 + number
