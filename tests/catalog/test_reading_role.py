"""SQL that got past the check, on PostgreSQL: what stands behind it."""

from contextlib import suppress
from pathlib import Path

import pytest
from attacks import PAST_THE_CHECK
from catalog_documents import document
from databases import administer
from sqlalchemy import make_url, text

from thumbindex.catalog.database import Database
from thumbindex.catalog.facts import Fact, Rank
from thumbindex.catalog.fields import FieldTable, FieldType
from thumbindex.catalog.guarded import run_guarded
from thumbindex.catalog.jobs import JobTable
from thumbindex.catalog.store import Store
from thumbindex.collection import Collection
from thumbindex.errors import RefusedStatementError
from thumbindex.generation.base import Written
from thumbindex.library_search import By, LibrarySearch, choose_documents

DEADLINE_S = 0.3
ALL = "SELECT document_id FROM library ORDER BY name"
ROLE = "thumbindex_reader"
# A name that has to be quoted wherever it stands.
ODD = 'o"dd %(name)s :x'
ODD_QUOTED = '"o""dd %(name)s :x"'


def filled(database):
    for name in ("a", "b"):
        Store(database).put_document(document(name), Path("x.pdf"), "reader-1")
    return database


class Canned:
    """A chat model that writes the same, whatever it is asked."""

    name = "canned"

    def write(self, _prompt):
        return Written("SELECT document_id FROM library", 1, 1)


IDS = [document(name).id for name in ("a", "b")]


@pytest.fixture
def library(postgresql_database):
    JobTable(filled(postgresql_database)).add(["/secret/path.pdf"])
    return postgresql_database


def test_nothing_but_a_select_on_the_view_is_run_even_where_the_role_may_do_more(library, postgresql):
    assert run_guarded(ALL, library) == IDS
    administer(
        postgresql, f"GRANT ALL ON ALL TABLES IN SCHEMA public TO {ROLE}", f"GRANT CREATE ON SCHEMA public TO {ROLE}"
    )
    assert len(PAST_THE_CHECK) == len(set(PAST_THE_CHECK)) >= 50
    passed = {}
    for attack in PAST_THE_CHECK:
        try:
            passed[attack] = run_guarded(attack, library, DEADLINE_S)
        except RefusedStatementError:
            continue
    assert passed == {}
    assert run_guarded(ALL, library) == IDS
    assert len(JobTable(library).unfinished()) == 1


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ("SELECT rolname FROM pg_roles", "does not read library alone"),
        ("SELECT (SELECT path FROM jobs) FROM library", r"more than a SELECT on library \(SUBLINK\)"),
        ("SELECT document_id FROM library WHERE pg_sleep(60) IS NULL", "calls a function or an operator"),
        ("SELECT document_id FROM library; RESET ROLE", "multiple commands"),
    ],
)
def test_a_refusal_says_what_was_wrong(library, statement, message):
    with pytest.raises(RefusedStatementError, match=message):
        run_guarded(statement, library)


def test_functions_and_operators_of_the_same_name_are_not_called(library, postgresql):
    steals = "RETURNS text LANGUAGE sql SECURITY DEFINER AS 'SELECT path FROM jobs'"
    administer(
        postgresql,
        f"CREATE FUNCTION public.lower(varchar) {steals}",
        "CREATE FUNCTION public.same(varchar, varchar) RETURNS boolean LANGUAGE sql AS 'SELECT true'",
        "CREATE OPERATOR public.= (LEFTARG = varchar, RIGHTARG = varchar, FUNCTION = public.same)",
    )
    for statement in ("SELECT lower(name) FROM library", "SELECT document_id FROM library WHERE name = document_id"):
        with pytest.raises(RefusedStatementError, match="calls a function or an operator"):
            run_guarded(statement, library)


def test_what_has_to_wait_is_stopped(library):
    with library.engine.begin() as connection:
        connection.execute(text("LOCK TABLE documents IN ACCESS EXCLUSIVE MODE"))
        with pytest.raises(RefusedStatementError, match="took too long"):
            run_guarded(ALL, library, DEADLINE_S)


def test_no_trace_is_left_of_a_statement(library):
    for statement in (ALL, "SELECT path FROM jobs"):
        with suppress(RefusedStatementError):
            run_guarded(statement, library)
    with library.reading() as connection:
        assert connection.scalar(text("SELECT current_user = session_user"))
        assert connection.scalar(text("SELECT count(*) FROM pg_class WHERE relname LIKE 'thumbindex%'")) == 0


