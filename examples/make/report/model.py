"""The figures of the report beyond the books: the income statement by segment, and what the notes break down.

Millions of dollars unless a name says otherwise. `figures` gives them by name to the manuscript; `check` asserts that
every breakdown adds up to the statement line it explains.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from make.report.ledger import YEARS, balances, cash_flow

__all__ = [
    "BREAKDOWNS",
    "COUNTRIES",
    "INCOME",
    "QUARTERS",
    "REGIONS",
    "SEGMENTS",
    "SHARES",
    "check",
    "current_debt",
    "figures",
    "split",
    "standing",
    "total_assets",
    "total_claims",
]

SEGMENTS = ("Water Systems", "Process Filtration", "Flow Control", "Field Services")

_Years = Mapping[int, Sequence[int]]


def _by_year(*newest_first: Sequence[int]) -> dict[int, Sequence[int]]:
    return dict(zip(YEARS, newest_first, strict=True))


SEGMENT_REVENUE = _by_year((1_547, 1_168, 903, 541), (1_452, 1_071, 861, 486), (1_386, 962, 874, 438))
SEGMENT_PROFIT = _by_year((263, 214, 133, 76), (240, 191, 122, 66), (221, 168, 131, 57))
SEGMENT_CAPEX = _by_year((78, 72, 39, 16, 12), (70, 58, 34, 14, 12), (66, 49, 33, 12, 11))
SEGMENT_DEPRECIATION = _by_year((51, 43, 31, 15, 7), (48, 40, 31, 13, 7), (46, 37, 30, 12, 7))
SEGMENT_ASSETS = {2025: (1_684, 1_712, 892, 418, 512), 2024: (1_622, 1_690, 861, 380, 588)}

_UNALLOCATED = dict(zip(YEARS, (101, 96, 92), strict=True))
_DEAL_COSTS = dict(zip(YEARS, (2, 7, 3), strict=True))
_RESTRUCTURING = dict(zip(YEARS, (18, 34, 21), strict=True))
_SELLING = dict(zip(YEARS, (711, 676, 642), strict=True))
_RESEARCH = dict(zip(YEARS, (139, 127, 118), strict=True))
_INTEREST = dict(zip(YEARS, (74, 78, 71), strict=True))
_INTEREST_INCOME = dict(zip(YEARS, (14, 12, 9), strict=True))
_OTHER_INCOME = dict(zip(YEARS, (7, 4, 6), strict=True))
_TAX = dict(zip(YEARS, (102, 84, 81), strict=True))
_MINORITY = dict(zip(YEARS, (7, 6, 5), strict=True))


def _income(year: int) -> dict[str, int]:
    revenue, profit = sum(SEGMENT_REVENUE[year]), sum(SEGMENT_PROFIT[year])
    amortization = cash_flow("operating", year)["Amortization of intangible assets"]
    operating = profit - _UNALLOCATED[year] - amortization - _RESTRUCTURING[year] - _DEAL_COSTS[year]
    expenses = _SELLING[year] + _RESEARCH[year] + amortization + _RESTRUCTURING[year]
    before_tax = operating - _INTEREST[year] + _INTEREST_INCOME[year] + _OTHER_INCOME[year]
    return {
        "revenue": revenue,
        "cost_of_sales": revenue - expenses - operating,
        "gross_profit": expenses + operating,
        "selling": _SELLING[year],
        "research": _RESEARCH[year],
        "amortization": amortization,
        "restructuring": _RESTRUCTURING[year],
        "segment_profit": profit,
        "unallocated": _UNALLOCATED[year],
        "deal_costs": _DEAL_COSTS[year],
        "operating_income": operating,
        "interest_expense": _INTEREST[year],
        "interest_income": _INTEREST_INCOME[year],
        "other_income": _OTHER_INCOME[year],
        "income_before_taxes": before_tax,
        "income_taxes_expense": _TAX[year],
        "net_income": before_tax - _TAX[year],
        "noncontrolling_income": _MINORITY[year],
        "attributable_income": before_tax - _TAX[year] - _MINORITY[year],
    }


INCOME = {year: _income(year) for year in YEARS}

SHARES = {
    "basic": dict(zip(YEARS, (115.9, 117.3, 118.6), strict=True)),
    "diluted": dict(zip(YEARS, (117.0, 118.4, 119.7), strict=True)),
    "outstanding": {2025: 114.9, 2024: 117.0, 2023: 117.7, 2022: 119.6},
    "bought_back": dict(zip(YEARS, (3.0, 1.5, 2.6), strict=True)),
    "dividend": dict(zip(YEARS, (1.02, 0.94, 0.88), strict=True)),
}
"""In millions of shares; the dividend in dollars a share."""

REGIONS = ("Americas", "Europe", "Asia-Pacific", "Middle East and Africa")

REVENUE_BY_REGION = {
    2025: ((912, 341, 262, 32), (598, 328, 224, 18), (472, 231, 182, 18), (375, 119, 40, 7)),
    2024: ((846, 325, 254, 27), (533, 310, 213, 15), (455, 224, 168, 14), (335, 110, 36, 5)),
}
"""A row for each segment, a column for each region."""

COUNTRIES = {
    "United States": (2_012, 1_871, 1_768),
    "Canada": (198, 186, 179),
    "Latin America": (147, 112, 83),
    "Germany": (386, 371, 366),
    "United Kingdom": (231, 219, 210),
    "Other Europe": (402, 379, 361),
    "China": (318, 322, 334),
    "India": (164, 141, 118),
    "Other Asia-Pacific": (226, 208, 189),
    "Middle East and Africa": (75, 61, 52),
}
"""Revenue by the customer's location, newest year first."""

