"""What one seat may know (RULES 11), the one door through which the game leaves the host.

A view is built up from what is allowed, never filtered down from the whole. Bots think with it,
phones draw it, and :meth:`View.to_plain` is its JSON (docs/protocol.md 5).
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

    def to_plain(self) -> dict[str, Any]:
        """The game's fields of the protocol's view; usual values are left out."""
        out: dict[str, Any] = {
            "phase": "over" if self.winners else "between" if self.wait == "over" else "round",
            "round": self.round_number,
            "dealer": self.dealer,
            "wait": self.wait,
            "top": self.top.text,
            "dir": self.direction,
            "pile": self.pile,
            "discard": len(self.discard),
        }
        if self.turn is not None:
            out["turn"] = self.turn
        if self.colour is not None:
            out["colour"] = self.colour
        if len(self.discard) > 1:
            out["under"] = [card.text for card in self.discard[-1 - UNDER : -1]]
        if self.pending:
            out["pending"] = self.pending
            out["opener"] = self.opener
        if self.challengeable:
            out["challengeable"] = True
        if self.exposed:
            out["exposed"] = sorted(self.exposed)
        if self.hand:
            out["hand"] = [card.text for card in self.hand]
        if self.drawn is not None:
            out["drawn"] = self.drawn.text
        if self.legal:
            out["legal"] = _forms(self.legal)
            if any(form.endswith(">") for form in out["legal"]):
                out["targets"] = [seat for seat in self.seats if seat != self.seat]
        if self.shown is not None:
            out["shown"] = {
                "of": self.shown.of,
                "cards": [card.text for card in self.shown.cards],
                "guilty": [card.text for card in self.shown.guilty],
            }
        if self.outcome is not None:
            out["result"] = _result(self.outcome)
        if self.winners:
            out["winners"] = list(self.winners)
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


_WAITS = {Free: "free", Drawn: "drawn", Answer: "answer", Colour: "colour"}


def view(match: Match, seat: int | None) -> View:
    """Build what ``seat`` may know of ``match``, whose first round has been dealt."""
    now = match.round
    if now is None:
        raise ValueError("nothing has been dealt")
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
