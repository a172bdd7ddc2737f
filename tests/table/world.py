"""The simulated world: a table, phones, faulty lines and a clock, all from one seed.

The host may be killed at any message, before what it decided was written or after; it then comes
back from its journal, and the phones find it by themselves.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from penultima import wire
from penultima.bots import bot
from penultima.table import Options, Table, views
from penultima.table.loopback import NONE, Faults, Loopback
from tests.table.phone import NEVER, Phone
from tests.table.room import CODE, HOST_KEY, SECRET, entropy

NOTICED = (0.0, 8.0)
"""How long it takes an end to notice that a line was cut."""


@dataclass(eq=False)
class Line:
    phone: Phone
    link: Loopback
    conn: int | None
    page_notices: float = NEVER
    table_notices: float = NEVER


@dataclass
class World:
    seed: int
    faults: Faults
    rules: str = "classic target=50"
    guests: int = 2
    bots: int = 1
    crash: float = 0.0
    """The chance that the host is killed at a message."""
    now: float = 0.0
    lines: list[Line] = field(default_factory=list)
    journal: list[dict[str, Any]] = field(default_factory=list)
    injected: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.rng = random.Random(self.seed)
        self.entropy = entropy()
        self.table = Table(
            CODE,
            SECRET,
            HOST_KEY,
            seed=self.rng.randbytes(32),
            now=self.now,
            options=Options(rules=self.rules, grace=0.3),
            brain=bot,
            entropy=self.entropy,
        )
        names = ["Ana", "Beto", "Carla", "Dora", "Eva"][: self.guests + 1]
        self.phones = [
            Phone(name, random.Random(self.rng.random()), name == "Ana", self.guests + self.bots)
            for name in names
        ]
        for phone in self.phones:
            phone.redials_at = self.rng.uniform(0.0, 1.0)
        self.calm = False

    # --- running

    def run(self, until: float) -> None:
        """To the end of the match, or to that time."""
        bots = 0
        while self.now < until:
            host = self.phones[0]
            if bots < self.bots and host.seated and host.welcomed and not host.pending:
                host._ask(self.now, t="host", do="add_bot", value="normal")
                bots += 1
            if host.view.get("phase") == "over":
                return
            self.step()
        raise AssertionError(f"seed {self.seed}: no end by {until:.0f} s: {self.table.console()}")

    def settle(self, seconds: float = 60.0) -> None:
        """No more faults; long enough for everybody to find back."""
        self.calm = True
        for line in self.lines:
            line.link.to_table._faults = line.link.to_page._faults = NONE
        end = self.now + seconds
        while self.now < end:
            self.step()

    def step(self) -> None:
        """On to the next thing that happens."""
        times = [phone.due() for phone in self.phones]
        times += [min(line.page_notices, line.table_notices) for line in self.lines]
        times += [due for line in self.lines if (due := line.link.due()) is not None]
        deadline = self.table.deadline()
        if deadline is not None:
            times.append(deadline)
        self.now = max(self.now, min(times))
        if deadline is not None and deadline <= self.now:
            self.table.tick(self.now)
            self._drain()
        for line in list(self.lines):
            self._carry(line)
        for phone in self.phones:
            if phone.link is None and self.now >= phone.redials_at:
                self._dial(phone)
            elif phone.due() <= self.now:
                phone.tick(self.now)

    def _dial(self, phone: Phone) -> None:
        faults = NONE if self.calm else self.faults
        link = Loopback(faults, random.Random(self.rng.random()))
        self.lines.append(Line(phone, link, self.table.connect(self.now)))
        self._drain()
        phone.dial(link, self.now)

    def _carry(self, line: Line) -> None:
        link = line.link
        if link.is_cut:
            if line.table_notices == NEVER and line.page_notices == NEVER:
                self.injected["cut"] += 1
                line.table_notices = self.now + self.rng.uniform(*NOTICED)
                line.page_notices = self.now + self.rng.uniform(*NOTICED)
            if self.now >= line.page_notices:
                line.page_notices = NEVER
                if line.phone.link is link:
                    line.phone.lose(self.now)
            if self.now >= line.table_notices:
                if line.conn is not None:
                    self.table.disconnect(line.conn, self.now)
                    self._drain()
                self.injected["texts"] += link.injected
                self.lines.remove(line)
                if line.phone.link is link:
                    line.phone.lose(self.now)
            return
        for text in link.to_table.receive(self.now):
            self._take(line, text)
        for text in link.to_page.receive(self.now):
            if line.phone.link is link:
                line.phone.receive(text, self.now)

    def _take(self, line: Line, text: str) -> None:
        if line.conn is None:
            return
        self.table.receive(line.conn, wire.parse(text), self.now)
        if not self.calm and self.rng.random() < self.crash:
            self._kill(written=self.rng.random() < 0.5)
        else:
            self._drain()

    def _drain(self) -> None:
        self.journal += json.loads(json.dumps(self.table.journal()))
        by_conn = {line.conn: line for line in self.lines}
        for conn, message in self.table.outbox():
            line = by_conn.get(conn)
            if line is not None:
                line.link.to_page.send(json.dumps(wire.check(message)), self.now)
                if message["t"] == "closed":
                    line.conn = None

    def _kill(self, *, written: bool) -> None:
        """The host dies: before what it has decided is in the journal, or before it is sent."""
        self.injected["killed"] += 1
        if written:
            self.journal += json.loads(json.dumps(self.table.journal()))
        for line in self.lines:
            line.link.cut()
            line.conn = None
        self.table = Table.restore(self.journal, self.now, brain=bot, entropy=self.entropy)
        self._drain()

    # --- looking back

    def check(self) -> None:
        """Everything that must be true, whatever happened."""
        say = f"seed {self.seed}"
        assert self.table.faults == [], say
        seqs = [record["seq"] for record in self.journal]
        assert seqs == list(range(1, self.table.seq + 1)), say
        by_seq = {record["seq"]: record for record in self.journal}
        asked = [(record["who"], record["n"]) for record in self.journal if "who" in record]
        assert len(asked) == len(set(asked)), f"{say}: done twice"
        owners = self._owners()
        done = {(owners[r["who"]], r["n"], r.get("a")) for r in self.journal if "who" in r}
        for phone in self.phones:
            for code, request in phone.refused:
                asked_for = (phone.name, request["n"], request.get("a"))
                assert asked_for not in done, f"{say}: done and refused ({code}), {asked_for}"
            acknowledged = [seq for seq, _ in phone.acknowledged]
            assert len(acknowledged) == len(set(acknowledged)), f"{say}: {phone.name}"
            for seq, request in phone.acknowledged:
                record = by_seq[seq]
                assert record["n"] == request["n"], f"{say}: {phone.name}, {request}"
                if request["t"] == "act":
                    assert (record["kind"], record["a"]) == ("act", request["a"]), say
            expected = self._view_of(phone)
            assert phone.seq == self.table.seq, f"{say}: {phone.name}"
            assert phone.view == expected, f"{say}: {phone.name}"
        again = Table.restore(self.journal, 0.0, brain=bot, entropy=entropy())
        assert again.journal()[0]["digest"] == self.table.digest(), say

    def _owners(self) -> dict[int, str]:
        """Whose session each is."""
        owners: dict[int, str] = {}
        sits: dict[int, str] = {}
        for record in self.journal:
            if record["kind"] == "sit":
                sits[record["seat"]] = owners[record["session"]] = record["name"]
            elif record["kind"] == "rekey":
                owners[record["session"]] = sits[record["seat"]]
        return owners

    def _view_of(self, phone: Phone) -> dict[str, Any]:
        ledger = self.table._ledger
        number = next(i for i, seat in enumerate(ledger.seats) if seat and seat.name == phone.name)
        shared = views.common(ledger, self.table._clock.now)
        return json.loads(json.dumps(views.for_seat(ledger, shared, number)))
