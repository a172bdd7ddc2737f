"""What has been committed: everything that a journal's records build up again.

:meth:`Ledger.apply` is the only way it changes, and a record is all that it reads: no clock, no
entropy, no connection. So the same records give the same table, and what can be lost with the
process (connections, timers, plans of bots) is elsewhere.

A record is a plain dict: ``seq``, ``now`` (awake time), ``kind``, ``who`` and ``n`` (the session
that asked and its number; absent when the table itself decided), the fields of the kind, and
``digest`` (of the match). (``who``, ``n``) is unique.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable
from typing import Any, Final, TypeAlias

from penultima.engine import actions, house
from penultima.engine.actions import CALL, Action, Catch, Choose
from penultima.engine.errors import Refused, RulesError
from penultima.engine.events import Event
from penultima.engine.match import IN, NEXT, OUT, Match
from penultima.engine.rules import Rules
from penultima.table import keys, position, votes
from penultima.table.refusals import No
from penultima.table.seats import MOST, Seat, Session
from penultima.table.votes import Vote

Record: TypeAlias = dict[str, Any]
Fact: TypeAlias = Event | dict[str, Any]
"""What happened: an event of the game, or one of the table's own as the protocol writes it."""

SCHEMA: Final = 1

LOBBY, ROUND, BETWEEN, OVER = "lobby", "round", "between", "over"

KEPT_APART: Final = (
    "agreed",
    *(f"custom{number}" for number in (1, 2, 3)),
    *(f"custom{number}_text" for number in (1, 2, 3)),
)
"""Switches that the host sets by themselves: a change of the others leaves them."""


