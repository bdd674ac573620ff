"""Exhibits that list investments, agreements with employees, and patents one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from make.chance import Chance, draw_facts
from make.manuscript import Block, Heading, Text
from make.report import voices
from make.report.model import SEGMENT_CAPEX, SEGMENTS
from make.tables import Row, line, table, total

__all__ = ["PARTS"]


def _capital_table() -> Iterable[Block]:
    """The larger investments of each segment, with what is left to its capital expenditures in Note 5."""
    investments = voices.rows("capital.txt")
    rows: list[Row] = []
    for segment, whole in zip((*SEGMENTS, "Corporate"), SEGMENT_CAPEX[2025], strict=True):
        mine = [(row[0], int(row[3]) / 10) for row in investments if row[2] == segment]
        rows += [line(name, paid, decimals=1, indent=1) for name, paid in mine]
        rows.append(line("Smaller investments", whole - sum(paid for _, paid in mine), decimals=1, indent=1))
        rows.append(total(segment, whole, decimals=1))
    rows.append(total("[[capital-total]]Capital expenditures", sum(SEGMENT_CAPEX[2025]), sign="$", decimals=1))
    yield table("Investments of 2025", ["", "Millions of dollars"], rows)


_CAPITAL_RANGES = {
    "earn": (11, 24),
    "approved": (2022, 2025),
    "people": (3, 60),
    "more": (6, 45),
    "less": (4, 28),
    "long": (14, 52),
    "short": (3, 12),
    "review": (2027, 2029),
    "past": (7, 21),
    "shifts": (2, 3),
    "changes": (8, 90),
    "age": (22, 61),
    "instalments": (3, 9),
    "grant": (4, 18),
    "life": (8, 25),
    "hours": (1_200, 38_000),
}


def _capital() -> Iterable[Block]:
    writer, words = voices.writer("capital"), voices.banks("capital.words")
    for name, place, segment, tenths in voices.rows("capital.txt"):
        luck = Chance(f"capital {name}")
        budget = int(tenths) / 10 * luck.share(1.05, 2.2)
        facts = draw_facts(luck, words, _CAPITAL_RANGES) | {"manager": voices.person(luck), "budget": f"{budget:.1f}"}
        if name == "Membrane plant":
            facts |= {"budget": "164.0", "budgetstate": "will be exceeded by about $17 million"}
            facts |= {"why": "demand beyond capacity", "why_cap": "Demand beyond capacity"}
        yield Heading(2, f"{name}, {place}", listed=False)
        paid = f"{segment}; ${int(tenths) / 10:.1f} million paid in 2025."
        yield Text(f"[[capital-{name.split()[0]}]]{paid} {writer.paragraph('why state', facts)}")
        yield Text(writer.paragraph("gain risk later", facts))
        yield Text(writer.paragraph("money check", facts))


_LABOR_RANGES = {
    "above": (4, 31),
    "bonus": (300, 2_400),
    "grievances": (4, 96),
    "arbitrated": (1, 4),
    "meetings": (4, 24),
    "days": (3, 21),
    "ended": (2013, 2024),
}


def _labor() -> Iterable[Block]:
    writer, words = voices.writer("labor"), voices.banks("labor.words")
    for town, body, members, until in voices.rows("labor.txt"):
        luck = Chance(f"labor {town}")
        facts = draw_facts(luck, words, _LABOR_RANGES)
        facts |= {"town": town, "body": body, "members": members, "until": until}
        facts["raise"] = f"{luck.share(2.4, 5.8):.1f}"
        yield Heading(2, f"{town}: {body}", listed=False)
        yield Text(f"[[labor-{town.replace(' ', '-')}]]" + writer.paragraph("who pay", facts))
        yield Text(writer.paragraph("talk rule outlook", facts))


_PATENT_RANGES = {
    "members": (6, 58),
    "countries": (4, 41),
    "others": (2, 7),
    "value": (6, 190),
    "licensees": (2, 6),
    "royalty": (2, 6),
    "ended": (2016, 2025),
    "later": (2019, 2025),
    "fall": (5, 30),
    "cost": (18, 240),
}


def _patents() -> Iterable[Block]:
    writer, words = voices.writer("patents"), voices.banks("patents.words")
    for title, segment, expires in voices.rows("patents.txt"):
        luck = Chance(f"patent {title}")
        facts = draw_facts(luck, words, _PATENT_RANGES)
        facts |= {"expires": expires, "filed": int(expires) - 20, "inventor": voices.person(luck)}
        yield Heading(2, title, listed=False)
        mark = f"[[patent-{title.split()[0]}-{title.split()[-1]}]]"
        yield Text(f"{mark}{segment}. {writer.paragraph('what idea', facts)}")
        yield Text(writer.paragraph("use fight more", facts))


PARTS: dict[str, Callable[[], Iterable[Block]]] = {
    "capital-table": _capital_table,
    "capital-reviews": _capital,
    "labor-reviews": _labor,
    "patent-reviews": _patents,
}
