import pytest
from catalog_documents import document

from thumbindex.catalog.facts import facts_of, issuer_candidates
from thumbindex.catalog.organisations import name_key, quoted_names, short_names, ticker_symbols

ANNUAL = """UNITED STATES
FORM 10-K
ANNUAL REPORT PURSUANT TO SECTION 13 OF THE SECURITIES EXCHANGE ACT OF 1934
For the fiscal year ended June 30, 2023
GRANDE PUMPS PLC
(Exact name of registrant as specified in its charter)
Ordinary Shares, par value $0.01 per share GRPU New York Stock Exchange"""
QUARTERLY = """FORM 10-Q
For the Quarterly Period Ended December 31, 2022
GRANDE PUMPS PLC
(Exact name of registrant as specified in its charter)"""
CURRENT = """FORM 8-K
Date of Report (Date of earliest event reported): July 1, 2022 (June 30, 2022)
GRANDE PUMPS PLC
(Exact name of registrant as specified in its charter)"""


def found(made):
    candidates = issuer_candidates(made)
    return {fact.field: fact for fact in facts_of(made, candidates[0] if candidates else None)}


def values(made):
    return {name: fact.value for name, fact in found(made).items()}


def test_a_cover_tells_who_what_and_when_whatever_the_file_is_called():
    assert values(document("x7", ANNUAL)) == {
        "company": "GRANDE PUMPS PLC",
        "report_type": "10-K",
        "fiscal_year": 2023,
        "report_date": "2023-06-30",
    }


def test_a_quarter_is_counted_in_the_fiscal_year_that_the_document_names():
    made = document("x7", QUARTERLY, "See our Annual Report for the fiscal year ended June 30, 2022.")
    assert (values(made)["fiscal_year"], values(made)["fiscal_quarter"]) == (2023, 2)


def test_a_current_report_has_the_date_of_its_event():
    assert values(document("x7", CURRENT))["report_date"] == "2022-07-01"


def test_a_file_name_tells_it_too_and_gives_the_company_another_name():
    made = document("GRANDE_2023Q2_10Q", QUARTERLY)
    facts = found(made)
    assert (facts["fiscal_year"].value, facts["fiscal_year"].source) == (2023, "file name")
    assert facts["company"].value == "GRANDE PUMPS PLC"
    assert "GRANDE" in facts["company"].aliases


def test_a_file_name_alone_is_enough_where_the_pages_say_nothing():
    assert values(document("Grande_2019_10K", "1")) == {
        "company": "Grande",
        "report_type": "10-K",
        "fiscal_year": 2019,
    }


def test_the_number_of_a_heading_is_no_part_of_a_name():
    assert "company" not in values(document("a9f3", "8.4 Company", "Company cards are for travel."))


def test_a_document_that_tells_nothing_has_no_values():
    assert values(document("a9f3", "It was a dark and stormy night.")) == {}


def test_a_release_is_of_the_period_in_its_title_not_of_the_one_it_compares_with():
    release = "Grande reports fiscal 2023 results\nYear ended June 30, 2022: 1. Year ended June 30, 2023: 2."
    assert values(document("x7", release))["report_date"] == "2023-06-30"


def test_what_every_organisation_calls_itself_is_nobody():
    assert issuer_candidates(document("x7", "The Company\nGrande Pumps Inc.")) == ["Grande Pumps Inc."]


@pytest.mark.parametrize(
    ("text", "name", "called"),
    [
        (
            "Marrow is large. " * 4 + "Net income attributable to Marrow rose. Marrow or its subsidiaries",
            "Marrow Co.",
            [],
        ),
        ("Marrow grew. " * 4 + "Income attributable to Marrow. Marrow or its plants.", "Marrow Mills Inc.", ["Marrow"]),
        ("AMP’s shops. AMP sells. AMP buys. AMP’s people. AMP.", "Alder Mill Products, Inc.", ["AMP"]),
        ("AMP sells. " * 9, "Alder Mill Products, Inc.", []),
        ("Aldmill Ventures, Aldmill Bank and Aldmill Canada.", "Alder Mills Company", ["Aldmill"]),
        ("Alder Alder Alder", "Alder Mills Company", []),
    ],
)
def test_a_short_name_is_one_that_the_document_uses_of_somebody(text, name, called):
    assert list(short_names(text, name)) == called


@pytest.mark.parametrize(
    ("text", "called"),
    [
        ("“Alder”, “the Company”, “we” and “our” mean Alder Mills, Inc.", ["Alder"]),
        ("In this report “AMI” and “us” refer to Alder Mills, Inc. and its subsidiaries", ["AMI"]),
        ("“Operating Company” means Birch Mills Inc.", []),
        ("Alder Mills, Inc. (“Alder”)", ["Alder"]),
    ],
)
def test_a_document_says_what_it_calls_its_issuer(text, called):
    assert list(quoted_names(text, "Alder Mills, Inc.")) == called


def test_symbols_and_short_names_are_other_names_of_the_company():
    text = "Grande’s plants. Grande makes pumps. " + "Grande sells. " * 4 + "Grande's board."
    assert list(ticker_symbols(ANNUAL)) == ["GRPU"]
    assert list(ticker_symbols("listed on the Great Lakes Exchange under the symbol GRP.")) == ["GRP"]
    assert list(short_names(text, "GRANDE PUMPS PLC")) == ["Grande"]
    assert list(short_names("Boston is a city. " * 9, "Boston Towers Inc.")) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("3X COMPANY", "3X Co."),
        ("The Grande Group, Inc.", "Grande"),
        ("McDOUGAL’S CORPORATION", "McDougal's"),
        ("GRANDE.COM, INC.", "Grande"),
        ("Müller AG", "Muller"),
    ],
)
def test_names_are_the_same_without_legal_form_case_and_accents(one, other):
    assert name_key(one) == name_key(other)