QUARTERS = {
    "revenue": {2025: (968, 1_041, 1_052, 1_098), 2024: (908, 969, 981, 1_012)},
    "gross_profit": {2025: (329, 360, 363, 381), 2024: (306, 331, 336, 346)},
    "attributable_income": {2025: (71, 88, 92, 94), 2024: (61, 72, 68, 76)},
}

DEBT = {
    "3.25% notes due November 2025": (0, 300),
    "Term loan A, due December 2026": (60, 120),
    "Term loan B, due June 2028": (225, 300),
    "3.70% notes due April 2028": (350, 350),
    "2.85% notes due September 2031": (400, 400),
    "Industrial revenue bonds due 2033": (30, 30),
    "5.40% notes due March 2036": (350, 0),
    "Unamortized discount and issuance costs": (-11, -9),
}
"""At the end of 2025 and 2024."""

DEBT_MATURITIES = {"2026": 85, "2027": 25, "2028": 525, "2029": 0, "2030": 0, "Thereafter": 780}

BREAKDOWNS: dict[str, dict[str, tuple[int, int]]] = {
    "receivables": {
        "Trade accounts receivable": (741, 676),
        "Unbilled receivables (contract assets)": (43, 41),
        "Other receivables": (8, 7),
        "Allowance for credit losses": (-24, -22),
    },
    "inventories": {
        "Raw materials and components": (312, 298),
        "Work in process": (168, 157),
        "Finished goods and spare parts": (352, 326),
        "Excess of FIFO over LIFO cost": (-48, -45),
    },
    "property": {
        "Land": (74, 71),
        "Buildings and improvements": (812, 776),
        "Machinery and equipment": (1_684, 1_571),
        "Software": (166, 154),
        "Construction in progress": (148, 129),
        "Accumulated depreciation": (-1_660, -1_555),
    },
    "accrued": {
        "Customer advances (contract liabilities)": (96, 91),
        "Product warranties": (58, 54),
        "Customer rebates": (27, 25),
        "Insurance": (24, 23),
        "Environmental matters, current": (19, 18),
        "Interest": (15, 14),
        "Restructuring": (14, 21),
        "Other": (36, 35),
    },
    "other_liabilities": {
        "Environmental matters": (42, 44),
        "Unrecognized tax benefits": (31, 29),
        "Product liability": (27, 26),
        "Other": (22, 18),
    },
    "other_assets": {
        "Investments in joint ventures": (62, 54),
        "Insurance recoveries": (28, 30),
        "Deferred compensation plan assets": (24, 23),
        "Other": (21, 22),
    },
    "intangibles": {
        "Customer relationships": (255, 272),
        "Developed technology": (126, 148),
        "Trademarks": (30, 32),
        "Other": (12, 9),
    },
    "goodwill": {
        "Water Systems": (390, 386),
        "Process Filtration": (588, 582),
        "Flow Control": (237, 234),
        "Field Services": (143, 123),
    },
    "debt": DEBT,
}
"""What a line of the balance sheet is made of, at the end of 2025 and 2024."""

