"""Positions and actions as short texts, so that a test reads as a sentence.

Seats are numbers here, as everywhere in the engine; files with names are for ``.partida`` cases.
"""

from __future__ import annotations

from collections.abc import Sequence

from penultima.engine.actions import action
from penultima.engine.cards import Card, card
from penultima.engine.events import Event
from penultima.engine.match import Match
from penultima.engine.position import Pending, Position
from penultima.engine.round import Round
from penultima.engine.rules import Rules

SEED = bytes(range(32))


def cards(text: str) -> tuple[Card, ...]:
    """``"r7 bR W+4"``; ``"-"`` or nothing for none."""
    return tuple(card(word) for word in text.split() if word != "-")


def text(held: Sequence[Card]) -> str:
    return " ".join(each.text for each in held)


def position(
    hands: str,
    *,
    rules: str = "classic",
    discard: str = "b5",
    draw: str = "y1 y2 y3 y4 y6 y7 y8 y9 g1 g2 g3 g4",
    colour: str | None = None,
    turn: int = 0,
    dealer: int | None = None,
    direction: int = 1,
    pending: Pending | None = None,
) -> Position:
    """``hands`` by seat, joined by ``|``; ``draw`` begins with the next card to be drawn."""
    held = tuple(cards(each) for each in hands.split("|"))
    down = cards(discard)
    return Position(
        Rules.parse(rules),
        held,
        down,
        colour or down[-1].colour,
        cards(draw),
        turn,
        len(held) - 1 if dealer is None else dealer,
        direction,
        pending,
    )


def round_at(hands: str, **more: object) -> Round:
    return Round.from_position(position(hands, **more))  # type: ignore[arg-type]


def match_at(
    hands: str, *, scores: Sequence[int] | None = None, seed: bytes = SEED, **more: object
) -> Match:
    at = position(hands, **more)  # type: ignore[arg-type]
    names = ["Ana", "Beto", "Carla", "Dani", "Eva", "Fito", "Gabi", "Hugo", "Iris", "Juan"]
    return Match.from_position(at, names[: len(at.hands)], scores, seed)


def do(game: Round | Match, *moves: str) -> list[Event]:
    """Play ``"0 r7>2"`` one after another; the events of the last."""
    events: list[Event] = []
    for move in moves:
        seat, _, what = move.partition(" ")
        events = game.play(int(seat), action(what))
    return events


def refusal(game: Round | Match, move: str) -> str | None:
    """The code with which ``"1 r7"`` would be refused."""
    seat, _, what = move.partition(" ")
    return game.why_not(int(seat), action(what))


def may(game: Round | Match, seat: int) -> set[str]:
    return {str(each) for each in game.legal(seat)}


def of_kind(events: Sequence[Event], kind: type) -> list[Event]:
    return [event for event in events if type(event) is kind]
