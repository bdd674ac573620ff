from pathlib import Path

import pytest
from catalog_documents import document

from thumbindex.catalog.facts import Fact, Rank
from thumbindex.catalog.fields import FieldTable, FieldType
from thumbindex.catalog.listing import Listing, Order
from thumbindex.catalog.store import Store
from thumbindex.errors import FieldError

REPORTS = {
    "b-2021": ({"company": "3X Company", "fiscal_year": 2021, "report_date": "2021-12-31"}, 3),
    "A-2020": ({"company": "3X Company", "fiscal_year": 2020}, 1),
    "c-2020": ({"company": "Dash & Dash Inc.", "fiscal_year": 2020}, 2),
    "d": ({}, 4),
}


@pytest.fixture
def fields(database):
    return FieldTable(database)


@pytest.fixture
def listing(database, fields):
    for name, (facts, pages) in REPORTS.items():
        made = document(name, *["text"] * pages)
        Store(database).put_document(made, Path(f"{name}.pdf"), "reader-1")
        fields.fill(made.id, [Fact(field, value, "flag", Rank.FLAG) for field, value in facts.items()])
    return Listing(database)


def names(entries):
    return [entry.name.removesuffix(".pdf") for entry in entries]


def test_documents_are_listed_by_name_whatever_its_case(listing):
    assert names(listing.all()) == ["A-2020", "b-2021", "c-2020", "d"]
    assert [entry.pages for entry in listing.all()] == [1, 3, 2, 4]


@pytest.mark.parametrize(
    ("values", "found"),
    [
        ({"fiscal_year": "2020"}, ["A-2020", "c-2020"]),
        ({"fiscal_year": 2020, "company": "3x co."}, ["A-2020"]),
        ({"report_date": "2021-12-31"}, ["b-2021"]),
        ({"company": "nobody"}, []),
    ],
)
def test_documents_of_some_values_are_listed_however_they_are_spelled(listing, fields, values, found):
    assert names(listing.matching([(fields.field(name), value) for name, value in values.items()])) == found


def test_documents_are_sorted_those_without_a_value_last(listing, fields):
    by_year = listing.matching(order=fields.field("fiscal_year"))
    assert names(by_year) == ["A-2020", "c-2020", "b-2021", "d"]
    assert names(listing.matching(order=fields.field("company"))) == ["A-2020", "b-2021", "c-2020", "d"]
    assert names(listing.matching(order=Order.PAGES)) == ["A-2020", "c-2020", "b-2021", "d"]
    assert set(names(listing.matching(order=Order.ADDED))) == set(REPORTS)


def test_a_limit_takes_the_first(listing, fields):
    assert names(listing.matching(order=Order.PAGES, limit=2)) == ["A-2020", "c-2020"]
    assert names(listing.matching([(fields.field("fiscal_year"), 2020)], limit=1)) == ["A-2020"]


def test_a_document_is_listed_with_all_its_values(listing):
    (entry,) = (entry for entry in listing.all() if entry.name == "b-2021.pdf")
    assert {name: value.value for name, value in entry.fields.items()} == REPORTS["b-2021"][0]


@pytest.mark.parametrize(("name", "value"), [("fiscal_year", "soon"), ("report_date", "June"), ("company", " ")])
def test_a_value_of_another_type_is_refused(listing, fields, name, value):
    with pytest.raises(FieldError, match=f"{name} takes"):
        listing.matching([(fields.field(name), value)])


def test_a_field_that_is_not_declared_is_refused(fields):
    with pytest.raises(FieldError, match="there is no field colour"):
        fields.field("colour")


def test_the_documents_of_the_most_pages_are_told(listing):
    ids = {entry.id: entry.name for entry in listing.all()}
    assert [ids[document_id] for document_id in listing.longest()][:2] == ["d.pdf", "b-2021.pdf"]
    few = [document_id for document_id, name in ids.items() if name.endswith("2020.pdf")]
    assert [ids[document_id] for document_id in listing.longest(few)] == ["c-2020.pdf", "A-2020.pdf"]


def test_a_field_knows_how_many_documents_have_a_value(listing, fields):
    fields.declare("country", FieldType.TEXT)
    assert (fields.count("fiscal_year"), fields.count("country")) == (3, 0)
