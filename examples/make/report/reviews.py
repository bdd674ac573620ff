"""Exhibits that go through products, countries and suppliers one by one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from make.chance import Chance, Writer, draw_facts
from make.manuscript import Block, Heading, Text
from make.report import voices
from make.report.model import COUNTRIES, INCOME, SEGMENT_REVENUE, SEGMENTS, split
from make.report.sites import plants
from make.tables import Row, Table, line, table

__all__ = ["PARTS", "reported_share"]


@dataclass(frozen=True)
class _Product:
    name: str
    segment: str
    year: int
    purpose: str
    specifications: tuple[str, ...]
    revenue: tuple[int, int, int]


@cache
def _products() -> tuple[_Product, ...]:
    rows = voices.rows("products.txt")
    revenue: dict[str, list[tuple[int, int, int]]] = {}
    for place, segment in enumerate(SEGMENTS):
        names = [row[0] for row in rows if row[1] == segment]
        base = [Chance(f"revenue {name}").share(0.5, 2) for name in names]
        trend = [
            [weight * Chance(f"{name} {year}").share(0.93, 1.07) for weight, name in zip(base, names, strict=True)]
            for year in SEGMENT_REVENUE
        ]
        years = [split(whole[place], weights) for whole, weights in zip(SEGMENT_REVENUE.values(), trend, strict=True)]
        revenue[segment] = [(a, b, c) for a, b, c in zip(*years, strict=True)]
    return tuple(_product(row, revenue) for row in rows)


def _product(row: Sequence[str], revenue: dict[str, list[tuple[int, int, int]]]) -> _Product:
    name, segment, year, purpose, *specifications = row
    return _Product(name, segment, int(year), purpose, tuple(specifications), revenue[segment].pop(0))


_PRODUCT_RANGES = {
    "installed": (2, 190),
    "life": (8, 30),
    "replacement": (25, 75),
    "made": (55, 88),
    "costshare": (9, 34),
    "sources": (2, 6),
    "contract": (2, 4),
    "dearer": (2, 11),
    "order": (3, 27),
    "trial": (4, 18),
    "raise": (2, 6),
    "kept": (55, 90),
    "discount": (18, 42),
    "warranty": (2, 5),
    "crew": (2, 4),
    "spares": (12, 48),
    "stock": (82, 98),
    "share": (6, 31),
    "rank": (1, 5),
    "rivals": (4, 14),
    "cheap": (2, 4),
    "launch": (2026, 2029),
    "delivery": (2026, 2028),
    "home": (28, 61),
    "europe": (12, 31),
    "up": (6, 24),
    "minutes": (8, 90),
    "failed": (2, 31),
    "noise": (2, 5),
    "wear": (3, 60),
    "engineers": (3, 38),
    "sellers": (2, 21),
    "training": (2, 9),
    "trained": (18, 260),
    "cheaper": (2, 7),
    "wages": (19, 44),
    "weeks": (2, 16),
    "late": (2, 11),
    "fast": (55, 93),
}


def _product_facts(product: _Product, words: dict[str, list[str]]) -> dict[str, object]:
    luck = Chance(f"product {product.name}")
    mine = [plant.town for plant in plants() if plant.segment == product.segment]
    first, second = luck.some(mine, 2)
    claims = luck.share(0.3, 2.2)
    facts = draw_facts(luck, words, _PRODUCT_RANGES)
    return facts | {
        "year": product.year,
        "plant1": first,
        "plant2": second,
        "hours": 500 * luck.between(4, 32),
        "cycles": 10_000 * luck.between(2, 90),
        "claims": f"{claims:.1f}",
        "claims2": f"{claims * luck.share(0.8, 1.3) + 0.1:.1f}",
    }


def _product_reviews() -> Iterable[Block]:
    writer = voices.writer("products")
    words = voices.banks("products.words")
    for segment in SEGMENTS:
        yield Heading(2, f"Product families of {segment}")
        for product in (product for product in _products() if product.segment == segment):
            yield from _review(product, writer, _product_facts(product, words))


def _review(product: _Product, writer: Writer, facts: dict[str, object]) -> Iterator[Block]:
    key = product.name.replace(" ", "-")
    yield Heading(3, product.name)
    yield Text(f"{product.purpose} {writer.paragraph('use making', facts)}")
    yield Text(writer.paragraph("material change order", facts))
    yield Text(f"Introduced in {product.year}. Main data: {'; '.join(product.specifications)}.")
    yield table("", [product.name, "2025", "2024", "2023"], _product_rows(product, key))
    yield Text(writer.paragraph("price service rival", facts))
    yield Text(writer.paragraph("region test people", facts))
    yield Text(writer.paragraph("cost stock next", facts))


def _product_rows(product: _Product, key: str) -> list[Row]:
    luck = Chance(f"measures {product.name}")
    orders = [round(value * luck.share(0.94, 1.12)) for value in product.revenue]
    deliveries = [luck.between(84, 97) for _ in product.revenue]
    return [
        line(f"[[product-{key}]]Revenue (millions of dollars)", *product.revenue),
        line("Orders (millions of dollars)", *orders),
        line("Delivered on the day promised (percent)", *deliveries),
        line("Complaints per thousand units", *(luck.between(2, 19) for _ in product.revenue)),
    ]


def _product_table() -> Iterable[Block]:
    rows: list[Row] = []
    for place, segment in enumerate(SEGMENTS):
        rows += [
            line(product.name, *product.revenue, indent=1) for product in _products() if product.segment == segment
        ]
        rows.append(Row((segment, *(f"{SEGMENT_REVENUE[year][place]:,}" for year in SEGMENT_REVENUE)), "total"))
    yield table(
        "[[products-table]]Revenue by product family, in millions of dollars", ["", "2025", "2024", "2023"], rows
    )


_MARKET_RANGES = {
    "change": (2, 14),
    "offices": (2, 9),
    "direct": (25, 85),
    "agents": (4, 90),
    "from_year": (2026, 2029),
    "adds": (2, 9),
    "since": (2018, 2024),
    "value": (2, 38),
    "rivals": (3, 11),
    "share": (5, 34),
    "fall": (2, 8),
    "days": (38, 96),
    "days2": (38, 96),
    "overdue": (2, 12),
    "low": (1, 4),
    "high": (5, 10),
    "jobs": (4, 60),
}


_UNNAMED = "others"
_WITHIN = {
    "Latin America": {"Mexico": 42, "Brazil": 22, "Chile": 17, "Peru": 9, _UNNAMED: 10},
    "Other Europe": {
        "France": 21,
        "Italy": 17,
        "Spain": 15,
        "Netherlands": 13,
        "Sweden": 11,
        "Switzerland": 8,
        "Poland": 7,
        _UNNAMED: 8,
    },
    "Other Asia-Pacific": {"Japan": 24, "Australia": 24, "Malaysia": 20, "South Korea": 17, "Vietnam": 5, _UNNAMED: 10},
    "Middle East and Africa": {"Saudi Arabia": 38, "Turkey": 18, "South Africa": 17, "Egypt": 10, _UNNAMED: 17},
}
"""In percent of the revenue of a group of countries."""


@cache
def _country_revenue() -> dict[str, list[int]]:
    """Revenue of each country reported, newest year first; those of a group add up to the group in Note 25."""
    found = {name: list(values) for name, values in COUNTRIES.items() if name not in _WITHIN}
    for group, shares in _WITHIN.items():
        years = [split(whole, list(shares.values())) for whole in COUNTRIES[group]]
        found |= {name: list(values) for name, *values in zip(shares, *years, strict=True) if name != _UNNAMED}
    return found


def reported_share() -> int:
    """Percent of revenue earned in the countries that the exhibit reports on."""
    return round(100 * sum(values[0] for values in _country_revenue().values()) / INCOME[2025]["revenue"])


def _market_reviews() -> Iterable[Block]:
    writer = voices.writer("markets")
    words = voices.banks("markets.words")
    for country, region in voices.rows("markets.txt"):
        luck = Chance(f"market {country}")
        facts = draw_facts(luck, words, _MARKET_RANGES)
        facts["people"] = 12 + round(_country_revenue()[country][0] * luck.share(0.6, 1.3))
        facts["manager"] = voices.person(luck)
        yield Heading(2, f"{country} ({region})", listed=False)
        yield Text(writer.paragraph("state we", facts))
        label = f"[[market-{country.replace(' ', '-')}]]Revenue (millions)"
        yield table("", [country, "2025", "2024", "2023"], [line(label, *_country_revenue()[country])])
        yield Text(writer.paragraph("rule project", facts))
        yield Text(writer.paragraph("rivalry pay outlook", facts))


_SUPPLIER_RANGES = {
    "value": (4, 58),
    "part": (12, 100),
    "plants": (2, 19),
    "until": (2026, 2031),
    "change": (2, 19),
    "ontime": (84, 99),
    "ontime2": (80, 99),
    "late": (1, 14),
    "reject": (40, 1_900),
    "findings": (2, 17),
    "days": (2, 4),
    "workers": (85, 4_200),
    "overtime": (1, 9),
    "age": (16, 19),
    "wage": (8, 64),
    "committee": (5, 15),
    "carbon": (310, 41_000),
    "target": (2029, 2035),
    "green": (8, 100),
    "signed": (2019, 2024),
    "passed": (4, 120),
    "days2": (45, 75),
    "early": (8, 90),
    "saved": (40, 1_900),
    "miles": (6, 6_400),
    "travel": (2, 46),
    "rating": (5, 9),
    "weeks": (9, 80),
    "stock": (3, 26),
}


def _supplier_reviews() -> Iterable[Block]:
    writer = voices.writer("suppliers")
    words = voices.banks("suppliers.words")
    rows: list[Row] = []
    made: list[Block] = []
    for name, goods, place in voices.rows("suppliers.txt"):
        facts = draw_facts(Chance(f"supplier {name}"), words, _SUPPLIER_RANGES)
        facts |= {"goods": goods, "goods_cap": goods[0].upper() + goods[1:]}
        rows.append(Row((name, place, goods, f"{facts['value']}", f"{facts['ontime']}")))
        made += [Heading(2, f"{name}, {place}", listed=False)]
        made += [Text(f"[[supplier-{name.split()[0]}]]" + writer.paragraph("buy perform audit", facts))]
        made += [_supplier_table(name, facts), Text(writer.paragraph("people carbon second code", facts))]
    columns = ("Supplier", "Place", "Goods", "Value in millions of dollars", "On time, percent")
    yield Table(
        columns, tuple(rows), title="Suppliers at a glance, 2025", text_columns=3, shares=(2.2, 1.5, 2.6, 1.2, 0.9)
    )
    yield from made


def _supplier_table(name: str, facts: dict[str, object]) -> Block:
    luck = Chance(f"measures {name}")
    value, ontime, reject = (int(str(facts[kind])) for kind in ("value", "ontime", "reject"))
    rows = [
        line("Purchases (millions of dollars)", value, *(round(value * luck.share(0.8, 1.15)) for _ in range(2))),
        line("Delivered on time (percent)", ontime, *(min(99, ontime + luck.between(-6, 3)) for _ in range(2))),
        line("Rejected parts in a million", reject, *(round(reject * luck.share(0.8, 1.5)) for _ in range(2))),
        line(
            "Findings in the audit of the year", int(str(facts["findings"])), luck.between(2, 14), luck.between(2, 16)
        ),
    ]
    return table("", [name, "2025", "2024", "2023"], rows)


PARTS: dict[str, Callable[[], Iterable[Block]]] = {
    "product-reviews": _product_reviews,
    "product-table": _product_table,
    "market-reviews": _market_reviews,
    "supplier-reviews": _supplier_reviews,
}
