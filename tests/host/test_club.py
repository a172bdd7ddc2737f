"""A club: many tables in one program. Opening, closing, resting, waking, and what may go wrong."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from prometheus_client.parser import text_string_to_metric_families

from penultima import wire
from penultima.host import cli
from penultima.host import tables as tables_module
from penultima.host.invitation import Invitation
from penultima.host.journal import JournalError, SqliteJournal
from penultima.host.metrics import Histogram
from penultima.host.store import Store
from penultima.host.tables import FullError, NoTableError, Tables
from penultima.table import Table
from tests.host.phones import Phone, eventually
from tests.host.program import ClubPhone, ClubProgram, Program


class Line:
    """Opens phones and closes them in the end."""

    def __init__(self, client: aiohttp.ClientSession) -> None:
        self.client = client
        self.phones: list[Phone] = []

    async def phone(self, url: str, kind: type[Phone] = Phone, **options: Any) -> Any:
        phone = kind(self.client, url, **options)
        await phone.open()
        self.phones.append(phone)
        return phone

    async def guest(self, url: str, code: str, secret: str, **hello: Any) -> Phone:
        """Greeted, with its first view."""
        phone: Phone = await self.phone(f"{url}/ws/{code}")
        await phone.hello(secret=secret, **hello)
        await phone.until(lambda _: True)
        return phone

    async def page(self, program: ClubProgram) -> ClubPhone:
        page = await program.page(self.client)
        self.phones.append(page)
        return page


@pytest.fixture
async def line() -> AsyncIterator[Line]:
    async with aiohttp.ClientSession() as session:
        line = Line(session)
        yield line
        for phone in line.phones:
            await phone.cut()
            await phone.close()


@pytest.fixture
def programs() -> Iterator[list[Program]]:
    started: list[Program] = []
    yield started
    for each in started:
        each.close()


async def club(folder: Path, programs: list[Program], *arguments: str) -> ClubProgram:
    journal = f"{folder}/club.sqlite3"
    made = await ClubProgram.start(folder, "--port", "0", "--journal", journal, *arguments)
    programs.append(made)
    assert isinstance(made, ClubProgram)
    return made


# ---------------------------------------------------------------------------- the page


async def test_a_club_opens_lists_and_closes_tables(
    tmp_path: Path, line: Line, programs: list[Program]
) -> None:
    program = await club(tmp_path, programs, "--node", "b", "--max-tables", "2")
    page = await line.page(program)
    assert page.all("club")[0] == {"t": "club", "node": "b", "most": 2, "working": 0, "tables": []}
    code, secret, host_key = await page.table("Viernes", "classic stacking=same")
    assert code.startswith("b")
    other, _, _ = await page.table()
    assert [row["code"] for row in page.rows] == [other, code]

    ana = await line.guest(program.url, code, secret, host=host_key)
    assert ana.view["title"] == "Viernes"
    assert ana.view["rules"] == "classic stacking=same"
    await ana.sit("Ana")
    await eventually(lambda: page.rows[1]["players"])
    row = page.rows[1]
    assert (row["title"], row["phase"]) == ("Viernes", "lobby")
    assert [member["name"] for member in row["players"]] == ["Ana"]

    assert (await page.request(t="open", title="", rules="classic"))["code"] == "club_full"
    wrong = await page.request(t="open", title="", rules="classic stacking=never")
    assert (wrong["code"], wrong["field"]) == ("bad_rules", "stacking")
    assert (await page.request(t="open", title="a\nb", rules="classic"))["code"] == "name_bad"
    assert (await page.request(t="open", title="a" * 41, rules="classic"))["code"] == "name_long"

    assert (await page.request(t="close", code=code))["t"] == "ended"
    assert (await ana.hear("closed"))["code"] == "table_closed"
    assert [row["code"] for row in page.rows] == [other]
    assert (await page.request(t="close", code=code))["code"] == "no_such_table"
    late = await line.phone(f"{program.url}/ws/{code}")
    await late.say(t="hello", v=1, secret=secret)
    assert (await late.hear("refused"))["code"] == "bad_secret"
    for message in page.all("club") + page.all("opened") + page.all("ended") + page.all("refused"):
        wire.check(message, wire.CLUB)


async def test_only_the_clubs_key_opens_its_page(
    tmp_path: Path, line: Line, programs: list[Program]
) -> None:
    program = await club(tmp_path, programs)
    url = f"{program.url}/ws/a.club"
    for key in ("", "x" * 24, program.ready["metrics_key"], program.key[:-1]):
        page = await line.phone(url, ClubPhone)
        await page.say(t="hello", v=1, key=key)
        assert (await page.hear("refused"))["code"] == "bad_secret"
        assert (await page.hear("closed"))["code"] == "bad_hello"
        assert not page.all("club")
    first = await line.phone(url, ClubPhone)
    await first.say(t="open", n=1, title="", rules="classic")
    assert (await first.hear("closed"))["code"] == "bad_hello"
    for origin in ("http://evil.example", ""):
        with pytest.raises(aiohttp.WSServerHandshakeError) as refusal:
            await line.phone(url, ClubPhone, origin=origin)
        assert refusal.value.status == 403
    with pytest.raises(aiohttp.WSServerHandshakeError) as refusal:
        await line.phone(f"{program.url}/ws/c.club", ClubPhone)
    assert refusal.value.status == 404
    async with line.client.get(f"{program.url}/healthz") as response:
        assert (await response.json())["tables"] == 0


async def test_nonsense_on_the_clubs_socket_hurts_nobody(
    tmp_path: Path, line: Line, programs: list[Program]
) -> None:
    program = await club(tmp_path, programs)
    page = await line.page(program)
    for text in ("", "[]", '{"t":"open"}', '{"t":"close","n":1,"code":5}', "x" * 9000):
        await page.say_raw(text)
        assert (await page.hear("refused"))["code"] in {"bad_message", "too_big"}
    code, _, _ = await page.table()
    assert code
    assert "Traceback" not in program.errors.read_text()


# -------------------------------------------------------------------------------- metrics


async def scraped(line: Line, program: ClubProgram, key: str) -> dict[str, float]:
    """Every sample as Prometheus reads it, by its name and labels."""
    headers = {"Authorization": f"Bearer {key}"}
    async with line.client.get(f"{program.url}/metrics", headers=headers) as response:
        assert response.status == 200
        assert response.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8"
        assert response.headers["Cache-Control"] == "no-store"
        families = list(text_string_to_metric_families(await response.text()))
    for family in families:
        assert family.documentation or family.name.startswith(("process_", "python_"))
        assert family.type != "unknown", family.name
    return {
        sample.name + "".join(f" {key}={value}" for key, value in sorted(sample.labels.items())): sample.value
        for family in families
        for sample in family.samples
    }


@pytest.mark.slow
async def test_metrics_count_what_happens_and_need_their_key(
    tmp_path: Path, line: Line, programs: list[Program]
) -> None:
    program = await club(tmp_path, programs, "--max-tables", "7")
    for headers in ({}, {"Authorization": "Bearer no"}, {"Authorization": f"Bearer {program.key}"}):
        async with line.client.get(f"{program.url}/metrics", headers=headers) as response:
            assert response.status == 401
            assert "penultima_" not in await response.text()
    page = await line.page(program)
    code, secret, host_key = await page.table("Secreta")
    await page.table()
    ana = await line.guest(program.url, code, secret, host=host_key)
    await ana.sit("Ana")
    await ana.ask(t="host", do="add_bot", value="easy")
    await ana.ask(t="host", do="start")
    await ana.until(lambda view: view.get("turn") == 0 and view.get("legal"), patience=20)
    await ana.act(ana.first_move())
    assert (await ana.ask(t="host", do="remove", seat=9))["code"] == "no_such_seat"
    for other, wrong in ((code, "x" * 16), ("zzzzzz", "x" * 16)):
        stranger = await line.phone(f"{program.url}/ws/{other}")
        await stranger.say(t="hello", v=1, secret=wrong)
        await stranger.hear("closed")

    told = await scraped(line, program, program.ready["metrics_key"])
    assert told["penultima_tables state=lobby"] == 1
    assert told["penultima_tables state=round"] == 1
    assert told["penultima_tables_limit"] == 7
    assert told["penultima_seats presence=here"] == 1
    assert told["penultima_seats presence=bot"] == 1
    assert told["penultima_connections path=websocket"] == 1
    assert told["penultima_actions_total"] >= 1
    assert told["penultima_records_total"] > told["penultima_actions_total"]
    assert told["penultima_commit_seconds_count"] == told["penultima_commit_seconds_bucket le=+Inf"] > 0
    assert told["penultima_refused_total code=bad_secret"] == 2
    assert told["penultima_refused_total code=no_such_seat"] == 1
    assert told["penultima_closed_total code=bad_hello"] == 2
    assert told["penultima_strays_total"] == 1  # zzzzzz is node z's
    assert told["penultima_tables_stuck"] == 0
    assert told["penultima_journal_keeps"] == 1
    assert any(name.startswith("penultima_build_info") and "node=a" in name for name in told)
    assert told["process_resident_memory_bytes"] > 1e6
    async with asyncio.timeout(10):  # the first look at the loop comes after a moment
        while not told["penultima_loop_lag_seconds_count"]:
            told = await scraped(line, program, program.ready["metrics_key"])


def test_a_histogram_counts_every_value_in_all_wider_buckets() -> None:
    histogram = Histogram((0.1, 1.0))
    for value in (0.05, 0.1, 0.5, 7.0):
        histogram.add(value)
    assert histogram.buckets() == ([("0.1", 2.0), ("1.0", 3.0), ("+Inf", 4.0)], 7.65)


# ------------------------------------------------------------------- resting and coming back


@pytest.mark.slow
async def test_a_killed_club_brings_every_table_back_under_its_link(
    tmp_path: Path, line: Line, programs: list[Program]
) -> None:
    program = await club(tmp_path, programs)
    page = await line.page(program)
    tables = [await page.table(f"Mesa {number}") for number in range(4)]
    sat = []
    for code, secret, host_key in tables[:2]:
        ana = await line.guest(program.url, code, secret, host=host_key)
        await ana.sit("Ana")
        await ana.ask(t="host", do="add_bot", value="easy")
        await ana.ask(t="host", do="start")
        await ana.until(lambda view: view["phase"] == "round")
        sat.append(ana)
    await page.request(t="close", code=tables[3][0])
    program.kill()

    again = await club(tmp_path, programs)
    assert (again.port, again.key) == (program.port, program.key)
    assert again.ready["resting"] == 3
    page = await line.page(again)
    assert {row["code"] for row in page.rows} == {code for code, _, _ in tables[:3]}
    for (code, secret, _), before in zip(tables, sat, strict=False):
        ana = await line.guest(again.url, code, secret, key=before.key)
        assert ana.view["hand"] == before.view["hand"]
        assert ana.view["you"] == before.seat
    # What was at work is at work again by itself.
    await eventually(lambda: not any(row.get("resting") for row in page.rows))
    assert again.process.poll() is None


@pytest.mark.slow
async def test_sigterm_tells_the_phones_and_keeps_every_table(
    tmp_path: Path, line: Line, programs: list[Program]
) -> None:
    program = await club(tmp_path, programs)
    page = await line.page(program)
    code, secret, _ = await page.table()
    ana = await line.guest(program.url, code, secret)
    await ana.sit("Ana")
    program.process.terminate()
    assert (await ana.hear("notice"))["code"] == "resting"
    assert await asyncio.to_thread(program.process.wait, 10) == 0
    assert program.rest()[-1]["event"] == "closed"
    again = await club(tmp_path, programs)
    beto = await line.guest(again.url, code, secret)
    assert [seat["name"] for seat in beto.view["seats"]] == ["Ana"]


@pytest.mark.slow
def test_a_second_club_and_a_single_table_keep_out_of_a_clubs_journal(
    tmp_path: Path, programs: list[Program]
) -> None:
    journal = f"{tmp_path}/club.sqlite3"
    programs.append(ClubProgram(tmp_path, "--port", "0", "--journal", journal))
    for command in (["club"], []):
        run = subprocess.run(
            [sys.executable, "-m", "penultima", *command, "--lang", "en", "--port", "0",
             "--journal", f"{tmp_path}/club.sqlite3"],
            capture_output=True, text=True, timeout=30, check=False,
        )  # fmt: skip
        assert run.returncode == 1
        assert "a club uses" in run.stderr
        assert len(run.stderr.splitlines()) == 1


def test_a_key_file_that_is_none_is_named(tmp_path: Path) -> None:
    (tmp_path / "club.sqlite3.key").write_text("short")
    run = subprocess.run(
        [sys.executable, "-m", "penultima", "club", "--lang", "en",
         "--journal", f"{tmp_path}/club.sqlite3"],
        capture_output=True, text=True, timeout=30, check=False,
    )  # fmt: skip
    assert run.returncode == 1
    assert "club.sqlite3.key" in run.stderr
    assert len(run.stderr.splitlines()) == 1


@pytest.mark.parametrize(
    "arguments",
    [["--node", "1"], ["--node", "ab"], ["--max-tables", "0"], ["--idle", "soon"], ["--resume", "x"]],
)
def test_a_wrong_flag_is_named_in_one_line(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["club", *arguments]) == 2
    said = capsys.readouterr().err
    assert len(said.splitlines()) == 1
    assert arguments[0] in said


# -------------------------------------------------------------------------- inside the program


@pytest.fixture
async def journal(tmp_path: Path) -> AsyncIterator[SqliteJournal]:
    store = Store(tmp_path / "journal.sqlite3")
    made = SqliteJournal(store, 8765)
    yield made
    await made.close()
    store.close()


async def opened(tables: Tables) -> Invitation:
    invitation = Invitation.drawn()
    table = Table(
        invitation.code, invitation.secret, invitation.host_key, seed=bytes(32),
        now=asyncio.get_running_loop().time(),
    )  # fmt: skip
    await tables.open(table, invitation)
    return invitation


async def test_many_hellos_wake_a_table_once(journal: SqliteJournal) -> None:
    tables = Tables(journal, link=lambda invitation: f"link to {invitation.code}")
    invitation = await opened(tables)
    await tables.rest(invitation.code)
    assert len(tables) == 0
    assert tables.admits(invitation.code, invitation.secret)
    assert not tables.admits(invitation.code, "x" * 16)
    assert not tables.admits("zzzzzz", invitation.secret)
    woken = await asyncio.gather(*(tables.wake(invitation.code) for _ in range(20)))
    assert len(set(map(id, woken))) == 1
    assert woken[0].table.link == f"link to {invitation.code}"
    assert not tables.resting
    await tables.close()


async def test_a_table_that_is_being_laid_to_rest_can_be_woken(journal: SqliteJournal) -> None:
    tables = Tables(journal)
    invitation = await opened(tables)
    resting = asyncio.create_task(tables.rest(invitation.code))
    await asyncio.sleep(0)
    runner = await tables.wake(invitation.code)
    await resting
    assert tables.get(invitation.code) is runner
    assert runner.table.console()["seq"] == 2  # opened, restored
    await tables.close()


async def test_a_full_club_lays_the_loneliest_table_to_rest(
    journal: SqliteJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = Tables(journal, most=2)
    first, second = await opened(tables), await opened(tables)
    with pytest.raises(FullError):
        await opened(tables)
    monkeypatch.setattr(tables_module, "LONELY_SECONDS", 0.0)
    third = await opened(tables)
    assert list(tables.resting) == [first.code]
    assert {runner.code for runner in tables} == {second.code, third.code}
    await tables.close()


async def test_a_full_club_builds_no_table_up_for_nothing(
    journal: SqliteJournal, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = Tables(journal, most=1)
    first = await opened(tables)
    await tables.rest(first.code)
    second = await opened(tables)
    monkeypatch.setattr(journal, "read", lambda code: pytest.fail(f"{code} was read"))
    with pytest.raises(FullError):
        await tables.wake(first.code)
    assert tables.admits(first.code, first.secret), "it may be tried again"
    assert [runner.code for runner in tables] == [second.code]
    await tables.close()


async def test_as_many_as_may_are_at_work_however_many_come_at_once(journal: SqliteJournal) -> None:
    tables = Tables(journal, most=3)
    came = await asyncio.gather(*(opened(tables) for _ in range(10)), return_exceptions=True)
    assert len(tables) == 3
    assert sum(isinstance(each, FullError) for each in came) == 7
    await tables.close()


async def test_a_table_that_is_closed_while_it_wakes_stays_closed(journal: SqliteJournal) -> None:
    tables = Tables(journal)
    invitation = await opened(tables)
    await tables.rest(invitation.code)
    waking = asyncio.create_task(tables.wake(invitation.code))
    await asyncio.sleep(0)
    await tables.forget(invitation.code)
    await waking
    assert len(tables) == 0
    assert not tables.admits(invitation.code, invitation.secret)
    with pytest.raises(NoTableError):
        await tables.wake(invitation.code)
    assert [kept.ended for kept in journal._store.tables()] == [True]


@pytest.mark.parametrize("body", ["{}", "[1]", "null", '{"seq": 1, "now":', ""])
async def test_records_that_lead_nowhere_close_one_table_and_no_other(
    journal: SqliteJournal, tmp_path: Path, body: str
) -> None:
    tables = Tables(journal)
    good, bad = await opened(tables), await opened(tables)
    for each in (good, bad):
        await tables.rest(each.code)
    with sqlite3.connect(tmp_path / "journal.sqlite3") as db:
        db.execute("UPDATE records SET body = ? WHERE code = ?", (body, bad.code))
    db.close()
    with pytest.raises(NoTableError):
        await tables.wake(bad.code)
    assert (await tables.wake(good.code)).code == good.code
    assert not tables.admits(bad.code, bad.secret)
    await tables.close()


@pytest.mark.parametrize("at_rest", [False, True])
async def test_a_table_that_cannot_be_closed_now_can_be_closed_later(
    journal: SqliteJournal, monkeypatch: pytest.MonkeyPatch, at_rest: bool
) -> None:
    async def full(_code: str) -> None:
        raise JournalError("disk full")

    tables = Tables(journal)
    invitation = await opened(tables)
    if at_rest:
        await tables.rest(invitation.code)
    with monkeypatch.context() as patched:
        patched.setattr(journal, "end", full)
        with pytest.raises(JournalError):
            await tables.forget(invitation.code)
    assert tables.invitation(invitation.code) == invitation
    assert (await tables.wake(invitation.code)).code == invitation.code
    await tables.forget(invitation.code)
    assert tables.invitation(invitation.code) is None
    assert [kept.ended for kept in journal._store.tables()] == [True]


async def test_damaged_records_keep_no_other_table_of_a_club_away(
    tmp_path: Path, programs: list[Program], line: Line
) -> None:
    before = await club(tmp_path, programs)
    page = await line.page(before)
    tables = [await page.table() for _ in range(4)]
    before.close()
    with sqlite3.connect(tmp_path / "club.sqlite3") as db:
        for (code, _, _), seq, body in zip(tables, (1, 1, 2), ("{no", "[1]", "{no"), strict=False):
            db.execute("INSERT OR REPLACE INTO records VALUES (?, ?, NULL, NULL, ?)", (code, seq, body))
    db.close()
    after = await club(tmp_path, programs)
    code, secret, _ = tables.pop()
    await line.guest(after.url, code, secret)
    for bad, its_secret, _ in tables:
        phone = await line.phone(f"{after.url}/ws/{bad}")
        await phone.say(t="hello", v=1, secret=its_secret)
        assert (await phone.hear("refused"))["code"] == "bad_secret"
    assert await asyncio.to_thread(after.interrupt) == 0
    told = " ".join(event["text"] for event in after.rest() if event["event"] == "note")
    assert all(bad in told for bad, _, _ in tables[:2])
    assert "Traceback" not in after.errors.read_text()


async def test_a_table_that_cannot_be_kept_is_not_opened(tmp_path: Path) -> None:
    store = Store(tmp_path / "journal.sqlite3")
    journal = SqliteJournal(store)
    tables = Tables(journal)
    await journal.close()
    with pytest.raises(JournalError):
        await opened(tables)
    assert len(tables) == 0
    store.close()


async def test_what_nobody_is_at_rests_and_what_is_lived_in_does_not(
    journal: SqliteJournal,
) -> None:
    class Page:
        def deliver(self, kind: str, message: object, text: str) -> None: ...
        def farewell(self, code: str) -> None: ...
        def rest(self) -> None: ...

    tables = Tables(journal)
    lonely, lived = await opened(tables), await opened(tables)
    runner = tables.get(lived.code)
    assert runner is not None
    runner.join(Page(), {"t": "hello", "v": 1, "secret": lived.secret})
    await asyncio.sleep(0.02)
    await tables.rest_lonely(0.01)
    assert list(tables.resting) == [lonely.code]
    assert [each.code for each in tables] == [lived.code]
    await tables.close()
