"""The employee handbook of Alderbrook Instruments, a fictional maker of instruments."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from reportlab.lib.enums import TA_LEFT
from reportlab.lib.pagesizes import A4

from make.book import Book
from make.manuscript import Block, expand, read
from make.tables import Table, line, table
from make.typeset import Look

__all__ = ["book"]


def book() -> Book:
    """The whole handbook."""
    parts = {
        "shifts": _shifts,
        "vacation": _vacation,
        "special": _special_leave,
        "expenses": _expenses,
        "classes": _classes,
        "notice": _notice,
        "glossary": _glossary,
        "deadlines": _deadlines,
    }
    return Book(
        title="Employee Handbook, edition of January 2026",
        author="Alderbrook Instruments",
        foot="Employee Handbook 2026",
        blocks=list(expand(read(Path(__file__).with_name("manuscript.txt"), {}), parts)),
        look=Look(
            page_size=A4,
            margin_pt=70,
            body_font="Helvetica",
            bold_font="Helvetica-Bold",
            heading_font="Helvetica-Bold",
            size_pt=10,
            leading_pt=14,
            justified=False,
            bookmarks=True,
            bold_levels=1,
            heading_sizes_pt=(16, 11.5, 10, 9.5),
            part_alignment=TA_LEFT,
        ),
    )


def _shifts() -> Iterable[Block]:
    yield table(
        "Shift times and supplements",
        ["Shift", "Begins", "Ends", "Supplement"],
        [
            line("Early", "6:00", "14:00", "none"),
            line("Late", "14:00", "22:00", "8 percent"),
            line("[[night-shift]]Night", "22:00", "6:00", "30 percent"),
            line("Weekend day", "7:00", "15:00", "45 percent"),
        ],
    )


def _vacation() -> Iterable[Block]:
    yield table(
        "Vacation days by years of service",
        ["Completed years with Alderbrook", "Vacation days a year"],
        [
            line("[[vacation-new]]New employees (less than 2 years)", "26 days"),
            line("2 to 4 years", "27 days"),
            line("[[vacation-5]]5 to 9 years", "29 days"),
            line("10 to 19 years", "31 days"),
            line("20 years and more", "33 days"),
            line("Severely disabled colleagues, in addition", "5 days"),
        ],
    )


def _special_leave() -> Iterable[Block]:
    yield table(
        "Special leave",
        ["Event", "Paid days"],
        [
            line("[[wedding]]Your own wedding or civil partnership", "3"),
            line("Moving house (once in two years)", "1"),
            line("[[bereavement]]Death of a partner, child or parent", "5"),
            line("Death of a grandparent, brother or sister", "2"),
            line("Silver wedding", "1"),
            line("Your 25th anniversary with the company", "2"),
            line("Citizenship ceremony or court summons as a witness", "as needed"),
        ],
    )


def _expenses() -> Iterable[Block]:
    yield table(
        "Limits for expenses, in euros",
        ["What", "Domestic", "Abroad", "Receipt"],
        [
            line("[[hotel-limit]]Hotel, a night with breakfast", "115", "160", "yes"),
            line("Hotel in capital cities, a night", "150", "210", "yes"),
            line("[[meal-allowance]]Meals, a full day away", "32", "48", "no"),
            line("Meals, a day of 8 to 24 hours", "16", "24", "no"),
            line("Taxi, a journey", "35", "45", "yes"),
            line("[[entertaining]]Entertaining customers, a person", "55", "70", "yes, with names"),
            line("Laundry, from the fifth night", "20", "25", "yes"),
            line("Telephone and internet, a week", "none", "15", "yes"),
        ],
    )


def _classes() -> Iterable[Block]:
    yield Table(
        ("Class", "Examples", "Rules"),
        (
            line("Public", "Data sheets, press releases", "Free to share"),
            line("Internal", "This handbook, organisation charts", "Inside the company; outside only with consent"),
            line("Confidential", "Offers, drawings, pay data", "Need to know; encrypted when sent"),
            line(
                "[[strict]]Strictly confidential",
                "Takeover plans, keys, medical data",
                "Named persons only; never on paper outside the safe",
            ),
        ),
        title="Classes of information",
        text_columns=3,
        shares=(1.1, 1.6, 2.2),
    )


def _notice() -> Iterable[Block]:
    yield table(
        "Periods of notice, from either side, to the end of a month",
        ["Length of service", "Notice"],
        [
            line("During probation", "2 weeks, to any day"),
            line("Up to 2 years", "1 month"),
            line("[[notice-5]]More than 2 and up to 8 years", "2 months"),
            line("More than 8 and up to 15 years", "4 months"),
            line("More than 15 years", "6 months"),
        ],
    )


def _glossary() -> Iterable[Block]:
    yield Table(
        ("Word", "Meaning"),
        (
            line("Adviser, confidential", "A trained colleague who listens and keeps silent; one at each site"),
            line("Calibration day", "Open day in May on which customers may watch their instruments being checked"),
            line("Companion", "The colleague from another team who helps you through your first three months"),
            line("[[division-head]]Division head", "Head of Instruments, Optics, or Field Service"),
            line("Leave calendar", "The page on the intranet in which all kinds of leave are entered and agreed"),
            line("Near miss", "Something that went well but could have hurt somebody"),
            line("Second factor", "A number from your telephone, asked for beside the password"),
            line("Works council", "Nine elected colleagues who speak for all employees"),
        ),
        text_columns=2,
        shares=(1, 2.6),
    )


def _deadlines() -> Iterable[Block]:
    yield table(
        "",
        ["What", "When", "Chapter"],
        [
            line("Review talk with your manager", "January to March", "11"),
            line("[[deadline-carry]]Vacation carried over must be taken", "31 March", "4"),
            line("Raises take effect", "1 May", "6"),
            line("[[pension-switch]]Changing the pension fund", "June and December", "6"),
            line("Flu vaccination", "October", "10"),
            line("Handbook reviewed", "November", "1"),
            line("Training budget lapses", "31 December", "11"),
        ],
        text_columns=3,
        shares=(3, 2, 1),
    )
