from pathlib import Path

import pytest
from catalog_documents import document
from sqlalchemy import text

from thumbindex.catalog.facts import Fact, Rank
from thumbindex.catalog.fields import FieldTable
from thumbindex.catalog.mentions import conditions_of
from thumbindex.catalog.metadata import Filter, choose_by_metadata
from thumbindex.catalog.store import Store
from thumbindex.decision.batch import Decider
from thumbindex.decision.budget import Budget
from thumbindex.decision.lexical import LexicalModel
from thumbindex.search.spending import Spending

MODEL = LexicalModel()
REPORTS = {
    "grande-2021": ("Grande Pumps plc", "10-K", 2021, None),
    "grande-2022": ("Grande Pumps plc", "10-K", 2022, None),
    "grande-2022q2": ("Grande Pumps plc", "10-Q", 2022, 2),
    "dash-2022": ("Dash & Dash Inc.", "10-K", 2022, None),
    "nova-2020": ("Nova Express Company", "annual report", 2020, None),
}


@pytest.fixture
def table(database):
    fields = FieldTable(database)
    for name, (company, kind, year, quarter) in REPORTS.items():
        made = document(name)
        Store(database).put_document(made, Path(f"{name}.pdf"), "reader-1")
        facts = {"company": company, "report_type": kind, "fiscal_year": year, "fiscal_quarter": quarter}
        aliases = {"company": ("DSH",)} if company.startswith("Dash") else {}
        fields.fill(
            made.id,
            [Fact(f, v, "flag", Rank.FLAG, aliases.get(f, ())) for f, v in facts.items() if v is not None],
        )
    return fields


def chosen(question, database, table):
    names = {document(name).id: name for name in REPORTS}
    return [names[one.document_id] for one in choose_by_metadata(question, database, table, MODEL).documents]


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("What was Grande Pumps' revenue in FY2021?", "grande-2021"),
        ("How much did GrandePumps earn in 2022 according to its 10-K?", "grande-2022"),
        ("What did Grande Pumps spend in Q2 of FY2022?", "grande-2022q2"),
        ("What did DSH pay in dividends?", "dash-2022"),
        ("Who runs Dash & Dash?", "dash-2022"),
        ("who runs nova express?", "nova-2020"),
        ("what did dsh pay in dividends?", "dash-2022"),
    ],
)
def test_a_question_leads_to_the_document_it_names(question, first, database, table):
    assert chosen(question, database, table)[0] == first


def test_the_first_words_of_one_name_lead_to_it_and_rule_nothing_out(database, table):
    found = choose_by_metadata("What did Grande spend in 2021?", database, table, MODEL)
    assert found.documents[0].document_id == document("grande-2021").id
    assert "company IN ('Grande Pumps plc')" in found.sql
    assert not found.only


def test_the_first_word_of_two_names_means_neither(database, table):
    other = document("grande-hotels")
    Store(database).put_document(other, Path("hotels.pdf"), "reader-1")
    table.fill(other.id, [Fact("company", "Grande Hotels Inc.", "flag", Rank.FLAG)])
    conditions, _ = conditions_of("What did Grande spend?", table, None)
    assert conditions == []


def test_what_a_question_does_not_name_sets_no_condition(table):
    assert conditions_of("What is the square root of the total?", table, MODEL)[0] == []


def test_a_question_that_names_nothing_does_not_apply(database, table):
    assert not choose_by_metadata("Why is the sky blue?", database, table, MODEL).applies


def test_of_several_years_the_latest_report_covers_the_others(database, table):
    assert chosen("Did Grande Pumps grow from 2021 to 2022 per its 10-K?", database, table)[:2] == [
        "grande-2022",
        "grande-2021",
    ]


def test_a_year_without_a_report_leads_to_the_nearest(database, table):
    choosing = choose_by_metadata("What did Nova Express forecast for 2021?", database, table, MODEL)
    assert [one.document_id for one in choosing.documents] == [document("nova-2020").id]
    assert "nearest" in choosing.note


def test_the_filter_is_sql_with_bound_values(table, database):
    conditions, _ = conditions_of("Revenue of Dash & Dash in 2022?", table, MODEL)
    statement, parameters = Filter(tuple(conditions)).sql()
    assert "Dash" not in statement
    assert parameters == {"company_0": "Dash & Dash Inc.", "fiscal_year_0": 2022}
    with database.reading() as connection:
        rows = connection.execute(text(statement), parameters).all()
    assert [row.document_id for row in rows] == [document("dash-2022").id]


def test_the_shown_sql_escapes_values(table, database):
    made = document("o")
    Store(database).put_document(made, Path("o.pdf"), "reader-1")
    table.fill(made.id, [Fact("company", "O'Neill; DROP TABLE documents Ltd", "flag", Rank.FLAG)])
    choosing = choose_by_metadata("What did O'Neill DROP TABLE documents Ltd do?", database, table, MODEL)
    assert "O''Neill" in choosing.sql


def test_without_a_budget_what_the_question_names_still_leads_to_documents(database, table):
    spending = Spending()
    model = Decider(LexicalModel(), budget=Budget(max_tokens=0))
    choosing = choose_by_metadata("What did Dash & Dash earn?", database, table, model, spending)
    assert [one.document_id for one in choosing.documents] == [document("dash-2022").id]
    assert "budget ended" in choosing.note
    assert "might pass the budget" in spending.stopped


def test_every_decision_is_in_the_trace_also_one_that_sets_no_condition(database, table):
    choosing = choose_by_metadata("Who runs Dash & Dash?", database, table, MODEL)
    assert [step.title for step in choosing.trace] == ["Which report_type"]
    assert "not mentioned" in [option.title for option in choosing.trace[0].options]
