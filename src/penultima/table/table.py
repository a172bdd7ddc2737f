"""The table: people round a match (design.md, "The table's interface"). This is the front door.

``connect``, ``receive``, ``disconnect`` and ``tick`` go in; ``journal()`` and then ``outbox()`` are
drained, both at once, after each: what the outbox holds may be sent when what the journal held is
written (commit, acknowledge, show). No clock, no socket, nothing that waits: ``now`` is the
caller's, in seconds on any clock, and ``deadline()`` says when to call ``tick`` next.

Inwards from here: ``desk`` (what a page may say) with ``reception`` (who comes and goes) and
``powers`` (the host's); ``ledger`` (what is committed), ``presence`` (who is here), ``bots`` (when
they move), ``pages`` and ``views`` (what each is sent).
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from penultima.engine.errors import Refused
from penultima.engine.rules import Rules
from penultima.table import keys, position, views
from penultima.table.bots import Brain, Schedule
from penultima.table.clock import Clock
from penultima.table.desk import Desk
from penultima.table.keys import Entropy
from penultima.table.ledger import SCHEMA, Ledger, Record
from penultima.table.pages import Pages
from penultima.table.powers import Powers
from penultima.table.presence import SILENCE, Patience, Presence
from penultima.table.reception import Reception
from penultima.table.refusals import No
from penultima.table.requests import Connection, Request
from penultima.table.seats import Seat


class RestoreError(ValueError):
    """Records that do not lead to the table they came from."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the host decides when opening a table."""

    rules: str = "classic"
    grace: float = 0.0
    """``catch_grace`` of RULES 5.5, in seconds."""
    fast: bool = False
    """Bots think shorter."""
    position: str | None = None
    """A ``.partida``: the first match begins where it leads, with its rules and its number of
    players. For demonstrations, tests and reports of problems. NotationError if it is none."""
    patience: Patience = field(default_factory=Patience)


