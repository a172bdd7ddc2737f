"""A match goes on after the program has ended, however it ended: same link, seats, hands and pile."""

from __future__ import annotations

import asyncio
import errno
import os
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from penultima.host import archive, cli
from penultima.host.lock import Lock, Locked, is_held
from penultima.host.options import Options, UsageError
from penultima.host.phrases import LANGUAGES, Phrases
from penultima.host.store import SCHEMA, Store
from penultima.table import Table
from tests.host.phones import Phone
from tests.host.program import Program
from tests.host.terminal import terminal
from tests.table.room import Room, seat_three

Start = Callable[..., Awaitable[Program]]
ENGLISH = Phrases("en")
OPENED: list[Phone] = []


@pytest.fixture
async def client() -> AsyncIterator[aiohttp.ClientSession]:
    async with aiohttp.ClientSession() as session:
        yield session
        while OPENED:
            await OPENED.pop().close()


@pytest.fixture
async def start(tmp_path: Path) -> AsyncIterator[Start]:
    running: list[Program] = []

    async def run(*arguments: str) -> Program:
        program = await Program.start(tmp_path, "--port", "0", *arguments)
        running.append(program)
        return program

    yield run
    for program in running:
        program.close()


class Friend:
    """A person with a phone that finds its way back."""

    def __init__(self, client: aiohttp.ClientSession, name: str, host: bool = False) -> None:
        self.client, self.name, self.host = client, name, host
        self.key: str | None = None

    async def join(self, program: Program) -> dict[str, Any]:
        self.phone = Phone(self.client, program.socket)
        await self.phone.open()
        OPENED.append(self.phone)
        hello: dict[str, Any] = {"secret": program.secret}
        if self.host:
            hello["host"] = program.host_key
        if self.key:
            hello["key"] = self.key
        welcome = await self.phone.hello(**hello)
        if self.key is None:
            await self.phone.sit(self.name)
            self.key = self.phone.key
        await self.phone.until(lambda view: True)
        return welcome

    @property
    def game(self) -> dict[str, Any]:
        """What of the view is the game's, without who is here."""
        gone = {"paused", "resume", "seats", "legal", "targets"}
        return {field: value for field, value in self.phone.view.items() if field not in gone}


async def a_match(program: Program, client: aiohttp.ClientSession) -> list[Friend]:
    friends = [Friend(client, name, name == "Ana") for name in ("Ana", "Beto", "Carla")]
    for friend in friends:
        await friend.join(program)
    answer = await friends[0].phone.ask(t="host", do="start")
    await all_see(friends, answer["seq"])
    await play(friends, 8)
    return friends


async def all_see(friends: list[Friend], seq: int) -> None:
    for friend in friends:
        phone = friend.phone
        await phone.until(lambda _, phone=phone: phone.seq >= seq)


async def play(friends: list[Friend], moves: int) -> None:
    """Whoever's turn it is does something that is allowed, and everybody sees it."""
    await all_see(friends, max(friend.phone.seq for friend in friends))
    for _ in range(moves):
        mover = next(f for f in friends if f.phone.view["turn"] == f.phone.view["you"])
        answer = await mover.phone.act(mover.phone.first_move() or "")
        assert answer["t"] == "done", answer
        await all_see(friends, answer["seq"])


async def come_back(friends: list[Friend], program: Program) -> None:
    for friend in friends:
        await friend.join(program)
    await friends[0].phone.until(lambda view: view.get("paused") == ["countdown"])
    for friend in friends:
        await friend.phone.until(lambda view: not view.get("paused"), patience=10)


@pytest.mark.slow
async def test_a_host_killed_in_the_middle_of_a_match_goes_on_with_it(
    start: Start, client: aiohttp.ClientSession
) -> None:
    program = await start("--no-rtc")
    friends = await a_match(program, client)
    before = [friend.game for friend in friends]
    done = friends[0].phone.n
    program.kill()
    for friend in friends:
        await friend.phone.close()

    again = await start("--no-rtc")
    assert again.ready["resumed"] is True
    for field in ("url", "host_url", "mesa_url", "port"):
        assert again.ready[field] == program.ready[field], "the same link"
    assert "Ana" in again.wait_for("note")["text"]
    welcome = await friends[0].join(again)
    assert welcome["n"] == done
    await friends[0].phone.until(lambda view: view.get("paused") == ["away"])
    await come_back(friends[1:], again)
    assert [friend.game for friend in friends] == before, "the same seats, hands and pile"
    await play(friends, 4)
    assert again.interrupt() == 0
    assert again.errors.read_text() == ""