class Ledger:
    """The table as its journal knows it."""

    def __init__(self, opened: Record) -> None:
        if opened["kind"] != "open" or opened["schema"] != SCHEMA:
            raise ValueError("not the beginning of a journal that this program can read")
        self.code: str = opened["code"]
        self.secret: str = opened["secret"]
        self.host_key: str = opened["host_key"]
        self.seed = bytes.fromhex(opened["seed"])
        self.title: str = opened["title"]
        self.grace: float = opened["grace"]
        self.fast: bool = opened["fast"]
        self.rules = Rules.parse(opened["rules"])
        self.position: str | None = opened.get("position")
        """Where the first match begins, until it has."""
        self.seq: int = opened["seq"]
        self.now: float = opened["now"]
        self.locked = False
        self.seats: list[Seat | None] = []
        self.host: Seat | None = None
        self.sessions: dict[int | None, Session] = {}
        """Those that hold a seat, by their serial."""
        self.last_session = 0
        self.bots = 0
        self.match: Match | None = None
        self.matches = 0
        self.moved = self.seq
        """The ``seq`` of the newest change that makes older views no base for a turn action."""
        self.countdown: float | None = None
        """When (awake time) a pause that is over lets the match go on."""
        self.vote: Vote | None = None
        self.voted = False
        """The winner's proposal of this pause between rounds came into force: there is one."""
        self.exposed: dict[int, float] = {}
        """Seats that can be caught, with the time of their exposure, pauses not counted."""
        self._stopped: float | None = None
        self._kinds: dict[str, Callable[[Record], list[Fact]]] = {
            name[len("_do_") :]: getattr(self, name) for name in dir(self) if name[:4] == "_do_"
        }

    # --- asking

    @property
    def phase(self) -> str:
        if self.match is None:
            return LOBBY
        if self.match.winners:
            return OVER
        return BETWEEN if self.match.between else ROUND

    @property
    def running(self) -> bool:
        """Whether a match is on: in a round, or between two."""
        return self.match is not None and not self.match.winners

    @property
    def paused(self) -> frozenset[str]:
        match = self.match
        return frozenset() if match is None or match.winners else match.paused

    def index(self, seat: Seat) -> int:
        """The number of a seat."""
        for number, other in enumerate(self.seats):
            if other is seat:
                return number
        raise No("no_such_seat")

    def seat(self, number: int) -> Seat:
        """The seat of that number, if somebody holds it."""
        seat = self.seats[number] if 0 <= number < len(self.seats) else None
        if seat is None or seat.given_up:
            raise No("no_such_seat")
        return seat

    def held(self) -> list[Seat]:
        """The seats that somebody holds."""
        return [seat for seat in self.seats if seat is not None and not seat.given_up]

    def names(self) -> list[str]:
        """The names that are taken. Who has given a seat up in a match may come back by the same:
        the seat that they left keeps its score until the end, but is nobody's any more.
        """
        return [seat.name for seat in self.held()]

    def status(self, number: int) -> str:
        """The part a seat has in the match: ``in``, ``out``, ``next`` or ``eliminated``."""
        if self.match is not None and number < len(self.match.status):
            return self.match.status[number]
        return NEXT

    def free_place(self) -> int:
        """Where the next to come sits; :class:`No` when there is no room.

        Who comes during a match gets a number behind those who play it, and a place in the match
        when the next round is dealt. A seat given up in a match keeps its number, and its score,
        to the end of it.
        """
        fixed = len(self.match.names) if self.match is not None else 0
        coming = sum(1 for seat in self.seats[fixed:] if seat is not None)
        most = MOST if self.position is None else position.players(self.position)
        if len(self.held()) >= most or (self.running and fixed + coming >= MOST):
            raise No("table_full")
        for number in range(fixed, len(self.seats)):
            if self.seats[number] is None:
                return number
        return len(self.seats)

    def find(self, key: str) -> Seat | None:
        """The seat of the session key with that hash."""
        for seat in self.held():
            if seat.session is not None and hmac.compare_digest(seat.session.key, key):
                return seat
        return None

    def digest(self) -> str:
        return "" if self.match is None else self.match.digest()

    # --- changing

    def apply(self, record: Record) -> list[Fact]:
        """Carry out one record, all of it or (an exception) nothing."""
        match = self.match
        facts = self._kinds[record["kind"]](record)
        self.seq = record["seq"]
        self.now = record["now"]
        if self.match is not match or not self.running:
            self._stopped = None
            self.countdown = None
        self._watch_exposure(record)
        return facts

    def _watch_exposure(self, record: Record) -> None:
        round_ = None if self.match is None else self.match.round
        exposed = set() if round_ is None else round_.exposed
        if record["kind"] == "act" and closes_exposure(actions.action(record["a"])):
            self.exposed = {}
        self.exposed = {seat: self.exposed.get(seat, self.now) for seat in exposed}

    def _running_match(self) -> Match:
        if self.match is None or self.match.winners:
            raise No("wrong_phase")
        return self.match

    # Coming and going. Fields: `seat`, and what its handler reads.

    def _do_sit(self, record: Record) -> list[Fact]:
        """``name``, ``key`` and ``page`` (hashes), the new ``session``, ``host``."""
        number = self.free_place()
        assert number == record["seat"]
        seat = Seat(record["name"], session=self._session(record))
        self._place(number, seat)
        if record.get("host"):
            self.host = seat
        return [{"e": "joined", "seat": number, "name": seat.name}]

    def _do_bot(self, record: Record) -> list[Fact]:
        """``name``, ``level``."""
        number = self.free_place()
        assert number == record["seat"]
        self.bots += 1
        self._place(number, Seat(record["name"], bot=record["level"]))
        return [{"e": "joined", "seat": number, "name": record["name"]}]

    def _place(self, number: int, seat: Seat) -> None:
        if number < len(self.seats):
            self.seats[number] = seat
        else:
            self.seats.append(seat)

    def _session(self, record: Record) -> Session:
        serial = record["session"]
        assert serial > self.last_session
        self.last_session = serial
        session = self.sessions[serial] = Session(serial, record["key"], record.get("page"))
        return session

    def _do_rekey(self, record: Record) -> list[Fact]:
        """The person has a new ``key`` and ``session``; the old ones are none any more."""
        seat = self.seat(record["seat"])
        assert seat.session is not None
        del self.sessions[seat.session.serial]
        seat.session = self._session(record)
        seat.claimed = False
        return []

    def _do_leave(self, record: Record) -> list[Fact]:
        """The seat is given up, by the person or by the host (``removed``)."""
        number = record["seat"]
        seat = self.seat(number)
        facts: list[Fact] = [{"e": "left", "seat": number}]
        match = self.match
        if match is not None and self.running and number < len(match.names):
            facts += match.take_out(number)
            self.moved = record["seq"]
        if self.host is seat:
            self.host = None
        if match is None or number >= len(match.names):
            self.seats[number] = None
            while self.seats and self.seats[-1] is None:
                self.seats.pop()
        if seat.session is not None:
            del self.sessions[seat.session.serial]
        seat.bot = seat.session = seat.standin = seat.away = None
        seat.hidden = seat.claimed = seat.urged = False
        return facts + self._vote_without(number)

    def _do_away(self, record: Record) -> list[Fact]:
        """Nothing heard of the person ``since``."""
        seat = self.seat(record["seat"])
        seat.away = record["since"]
        seat.hidden = False
        return [{"e": "away", "seat": record["seat"]}]

    def _do_back(self, record: Record) -> list[Fact]:
        """The person is back, and takes the seat over from the bot that played, if one did."""
        number = record["seat"]
        seat = self.seat(number)
        seat.away = seat.standin = None
        seat.claimed = seat.urged = False
        if self.match is not None and self.running and self.status(number) == OUT:
            self.match.rejoin(number)
        return [{"e": "returned", "seat": number}]

    def _do_hidden(self, record: Record) -> list[Fact]:
        self.seat(record["seat"]).hidden = record["hidden"]
        return []

    def _do_standin(self, record: Record) -> list[Fact]:
        """A bot of ``level`` plays until the person is back."""
        seat = self.seat(record["seat"])
        self._running_match()
        if seat.away is None:
            raise No("not_away")
        seat.standin = record["level"]
        seat.urged = False
        self.moved = record["seq"]
        return [{"e": "standin", "seat": record["seat"]}]

    def _do_out(self, record: Record) -> list[Fact]:
        """The host takes the seat out (RULES 9.3); the person may come back for the next round."""
        seat = self.seat(record["seat"])
        match = self._running_match()
        if self.status(record["seat"]) != IN:
            raise No("wrong_phase")
        facts: list[Fact] = [*match.take_out(record["seat"])]
        seat.standin = None
        seat.urged = False
        self.moved = record["seq"]
        return facts

    def _do_claim(self, record: Record) -> list[Fact]:
        """Somebody says to be the person of that seat; ``open`` false: not any more."""
        self.seat(record["seat"]).claimed = record["open"]
        return []

    def _do_urge(self, record: Record) -> list[Fact]:
        """``by`` asks the host to decide about a person who has been away for a while."""
        self.seat(record["seat"]).urged = True
        return [{"e": "urged", "seat": record["seat"], "by": record["by"]}]

    # Playing.

    def _do_act(self, record: Record) -> list[Fact]:
        match = self._running_match()
        action = actions.action(record["a"])
        facts: list[Fact] = [*match.play(record["seat"], action)]
        if changes_turn(action):
            self.moved = record["seq"]
        return facts

    def _do_start(self, record: Record) -> list[Fact]:
        """A new match with everybody who sits. The seats close up."""
        if self.running:
            raise No("wrong_phase")
        seats = self.held()
        # Taken out of the last match and not seen since: the place is kept, but not dealt in.
        absent = [n for n, seat in enumerate(self.seats) if self._is_absent(n, seat)]
        absent = [seats.index(seat) for n in absent if (seat := self.seats[n]) is not None]
        if len(seats) - len(absent) < 2:
            raise No("too_few")
        self.rules.check(players=len(seats) - len(absent))
        seed = keys.derived(self.seed, f"match {self.matches + 1}")
        facts: list[Fact] = []
        if self.position is None:
            match = Match(self.rules, [seat.name for seat in seats], seed=seed)
            for number in absent:
                match.take_out(number)
            facts += match.start()
        else:
            if len(seats) < position.players(self.position):
                raise No("too_few")
            match = position.match(self.position, seed)
            match.names = [seat.name for seat in seats]
            self.position = None
        self.matches += 1
        self.match = match
        self.seats = [*seats]
        for seat in seats:
            seat.standin = None
        self.moved = record["seq"]
        self.vote, self.voted = None, False
        return facts

    def _is_absent(self, number: int, seat: Seat | None) -> bool:
        taken_out = self.match is not None and self.status(number) == OUT
        return taken_out and seat is not None and seat.person and seat.away is not None

    def _do_next(self, record: Record) -> list[Fact]:
        match = self._running_match()
        if not match.between:
            raise No("wrong_phase")
        if match.paused:
            raise Refused("paused")
        playing = sum(status in (IN, NEXT) for status in match.status)
        coming = self._coming(match, playing)
        if playing + len(coming) < 2:
            raise No("too_few")
        match.rules.check(players=playing + len(coming))
        fixed = len(match.names)
        waiting = [seat for seat in self.seats[fixed:] if seat is not None and seat not in coming]
        self.seats[fixed:] = [*coming, *waiting]
        for seat in coming:
            match.join(seat.name)
        facts: list[Fact] = [*match.next_round()]
        if self.vote is not None:
            facts.insert(0, votes.closed(self.vote, passed=False))
        self.vote, self.voted = None, False
        self.moved = record["seq"]
        return facts

    def _coming(self, match: Match, playing: int) -> list[Seat]:
        """Who is dealt in from the next round on: those who came since and are here."""
        fixed = len(match.names)
        coming = [seat for seat in self.seats[fixed:] if seat is not None and seat.away is None]
        coming = coming[: MOST - fixed]
        try:
            match.rules.check(players=playing + len(coming))
        except RulesError:
            return []  # pairs: more than four watch
        return coming

    def _do_end(self, record: Record) -> list[Fact]:
        """Back to the lobby; the match is dropped."""
        if self.match is None:
            raise No("wrong_phase")
        self.match = None
        self.seats = [*self.held()]
        for seat in self.held():
            seat.standin = None
        self.vote, self.voted = None, False
        self.moved = record["seq"]
        return []

    # Pauses.

    def _do_pause(self, record: Record) -> list[Fact]:
        """``reason``. A countdown that was on is off again."""
        match = self._running_match()
        match.pause(record["reason"])
        if self.countdown is not None:
            match.resume("countdown")
            self.countdown = None
        if self._stopped is None:
            self._stopped = record["now"]
        return []

    def _do_resume(self, record: Record) -> list[Fact]:
        """``reason`` holds no more; with ``countdown`` the match goes on at that time."""
        match = self._running_match()
        until = record["countdown"]
        if until is not None:
            match.pause("countdown")
            self.countdown = until
        match.resume(record["reason"])
        self._go_on(record["now"])
        return []

    def _do_go(self, record: Record) -> list[Fact]:
        """The countdown is over."""
        self._running_match().resume("countdown")
        self.countdown = None
        self._go_on(record["now"])
        return []

    def _go_on(self, now: float) -> None:
        if self._stopped is not None and not self.paused:
            stood = now - self._stopped
            self.exposed = {seat: since + stood for seat, since in self.exposed.items()}
            self._stopped = None

    # What the host sets.

    def _do_rules(self, record: Record) -> list[Fact]:
        """``rules`` in notation."""
        self._change_rules(Rules.parse(record["rules"]))
        return [{"e": "rules_changed", "value": self.rules.name}]

    def _change_rules(self, rules: Rules) -> None:
        # A position brings its own.
        if self.phase == ROUND or self.position is not None:
            raise No("wrong_phase")
        if self.match is not None and self.running:
            self.match.change_rules(rules)
        self.rules = rules

    def _do_set(self, record: Record) -> list[Fact]:
        """One of ``title``, ``locked``, ``grace``, ``fast`` (``field``) becomes ``value``."""
        assert record["field"] in {"title", "locked", "grace", "fast"}
        setattr(self, record["field"], record["value"])
        return []

    # The winner's rule (RULES 7.12).

    def _do_propose(self, record: Record) -> list[Fact]:
        """``seat`` proposes ``value``; a proposal that was open is withdrawn."""
        votes.change(self.rules, record["value"])  # raises what cannot be
        facts: list[Fact] = []
        if self.vote is not None:
            facts.append(votes.closed(self.vote, passed=False))
        facts.append({"e": "vote_opened", "by": record["seat"], "value": record["value"]})
        return facts + self._count(Vote(record["seat"], record["value"]))

    def _do_ballot(self, record: Record) -> list[Fact]:
        assert self.vote is not None
        votes.change(self.rules, self.vote.value)  # the host may have changed them since
        return self._count(self.vote.cast(record["seat"], yes=record["yes"]))

    def _count(self, vote: Vote) -> list[Fact]:
        """What is proposed comes into force when all agree; else ``vote`` stays open."""
        people = (number for number, seat in enumerate(self.seats) if seat and seat.person)
        if not vote.carried(frozenset(people)):
            self.vote = vote
            return []
        self._change_rules(votes.change(self.rules, vote.value))
        self.vote, self.voted = None, True
        return [
            votes.closed(vote, passed=True),
            {"e": "rules_changed", "value": self.rules.name},
        ]

    def _vote_without(self, seat: int) -> list[Fact]:
        """Somebody who could vote has left."""
        vote = self.vote
        if vote is None:
            return []
        if vote.by == seat:
            self.vote = None
            return [votes.closed(vote, passed=False)]
        try:
            return self._count(vote)
        except RulesError:
            return []  # the host has changed the rules since: nothing comes of it

    def _do_restored(self, record: Record) -> list[Fact]:
        """The host was started again: everybody is away from now on."""
        for seat in self.held():
            seat.claimed = seat.hidden = seat.urged = False
            if seat.person:
                seat.away = record["now"]
        return []


def changes_turn(action: Action) -> bool:
    """Whether an older view is no base for a turn action after this one: all but calls, catches."""
    return action is not CALL and not isinstance(action, Catch)


def closes_exposure(action: Action) -> bool:
    """Whether this is a turn action, which ends every exposure from before (RULES 5.4)."""
    return changes_turn(action) and not isinstance(action, Choose)


assert {switch.name for rule in house.RULES for switch in rule.switches} >= set(KEPT_APART)
