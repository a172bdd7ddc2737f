"""What a seat asks for. Actions are imperatives, print as notation and are interned.

Choices travel inside the action (a wild's colour, a seven's player), so no half-done play
exists. Seats are numbers here, and in the text of an action too (``r7>2``); the notation files
write names instead, which ``notation`` translates.
"""

from __future__ import annotations

import re
from typing import Final

from penultima.engine.cards import COLOURS, FACES, Card, card
from penultima.engine.events import Played


class Action:
    """Anything a seat can ask for. Interned: equal actions are one object."""

    __slots__ = ("text",)
    text: str

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        return f"action({self.text!r})"

    def __copy__(self) -> Action:
        return self

    def __deepcopy__(self, memo: dict[int, object]) -> Action:
        return self

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return action, (self.text,)


class Play(Action):
    """Put ``card`` down, naming a ``colour`` (wilds) and a ``player`` where it takes one."""

    __slots__ = ("card", "colour", "in_turn", "player")

    def __init__(self, played: Card, colour: str | None, player: int | None) -> None:
        self.card = played
        self.colour = colour
        self.player = player
        self.in_turn = tuple(Played(seat, played, colour, player) for seat in range(10))
        """The commonest of events, ready for each seat that may cause it."""
        self.text = (
            played.text
            + (f"={colour}" if colour is not None else "")
            + (f">{player}" if player is not None else "")
        )


class Simple(Action):
    """An action without a choice: draw, pass, accept, challenge, uno."""

    __slots__ = ()

    def __init__(self, text: str) -> None:
        self.text = text


class Choose(Action):
    """The colour owed after Shuffle Hands or a first-card Wild."""

    __slots__ = ("colour",)

    def __init__(self, colour: str) -> None:
        self.colour = colour
        self.text = f"colour {colour}"


class Catch(Action):
    """Point out that ``player`` (a seat) did not call."""

    __slots__ = ("player",)

    def __init__(self, player: int) -> None:
        self.player = player
        self.text = f"catch {player}"


DRAW: Final = Simple("draw")
PASS: Final = Simple("pass")
ACCEPT: Final = Simple("accept")
CHALLENGE: Final = Simple("challenge")
CALL: Final = Simple("uno")
CHOOSE: Final = {colour: Choose(colour) for colour in COLOURS}
CATCH: Final = tuple(Catch(seat) for seat in range(10))

_plays: dict[tuple[Card, str | None, int | None], Play] = {}
_SIMPLE: Final = {each.text: each for each in (DRAW, PASS, ACCEPT, CHALLENGE, CALL)}
_PLAY: Final = re.compile(r"([^=>\s]+)(?:=([rygb]))?(?:>([0-9]))?")


def play(played: Card, colour: str | None = None, player: int | None = None) -> Play:
    """The one ``Play`` of that card with those choices."""
    key = (played, colour, player)
    known = _plays.get(key)
    if known is None:
        known = _plays[key] = Play(*key)
    return known


def action(text: str) -> Action:
    """The action written ``text`` with seats as numbers; ``ValueError`` if it cannot be read."""
    simple = _SIMPLE.get(text)
    if simple is not None:
        return simple
    word, _, rest = text.partition(" ")
    if word == "colour" and rest in CHOOSE:
        return CHOOSE[rest]
    if word == "catch" and len(rest) == 1 and rest in "0123456789":
        return CATCH[int(rest)]
    found = _PLAY.fullmatch(text)
    if found is None or found[1] not in FACES:
        raise ValueError(f"not an action: {text!r}")
    return play(card(found[1]), found[2], None if found[3] is None else int(found[3]))