PENSION = {
    2025: {"service": 13, "interest": 40, "expected": 44, "actuarial": -3, "actual": 49, "paid_in": 26, "benefits": 46},
    2024: {
        "service": 13,
        "interest": 38,
        "expected": 42,
        "actuarial": -11,
        "actual": 45,
        "paid_in": 25,
        "benefits": 45,
    },
    2023: {"service": 14, "interest": 39, "expected": 43, "actuarial": -7, "actual": 45, "paid_in": 24, "benefits": 44},
}
PENSION_STANDING = {2025: (815, 696), 2024: (802, 661), 2023: (817, 642)}
"""Benefit obligation and plan assets at the end of the year."""

TAX_RECONCILIATION = {
    "Income taxes at the federal statutory rate of 21 percent": (95, 77, 75),
    "State income taxes, net of federal benefit": (11, 9, 9),
    "Foreign income taxed at other rates": (9, 7, 6),
    "Research and development credits": (-8, -7, -7),
    "Foreign-derived intangible income": (-6, -5, -4),
    "Excess benefit of stock-based compensation": (-3, -1, -1),
    "Other, net": (4, 4, 3),
}

DEFERRED_TAXES = {
    "Pension": (27, 32),
    "Accrued liabilities": (48, 46),
    "Inventories": (19, 17),
    "Lease liabilities": (42, 41),
    "Loss and credit carryforwards": (31, 34),
    "Stock-based compensation": (17, 16),
    "Other assets": (12, 11),
    "Valuation allowance": (-22, -24),
    "Property, plant and equipment": (-118, -110),
    "Intangible assets": (-129, -138),
    "Right-of-use assets": (-41, -40),
    "Undistributed foreign earnings": (-14, -14),
    "Other liabilities": (-11, -12),
}

LEASE_PAYMENTS = {"2026": 48, "2027": 42, "2028": 34, "2029": 26, "2030": 18, "Thereafter": 29}
LEASE_INTEREST = 24
CURRENT_LEASES = {2025: 43, 2024: 42}


def split(whole: int, weights: Sequence[float]) -> list[int]:
    """Whole numbers in proportion to the weights that add up to `whole`."""
    ends = [round(whole * sum(weights[: place + 1]) / sum(weights)) for place in range(len(weights))]
    return [end - start for start, end in zip([0, *ends], ends, strict=False)]


def standing(account: str) -> dict[int, int]:
    """An account at the end of 2022 to 2025."""
    return {year: balances(year)[account] for year in (*YEARS, 2022)}


def total_assets(year: int) -> int:
    """All assets at the end of a year."""
    return sum(list(balances(year).values())[:9])


def total_claims(year: int) -> int:
    """All liabilities and equity at the end of a year."""
    return sum(list(balances(year).values())[9:])


def current_debt(year: int) -> int:
    """What of the long-term debt is due within a year."""
    return {2025: DEBT_MATURITIES["2026"], 2024: 385}[year]


def figures() -> dict[str, object]:
    """Everything the manuscript may quote, by name; most are dicts by year."""
    named: dict[str, object] = {name: {year: INCOME[year][name] for year in YEARS} for name in INCOME[2025]}
    named |= {account: standing(account) for account in balances(2025)}
    named["growth"] = {name: _percent(INCOME[2025][name], INCOME[2024][name]) for name in INCOME[2025]}
    named["growth_before"] = {name: _percent(INCOME[2024][name], INCOME[2023][name]) for name in INCOME[2025]}
    for section in ("operating", "investing", "financing"):
        named[f"cash_{section}"] = {year: sum(cash_flow(section, year).values()) for year in YEARS}
    named["capex"] = {year: -cash_flow("investing", year)["Capital expenditures"] for year in YEARS}
    named["free_cash"] = {
        year: sum(cash_flow("operating", year).values()) + cash_flow("investing", year)["Capital expenditures"]
        for year in YEARS
    }
    named["margin"] = {year: _share(INCOME[year]["operating_income"], INCOME[year]["revenue"]) for year in YEARS}
    named["gross_margin"] = {year: _share(INCOME[year]["gross_profit"], INCOME[year]["revenue"]) for year in YEARS}
    named["tax_rate"] = {
        year: _share(INCOME[year]["income_taxes_expense"], INCOME[year]["income_before_taxes"]) for year in YEARS
    }
    named["eps"] = {year: INCOME[year]["attributable_income"] / SHARES["diluted"][year] for year in YEARS}
    for short, place in (("ws", 0), ("pf", 1), ("fc", 2), ("fs", 3)):
        named[f"{short}_revenue"] = {year: SEGMENT_REVENUE[year][place] for year in YEARS}
        named[f"{short}_profit"] = {year: SEGMENT_PROFIT[year][place] for year in YEARS}
        named[f"{short}_capex"] = {year: SEGMENT_CAPEX[year][place] for year in YEARS}
        named[f"{short}_growth"] = _percent(SEGMENT_REVENUE[2025][place], SEGMENT_REVENUE[2024][place])
        named[f"{short}_margin"] = {
            year: _share(SEGMENT_PROFIT[year][place], SEGMENT_REVENUE[year][place]) for year in YEARS
        }
        named[f"{short}_share"] = _share(SEGMENT_REVENUE[2025][place], INCOME[2025]["revenue"])
    named["assets"] = {year: total_assets(year) for year in YEARS}
    named["dividend"] = SHARES["dividend"]
    named["country"] = COUNTRIES
    return named


