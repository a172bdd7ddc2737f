"""One task a table: the order of things, and what one table's trouble does to another."""

import asyncio
import time
from collections.abc import Sequence
from typing import Any

import pytest

from penultima.host.journal import JournalError, Record
from penultima.host.limits import Bucket, Doorkeeper, network
from penultima.host.outbox import ANSWERS, Outbox
from penultima.host.runner import Runner
from penultima.host.tables import Tables
from penultima.host.thinking import Thinking


class FakeTable:
    """Answers everything with a view, and writes down what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.conn = 0
        self.seq = 0
        self.due: float | None = None
        self.thoughts = 0
        self.thought_out = asyncio.Event()
        self._records: list[Record] = []
        self._out: list[tuple[int, dict[str, Any]]] = []

    def connect(self, now: float) -> int:
        self.conn += 1
        return self.conn

    def receive(self, conn: int, message: dict[str, Any], now: float) -> None:
        self.asked.append(message["t"])
        if message["t"] == "break":
            raise RuntimeError("broken")
        self.seq += 1
        self._records.append({"seq": self.seq})
        self._out.append((conn, {"t": "view", "seq": self.seq}))

    def alive(self, conn: int, now: float) -> bool:
        self.asked.append("alive")
        return False

    def disconnect(self, conn: int, now: float) -> None:
        self.asked.append("disconnect")

    def tick(self, now: float) -> None:
        self.asked.append("tick")
        self.due = None

    def hold(self, reason: str, now: float) -> None:
        self.asked.append(f"hold {reason}")

    def release(self, reason: str, now: float) -> None:
        self.asked.append(f"release {reason}")

    def deadline(self) -> float | None:
        return self.due

    def think(self) -> bool:
        """Has so much to think about: each slice takes a millisecond."""
        if not self.thoughts:
            self.thought_out.set()
            return False
        self.thoughts -= 1
        time.sleep(0.001)
        return True

    def journal(self) -> list[Record]:
        records, self._records = self._records, []
        return records

    def outbox(self) -> list[tuple[int, dict[str, Any]]]:
        out, self._out = self._out, []
        return out

    def may_offer(self, conn: int) -> bool:
        return True

    def close(self, now: float) -> None:
        self._out += [(conn, {"t": "closed", "code": "table_closed"}) for conn in (1, 2, 3)]

    def console(self) -> dict[str, Any]:
        return {}


class FakePage:
    def __init__(self, log: list[str]) -> None:
        self.log = log

    def deliver(self, kind: str, message: dict[str, Any], text: str) -> None:
        self.log.append(f"sent {message.get('seq', message.get('code'))}")

    def farewell(self, code: str) -> None:
        self.log.append(f"farewell {code}")

    def rest(self) -> None:
        self.log.append("rest")


class FakeJournal:
    def __init__(self, log: list[str]) -> None:
        self.log = log
        self.full = False
        self.slow: asyncio.Event | None = None

    async def commit(self, code: str, records: Sequence[Record]) -> None:
        if self.slow is not None:
            await self.slow.wait()
        if self.full:
            self.log.append("full")
            raise JournalError("disk full")
        self.log.append("committed " + ",".join(str(record["seq"]) for record in records))

    async def close(self) -> None: ...


async def breathe() -> None:
    for _ in range(5):
        await asyncio.sleep(0)


async def test_commit_then_show() -> None:
    log: list[str] = []
    runner = Runner("aaaaaa", FakeTable(), FakeJournal(log))
    runner.join(FakePage(log), {"t": "hello"})
    await breathe()
    assert log == ["committed 1", "sent 1"]
    await runner.close()


async def test_what_waits_for_the_disk_is_committed_together() -> None:
    log: list[str] = []
    journal = FakeJournal(log)
    journal.slow = asyncio.Event()
    runner = Runner("aaaaaa", FakeTable(), journal)
    page = FakePage(log)
    runner.join(page, {"t": "hello"})
    await breathe()
    for _ in range(3):
        runner.receive(page, {"t": "act"})
    await breathe()
    assert log == []
    journal.slow.set()
    await breathe()
    assert log == ["committed 1", "sent 1", "committed 2,3,4", "sent 2", "sent 3", "sent 4"]
    await runner.close()


async def test_a_table_where_very_much_arrives_leaves_time_to_the_others() -> None:
    flooded, quiet, log = FakeTable(), FakeTable(), list[str]()
    runners = Runner("aaaaaa", flooded, FakeJournal([])), Runner("bbbbbb", quiet, FakeJournal(log))
    page, other = FakePage([]), FakePage(log)
    for runner, each in zip(runners, (page, other), strict=True):
        runner.join(each, {"t": "hello"})
    await breathe()
    flooded.due = asyncio.get_running_loop().time()
    for n in range(500):
        runners[0].receive(page, {"t": f"{n}"})
    runners[1].receive(other, {"t": "act"})
    await breathe()
    assert log == ["committed 1", "sent 1", "committed 2", "sent 2"]
    assert len(flooded.asked) < 100
    async with asyncio.timeout(5):
        while flooded.asked[-1] != "tick":  # noqa: ASYNC110
            await asyncio.sleep(0)
    assert flooded.asked == ["hello", *map(str, range(500)), "tick"], "in order, the clock last"
    for runner in runners:
        await runner.close()


async def test_a_full_disk_shows_nothing_and_is_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("penultima.host.runner.RETRY_SECONDS", 0.01)
    log: list[str] = []
    journal = FakeJournal(log)
    journal.full = True
    table = FakeTable()
    runner = Runner("aaaaaa", table, journal)
    told: list[bool] = []
    runner.on_trouble = told.append
    page = FakePage(log)
    runner.join(page, {"t": "hello"})
    await asyncio.sleep(0.05)
    assert set(log) == {"full", "sent disk"}
    assert log.count("sent disk") == 1
    assert table.asked == ["hello", "hold disk"]
    assert told == [True]
    runner.receive(page, {"t": "act"})
    await asyncio.sleep(0.05)
    assert set(log) == {"full", "sent disk"}, "what was decided meanwhile is not shown either"
    journal.full = False
    await asyncio.sleep(0.05)
    # Of the views that waited the newest is sent.
    assert log[-2:] == ["committed 1,2", "sent 2"]
    assert table.asked == ["hello", "hold disk", "act", "release disk"]
    assert told == [True, False]
    await runner.close()


async def test_a_table_that_rests_tells_its_pages_and_keeps_what_was_decided() -> None:
    log: list[str] = []
    runner = Runner("aaaaaa", FakeTable(), FakeJournal(log))
    page = FakePage(log)
    runner.join(page, {"t": "hello"})
    await breathe()
    runner.table.receive(1, {"t": "act"}, 0.0)
    await runner.close(resting=True)
    assert log == ["committed 1", "sent 1", "committed 2", "sent 2", "rest"]


async def test_what_breaks_on_one_message_goes_on_with_the_next(
    caplog: pytest.LogCaptureFixture,
) -> None:
    log: list[str] = []
    runner, other = (Runner(code, FakeTable(), FakeJournal(log)) for code in ("aaaaaa", "bbbbbb"))
    page = FakePage(log)
    runner.join(page, {"t": "hello"})
    runner.receive(page, {"t": "break"})
    runner.receive(page, {"t": "act"})
    other.join(FakePage(log), {"t": "hello"})
    await breathe()
    assert log == ["committed 1,2", "sent 1", "sent 2", "committed 1", "sent 1"]
    assert "table aaaaaa, on break" in caplog.text
    await runner.close()
    await other.close()


async def test_the_clock_rings_when_the_table_asks_for_it() -> None:
    table = FakeTable()
    log: list[str] = []
    runner = Runner("aaaaaa", table, FakeJournal(log))
    table.due = asyncio.get_running_loop().time() + 0.03
    runner.join(FakePage(log), {"t": "hello"})
    await asyncio.sleep(0.01)
    assert "tick" not in table.asked
    await asyncio.sleep(0.05)
    assert table.asked.count("tick") == 1
    await runner.close()


async def test_a_table_that_is_never_content_leaves_time_to_the_others() -> None:
    class Restless(FakeTable):
        def tick(self, now: float) -> None:
            self.asked.append("tick")

    table = Restless()
    table.due = 0.0
    runner = Runner("aaaaaa", table, FakeJournal([]))
    runner.join(FakePage([]), {"t": "hello"})
    await asyncio.sleep(0.1)
    assert 3 < table.asked.count("tick") < 20
    await runner.close()


async def test_a_table_thinks_when_something_has_happened_there() -> None:
    table = FakeTable()
    runner = Runner("aaaaaa", table, FakeJournal([]), Thinking())
    table.thoughts = 20
    await asyncio.sleep(0.02)
    assert table.thoughts == 20, "nothing has happened yet"
    runner.join(FakePage([]), {"t": "hello"})
    async with asyncio.timeout(5):
        await table.thought_out.wait()
    await runner.close()


async def test_what_is_thought_about_in_vain_is_given_up_with_the_table() -> None:
    table = FakeTable()
    table.thoughts = 10_000_000
    runner = Runner("aaaaaa", table, FakeJournal([]), Thinking())
    runner.join(FakePage([]), {"t": "hello"})
    await asyncio.sleep(0.02)
    await runner.close()
    left = table.thoughts
    await asyncio.sleep(0.05)
    assert table.thoughts == left


async def test_fifty_tables_that_think_take_turns_and_leave_time_to_the_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By a clock of its own, so that it says nothing about the machine."""
    now = 0.0
    rests: list[float] = []

    class Pensive:
        thought = 0

        def think(self) -> bool:
            nonlocal now
            now += 0.001
            self.thought += 1
            return True

    tables = [Pensive() for _ in range(50)]
    thinking = Thinking(share=0.25, clock=lambda: now)
    for each in tables:
        thinking.wanted(each)
        thinking.wanted(each)
    monkeypatch.setattr(asyncio.get_running_loop(), "call_later", lambda delay, _: rests.append(delay))
    for _ in range(100):
        before = now
        thinking._slice()
        # Not longer than two slices or three at a time, and three times as long for all others.
        assert now - before < 0.0031
        assert rests[-1] == pytest.approx(3 * (now - before))
    counts = [each.thought for each in tables]
    assert min(counts) >= 1
    assert max(counts) - min(counts) <= 1
    for each in tables:
        thinking.forget(each)
    thinking._slice()
    assert len(rests) == 100


