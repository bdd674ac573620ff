"""A library's door: what may be named, and what is said where it does not open."""

import pytest

from thumbindex.catalog.database import Database, location_name
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