def _percent(now: float, before: float) -> str:
    """The change in percent, unsigned: the sentence says which way."""
    return f"{abs(now / before - 1) * 100:.1f}"


def _share(part: float, whole: float) -> str:
    return f"{part / whole * 100:.1f}"


def check() -> None:
    """Raises `ValueError` naming each figure that does not tie."""
    wrong = [name for name, got, wanted in _ties() if got != wanted]
    if wrong:
        raise ValueError(f"the figures do not tie: {', '.join(wrong)}")


def _ties() -> Iterable[tuple[str, int, int]]:
    for year in YEARS:
        income = INCOME[year]
        yield f"net income {year}", income["net_income"], cash_flow("operating", year)["Net income"]
        yield (
            f"capital expenditures {year}",
            sum(SEGMENT_CAPEX[year]),
            -cash_flow("investing", year)["Capital expenditures"],
        )
        yield f"depreciation {year}", sum(SEGMENT_DEPRECIATION[year]), cash_flow("operating", year)["Depreciation"]
        place = YEARS.index(year)
        yield f"tax {year}", sum(row[place] for row in TAX_RECONCILIATION.values()), income["income_taxes_expense"]
        yield f"countries {year}", sum(row[place] for row in COUNTRIES.values()), income["revenue"]
        cost, plan = PENSION[year], PENSION_STANDING[year]
        yield f"pension {year}", plan[0] - plan[1], balances(year)["pension"]
        yield (
            f"pension cost {year}",
            cost["paid_in"] - cost["service"] - cost["interest"] + cost["expected"],
            -(cash_flow("operating", year)["Pension contributions in excess of expense"]),
        )
    for place, year in enumerate((2025, 2024)):
        for account, parts in BREAKDOWNS.items():
            yield f"{account} {year}", sum(row[place] for row in parts.values()), balances(year)[account]
        yield (
            f"deferred taxes {year}",
            -sum(row[place] for row in DEFERRED_TAXES.values()),
            balances(year)["deferred_taxes"],
        )
        yield f"segment assets {year}", sum(SEGMENT_ASSETS[year]), total_assets(year)
        for segment, row in enumerate(REVENUE_BY_REGION[year]):
            yield f"{SEGMENTS[segment]} by region {year}", sum(row), SEGMENT_REVENUE[year][segment]
        for name, quarters in QUARTERS.items():
            yield f"{name} by quarter {year}", sum(quarters[year]), INCOME[year][name]
    yield "debt maturities", sum(DEBT_MATURITIES.values()), sum(row[0] for row in DEBT.values() if row[0] > 0)
    yield "leases", sum(LEASE_PAYMENTS.values()) - LEASE_INTEREST, balances(2025)["lease_liabilities"]
    groups = {0: ("United States", "Canada", "Latin America"), 1: ("Germany", "United Kingdom", "Other Europe")}
    for column, names in groups.items():
        for place, year in enumerate((2025, 2024)):
            got = sum(row[column] for row in REVENUE_BY_REGION[year])
            yield f"{REGIONS[column]} {year}", got, sum(COUNTRIES[name][place] for name in names)
