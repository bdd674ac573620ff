"""Tables of facts that are not computed from the books: property, shares, instruments, claims, climate."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from make.manuscript import Block
from make.report import model
from make.report.ledger import YEARS
from make.report.model import INCOME
from make.report.statements import MILLIONS
from make.tables import Table, line, table, text_table, total

__all__ = ["PARTS"]


def _offices() -> Iterable[Block]:
    rows = [
        ("Calder Falls, Ohio", "Head office and training center", "210", "owned"),
        ("Ashmere, Ohio", "Membrane research and security center", "164", "owned"),
        ("Lenwood, Indiana", "[[lenwood]]Distribution center for North America", "620", "leased until 2034"),
        ("Venlo-Zuid, Netherlands", "Distribution center for Europe", "340", "leased until 2031"),
        ("Johor Selatan, Malaysia", "Distribution center for Asia", "180", "leased until 2029"),
        ("Pune North, India", "Engineering and software center", "96", "owned"),
        ("Zug-Süd, Switzerland", "European management", "22", "leased until 2028"),
        ("Port Amity, South Carolina", "Membrane plant under construction", "410", "owned"),
    ]
    yield text_table("", ("Place", "Use", "Thousand square feet", "Title"), rows, (3, 4, 1.3, 2))


def _repurchases() -> Iterable[Block]:
    yield Table(
        (
            "Period",
            "Shares bought (thousands)",
            "Average price",
            "Under the program (thousands)",
            "Left to buy (millions)",
        ),
        (
            line("October 2025", "214", "$64.10", "214", "$263"),
            line("[[november-buyback]]November 2025", "263", "$65.83", "261", "$246"),
            line("December 2025", "162", "$67.92", "162", "$235"),
            total("Fourth quarter", "639", "$65.78", "637", "$235"),
        ),
        title="Repurchases in the fourth quarter",
    )


def _obligations() -> Iterable[Block]:
    rows = [
        line("Principal of long-term debt", 1_415, 85, 550, 780),
        line("Interest", 402, 58, 94, 250),
        line("Operating leases", 197, 48, 76, 73),
        line("[[purchase-obligations]]Purchase commitments", 214, 121, 82, 11),
        line("Pension contributions (United States)", 25, 25, 0, 0),
    ]
    sums = total("Total", 2_253, 337, 802, 1_114, sign="$")
    columns = ["", "Total", "2026", "2027 and 2028", "Later"]
    yield table("Payments due at December 31, 2025", columns, [*rows, sums], unit="In millions of dollars")


def _revenue_kinds() -> Iterable[Block]:
    shares = ((41, 15, 27, 17), (41.5, 14.5, 27.5, 16.5), (42, 14.5, 28, 15.5))
    kinds = ("Products", "Systems and projects, over time", "Spare parts and consumables", "Services and rental")
    values = [model.split(INCOME[year]["revenue"], weights) for year, weights in zip(YEARS, shares, strict=True)]
    values[0] = [1_712, 612, 1_128, 707]
    if sum(values[0]) != INCOME[2025]["revenue"]:
        raise ValueError("the kinds of revenue do not add up")
    rows = [line(name, *row) for name, row in zip(kinds, zip(*values, strict=True), strict=True)]
    rows.append(total("[[revenue-kinds]]Total", *(INCOME[year]["revenue"] for year in YEARS), sign="$"))
    yield table("Revenue by kind", ["", *YEARS], rows, unit=MILLIONS)


def _derivatives() -> Iterable[Block]:
    rows = [
        line("Currency forwards, cash-flow hedges", 266, 5, 2, 248, 2, 4),
        line("Currency forwards, other", 152, 1, 1, 139, 1, 1),
        line("[[nickel-swaps]]Nickel swaps (640 and 580 tons)", 11, 1, 0, 10, 0, 1),
    ]
    columns = ["", "Nominal 2025", "Assets 2025", "Liabilities 2025", "Nominal 2024", "Assets 2024", "Liabilities 2024"]
    yield table("Derivatives", columns, rows, unit="In millions of dollars; December 31")


def _fair_values() -> Iterable[Block]:
    rows = [
        line("Money-market funds", 88, 0, 0, 88),
        line("Deferred compensation assets", 24, 0, 0, 24),
        line("Derivative assets", 0, 7, 0, 7),
        line("Derivative liabilities", 0, -3, 0, -3),
        line("[[contingent]]Contingent payment for Kestle", 0, 0, -4, -4),
    ]
    yield table(
        "Carried at fair value at December 31, 2025",
        ["", "Level 1", "Level 2", "Level 3", "Total"],
        rows,
        unit="In millions of dollars",
    )


def _asbestos() -> Iterable[Block]:
    yield table(
        "Asbestos claims",
        ["", *YEARS],
        [
            line("Open, beginning of year", 4_085, 4_322, 4_571),
            line("[[new-claims]]New claims", 612, 668, 731),
            line("Dismissed", -571, -608, -649),
            line("Settled", -266, -297, -331),
            total("Open, end of year", 3_860, 4_085, 4_322),
        ],
        unit="Number of claims",
    )


def _environment_sites() -> Iterable[Block]:
    rows = [
        line("Brackwater, Pennsylvania (foundry and landfill)", 14, 4),
        line("Calder Falls, Ohio (old plating shop)", 11, 2),
        line("[[haskell]]Haskell Meadows, New Jersey (former paint works)", 9, 5),
        line("Västanfors, Sweden (river sediment)", 8, 2),
        line("Thirteen other sites", 19, 6),
    ]
    columns = ["Site", "Total liability", "of which current"]
    yield table(
        "Liabilities by site", columns, [*rows, total("Total", 61, 19, sign="$")], unit="In millions of dollars"
    )


def _site_risks() -> Iterable[Block]:
    rows = [
        ("Calder Falls, Ohio", "River flood", "Levee of 2004, flood doors, pumps"),
        ("Magnolia Landing, Louisiana", "Hurricane, storm surge", "Transformer raised, evacuation plan"),
        ("Bellhaven, South Carolina", "Hurricane", "Roof renewed after damage in 2024"),
        ("Larkspur, California", "Drought, forest fire", "Own water for nine days, cleared strip"),
        ("Redstone Flats, Arizona", "Heat, lack of water", "Closed test circuit, work at night in July"),
        ("Zarzalejo, Spain", "Lack of water", "Contract for reclaimed water from 2027"),
        ("[[risk-pune]]Pune North, India", "Lack of water, monsoon flood", "Reclaimed water, raised store for motors"),
        ("Ponte Grave, Italy", "Flash flood", "Wall of five feet, alarm by radar"),
        ("Kashima Hills, Japan", "Typhoon, earthquake", "Anchored racks, second source from 2027"),
        ("Batu Emas, Malaysia", "Flood", "Drains widened"),
        ("Lat Prao Nok, Thailand", "Flood", "Stock moved to upper floor"),
    ]
    yield text_table("Plants at high risk", ("Plant", "Danger", "Protection"), rows, (2.2, 2, 3))


def _greenhouse() -> Iterable[Block]:
    yield table(
        "Greenhouse gases",
        ["", "2025", "2024", "2023", "2019"],
        [
            line("[[scope-one]]Scope 1, fuels and vans", 141, 147, 151, 196),
            line("Scope 2, electricity with contracts counted", 214, 231, 248, 342),
            total("Scope 1 and 2", 355, 378, 399, 538),
            line("Scope 3, purchased goods and freight", 1_920, 1_880, 1_910, 2_040),
            line("Scope 3, use of products sold", 88_400, 86_900, 85_200, 84_700),
        ],
        unit="In thousands of tons of carbon dioxide equivalent, all sites, depots and vans",
    )


PARTS: dict[str, Callable[[], Iterable[Block]]] = {
    "offices-table": _offices,
    "repurchases": _repurchases,
    "obligations": _obligations,
    "revenue-kinds": _revenue_kinds,
    "derivatives": _derivatives,
    "fair-values": _fair_values,
    "asbestos": _asbestos,
    "environment-sites": _environment_sites,
    "site-risks": _site_risks,
    "greenhouse": _greenhouse,
}
