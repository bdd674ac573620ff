"""The books of Marrowick Industries: opening balances and every movement of three years, in millions of dollars.

Each line of the cash-flow statement is an entry that changes cash and the other accounts by the same sum, so that the
balance sheet balances and the cash flow ties to it by construction; `check` proves it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["ASSETS", "CLAIMS", "ENTRIES", "OPENING", "YEARS", "Entry", "balances", "cash_flow", "check", "movement"]

YEARS = (2025, 2024, 2023)
"""Newest first, as statements print them."""

OPENING = {
    "cash": 318,
    "receivables": 612,
    "inventories": 688,
    "prepaid": 94,
    "property": 1_042,
    "right_of_use": 148,
    "goodwill": 1_216,
    "intangibles": 438,
    "other_assets": 121,
    "short_term_borrowings": 60,
    "payables": 402,
    "compensation": 128,
    "accrued": 241,
    "income_taxes": 36,
    "lease_liabilities": 152,
    "debt": 1_310,
    "pension": 196,
    "deferred_taxes": 142,
    "other_liabilities": 118,
    "common_stock": 13,
    "paid_in": 604,
    "retained": 2_164,
    "aoci": -287,
    "treasury": -640,
    "noncontrolling": 38,
}
"""At the end of 2022."""

ASSETS = tuple(OPENING)[:9]
CLAIMS = tuple(OPENING)[9:]


@dataclass(frozen=True)
class Entry:
    """A movement in one year.

    Attributes:
        year: When.
        section: "operating", "investing", "financing", or "other" (currency, revaluation, and entries without cash).
        name: The line of the statement or note it is reported in.
        cash: By how much cash changed.
        changes: By how much the other accounts changed.
    """

    year: int
    section: str
    name: str
    cash: int
    changes: Mapping[str, int]


def _three(section: str, name: str, account: str, cash: tuple[int, int, int]) -> list[Entry]:
    """One line over the years 2023, 2024, 2025 with a single other account."""
    sign = -1 if account in ASSETS else 1
    return [
        Entry(year, section, name, sum_, {account: sign * sum_})
        for year, sum_ in zip(reversed(YEARS), cash, strict=True)
    ]


_SHARED = [
    ("operating", "Depreciation", "property", (132, 139, 147)),
    ("operating", "Amortization of intangible assets", "intangibles", (48, 53, 58)),
    ("operating", "Stock-based compensation", "paid_in", (29, 31, 34)),
    ("operating", "Deferred income taxes", "deferred_taxes", (-9, -12, -8)),
    ("operating", "Pension contributions in excess of expense", "pension", (-14, -16, -17)),
    ("operating", "Asset impairments in restructuring", "property", (4, 9, 3)),
    ("operating", "Gain on sale of property", "property", (-3, -2, -5)),
    ("operating", "Amortization of debt issuance costs", "debt", (2, 2, 2)),
    ("operating", "Accounts receivable", "receivables", (-38, -29, -46)),
    ("operating", "Inventories", "inventories", (-52, 24, -33)),
    ("operating", "Prepaid expenses and other current assets", "prepaid", (-6, -9, 4)),
    ("operating", "Accounts payable", "payables", (21, 17, 39)),
    ("operating", "Accrued compensation", "compensation", (7, 5, 11)),
    ("operating", "Other accrued liabilities", "accrued", (12, 19, 8)),
    ("operating", "Income taxes payable", "income_taxes", (-5, 8, 6)),
    ("operating", "Other, net", "other_liabilities", (3, -4, 5)),
    ("investing", "Capital expenditures", "property", (-171, -188, -217)),
    ("investing", "Proceeds from sale of property", "property", (9, 6, 12)),
    ("investing", "Investments in joint ventures", "other_assets", (-8, 0, -6)),
    ("financing", "Proceeds from issuance of long-term debt", "debt", (0, 300, 350)),
    ("financing", "Debt issuance costs", "debt", (0, -3, -4)),
    ("financing", "Repayment of long-term debt", "debt", (-60, -60, -435)),
    ("financing", "Commercial paper, net", "short_term_borrowings", (-15, 35, -45)),
    ("financing", "Dividends paid to shareholders", "retained", (-104, -110, -118)),
    ("financing", "Dividends paid to noncontrolling interests", "noncontrolling", (-3, -4, -4)),
    ("financing", "Repurchase of common stock", "treasury", (-120, -80, -185)),
    ("financing", "Taxes paid on net settlement of equity awards", "paid_in", (-7, -8, -9)),
]

_NET_INCOME = [
    Entry(2023, "operating", "Net income", 276, {"retained": 271, "noncontrolling": 5}),
    Entry(2024, "operating", "Net income", 283, {"retained": 277, "noncontrolling": 6}),
    Entry(2025, "operating", "Net income", 352, {"retained": 345, "noncontrolling": 7}),
]

_ACQUIRED = [
    Entry(2023, "investing", "Acquisitions, net of cash acquired", 0, {}),
    Entry(
        2024,
        "investing",
        "Acquisitions, net of cash acquired",
        -312,
        {
            "receivables": 31,
            "inventories": 27,
            "prepaid": 2,
            "property": 48,
            "intangibles": 128,
            "goodwill": 121,
            "payables": 16,
            "compensation": 4,
            "accrued": 9,
            "deferred_taxes": 16,
        },
    ),
    Entry(
        2025,
        "investing",
        "Acquisitions, net of cash acquired",
        -48,
        {
            "receivables": 9,
            "inventories": 6,
            "property": 5,
            "intangibles": 16,
            "goodwill": 19,
            "payables": 4,
            "compensation": 1,
            "deferred_taxes": 2,
        },
    ),
]

_OPTIONS = [
    Entry(2023, "financing", "Proceeds from exercise of stock options", 14, {"treasury": 22, "paid_in": -8}),
    Entry(2024, "financing", "Proceeds from exercise of stock options", 18, {"treasury": 25, "paid_in": -7}),
    Entry(2025, "financing", "Proceeds from exercise of stock options", 22, {"treasury": 31, "paid_in": -9}),
]


def _currency(year: int, cash: int, changes: Mapping[str, int]) -> Entry:
    """The effect of exchange rates; what is left after the liabilities goes to other comprehensive income."""
    gain = cash + sum(value for account, value in changes.items() if account in ASSETS)
    loss = sum(value for account, value in changes.items() if account in CLAIMS)
    return Entry(year, "other", "Effect of exchange rates on cash", cash, {**changes, "aoci": gain - loss})


_CURRENCY_ACCOUNTS = (
    "receivables inventories prepaid property goodwill intangibles payables pension deferred_taxes".split()
)
_CURRENCY = [
    _currency(year, cash, dict(zip(_CURRENCY_ACCOUNTS, changes, strict=True)))
    for year, cash, changes in (
        (2023, 4, (6, 5, 1, 8, 7, 2, 3, 2, 1)),
        (2024, -9, (-14, -12, -1, -17, -19, -6, -7, -4, -2)),
        (2025, 7, (11, 9, 1, 13, 14, 4, 5, 3, 1)),
    )
]

_REVALUED = [
    Entry(2023, "other", "Pension", 0, {"pension": -9, "deferred_taxes": 2, "aoci": 7}),
    Entry(2024, "other", "Pension", 0, {"pension": -14, "deferred_taxes": 3, "aoci": 11}),
    Entry(2025, "other", "Pension", 0, {"pension": -8, "deferred_taxes": 2, "aoci": 6}),
    Entry(2023, "other", "Hedges", 0, {"prepaid": 3, "deferred_taxes": 1, "aoci": 2}),
    Entry(2024, "other", "Hedges", 0, {"prepaid": -5, "deferred_taxes": -1, "aoci": -4}),
    Entry(2025, "other", "Hedges", 0, {"prepaid": 4, "deferred_taxes": 1, "aoci": 3}),
    Entry(2023, "other", "Leases", 0, {"right_of_use": 6, "lease_liabilities": 6}),
    Entry(2024, "other", "Leases", 0, {"right_of_use": 12, "lease_liabilities": 12}),
    Entry(2025, "other", "Leases", 0, {"right_of_use": 3, "lease_liabilities": 3}),
]

ENTRIES: tuple[Entry, ...] = (
    *_NET_INCOME,
    *(entry for line in _SHARED for entry in _three(*line)),
    *_ACQUIRED,
    *_OPTIONS,
    *_CURRENCY,
    *_REVALUED,
)


def balances(year: int) -> dict[str, int]:
    """Every account at the end of a year, 2022 to 2025."""
    standing = dict(OPENING)
    for entry in ENTRIES:
        if entry.year <= year:
            standing["cash"] += entry.cash
            for account, change in entry.changes.items():
                standing[account] += change
    return standing


def cash_flow(section: str, year: int) -> dict[str, int]:
    """The lines of a section of the cash-flow statement, in order."""
    return {entry.name: entry.cash for entry in ENTRIES if (entry.section, entry.year) == (section, year)}


def movement(name: str, account: str, year: int) -> int:
    """By how much one line changed one account in a year."""
    return sum(entry.changes.get(account, 0) for entry in ENTRIES if entry.name == name and entry.year == year)


def check() -> None:
    """Raises `ValueError` for an entry or a year that does not balance."""
    for entry in ENTRIES:
        gained = entry.cash + sum(entry.changes.get(account, 0) for account in ASSETS)
        if gained != sum(entry.changes.get(account, 0) for account in CLAIMS):
            raise ValueError(f"{entry.name} {entry.year} does not balance")
    for year in (2022, *YEARS):
        standing = balances(year)
        if sum(standing[account] for account in ASSETS) != sum(standing[account] for account in CLAIMS):
            raise ValueError(f"the balance sheet of {year} does not balance")
