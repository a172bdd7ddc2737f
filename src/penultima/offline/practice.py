"""One practice game: a table with a person and one to three bots.

The page speaks with it as with any host (docs/protocol.md). Each call returns one JSON text,
because one text is the cheapest thing to hand from Python to JavaScript::

    {"out": ["{...}", ...], "due": 12.5, "journal": ["{...}", ...]}

``out``: messages for the page. ``due``: when to call :meth:`Practice.tick` next, absent when
nothing is. ``journal``: records that make the game again with :meth:`Practice.resume`; who does
not keep games lets them go.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any, Final

from penultima.bots import LEVELS
from penultima.engine.errors import RulesError
from penultima.engine.rules import Rules
from penultima.offline.thinking import brain
from penultima.table import Options, Patience, Table
from penultima.table.reception import VERSION

LINK: Final = "alone"
"""Code, secret and host key: nobody else can reach this table, so there is nothing to keep."""
HELLO: Final = {"t": "hello", "v": VERSION, "secret": LINK, "host": LINK}

MOST_BOTS: Final = 3

# The person cannot get lost: while the page sleeps, the worker's clock stands still.
_PATIENCE: Final = Patience(dot=float("inf"), pause=float("inf"))


class Trouble(Exception):
    """A game that cannot be played like this: a refusal code, and a field after a space."""


class Practice:
    """The table, seen by the worker. ``key`` is the person's session key; ``now`` in seconds."""

    def __init__(self, table: Table, key: str) -> None:
        self.key = key
        self._table = table
        self._page: int | None = None

    @classmethod
    def begin(cls, wish: str, seed: str, now: float) -> Practice:
        """A new game: ``{"name", "bots": [level, ...], "rules", "fast"}`` and 32 bytes in hex."""
        asked: dict[str, Any] = json.loads(wish)
        levels: list[str] = asked["bots"]
        if not 1 <= len(levels) <= MOST_BOTS:
            raise Trouble("too_few" if not levels else "table_full")
        if not set(levels) <= set(LEVELS):
            raise Trouble("bad_message bots")
        try:
            rules = Rules.parse(asked["rules"])
            rules.check(players=1 + len(levels))
        except RulesError as wrong:
            raise Trouble(f"bad_rules {wrong.field}") from None
        options = Options(str(rules), fast=asked["fast"], patience=_PATIENCE)
        table = Table(
            LINK,
            LINK,
            LINK,
            seed=bytes.fromhex(seed),
            now=now,
            options=options,
            brain=brain,
        )
        return cls(table, _seated(table, asked["name"], levels, now))

    @classmethod
    def resume(cls, journal: Iterable[str], key: str, now: float) -> Practice:
        """The game that these records tell of, as it was. ``Trouble`` if they are not whole."""
        try:
            records = [json.loads(record) for record in journal]
            table = Table.restore(records, now, patience=_PATIENCE, brain=brain)
            known = _knows(table, key, now)
        except Exception:  # noqa: BLE001 -- what lies on a device may be of anybody's making
            known = False
        if not known:
            raise Trouble("not_kept")
        return cls(table, key)

    def connect(self, now: float) -> str:
        """The page, or the page again after a reload: what it had before is over."""
        if self._page is not None:
            self._table.disconnect(self._page, now)
        self._page = self._table.connect(now)
        return self._drained()

    def receive(self, text: str, now: float) -> str:
        """One message of the page."""
        message = json.loads(text)
        if self._page is not None:
            self._table.receive(self._page, message, now)
            if message.get("t") == "hello" and self._table.console()["phase"] == "lobby":
                # Only now, so that the page sees the cards being dealt.
                self._table.commit("start")
                self._table.tick(now)
        return self._drained()

    def tick(self, now: float) -> str:
        """Time has passed."""
        self._table.tick(now)
        return self._drained()

    def think(self) -> bool:
        """A slice of thinking, when there is nothing else to do; whether there is more."""
        return self._table.think()

    @property
    def faults(self) -> str:
        """What bots did wrong, for the console; empty in a good world."""
        return "\n".join(self._table.faults)

    def _drained(self) -> str:
        journal = [_text(record) for record in self._table.journal()]
        out = [_text(message) for page, message in self._table.outbox() if page == self._page]
        said: dict[str, Any] = {"out": out, "journal": journal}
        due = self._table.deadline()
        if due is not None:
            said["due"] = due
        return _text(said)


def _seated(table: Table, name: str, levels: list[str], now: float) -> str:
    """Seats the person as host and the bots beside them; the person's key."""
    door = table.connect(now)
    asked: list[dict[str, Any]] = [
        HELLO,
        {"t": "sit", "n": 1, "name": name},
    ]
    asked += [
        {"t": "host", "n": n, "do": "add_bot", "value": level}
        for n, level in enumerate(levels, start=2)
    ]
    for message in asked:
        table.receive(door, message, now)
    key = ""
    for _, answer in table.outbox():
        if answer["t"] == "refused":
            raise Trouble(answer["code"])
        if answer["t"] == "seated":
            key = answer["key"]
    return key


def _knows(table: Table, key: str, now: float) -> bool:
    """Whether whoever comes in with that key has a seat, and the table goes on with them."""
    door = table.connect(now)
    table.receive(door, HELLO | {"key": key}, now)
    answers = [answer for _, answer in table.outbox()]
    table.disconnect(door, now)
    table.tick(now)
    welcome = next(each for each in answers if each["t"] == "welcome")
    return welcome["seat"] is not None and any(each["t"] == "view" for each in answers)


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
