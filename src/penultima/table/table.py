"""The table: people round a match (design.md, "The table's interface"). This is the front door.

``connect``, ``receive``, ``disconnect`` and ``tick`` go in; ``journal()`` and then ``outbox()`` are
drained, both at once, after each: what the outbox holds may be sent when what the journal held is
written (commit, acknowledge, show). No clock, no socket, nothing that waits: ``now`` is the
caller's, in seconds on any clock, and ``deadline()`` says when to call ``tick`` next.

Inwards from here: ``ledger`` (what is committed), ``presence`` (who is here), ``powers`` (the
host's), ``bots`` (when they move), ``views`` (what each page is sent).
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from penultima.engine import actions
from penultima.engine.actions import Action, Catch
from penultima.engine.errors import Refused, RulesError
from penultima.engine.rules import Rules, switches
from penultima.table import keys, names, position, views, votes
from penultima.table.bots import Brain, Schedule
from penultima.table.clock import Clock
from penultima.table.keys import Entropy
from penultima.table.ledger import BETWEEN, SCHEMA, Fact, Ledger, Record, changes_turn
from penultima.table.powers import Powers
from penultima.table.presence import SILENCE, Patience, Presence
from penultima.table.refusals import No
from penultima.table.requests import (
    Connection,
    Message,
    Request,
    optional_text,
    text,
    truth,
    whole,
)
from penultima.table.seats import Seat

VERSION: Final = 1
"""Of the protocol (docs/protocol.md)."""


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


@dataclass(eq=False, slots=True)
class _Held:
    """A catch that waits for the end of the grace (RULES 5.5)."""

    request: Request
    seat: Seat
    catch: Catch


class Table:
    """One table. ``link`` is what guests are told to pass on; the host fills it in."""

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
        self.link = ""
        self._entropy = entropy
        self._ledger = Ledger(opened)
        self._clock = Clock(now, self._ledger.now)
        self._presence = Presence(self._ledger, self.commit, self._expire, patience)
        self._bots = Schedule(self._ledger, self.commit, brain)
        self._powers = Powers(self._ledger, self._presence, self)
        self._connections: dict[int, Connection] = {}
        self._last_connection = 0
        self._held: list[_Held] = []
        self._journal: list[Record] = []
        self._outbox: list[tuple[int, dict[str, Any]]] = []
        self._fresh: list[Fact] = []
        """What happened since views last went out."""
        self._due: float | None = None

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
        self._clock = Clock(now, self._ledger.now)
        self.commit("restored")
        for seat in self._ledger.held():
            if seat.person:
                self._presence.lost(seat, self._clock.now)
        self._presence.stand_still(self._clock.now)
        self._fresh.clear()
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
        self._last_connection += 1
        number = self._last_connection
        self._connections[number] = Connection(number, at)
        self._settle()
        return number

    def receive(self, connection: int, message: object, now: float) -> None:
        """One message of a page; what it may be is looked at here once more, for safety."""
        at = self._advance(now)
        page = self._connections.get(connection)
        if page is not None:
            if self._hear(page, at):
                self._settle()  # first it is back, then it says what it has to say
            self._take(page, message)
        self._settle()

    def alive(self, connection: int, now: float) -> bool:
        """Something came from that page that was not for the table: whether anything follows.

        Nearly always nothing does, and nobody looks further: each phone says so every 1.5 s.
        """
        at = self._advance(now)
        page = self._connections.get(connection)
        if page is None or not self._hear(page, at):
            return False
        self._settle()
        return True

    def disconnect(self, connection: int, now: float) -> None:
        """The page is gone, or every way to it."""
        at = self._advance(now)
        page = self._connections.pop(connection, None)
        if page is not None:
            self._drop_claim(page)
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
        for page in list(self._connections.values()):
            self._close(page, "table_closed")

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
        for page in self._connections.values():
            if page.greeted and page.behind:
                if shared is None:
                    hold = self._presence.patience.hold
                    shared = views.common(self._ledger, self._clock.now, hold)
                    facts = views.written(self._fresh)
                self._show(page, shared, facts)
        self._fresh.clear()
        for page in self._connections.values():
            page.seen = 0
        messages, self._outbox = self._outbox, []
        return messages

    def _show(
        self, page: Connection, shared: dict[str, Any], facts: list[views.Written]
    ) -> None:
        number = None if page.seat is None else self._ledger.index(page.seat)
        view = {
            "t": "view",
            "seq": self._ledger.seq,
            "v": views.for_seat(self._ledger, shared, number),
            "e": views.events(facts[page.seen :], number),
        }
        page.behind = False
        self._send(page, view)

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
        page = self._connections.get(connection)
        return None if page is None or page.seat is None else self._ledger.index(page.seat)

    def may_offer(self, connection: int) -> bool:
        """Whether a data channel may be offered by that page: it has a seat, or is a screen."""
        page = self._connections.get(connection)
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
            "connections": len(self._connections),
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
        self._fresh += facts
        self._bots.watch(facts)
        for page in self._connections.values():
            page.behind = page.greeted
        return self._ledger.seq

    def _advance(self, now: float) -> float:
        return self._clock.advance(now, self._due)

    def _settle(self) -> None:
        """Do everything that is due, one thing at a time, until nothing is."""
        at = self._clock.now
        self._notice_silence(at)
        while True:
            if self._decide_held(at) or self._presence.step(at):
                continue
            self._bots.plan(at)
            if not self._bots.step(at):
                break
        self._due = self._next_due()

    def _next_due(self) -> float | None:
        times = [self._presence.due(self._clock.now), self._bots.due()]
        times += map(self._end_of_grace, self._held)
        times += [self._silent_from(page) for page in self._connections.values()]
        due = min((time for time in times if time is not None), default=None)
        return None if due == float("inf") else due

    # --- messages

    def _send(self, page: Connection, message: dict[str, Any]) -> None:
        self._outbox.append((page.number, message))

    def _refuse(self, page: Connection, n: int, no: Exception) -> dict[str, Any]:
        refused: dict[str, Any] = {"t": "refused", "n": n}
        if isinstance(no, RulesError):
            refused |= {"code": "bad_rules", "field": _known_field(no.field)}
        elif isinstance(no, Refused):
            refused["code"] = no.code
        elif isinstance(no, No):
            refused["code"] = no.code
            if no.field is not None:
                refused["field"] = no.field
        self._send(page, refused)
        return refused

    def _take(self, page: Connection, message: object) -> None:
        try:
            self._dispatch(page, message)
        except No as no:
            self._refuse(page, 0, no)

    def _dispatch(self, page: Connection, message: object) -> None:
        if not isinstance(message, Mapping):
            raise No("bad_message")
        kind = text(message, "t")
        if kind in self._PLAIN:
            self._PLAIN[kind](self, page, message)
        elif kind in self._NUMBERED:
            self._take_request(page, kind, message)
        else:
            raise No("bad_message", "t")

    def _take_request(self, page: Connection, kind: str, message: Message) -> None:
        n = whole(message, "n", 1)
        if not page.greeted:
            raise No("not_seated")
        known = page.numbers.answer(n)
        if known is not None:
            self._send(page, known)
            return
        if not page.numbers.is_new(n):
            return  # being decided, or so old that its answer is long known
        who = None if page.seat is None or page.seat.session is None else page.seat.session.serial
        request = Request(page, n, page.numbers, who)
        try:
            answer = self._NUMBERED[kind](self, page, message, request)
        except (No, Refused, RulesError) as no:
            request.numbers.store(n, self._refuse(page, n, no))
            return
        if answer is None:
            request.numbers.hold(n)  # unless it is answered already
        else:
            self._answer(request, answer)

    def _answer(self, request: Request, answer: dict[str, Any] | int) -> None:
        if isinstance(answer, int):
            answer = {"t": "done", "n": request.n, "seq": answer}
        request.numbers.store(request.n, answer)
        self._send(request.connection, answer)

    # Messages without a number.

    def _hello(self, page: Connection, message: Message) -> None:
        ledger = self._ledger
        if message.get("v") != VERSION or type(message.get("v")) is not int:
            self._turn_away(page, "bad_version", "version")
            return
        host = optional_text(message, "host", 200)
        key = optional_text(message, "key", 200)
        watch = truth(message, "watch", default=False)
        good = keys.same(text(message, "secret", 200), ledger.secret)
        if not good or (host is not None and not keys.same(host, ledger.host_key)):
            self._turn_away(page, "bad_secret", "bad_hello")
            return
        seat = None if key is None or watch else ledger.find(keys.hashed(key))
        if seat is None and host is not None and not watch:
            seat = ledger.host
        if page.seat is not None and seat is not page.seat and (seat is not None or watch):
            self._refuse(page, 0, No("already_seated"))
            return
        page.greeted = True
        page.host = page.host or host is not None
        page.watching = watch
        if seat is not None and page.seat is None:
            self._drop_claim(page)
            self._seat(page, seat)
        page.seen = len(self._fresh)
        page.behind = True
        welcome = {
            "t": "welcome",
            "v": VERSION,
            "conn": page.number,
            "seat": None if page.seat is None else ledger.index(page.seat),
            "host": page.host,
            "n": page.numbers.last,
            "link": self.link,
        }
        self._send(page, welcome)

    def _turn_away(self, page: Connection, code: str, closing: str) -> None:
        self._refuse(page, 0, No(code))
        if not page.greeted:
            self._close(page, closing)

    def _seat(self, page: Connection, seat: Seat) -> None:
        """The page has the seat from now on; another that had it has it no more."""
        for other in list(self._connections.values()):
            if other.seat is seat and other is not page:
                self._close(other, "replaced")
        page.seat = seat
        assert seat.session is not None
        page.numbers = seat.session.numbers
        self._presence.found(seat)
        if seat.hidden:
            self.commit("hidden", seat=self._ledger.index(seat), hidden=False)
        # Who comes back while somebody claims to be the same person is the better witness.
        for other in self._connections.values():
            if other.claim is not None and other.claim[0] is seat:
                self._give_up_claim(other)

    def _close(self, page: Connection, code: str) -> None:
        self._connections.pop(page.number, None)
        self._drop_claim(page)
        if page.seat is not None and page.seat.person:
            self._presence.lost(page.seat, self._clock.now)
        self._send(page, {"t": "closed", "code": code})

    def _ping(self, page: Connection, message: Message) -> None:
        i = whole(message, "i")
        seq = whole(message, "seq", -1)
        page.beats = True
        self._send(page, {"t": "pong", "i": i})
        if page.greeted and seq != self._ledger.seq:
            page.behind = True

    def _pong(self, _page: Connection, message: Message) -> None:
        whole(message, "i")

    def _status(self, page: Connection, message: Message) -> None:
        hidden = truth(message, "hidden")
        seat = page.seat
        if seat is not None and seat.away is None and seat.hidden != hidden:
            self.commit("hidden", seat=self._ledger.index(seat), hidden=hidden)

    def _offer(self, page: Connection, message: Message) -> None:
        """Channels are the host program's business; where it lets one through there are none."""
        offer = text(message, "id", 64)
        if not offer or not offer.isascii() or not offer.isprintable():
            raise No("bad_message", "id")
        self._send(page, {"t": "no_channel", "id": offer, "code": "not_allowed"})

    def _candidate(self, _page: Connection, message: Message) -> None:
        text(message, "id", 64)

    # Requests: each is answered by the `seq` of its commit, by a message, or (None) later.

    def _sit(self, page: Connection, message: Message, request: Request) -> dict[str, Any]:
        ledger = self._ledger
        typed = text(message, "name")
        # What the page calls itself: it tells one that sits down twice from two.
        own = optional_text(message, "id", 64)
        page_hash = None if own is None or len(own) < 16 else keys.hashed(own)
        if page.seat is not None:
            raise No("already_seated")
        if page.watching:
            raise No("not_allowed")
        name = names.clean(typed)
        key = keys.new_key(self._entropy)
        serial = ledger.last_session + 1
        request.who = serial
        fields = {"session": serial, "key": keys.hashed(key), "page": page_hash}
        seat = self._sat_already(page_hash)
        if seat is not None:
            self.commit("rekey", request, seat=ledger.index(seat), **fields)
        else:
            if ledger.locked and not page.host:
                raise No("table_locked")
            number = ledger.free_place()
            name = names.unique(name, [other.name for other in ledger.seats if other is not None])
            host = page.host and ledger.host is None
            self.commit("sit", request, seat=number, name=name, host=host, **fields)
            seat = ledger.seat(number)
        self._take_seat(page, seat)
        return {"t": "seated", "n": request.n, "seat": ledger.index(seat), "key": key}

    def _sat_already(self, page_hash: str | None) -> Seat | None:
        for seat in self._ledger.held():
            if page_hash is not None and seat.session and seat.session.page == page_hash:
                return seat
        return None

    def _take_seat(self, page: Connection, seat: Seat) -> None:
        """A page that has just got a key goes on counting where it was."""
        assert seat.session is not None
        self._drop_claim(page)
        seat.session.numbers = page.numbers
        self._seat(page, seat)

    def _number(self, page: Connection) -> int:
        if page.seat is None:
            raise No("not_seated")
        return self._ledger.index(page.seat)

    def _act(self, page: Connection, message: Message, request: Request) -> int | None:
        seq = whole(message, "seq", -1)
        written = text(message, "a", 20)
        number = self._number(page)
        assert page.seat is not None
        match = self._ledger.match
        if match is None or match.round is None:
            raise No("wrong_phase")
        try:
            action = actions.action(written)
        except ValueError:
            raise No("bad_move") from None
        if page.seat.standin is not None:
            raise No("not_allowed")
        if self._is_stale(number, action, seq):
            raise No("stale")
        if isinstance(action, Catch) and match.why_not(number, action) is None:
            held = _Held(request, page.seat, action)
            if self._end_of_grace(held) > self._clock.now:
                self._held.append(held)
                return None
        return self.commit("act", request, seat=number, a=str(action))

    def _is_stale(self, number: int, action: Action, seq: int) -> bool:
        """Whether a turn action was chosen on a table that is no more (`stale` in protocol.md)."""
        match = self._ledger.match
        assert match is not None
        assert match.round is not None
        return (
            not match.paused
            and not self._ledger.moved <= seq <= self._ledger.seq
            and changes_turn(action)
            and match.round.turn == number
        )

    def _end_of_grace(self, held: _Held) -> float:
        exposed = self._ledger.exposed.get(held.catch.player)
        if exposed is None:
            return self._clock.now
        if self._ledger.paused:
            return float("inf")
        return exposed + self._ledger.grace

    def _decide_held(self, at: float) -> bool:
        for held in self._held:
            request = held.request
            if self._end_of_grace(held) > at:
                continue
            self._held.remove(held)
            if held.seat.session is None:
                return True
            number = self._ledger.index(held.seat)
            try:
                seq = self.commit("act", request, seat=number, a=str(held.catch))
            except (No, Refused) as no:
                request.numbers.store(request.n, self._refuse(self._now_at(request), request.n, no))
            else:
                request.connection = self._now_at(request)
                self._answer(request, seq)
            return True
        return False

    def _now_at(self, request: Request) -> Connection:
        """The connection that the sender of a request has by now."""
        for page in self._connections.values():
            if page.numbers is request.numbers:
                return page
        return request.connection

    def _host(self, page: Connection, message: Message, request: Request) -> int:
        if not page.host:
            raise No("not_host")
        return self._powers.carry_out(request, message, self._clock.now)

    def _vote(self, page: Connection, message: Message, request: Request) -> int:
        value = text(message, "value", 200)
        number = self._number(page)
        ledger = self._ledger
        match = ledger.match
        if ledger.phase != BETWEEN or match is None or not ledger.rules["winner_rule"]:
            raise No("wrong_phase")
        if value in ("yes", "no"):
            if ledger.vote is None:
                raise No("wrong_phase")
            if ledger.vote.by == number:
                raise No("not_allowed")
            return self.commit("ballot", request, seat=number, yes=value == "yes")
        if match.outcome is None or match.outcome.winner != number:
            raise No("not_allowed")
        if ledger.voted:
            raise No("wrong_phase")
        changed = votes.change(ledger.rules, value)
        if changed == ledger.rules or Rules.parse(str(changed)) != changed:
            raise No("bad_rules", _known_field(value.partition("=")[0]))
        return self.commit("propose", request, seat=number, value=value)

    def _urge(self, page: Connection, message: Message, request: Request) -> int:
        ledger = self._ledger
        number = self._number(page)
        target = whole(message, "seat", 0, 99)
        seat = ledger.seat(target)
        if not seat.person or seat.away is None or seat.standin is not None:
            raise No("not_away")
        waited = self._clock.now - seat.away >= self._presence.patience.urge
        if not ledger.running or seat is ledger.host or seat.urged or not waited:
            raise No("wrong_phase")
        return self.commit("urge", request, seat=target, by=number)

    def _leave(self, page: Connection, _message: Message, request: Request) -> None:
        number = self._number(page)
        assert page.seat is not None
        seat = page.seat
        self._answer(request, self.commit("leave", request, seat=number))
        self.dismiss(seat, "left")

    def _expire(self, seat: Seat) -> None:
        """Nobody came back to that seat in time."""
        self.commit("leave", seat=self._ledger.index(seat))
        self.dismiss(seat, "removed")

    def dismiss(self, seat: Seat, code: str) -> None:
        """The seat has been given up: whoever was there is told."""
        self._presence.found(seat)
        for page in list(self._connections.values()):
            if page.claim is not None and page.claim[0] is seat:
                self._give_up_claim(page)
            if page.seat is seat:
                self._close(page, code)

    # Claims: somebody says to be Ana, whose page got closed.

    def _claim(self, page: Connection, message: Message, request: Request) -> None:
        seat = self._ledger.seat(whole(message, "seat", 0, 99))
        if page.seat is not None:
            raise No("already_seated")
        if page.watching or page.claim is not None or seat.claimed or not seat.person:
            raise No("not_allowed")
        if seat.away is None:
            raise No("not_away")
        self.commit("claim", seat=self._ledger.index(seat), open=True)
        page.claim = (seat, request)

    def _drop_claim(self, page: Connection) -> None:
        """The page does not claim a seat any more."""
        if page.claim is not None:
            seat, _ = page.claim
            page.claim = None
            if seat.claimed:
                self.commit("claim", seat=self._ledger.index(seat), open=False)

    def _give_up_claim(self, page: Connection) -> None:
        """The claim was not believed."""
        assert page.claim is not None
        _, request = page.claim
        self._drop_claim(page)
        request.numbers.store(request.n, self._refuse(page, request.n, No("not_allowed")))

    def _claimant(self, seat: Seat) -> Connection:
        for page in self._connections.values():
            if page.claim is not None and page.claim[0] is seat:
                return page
        raise No("no_such_seat")

    def approve(self, request: Request, seat: Seat) -> int:
        """The claimant is who they say: a new key, and the old one is none any more."""
        page = self._claimant(seat)
        assert page.claim is not None
        _, asked = page.claim
        key = keys.new_key(self._entropy)
        number = self._ledger.index(seat)
        serial = self._ledger.last_session + 1
        fields = {"session": serial, "key": keys.hashed(key), "page": None}
        seq = self.commit("rekey", request, seat=number, **fields)
        page.claim = None
        self._take_seat(page, seat)
        self._answer(asked, {"t": "seated", "n": asked.n, "seat": number, "key": key})
        return seq

    def knows_bot(self, level: str) -> bool:
        return self._bots.knows(level)

    def reject(self, request: Request, seat: Seat) -> int:
        page = self._claimant(seat)
        seq = self.commit("claim", request, seat=self._ledger.index(seat), open=False)
        self._give_up_claim(page)
        return seq

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
        for page in self._connections.values():
            when = self._silent_from(page)
            if when is not None and at >= when and page.seat is not None:
                self._presence.lost(page.seat, page.heard + SILENCE)

    # What a page may send, and who takes it.

    _PLAIN: Final[Mapping[str, Callable[[Table, Connection, Message], None]]] = {
        "hello": _hello,
        "ping": _ping,
        "pong": _pong,
        "status": _status,
        "offer": _offer,
        "candidate": _candidate,
    }
    _NUMBERED: Final[Mapping[str, Callable[[Table, Connection, Message, Request], Any]]] = {
        "sit": _sit,
        "act": _act,
        "host": _host,
        "vote": _vote,
        "leave": _leave,
        "claim": _claim,
        "urge": _urge,
    }


def _known_field(field_: str) -> str:
    """A field as it may be named to a page: one of ours, not whatever was sent."""
    return field_ if field_ in switches() or field_ == "players" else "rules"
