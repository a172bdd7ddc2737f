"""Playing on from a world that might be: quick players, and what a moment is worth.

A rollout ends at the own next turn after somebody else has acted, where the weights say how good
the best of the own plays would be: short enough to be cheap, long enough to see the answers.
"""

from __future__ import annotations

import math

from penultima.bots.judge import Judge
from penultima.bots.memory import Memory
from penultima.bots.weights import Weights
from penultima.engine.actions import ACCEPT, DRAW, PASS, Action, Choose, Play
from penultima.engine.cards import DRAW_FOUR, DRAW_TWO, REVERSE, SKIP
from penultima.engine.round import Round
from penultima.engine.view import View
from penultima.engine.waiting import Answer, Drawn, Free, Over

TURNS = 2
"""How many own turns later a rollout ends."""
LONGEST = 60
"""Turns after which a rollout is called undecided; only odd rules ever get there."""

_NOTHING = Memory()


def seen_in(world: Round, seat: int) -> View:
    """The view of ``seat`` in a world; what no judge asks for is left empty."""
    waiting = world.waiting
    kind = type(waiting)
    return View(
        seat, world.rules, (), (0,) * len(world.hands), 1, world.dealer, (), None, world.seats,
        tuple(map(len, world.hands)), waiting.seat,
        "drawn" if kind is Drawn else "answer" if kind is Answer else "free",
        world.colour, world.direction, len(world.pile), tuple(world.discard[-1:]),
        waiting.count if type(waiting) is Answer else 0, None, False,
        frozenset(), frozenset(), world.newest, tuple(world.hands[seat]), (), None, None,
    )  # fmt: skip


class KnowingJudge(Judge):
    """Judges in a world, where the others' cards are there to be looked at."""

    def __init__(self, world: Round, seat: int, weights: Weights) -> None:
        super().__init__(seen_in(world, seat), _NOTHING, weights)
        self._hands = world.hands

    def holds(self, seat: int, colour: str) -> float:
        return float(any(card.colour == colour for card in self._hands[seat]))


class Rollouts:
    """Rollouts for ``seat``, whose side wins or not."""

    def __init__(self, seat: int, mate: int | None, weights: Weights, bias: float) -> None:
        self.seat = seat
        self.mate = mate
        self.weights = weights
        self.bias = bias

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
            if turn == seat and type(waiting) in (Free, Drawn):
                best, score = self._own(world)
                turns -= others
                if not turns:
                    return 1.0 / (1.0 + math.exp(-score - self.bias)) if score < 500 else 1.0
                others = False
                world.play(seat, best)
                continue
            others = others or turn != seat
            world.play(turn, quick(world, turn, self.weights))
        return 1.0 / len(world.seats)

    def _own(self, world: Round) -> tuple[Action, float]:
        """The own best play and its worth."""
        judge = KnowingJudge(world, self.seat, self.weights)
        drawn = type(world.waiting) is Drawn
        best: Action = PASS if drawn else DRAW
        score = judge.score_keeping(0.0 if drawn else 1.0)
        fits = world.fits
        for each in world.moves(self.seat):
            if type(each) is Play and fits(each.card):
                value = judge.score(each)
                if value > score:
                    best, score = each, value
        return best, score


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
    for move in moves:
        if move in (DRAW, PASS, ACCEPT):
            return move
    # A colour is owed.
    return max(moves, key=lambda each: count.get(each.colour, 0) if type(each) is Choose else -1)


_HINDERS = frozenset({SKIP, REVERSE, DRAW_TWO})


def _near(world: Round, seat: int) -> bool:
    return len(world.hands[world.next_to(seat)]) <= 2
