"""The words of a ``.partida`` (docs/notation.md), wherever in it they stand: names, cards, numbers,
moves; and what to say of one that is none.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final, NoReturn

from penultima.engine.actions import (
    ACCEPT,
    CALL,
    CATCH,
    CHALLENGE,
    CHOOSE,
    DRAW,
    PASS,
    Action,
    Play,
    Simple,
    play,
)
from penultima.engine.cards import COLOURS, FACES, Card
from penultima.engine.notation import CONTROLS, NotationError

_SIMPLE: Final[dict[str, Simple]] = {
    each.text: each for each in (DRAW, PASS, ACCEPT, CHALLENGE, CALL)
}
_CARD_FORMS: Final = (
    "a card is r, y, g or b with 0-9, S, R or +2 (r7, bS, g+2), or W, W+4, WH, WC1, WC2, WC3"
)
MOVE_FORMS: Final = (
    "a move is a card, draw, pass, accept, challenge, colour r/y/g/b, uno, catch NAME, "
    "away, back, bot or out"
)


def without_comment(line: str) -> str:
    """What of a line is to be read."""
    # Inside a word a # is part of it: a name may have one.
    return re.sub(r"(?:^|(?<=\s))#.*", "", line).strip()


def like(word: str, known: Iterable[str]) -> str:
    """The likeliest of ``known`` that was meant, in words; empty if nothing is near."""
    lower = {each.lower(): each for each in known}
    near = difflib.get_close_matches(word.lower(), list(lower), 1)
    return f"did you mean {lower[near[0]]}? " if near else ""


@dataclass(slots=True)
class Words:
    """Reads the words of one file, knowing the line that it is at. Whatever is no such word is a
    :class:`NotationError` that says what would be one."""

    file: str
    line: int = 1
    names: tuple[str, ...] = ()

    def fail(self, reason: str, remedy: str) -> NoReturn:
        raise NotationError(self.file, self.line, reason, remedy)

    def seat(self, name: str) -> int:
        """Of the player with that name."""
        if name not in self.names:
            known = ", ".join(self.names)
            self.fail(f"no player {name!r}", f"{like(name, self.names)}the players are {known}")
        return self.names.index(name)

    def card(self, word: str) -> Card:
        found = FACES.get(word)
        if found is None:
            self.fail(f"no card {word!r}", f"{like(word, FACES)}{_CARD_FORMS}")
        return found

    def number(self, word: str) -> int:
        if not (word.isascii() and word.isdecimal() and len(word) <= 9):
            self.fail(f"no number {word!r}", "write digits only")
        return int(word)

    def action(self, words: Sequence[str]) -> Action:
        """An action of the game, with names for players."""
        first, *rest = words
        if first in _SIMPLE:
            if rest:
                self.fail(f"no move {' '.join(words)!r}", f"{first} stands alone")
            return _SIMPLE[first]
        if first == "colour":
            if len(rest) != 1 or rest[0] not in CHOOSE:
                self.fail(f"no move {' '.join(words)!r}", "write colour r, y, g or b")
            return CHOOSE[rest[0]]
        if first == "catch":
            if len(rest) != 1:
                self.fail(f"no move {' '.join(words)!r}", "write catch and one name: catch Beto")
            return CATCH[self.seat(rest[0])]
        if rest:
            self.fail(f"no move {' '.join(words)!r}", f"one move a line; {MOVE_FORMS}")
        card_and_colour, to, name = first.partition(">")
        text, equals, colour = card_and_colour.partition("=")
        if text not in FACES:
            known = (*FACES, *_SIMPLE, *CONTROLS, "colour", "catch")
            remedy = f"{like(text, known)}{_CARD_FORMS}; {MOVE_FORMS}"
            self.fail(f"no card or move {text!r}", remedy)
        if equals and colour not in COLOURS:
            self.fail(f"no colour {colour!r}", "write r, y, g or b: W=b")
        return play(FACES[text], colour or None, self.seat(name) if to else None)

    def moves(self, words: Sequence[str]) -> tuple[tuple[str, tuple[Action, ...]], ...]:
        """Several on one line, each as written and what it stands for."""
        found = []
        rest = list(words)
        while rest:
            move = [rest.pop(0)]
            if move[0] in {"colour", "catch"} and rest:
                move.append(rest.pop(0))
            found.append((" ".join(move), stands_for(self.action(move), len(self.names))))
        return tuple(found)


def stands_for(action: Action, players: int) -> tuple[Action, ...]:
    """The actions a move in ``= may`` stands for: a choice left out may be any."""
    if not isinstance(action, Play):
        return (action,)
    colours: Iterable[str | None] = (action.colour,)
    if action.card.is_wild and action.colour is None:
        colours = (None, *COLOURS)
    seats: Iterable[int | None] = (action.player,)
    if action.player is None:
        seats = (None, *range(players))
    return tuple(play(action.card, colour, seat) for colour, seat in product(colours, seats))
