"""The journal's file: every table's records in one SQLite database (docs/hosting.md).

Blocking calls, for one thread at a time; ``journal`` puts a writer thread before it. A commit is
on the disk when it returns (WAL, ``synchronous = FULL``). The keys (table, seq) and
(table, who, n) make it impossible to keep anything twice. The file holds seeds and keys: it is
readable by its owner only.
"""

from __future__ import annotations

import contextlib
import json
import os
import sqlite3
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

Record = dict[str, Any]

SCHEMA: Final = 1
"""Raised by one with every change of the tables below; kept in ``user_version``."""

APPLICATION_ID: Final = 0x50454E55  # "PENU"
_MAGIC: Final = b"SQLite format 3\0"
BUSY_MS: Final = 5000
TOUCH: Final = 5.0
"""Seconds for which "last touched" may be behind: written with every record it would be half of a
commit."""

_CREATE: Final = """
CREATE TABLE tables (
    code TEXT PRIMARY KEY,
    port INTEGER,
    opened REAL NOT NULL,
    touched REAL NOT NULL,
    ended INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE TABLE records (
    code TEXT NOT NULL,
    seq INTEGER NOT NULL,
    who INTEGER,
    n INTEGER,
    body TEXT NOT NULL,
    PRIMARY KEY (code, seq)
) WITHOUT ROWID;
CREATE UNIQUE INDEX once ON records (code, who, n) WHERE who IS NOT NULL;
"""


class StoreError(Exception):
    """The file cannot be used. ``reason``: what the operating system or SQLite said of it."""

    def __init__(self, message: str, reason: str = "") -> None:
        super().__init__(message)
        self.reason = reason


class NewerStoreError(StoreError):
    """Written by a newer program."""


class KnownTableError(StoreError):
    """A table of that ``code`` is there already."""

    def __init__(self, code: str) -> None:
        super().__init__(f"table {code} is in the journal already")
        self.code = code


@dataclass(frozen=True, slots=True)
class Kept:
    """A table in the file. Times are seconds since 1970; ``ended`` tables are not offered again."""

    code: str
    port: int | None
    opened: float
    touched: float
    ended: bool
    records: int


