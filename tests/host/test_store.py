"""The journal's file: what is kept, what cannot happen, what is said when it cannot be used."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import stat
from pathlib import Path

import pytest

from penultima.host.journal import JournalError, SqliteJournal
from penultima.host.store import SCHEMA, NewerStoreError, Store, StoreError


def record(seq: int, **fields: object) -> dict[str, object]:
    return {"seq": seq, "now": 0.0, "kind": "act", "digest": "", **fields}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "state" / "journal.sqlite3"


def test_what_was_kept_is_there_after_opening_again(path: Path) -> None:
    store = Store(path)
    store.append([("aaaaaa", [record(1, code="aaaaaa"), record(2, who=1, n=1, a="r7")])])
    store.note_port("aaaaaa", 8765)
    store.close()
    again = Store(path)
    assert [r["seq"] for r in again.records("aaaaaa")] == [1, 2]
    [kept] = again.tables()
    assert (kept.code, kept.port, kept.records, kept.ended) == ("aaaaaa", 8765, 2, False)
    assert again.set_aside is None


@pytest.mark.skipif(os.name != "posix", reason="file modes are POSIX's")
def test_only_its_owner_can_read_it(path: Path) -> None:
    store = Store(path)
    store.append([("aaaaaa", [record(1)])])
    for each in path.parent.iterdir():
        assert stat.S_IMODE(each.stat().st_mode) == 0o600, each
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700


def test_a_request_cannot_be_kept_twice(path: Path) -> None:
    store = Store(path)
    store.append([("aaaaaa", [record(1, who=1, n=1)])])
    with pytest.raises(sqlite3.IntegrityError):
        store.append([("aaaaaa", [record(2, who=1, n=1)])])
    with pytest.raises(sqlite3.IntegrityError):
        store.append([("aaaaaa", [record(1, who=2, n=1)])])
    assert len(list(store.records("aaaaaa"))) == 1


def test_a_commit_may_be_repeated_to_the_letter(path: Path) -> None:
    store = Store(path)
    batch = [("aaaaaa", [record(1), record(2, who=1, n=1)])]
    store.append(batch)
    store.append(batch)
    assert len(list(store.records("aaaaaa"))) == 2


def test_all_or_none(path: Path) -> None:
    store = Store(path)
    with pytest.raises(sqlite3.IntegrityError):
        store.append([("aaaaaa", [record(1)]), ("bbbbbb", [record(1), record(1, n=2)])])
    assert store.tables() == []


def test_a_newer_file_is_refused_and_left_alone(path: Path) -> None:
    Store(path).close()
    with sqlite3.connect(path) as db:
        db.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    db.close()
    before = path.read_bytes()
    with pytest.raises(NewerStoreError, match="newer"):
        Store(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("version", [0, SCHEMA, SCHEMA + 1], ids="version {}".format)
def test_another_programs_database_is_refused_and_left_alone(path: Path, version: int) -> None:
    path.parent.mkdir()
    with sqlite3.connect(path) as db:
        db.execute("CREATE TABLE theirs (x)")
        db.execute(f"PRAGMA user_version = {version}")
    db.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match="not a journal") as refused:
        Store(path)
    assert not isinstance(refused.value, NewerStoreError), "it is no Penúltima's at all"
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "content",
    [b"Comprar pan y vino", b"SQLite format 4, perhaps", b"\x89PNG\r\n\x1a\n" + bytes(9000)],
)
def test_a_named_file_of_another_kind_is_left_alone(path: Path, content: bytes) -> None:
    path.parent.mkdir()
    path.write_bytes(content)
    path.chmod(0o644)
    with pytest.raises(StoreError, match="not a journal"):
        Store(path, named=True)
    assert path.read_bytes() == content
    assert path.stat().st_mode & 0o777 == 0o644
    assert [each.name for each in path.parent.iterdir()] == [path.name]


@pytest.mark.parametrize("damage", ["garbage", "middle"])
def test_a_damaged_file_is_set_aside_whole(path: Path, damage: str) -> None:
    store = Store(path)
    store.append([("aaaaaa", [record(n, a="x" * 200) for n in range(1, 400)])])
    store.close()
    data = bytearray(path.read_bytes())
    if damage == "garbage":
        data[:] = b"no database at all " * 500
    else:
        data[4096:12288] = bytes(8192)
    path.write_bytes(data)
    store = Store(path)
    assert store.set_aside is not None
    assert store.set_aside.read_bytes() == bytes(data)
    assert store.tables() == []
    store.append([("bbbbbb", [record(1)])])


def test_an_export_is_taken_in_elsewhere(path: Path, tmp_path: Path) -> None:
    store = Store(path)
    records = [record(1, code="aaaaaa"), record(2, who=1, n=1, name="Ñandú")]
    store.append([("aaaaaa", records)])
    file = tmp_path / "match.jsonl"
    assert store.export("aaaaaa", file) == 2
    other = Store(tmp_path / "other.sqlite3")
    assert other.take_in(file.read_text("utf-8").splitlines()) == "aaaaaa"
    assert list(other.records("aaaaaa")) == records
    with pytest.raises(StoreError, match="already"):
        other.take_in(file.read_text("utf-8").splitlines())
    with pytest.raises(StoreError, match="line 1"):
        other.take_in(["[]"])
    with pytest.raises(StoreError, match="line 2"):
        other.take_in(['{"seq": 1, "code": "cccccc"}', '{"seq": 3}'])


def test_an_export_that_fails_leaves_nothing_behind(path: Path, tmp_path: Path) -> None:
    store = Store(path)
    store.append([("aaaaaa", [record(1, code="aaaaaa"), record(2)])])
    store._db.execute("UPDATE records SET body = 'torn' WHERE seq = 2")
    file = tmp_path / "match.jsonl"
    with pytest.raises(ValueError, match="Expecting value"):
        store.export("aaaaaa", file)
    assert not file.exists()
    file.write_text("somebody's")
    with pytest.raises(FileExistsError):
        store.export("aaaaaa", file)
    assert file.read_text() == "somebody's"


def test_ended_tables_go_after_a_while(path: Path) -> None:
    now = 1000.0
    store = Store(path, clock=lambda: now)
    store.append([("aaaaaa", [record(1)]), ("bbbbbb", [record(1)])])
    store.end("aaaaaa")
    assert store.forget_ended(before=999.0) == 0
    assert store.forget_ended(before=1001.0) == 1
    assert [each.code for each in store.tables()] == ["bbbbbb"]
    assert list(store.records("aaaaaa")) == []


async def test_commits_that_wait_are_written_together(path: Path) -> None:
    store = Store(path)
    commits: list[int] = []
    append = store.append

    def counting(batches):  # type: ignore[no-untyped-def]
        commits.append(len(batches))
        append(batches)

    store.append = counting  # type: ignore[method-assign]
    journal = SqliteJournal(store)
    await asyncio.gather(*(journal.commit(f"aaaa{n:02}", [record(1)]) for n in range(50)))
    await journal.close()
    assert sum(commits) == 50
    assert len(commits) < 50
    assert len(store.tables()) == 50


async def test_a_failed_commit_says_so_and_can_be_repeated(path: Path) -> None:
    store = Store(path)
    append = store.append
    journal = SqliteJournal(store)

    def full(batches):  # type: ignore[no-untyped-def]
        raise sqlite3.OperationalError("database or disk is full")

    store.append = full  # type: ignore[method-assign]
    with pytest.raises(JournalError, match="full"):
        await journal.commit("aaaaaa", [record(1)])
    store.append = append  # type: ignore[method-assign]
    await journal.commit("aaaaaa", [record(1)])
    assert len(list(store.records("aaaaaa"))) == 1
    await journal.close()
    with pytest.raises(JournalError, match="closed"):
        await journal.commit("aaaaaa", [record(2)])


async def test_one_tables_mistake_is_not_the_others_loss(path: Path) -> None:
    store = Store(path)
    journal = SqliteJournal(store)
    await journal.commit("aaaaaa", [record(1, who=1, n=1)])
    results = await asyncio.gather(
        journal.commit("aaaaaa", [record(2, who=1, n=1)]),
        journal.commit("bbbbbb", [record(1)]),
        return_exceptions=True,
    )
    await journal.close()
    assert isinstance(results[0], JournalError)
    assert results[1] is None
    assert len(list(store.records("bbbbbb"))) == 1