async def test_a_thought_that_breaks_does_not_stop_the_others(
    caplog: pytest.LogCaptureFixture,
) -> None:
    class Broken:
        def think(self) -> bool:
            raise RuntimeError("broken")

    table = FakeTable()
    table.thoughts = 3
    thinking = Thinking()
    thinking.wanted(Broken())
    thinking.wanted(table)
    async with asyncio.timeout(5):
        await table.thought_out.wait()
    assert "broken" in caplog.text
    caplog.clear()


async def test_closing_tells_the_pages() -> None:
    log: list[str] = []
    tables = Tables()
    runner = Runner("aaaaaa", FakeTable(), FakeJournal(log))
    tables.add(runner)
    assert tables.get("aaaaaa") is runner
    runner.join(FakePage(log), {"t": "hello"})
    await breathe()
    await tables.close()
    assert log[-1] == "sent table_closed"
    assert len(tables) == 0


async def test_a_page_that_left_hears_nothing_more() -> None:
    log: list[str] = []
    table = FakeTable()
    runner = Runner("aaaaaa", table, FakeJournal(log))
    page = FakePage(log)
    runner.join(page, {"t": "hello"})
    runner.leave(page)
    runner.receive(page, {"t": "act"})
    await breathe()
    assert table.asked == ["hello", "disconnect"]
    assert log == ["committed 1"]
    await runner.close()