class Store:
    """The open file. ``set_aside`` names the damaged one that this took the place of, if any."""

    def __init__(
        self, path: Path, *, named: bool = False, clock: Callable[[], float] = time.time
    ) -> None:
        """``named``: a person gave the path, and may have meant a file of quite another kind."""
        self.path = path
        self._named = named
        self.set_aside: Path | None = None
        self._clock = clock
        self._touched: dict[str, float] = {}  # as written here, by table
        try:
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._db = self._open_or_set_aside()
        except OSError as error:
            reason = error.strerror or str(error)
            raise StoreError(f"{path}: {reason}", reason) from error
        except sqlite3.DatabaseError as error:
            raise StoreError(f"{path}: {error}", str(error)) from error

    def _open_or_set_aside(self) -> sqlite3.Connection:
        try:
            return self._open()
        except sqlite3.DatabaseError as error:
            if isinstance(error, sqlite3.OperationalError) and not _is_damage(error):
                raise
            if self._named and not _is_database(self.path):
                raise self._foreign() from error
            self.set_aside = _set_aside(self.path)
            return self._open()

    def _open(self) -> sqlite3.Connection:
        # Made by hand so that nobody else can read it for a moment; -wal and -shm follow its mode.
        os.close(os.open(self.path, os.O_RDWR | os.O_CREAT, 0o600))
        db = sqlite3.connect(
            self.path, timeout=BUSY_MS / 1000, isolation_level=None, check_same_thread=False
        )
        try:
            self._prepare(db)
            if os.name == "posix":
                self.path.chmod(0o600)
        except BaseException:
            db.close()
            raise
        return db

    def _prepare(self, db: sqlite3.Connection) -> None:
        """Whose it is is looked at first: a file of another program stays as it is."""
        (version,) = db.execute("PRAGMA user_version").fetchone()
        (owner,) = db.execute("PRAGMA application_id").fetchone()
        new = version == owner == 0
        if owner != APPLICATION_ID and not (new and _is_empty(db)):
            raise self._foreign()
        if version > SCHEMA:
            raise NewerStoreError(
                f"{self.path} was written by a newer Penúltima: use that one, "
                f"or another file (--journal FILE)"
            )
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA synchronous = FULL")
        (answer,) = db.execute("PRAGMA quick_check(1)").fetchone()
        if answer != "ok":
            raise sqlite3.DatabaseError(answer)
        if new:
            with _transaction(db):
                for statement in filter(str.strip, _CREATE.split(";")):
                    db.execute(statement)
                db.execute(f"PRAGMA application_id = {APPLICATION_ID}")
                db.execute(f"PRAGMA user_version = {SCHEMA}")

    def _foreign(self) -> StoreError:
        return StoreError(f"{self.path} is not a journal of Penúltima: name another file")

    # --- writing

    def append(self, batches: Sequence[tuple[str, Sequence[Record]]]) -> None:
        """Keep the records of several tables in one commit. All or none; ``sqlite3.Error``.

        Records that are there already, to the letter, are not kept again: a commit that was
        reported as failed may be repeated.
        """
        now = self._clock()
        touched = [code for code, _ in batches if self._is_long_ago(code, now)]
        with _transaction(self._db):
            for code in touched:
                self._db.execute(
                    "INSERT INTO tables (code, opened, touched) VALUES (?, ?, ?) "
                    "ON CONFLICT (code) DO UPDATE SET touched = excluded.touched",
                    (code, now, now),
                )
            for code, records in batches:
                for record in records:
                    self._keep(code, record)
        self._touched.update(dict.fromkeys(touched, now))

    def _is_long_ago(self, code: str, now: float) -> bool:
        last = self._touched.get(code)
        return last is None or not 0 <= now - last < TOUCH

    def _keep(self, code: str, record: Record) -> None:
        body = _written(record)
        seq = record["seq"]
        row = (code, seq, record.get("who"), record.get("n"), body)
        try:
            self._db.execute("INSERT INTO records VALUES (?, ?, ?, ?, ?)", row)
        except sqlite3.IntegrityError:
            there = self._db.execute(
                "SELECT body FROM records WHERE code = ? AND seq = ?", (code, seq)
            ).fetchone()
            if there is None or there[0] != body:
                raise

    def note_port(self, code: str, port: int) -> None:
        """Where the table is served from now on: the same link needs the same port."""
        with _transaction(self._db):
            self._db.execute("UPDATE tables SET port = ?, ended = 0 WHERE code = ?", (port, code))

    def end(self, code: str) -> None:
        """The table was closed by its host and is not offered again."""
        with _transaction(self._db):
            self._db.execute("UPDATE tables SET ended = 1 WHERE code = ?", (code,))

    def forget(self, code: str) -> None:
        """Delete a table and its records."""
        with _transaction(self._db):
            self._db.execute("DELETE FROM records WHERE code = ?", (code,))
            self._db.execute("DELETE FROM tables WHERE code = ?", (code,))
        self._touched.pop(code, None)

    def forget_ended(self, before: float) -> int:
        """Delete ended tables last touched before that time; how many."""
        old = [each.code for each in self.tables() if each.ended and each.touched < before]
        for code in old:
            self.forget(code)
        return len(old)

    # --- reading

    def tables(self) -> list[Kept]:
        """Every table, the one last touched first."""
        rows = self._db.execute(
            "SELECT code, port, opened, touched, ended, "
            "(SELECT count(*) FROM records WHERE records.code = tables.code) "
            "FROM tables ORDER BY touched DESC, code"
        )
        return [
            Kept(code, port, opened, touched, bool(ended), count)
            for code, port, opened, touched, ended, count in rows
        ]

    def records(self, code: str) -> Iterator[Record]:
        """A table's records in order. ValueError for what is no record."""
        rows = self._db.execute("SELECT body FROM records WHERE code = ? ORDER BY seq", (code,))
        for (body,) in rows:
            yield json.loads(body)

    def openings(self) -> dict[str, Record]:
        """The first record of every table that has not ended, as far as it can be read."""
        rows = self._db.execute(
            "SELECT code, body FROM records JOIN tables USING (code) WHERE seq = 1 AND NOT ended"
        )
        found = {}
        for code, body in rows:
            with contextlib.suppress(ValueError):  # that table's trouble, and no other's
                record = json.loads(body)
                if isinstance(record, dict):
                    found[code] = record
        return found

    def read(self, code: str) -> list[Record]:
        """A table's records in order, at any time and in any thread.

        ``sqlite3.Error``; ValueError for what is no record.
        """
        address = f"{self.path.absolute().as_uri()}?mode=ro"
        with contextlib.closing(
            sqlite3.connect(address, uri=True, timeout=BUSY_MS / 1000, isolation_level=None)
        ) as db:
            rows = db.execute("SELECT body FROM records WHERE code = ? ORDER BY seq", (code,))
            return [json.loads(body) for (body,) in rows]

    def close(self) -> None:
        self._db.close()

    # --- one table as a file

    def export(self, code: str, path: Path) -> int:
        """Write a table's records to a new file, one JSON object a line; how many.

        OSError, also when the file is there already; ``sqlite3.Error``; ValueError for what is no
        record. Nothing is left of a file that could not be finished.
        """
        count = 0
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as out:
                for record in self.records(code):
                    out.write(_written(record) + "\n")
                    count += 1
        except BaseException:
            path.unlink(missing_ok=True)
            raise
        return count

    def take_in(
        self, lines: Iterable[str], check: Callable[[list[Record]], object] = lambda _: None
    ) -> str:
        """Keep an exported table; its code. :class:`KnownTableError` when it is here already.

        ``check`` may raise for records that lead nowhere: then nothing is kept.
        """
        records: list[Record] = []
        for number, line in enumerate(lines, 1):
            try:
                record = json.loads(line)
            except ValueError:
                record = None
            if not isinstance(record, dict) or record.get("seq") != number:
                raise StoreError(f"line {number} is no record of a table")
            records.append(record)
        if not records or not isinstance(records[0].get("code"), str):
            raise StoreError("the file holds no table")
        code: str = records[0]["code"]
        if any(each.code == code for each in self.tables()):
            raise KnownTableError(code)
        check(records)
        self.append([(code, records)])
        return code


def _written(record: Record) -> str:
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))


@contextlib.contextmanager
def _transaction(db: sqlite3.Connection) -> Iterator[None]:
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        # A full disk may have rolled it back already.
        if db.in_transaction:
            with contextlib.suppress(sqlite3.Error):
                db.execute("ROLLBACK")
        raise


def _is_database(path: Path) -> bool:
    with path.open("rb") as file:
        return file.read(len(_MAGIC)) == _MAGIC


def _is_empty(db: sqlite3.Connection) -> bool:
    return db.execute("SELECT 1 FROM sqlite_master").fetchone() is None


def _is_damage(error: sqlite3.OperationalError) -> bool:
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    return code in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


def _set_aside(path: Path) -> Path:
    """Move a damaged file and what belongs to it out of the way; nothing is deleted."""
    stamp = time.strftime("%Y%m%d-%H%M%S")
    number = 0
    while True:
        aside = path.with_name(f"{path.name}.damaged-{stamp}" + (f"-{number}" if number else ""))
        if not aside.exists():
            break
        number += 1
    for suffix in ("-wal", "-shm", ""):
        part = path.with_name(path.name + suffix)
        if part.exists():
            part.rename(aside.with_name(aside.name + suffix))
    return aside