@pytest.mark.slow
async def test_ctrl_c_keeps_a_match_and_the_phones_are_told(
    start: Start, client: aiohttp.ClientSession
) -> None:
    program = await start("--no-rtc")
    friends = await a_match(program, client)
    assert program.interrupt() == 0
    assert program.rest()[-2:] == [
        {"event": "note", "text": "The match is kept: `penultima` goes on with it."},
        {"event": "closed"},
    ]
    for friend in friends:
        assert (await friend.phone.hear("notice"))["code"] == "resting"
        async with asyncio.timeout(5):
            await friend.phone.socket_closed.wait()
        assert friend.phone.all("closed") == []
    again = await start("--no-rtc")
    assert again.ready["url"] == program.ready["url"]
    await come_back(friends, again)
    await play(friends, 2)
    # What its host has ended is not offered again.
    assert (await friends[0].phone.ask(t="host", do="end"))["t"] == "done"
    assert again.interrupt() == 0
    anew = await start("--no-rtc")
    assert anew.ready["resumed"] is False
    assert anew.code != program.code


@pytest.mark.slow
async def test_a_match_that_is_being_played_is_not_taken_up_by_another_program(
    start: Start, client: aiohttp.ClientSession, tmp_path: Path
) -> None:
    program = await start("--no-rtc")
    friends = await a_match(program, client)
    other = await start("--no-rtc")
    assert other.ready["resumed"] is False
    assert other.code != program.code
    refused = await penultima(tmp_path, "--resume", program.code)
    assert refused.returncode == 1
    assert refused.stderr == (
        f"penultima: table {program.code} is open in another program: close that, or begin "
        "anew with --new\n"
    )
    listed = (await penultima(tmp_path, "tables")).stdout
    assert listed.count("open now") == 2
    await play(friends, 1)
    program.kill()
    # --new leaves the match for later; --resume finds it by its code.
    assert (await start("--no-rtc", "--new")).ready["resumed"] is False
    assert (await start("--no-rtc", "--resume", program.code)).ready["url"] == program.ready["url"]


@pytest.mark.slow
async def test_a_taken_port_is_one_clear_line(
    start: Start, client: aiohttp.ClientSession, tmp_path: Path
) -> None:
    program = await start("--no-rtc")
    await a_match(program, client)
    program.kill()
    with socket.socket() as busy:
        busy.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        busy.bind(("0.0.0.0", program.port))
        busy.listen()
        done = await penultima(tmp_path)
        assert (done.returncode, done.stdout) == (1, "")
        assert done.stderr == (
            f"penultima: port {program.port} of that match is busy: close what uses it, choose "
            "another with --port (the link changes), or begin anew with --new\n"
        )
        # Nothing was changed by that: the match is still there.
        assert "unfinished" in (await penultima(tmp_path, "tables")).stdout


async def penultima(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """In a thread: the phones of the test go on answering meanwhile."""
    kept = {k: v for k, v in os.environ.items() if not k.startswith("PENULTIMA_")}
    command = arguments[:1] if arguments[:1] in (("tables",), ("export",), ("import",)) else ()
    rest = arguments[len(command) :]
    return await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-m", "penultima", *command, "--lang", "en",
         *(() if command else ("--json",)), *rest],
        env=kept | {"HOME": str(folder), "XDG_STATE_HOME": str(folder), "LC_ALL": "C.UTF-8"},
        capture_output=True, text=True, encoding="utf-8", timeout=60, check=False,
    )  # fmt: skip


# ------------------------------------------------------------------------------ being asked


def a_journal(path: Path, room: Room | None = None, port: int = 4321) -> Store:
    """A journal with a match in it that was not finished."""
    if room is None:
        room, ana, _, _ = seat_three()
        ana.do("start")
    store = Store(path)
    store.append([(room.records[0]["code"], room.records)])
    store.note_port(room.records[0]["code"], port)
    return store


@pytest.mark.parametrize(
    ("answer", "goes_on"), [("", True), ("s", True), ("Sí", True), ("n", False), ("NO", False)]
)
def test_in_a_terminal_one_is_asked(tmp_path: Path, answer: str, goes_on: bool) -> None:
    path = tmp_path / "j.sqlite3"
    a_journal(path).close()
    asked: list[str] = []

    def ask(question: str) -> str:
        asked.append(question)
        return answer

    keeper = archive.keeper(Options(journal=str(path)), Phrases("es"), ask)
    assert keeper is not None
    keeper.close()
    assert (keeper.resumed is not None) is goes_on
    [question] = asked
    assert "Ana 0, Beto 0, Carla 0" in question
    assert "k7m2pq" in question
    assert time.strftime("%H") in question
    assert not list(tmp_path.glob("*.lock"))


