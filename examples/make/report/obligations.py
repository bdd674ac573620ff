"""The tables in the notes on leases, debt, pensions, taxes and equity."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from make.manuscript import Block
from make.report import model
from make.report.ledger import YEARS, balances, cash_flow, movement
from make.report.model import INCOME, SHARES
from make.report.statements import MILLIONS, POINTS
from make.tables import Row, Table, column_sums, head, line, summed, table, total

__all__ = ["PARTS"]


def _leases() -> Iterable[Block]:
    cost = {"Operating lease cost": (40, 38, 36), "Short-term lease cost": (6, 6, 5), "Variable lease cost": (8, 7, 7)}
    rows = [line(name, *values) for name, values in cost.items()]
    together = total("[[lease-cost]]Total lease cost", *column_sums(list(cost.values())), sign="$")
    yield table("Lease cost", ["", *YEARS], [*rows, together], unit=MILLIONS)
    rows = [
        *summed(model.LEASE_PAYMENTS, "Total lease payments"),
        line("Less: imputed interest", -model.LEASE_INTEREST),
        total("Operating lease liabilities", balances(2025)["lease_liabilities"], sign="$"),
    ]
    yield table("Payments due under operating leases", ["", "Payments"], rows, unit=POINTS)


def _debt() -> Iterable[Block]:
    marks = {"5.40% notes due March 2036": "[[notes-2036]]", "Term loan B, due June 2028": "[[term-loan-b]]"}
    rows = [line(marks.get(name, "") + name, *values) for name, values in model.DEBT.items()]
    sums = column_sums(list(model.DEBT.values()))
    current = [model.current_debt(year) for year in (2025, 2024)]
    rows += [
        total("[[debt-total]]Total long-term debt", *sums),
        line("Less: current portion", *(-value for value in current)),
        total("Long-term debt, less current portion", *(a - b for a, b in zip(sums, current, strict=True)), sign="$"),
    ]
    yield table("Long-term debt", ["", "2025", "2024"], rows, unit=POINTS)


def _maturities() -> Iterable[Block]:
    rows = summed(model.DEBT_MATURITIES, "Total principal")
    yield table("[[debt-maturities]]Principal due by year", ["", "Principal"], rows, unit="In millions of dollars")


def _pension() -> Iterable[Block]:
    rows: list[Row] = [head("Benefit obligation")]
    lines = {
        "Benefit obligation, beginning of year": [model.PENSION_STANDING[year - 1][0] for year in (2025, 2024)],
        "Service cost": [model.PENSION[year]["service"] for year in (2025, 2024)],
        "Interest cost": [model.PENSION[year]["interest"] for year in (2025, 2024)],
        "Actuarial gain": [model.PENSION[year]["actuarial"] for year in (2025, 2024)],
        "Benefits paid": [-model.PENSION[year]["benefits"] for year in (2025, 2024)],
        "Currency": [9, -10],
    }
    assets = {
        "Plan assets, beginning of year": [model.PENSION_STANDING[year - 1][1] for year in (2025, 2024)],
        "Actual return": [model.PENSION[year]["actual"] for year in (2025, 2024)],
        "Contributions": [model.PENSION[year]["paid_in"] for year in (2025, 2024)],
        "Benefits paid": [-model.PENSION[year]["benefits"] for year in (2025, 2024)],
        "Currency": [6, -6],
    }
    ends = column_sums(list(lines.values())), column_sums(list(assets.values()))
    for year, obligation, plan in zip((2025, 2024), *ends, strict=True):
        if (obligation, plan) != model.PENSION_STANDING[year]:
            raise ValueError(f"the pension accounts of {year} do not roll forward")
    rows += [line(name, *values, indent=1) for name, values in lines.items()]
    rows += [total("Benefit obligation, end of year", *ends[0]), head("Plan assets")]
    rows += [line(name, *values, indent=1) for name, values in assets.items()]
    rows += [
        total("[[plan-assets]]Plan assets, end of year", *ends[1]),
        total("Funded status, recognized as a liability", *(b - a for a, b in zip(*ends, strict=True)), sign="$"),
    ]
    yield table("Obligations and funded status", ["", "2025", "2024"], rows, unit=MILLIONS)
    costs = [model.PENSION[year] for year in YEARS]
    net = [cost["service"] + cost["interest"] - cost["expected"] for cost in costs]
    parts = [
        line("Service cost", *(cost["service"] for cost in costs)),
        line("Interest cost", *(cost["interest"] for cost in costs)),
        line("Expected return on plan assets", *(-cost["expected"] for cost in costs)),
        total("Net periodic benefit cost", *net, sign="$"),
    ]
    yield table("Benefit cost", ["", *YEARS], parts, unit=MILLIONS)


def _benefit_payments() -> Iterable[Block]:
    rows = [line(str(year), value) for year, value in zip(range(2026, 2031), (47, 48, 50, 51, 53), strict=True)]
    rows.append(line("2031 to 2035", 281))
    yield table("Expected benefit payments", ["", "Payments"], rows, unit="In millions of dollars")


def _tax() -> Iterable[Block]:
    rows = [line(name, *values) for name, values in model.TAX_RECONCILIATION.items()]
    sums = [INCOME[year]["income_taxes_expense"] for year in YEARS]
    rows.append(total("[[tax-reconciliation]]Income taxes", *sums, sign="$"))
    yield table("From the statutory rate to the taxes reported", ["", *YEARS], rows, unit=MILLIONS)
    deferred = [cash_flow("operating", year)["Deferred income taxes"] for year in YEARS]
    current = [whole - part for whole, part in zip(sums, deferred, strict=True)]
    shares = [model.split(value, (46, 11, 43)) for value in current]
    parts = [
        line(f"Current: {name}", *row)
        for name, row in zip(("federal", "state", "foreign"), zip(*shares, strict=True), strict=True)
    ]
    parts += [line("Deferred", *deferred), total("Income taxes", *sums, sign="$")]
    yield table("Current and deferred taxes", ["", *YEARS], parts, unit=MILLIONS)


def _deferred_taxes() -> Iterable[Block]:
    rows = [line(name, *values) for name, values in model.DEFERRED_TAXES.items()]
    sums = column_sums(list(model.DEFERRED_TAXES.values()))
    rows.append(total("Net deferred tax liability", *sums, sign="$"))
    yield table("[[deferred-taxes]]Deferred taxes", ["", "2025", "2024"], rows, unit=POINTS)


def _compensation() -> Iterable[Block]:
    kinds = {
        "Restricted stock units": (17, 15, 14),
        "Performance share units": (12, 11, 10),
        "Stock options": (5, 5, 5),
    }
    rows = [line(name, *values) for name, values in kinds.items()]
    sums = column_sums(list(kinds.values()))
    if sums != [cash_flow("operating", year)["Stock-based compensation"] for year in YEARS]:
        raise ValueError("the kinds of stock-based compensation do not add up")
    made = [*rows, total("[[stock-compensation]]Stock-based compensation", *sums, sign="$")]
    yield table("Expense by kind of award", ["", *YEARS], made, unit=MILLIONS)


def _awards() -> Iterable[Block]:
    yield Table(
        ("", "Restricted stock units (thousands)", "Fair value at grant", "Options (thousands)", "Exercise price"),
        (
            line("Outstanding, December 31, 2024", "1,042", "$48.15", "2,384", "$41.20"),
            line("Granted", "421", "$58.90", "286", "$59.35"),
            line("Vested or exercised", "(396)", "$45.70", "(574)", "$38.33"),
            line("Forfeited", "(58)", "$50.02", "(41)", "$49.10"),
            total("[[units-outstanding]]Outstanding, December 31, 2025", "1,009", "$53.49", "2,055", "$44.37"),
        ),
        title="Awards outstanding",
    )


def _aoci() -> Iterable[Block]:
    opening, rows = {"translation": -196, "pension": -88, "hedges": -3}, []
    causes = ("Effect of exchange rates on cash", "Pension", "Hedges")
    values = list(opening.values())
    rows.append(total("Balance, December 31, 2022", *values, sum(values), sign="$"))
    for year in reversed(YEARS):
        moved = [movement(cause, "aoci", year) for cause in causes]
        values = [a + b for a, b in zip(values, moved, strict=True)]
        rows.append(line(f"Other comprehensive income (loss), {year}", *moved, sum(moved), indent=1))
        mark = "[[aoci]]" if year == 2025 else ""
        rows.append(total(f"{mark}Balance, December 31, {year}", *values, sum(values), sign="$"))
        if sum(values) != balances(year)["aoci"]:
            raise ValueError("accumulated other comprehensive loss does not roll forward")
    columns = ["", "Currency translation", "Pension", "Hedges", "Total"]
    yield table(
        "Components of accumulated other comprehensive loss", columns, rows, unit="In millions of dollars, net of tax"
    )


def _earnings_per_share() -> Iterable[Block]:
    extra = [SHARES["diluted"][year] - SHARES["basic"][year] for year in YEARS]
    yield table(
        "",
        ["", *YEARS],
        [
            line("Net income attributable to Marrowick", *(INCOME[y]["attributable_income"] for y in YEARS), sign="$"),
            line("Weighted average shares, basic (millions)", *SHARES["basic"].values(), decimals=1),
            line("[[dilutive]]Dilutive effect of equity awards (millions)", *extra, decimals=1),
            total("Weighted average shares, diluted (millions)", *SHARES["diluted"].values(), decimals=1),
        ],
        unit=MILLIONS,
    )


PARTS: dict[str, Callable[[], Iterable[Block]]] = {
    "leases": _leases,
    "debt": _debt,
    "maturities": _maturities,
    "pension": _pension,
    "benefit-payments": _benefit_payments,
    "tax": _tax,
    "deferred-taxes": _deferred_taxes,
    "stock-compensation": _compensation,
    "awards": _awards,
    "aoci": _aoci,
    "earnings-per-share": _earnings_per_share,
}