class Table:
    """One table."""

    def __init__(
        self,
        code: str,
        secret: str,
        host_key: str,
        *,
        seed: bytes,
        now: float,
        title: str = "",
        options: Options | None = None,
        brain: Brain | None = None,
        entropy: Entropy = secrets.token_bytes,
    ) -> None:
        options = options or Options()
        opened: Record = {
            "seq": 1,
            "now": 0.0,
            "kind": "open",
            "schema": SCHEMA,
            "code": code,
            "secret": secret,
            "host_key": host_key,
            "seed": seed.hex(),
            "title": title,
            "rules": str(Rules.parse(options.rules)),
            "grace": options.grace,
            "fast": options.fast,
            "digest": "",
        }
        if options.position is not None:
            opened["rules"] = str(position.rules(options.position))
            opened["position"] = options.position
        self._set_up(opened, options.patience, brain, entropy, now)
        self._journal.append(opened)

    def _set_up(
        self,
        opened: Record,
        patience: Patience,
        brain: Brain | None,
        entropy: Entropy,
        now: float,
    ) -> None:
        ledger = self._ledger = Ledger(opened)
        clock = self._clock = Clock(now, ledger.now)
        pages = self._pages = Pages()
        self._presence = Presence(ledger, self.commit, self._expire, patience)
        self._bots = Schedule(ledger, self.commit, brain)
        presence, commit = self._presence, self.commit
        reception = Reception(ledger, pages, presence, clock, commit, entropy)
        powers = Powers(ledger, presence, reception, self._bots, commit)
        self._reception = reception
        self._desk = Desk(ledger, pages, presence, clock, commit, reception, powers)
        self._journal: list[Record] = []
        self._due: float | None = None

    def _expire(self, seat: Seat) -> None:
        self._reception.expire(seat)

    @property
    def link(self) -> str:
        """What guests are told to pass on; the host fills it in."""
        return self._reception.link

    @link.setter
    def link(self, link: str) -> None:
        self._reception.link = link

    @classmethod
    def restore(
        cls,
        records: Iterable[Record],
        now: float,
        *,
        patience: Patience | None = None,
        brain: Brain | None = None,
        entropy: Entropy = secrets.token_bytes,
    ) -> Table:
        """The table that a journal tells of, with everybody away and the match paused for them.

        :class:`RestoreError` if a record is missing or does not lead where it once led.
        """
        every = iter(records)
        self = cls.__new__(cls)
        try:
            self._set_up(next(every), patience or Patience(), brain, entropy, now)
            for record in every:
                self._replay(record)
        except StopIteration:
            raise RestoreError("there is no record") from None
        except (
            LookupError, TypeError, ValueError, AttributeError, ArithmeticError, AssertionError,
            Refused, No,
        ) as wrong:  # fmt: skip
            raise RestoreError(f"after seq {self._seq_so_far()}: {wrong!r}") from wrong
        self._clock.begin(now, self._ledger.now)
        self.commit("restored")
        for seat in self._ledger.held():
            if seat.person:
                self._presence.lost(seat, self._clock.now)
        self._presence.stand_still(self._clock.now)
        self._pages.fresh.clear()
        self._settle()
        return self

    def _seq_so_far(self) -> int:
        ledger: Ledger | None = getattr(self, "_ledger", None)
        return 0 if ledger is None else ledger.seq

    def _replay(self, record: Record) -> None:
        if record["seq"] != self._ledger.seq + 1:
            raise RestoreError(f"seq {self._ledger.seq} is followed by {record['seq']}")
        self._bots.watch(self._ledger.apply(record))
        if record["digest"] != self._ledger.digest():
            raise RestoreError(f"seq {record['seq']} leads to another state than it did")
        session = self._ledger.sessions.get(record.get("who"))
        if session is not None:
            answer = {"t": "done", "n": record["n"], "seq": record["seq"]}
            session.numbers.store(record["n"], answer)

    # --- what comes in

    def connect(self, now: float) -> int:
        """A page has found its way here. The number of the connection."""
        at = self._advance(now)
        page = self._pages.open(at)
        self._settle()
        return page.number

    def receive(self, connection: int, message: object, now: float) -> None:
        """One message of a page; what it may be is looked at here once more, for safety."""
        at = self._advance(now)
        page = self._pages.get(connection)
        if page is not None:
            if self._hear(page, at):
                self._settle()  # first it is back, then it says what it has to say
            self._desk.take(page, message)
        self._settle()

    def alive(self, connection: int, now: float) -> bool:
        """Something came from that page that was not for the table: whether anything follows.

        Nearly always nothing does, and nobody looks further: each phone says so every 1.5 s.
        """
        at = self._advance(now)
        page = self._pages.get(connection)
        if page is None or not self._hear(page, at):
            return False
        self._settle()
        return True

    def disconnect(self, connection: int, now: float) -> None:
        """The page is gone, or every way to it."""
        at = self._advance(now)
        page = self._pages.forget(connection)
        if page is not None:
            self._reception.drop_claim(page)
            if page.seat is not None:
                self._presence.lost(page.seat, at)
        self._settle()

    def tick(self, now: float) -> None:
        """Time has passed."""
        self._advance(now)
        self._settle()

    def think(self) -> bool:
        """Let a bot think for a moment about its next move; whether there is more to think about.

        For whoever has time between two calls. Nobody has to: a bot that is due thinks at once.
        """
        return self._bots.think()

    def hold(self, reason: str, now: float) -> None:
        """Pause for a reason of the host program's own, such as ``disk``."""
        self._advance(now)
        if self._ledger.running and reason not in self._ledger.paused:
            self.commit("pause", reason=reason)
        self._settle()

    def release(self, reason: str, now: float) -> None:
        """That reason holds no more."""
        at = self._advance(now)
        if reason in self._ledger.paused:
            self._presence.lift(reason, at)
        self._settle()

    def close(self, now: float) -> None:
        """The host goes; the pages are told. The journal keeps everything."""
        self._advance(now)
        for page in self._pages:
            self._reception.close(page, "table_closed")

    # --- what goes out

    def deadline(self) -> float | None:
        """When to call ``tick`` next, on the caller's clock; ``None``: nothing is due."""
        return None if self._due is None else self._clock.outside(self._due)

    def journal(self) -> list[Record]:
        """The records since the last call. Drain it first, and write it."""
        records, self._journal = self._journal, []
        return records

    def outbox(self) -> list[tuple[int, dict[str, Any]]]:
        """What to send, to which connection. Drain it with the journal, send it afterwards."""
        shared: dict[str, Any] | None = None
        facts: list[views.Written] = []
        for page in self._pages:
            if page.greeted and page.behind:
                if shared is None:
                    patience = self._presence.patience
                    shared = views.common(self._ledger, self._clock.now, patience)
                    facts = views.written(self._pages.fresh)
                self._show(page, shared, facts)
        self._pages.fresh.clear()
        for page in self._pages:
            page.seen = 0
        return self._pages.drain()

    def _show(self, page: Connection, shared: dict[str, Any], facts: list[views.Written]) -> None:
        number = None if page.seat is None else self._ledger.index(page.seat)
        view = {
            "t": "view",
            "seq": self._ledger.seq,
            "v": views.for_seat(self._ledger, shared, number),
            "e": views.events(facts[page.seen :], number),
        }
        page.behind = False
        self._pages.send(page, view)

    # --- what the host program may ask

    def admits(self, secret: str) -> bool:
        """Whether that is the secret of this table's link."""
        return keys.same(secret, self._ledger.secret)

    @property
    def seq(self) -> int:
        return self._ledger.seq

    @property
    def faults(self) -> list[str]:
        """What bots did wrong."""
        return self._bots.faults

    def seat_of(self, connection: int) -> int | None:
        """The seat that this connection holds."""
        page = self._pages.get(connection)
        return None if page is None or page.seat is None else self._ledger.index(page.seat)

    def may_offer(self, connection: int) -> bool:
        """Whether a data channel may be offered by that page: it has a seat, or is a screen."""
        page = self._pages.get(connection)
        return page is not None and page.greeted and (page.seat is not None or page.watching)

    def digest(self) -> str:
        """A hash of the state of the match."""
        return self._ledger.digest()

    def console(self) -> dict[str, Any]:
        """A summary for the host's console: nothing that is secret."""
        ledger = self._ledger
        players = []
        for number, seat in enumerate(ledger.seats):
            if seat is not None:
                scores = [] if ledger.match is None else ledger.match.scores
                players.append(
                    {
                        "seat": number,
                        "name": seat.name,
                        "bot": seat.bot,
                        "state": views.state(ledger, number, seat),
                        "score": scores[number] if number < len(scores) else 0,
                        "host": seat is ledger.host,
                    }
                )
        match = ledger.match
        return {
            "code": ledger.code,
            "title": ledger.title,
            "phase": ledger.phase,
            "round": 0 if match is None else match.round_number,
            "turn": None if match is None or match.round is None else match.round.turn,
            "winners": [] if match is None else list(match.winners),
            "rules": ledger.rules.name,
            "paused": sorted(ledger.paused),
            "locked": ledger.locked,
            "seq": ledger.seq,
            "connections": len(self._pages),
            "players": players,
        }

    # --- committing

    def commit(self, kind: str, /, request: Request | None = None, **fields: object) -> int:
        """Change the table and record it; whatever refuses it has changed nothing."""
        record: Record = {"seq": self._ledger.seq + 1, "now": self._clock.now, "kind": kind}
        if request is not None and request.who is not None:
            record["who"] = request.who
            record["n"] = request.n
        record |= fields
        facts = self._ledger.apply(record)
        record["digest"] = self._ledger.digest()
        self._journal.append(record)
        self._pages.fresh += facts
        self._bots.watch(facts)
        self._pages.all_behind()
        return self._ledger.seq

    def _advance(self, now: float) -> float:
        at = self._clock.advance(now, self._due)
        if self._clock.held_up:
            # Nothing was heard meanwhile, whoever spoke.
            for page in self._pages:
                page.heard += self._clock.held_up
        return at

    def _settle(self) -> None:
        """Do everything that is due, one thing at a time, until nothing is."""
        at = self._clock.now
        self._notice_silence(at)
        while True:
            if self._desk.step(at) or self._presence.step(at):
                continue
            self._bots.plan(at)
            if not self._bots.step(at):
                break
        self._due = self._next_due()

    def _next_due(self) -> float | None:
        times = [self._presence.due(self._clock.now), self._bots.due()]
        times += self._desk.due()
        times += [self._silent_from(page) for page in self._pages]
        due = min((time for time in times if time is not None), default=None)
        return None if due == float("inf") else due

    # --- silence

    def _hear(self, page: Connection, at: float) -> bool:
        """Something came. Whether the person had been taken for lost."""
        page.heard = at
        return page.seat is not None and self._presence.found(page.seat)

    def _silent_from(self, page: Connection) -> float | None:
        """When a page that says nothing is taken for lost, and shown as such."""
        seat = page.seat
        if seat is None or not page.beats or seat.hidden or self._presence.is_lost(seat):
            return None
        return page.heard + SILENCE + self._presence.patience.dot

    def _notice_silence(self, at: float) -> None:
        for page in self._pages:
            when = self._silent_from(page)
            if when is not None and at >= when and page.seat is not None:
                self._presence.lost(page.seat, page.heard + SILENCE)
