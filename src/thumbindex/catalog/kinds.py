"""Kinds of document, by how their covers and file names call them."""

from __future__ import annotations

import re

__all__ = ["form_in", "kind_in", "kinds_named"]

# Forms that companies file, as named on covers, in file names, and in questions ("10-K", "10K", "Form 8-K/A").
_FORM = re.compile(
    r"(?<![\w-])(?:form\s*)?(10-?K|10-?Q|8-?K|20-?F|40-?F|6-?K|11-?K|S-?1|S-?4|F-?1|DEF\s?14A|13-?[DFG])(?:/A)?(?![\w-])",
    re.IGNORECASE,
)
_COVER_FORM = re.compile(r"^\s*form\s+([\w-]+(?:\s14A)?)(?:/A)?\s*$", re.IGNORECASE | re.MULTILINE)

# More telling ones first. The second pattern is for questions and file names, where words stand alone.
_KINDS: tuple[tuple[str, str, str], ...] = (
    (
        "earnings release",
        r"\b(?:reports?|announces?|delivers?)\b.{0,80}\b(?:results|earnings)\b|\bearnings release\b"
        r"|\b(?:quarter|fiscal|full[- ]year)\b.{0,60}\b(?:results|earnings)\b",
        r"\bearnings?\b(?! per| yield| ratio| before| growth)|\bpress release\b",
    ),
    (
        "annual report",
        r"^\W*(?:\d{4} )?(?:integrated )?annual (?:integrated )?report\b",
        r"\bannual (?:\w+ )?reports?\b",
    ),
    ("quarterly report", r"^\W*(?:quarterly|interim) (?:financial )?report\b", r"\bquarterly (?:\w+ )?reports?\b"),
    ("proxy statement", r"\bproxy statement\b", r"\bproxy statements?\b"),
    ("prospectus", r"\bprospectus\b", r"\bprospectus\b"),
    ("handbook", r"\bhandbook\b", r"\bhandbooks?\b"),
    (
        "manual",
        r"\b(?:user|owner|reference|service|instruction)(?:’s|'s)? (?:guide|manual)\b",
        r"\b(?:user guide|manual)s?\b",
    ),
    ("survey", r"\bsurvey(?:ed)?\b.{0,80}\b(?:adults|americans|respondents)\b", r"\bsurveys?\b"),
    ("paper", r"^\W*abstract\b", r"\bpapers?\b"),
    ("thesis", r"\b(?:dissertation|thesis)\b.{0,40}\bsubmitted\b", r"\b(?:dissertation|thesis)\b"),
    ("lecture notes", r"\blectures? (?:notes|on)\b", r"\blecture notes\b"),
)
_COVERS = tuple((kind, re.compile(cover, re.IGNORECASE | re.MULTILINE)) for kind, cover, _ in _KINDS)
_NAMED = tuple((kind, re.compile(named, re.IGNORECASE)) for kind, _, named in _KINDS)

# What questions call a kind by another name: asking for an annual report may mean a form that is one.
_ALSO = {"annual report": ("10-K", "20-F", "40-F"), "quarterly report": ("10-Q",), "proxy statement": ("DEF 14A",)}


def form_in(text: str) -> str | None:
    """The form that a cover or a file name names, as "10-K"; None where it names none."""
    match = _COVER_FORM.search(text)
    if match and _FORM.fullmatch(match[1]):
        return _canonical(match[1])
    match = _FORM.search(text)
    return _canonical(match[1]) if match else None


def kind_in(cover: str) -> str | None:
    """The kind of document whose first page this is, other than a form; None where it does not show."""
    return next((kind for kind, pattern in _COVERS if pattern.search(cover)), None)


def kinds_named(text: str) -> tuple[str, ...]:
    """The kinds of document that a question or a file name names, forms first."""
    forms = [_canonical(match[1]) for match in _FORM.finditer(text)]
    kinds = [kind for kind, pattern in _NAMED if pattern.search(text)]
    also = [form for kind in kinds for form in _ALSO.get(kind, ())]
    return tuple(dict.fromkeys((*forms, *kinds, *also)))


def _canonical(form: str) -> str:
    letters = re.sub(r"[\s-]", "", form).upper()
    if letters.startswith("DEF"):
        return "DEF 14A"
    return re.sub(r"^(\d+)([A-Z])$", r"\1-\2", re.sub(r"^([SF])(\d)$", r"\1-\2", letters))
