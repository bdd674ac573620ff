from datetime import date

import pytest

from thumbindex.catalog.periods import fiscal_period, named_periods


@pytest.mark.parametrize(
    ("text", "years", "quarters"),
    [
        ("What was revenue in FY2018?", (2018,), ()),
        ("between FY20 and FY21", (2020, 2021), ()),
        ("as of Q2 of FY2023 close", (2023,), (2,)),
        ("in Q22023 year over year", (2023,), (2,)),
        ("As of Q2'2023, is it", (2023,), (2,)),
        ("the second quarter of fiscal 2022", (2022,), (2,)),
        ("3Q23 results", (2023,), (3,)),
        ("MAKER 2023Q4 EARNINGS", (2023,), (4,)),
        ("earnings q1 fy25", (2025,), (1,)),
        ("for FY 2023 vs FY 2022", (2023, 2022), ()),
        ("from 2016 to 2018", (2016, 2018), ()),
        ("It paid $2018 for 1,999 parts, 2019.5 on average", (), ()),
        ("paper 2001.03131", (), ()),
        ("Who are the customers?", (), ()),
    ],
)
def test_years_and_quarters_are_read_as_people_write_them(text, years, quarters):
    named = named_periods(text)
    assert (named.years, named.quarters) == (years, quarters)


@pytest.mark.parametrize(
    "text", ["dated 1st July 2022", "dated July 1, 2022", "dated 1 July 2022", "dated-2022-07-01", "2022.07.01"]
)
def test_days_are_read_as_people_write_them(text):
    assert named_periods(text).days == (date(2022, 7, 1),)
    assert named_periods(text).years == (2022,)


def test_what_is_no_day_is_none():
    assert named_periods("February 31, 2022").days == ()


@pytest.mark.parametrize(
    ("end", "month", "period"),
    [
        (date(2022, 12, 31), 12, (2022, 4)),
        (date(2022, 12, 31), 6, (2023, 2)),  # fiscal years that end in June
        (date(2023, 7, 2), 12, (2023, 2)),  # a quarter of 13 weeks ends some days off
        (date(2022, 12, 31), 9, (2023, 1)),
        (date(2023, 1, 1), 12, (2022, 4)),
    ],
)
def test_the_fiscal_quarter_follows_from_its_end(end, month, period):
    assert fiscal_period(end, month) == period