@pytest.fixture
def no_role(postgresql_server):
    """A server without the role; roles belong to all databases of a server, so it goes by another name meanwhile."""
    exists = f"IF EXISTS (SELECT FROM pg_roles WHERE rolname = '{ROLE}') THEN"
    administer(postgresql_server, f"DO $$ BEGIN {exists} ALTER ROLE {ROLE} RENAME TO set_aside; END IF; END $$")
    yield
    administer(
        postgresql_server,
        f"DO $$ BEGIN {exists} EXECUTE 'ALTER ROLE {ROLE} RENAME TO used_' || txid_current(); END IF; "
        f"IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'set_aside') THEN ALTER ROLE set_aside RENAME TO {ROLE}; "
        "END IF; END $$",
    )


@pytest.fixture
def of_user(postgresql, no_role):
    """Makes a library of a user who may do this, in a schema of the user's name."""
    opened = []

    def make(may="NOCREATEROLE"):
        name = make_url(postgresql).database
        administer(
            postgresql,
            f"CREATE ROLE {ODD_QUOTED} LOGIN {may}",
            f"CREATE SCHEMA AUTHORIZATION {ODD_QUOTED}",
            f"REVOKE TEMPORARY ON DATABASE {name} FROM PUBLIC",
        )
        url = make_url(postgresql).set(username=ODD)
        opened.append(filled(Database.from_location(url.render_as_string(hide_password=False))))
        return opened[-1]

    yield make
    for database in opened:
        database.close()
    administer(postgresql, f"DROP OWNED BY {ODD_QUOTED} CASCADE", f"DROP ROLE {ODD_QUOTED}")


def refusal(database):
    with pytest.raises(RefusedStatementError) as caught:
        run_guarded(ALL, database)
    return str(caught.value)


def test_a_user_who_may_not_make_the_role_is_told_what_an_administrator_has_to_run(of_user, postgresql):
    database = of_user()
    told = refusal(database)
    assert "\n" not in told
    name = make_url(postgresql).database
    statements = told.partition("have an administrator run: ")[2].split("; ")
    assert statements == [
        f"CREATE ROLE {ROLE} NOLOGIN NOINHERIT",
        f"GRANT {ROLE} TO {ODD_QUOTED}",
        f"GRANT TEMPORARY ON DATABASE {name} TO {ROLE}",
        f"GRANT USAGE ON SCHEMA {ODD_QUOTED} TO {ROLE}",
        f"GRANT SELECT ON {ODD_QUOTED}.library TO {ROLE}",
    ]
    administer(postgresql, *statements)
    assert run_guarded(ALL, database) == IDS
    # A new field makes the view anew; that it may be read its owner can see to.
    FieldTable(database).declare("country", FieldType.TEXT)
    assert run_guarded(ALL, database) == IDS


def test_without_the_role_the_typed_filter_takes_over_and_the_reason_is_told(of_user):
    pytest.importorskip("sqlglot", reason="needs the extra `chat`")
    database = of_user()
    FieldTable(database).fill(IDS[1], [Fact("fiscal_year", 2018, "flag", Rank.FLAG)])
    collection = Collection(database, model="lexical", generator=Canned())
    ranked, _, choosings = choose_documents(collection, "What was sold in FY2018?", LibrarySearch(By.METADATA))
    assert ranked[0].document_id == IDS[1]
    assert "have an administrator run: CREATE ROLE" in choosings[0].note


def test_a_user_who_was_not_given_the_role_is_told_just_that(of_user, postgresql):
    database = of_user()
    administer(postgresql, *refusal(database).partition("run: ")[2].split("; "), f"REVOKE {ROLE} FROM {ODD_QUOTED}")
    assert refusal(database).endswith(f"have an administrator run: GRANT {ROLE} TO {ODD_QUOTED}")


def test_a_user_who_may_make_roles_needs_no_administrator(of_user, postgresql):
    database = of_user("CREATEROLE")
    administer(postgresql, f"GRANT TEMPORARY ON DATABASE {make_url(postgresql).database} TO PUBLIC")
    assert run_guarded(ALL, database) == IDS