# ------------------------------------------------------------------------------- outbox


def test_only_the_newest_view_waits() -> None:
    outbox = Outbox()
    for number in range(1000):
        outbox.put(f"view {number}", view=True)
        outbox.put(f"done {number}")
    texts = [outbox.pop() for _ in range(len(outbox))]
    assert texts[-2:] == ["view 999", "done 999"]
    assert sum(text.startswith("view") for text in texts) == 1
    assert len(texts) == ANSWERS + 1
    assert not outbox


def test_the_newest_view_can_be_sent_again() -> None:
    outbox = Outbox()
    outbox.again()
    assert not outbox
    outbox.put("view 1", view=True)
    assert outbox.pop() == "view 1"
    outbox.again()
    outbox.again()
    assert [outbox.pop() for _ in range(len(outbox))] == ["view 1"]


# ------------------------------------------------------------------------------- limits


def test_a_bucket_gives_its_burst_and_then_its_rate() -> None:
    bucket = Bucket(10, 20, 0.0)
    assert [bucket.take(0.0) for _ in range(21)] == [True] * 20 + [False]
    assert not bucket.take(0.05)
    assert bucket.take(0.1)
    assert [bucket.take(100.0) for _ in range(21)] == [True] * 20 + [False]


def test_a_bucket_on_credit_says_how_long() -> None:
    bucket = Bucket(5, 5, 0.0)
    waits = [bucket.reserve(0.0) for _ in range(7)]
    assert waits == pytest.approx([0, 0, 0, 0, 0, 0.2, 0.4])


def test_a_clock_that_goes_back_gives_nothing() -> None:
    bucket = Bucket(10, 1, 100.0)
    assert bucket.take(100.0)
    assert not bucket.take(50.0)


def test_the_doorkeeper_forgets_who_is_gone() -> None:
    door = Doorkeeper()
    for number in range(5000):
        address = f"10.{number // 250}.{number % 250}.1"
        assert door.enter(address, 0.0)
        door.gone(address, 0.0)
        assert door.member(f"a{number:05}", 0.0) == 0
        door.seated_or_gone(f"a{number:05}", 3600.0)
    assert not door.doors
    assert door.stranger("10.0.0.1", 0.0) == 0
    assert door.doors


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("192.168.1.5", "192.168.1.5"),
        ("::ffff:192.168.1.5", "192.168.1.5"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("?", "?"),
    ],
)
def test_one_sender_is_one_address(address: str, expected: str) -> None:
    assert network(address) == expected
