"""What each phone may have been told, worked out from the whole deal, against what it was told.

The test plays the same match beside the host, so it knows every hand and the pile after every
move. Each place in a message where a card may stand is looked at; a card anywhere else is a leak.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from penultima.engine.actions import Action
from penultima.engine.match import Match
from penultima.engine.waiting import Drawn

CARD = re.compile(r"[rygb](?:[0-9]|S|R|\+2)|W|W\+4|WH|WC[123]")
OPEN = frozenset({"played", "turned_up", "dealer_drawn", "misplayed"})
"""Events whose card lies on the table for all."""

Where = tuple[str | int, ...]


def cards_in(value: Any, where: Where = ()) -> list[tuple[Where, str]]:
    """Every card in a message, with the path to it."""
    return list(_cards_in(value, where))


def _cards_in(value: Any, where: Where) -> Iterator[tuple[Where, str]]:
    if isinstance(value, dict):
        for key, each in value.items():
            yield from _cards_in(each, (*where, key))
    elif isinstance(value, list):
        for key, each in enumerate(value):
            yield from _cards_in(each, (*where, key))
    elif isinstance(value, str) and CARD.fullmatch(value):
        yield where, value


@dataclass(frozen=True)
class Moment:
    """The cards from one `seq` on."""

    hands: tuple[tuple[str, ...], ...]
    discard: tuple[str, ...]
    turn: int | None
    drawn: str | None
    shown: tuple[int, tuple[str, ...]] | None
    """To whom, and which cards."""
    over: bool


@dataclass
class Mirror:
    """A match played beside the host's."""

    match: Match
    moments: dict[int, Moment] = field(default_factory=dict)
    played: dict[int, list[str]] = field(default_factory=dict)
    did: list[str] = field(default_factory=list)

    def start(self, seq: int) -> None:
        self.match.start()
        self._note(seq)

    def next_round(self, seq: int) -> None:
        self.match.next_round()
        self._note(seq)

    def play(self, seat: int, action: Action, seq: int) -> None:
        self.match.play(seat, action)
        self.played.setdefault(seat, []).append(str(action))
        self.did.append(str(action))
        self._note(seq)

    @property
    def turn(self) -> int:
        assert self.match.round is not None
        assert self.match.round.turn is not None
        return self.match.round.turn

    def hand(self, seat: int) -> list[str]:
        assert self.match.round is not None
        return [card.text for card in self.match.round.hands[seat]]

    def _note(self, seq: int) -> None:
        now = self.match.round
        assert now is not None
        waiting, shown = now.waiting, now.shown
        self.moments[seq] = Moment(
            hands=tuple(tuple(card.text for card in hand) for hand in now.hands),
            discard=tuple(card.text for card in now.discard),
            turn=now.turn,
            drawn=waiting.card.text if type(waiting) is Drawn else None,
            shown=None if shown is None else (shown.seat, tuple(c.text for c in shown.cards)),
            over=now.over,
        )

    def at(self, seq: int) -> Moment | None:
        """As it was then; None before the deal."""
        before = [each for each in self.moments if each <= seq]
        return self.moments[max(before)] if before else None

    def check(self, seat: int, messages: list[dict[str, Any]]) -> None:
        """All that this seat received: no card that it may not know, and the own hand right."""
        views = 0
        for message in messages:
            if message["t"] == "view":
                views += self._check_view(seat, message)
            elif message["t"] not in {"answer", "candidate"}:
                assert not cards_in(message), f"a card in {message}"
        assert views, "nothing was looked at"

    def _check_view(self, seat: int, message: dict[str, Any]) -> bool:
        now = self.at(message["seq"])
        if now is None:
            assert not cards_in(message)
            return False
        view = message["v"]
        assert sorted(view.get("hand", [])) == sorted(now.hands[seat])
        for where, card in cards_in(message):
            assert self._may_know(seat, now, message, where, card), (
                f"{card} at {where} in {message}"
            )
        forms = {form.split("=")[0].split(">")[0] for form in view.get("legal", ())}
        cards = {form for form in forms if CARD.fullmatch(form)}
        assert cards <= set(now.hands[seat]), f"moves with others' cards: {cards}"
        return True

    def _may_know(
        self, seat: int, now: Moment, message: dict[str, Any], where: Where, card: str
    ) -> bool:
        match where:
            case ("v", "hand" | "legal", int()):
                return card in now.hands[seat]
            case ("v", "top"):
                return card == now.discard[-1]
            case ("v", "under", int()):
                return card in now.discard[-5:-1]
            case ("v", "drawn"):
                return seat == now.turn and card == now.drawn
            case ("v", "shown", "cards" | "guilty", int()):
                return now.shown is not None and now.shown[0] == seat and card in now.shown[1]
            case ("v", "result", "hands", int(whose), int()):
                return now.over and card in now.hands[whose]
            case ("e", int(number), "hands", int(whose), int()):
                ended = message["e"][number]["e"] == "round_ended"
                return ended and now.over and card in now.hands[whose]
            case ("e", int(number), "card"):
                return message["e"][number]["e"] in OPEN
            case ("e", int(number), "cards" | "guilty", int()):
                event = message["e"][number]
                return event["e"] in {"drew", "hand_shown"} and event["seat"] == seat
        return False
