from pathlib import Path

import pytest
from attacks import ANYWHERE, ONLY_THE_VIEW, POSTGRESQL, SQLITE
from catalog_documents import document
from sqlalchemy import text

from thumbindex.catalog.facts import Fact, Rank
from thumbindex.catalog.fields import FieldTable
from thumbindex.catalog.guarded import run_guarded
from thumbindex.catalog.jobs import JobTable
from thumbindex.catalog.statements import checked_statement
from thumbindex.catalog.store import Store
from thumbindex.catalog.written_sql import choose_by_written_sql, query_to_sql
from thumbindex.errors import RefusedStatementError
from thumbindex.generation.base import Written

pytest.importorskip("sqlglot", reason="needs the extra `chat`")

FIELDS = ("company", "fiscal_year")
SECRET = "/secret/path.pdf"
DEADLINE_S = 0.3


class Canned:
    """A chat model that writes the same, whatever it is asked; it remembers what it was shown."""

    name = "canned"

    def __init__(self, text):
        self.text = text

    def write(self, prompt):
        self.prompt = prompt
        return Written(self.text, 1, 1)


@pytest.fixture
def library(database):
    store, table = Store(database), FieldTable(database)
    for number, company in enumerate(("Pump Works Inc.", "Valve Works Inc.", "Pump Works Inc.")):
        made = document(f"report-{number}", f"page {number}")
        store.put_document(made, Path(f"report-{number}.pdf"), "reader-1")
        table.fill(
            made.id, [Fact("company", company, "flag", Rank.FLAG), Fact("fiscal_year", 2020 + number, "flag", 0)]
        )
    JobTable(database).add([SECRET])
    return database


def everything(database):
    with database.reading() as connection:
        names = ("documents", "field_values", "fields", "jobs", "schema_version")
        return {name: sorted(map(str, connection.execute(text(f"SELECT * FROM {name}")).all())) for name in names}


def attacks_on(database):
    return (*ANYWHERE, *(POSTGRESQL if database.is_postgresql else SQLITE))


def test_no_attack_gets_past_the_check(library):
    assert len(attacks_on(library)) >= 50
    before = everything(library)
    fields = FieldTable(library).all()
    passed = []
    for attack in attacks_on(library):
        try:
            passed.append((attack, choose_by_written_sql("?", library, fields, Canned(attack))))
        except RefusedStatementError:
            continue
    assert passed == []
    assert everything(library) == before


def test_the_guard_alone_lets_no_attack_read_write_or_wait(library):
    before = everything(library)
    ids = set(run_guarded("SELECT document_id FROM library", library))
    got = {}
    for attack in attacks_on(library):
        try:
            rows = run_guarded(attack, library, DEADLINE_S)
        except RefusedStatementError:
            continue
        if not set(rows) <= ids:
            got[attack] = rows[:3]
    assert set(got) <= (set() if library.is_postgresql else set(ONLY_THE_VIEW))
    assert SECRET not in str(got)
    assert everything(library) == before


def test_text_that_no_database_takes_is_no_traceback(library):
    assert run_guarded("SELECT document_id FROM library WHERE name = '\ud800'", library) == []
    with pytest.raises(RefusedStatementError):
        run_guarded("SELECT '\0' FROM library", library)


@pytest.mark.parametrize(
    ("written", "names"),
    [
        ("SELECT document_id FROM library WHERE company = 'Pump Works Inc.'", {"report-0", "report-2"}),
        ("select * from library where lower(company) like '%valve%'", {"report-1"}),
        ("SELECT l.document_id FROM library AS l WHERE l.fiscal_year BETWEEN 2021 AND 2022;", {"report-1", "report-2"}),
        ("Here you are:\n```sql\nSELECT document_id FROM library WHERE fiscal_year >= 2022\n```", {"report-2"}),
        ("SELECT document_id FROM library ORDER BY fiscal_year DESC LIMIT 1", {"report-2"}),
        ("SELECT document_id FROM library WHERE NOT (company IN ('x', 'y') OR fiscal_year IS NULL) -- all", None),
        ("SELECT document_id, company FROM LIBRARY WHERE COMPANY <> 'O''Neill; DROP TABLE documents'", None),
    ],
)
def test_a_choice_of_documents_is_run(library, written, names):
    choosing = choose_by_written_sql("?", library, FieldTable(library).all(), Canned(written))
    wanted = names or {"report-0", "report-1", "report-2"}
    assert {chosen.document_id for chosen in choosing.documents} == {
        document(name, f"page {name[-1]}").id for name in wanted
    }
    assert choosing.sql.startswith('SELECT "document_id" FROM "library"')


def test_a_limit_is_put_on_every_statement():
    assert checked_statement("SELECT document_id FROM library", FIELDS, "sqlite").endswith("LIMIT 2000")
    assert checked_statement("SELECT document_id FROM library LIMIT 99999999", FIELDS, "sqlite").endswith("LIMIT 2000")
    assert checked_statement("SELECT document_id FROM library LIMIT 3", FIELDS, "postgres").endswith("LIMIT 3")


def test_the_model_sees_the_schema_and_no_row(library):
    model = Canned("SELECT document_id FROM library")
    query_to_sql("How many pumps?", FieldTable(library).all(), model)
    assert "company text" in model.prompt.instructions
    assert "fiscal_year integer" in model.prompt.instructions
    assert "Pump Works" not in model.prompt.instructions + model.prompt.text


def test_a_refusal_says_what_was_wrong():
    with pytest.raises(RefusedStatementError, match="no SELECT but a DROP"):
        checked_statement("DROP TABLE documents", FIELDS, "sqlite")
    with pytest.raises(RefusedStatementError, match="reads jobs, not library"):
        checked_statement("SELECT path FROM jobs", FIELDS, "sqlite")
