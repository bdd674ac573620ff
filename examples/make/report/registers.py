"""Exhibits that list projects, depots, research and sites under clean-up one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from make.chance import Chance, Writer, draw_facts
from make.manuscript import Block, Heading, Text
from make.report import voices
from make.report.model import split
from make.tables import line, table

__all__ = ["PARTS"]


PROJECT_REVENUE_TENTHS = 4_380
"""Revenue in 2025 of the large projects, in tenths of a million: $438 million, as the exhibit says."""

TECHNICIANS, RENTAL_PUMPS, DEPOTS = 1_900, 6_350, 96
CLEANUP_PAYMENTS_THOUSANDS = 17_000
RESEARCH_TENTHS = 940

_PROJECT_RANGES = {
    "signed": (2022, 2025),
    "accept_year": (2026, 2028),
    "trained": (4, 60),
    "spareyears": (2, 5),
    "bidders": (2, 9),
    "milestones": (4, 12),
    "retention": (5, 10),
    "days": (6, 70),
    "cap": (5, 10),
    "team": (4, 46),
    "minor": (2, 6),
    "nations": (2, 9),
    "hours": (9_000, 240_000),
    "localshare": (8, 46),
    "jobs": (4, 90),
    "rounds": (2, 7),
    "tags": (600, 24_000),
    "tests": (3, 41),
    "witnesses": (2, 12),
    "penalty": (2, 4),
    "trucks": (9, 210),
    "barges": (2, 6),
    "tons": (6, 88),
}


_ESTERO_HONDO = {
    "client": "the city of Estero Hondo",
    "client_cap": "The city of Estero Hondo",
    "accept_month": "October",
    "accept_year": 2027,
}
"""What Items 1 and 3 say of this project."""


@dataclass(frozen=True)
class _Account:
    """The money of a project, in millions."""

    price: float
    earned: float
    before: float

    @property
    def done(self) -> float:
        """The share of the work that is complete."""
        return (self.earned + self.before) / self.price


def _projects() -> Iterable[Block]:
    writer, words = voices.writer("projects"), voices.banks("projects.words")
    rows = voices.rows("projects.txt")
    earned = split(PROJECT_REVENUE_TENTHS, [Chance(f"earned {row[0]}").share(0.4, 2) for row in rows])
    for (name, segment, scope, place), tenths in zip(rows, earned, strict=True):
        luck = Chance(f"project {name}")
        account = _account(name, luck, tenths / 10)
        facts = draw_facts(luck, words, _PROJECT_RANGES) | _standing(words["state"], account)
        facts |= {"scope": scope, "manager": voices.person(luck)}
        facts |= {"damages": f"{luck.share(0.3, 1):.1f}", "changed": f"{luck.share(0.2, 2.4):.1f}"}
        if name.startswith("Estero Hondo"):
            facts |= _ESTERO_HONDO
        yield Heading(2, name, listed=False)
        yield Text(f"{segment}, {place}. {writer.paragraph('scope client', facts)}")
        yield _project_table(name, account)
        yield Text(writer.paragraph("state trouble", facts))
        yield Text(writer.paragraph("money team local", facts))


def _account(name: str, luck: Chance, earned: float) -> _Account:
    before = earned * luck.share(0, 1.1)
    price = 46.0 if name.startswith("Estero Hondo") else max(5.2, (earned + before) * luck.share(1.05, 2.4))
    return _Account(price, earned, before)


def _standing(states: Sequence[str], account: _Account) -> dict[str, object]:
    """How far the work is, told by the state that fits the share complete: the bank lists them in order."""
    state = states[min(len(states) - 1, int(account.done * len(states)))]
    return {"state": state, "state_cap": state[0].upper() + state[1:]}


def _project_table(name: str, account: _Account) -> Block:
    rows = [
        line(f"[[project-{name.split(maxsplit=1)[0]}]]Contract price", account.price, decimals=1),
        line("Revenue recognized in 2025", account.earned, decimals=1),
        line("Revenue recognized in earlier years", account.before, decimals=1),
        line("Degree of completion (percent)", 100 * account.done),
    ]
    return table("", [f"{name}, in millions of dollars", "December 31, 2025"], rows)


_DEPOT_RANGES = {
    "radius": (30, 210),
    "opened": (1949, 2021),
    "units": (900, 8_400),
    "calls": (310, 4_900),
    "night": (4, 22),
    "first": (71, 94),
    "crane": (2, 20),
    "overhauls": (40, 620),
    "valves": (30, 900),
    "used": (52, 86),
    "lease": (2026, 2039),
    "since": (2006, 2025),
    "next": (2026, 2028),
    "days": (2, 31),
    "apprentices": (2, 6),
    "passed": (2, 5),
}


def _towns(words: dict[str, list[str]], count: int) -> list[str]:
    every = [f"{head}{tail}" for tail in words["tail"] for head in words["head"]]
    return Chance("depots").some(every, count)


def _depots() -> Iterable[Block]:
    writer, words = voices.writer("depots"), voices.banks("depots.words")
    towns = _towns(words, DEPOTS)
    staff = split(TECHNICIANS, [Chance(f"staff {town}").share(0.5, 2) for town in towns])
    pumps = split(RENTAL_PUMPS, [Chance(f"pumps {town}").share(0.3, 2) for town in towns])
    for number, town in enumerate(towns):
        luck = Chance(f"depot {town}")
        facts = draw_facts(luck, words, _DEPOT_RANGES)
        facts |= {"town": town, "town2": luck.pick(towns), "leader": voices.person(luck)}
        facts |= {"technicians": staff[number], "rental": pumps[number], "vans": max(2, staff[number] - 3)}
        facts["arrive"] = f"{luck.share(0.8, 5):.1f}"
        yield Heading(3, f"Depot {number + 1}: {town}", listed=False)
        yield Text(f"[[depot-{town}]]" + writer.paragraph("what work work note", facts))


_RESEARCH_RANGES = {
    "begun": (2017, 2024),
    "people": (3, 42),
    "share": (15, 60),
    "doctors": (2, 5),
    "filed": (2, 14),
    "granted": (2, 8),
    "rivals": (2, 9),
    "expires": (2027, 2038),
    "launch": (2026, 2028),
    "sale": (2028, 2032),
    "value": (4, 90),
    "stopped": (1998, 2016),
    "reward": (500, 9_000),
    "materials": (18, 55),
    "months": (4, 31),
    "asked": (4, 22),
    "above": (3, 40),
}


def _research() -> Iterable[Block]:
    writer, words = voices.writer("research"), voices.banks("research.words")
    rows = voices.rows("research.txt")
    spent = split(RESEARCH_TENTHS, [Chance(f"spent {row[0]}").share(0.4, 2) for row in rows])
    for (title, segment), tenths in zip(rows, spent, strict=True):
        facts = draw_facts(Chance(f"research {title}"), words, _RESEARCH_RANGES)
        yield Heading(2, title, listed=False)
        cost = f"{segment}; ${tenths / 10:.1f} million in 2025."
        yield Text(f"[[research-{title.split()[0]}-{title.split()[-1]}]]{cost} {writer.paragraph('aim result', facts)}")
        yield Text(writer.paragraph("partner rights history", facts))
        yield Text(writer.paragraph("risk next", facts))


_CLEANUP_RANGES = {
    "depth": (4, 38),
    "acres": (2, 26),
    "since": (1991, 2014),
    "limit": (3, 60),
    "approved": (2015, 2023),
    "wells": (6, 44),
    "pumped": (3, 88),
    "mass": (20, 1_900),
    "tons": (300, 9_400),
    "wall": (200, 2_600),
    "houses": (3, 46),
    "visitors": (20, 240),
    "finish": (2028, 2046),
    "watch": (5, 30),
    "share": (12, 72),
    "partners": (2, 39),
    "cap": (3, 15),
}


def _cleanups() -> Iterable[Block]:
    writer, words = voices.writer("cleanup"), voices.banks("cleanup.words")
    rows = voices.rows("cleanup.txt")
    paid = split(CLEANUP_PAYMENTS_THOUSANDS, [float(row[3]) + 0.4 for row in rows])
    for (name, kind, liability, current, substances, past), now in zip(rows, paid, strict=True):
        luck = Chance(f"cleanup {name}")
        facts = draw_facts(luck, words, _CLEANUP_RANGES) | {"past": past, "substances": substances}
        high = luck.between(40, 900)
        facts |= {"high": high, "low": round(high * luck.share(0.1, 0.7)), "clean": luck.between(1, 5)}
        yield Heading(2, name, listed=False)
        yield Text(f"A {kind}. " + writer.paragraph("past order", facts))
        yield _cleanup_table(name, luck, now, int(liability), int(current))
        yield from _cleanup_text(writer, facts)


def _cleanup_text(writer: Writer, facts: dict[str, object]) -> Iterator[Block]:
    for kinds in ("work result", "neighbors", "end others"):
        yield Text(writer.paragraph(kinds, facts))


def _cleanup_table(name: str, luck: Chance, now: int, liability: int, current: int) -> Block:
    before = [round(now * luck.share(0.6, 1.5)) for _ in range(2)]
    rows = [
        line(
            f"[[cleanup-{name.split(',', maxsplit=1)[0].replace(' ', '-')}]]Payments (thousands of dollars)",
            now,
            *before,
        ),
        line(
            "Liability (millions of dollars)", liability, liability + luck.between(0, 2), liability + luck.between(0, 3)
        ),
        line("of which current (millions of dollars)", current, current, current),
    ]
    return table("", [name, "2025", "2024", "2023"], rows)


PARTS: dict[str, Callable[[], Iterable[Block]]] = {
    "project-reviews": _projects,
    "depot-reviews": _depots,
    "research-reviews": _research,
    "cleanup-reviews": _cleanups,
}
