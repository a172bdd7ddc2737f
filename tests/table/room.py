"""A table with people at it, for tests that are sentences: no faults, a clock that is set by hand.

Every message of the table is checked against the protocol's models on its way, every answer is
kept, and the journal is written down.
"""

from __future__ import annotations

import itertools
import json
from typing import Any

from penultima import wire
from penultima.engine.cards import card
from penultima.engine.match import Match
from penultima.engine.position import Pending, Position
from penultima.engine.rules import Rules
from penultima.table import Options, Table

CODE, SECRET, HOST_KEY = "k7m2pq", "abcdefghjkmnpqrs", "abcdefghjkmnpqrstuvwxyz2"


def entropy():
    """Different every time, the same in every run."""
    counter = itertools.count(1)
    return lambda size: next(counter).to_bytes(4, "big") * (size // 4)


class Guest:
    """A page, with the person before it."""

    def __init__(self, room: Room, name: str, **hello: Any) -> None:
        self.room = room
        self.name = name
        self.got: list[dict[str, Any]] = []
        self.n = 0
        self.key: str | None = None
        self.view: dict[str, Any] = {}
        self.seq = -1
        self.hello = hello
        self.dial()

    def dial(self, **more: Any) -> None:
        """A fresh connection, and hello."""
        self.conn = self.room.table.connect(self.room.now)
        self.room.guests[self.conn] = self
        self.send({"t": "hello", "v": 1, "secret": SECRET, **self.hello, **more})

    def send(self, message: Any) -> list[dict[str, Any]]:
        """Send, and what came back at once."""
        before = len(self.got)
        self.room.table.receive(self.conn, message, self.room.now)
        self.room.drain()
        return self.got[before:]

    def ask(self, t: str, **fields: Any) -> dict[str, Any] | None:
        """A numbered request, and its answer."""
        self.n += 1
        answers = self.send({"t": t, "n": self.n, **fields})
        return next((each for each in answers if each.get("n") == self.n), None)

    def must(self, t: str, **fields: Any) -> dict[str, Any]:
        answer = self.ask(t, **fields)
        assert answer is not None
        assert answer["t"] in ("done", "seated"), answer
        return answer

    def code(self, t: str, **fields: Any) -> str | None:
        """The code with which that is refused, or ``None``."""
        answer = self.ask(t, **fields)
        assert answer is not None
        return answer.get("code")

    def sit(self) -> Guest:
        self.must("sit", name=self.name)
        return self

    def act(self, action: str, seq: int | None = None) -> str | None:
        """Ask for an action of the game; the code it is refused with, or ``None``."""
        return self.code("act", a=action, seq=self.seq if seq is None else seq)

    def do(self, deed: str, **fields: Any) -> str | None:
        """Ask for one of the host's powers; the code it is refused with, or ``None``."""
        return self.code("host", do=deed, **fields)

    def vanish(self) -> None:
        """The line is cut, and the table notices."""
        self.room.guests.pop(self.conn, None)
        self.room.table.disconnect(self.conn, self.room.now)
        self.room.drain()

    def come_back(self) -> None:
        self.dial(key=self.key)

    @property
    def seat(self) -> int:
        return self.view["you"]

    @property
    def me(self) -> dict[str, Any]:
        return self.view["seats"][self.seat]

    def take(self, message: dict[str, Any]) -> None:
        self.got.append(message)
        if message["t"] == "welcome":
            self.n = max(self.n, message["n"])
        elif message["t"] == "seated":
            self.key = message["key"]
        elif message["t"] == "view" and message["seq"] >= self.seq:
            self.view, self.seq = message["v"], message["seq"]

    def last(self, t: str) -> dict[str, Any]:
        return next(each for each in reversed(self.got) if each["t"] == t)

    def events(self) -> list[dict[str, Any]]:
        """Everything that this page was ever told to have happened."""
        return [event for each in self.got if each["t"] == "view" for event in each["e"]]

    def kinds(self) -> list[str]:
        return [event["e"] for event in self.events()]


class Room:
    """A table, its guests, its clock and its journal."""

    def __init__(self, *, seed: bytes = b"\7" * 32, brain: Any = None, **options: Any) -> None:
        self.now = 1000.0
        self.guests: dict[int, Guest] = {}
        self.records: list[dict[str, Any]] = []
        self.brain = brain
        self.table = Table(
            CODE,
            SECRET,
            HOST_KEY,
            seed=seed,
            now=self.now,
            title="La mesa",
            options=Options(**options),
            brain=brain,
            entropy=entropy(),
        )
        self.table.link = "http://192.168.1.5:8770/#k7m2pq.abcdefghjkmnpqrs"
        self.drain()

    def drain(self) -> None:
        # Through JSON both ways: what is not plain shows.
        self.records += json.loads(json.dumps(self.table.journal()))
        for conn, message in self.table.outbox():
            text = json.dumps(wire.check(message))
            guest = self.guests.get(conn)
            if guest is not None:
                guest.take(json.loads(text))

    def pass_time(self, seconds: float) -> None:
        """Time goes by, and the table is called when it asked to be."""
        end = self.now + seconds
        while True:
            due = self.table.deadline()
            if due is None or due > end:
                break
            self.now = max(due, self.now)
            self.table.tick(self.now)
            self.drain()
        self.now = end
        self.table.tick(self.now)
        self.drain()

    def host(self, name: str = "Ana") -> Guest:
        return Guest(self, name, host=HOST_KEY).sit()

    def guest(self, name: str) -> Guest:
        return Guest(self, name).sit()

    @property
    def match(self) -> Match:
        match = self.table._ledger.match
        assert match is not None
        return match

    def put(
        self,
        *hands: str,
        top: str = "b5",
        turn: int = 0,
        draw: str = "g1 g3 g4 y8 r9 r8 y6 y5",
        rules: str = "classic",
        pending: Pending | None = None,
    ) -> None:
        """Everybody who sits holds these cards, whatever was dealt before."""
        position = Position(
            rules=Rules.parse(rules),
            hands=tuple(tuple(map(card, hand.split())) for hand in hands),
            discard=(card(top),),
            colour=top[0],
            pile=tuple(map(card, draw.split())),
            turn=turn,
            dealer=len(hands) - 1,
            pending=pending,
        )
        ledger = self.table._ledger
        if ledger.match is None:
            self.table.commit("start")
        assert ledger.match is not None
        names = list(ledger.match.names)
        assert len(names) == len(hands)
        ledger.match = Match.from_position(position, names, seed=b"\1" * 32)
        ledger.rules = position.rules
        ledger.moved = ledger.seq
        self.table._pages.all_behind()
        self.drain()

    def put_last_card(self, scores: tuple[int, ...] = (0, 0, 0)) -> None:
        """Ana plays her last card: the round is over."""
        count = len(self.match.names)
        self.put("b1", *["y2 y3 W W+4"] * (count - 1))
        self.match.scores = list(scores)
        ana = next(guest for guest in self.guests.values() if guest.view.get("you") == 0)
        assert ana.act("b1") is None

    def restored(self) -> Room:
        """The table that the journal tells of, in a new process."""
        new = Room.__new__(Room)
        new.now = 5.0
        new.guests = {}
        new.records = list(self.records)
        new.brain = self.brain
        new.table = Table.restore(self.records, new.now, brain=self.brain, entropy=entropy())
        new.drain()
        return new


def seat_three() -> tuple[Room, Guest, Guest, Guest]:
    """Ana (the host), Beto and Carla at a table, no match yet."""
    room = Room()
    return room, room.host("Ana"), room.guest("Beto"), room.guest("Carla")
