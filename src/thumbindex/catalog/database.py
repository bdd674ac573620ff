"""The database behind a library: SQLite in one file, or PostgreSQL, behind two context managers."""

from __future__ import annotations

import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from sqlite3 import Connection as SQLiteConnection
from sqlite3 import OperationalError as SQLiteOperationalError

from sqlalchemy import Connection, Engine, create_engine, event, text
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from thumbindex.catalog.schema import migrate
from thumbindex.codec import CodecError
from thumbindex.errors import OptionalDependencyError, OptionError, StoreError

__all__ = ["BUSY_TIMEOUT_S", "Database"]

# Longer than any write of ours holds the lock, with sixteen processes waiting for it.
BUSY_TIMEOUT_S = 60
_WRITE = {"write": True}
_POSTGRESQL = ("postgresql://", "postgres://", "postgresql+psycopg://")
# What SQLite says where the file is sound, but cannot be used now.
_FOR_NOW = ("locked", "disk", "readonly", "unable to open", "full")
# Any number that other programs on the same server are unlikely to use for theirs.
_MIGRATION_LOCK = 7_469_320_117


class Database:
    """One database of the schema in `schema.py`, brought to this version of it.

    Args:
        engine: Of SQLAlchemy.

    Raises:
        StoreError: It cannot be used, or a newer version of the package wrote it.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        with self.writing() as connection:
            if self.is_postgresql:
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATION_LOCK})
            migrate(connection)

    @classmethod
    def from_location(cls, location: str | Path) -> Database:
        """The database at a path (an SQLite file, made where there is none) or a `postgresql://` URL.

        Raises:
            OptionError: A URL of another kind.
            OptionalDependencyError: A PostgreSQL URL without the extra `postgres`.
            StoreError: It cannot be made or used.
        """
        if isinstance(location, str) and "://" in location:
            return cls(_postgresql(location))
        return cls(_sqlite(Path(location)))

    @property
    def is_postgresql(self) -> bool:
        """Whether PostgreSQL stands behind."""
        return self.engine.dialect.name == "postgresql"

    @property
    def name(self) -> str:
        """How messages call it: the file, or host and database without the password."""
        url = self.engine.url
        return url.render_as_string(hide_password=True) if self.is_postgresql else str(url.database)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection whose statements all see the database at one moment.

        Raises:
            StoreError: A statement failed.
        """
        options = {"isolation_level": "REPEATABLE READ"} if self.is_postgresql else {}
        with self._translated(), self.engine.connect().execution_options(**options) as connection:
            yield connection

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """A transaction: all of it comes to be, or nothing.

        Raises:
            StoreError: A statement failed.
        """
        with (
            self._translated(),
            self.engine.connect().execution_options(**_WRITE) as connection,
            connection.begin(),
        ):
            yield connection

    def hold(self, connection: Connection, key: str) -> None:
        """Let no other transaction pass this line with the same key until this one ends.

        On SQLite there is one writer anyhow.
        """
        if self.is_postgresql:
            connection.execute(text("SELECT pg_advisory_xact_lock(hashtextextended(:key, 0))"), {"key": key})

    def close(self) -> None:
        """Let go of the database."""
        self.engine.dispose()

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except (SQLAlchemyError, zlib.error, CodecError) as error:
            reason = (str(getattr(error, "orig", None) or error).splitlines() or [type(error).__name__])[0]
            if self.is_postgresql or any(word in reason for word in _FOR_NOW):
                raise StoreError(f"the library at {self.name} cannot be used: {reason}") from error
            advice = "name another file; a damaged cache can be removed"
            raise StoreError(f"{self.name} cannot be used ({reason}): {advice}") from error


def _sqlite(path: Path) -> Engine:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"cannot keep documents in {path.parent}: {error.strerror}") from error
    engine = create_engine(f"sqlite:///{path}", connect_args={"timeout": BUSY_TIMEOUT_S})
    event.listen(engine, "connect", _configure_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _postgresql(location: str) -> Engine:
    if not location.startswith(_POSTGRESQL):
        raise OptionError(f"a library is a file or a postgresql:// URL, not {location.partition('://')[0]}://…")
    try:
        url = make_url(location).set(drivername="postgresql+psycopg")
        return create_engine(url, pool_pre_ping=True)
    except ArgumentError as error:
        raise OptionError(f"{location.partition('@')[2] or location} is no postgresql:// URL") from error
    except ModuleNotFoundError as error:
        raise OptionalDependencyError(
            "a library on PostgreSQL needs an extra: pip install 'thumbindex[postgres]'"
        ) from error


def _configure_sqlite(connection: SQLiteConnection, _record: object) -> None:
    connection.isolation_level = None  # SQLAlchemy's begin event below opens transactions, not the driver
    _switch_to_wal(connection)
    connection.execute("PRAGMA foreign_keys = ON")


def _switch_to_wal(connection: SQLiteConnection) -> None:
    """Turn write-ahead logging on; SQLite does not wait for others here, so this does."""
    deadline = time.monotonic() + BUSY_TIMEOUT_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except SQLiteOperationalError as error:
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.02)
        else:
            return


def _begin_sqlite(connection: Connection) -> None:
    # A transaction that means to write takes the lock at once: an upgrade half-way would fail instead of waiting.
    connection.execute(text("BEGIN IMMEDIATE" if connection.get_execution_options().get("write") else "BEGIN"))
