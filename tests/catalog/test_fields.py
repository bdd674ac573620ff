from pathlib import Path

import pytest
from catalog_documents import document
from sqlalchemy import text

from thumbindex.catalog.facts import Fact, Rank
from thumbindex.catalog.fields import FieldTable, FieldType, facts_from_csv, facts_from_flags
from thumbindex.catalog.listing import Listing
from thumbindex.catalog.store import Store
from thumbindex.errors import FieldError, PathError


@pytest.fixture
def fields(database):
    return FieldTable(database)


@pytest.fixture
def kept(database):
    """Keeps a document and gives its id."""

    def keep(name):
        made = document(name)
        Store(database).put_document(made, Path(f"{name}.pdf"), "reader-1")
        return made.id

    return keep


def test_a_new_library_has_the_usual_fields(fields):
    assert [field.name for field in fields.all()] == [
        "company",
        "report_type",
        "fiscal_year",
        "fiscal_quarter",
        "report_date",
    ]


def test_a_declared_field_is_a_column_of_the_view(fields, kept, database):
    fields.declare("country", FieldType.TEXT)
    fields.fill(kept("a"), [Fact("country", "Chile", "flag", Rank.FLAG)])
    with database.reading() as connection:
        row = connection.execute(text("SELECT country, fiscal_year FROM library")).one()
    assert tuple(row) == ("Chile", None)


def test_a_removed_field_takes_its_values_along(fields, kept, database):
    fields.declare("country", FieldType.TEXT)
    document_id = kept("a")
    fields.fill(document_id, [Fact("country", "Chile", "flag", Rank.FLAG)])
    fields.drop("country")
    assert "country" not in Listing(database).entry(document_id).fields


@pytest.mark.parametrize("name", ["Company", "a b", "document_id", "x;drop table documents", "", "1st", "pages"])
def test_a_name_that_cannot_be_a_column_is_refused(fields, name):
    with pytest.raises(FieldError, match="cannot name a field"):
        fields.declare(name, FieldType.TEXT)


def test_a_field_is_declared_once(fields):
    with pytest.raises(FieldError, match="already"):
        fields.declare("company", FieldType.TEXT)


def test_a_better_source_is_not_overwritten_by_a_worse_one(fields, kept, database):
    document_id = kept("a")
    fields.fill(document_id, [Fact("fiscal_year", 2020, "page 1", Rank.PAGES)])
    fields.fill(document_id, [Fact("fiscal_year", "2021", "flag", Rank.FLAG)])
    fields.fill(document_id, [Fact("fiscal_year", 2022, "file name", Rank.NAME)])
    value = Listing(database).entry(document_id).fields["fiscal_year"]
    assert (value.value, value.source) == (2021, "flag")


def test_names_of_one_organisation_are_spelled_alike(fields, kept):
    fields.fill(kept("a"), [Fact("company", "3X COMPANY", "page 1", Rank.PAGES)])
    fields.fill(kept("b"), [Fact("company", "3X Co.", "page 1", Rank.PAGES)])
    assert fields.values("company", 10) == ["3X COMPANY"]


@pytest.mark.parametrize(("name", "value"), [("fiscal_year", "soon"), ("report_date", "June"), ("company", " ")])
def test_a_value_of_another_type_is_refused(fields, kept, name, value):
    with pytest.raises(FieldError, match=name):
        fields.fill(kept("a"), [Fact(name, value, "flag", Rank.FLAG)])


def test_flags_and_a_csv_give_values(tmp_path):
    (flag,) = facts_from_flags(["company=Grande = Pumps"])
    assert (flag.field, flag.value, flag.source) == ("company", "Grande = Pumps", "flag")
    rows = "\ufefffile,company,fiscal_year\nsub/a.pdf,Grande,2020\nb.pdf,,\n"
    (tmp_path / "m.csv").write_text(rows, encoding="utf-8")
    facts = facts_from_csv(tmp_path / "m.csv")
    assert [(fact.field, fact.value) for fact in facts["a.pdf"]] == [("company", "Grande"), ("fiscal_year", "2020")]
    assert facts["b.pdf"] == []


def test_a_csv_that_names_no_files_is_refused(tmp_path):
    (tmp_path / "m.csv").write_text("company\nGrande\n")
    with pytest.raises(FieldError, match="no column `file`"):
        facts_from_csv(tmp_path / "m.csv")
    with pytest.raises(PathError):
        facts_from_csv(tmp_path / "none.csv")


def test_a_flag_without_a_value_is_refused():
    with pytest.raises(FieldError, match="FIELD=VALUE"):
        facts_from_flags(["company"])


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("file,company\na.pdf,Grande, Inc.\n", "line 2 has 3 cells for 2 columns"),
        ("file,company\na.pdf,Grande\nsub/A.PDF,Other\n", "line 3: A.PDF is in a line above"),
        ("file,company,company\na.pdf,Grande,Other\n", "two columns company"),
        ("file,company\n,Grande\n", "line 2 names no file"),
        ('file,company\na.pdf,"Grande\nb.pdf,Other\n', "stray quotation mark"),
    ],
)
def test_a_csv_that_would_be_misread_is_refused(rows, message, tmp_path):
    (tmp_path / "m.csv").write_text(rows)
    with pytest.raises(FieldError, match=message):
        facts_from_csv(tmp_path / "m.csv")


def test_a_field_that_the_pages_fill_is_due_again_once_it_is_declared_anew(fields, kept, database):
    document_id = kept("a")
    listing = Listing(database)
    listing.mark(document_id, "metadata", "facts-1")
    fields.declare("country", FieldType.TEXT)
    assert "metadata" in listing.entry(document_id).stages
    fields.drop("company")
    with pytest.raises(FieldError, match="company is filled from the pages and of type text, not integer"):
        fields.declare("company", FieldType.INTEGER)
    fields.declare("company", FieldType.TEXT)
    assert "metadata" not in listing.entry(document_id).stages
