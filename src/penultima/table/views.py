"""What goes into a page's view (protocol, section 5): the game's part is the engine's, seen by
that seat; the table's part is the same for everybody, and nothing is taken from anywhere else.
What all views have in common is made once.
"""

from __future__ import annotations

import math
from typing import Any, Final, TypeAlias

from penultima.engine.events import SECRET, Event, plain
from penultima.engine.match import ELIMINATED, NEXT, OUT
from penultima.engine.rules import Rules
from penultima.engine.view import everybodys, own
from penultima.table.ledger import Fact, Ledger
from penultima.table.presence import Patience
from penultima.table.seats import Seat

Written: TypeAlias = Event | dict[str, Any]
"""An event that is not the same for all, or what is sent to everybody."""


PATIENCE: Final = Patience()


def common(ledger: Ledger, now: float, patience: Patience = PATIENCE) -> dict[str, Any]:
    """What every view has in common at this moment, that of people without a seat."""
    out: dict[str, Any] = {"phase": ledger.phase}
    if ledger.title:
        out["title"] = ledger.title
    if ledger.host is not None:
        out["host"] = ledger.index(ledger.host)
    if ledger.locked:
        out["locked"] = True
    if ledger.grace:
        out["grace"] = ledger.grace
    if ledger.fast:
        out["fast"] = True
    out["rules"] = ledger.rules.name
    if ledger.rules["deck"] == 112:
        out["custom"] = custom(ledger.rules)
    if ledger.rules["agreed"]:
        out["agreed"] = list(ledger.rules["agreed"])  # type: ignore[arg-type]
    out["seats"] = [_seat(ledger, number, now, patience) for number in range(len(ledger.seats))]
    if ledger.paused:
        out["paused"] = sorted(ledger.paused)
        if ledger.countdown is not None:
            out["resume"] = round(max(0.0, ledger.countdown - now), 1)
    if ledger.vote is not None:
        out["vote"] = ledger.vote.plain()
    if ledger.match is not None:
        out.update(everybodys(ledger.match))
    return out


def for_seat(ledger: Ledger, shared: dict[str, Any], number: int | None) -> dict[str, Any]:
    """The whole view of one seat, or of somebody without one."""
    out = dict(shared)
    if number is not None:
        out["you"] = number
        if ledger.match is not None:
            out.update(own(ledger.match, number))
    return out


def written(facts: list[Fact]) -> list[Written]:
    """Once for all pages: what everybody may know of as it is sent; the rest is written by seat."""
    return [
        fact if isinstance(fact, dict) or type(fact) in SECRET else plain(fact, None)
        for fact in facts
    ]


def events(facts: list[Written], number: int | None) -> list[dict[str, Any]]:
    """What that seat may know of what happened."""
    return [fact if isinstance(fact, dict) else plain(fact, number) for fact in facts]


def of_the_game(facts: list[Fact]) -> list[Event]:
    """The game's events among ``facts``."""
    return [fact for fact in facts if not isinstance(fact, dict)]


def custom(rules: Rules) -> list[dict[str, Any]]:
    """The three Custom cards, as the protocol has them."""
    return [{"text": rules[f"custom{n}_text"], "effect": rules[f"custom{n}"]} for n in (1, 2, 3)]


def state(ledger: Ledger, number: int, seat: Seat) -> str | None:
    """The one word that says why a seat is not simply here and playing."""
    if ledger.match is not None:
        status = ledger.status(number)
        if seat.given_up:
            return "gone"
        if status in (OUT, ELIMINATED):
            return status
        if status == NEXT and seat.away is None:
            return "next"
    if seat.standin is not None:
        return "standin"
    if seat.away is not None:
        return "away"
    return "hidden" if seat.hidden else None


def left(seat: Seat, now: float, hold: float) -> int:
    """Of so many seconds what is left of them since somebody is away."""
    assert seat.away is not None
    return max(0, math.ceil(hold - (now - seat.away)))


def _seat(ledger: Ledger, number: int, now: float, patience: Patience) -> dict[str, Any] | None:
    seat = ledger.seats[number]
    if seat is None:
        return None
    out: dict[str, Any] = {"name": seat.name}
    match = ledger.match
    if match is not None and number < len(match.names):
        round_ = match.round
        assert round_ is not None
        if number < len(round_.hands) and round_.hands[number]:
            out["cards"] = len(round_.hands[number])
        if match.scores[number]:
            out["score"] = match.scores[number]
        if number in round_.called:
            out["called"] = True
    if seat.bot is not None:
        out["bot"] = seat.bot
    word = state(ledger, number, seat)
    if word is not None:
        out["state"] = word
    if word == "away" and seat.away is not None:
        out["left"] = left(seat, now, patience.hold)
        if ledger.running and seat is not ledger.host and not seat.urged:
            out["urge"] = left(seat, now, patience.urge)
    if seat.claimed:
        out["claim"] = True
    if seat.urged:
        out["urged"] = True
    return out
