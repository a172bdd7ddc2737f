"""The host program, its disk and its clock, phones with two paths, and everything that goes wrong.

Runner, session, outbox, table, bots and the records are the real ones; made up are the loop's time,
the channels under the session, and the disk. A run is its seed. `World(...).play()` runs one match.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any
from unittest import mock

from penultima import wire
from penultima.bots import bot
from penultima.host import offers
from penultima.host import runner as runner_module
from penultima.host import session as session_module
from penultima.host.channel import Channel, State
from penultima.host.journal import JournalError, Record
from penultima.host.offers import Offer
from penultima.host.runner import Runner
from penultima.host.session import Session
from penultima.host.surroundings import SWEEP_SECONDS, Surroundings
from penultima.host.tables import Tables
from penultima.table import Options, Table
from tests.simulation.history import History
from tests.simulation.loop import HostClock, Shim, VirtualLoop
from tests.simulation.tab import Tab
from tests.table.phone import NEVER
from tests.table.room import CODE, HOST_KEY, SECRET, entropy

NOTICED = (0.0, 8.0)
OPENING = 10.0
"""For so long either end waits for a data channel to open."""


@dataclass(frozen=True)
class Plan:
    """How bad it is. Of texts the chance for each; of the rest how often in a simulated minute."""

    loss: float = 0.06
    doubling: float = 0.06
    late: float = 0.06
    """Takes up to two seconds more: others overtake it."""
    stall: float = 0.004
    cut: float = 0.002
    freeze: float = 1.5
    second_tab: float = 1.0
    kill: float = 0.7
    rest: float = 0.15
    disk_full: float = 0.5
    jump: float = 0.5
    sleep: float = 0.4


CALM = Plan(*[0.0] * 12)


class SimChannel(Channel):
    """The host's end of a line."""

    def __init__(self, line: Line, kind: str, now: float) -> None:
        super().__init__(now)
        self.line = line
        self.kind = kind  # type: ignore[misc]
        self._state: State = "open"
        self.offer_id = None

    @property
    def state(self) -> State:
        return self._state

    @property
    def buffered(self) -> int:
        return 0

    def send(self, text: str) -> None:
        if self._state == "open":
            wire.check(json.loads(text))
            self.line.down(text)

    def close(self) -> None:
        if self._state == "open":
            self._state = "closed"
            self.line.host_gone(after=0.5)


class SimPeer(SimChannel):
    """The host's end of a data channel that is being negotiated. What is said for that goes the way
    of everything else, and is lost, doubled and late like it; between an answer that has arrived and
    an open channel are only connectivity checks, which repeat themselves until they are given up."""

    line: Line | None  # type: ignore[assignment]

    def __init__(self, host: Host) -> None:
        Channel.__init__(self, host.clock.time())
        self.host = host
        self.line = None
        self.kind = "datachannel"  # type: ignore[misc]
        self._state = "opening"
        self.offer_id: object = None
        self.on_open: Any = None
        self.candidates = 0
        host.clock.call_later(OPENING, lambda: self._state == "opening" and self.close())

    def prepare(self) -> None: ...

    async def answer(self, offer: Offer) -> str:
        await self.host.clock.sleep(self.host.world.rng.choice([0.0, 0.01, 0.5]))
        if self._state == "closed":
            raise ConnectionError("closed while answering")
        self.candidates += len(offer.candidates)
        self.host.peers.append(self)
        return str(len(self.host.peers) - 1)

    def candidate(self, text: str) -> None:
        self.candidates += offers.candidate(text) is not None

    def open(self, line: Line) -> None:
        self.line, self._state, self.heard = line, "open", self.host.clock.time()
        self.on_open()

    def close(self) -> None:
        if self.line is not None:
            super().close()
        elif self._state == "opening":
            self._state = "closed"
            self.on_close()


