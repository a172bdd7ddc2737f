"""What a page that is here may say, and who takes it: the one place where messages from outside
become requests, are numbered, refused or carried out. Nothing that comes is believed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from penultima.engine import actions
from penultima.engine.actions import Action, Catch
from penultima.engine.errors import Refused, RulesError
from penultima.engine.rules import Rules
from penultima.table import votes
from penultima.table.clock import Clock
from penultima.table.ledger import BETWEEN, Ledger, changes_turn
from penultima.table.pages import Pages, known_field
from penultima.table.powers import Powers
from penultima.table.presence import Commit, Presence
from penultima.table.reception import Reception
from penultima.table.refusals import No
from penultima.table.requests import Connection, Message, Request, text, truth, whole
from penultima.table.seats import Seat


@dataclass(eq=False, slots=True)
class _Held:
    """A catch that waits for the end of the grace (RULES 5.5)."""

    request: Request
    seat: Seat
    catch: Catch


class Desk:
    """Takes messages. Coming and going is the ``reception``'s, what the host may do ``powers``'."""

    def __init__(
        self,
        ledger: Ledger,
        pages: Pages,
        presence: Presence,
        clock: Clock,
        commit: Commit,
        reception: Reception,
        powers: Powers,
    ) -> None:
        self._ledger = ledger
        self._pages = pages
        self._presence = presence
        self._clock = clock
        self._commit = commit
        self._powers = powers
        self._held: list[_Held] = []
        self._plain: Final[Mapping[str, Callable[[Connection, Message], None]]] = {
            "hello": reception.hello,
            "ping": self._ping,
            "pong": self._pong,
            "status": self._status,
            "offer": self._offer,
            "candidate": self._candidate,
        }
        self._numbered: Final[Mapping[str, Callable[[Connection, Message, Request], Any]]] = {
            "sit": reception.sit,
            "act": self._act,
            "host": self._host,
            "vote": self._vote,
            "leave": reception.leave,
            "claim": reception.claim,
            "urge": self._urge,
        }

    def take(self, page: Connection, message: object) -> None:
        """One message, whatever it is."""
        try:
            self._dispatch(page, message)
        except No as no:
            self._pages.refuse(page, 0, no)

    def _dispatch(self, page: Connection, message: object) -> None:
        if not isinstance(message, Mapping):
            raise No("bad_message")
        kind = text(message, "t")
        if kind in self._plain:
            self._plain[kind](page, message)
        elif kind in self._numbered:
            self._take_request(page, kind, message)
        else:
            raise No("bad_message", "t")

    def _take_request(self, page: Connection, kind: str, message: Message) -> None:
        n = whole(message, "n", 1)
        if not page.greeted:
            raise No("not_seated")
        known = page.numbers.answer(n)
        if known is not None:
            self._pages.send(page, known)
            return
        if not page.numbers.is_new(n):
            return  # being decided, or so old that its answer is long known
        who = None if page.seat is None or page.seat.session is None else page.seat.session.serial
        request = Request(page, n, page.numbers, who)
        try:
            answer = self._numbered[kind](page, message, request)
        except (No, Refused, RulesError) as no:
            self._pages.refuse_request(request, no)
            return
        if answer is None:
            request.numbers.hold(n)  # unless it is answered already
        else:
            self._pages.answer(request, answer)

    # --- messages without a number

    def _ping(self, page: Connection, message: Message) -> None:
        i = whole(message, "i")
        seq = whole(message, "seq", -1)
        page.beats = True
        self._pages.send(page, {"t": "pong", "i": i})
        if page.greeted and seq != self._ledger.seq:
            page.behind = True

    def _pong(self, _page: Connection, message: Message) -> None:
        whole(message, "i")

    def _status(self, page: Connection, message: Message) -> None:
        hidden = truth(message, "hidden")
        seat = page.seat
        if seat is not None and seat.away is None and seat.hidden != hidden:
            self._commit("hidden", seat=self._ledger.index(seat), hidden=hidden)

    def _offer(self, page: Connection, message: Message) -> None:
        """Channels are the host program's business; where it lets one through there are none."""
        offer = text(message, "id", 64)
        if not offer or not offer.isascii() or not offer.isprintable():
            raise No("bad_message", "id")
        self._pages.send(page, {"t": "no_channel", "id": offer, "code": "not_allowed"})

    def _candidate(self, _page: Connection, message: Message) -> None:
        text(message, "id", 64)

    # --- requests: answered by the `seq` of a commit, by a message, or (None) later

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
        return self._commit("act", request, seat=number, a=str(action))

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
            return self._commit("ballot", request, seat=number, yes=value == "yes")
        if match.outcome is None or match.outcome.winner != number:
            raise No("not_allowed")
        if ledger.voted:
            raise No("wrong_phase")
        changed = votes.change(ledger.rules, value)
        if changed == ledger.rules or Rules.parse(str(changed)) != changed:
            raise No("bad_rules", known_field(value.partition("=")[0]))
        return self._commit("propose", request, seat=number, value=value)

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
        return self._commit("urge", request, seat=target, by=number)

    # --- catches that wait for the end of the grace (RULES 5.5)

    def due(self) -> Iterator[float]:
        """When to look again at the catches that wait; infinity: not before something changes."""
        return map(self._end_of_grace, self._held)

    def _end_of_grace(self, held: _Held) -> float:
        exposed = self._ledger.exposed.get(held.catch.player)
        if exposed is None:
            return self._clock.now
        if self._ledger.paused:
            return float("inf")
        return exposed + self._ledger.grace

    def step(self, at: float) -> bool:
        """Decide one catch whose grace is over; whether there was one."""
        for held in self._held:
            request = held.request
            if self._end_of_grace(held) > at:
                continue
            self._held.remove(held)
            if held.seat.session is None:
                return True
            number = self._ledger.index(held.seat)
            try:
                seq = self._commit("act", request, seat=number, a=str(held.catch))
            except (No, Refused) as no:
                self._pages.refuse_request(request, no)
            else:
                self._pages.answer(request, seq)
            return True
        return False
