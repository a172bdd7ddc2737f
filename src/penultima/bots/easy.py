"""Plays like a child: loves the strong cards, forgets to call, seldom looks at the others."""

from __future__ import annotations

import random

from penultima.bots.chance import pick
from penultima.bots.player import Bot, catches, partner, plays
from penultima.engine.actions import ACCEPT, CALL, CHALLENGE, CHOOSE, DRAW, PASS, Action, Play
from penultima.engine.view import View

CALLS = 0.7
CATCHES = 0.15
JUMPS = 0.35
CHALLENGES = 0.25
KEEPS_WILD = 0.2
KEEPS_DRAWN = 0.25
OVERLOOKS = 0.02
"""How often each occurs to it."""


class Easy(Bot):
    """Sees much of it and forgets the rest."""

    level = "easy"

    def __init__(self) -> None:
        self._moment: tuple[object, ...] = ()
        self._noticed = False

    def turn(self, view: View, rng: random.Random) -> Action:
        options = plays(view)
        if view.wait == "colour":
            return CHOOSE[_liked_colour(view, rng)]
        if view.wait == "answer":
            if options:
                return pick(rng, options)
            challenges = CHALLENGE in view.legal and rng.random() < CHALLENGES
            return CHALLENGE if challenges else ACCEPT
        if not options:
            return PASS if view.wait == "drawn" else DRAW
        if rng.random() < (KEEPS_DRAWN if view.wait == "drawn" else OVERLOOKS):
            return PASS if view.wait == "drawn" else DRAW
        if rng.random() < KEEPS_WILD:
            options = [each for each in options if not each.card.is_wild] or options
        card = pick(rng, list({each.card: None for each in options}))
        return _form([each for each in options if each.card is card], view, rng)

    def wants(self, view: View, rng: random.Random) -> Action | None:
        if view.turn == view.seat and not view.exposed:
            return None
        # It notices a moment or does not; being asked again about the same one changes nothing.
        moment = (view.round_number, len(view.discard), view.newest, view.exposed)
        if moment != self._moment:
            self._moment = moment
            chance = rng.random()
            me = view.seat in view.exposed
            self._noticed = chance < (CALLS if me else CATCHES if view.exposed else JUMPS)
        if not self._noticed:
            return None
        if view.seat in view.exposed:
            return CALL
        if found := catches(view):
            return found[0]
        options = plays(view) if view.turn != view.seat else []
        return pick(rng, options) if options else None

    def calls_before(self, view: View, rng: random.Random) -> bool:
        # Else it may still think of it afterwards (``wants``).
        return CALL in view.legal and rng.random() < CALLS / 2


def _form(options: list[Play], view: View, rng: random.Random) -> Play:
    """That card with the choices a child makes: a colour it holds, the smallest hand."""
    if options[0].colour is not None:
        colour = _liked_colour(view, rng)
        options = [each for each in options if each.colour == colour]
    mate = partner(view)
    if options[0].player is not None and rng.random() < 0.7:
        foes = [e for e in options if e.player != mate and e.player is not None] or options
        return min(foes, key=lambda each: view.counts[each.player or 0])
    return pick(rng, options)


def _liked_colour(view: View, rng: random.Random) -> str:
    held = [card.colour for card in view.hand if card.colour is not None]
    return pick(rng, held) if held else pick(rng, list(CHOOSE))