class Line:
    """One path between a page and a session of the host."""

    def __init__(self, world: World, tab: Tab, host: Host, channel: SimPeer | None = None) -> None:
        self.world, self.tab, self.host = world, tab, host
        self.channel = channel or SimChannel(self, "websocket", host.clock.time())
        self.session: Session | None = None
        self.open = True
        self._page_open = True
        self._noticed = False
        world.lines.append(self)

    def up(self, text: str) -> None:
        if self._page_open:
            self._carry(lambda: self.host.clock.do(lambda: self._arrive(text)))

    def down(self, text: str) -> None:
        self._carry(lambda: self._page_open and self.tab.hear(self, text))

    def _arrive(self, text: str) -> None:
        if self.channel.state == "open":
            self.channel.on_text(text)
            self.world.after_message()

    def _carry(self, deliver: Any) -> None:
        world, plan = self.world, self.world.plan
        chance = world.rng.random
        if not self.open:
            return
        if chance() < plan.cut:
            world.injected["cut"] += 1
            self.cut()
            return
        if chance() < plan.loss:
            world.injected["lost"] += 1
            return
        copies = 1
        if chance() < plan.doubling:
            world.injected["doubled"] += 1
            copies = 2
        for _ in range(copies):
            delay = world.rng.uniform(0.005, 0.08)
            if chance() < plan.late:
                world.injected["late"] += 1
                delay += world.rng.uniform(0.1, 2.0)
            elif chance() < plan.stall:
                world.injected["stalled"] += 1
                delay += world.rng.uniform(2.0, 7.0)
            world.loop.call_later(delay, lambda: self.open and deliver())

    def cut(self) -> None:
        """Nothing goes through any more; each end notices by itself, some time."""
        if self.open:
            self.open = False
            self.world.loop.call_later(self.world.rng.uniform(*NOTICED), self._page_notices)
            self.host.clock.call_later(self.world.rng.uniform(*NOTICED), self._host_notices)

    def _page_notices(self) -> None:
        if self._page_open:
            self._page_open = False
            self.tab.line_down(self)

    def _host_notices(self) -> None:
        if self._noticed or self.session is None:
            return
        self._noticed = True
        self.channel._state = "closed"
        self.session.lost(self.channel)
        if self.channel.kind == "websocket":
            self.session.abandon()
        if self in self.world.lines:
            self.world.lines.remove(self)

    def host_gone(self, after: float) -> None:
        """The host has closed: what it sent arrives, then the page notices."""

        def gone() -> None:
            self.open = False
            self._page_notices()

        self.world.loop.call_later(after, gone)
        self.host.clock.call_later(0.0, self._host_notices)

    def close_from_page(self) -> None:
        if self._page_open:
            self._page_open = False
            self.open = False
            self.host.clock.call_later(self.world.rng.uniform(0.0, 1.0), self._host_notices)


class Disk:
    """The journal: commits take time, fail, and may be the last thing that happens."""

    def __init__(self, world: World) -> None:
        self.world = world
        self.records: list[Record] = []
        self.full = False

    def land(self, records: Sequence[Record]) -> None:
        """All or none, and to the letter: as the unique keys of the store have it."""
        for record in json.loads(json.dumps(records)):
            at = record["seq"] - 1
            if at < len(self.records):
                assert self.records[at] == record, f"another record {at + 1} than there is"
            else:
                assert at == len(self.records), f"a gap before {at + 1}"
                self.records.append(record)


class HostJournal:
    """What one host process has of the disk."""

    def __init__(self, disk: Disk, host: Host) -> None:
        self.disk, self.host = disk, host

    async def commit(self, code: str, records: Sequence[Record]) -> None:
        world, disk, chance = self.disk.world, self.disk, self.disk.world.rng.random
        when = world.next_kill
        world.next_kill = ""
        if when == "before":
            await world.killed(when)
        await self.host.clock.sleep(world.rng.choice([0.0, 0.002, 0.03]))
        if disk.full:
            if chance() < 0.2:
                disk.land(records)  # it is there, but the disk did not say so
            raise JournalError("database or disk is full")
        if when == "during":
            if chance() < 0.5:
                disk.land(records)
            await world.killed(when)
        disk.land(records)
        if when == "after":
            await world.killed(when)

    async def close(self) -> None: ...


