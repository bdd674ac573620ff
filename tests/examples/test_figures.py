"""The figures of the report: they tie to each other, and they are the ones that the pages show."""

from __future__ import annotations

import dataclasses
import re

import pytest
from make.report import ledger, model, sites
from make.report.ledger import ASSETS, CLAIMS, YEARS, balances, cash_flow


def test_every_entry_and_every_year_balances():
    ledger.check()


def test_an_entry_that_does_not_balance_is_noticed(monkeypatch):
    first, *rest = ledger.ENTRIES
    monkeypatch.setattr(ledger, "ENTRIES", (dataclasses.replace(first, cash=first.cash + 1), *rest))
    with pytest.raises(ValueError, match="Net income 2023 does not balance"):
        ledger.check()


def test_breakdowns_add_up_to_the_statements():
    model.check()


def test_a_breakdown_that_does_not_add_up_is_noticed(monkeypatch):
    monkeypatch.setitem(model.DEBT, "Industrial revenue bonds due 2033", (31, 30))
    with pytest.raises(ValueError, match="debt 2025"):
        model.check()


@pytest.mark.parametrize("year", YEARS)
def test_cash_flows_lead_from_one_balance_sheet_to_the_next(year):
    flows = sum(sum(cash_flow(section, year).values()) for section in ("operating", "investing", "financing"))
    currency = cash_flow("other", year)["Effect of exchange rates on cash"]
    assert balances(year)["cash"] == balances(year - 1)["cash"] + flows + currency


@pytest.mark.parametrize("year", YEARS)
def test_assets_equal_liabilities_and_equity(year):
    standing = balances(year)
    assert sum(standing[account] for account in ASSETS) == sum(standing[account] for account in CLAIMS)


def test_split_keeps_the_whole():
    assert sum(model.split(217, [1, 1, 1])) == 217
    assert model.split(10, [1, 3]) == [2, 8]


def test_injuries_at_the_plants_are_among_those_of_the_company(report):
    total = int(re.search(r"there were (\d+) recordable injuries among employees", " ".join(report.texts))[1])
    assert sum(plant.injuries[0] for plant in sites.plants()) < total


def test_the_printed_statements_show_the_figures(report):
    income, balance, flows = (
        next(
            text
            for text in report.texts
            if text.startswith(f"Consolidated {name}") or f" Consolidated {name} In" in text
        )
        for name in ("statements of income", "balance sheets", "statements of cash flows")
    )
    assert "Net revenue $4,159 $3,870 $3,660" in income
    assert f"Total assets ${model.total_assets(2025):,} ${model.total_assets(2024):,}" in balance
    assert f"Total liabilities and equity ${model.total_claims(2025):,}" in balance
    assert f"Cash and cash equivalents, end of year ${balances(2025)['cash']}" in flows
    assert "Capital expenditures (217) (188) (171)" in flows


def test_segments_and_investments_add_up_to_capital_expenditures(report):
    assert any("Total capital expenditures 217 188 171" in text for text in report.texts)
    assert any("Capital expenditures $217.0" in text for text in report.texts)
