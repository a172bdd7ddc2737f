"""What one seat may know (RULES 11), the one door through which the game leaves the host.

A view is built up from what is allowed, never filtered down from the whole. Bots think with a
:class:`View`; a page is sent the same as the protocol's fields (docs/protocol.md 5):
:func:`everybodys`, made once for all, and what is its :func:`own`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from penultima.engine.actions import Action, Play
from penultima.engine.cards import Card
from penultima.engine.rules import Rules
from penultima.engine.waiting import Answer, Colour, Drawn, Free, Shown

if TYPE_CHECKING:
    from penultima.engine.match import Match, Outcome
    from penultima.engine.round import Round

UNDER = 4
"""How many cards under the top a phone is sent, to show a heap."""


@dataclass(slots=True)
class View:
    """One seat's knowledge of a match. Lists by seat cover every seat of the table.

    ``wait``: ``free``, ``drawn``, ``answer``, ``colour`` or ``over``; ``pending`` cards face the
    seat in turn, brought by ``opener``; ``discard`` has the top last. ``seats`` are in the round.
    """

    seat: int | None
    rules: Rules
    status: tuple[str, ...]
    scores: tuple[int, ...]
    round_number: int
    dealer: int
    winners: tuple[int, ...]
    outcome: Outcome | None
    seats: tuple[int, ...]
    counts: tuple[int, ...]
    turn: int | None
    wait: str
    colour: str | None
    direction: int
    pile: int
    discard: tuple[Card, ...]
    pending: int
    opener: int | None
    challengeable: bool
    called: frozenset[int]
    exposed: frozenset[int]
    newest: tuple[int, Card] | None
    hand: tuple[Card, ...]
    legal: tuple[Action, ...]
    drawn: Card | None
    shown: Shown | None

    @property
    def top(self) -> Card:
        return self.discard[-1]

    def fits(self, card: Card) -> bool:
        """Whether ``card`` matches the top or the colour in force, or is wild (RULES 3.1)."""
        return card.is_wild or card.colour == self.colour or card.rank == self.discard[-1].rank

    def next_to(self, seat: int) -> int:
        """The next seat in the direction of play."""
        at = self.seats.index(seat) + self.direction
        return self.seats[at % len(self.seats)]


def everybodys(match: Match) -> dict[str, Any]:
    """What all may know of ``match``, as the protocol's fields; usual values are left out."""
    now = _dealt(match)
    waiting, discard = now.waiting, now.discard
    wait = _WAITS.get(type(waiting), "over")
    out: dict[str, Any] = {
        "phase": "over" if match.winners else "between" if wait == "over" else "round",
        "round": match.round_number,
        "dealer": now.dealer,
        "wait": wait,
        "top": discard[-1].text,
        "dir": now.direction,
        "pile": len(now.pile),
        "discard": len(discard),
    }
    if waiting.seat is not None:
        out["turn"] = waiting.seat
    if now.colour is not None:
        out["colour"] = now.colour
    if len(discard) > 1:
        out["under"] = [card.text for card in discard[-1 - UNDER : -1]]
    if type(waiting) is Answer:
        out["pending"] = waiting.count
        out["opener"] = waiting.opener
        if waiting.challengeable:
            out["challengeable"] = True
    if now.exposed:
        out["exposed"] = sorted(now.exposed)
    if match.outcome is not None:
        out["result"] = _result(match.outcome)
    if match.winners:
        out["winners"] = list(match.winners)
    return out


def own(match: Match, seat: int) -> dict[str, Any]:
    """What is added for that seat: its hand, what it may do, what it alone was shown."""
    now = _dealt(match)
    waiting, shown = now.waiting, now.shown
    out: dict[str, Any] = {}
    if seat < len(now.hands) and now.hands[seat]:
        out["hand"] = [card.text for card in now.hands[seat]]
    if type(waiting) is Drawn and waiting.seat == seat:
        out["drawn"] = waiting.card.text
    legal = match.legal(seat)
    if legal:
        out["legal"] = _forms(legal)
        if any(form.endswith(">") for form in out["legal"]):
            out["targets"] = [other for other in now.seats if other != seat]
    if shown is not None and shown.seat == seat:
        out["shown"] = {
            "of": shown.of,
            "cards": [card.text for card in shown.cards],
            "guilty": [card.text for card in shown.guilty],
        }
    return out


def _forms(legal: tuple[Action, ...]) -> list[str]:
    """Actions with their choices left open: ``W=``, ``r7>``, ``WC1=>`` (docs/protocol.md 5)."""
    forms: dict[str, None] = {}
    for action in legal:
        if isinstance(action, Play):
            text = action.card.text
            if action.colour is not None:
                text += "="
            if action.player is not None:
                text += ">"
        else:
            text = action.text
        forms[text] = None
    return list(forms)


def _result(outcome: Outcome) -> dict[str, Any]:
    plain: dict[str, Any] = {
        "points": outcome.points,
        "gained": list(outcome.gained),
        "hands": [[card.text for card in hand] for hand in outcome.hands],
        "why": outcome.why,
    }
    if outcome.winner is not None:
        plain["winner"] = outcome.winner
    return plain


def _dealt(match: Match) -> Round:
    if match.round is None:
        raise ValueError("nothing has been dealt")
    return match.round


_WAITS = {Free: "free", Drawn: "drawn", Answer: "answer", Colour: "colour"}


def view(match: Match, seat: int | None) -> View:
    """Build what ``seat`` may know of ``match``, whose first round has been dealt."""
    now = _dealt(match)
    waiting = now.waiting
    mine = seat is not None and seat < len(now.hands)
    shown = now.shown
    return View(
        seat=seat,
        rules=match.rules,
        status=tuple(match.status),
        scores=tuple(match.scores),
        round_number=match.round_number,
        dealer=now.dealer,
        winners=match.winners,
        outcome=match.outcome,
        seats=now.seats,
        # Who has come while the round was on has no place in it.
        counts=tuple(map(len, now.hands)) + (0,) * (len(match.names) - len(now.hands)),
        turn=waiting.seat,
        wait=_WAITS.get(type(waiting), "over"),
        colour=now.colour,
        direction=now.direction,
        pile=len(now.pile),
        discard=tuple(now.discard),
        pending=waiting.count if type(waiting) is Answer else 0,
        opener=waiting.opener if type(waiting) is Answer else None,
        challengeable=type(waiting) is Answer and waiting.challengeable,
        called=frozenset(now.called),
        exposed=frozenset(now.exposed),
        newest=now.newest,
        hand=tuple(now.hands[seat]) if mine and seat is not None else (),
        legal=match.legal(seat) if seat is not None else (),
        drawn=waiting.card if type(waiting) is Drawn and waiting.seat == seat else None,
        shown=shown if shown is not None and shown.seat == seat else None,
    )