class SimSurroundings(Surroundings):
    host: Host

    async def load_rtc(self) -> Any:
        await self.host.clock.sleep(self.host.world.rng.choice([0.0, 0.3]))

    def data_channel(self) -> Any:
        return SimPeer(self.host)


class Host:
    """One run of the program."""

    def __init__(self, world: World, table: Table, offset: float) -> None:
        self.world = world
        self.clock = world.shim.clock = HostClock(world.loop)
        self.clock.offset = offset
        self.around = SimSurroundings(Tables())
        self.around.host = self
        self.peers: list[SimPeer] = []
        """By the number that stands for an answer's text."""
        self.runner = Runner(CODE, table, HostJournal(world.disk, self))
        self.around.tables.add(self.runner)
        self.runner._wake.set()
        self._sweep()

    def _sweep(self) -> None:
        self.around.sweep(self.clock.time())
        self.clock.call_later(SWEEP_SECONDS, self._sweep)


@dataclass(eq=False)
class Person:
    name: str
    tabs: list[Tab]
    key: str | None = None

    @property
    def tab(self) -> Tab:
        return self.tabs[-1]


class World:
    def __init__(
        self, seed: int, plan: Plan | None = None, *, rules: str = "classic target=200",
        people: int = 3, bots: int = 1,
    ) -> None:  # fmt: skip
        self.seed = seed
        self.rng = random.Random(f"simulation {seed}")
        self.plan = plan or Plan()
        self.rules = rules
        self.seats = people + bots
        self.injected: Counter[str] = Counter()
        self.closed: Counter[str] = Counter()
        """What followed: connections that the host ended, by code."""
        self.channels: Counter[str] = Counter()
        """Data channels, by what became of them."""
        self.loop = VirtualLoop()
        self.shim = Shim()
        self.entropy = entropy()
        self.history = History()
        self.disk = Disk(self)
        self.lines: list[Line] = []
        self.people: list[Person] = []
        self.host: Host | None = None
        self.next_kill = ""
        self._timers: dict[Tab, asyncio.TimerHandle] = {}
        for name in ["Ana", "Beto", "Carla", "Dora", "Eva"][:people]:
            person = Person(name, [])
            self.people.append(person)
            self.new_tab(person, self.rng.uniform(0.0, 1.0))

    @property
    def now(self) -> float:
        return self.loop.now

    # --- running

    def play(self, until: float = 15_000.0) -> World:
        """A whole match, then quiet, then the look back."""
        with _quiet() as errors:
            mocks = [
                mock.patch.object(module, "asyncio", self.shim)
                for module in (runner_module, session_module)
            ]
            with mocks[0], mocks[1]:
                try:
                    self.loop.run_until_complete(self._play(until))
                finally:
                    self._end()
        assert errors == [], f"seed {self.seed}: {errors[0]}"
        self.history.check(self.disk.records, self.people, f"seed {self.seed}")
        return self

    async def _play(self, until: float) -> None:
        end = self.now + until
        self._start_host(Table(
            CODE, SECRET, HOST_KEY, seed=self.rng.randbytes(32), now=self.now,
            options=Options(rules=self.rules, grace=0.3, fast=True), brain=bot, entropy=self.entropy,
        ))  # fmt: skip
        for tab in [person.tab for person in self.people]:
            self.wind(tab)
        troubles = asyncio.ensure_future(self._troubles())
        while self.people[0].tab.view.get("phase") != "over":
            assert self.now < end, f"seed {self.seed}: no end: {self.people[0].tab.view}"
            await asyncio.sleep(1.0)
            if troubles.done():
                troubles.result()
        troubles.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await troubles
        await self._settle()

    async def _settle(self) -> None:
        self.plan = CALM
        self.disk.full = False
        self.next_kill = ""
        while self.host is None or self.host.clock._asleep_at is not None:  # noqa: ASYNC110
            await asyncio.sleep(1.0)
        await asyncio.sleep(120.0)
        for person in self.people:
            for tab in person.tabs:
                tab.stopped = tab.stopped or tab is not person.tab
            person.tab.stopped = False
            self.wind(person.tab)
        await asyncio.sleep(60.0)
        assert self.host is not None

    def _end(self) -> None:
        if self.host is not None:
            self.host.clock.die()
        for task in asyncio.all_tasks(self.loop):
            task.cancel()
        self.loop.run_until_complete(asyncio.sleep(0))
        self.loop.close()

    # --- pages

    def new_tab(self, person: Person, after: float) -> Tab:
        host = person.name == "Ana"
        tab = Tab(
            person.name, random.Random(self.rng.random()), host, self.seats - 1,
            world=self, person=person,
        )  # fmt: skip
        tab.key = person.key
        tab.redials_at = self.now + after
        person.tabs.append(tab)
        return tab

    def wind(self, tab: Tab) -> None:
        timer = self._timers.pop(tab, None)
        if timer is not None:
            timer.cancel()
        due = tab.due()
        if due < NEVER:
            self._timers[tab] = self.loop.call_at(max(due, self.now + 1e-6), tab.run)

    def connect(self, tab: Tab) -> None:
        """The page opens its WebSocket."""
        host = self.host
        if host is None:
            tab.redials_at = self.now + self.rng.uniform(0.2, 2.0)
            return
        line = Line(self, tab, host)
        tab.begin(line)

        def accepted() -> None:
            if host.clock.dead or not line.open:
                return
            self.shim.clock = host.clock
            session = Session(host.around, CODE, f"10.0.0.{len(tab.name)}")
            line.session = session
            session.attach(line.channel)

        host.clock.do(accepted)

    def reach(self, tab: Tab, offer_id: str, answer: str) -> None:
        """The page has the answer: its checks go out until they get through."""
        socket, until = tab.socket, self.now + OPENING
        if socket is None:
            return
        peer = socket.host.peers[int(answer)]
        if self.rng.random() < 0.15:
            return  # there is no way

        def check() -> None:
            session = socket.session
            gone = session is None or tab.offer_id != offer_id or tab.socket is not socket
            if gone or tab.frozen or peer.state != "opening" or self.now > until:
                return
            if not peer.candidates:
                again()
                return
            line = Line(self, tab, socket.host, peer)
            line.session = session
            tab.channel_open(line)
            peer.open(line)

        def again() -> None:
            self.loop.call_later(self.rng.uniform(0.05, 0.6), lambda: socket.host.clock.do(check))

        again()

    # --- the host

    def _start_host(self, table: Table) -> None:
        offset = self.rng.choice([0.0, 0.0, -500.0, 12_345.6])
        table.link = "http://192.168.1.5:8770/#k7m2pq.abcdefghjkmnpqrs"
        self.host = Host(self, table, offset)
        self.shim.clock = self.host.clock

    def after_message(self) -> None:
        """The host has just heard something: would this be the moment to die?"""
        if self.next_kill == "message":
            self.next_kill = ""
            self._kill()

    async def killed(self, when: str) -> None:
        """The process of the caller is no more."""
        self.injected[f"killed {when} a commit"] += 1
        self._kill(counted=True)
        await asyncio.get_running_loop().create_future()

    def _kill(self, *, counted: bool = False) -> None:
        host = self.host
        if host is None:
            return
        if not counted:
            self.injected["killed on a message"] += 1
        self.host = None
        host.clock.die()
        host.runner._task.cancel()
        for line in list(self.lines):
            if line.host is host:
                line.open = False
                self.loop.call_later(self.rng.uniform(*NOTICED), line._page_notices)
                self.lines.remove(line)
        self.loop.call_later(self.rng.uniform(0.1, 12.0), self._again)

    def _again(self) -> None:
        """The program is started again, and finds what was not finished."""
        now = self.now + self.rng.choice([0.0, 5.0])
        self._start_host(Table.restore(self.disk.records, now, brain=bot, entropy=self.entropy))

    # --- everything that goes wrong beside the lines

    async def _troubles(self) -> None:
        while True:
            await asyncio.sleep(1.0)
            for name in ("freeze", "second_tab", "kill", "rest", "disk_full", "jump", "sleep"):
                if self.rng.random() < getattr(self.plan, name) / 60:
                    await getattr(self, f"_{name}_now")()

    async def _freeze_now(self) -> None:
        """A phone is in a pocket: nothing of it runs, nothing is noticed."""
        tab = self.rng.choice(self.people).tab
        if tab.frozen:
            return
        self.injected["frozen"] += 1
        tab.freeze()
        seconds = self.rng.choice([2.0, 6.0, 20.0, 90.0])
        self.loop.call_later(seconds, tab.thaw)

    async def _second_tab_now(self) -> None:
        """The same person opens the link once more, or goes back to the older page."""
        person = self.rng.choice(self.people)
        if person.key is None:
            return
        older = [tab for tab in person.tabs if tab.stopped and not tab.frozen]
        if older and self.rng.random() < 0.5:
            self.injected["back to the older tab"] += 1
            tab = self.rng.choice(older)
            person.tabs.remove(tab)
            person.tabs.append(tab)
            tab.stopped = False
            tab.redials_at = self.now
        else:
            self.injected["second tab"] += 1
            tab = self.new_tab(person, 0.1)
        self.wind(tab)

    async def _kill_now(self) -> None:
        self.next_kill = self.rng.choice(["message", "before", "during", "after"])

    async def _rest_now(self) -> None:
        """Ctrl-C, and started again."""
        host = self.host
        if host is None or host.clock._asleep_at is not None or self.disk.full:
            return
        self.injected["stopped and started"] += 1
        self.next_kill = ""
        self.host = None
        await host.runner.close(resting=True)
        host.clock.die()
        self.loop.call_later(self.rng.uniform(1.0, 20.0), self._again)

    async def _disk_full_now(self) -> None:
        if self.disk.full or (self.host and self.host.clock._asleep_at is not None):
            return
        self.injected["disk full"] += 1
        self.disk.full = True

        def room() -> None:
            self.disk.full = False

        self.loop.call_later(self.rng.choice([0.5, 5.0, 60.0]), room)

    async def _jump_now(self) -> None:
        if self.host is not None:
            self.injected["clock jumped"] += 1
            self.host.clock.offset += self.rng.choice([-3600.0, -10.0, 4.0, 30.0, 86_400.0])

    async def _sleep_now(self) -> None:
        if self.host is not None and not self.disk.full:
            self.injected["host asleep"] += 1
            seconds = self.rng.choice([1.0, 7.0, 40.0, 700.0])
            self.host.clock.fall_asleep(seconds, counted=self.rng.random() < 0.5)


RULES = ("classic", "party", "icebreaker", "classic stacking=same", "classic teams=pairs")


def variation(seed: int) -> World:
    """A table of some size, with some rules, from the seed alone."""
    rng = random.Random(f"variation {seed}")
    rules = rng.choice(RULES)
    people, bots = rng.choice([(2, 0), (2, 1), (3, 0), (3, 1), (4, 2), (5, 0)])
    if "pairs" in rules:
        people, bots = 4, 0
    return World(seed, rules=f"{rules} target={rng.choice([50, 200])}", people=people, bots=bots)


@contextlib.contextmanager
def _quiet() -> Iterator[list[str]]:
    """What the host logs as an error is one."""
    errors: list[str] = []

    class Handler(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            errors.append(logging.Formatter().format(record))

    handler = Handler(logging.ERROR)
    logger = logging.getLogger("penultima")
    logger.addHandler(handler)
    before, logger.propagate = logger.propagate, False
    try:
        yield errors
    finally:
        logger.removeHandler(handler)
        logger.propagate = before
