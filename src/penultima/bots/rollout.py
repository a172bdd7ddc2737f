"""Playing on from a world that might be: quick players, and what a moment is worth.

A rollout ends at the own next turn but one, where the weights say how good that is
(``standing.py``): short enough to be cheap, long enough to see the answers.
"""

from __future__ import annotations

import math

from penultima.bots.standing import chance
from penultima.bots.weights import Weights
from penultima.engine.actions import ACCEPT, CHALLENGE, DRAW, PASS, Action, Choose, Play
from penultima.engine.cards import DRAW_FOUR, DRAW_TWO, REVERSE, SKIP
from penultima.engine.round import Round
from penultima.engine.waiting import Answer, Free, Over

TURNS = 2
"""How many own turns later a rollout ends."""
LONGEST = 60
"""Turns after which a rollout is called undecided; only odd rules ever get there."""
BLUFFS = 1.0
"""What keeps a quick player from bluffing."""


class Rollouts:
    """Rollouts for ``seat``, whose side wins or not. ``weights`` are how everybody plays."""

    def __init__(self, seat: int, mate: int | None, weights: Weights) -> None:
        self.seat = seat
        self.mate = mate
        self.weights = weights

    def value(self, world: Round, action: Action) -> float:
        """The chance to win after ``action`` in ``world``, which is used up."""
        seat = self.seat
        world.play(seat, action)
        others = False
        turns = TURNS
        for _ in range(LONGEST):
            waiting = world.waiting
            turn = waiting.seat
            if turn is None:
                assert type(waiting) is Over
                if waiting.winner is None:
                    return 1.0 / len(world.seats)
                return float(waiting.winner in (seat, self.mate))
            if turn != seat:
                others = True
            elif others and type(waiting) is Free:
                turns -= 1
                if not turns:
                    return self._worth(world)
                others = False
            world.play(turn, quick(world, turn, self.weights))
        return 1.0 / len(world.seats)

    def _worth(self, world: Round) -> float:
        mine = chance(world, self.seat, self.mate)
        if self.mate is None:
            return mine
        # As good as independent, for want of something better.
        return 1.0 - (1.0 - mine) * (1.0 - chance(world, self.mate, self.seat))


def quick(world: Round, seat: int, weights: Weights) -> Action:
    """What a sensible player would do, found in a hurry."""
    hand = world.hands[seat]
    moves = world.moves(seat)
    size = len(hand) - 1
    fits = world.fits
    free = type(world.waiting) is Free
    best: Action | None = None
    top = -math.inf
    count: dict[str | None, int] = {}
    for card in hand:
        colour = card.colour
        count[colour] = count.get(colour, 0) + 1
    wilds = count.get(None, 0)
    for move in moves:
        if type(move) is not Play or (free and not fits(move.card)):
            continue
        if not size:
            return move
        card = move.card
        rank = card.rank
        if card.colour is None:
            same = count.get(move.colour, 0)
            worth = -(weights.fours if rank == DRAW_FOUR else weights.wilds)
            worth += weights.share * (same + wilds - 1) / size + weights.same * min(same, 4)
            if rank == DRAW_FOUR:
                worth += 0.35
                if world.colour in count and world.rules["challenge"]:
                    worth -= BLUFFS
        else:
            same = count[card.colour] - 1
            worth = weights.share * (same + wilds) / size + weights.same * min(same, 4)
            if not same:
                worth -= weights.colours
            if card.number is None:
                worth -= weights.twos if rank == DRAW_TWO else weights.symbols
                worth += 0.3 if rank in _HINDERS and _near(world, seat) else 0.1
        if move.player is not None:
            worth += 0.15 * (size - len(world.hands[move.player]))
        if worth > top:
            best, top = move, worth
    if best is not None:
        return best
    if CHALLENGE in moves and _doubts(world):
        return CHALLENGE
    for move in moves:
        if move in (DRAW, PASS, ACCEPT):
            return move
    # A colour is owed.
    return max(moves, key=lambda each: count.get(each.colour, 0) if type(each) is Choose else -1)


def _doubts(world: Round) -> bool:
    """Whether a Wild Draw Four is doubted. Always, so that the own bluff never comes free: who
    looked at the opener's hand, which lies open here, would know more than anybody at the table.
    With one card left it is hardly ever one.
    """
    waiting = world.waiting
    assert type(waiting) is Answer
    return len(world.hands[waiting.opener]) > 1


_HINDERS = frozenset({SKIP, REVERSE, DRAW_TWO})


def _near(world: Round, seat: int) -> bool:
    return len(world.hands[world.next_to(seat)]) <= 2
