"""The tables in the notes on revenue, segments and assets, and in management’s discussion."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from make.manuscript import Block
from make.report import model
from make.report.ledger import YEARS, balances, cash_flow, movement
from make.report.model import INCOME, SEGMENTS
from make.report.statements import MILLIONS, POINTS
from make.tables import Row, column_sums, head, line, summed, table, total

__all__ = ["PARTS"]


def _breakdown(title: str, account: str, label: str, mark: str = "") -> Iterable[Block]:
    parts = model.BREAKDOWNS[account]
    rows = [line(name, *values) for name, values in parts.items()]
    sums = column_sums(list(parts.values()))
    yield table(title, ["", "2025", "2024"], [*rows, total(mark + label, *sums, sign="$")], unit=POINTS)


def _revenue_by_region() -> Iterable[Block]:
    rows: list[Row] = []
    for year in (2025, 2024):
        values = model.REVENUE_BY_REGION[year]
        rows.append(head(str(year)))
        rows += [line(name, *row, sum(row), indent=1) for name, row in zip(SEGMENTS, values, strict=True)]
        rows.append(total("Total", *column_sums(values), sum(column_sums(values)), sign="$"))
    title = "[[revenue-by-region]]Revenue by segment and region"
    columns = ["", "Americas", "Europe", "Asia-Pacific", "Middle East and Africa", "Total"]
    yield table(title, columns, rows, unit=MILLIONS)


_MARKETS = (
    "Municipal water and wastewater",
    "Food, beverage and pharmaceuticals",
    "Chemicals and energy",
    "Microelectronics",
    "Mining and metals",
    "Buildings and general industry",
)


def _revenue_by_market() -> Iterable[Block]:
    weights = ((34, 19, 17, 11, 7, 12), (34.5, 18.5, 18, 9.5, 7.5, 12), (35, 18, 19, 8, 8, 12))
    values = [model.split(INCOME[year]["revenue"], shares) for year, shares in zip(YEARS, weights, strict=True)]
    rows = [
        line("[[microelectronics]]" * (name == "Microelectronics") + name, *row)
        for name, row in zip(_MARKETS, zip(*values, strict=True), strict=True)
    ]
    sums = [INCOME[year]["revenue"] for year in YEARS]
    yield table("Revenue by end market", ["", *YEARS], [*rows, total("Total", *sums, sign="$")], unit=MILLIONS)


def _segments() -> Iterable[Block]:
    def group(title: str, values: Callable[[int], Sequence[int]], label: str) -> list[Row]:
        years = [values(year) for year in YEARS]
        rows = [
            line(name, *row, indent=1)
            for name, row in zip((*SEGMENTS, "Corporate"), zip(*years, strict=True), strict=False)
        ]
        return [head(title), *rows, total(label, *(sum(year) for year in years))]

    income = [INCOME[year] for year in YEARS]
    reconciled = [
        line("Unallocated corporate expenses", *(-row["unallocated"] for row in income), indent=1),
        line("Amortization of intangible assets", *(-row["amortization"] for row in income), indent=1),
        line("Restructuring charges", *(-row["restructuring"] for row in income), indent=1),
        line("Acquisition-related costs", *(-row["deal_costs"] for row in income), indent=1),
        total("Operating income", *(row["operating_income"] for row in income), sign="$"),
    ]
    yield table(
        "Segment results",
        ["", *YEARS],
        [
            *group("[[segment-revenue]]Net revenue", model.SEGMENT_REVENUE.__getitem__, "Total net revenue"),
            *group("[[segment-profit]]Segment profit", model.SEGMENT_PROFIT.__getitem__, "Total segment profit"),
            *reconciled,
        ],
        unit=MILLIONS,
    )
    yield table(
        "Depreciation and capital expenditures by segment",
        ["", *YEARS],
        [
            *group("Depreciation", model.SEGMENT_DEPRECIATION.__getitem__, "Total depreciation"),
            *group(
                "[[segment-capex]]Capital expenditures", model.SEGMENT_CAPEX.__getitem__, "Total capital expenditures"
            ),
        ],
        unit=MILLIONS,
    )
    assets = [model.SEGMENT_ASSETS[year] for year in (2025, 2024)]
    rows = [line(name, *row) for name, row in zip((*SEGMENTS, "Corporate"), zip(*assets, strict=True), strict=True)]
    sums = total("Total assets", *(sum(year) for year in assets), sign="$")
    yield table("Assets by segment", ["", "2025", "2024"], [*rows, sums], unit=POINTS)


def _acquisition() -> Iterable[Block]:
    names = {
        "receivables": "Accounts receivable",
        "inventories": "Inventories",
        "prepaid": "Prepaid expenses",
        "property": "Property, plant and equipment",
        "intangibles": "Intangible assets",
        "goodwill": "[[acquired-goodwill]]Goodwill",
        "payables": "Accounts payable",
        "compensation": "Accrued compensation",
        "accrued": "Other accrued liabilities",
        "deferred_taxes": "Deferred income taxes",
    }
    bought = "Acquisitions, net of cash acquired"
    values = {
        account: [movement(bought, account, year) * (1 if place < 6 else -1) for year in (2025, 2024)]
        for place, account in enumerate(names)
    }
    rows = [line(names[account], *row) for account, row in values.items()]
    paid = total("Purchase price, net of cash acquired", *column_sums(list(values.values())), sign="$")
    columns = ["", "Kestle Valve Services (2025)", "Orrin Membrane Technologies (2024)"]
    yield table("Fair value of what was acquired", columns, [*rows, paid], unit="In millions of dollars")


def _roll(
    title: str, rows: Sequence[tuple[str, Sequence[int]]], opening: Sequence[int], mark: str = ""
) -> Iterable[Block]:
    """A balance from the beginning to the end of each year, newest first."""
    sums = [start + sum(row[1][place] for row in rows) for place, start in enumerate(opening)]
    made = [line("Balance, beginning of year", *opening), *(line(name, *values) for name, values in rows)]
    end = total(mark + "Balance, end of year", *sums, sign="$")
    yield table(title, ["", *YEARS[: len(opening)]], [*made, end], unit=MILLIONS)


def _restructuring() -> Iterable[Block]:
    rows = [
        ("Charges", [INCOME[year]["restructuring"] for year in YEARS]),
        ("Cash payments", (-22, -14, -16)),
        ("Asset impairments", [-cash_flow("operating", year)["Asset impairments in restructuring"] for year in YEARS]),
    ]
    yield from _roll("[[restructuring]]Restructuring liability", rows, (21, 10, 9))


def _allowance() -> Iterable[Block]:
    rows = [("Provision", (8, 7, 6)), ("Write-offs, net of recoveries", (-7, -5, -5)), ("Currency", (1, -1, 0))]
    yield from _roll("Allowance for credit losses", rows, (22, 21, 20))


def _warranties() -> Iterable[Block]:
    rows = [
        ("Warranties issued", (31, 28, 25)),
        ("Claims paid", (-29, -26, -24)),
        ("Acquisitions and currency", (2, 1, 1)),
    ]
    yield from _roll("[[warranties]]Product warranties", rows, (54, 51, 49))


def _supplier_finance() -> Iterable[Block]:
    rows = [("Invoices confirmed", (402, 371)), ("Invoices paid", (-396, -366)), ("Currency", (1, -1))]
    yield from _roll("[[supplier-finance]]Confirmed obligations outstanding", rows, (64, 60))


def _goodwill() -> Iterable[Block]:
    opening = {2025: [row[1] for row in model.BREAKDOWNS["goodwill"].values()], 2024: (392, 468, 238, 125)}
    moved = {2025: ((0, 0, 0, 19), (4, 6, 3, 1)), 2024: ((0, 121, 0, 0), (-6, -7, -4, -2))}
    rows: list[Row] = []
    for year in (2024, 2025):
        start = opening[year]
        rows.append(total(f"Balance, December 31, {year - 1}", *start, sum(start), sign="$"))
        rows += [
            line(name, *values, sum(values), indent=1)
            for name, values in zip(("Acquisitions", "Currency"), moved[year], strict=True)
        ]
    end = [row[0] for row in model.BREAKDOWNS["goodwill"].values()]
    rows.append(total("[[goodwill]]Balance, December 31, 2025", *end, sum(end), sign="$"))
    yield table("Goodwill by segment", ["", *SEGMENTS, "Total"], rows, unit="In millions of dollars")


_GROSS = {2025: (486, 268, 71, 28), 2024: (470, 265, 70, 27)}


def _intangibles() -> Iterable[Block]:
    nets = model.BREAKDOWNS["intangibles"]
    rows = [
        line(
            name,
            _GROSS[2025][at],
            net[0] - _GROSS[2025][at],
            net[0],
            _GROSS[2024][at],
            net[1] - _GROSS[2024][at],
            net[1],
        )
        for at, (name, net) in enumerate(nets.items())
    ]
    sums = [sum(_GROSS[2025]), balances(2025)["intangibles"] - sum(_GROSS[2025]), balances(2025)["intangibles"]]
    sums += [sum(_GROSS[2024]), balances(2024)["intangibles"] - sum(_GROSS[2024]), balances(2024)["intangibles"]]
    columns = ["", "Gross 2025", "Amortized 2025", "Net 2025", "Gross 2024", "Amortized 2024", "Net 2024"]
    yield table("Intangible assets", columns, [*rows, total("Total", *sums, sign="$")], unit=POINTS)
    future = {"2026": 57, "2027": 54, "2028": 50, "2029": 46, "2030": 41, "Thereafter": 175}
    if sum(future.values()) != balances(2025)["intangibles"]:
        raise ValueError("the expected amortization does not add up to the intangible assets")
    yield table(
        "[[future-amortization]]Expected amortization", ["", "Expense"], summed(future), unit="In millions of dollars"
    )


def _countries() -> Iterable[Block]:
    rows = [line("[[india]]" * (name == "India") + name, *values) for name, values in model.COUNTRIES.items()]
    rows.append(total("Total", *(INCOME[year]["revenue"] for year in YEARS), sign="$"))
    yield table("Revenue by location of the customer", ["", *YEARS], rows, unit=MILLIONS)
    shares = ("United States", 612, 571), ("Germany", 148, 141), ("China", 117, 121), ("Mexico", 96, 88)
    listed = [*shares, ("India", 84, 66)]
    rest = [balances(year)["property"] - sum(row[at] for row in listed) for at, year in ((1, 2025), (2, 2024))]
    rows = [line(*row) for row in listed] + [line("Other countries", *rest)]
    rows.append(total("Property, plant and equipment, net", *(balances(y)["property"] for y in (2025, 2024)), sign="$"))
    yield table("[[assets-by-country]]Long-lived assets by location", ["", "2025", "2024"], rows, unit=POINTS)


def _sources_and_uses() -> Iterable[Block]:
    rows = [
        line("Net cash provided by operating activities", *(sum(cash_flow("operating", y).values()) for y in YEARS)),
        line("[[mdna-capex]]Capital expenditures", *(cash_flow("investing", y)["Capital expenditures"] for y in YEARS)),
    ]
    free = [sum(cash_flow("operating", y).values()) + cash_flow("investing", y)["Capital expenditures"] for y in YEARS]
    rows.append(total("[[free-cash]]Free cash flow", *free, sign="$"))
    yield table("From operating cash flow to free cash flow", ["", *YEARS], rows, unit=MILLIONS)


PARTS: dict[str, Callable[[], Iterable[Block]]] = {
    "revenue-by-region": _revenue_by_region,
    "revenue-by-market": _revenue_by_market,
    "segment-tables": _segments,
    "acquisition": _acquisition,
    "restructuring": _restructuring,
    "receivables": lambda: _breakdown("Accounts receivable", "receivables", "Accounts receivable, net"),
    "allowance": _allowance,
    "inventories": lambda: _breakdown("Inventories", "inventories", "Inventories", "[[inventories]]"),
    "property": lambda: _breakdown(
        "Property, plant and equipment", "property", "Property, plant and equipment, net", "[[property]]"
    ),
    "goodwill": _goodwill,
    "intangibles": _intangibles,
    "accrued": lambda: _breakdown("Other accrued liabilities", "accrued", "Other accrued liabilities"),
    "other-liabilities": lambda: _breakdown("Other liabilities", "other_liabilities", "Other liabilities"),
    "other-assets": lambda: _breakdown("Other assets", "other_assets", "Other assets", "[[other-assets]]"),
    "warranties": _warranties,
    "supplier-finance": _supplier_finance,
    "countries": _countries,
    "free-cash": _sources_and_uses,
}