def test_the_terminal_is_really_asked(tmp_path: Path) -> None:
    folder = tmp_path / "penultima"
    folder.mkdir()
    a_journal(folder / "journal.sqlite3", port=0).close()
    with terminal(tmp_path, "--port", "0", "--lang", "pt-BR") as seen:
        seen.read_until("Continuar? [S/n]")
        seen.press("\n")
        seen.read_until("A partida k7m2pq continua")
        seen.press("q")
        seen.read_until("A partida está guardada")
        assert seen.wait() == 0


def test_without_a_terminal_it_goes_on_by_itself(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite3"
    a_journal(path).close()
    for options, goes_on in (
        (Options(journal=str(path)), True),
        (Options(journal=str(path), new=True), False),
        (Options(journal=str(path), seed="7"), False),
        (Options(journal=str(path), position="case.partida"), False),
        (Options(journal=str(path), resume="k7m2pq"), True),
    ):
        keeper = archive.keeper(options, ENGLISH)
        assert keeper is not None
        keeper.close()
        assert (keeper.resumed is not None) is goes_on, options
    assert archive.keeper(Options(keep=False), ENGLISH) is None


@pytest.mark.parametrize("step", ["lobby", "over"])
def test_without_a_match_a_table_goes_on_after_a_crash_only(tmp_path: Path, step: str) -> None:
    """People sit there and have its link; an hour later they have gone home."""
    room, ana, _, _ = seat_three()
    if step == "over":
        ana.do("start")
        ana.do("end")
    for age, ended, goes_on in ((60.0, False, True), (60.0, True, False), (7200.0, False, False)):
        path = tmp_path / f"{age}{ended}.sqlite3"
        then = time.time() - age
        store = Store(path, clock=lambda then=then: then)
        store.append([("k7m2pq", room.records)])
        if ended:
            store.end("k7m2pq")
        store.close()
        keeper = archive.keeper(Options(journal=str(path)), ENGLISH)
        assert keeper is not None
        assert (keeper.resumed is not None) is goes_on, (age, ended)
        keeper.close()


def test_old_ended_tables_are_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "j.sqlite3"
    for days, ended, left in ((29, True, 1), (31, True, 0), (31, False, 1)):
        path.unlink(missing_ok=True)
        then = time.time() - days * archive.DAY
        store = Store(path, clock=lambda then=then: then)
        room, ana, _, _ = seat_three()
        ana.do("start")
        store.append([("k7m2pq", room.records)])
        if ended:
            store.end("k7m2pq")
        store.close()
        keeper = archive.keeper(Options(journal=str(path)), ENGLISH)
        assert keeper is not None
        assert keeper.resumed is None
        assert len(keeper.store.tables()) == left, (days, ended)
        keeper.close()


# --------------------------------------------------------------------- files that are no good


def test_a_journal_that_cannot_be_used_is_one_clear_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    newer, foreign, notes = tmp_path / "newer", tmp_path / "foreign", tmp_path / "notes.txt"
    notes.write_text("Comprar pan y vino")
    Store(newer).close()
    with sqlite3.connect(newer) as db:
        db.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    db.close()
    with sqlite3.connect(foreign) as db:
        db.execute("CREATE TABLE theirs (x)")
    db.close()
    for path, says in (
        (newer, "newer Penúltima"),
        (foreign, "no journal of Penúltima"),
        (notes, "no journal of Penúltima"),
        (tmp_path, "cannot keep anything"),
        (Path("/proc/nowhere/journal"), "cannot keep anything"),
    ):
        for arguments in ([], ["tables"]):
            assert cli.main([*arguments, "--lang", "en", "--journal", str(path)]) == 1
            err = capsys.readouterr().err
            assert len(err.splitlines()) == 1
            assert says in err


def test_a_damaged_journal_is_set_aside_and_said_so(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite3"
    a_journal(path).close()
    whole = bytearray(path.read_bytes())
    whole[100:] = b"?" * (len(whole) - 100)
    path.write_bytes(whole)
    keeper = archive.keeper(Options(journal=str(path)), ENGLISH)
    assert keeper is not None
    assert keeper.resumed is None
    [note] = keeper.notes
    assert "damaged" in note
    assert str(keeper.store.set_aside) in note
    keeper.close()


def test_a_match_whose_records_lead_nowhere_is_said_so_once(tmp_path: Path) -> None:
    path = tmp_path / "j.sqlite3"
    store = a_journal(path)
    store._db.execute("UPDATE records SET body = replace(body, 'digest\":\"', 'digest\":\"0') WHERE seq = 5")
    store.close()
    for notes in (1, 0):
        keeper = archive.keeper(Options(journal=str(path)), ENGLISH)
        assert keeper is not None
        assert keeper.resumed is None
        assert len(keeper.notes) == notes
        keeper.close()
    with pytest.raises(UsageError, match="cannot be restored"):
        archive.keeper(Options(journal=str(path), resume="k7m2pq"), ENGLISH)
    assert not list(tmp_path.glob("*.lock"))


# ---------------------------------------------------------------------------- export, import


def test_a_match_moves_to_another_machine(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    here, there, file = (tmp_path / name for name in ("here", "there", "match.jsonl"))
    a_journal(here).close()

    def run(*arguments: str) -> tuple[int, str]:
        status = cli.main([*arguments, "--lang", "en"])
        told = capsys.readouterr()
        return status, told.out + told.err

    assert run("export", "k7m2pq", str(file), "--journal", str(here))[0] == 0
    assert file.stat().st_mode & 0o777 == 0o600
    assert run("export", "k7m2pq", str(file), "--journal", str(here)) == (
        1, f"penultima: {file}: {os.strerror(errno.EEXIST)}\n",
    )  # fmt: skip
    assert run("export", "nosuch", "x", "--journal", str(here))[0] == 1
    assert run("tables", "--journal", str(there)) == (0, f"{there}\nNo table is kept.\n")
    assert run("import", str(file), "--journal", str(there))[0] == 0
    assert run("import", str(file), "--journal", str(there)) == (
        1, "penultima: table k7m2pq is in the journal already\n",
    )  # fmt: skip
    status, listed = run("tables", "--journal", str(there))
    assert status == 0
    assert "unfinished  Ana 0, Beto 0, Carla 0" in listed
    keeper = archive.keeper(Options(journal=str(there)), ENGLISH)
    assert keeper is not None
    assert keeper.resumed is not None
    keeper.close()


def test_a_table_whose_records_are_torn_is_not_exported(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal, file = tmp_path / "j.sqlite3", tmp_path / "match.jsonl"
    store = a_journal(journal)
    store._db.execute("UPDATE records SET body = 'torn' WHERE seq = 2")
    store.close()
    command = ["export", "k7m2pq", str(file), "--journal", str(journal), "--lang", "en"]
    assert cli.main(command) == 1
    assert capsys.readouterr().err == f"penultima: {ENGLISH('journal_broken', code='k7m2pq')}\n"
    assert not file.exists()


@pytest.mark.parametrize("damage", ["cut", "binary", "empty", "other", "lies", "nothing"])
def test_a_file_that_is_no_match_is_refused(
    tmp_path: Path, damage: str, capsys: pytest.CaptureFixture[str]
) -> None:
    journal, file = tmp_path / "j.sqlite3", tmp_path / "match.jsonl"
    store = a_journal(tmp_path / "here")
    store.export("k7m2pq", file)
    store.close()
    text = file.read_text("utf-8")
    if damage == "cut":
        file.write_text(text[: len(text) // 2], "utf-8")
    elif damage == "lies":
        file.write_text(text.replace('"name":"Beto"', '"name":["Beto"]'), "utf-8")
    elif damage == "nothing":
        file.unlink()
    else:
        file.write_bytes({"binary": b"\xff\x00\xfe", "empty": b"", "other": b'{"seq": 1}\n'}[damage])
    assert cli.main(["import", str(file), "--journal", str(journal), "--lang", "en"]) == 1
    err = capsys.readouterr().err
    assert len(err.splitlines()) == 1
    assert str(file) in err
    store = Store(journal)
    assert store.tables() == []
    store.close()


# ------------------------------------------------------------------------------------- the lock


def test_a_lock_is_held_by_one(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    assert not is_held(path)
    held = Lock(path)
    assert is_held(path)
    with pytest.raises(Locked):
        Lock(path)
    held.release()
    assert not path.exists()
    Lock(path).release()


def test_the_lock_of_a_program_that_was_killed_holds_nobody_up(tmp_path: Path) -> None:
    path = tmp_path / "lock"
    program = (
        "import sys, time; from pathlib import Path; from penultima.host.lock import Lock;"
        "Lock(Path(sys.argv[1])); print('held', flush=True); time.sleep(60)"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    process.stdout.readline()
    assert is_held(path)
    process.kill()
    process.communicate()
    assert path.exists()
    assert not is_held(path)


def test_every_language_says_all_of_it() -> None:
    for lang in LANGUAGES:
        text = Phrases(lang)("go_on", code="aaaaaa", when="12:00", players="Ana 0")
        assert "Ana 0" in text
        assert text.endswith("] ")


def test_a_table_from_the_journal_is_the_table(tmp_path: Path) -> None:
    store = a_journal(tmp_path / "j.sqlite3")
    one = archive.found(store, store.tables()[0])
    again = Table.restore(list(store.records("k7m2pq")), 0.0)
    assert one.table.digest() == again.digest()
    assert one.opened["kind"] == "open"
    store.close()
