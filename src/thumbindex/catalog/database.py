"""The database behind a library: SQLite in one file, or PostgreSQL, behind two context managers."""

from __future__ import annotations

import os
import re
import time
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from sqlite3 import Connection as SQLiteConnection
from sqlite3 import OperationalError as SQLiteOperationalError
from typing import Any

from sqlalchemy import Connection, Dialect, Engine, create_engine, event, text
from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError

from thumbindex.catalog.schema import migrate
from thumbindex.codec import CodecError
from thumbindex.errors import OptionalDependencyError, OptionError, StoreError

__all__ = ["BUSY_TIMEOUT_S", "Database", "is_url", "location_name", "read_only_uri"]

# Longer than any write of ours holds the lock, with sixteen processes waiting for it.
BUSY_TIMEOUT_S = 60
_WRITE = {"write": True}
_POSTGRESQL = ("postgresql://", "postgres://", "postgresql+psycopg://")
_URL = re.compile(r".*://|postgres(ql)?:", re.DOTALL)
# A server that is there answers at once; the driver by itself waits for two minutes. The URL may say otherwise.
_CONNECT_TIMEOUT_S = 5
# What SQLite says where the file is sound, but cannot be used now.
_FOR_NOW = ("locked", "disk I/O", "full")
_NO_OPTION = "invalid connection option"  # of the driver
# Any number that other programs on the same server are unlikely to use for theirs.
_MIGRATION_LOCK = 7_469_320_117


class Database:
    """One database of the schema in `schema.py`, brought to this version of it.

    Args:
        engine: Of SQLAlchemy.
        is_cache: Whether all it holds can be made anew: then messages may advise to remove it.
        read_only: Whether it cannot be written.

    Raises:
        StoreError: It cannot be used, or a newer version of the package wrote it.
    """

    def __init__(self, engine: Engine, *, is_cache: bool = False, read_only: bool = False) -> None:
        self.engine = engine
        self._is_cache = is_cache
        with self.reading() if read_only else self.writing() as connection:
            if self.is_postgresql:
                connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _MIGRATION_LOCK})
            migrate(connection)

    @classmethod
    def from_location(cls, location: str | Path, *, is_cache: bool = False) -> Database:
        """The database at a path (an SQLite file, made where there is none) or a `postgresql://` URL.

        Args:
            location: Where it is.
            is_cache: As in the class; a cache that cannot be written is of no use, while a library is read then.

        Raises:
            OptionError: A URL of another kind.
            OptionalDependencyError: A PostgreSQL URL without the extra `postgres`.
            StoreError: It cannot be made or used.
        """
        if isinstance(location, str) and is_url(location):
            return cls(_postgresql(location))
        path = Path(location)
        read_only = not is_cache and path.is_file() and not _is_writable(path)
        return cls(_sqlite(path, read_only), is_cache=is_cache, read_only=read_only)

    @property
    def is_postgresql(self) -> bool:
        """Whether PostgreSQL stands behind."""
        return self.engine.dialect.name == "postgresql"

    @property
    def name(self) -> str:
        """How messages call it: the file, or where the server is and the database there."""
        url = self.engine.url
        return _name(url) if self.is_postgresql else str(url.database)

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
        except (SQLAlchemyError, UnicodeError, zlib.error, CodecError) as error:  # UnicodeError: no name of a host
            reason = (str(getattr(error, "orig", None) or error).splitlines() or [type(error).__name__])[0]
            if _NO_OPTION in reason:  # what it quotes may be the rest of a password with & in it
                reason = "an option in the URL is unknown to PostgreSQL"
            if self.is_postgresql or any(word in reason for word in _FOR_NOW):
                raise StoreError(f"the library at {self.name} cannot be used: {reason}") from error
            raise StoreError(f"{self.name} cannot be used ({reason}): {self._advice(reason)}") from error

    def _advice(self, reason: str) -> str:
        if "readonly" in reason:
            return "allow writing to the file and its folder; to be read, a library of an older version needs that once"
        if "unable to open" in reason:
            return "allow reading and writing of the file, of its log (-wal), and of their folder"
        if self._is_cache:
            return "name another file; a damaged cache can be removed"
        if "not a database" in reason:
            return "it is no library, name another file"
        return "restore a copy of it, or build the library anew in another file with `thumbindex index`"


def _sqlite(path: Path, read_only: bool) -> Engine:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(f"cannot keep documents in {path.parent}: {error.strerror}") from error
    engine = create_engine(URL.create("sqlite", database=str(path)), connect_args={"timeout": BUSY_TIMEOUT_S})
    if read_only:
        event.listen(engine, "do_connect", _only_read)
    event.listen(engine, "connect", _configure_read_only if read_only else _configure_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def read_only_uri(path: Path) -> str:
    """The URI by which SQLite reads a file and never writes it."""
    # Write-ahead logging makes files beside the database even to read it, unless told that nobody writes. Where the
    # folder forbids that and no log is there, nobody does.
    alone = not _is_writable(path) and not Path(f"{path}-wal").exists()
    return f"{path.absolute().as_uri()}?mode=ro{'&immutable=1' if alone else ''}"


def _is_writable(path: Path) -> bool:
    return os.access(path.parent, os.W_OK) and (not path.exists() or os.access(path, os.W_OK))


def is_url(location: str) -> bool:
    """Whether a location is meant as a URL, be it a good one; what may hold a password is no name of a file."""
    return bool(_URL.match(location))


def location_name(location: str) -> str:
    """How messages call what is at a location: nothing of it that may hold a password.

    Raises:
        OptionError: A URL that is none of a library.
    """
    return _name(_parsed(location)) if is_url(location) else location


def _postgresql(location: str) -> Engine:
    try:
        url = _parsed(location)
        waiting = {} if "connect_timeout" in url.query else {"connect_timeout": _CONNECT_TIMEOUT_S}
        return create_engine(url, pool_pre_ping=True, connect_args=waiting)
    except ModuleNotFoundError as error:
        raise OptionalDependencyError(
            "a library on PostgreSQL needs an extra: pip install 'thumbindex[postgres]'"
        ) from error


def _parsed(location: str) -> URL:
    """The parts of a URL; no message shows any of it, for a part in the wrong place may be a password."""
    if not location.startswith(_POSTGRESQL):
        raise OptionError(f"a library is a file or a postgresql:// URL, not {location.partition(':')[0]}:…")
    authority, *rest = re.split(r"[/?]", location.partition("://")[2], maxsplit=1)
    if authority.count("@") > 1 or any("@" in part for part in rest):
        raise OptionError("inside a name or password of a postgresql:// URL write @ as %40, / as %2F and ? as %3F")
    try:
        return make_url(location).set(drivername="postgresql+psycopg")
    except (ArgumentError, ValueError):
        raise OptionError(
            "cannot read the postgresql:// URL: write postgresql://user:password@host:port/database, the port a number"
        ) from None  # it would show what stands where the port should


def _name(url: URL) -> str:
    host = f"[{url.host}]" if ":" in (url.host or "") else url.host or ""
    port = f":{url.port}" if url.port else ""
    return f"postgresql://{host}{port}/{url.database or ''}"


def _only_read(_dialect: Dialect, _record: object, arguments: list[Any], options: dict[str, Any]) -> None:
    arguments[0] = read_only_uri(Path(arguments[0]))
    options["uri"] = True


def _configure_read_only(connection: SQLiteConnection, _record: object) -> None:
    connection.isolation_level = None  # SQLAlchemy's begin event below opens transactions, not the driver


def _configure_sqlite(connection: SQLiteConnection, _record: object) -> None:
    _configure_read_only(connection, _record)
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
