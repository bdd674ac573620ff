"""The plants: the table in Item 2, the workforce, and a report on the environment of each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache

from make.chance import Chance, Writer, draw_facts
from make.manuscript import Block, Directive, Heading, Text
from make.report import voices
from make.report.model import SEGMENTS, split
from make.report.statements import EMPLOYEES
from make.tables import Row, Table, head, line, table, total

__all__ = ["PARTS", "Plant", "plants"]


ENVIRONMENT_SPENDING_THOUSANDS = 31_000
"""Over all plants, as Item 1 says."""


@dataclass(frozen=True)
class Plant:
    """A plant and what was measured there; tuples are 2025, 2024, 2023."""

    town: str
    area: str
    segment: str
    opened: int
    products: str
    employees: int
    floor_thousand_sqft: int
    owned: bool
    water: tuple[int, int, int]
    power: tuple[int, int, int]
    gas: tuple[int, int, int]
    carbon: tuple[int, int, int]
    waste: tuple[int, int, int]
    hazardous: tuple[int, int, int]
    injuries: tuple[int, int, int]
    spent_thousands: int

    @property
    def name(self) -> str:
        """Town and state or country."""
        return f"{self.town}, {self.area}"

    @property
    def key(self) -> str:
        """Its name in marks."""
        return self.town.replace(" ", "-")


@cache
def plants() -> tuple[Plant, ...]:
    """All plants in the order of Item 2."""
    every = voices.rows("plants.txt")
    spending = split(ENVIRONMENT_SPENDING_THOUSANDS, [Chance(f"spending {row[0]}").share(0.4, 2.2) for row in every])
    leased = set(Chance("leased").some(range(len(every)), 15))
    floors = split(14_600, [Chance(f"floor {row[0]}").share(0.5, 2.0) for row in every])
    return tuple(_plant(row, place not in leased, floors[place], spending[place]) for place, row in enumerate(every))


def _plant(row: Sequence[str], owned: bool, floor: int, spent: int) -> Plant:
    town, area, segment, opened, products = row
    luck = Chance(f"plant {town}")
    employees = {"Calder Falls": 1_180, "Saltillo Nuevo": 1_540}.get(town, luck.between(68, 312))
    water = _falling(luck, employees * luck.share(0.3, 1.1))
    power = _falling(luck, employees * luck.share(38, 92))
    gas = _falling(luck, employees * luck.share(20, 60))
    waste = _falling(luck, employees * luck.share(2, 7))
    return Plant(
        town,
        area,
        segment,
        int(opened),
        products,
        employees,
        floor,
        owned,
        water,
        power,
        gas,
        tuple(round(0.2 * gas[at] + 0.28 * power[at]) for at in range(3)),
        waste,
        tuple(max(1, round(value * luck.share(0.03, 0.07))) for value in waste),
        (luck.between(0, 3), luck.between(0, 4), luck.between(0, 5)),
        spent,
    )


def _falling(luck: Chance, start: float) -> tuple[int, int, int]:
    """A measure that mostly falls from year to year: newest first."""
    latest = round(start)
    before = round(latest * luck.share(0.97, 1.09))
    return latest, before, round(before * luck.share(0.98, 1.08))


def _plants_table() -> Iterable[Block]:
    rows: list[Row] = []
    for segment in SEGMENTS:
        rows.append(head(segment))
        mine = [plant for plant in plants() if plant.segment == segment]
        rows += [
            Row(
                (
                    f"[[plant-{plant.key}]]{plant.name}",
                    plant.products[0].upper() + plant.products[1:],
                    f"{plant.floor_thousand_sqft:,}",
                    "owned" if plant.owned else "leased",
                ),
                indent=1,
            )
            for plant in mine
        ]
    columns = ("Plant", "What it makes", "Thousand square feet", "Title")
    yield Table(columns, tuple(rows), text_columns=2, shares=(3, 4, 1.2, 1))


def _workforce() -> Iterable[Block]:
    regions = ("United States", "Other Americas", "Europe", "Asia-Pacific", "Middle East and Africa")
    now = split(EMPLOYEES[2025], (41, 17, 24, 16, 2))
    before = split(EMPLOYEES[2024], (41.6, 16.5, 24.4, 15.6, 1.9))
    rows = [line("[[workforce]]" * (not place) + name, now[place], before[place]) for place, name in enumerate(regions)]
    rows.append(total("Employees", EMPLOYEES[2025], EMPLOYEES[2024]))
    yield table("Employees by region at December 31", ["", "2025", "2024"], rows)


_MEASURES: tuple[tuple[str, str], ...] = (
    ("Water withdrawn (thousand cubic meters)", "water"),
    ("Electricity (megawatt-hours)", "power"),
    ("Natural gas (megawatt-hours)", "gas"),
    ("Greenhouse gases, Scope 1 and 2 (tons)", "carbon"),
    ("Waste (tons)", "waste"),
    ("of which hazardous (tons)", "hazardous"),
    ("Recordable injuries (number)", "injuries"),
)


def _summary() -> Iterable[Block]:
    rows = [
        line(
            "[[all-water]]" * (name == "water") + label,
            *(sum(getattr(plant, name)[at] for plant in plants()) for at in range(3)),
        )
        for label, name in _MEASURES
    ]
    yield table("All plants together", ["", "2025", "2024", "2023"], rows)
    thirsty = sorted(plants(), key=lambda plant: -plant.water[0])[:10]
    ranked = [line("[[thirstiest]]" * (not at) + plant.name, *plant.water) for at, plant in enumerate(thirsty)]
    yield table("The ten plants that used most water, in thousand cubic meters", ["", "2025", "2024", "2023"], ranked)


def _reports() -> Iterable[Block]:
    writer = voices.writer("plants")
    for plant in plants():
        yield from _report(plant, writer, _facts(plant))


def _report(plant: Plant, writer: Writer, facts: dict[str, object]) -> Iterable[Block]:
    yield Directive("page")
    yield Heading(2, plant.name, listed=False)
    yield Text(writer.paragraph("site making people", facts))
    rows = [line(label, *getattr(plant, name)) for label, name in _MEASURES]
    rows[0] = line(f"[[report-{plant.key}]]{_MEASURES[0][0]}", *plant.water)
    yield table(f"{plant.town}: measures of the year", ["", "2025", "2024", "2023"], rows)
    for kinds in ("water water2", "energy energy2", "waste air", "permit audit", "event", "project next", "neighbor"):
        yield Text(writer.paragraph(kinds, facts))


def _facts(plant: Plant) -> dict[str, object]:
    luck, words = Chance(f"report {plant.town}"), voices.banks("sites.words")
    facts = draw_facts(luck, words, _RANGES)
    facts |= {"month2": luck.pick(words["month"]), "month3": luck.pick(words["month"])}
    facts |= _drawn(luck, plant, int(str(facts["findings"])))
    return facts | {
        "town": plant.town,
        "products": plant.products,
        "opened": plant.opened,
        "joined": max(plant.opened, luck.between(1958, 2016)),
        "employees": f"{plant.employees:,}",
        "floor": plant.floor_thousand_sqft,
        "manager": f"{facts['forename']} {facts['surname']}",
        "water25": plant.water[0],
        "water24": plant.water[1],
        "power25": plant.power[0],
        "waste25": plant.waste[0],
        "hazard": plant.hazardous[0],
        "spent": plant.spent_thousands,
        "permit": f"{plant.town[:2].upper()}-{luck.between(1040, 9890)}",
    }


_RANGES = {
    "acres": (9, 84),
    "green": (2, 8),
    "basin": (12, 38),
    "lines": (2, 9),
    "shifts": (2, 3),
    "export": (12, 71),
    "models": (20, 140),
    "apprentices": (2, 19),
    "since": (2009, 2024),
    "women": (14, 43),
    "contractors": (6, 48),
    "nations": (4, 22),
    "recycled": (18, 64),
    "bigshare": (34, 72),
    "zinc": (40, 310),
    "gooddays": (351, 365),
    "renewed": (2014, 2023),
    "limit": (20, 45),
    "renewable": (22, 96),
    "ppa": (2027, 2036),
    "solar": (120, 980),
    "testshare": (7, 28),
    "saving": (18, 140),
    "cut": (6, 23),
    "leaks": (14, 120),
    "recovered": (71, 97),
    "landfill": (2, 14),
    "distance": (8, 62),
    "checks": (2, 6),
    "expiry": (2027, 2038),
    "tank": (4, 60),
    "findings": (2, 9),
    "day": (1, 28),
    "spill": (15, 400),
    "minutes": (6, 35),
    "complaints": (2, 14),
    "wall": (8, 16),
    "aim": (2, 9),
    "budget": (90, 940),
    "visitors": (180, 2_400),
    "trash": (200, 1_900),
    "hives": (3, 14),
    "meetings": (2, 6),
    "scholars": (2, 8),
}


def _drawn(luck: Chance, plant: Plant, findings: int) -> dict[str, object]:
    solvent = luck.between(2, 28)
    return {
        "units": plant.employees * luck.between(18, 240),
        "ontime": luck.between(86, 98),
        "closed": luck.between(1, findings),
        "solvent": solvent,
        "solventcap": solvent + luck.between(6, 30),
        "dust": f"{luck.share(0.8, 6.4):.1f}",
    }


PARTS: dict[str, Callable[[], Iterable[Block]]] = {
    "plants-table": _plants_table,
    "workforce": _workforce,
    "plants-summary": _summary,
    "plant-reports": _reports,
}
