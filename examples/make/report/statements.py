"""The five primary statements and the summaries drawn from them, as tables."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from make.manuscript import Block
from make.report import ledger, model
from make.report.ledger import YEARS, balances, cash_flow, movement
from make.report.model import INCOME, SHARES
from make.tables import Row, Table, head, line, table, total

__all__ = ["EMPLOYEES", "MILLIONS", "PARTS", "POINTS"]

MILLIONS = "In millions of dollars; years ended December 31"
POINTS = "In millions of dollars; December 31"


def _income_rows(name: str) -> list[int]:
    return [INCOME[year][name] for year in YEARS]


def _minus(name: str) -> list[int]:
    return [-INCOME[year][name] for year in YEARS]


def _income() -> Iterable[Block]:
    per_share = {
        kind: [INCOME[year]["attributable_income"] / SHARES[kind][year] for year in YEARS]
        for kind in ("basic", "diluted")
    }
    yield table(
        "",
        ["", *YEARS],
        [
            line("[[income-revenue]]Net revenue", *_income_rows("revenue"), sign="$"),
            line("[[income-cost]]Cost of sales", *_minus("cost_of_sales")),
            total("Gross profit", *_income_rows("gross_profit")),
            line("Selling, general and administrative expenses", *_minus("selling")),
            line("[[income-research]]Research and development expenses", *_minus("research")),
            line("Amortization of intangible assets", *_minus("amortization")),
            line("Restructuring charges", *_minus("restructuring")),
            total("[[income-operating]]Operating income", *_income_rows("operating_income")),
            line("[[income-interest]]Interest expense", *_minus("interest_expense")),
            line("Interest income", *_income_rows("interest_income")),
            line("Other income, net", *_income_rows("other_income")),
            total("Income before income taxes", *_income_rows("income_before_taxes")),
            line("Income taxes", *_minus("income_taxes_expense")),
            total("Net income", *_income_rows("net_income")),
            line("Less: net income attributable to noncontrolling interests", *_minus("noncontrolling_income")),
            total("Net income attributable to Marrowick", *_income_rows("attributable_income"), sign="$"),
            head("Earnings per share attributable to Marrowick"),
            line("Basic", *per_share["basic"], sign="$", decimals=2, indent=1),
            line("[[income-eps]]Diluted", *per_share["diluted"], sign="$", decimals=2, indent=1),
            head("Weighted average shares outstanding (millions)"),
            line("Basic", *SHARES["basic"].values(), decimals=1, indent=1),
            line("Diluted", *SHARES["diluted"].values(), decimals=1, indent=1),
        ],
        unit=MILLIONS + "; except per share",
    )


def _other_income(name: str) -> list[int]:
    return [movement(name, "aoci", year) for year in YEARS]


def _comprehensive() -> Iterable[Block]:
    moved = {name: _other_income(name) for name in ("Effect of exchange rates on cash", "Pension", "Hedges")}
    together = [sum(values) for values in zip(*moved.values(), strict=True)]
    whole = [income + other for income, other in zip(_income_rows("net_income"), together, strict=True)]
    yield table(
        "",
        ["", *YEARS],
        [
            line("Net income", *_income_rows("net_income"), sign="$"),
            head("Other comprehensive income (loss), net of tax"),
            line("Currency translation adjustments", *moved["Effect of exchange rates on cash"], indent=1),
            line("Pension and other postretirement benefits", *moved["Pension"], indent=1),
            line("Cash-flow hedges", *moved["Hedges"], indent=1),
            total("Other comprehensive income (loss)", *together),
            total("[[comprehensive]]Comprehensive income", *whole),
            line("Less: comprehensive income of noncontrolling interests", *_minus("noncontrolling_income")),
            total(
                "Comprehensive income attributable to Marrowick",
                *(a + b for a, b in zip(whole, _minus("noncontrolling_income"), strict=True)),
                sign="$",
            ),
        ],
        unit=MILLIONS,
    )


def _both(account: str) -> list[int]:
    return [balances(2025)[account], balances(2024)[account]]


def _sum(*accounts: str) -> list[int]:
    return [sum(balances(year)[account] for account in accounts) for year in (2025, 2024)]


def _less(account: str, current: Callable[[int], int]) -> list[int]:
    return [balances(year)[account] - current(year) for year in (2025, 2024)]


def _balance_sheet() -> Iterable[Block]:
    leases = model.CURRENT_LEASES.__getitem__
    current = _sum("short_term_borrowings", "payables", "compensation", "accrued", "income_taxes")
    due = [a + model.current_debt(year) + leases(year) for a, year in zip(current, (2025, 2024), strict=True)]
    equity = _sum("common_stock", "paid_in", "retained", "aoci", "treasury")
    yield table(
        "",
        ["", "2025", "2024"],
        [
            head("Assets"),
            line("[[balance-cash]]Cash and cash equivalents", *_both("cash"), sign="$"),
            line("Accounts receivable, net", *_both("receivables")),
            line("[[balance-inventories]]Inventories", *_both("inventories")),
            line("Prepaid expenses and other current assets", *_both("prepaid")),
            total("Total current assets", *_sum("cash", "receivables", "inventories", "prepaid")),
            line("Property, plant and equipment, net", *_both("property")),
            line("Operating lease right-of-use assets", *_both("right_of_use")),
            line("[[balance-goodwill]]Goodwill", *_both("goodwill")),
            line("Intangible assets, net", *_both("intangibles")),
            line("Other assets", *_both("other_assets")),
            total("[[balance-assets]]Total assets", *_sum(*ledger.ASSETS), sign="$"),
            head("Liabilities and equity"),
            line("Commercial paper", *_both("short_term_borrowings"), sign="$"),
            line("Current portion of long-term debt", *(model.current_debt(year) for year in (2025, 2024))),
            line("Accounts payable", *_both("payables")),
            line("Accrued compensation", *_both("compensation")),
            line("Other accrued liabilities", *_both("accrued")),
            line("Income taxes payable", *_both("income_taxes")),
            line("Current operating lease liabilities", *(leases(year) for year in (2025, 2024))),
            total("Total current liabilities", *due),
            line("[[balance-debt]]Long-term debt", *_less("debt", model.current_debt)),
            line("Operating lease liabilities", *_less("lease_liabilities", leases)),
            line("Pension obligations", *_both("pension")),
            line("Deferred income taxes", *_both("deferred_taxes")),
            line("Other liabilities", *_both("other_liabilities")),
            total("Total liabilities", *_sum(*ledger.CLAIMS[:10])),
            line("Common stock, $0.10 par value; 300 million shares authorized", *_both("common_stock")),
            line("Additional paid-in capital", *_both("paid_in")),
            line("Retained earnings", *_both("retained")),
            line("Accumulated other comprehensive loss", *_both("aoci")),
            line("Treasury stock, at cost", *_both("treasury")),
            total("Total Marrowick shareholders’ equity", *equity),
            line("Noncontrolling interests", *_both("noncontrolling")),
            total("Total equity", *_sum(*ledger.CLAIMS[10:])),
            total("Total liabilities and equity", *_sum(*ledger.CLAIMS), sign="$"),
        ],
        unit=POINTS,
    )


def _flow_rows(section: str, marks: dict[str, str]) -> list[Row]:
    names = cash_flow(section, YEARS[0])
    rows = []
    for name in names:
        label = marks.get(name, "") + name
        rows.append(line(label, *(cash_flow(section, year)[name] for year in YEARS), indent=1))
    sums = [sum(cash_flow(section, year).values()) for year in YEARS]
    verb = "provided by" if section == "operating" else "used in" if section == "investing" else "provided by (used in)"
    return [*rows, total(f"Net cash {verb} {section} activities", *sums)]


def _cash_flows() -> Iterable[Block]:
    change = [balances(year)["cash"] - balances(year - 1)["cash"] for year in YEARS]
    marks = {
        "Capital expenditures": "[[cash-flow-capex]]",
        "Repurchase of common stock": "[[cash-flow-buyback]]",
        "Depreciation": "[[cash-flow-depreciation]]",
        "Dividends paid to shareholders": "[[cash-flow-dividends]]",
        "Acquisitions, net of cash acquired": "[[cash-flow-acquisitions]]",
    }
    yield table(
        "",
        ["", *YEARS],
        [
            head("[[cash-flow-operating]]Operating activities"),
            *_flow_rows("operating", marks),
            head("Investing activities"),
            *_flow_rows("investing", marks),
            head("Financing activities"),
            *_flow_rows("financing", marks),
            line("Effect of exchange rates on cash", *(_currency_cash(year) for year in YEARS)),
            total("Net change in cash and cash equivalents", *change),
            line("Cash and cash equivalents, beginning of year", *(balances(year - 1)["cash"] for year in YEARS)),
            total("Cash and cash equivalents, end of year", *(balances(year)["cash"] for year in YEARS), sign="$"),
            head("Supplementary information"),
            line("Interest paid", 71, 75, 69, indent=1),
            line("[[cash-taxes]]Income taxes paid", 104, 88, 95, indent=1),
            line("Property additions in accounts payable, not yet paid", 23, 19, 17, indent=1),
        ],
        unit=MILLIONS,
    )


def _currency_cash(year: int) -> int:
    return cash_flow("other", year)["Effect of exchange rates on cash"]


_EQUITY = ("common_stock", "paid_in", "retained", "aoci", "treasury", "noncontrolling")


def _equity_row(label: str, year: int, *names: str) -> Row:
    parts = [sum(movement(name, account, year) for name in names) for account in _EQUITY]
    return line(label, *parts, sum(parts), indent=1)


def _equity() -> Iterable[Block]:
    rows: list[Row] = []
    for year in reversed(YEARS):
        start = [balances(year - 1)[account] for account in _EQUITY]
        other = ("Effect of exchange rates on cash", "Pension", "Hedges")
        rows += [
            total(f"Balance, December 31, {year - 1}", *start, sum(start), sign="$"),
            _equity_row("Net income", year, "Net income"),
            _equity_row("Other comprehensive income (loss)", year, *other),
            _equity_row(
                f"Dividends declared (${SHARES['dividend'][year]:.2f} a share)", year, "Dividends paid to shareholders"
            ),
            _equity_row("Dividends of noncontrolling interests", year, "Dividends paid to noncontrolling interests"),
            _equity_row("Stock-based compensation", year, "Stock-based compensation"),
            _equity_row("Options exercised", year, "Proceeds from exercise of stock options"),
            _equity_row("Net settlement of awards", year, "Taxes paid on net settlement of equity awards"),
            _equity_row(
                f"Repurchase of {SHARES['bought_back'][year]} million shares", year, "Repurchase of common stock"
            ),
        ]
    last = [balances(2025)[account] for account in _EQUITY]
    rows.append(total("[[equity]]Balance, December 31, 2025", *last, sum(last), sign="$"))
    columns = ["", "Common stock", "Paid-in capital", "Retained earnings", "Accumulated OCI", "Treasury stock"]
    yield table("", [*columns, "Non- controlling", "Total equity"], rows, unit=MILLIONS, small=True)


_OLDER = {
    "Net revenue": (2_418, 2_574, 2_731, 2_804, 2_656, 2_989, 3_402),
    "Gross profit": (786, 842, 901, 928, 870, 998, 1_129),
    "Operating income": (248, 271, 296, 301, 262, 331, 374),
    "Net income attributable to Marrowick": (151, 168, 204, 197, 163, 218, 246),
    "Net cash provided by operating activities": (262, 281, 305, 318, 352, 341, 366),
    "Capital expenditures": (112, 124, 131, 138, 97, 129, 158),
    "Research and development expenses": (71, 77, 84, 88, 90, 98, 109),
    "Total assets": (3_208, 3_365, 3_512, 3_748, 3_790, 4_402, 4_677),
    "Long-term debt, with current portion": (842, 861, 905, 1_020, 1_004, 1_352, 1_310),
    "Total equity": (1_344, 1_421, 1_536, 1_602, 1_611, 1_754, 1_892),
    "Employees at year-end": (10_920, 11_310, 11_860, 12_040, 11_480, 12_730, 13_520),
}
_OLDER_SHARES = {
    "Diluted earnings per share (dollars)": (1.19, 1.33, 1.63, 1.59, 1.33, 1.79, 2.04),
    "Dividends per share (dollars)": (0.52, 0.57, 0.63, 0.68, 0.70, 0.76, 0.82),
}
EMPLOYEES = {2025: 15_480, 2024: 14_910, 2023: 14_120}


def _recent() -> dict[str, list[float]]:
    oldest_first = tuple(reversed(YEARS))
    income = [INCOME[year] for year in oldest_first]
    return {
        "Net revenue": [row["revenue"] for row in income],
        "Gross profit": [row["gross_profit"] for row in income],
        "Operating income": [row["operating_income"] for row in income],
        "Net income attributable to Marrowick": [row["attributable_income"] for row in income],
        "Net cash provided by operating activities": [sum(cash_flow("operating", y).values()) for y in oldest_first],
        "Capital expenditures": [-cash_flow("investing", year)["Capital expenditures"] for year in oldest_first],
        "Research and development expenses": [row["research"] for row in income],
        "Total assets": [model.total_assets(year) for year in oldest_first],
        "Long-term debt, with current portion": [balances(year)["debt"] for year in oldest_first],
        "Total equity": [sum(balances(year)[a] for a in ledger.CLAIMS[10:]) for year in oldest_first],
        "Employees at year-end": [EMPLOYEES[year] for year in oldest_first],
        "Diluted earnings per share (dollars)": [
            INCOME[year]["attributable_income"] / SHARES["diluted"][year] for year in oldest_first
        ],
        "Dividends per share (dollars)": [SHARES["dividend"][year] for year in oldest_first],
    }


def _ten_years() -> Iterable[Block]:
    recent = _recent()
    rows = [line("[[ten-years]]" * (name == "Net revenue") + name, *old, *recent[name]) for name, old in _OLDER.items()]
    rows += [line(name, *old, *recent[name], decimals=2) for name, old in _OLDER_SHARES.items()]
    yield table("", ["", *range(2016, 2026)], rows, unit="In millions of dollars unless stated otherwise", wide=True)


def _quarters() -> Iterable[Block]:
    columns = ["", *(f"Q{quarter} {year}" for year in (2025, 2024) for quarter in (1, 2, 3, 4))]
    made: dict[str, list[float]] = {name: [*values[2025], *values[2024]] for name, values in model.QUARTERS.items()}
    eps = [
        quarter / SHARES["diluted"][year]
        for year in (2025, 2024)
        for quarter in model.QUARTERS["attributable_income"][year]
    ]
    rows = [*_segment_quarters(), total("Net revenue", *made["revenue"])]
    rows += [
        line("[[quarter-gross]]Gross profit", *made["gross_profit"]),
        line("Net income attributable to Marrowick", *made["attributable_income"]),
        line("Diluted earnings per share (dollars)", *eps, decimals=2),
    ]
    yield table("", columns, rows, unit="In millions of dollars, except per share; unaudited", wide=True)


def _segment_quarters() -> list[Row]:
    shares = ((236, 257, 256, 251), (240, 250, 252, 258), (252, 251, 249, 248))
    by_segment: list[list[int]] = [[], [], [], []]
    for year in (2025, 2024):
        quarters = [model.split(model.SEGMENT_REVENUE[year][place], weights) for place, weights in enumerate(shares)]
        last = [
            whole - sum(column)
            for whole, column in zip(model.QUARTERS["revenue"][year], zip(*quarters, strict=True), strict=True)
        ]
        for place, values in enumerate([*quarters, last]):
            by_segment[place] += values
    return [
        line("[[quarter-segments]]" * (not place) + segment, *by_segment[place])
        for place, segment in enumerate(model.SEGMENTS)
    ]


def _schedule() -> Iterable[Block]:
    columns = (
        "Description",
        "Beginning of year",
        "Charged to expense",
        "Deductions",
        "Currency and acquisitions",
        "End of year",
    )
    yield Table(
        columns,
        (
            head("Allowance for credit losses"),
            line("2025", 22, 8, -7, 1, 24, indent=1),
            line("2024", 21, 7, -5, -1, 22, indent=1),
            line("2023", 20, 6, -5, 0, 21, indent=1),
            head("Valuation allowance for deferred tax assets"),
            line("2025", 24, 1, -4, 1, 22, indent=1),
            line("2024", 26, 2, -3, -1, 24, indent=1),
            line("2023", 27, 1, -2, 0, 26, indent=1),
            head("Reserve for slow-moving inventories"),
            line("[[slow-moving]]2025", 39, 11, -9, 1, 42, indent=1),
            line("2024", 36, 10, -7, 0, 39, indent=1),
            line("2023", 34, 9, -7, 0, 36, indent=1),
        ),
        unit=MILLIONS,
    )


PARTS: dict[str, Callable[[], Iterable[Block]]] = {
    "income-statement": _income,
    "comprehensive-income": _comprehensive,
    "balance-sheet": _balance_sheet,
    "cash-flow-statement": _cash_flows,
    "equity-statement": _equity,
    "ten-years": _ten_years,
    "quarters": _quarters,
    "schedule-ii": _schedule,
}
