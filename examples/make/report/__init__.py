"""The annual report of Marrowick Industries, a fictional maker of pumps, filters and valves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from reportlab.lib.pagesizes import LETTER

from make.book import Book
from make.manuscript import Block, expand, read
from make.report import (
    contracts,
    disclosures,
    ledger,
    listings,
    model,
    notes,
    obligations,
    people,
    registers,
    reviews,
    sites,
    statements,
    voices,
)
from make.typeset import Look

__all__ = ["book"]


_MANUSCRIPTS = (
    "front business risks properties discussion statements governance indenture securities credit agreements "
    "construction ethics policies reports qa history charters lists climate terms"
).split()


def book() -> Book:
    """The whole report.

    Raises:
        ValueError: A figure does not tie.
    """
    ledger.check()
    model.check()
    parts = {
        **statements.PARTS,
        **notes.PARTS,
        **obligations.PARTS,
        **disclosures.PARTS,
        **people.PARTS,
        **contracts.PARTS,
        **sites.PARTS,
        **reviews.PARTS,
        **registers.PARTS,
        **listings.PARTS,
        "compensation-discussion": lambda: read(voices.TEXT / "compensation.txt", {}),
    }
    return Book(
        title="Annual Report 2025",
        author="Marrowick Industries, Inc.",
        foot="Annual Report 2025",
        blocks=list(expand(_manuscript(), parts)),
        look=Look(
            page_size=LETTER,
            margin_pt=80,
            body_font="Times-Roman",
            bold_font="Times-Bold",
            heading_font="Helvetica-Bold",
            size_pt=11,
            leading_pt=16,
        ),
    )


def _manuscript() -> Iterable[Block]:
    figures = _figures()
    for name in _MANUSCRIPTS:
        yield from read(voices.TEXT / f"{name}.txt", figures)


def _figures() -> Mapping[str, object]:
    floating = model.DEBT["Term loan A, due December 2026"][0] + model.DEBT["Term loan B, due June 2028"][0]
    standing = ledger.balances(2025)
    floating += standing["short_term_borrowings"]
    whole = standing["debt"] + standing["short_term_borrowings"]
    return {
        **model.figures(),
        "employees": statements.EMPLOYEES,
        "reported_share": reviews.reported_share(),
        "float": round(100 * floating / whole),
        "goodwill_and_intangibles": standing["goodwill"] + standing["intangibles"],
    }
