"""A library's door: what may be named, and what is said where it does not open."""

import os
import sqlite3
from contextlib import closing

import pytest

from thumbindex.catalog.database import Database, location_name
from thumbindex.catalog.fields import FieldTable, FieldType
from thumbindex.catalog.guarded import run_guarded
from thumbindex.catalog.listing import Listing
from thumbindex.catalog.schema import VIEW
from thumbindex.errors import OptionError, StoreError, ThumbindexError


@pytest.mark.parametrize(
    "location",
    [
        "postgresql://u:s3cret@localhost:1/db",
        "postgresql://localhost:1/db?user=u&password=s3cret",
        "postgresql://localhost:1/db?password=a&s3cret=b",  # & in a password
        "postgresql://u:a@s3cret@localhost:1/db",  # @ in it
        "postgresql://localhost:1/db?password=a@s3cret",
        "postgresql://u:a/@s3cret/db",
        "postgresql://u:s3cret/db",  # no host
        "postgresql:/u:s3cret@localhost/db",
        "mysql://u:s3cret@localhost/db",
    ],
)
def test_no_part_of_a_password_is_told(location):
    pytest.importorskip("psycopg", reason="needs the extra `postgres`")
    with pytest.raises(ThumbindexError) as raised:
        Database.from_location(location)
    assert "s3cret" not in str(raised.value)
    assert "\n" not in str(raised.value)


def test_the_name_of_a_database_is_its_server_and_its_own():
    assert location_name("postgresql://u:s3cret@host:5433/db?password=s3cret") == "postgresql://host:5433/db"
    assert location_name("postgresql+psycopg://[::1]/db") == "postgresql://[::1]/db"
    assert location_name("folder/library.sqlite") == "folder/library.sqlite"


def test_an_at_sign_in_a_password_is_to_be_escaped():
    with pytest.raises(OptionError, match="write @ as %40"):
        location_name("postgresql://u:s3cr@et@host/db")
    assert location_name("postgresql://u:s3cr%40et@host/db") == "postgresql://host/db"


@pytest.mark.parametrize("host", ["localhost:1", "nohost.invalid", "h" * 80])
def test_a_server_that_does_not_answer_is_named_as_it_was_given(host):
    pytest.importorskip("psycopg", reason="needs the extra `postgres`")
    with pytest.raises(StoreError, match=f"library at postgresql://{host}/db cannot be used"):
        Database.from_location(f"postgresql://u:p@{host}/db")


def test_a_server_that_is_silent_is_not_waited_for_long(monkeypatch):
    psycopg = pytest.importorskip("psycopg", reason="needs the extra `postgres`")
    asked = []

    def refuse(**options):
        asked.append(options["connect_timeout"])
        raise psycopg.OperationalError("silent")

    monkeypatch.setattr(psycopg, "connect", lambda *_, **options: refuse(**options))
    for query in ("", "?connect_timeout=60"):
        with pytest.raises(StoreError, match="silent"):
            Database.from_location(f"postgresql://localhost/db{query}")
    assert [int(seconds) for seconds in asked] == [5, 60]


def test_what_is_no_database_is_no_library_and_nobody_is_told_to_remove_it(tmp_path):
    (tmp_path / "README.md").write_text("# Not a database\n" * 100)
    with pytest.raises(StoreError, match=r"README\.md cannot be used .*name another file") as raised:
        Database.from_location(tmp_path / "README.md")
    assert "remove" not in str(raised.value)


def test_a_damaged_library_is_to_be_restored_or_built_anew(tmp_path):
    library = tmp_path / "library.sqlite"
    Database.from_location(library).close()
    library.write_bytes(library.read_bytes()[:8192])
    with pytest.raises(StoreError, match=r"malformed.*restore a copy of it, or build the library anew"):
        Database.from_location(library)


@pytest.fixture
def read_only_library(tmp_path):
    """A library in a folder where nothing may be written."""
    library = tmp_path / "shared" / "library.sqlite"
    Database.from_location(library).close()
    library.parent.chmod(0o555)
    if os.access(library.parent, os.W_OK):
        pytest.skip("this user may write everywhere")
    yield library
    library.parent.chmod(0o755)


def test_a_library_that_cannot_be_written_is_read(read_only_library):
    database = Database.from_location(read_only_library)
    assert Listing(database).matching() == []
    assert run_guarded(f"SELECT document_id FROM {VIEW}", database) == []
    with pytest.raises(StoreError, match="allow writing to the file and its folder"):
        FieldTable(database).declare("country", FieldType.TEXT)
    database.close()


def test_a_library_of_an_older_version_is_not_read_where_it_cannot_be_written(read_only_library):
    read_only_library.parent.chmod(0o755)
    with closing(sqlite3.connect(read_only_library)) as connection, connection:
        connection.execute("DELETE FROM schema_version WHERE version = 3")
    read_only_library.parent.chmod(0o555)
    with pytest.raises(StoreError, match="older version needs that once"):
        Database.from_location(read_only_library)


def test_a_name_of_a_file_is_taken_as_it_is(tmp_path):
    Database.from_location(tmp_path / "100%25 ours?.sqlite").close()
    assert [path.name for path in tmp_path.iterdir()] == ["100%25 ours?.sqlite"]
