"""Figures that somebody else has counted, as a check from outside.

The players are random: every play that is possible (each colour of a wild is one) is as likely
as any other, a Wild Draw Four is played only when it is legal, one draws only when nothing can be
played, and of a drawn card each play and keeping it are equally likely. Nobody challenges or
catches. A decision is a free turn: what becomes of a drawn card and taking the four cards are
not counted again. Seats are counted from the dealer's left.

``PENULTIMA_STATISTICS=60000`` plays as many rounds as the figures come from,
``PENULTIMA_STATISTICS_SEED=...`` other ones.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import NamedTuple

import pytest

from penultima.engine.actions import ACCEPT, DRAW, Action, Play
from penultima.engine.cards import DRAW_FOUR, points
from penultima.engine.round import Round
from penultima.engine.rules import Rules
from penultima.engine.shuffle import Shuffles
from penultima.engine.waiting import Answer, Drawn, Free

ROUNDS = int(os.environ.get("PENULTIMA_STATISTICS", "2500"))
SEED = os.environ.get("PENULTIMA_STATISTICS_SEED", "penultima").encode()
CLASSIC = Rules.of()
PUBLISHED_ROUNDS = 60_000


class Figures(NamedTuple):
    decisions: float
    points: float
    wins: tuple[float, ...]


PUBLISHED = {
    2: Figures(54.1, 45.0, (50.4, 49.6)),
    3: Figures(52.2, 77.6, (33.8, 33.3, 33.0)),
    4: Figures(55.2, 115.9, (26.1, 25.3, 24.5, 24.2)),
}


def decide(now: Round, seat: int, rng: random.Random) -> Action:
    moves = now.moves(seat)
    if type(now.waiting) is Answer:
        return ACCEPT
    if type(now.waiting) is Free:
        bluff = any(held.colour == now.colour for held in now.hands[seat])
        plays = [
            each
            for each in moves
            if type(each) is Play and not (bluff and each.card.rank == DRAW_FOUR)
        ]
        return rng.choice(plays) if plays else DRAW
    assert type(now.waiting) is Drawn or now.colour is None
    return rng.choice(moves)


def deal(players: int, number: int) -> Round:
    return Round.deal(CLASSIC, range(players), players - 1, Shuffles(SEED, number))


def near(values: Sequence[float], wanted: float, rounding: float) -> None:
    """The mean is within four sigma of a figure that is a mean of a sample itself."""
    sigma = stdev(values) * sqrt(1 / len(values) + 1 / PUBLISHED_ROUNDS)
    off = abs(fmean(values) - wanted)
    assert off < 4 * sigma + rounding, f"{fmean(values):.3f}, not {wanted} (sigma {sigma:.3f})"


@pytest.mark.slow
@pytest.mark.timeout(120 + ROUNDS)
@pytest.mark.parametrize("players", PUBLISHED)
def test_random_rounds_are_as_long_and_worth_as_much_as_elsewhere(players: int) -> None:
    rng = random.Random(SEED + bytes([players]))
    decisions, worth, winners = [], [], []
    for number in range(ROUNDS):
        now = deal(players, number)
        count = 0
        while not now.over:
            seat = now.turn
            assert seat is not None
            count += type(now.waiting) is Free
            now.play(seat, decide(now, seat, rng))
        _, winner, why = now.waiting  # type: ignore[misc]
        assert why == "won"
        decisions.append(count)
        worth.append(sum(points(hand) for hand in now.hands))
        winners.append(winner)
    wanted = PUBLISHED[players]
    near(decisions, wanted.decisions, 0.05)
    near(worth, wanted.points, 0.05)
    for seat, share in enumerate(wanted.wins):
        near([100.0 * (winner == seat) for winner in winners], share, 0.05)


@pytest.mark.timeout(120 + ROUNDS / 20)
def test_the_first_card_that_stays_is_a_number_as_often_as_it_should() -> None:
    """76 of the 104 cards that are no Wild Draw Four."""
    number = max(ROUNDS, 5000)
    kinds = Counter(deal(2, each).discard[0].rank in "0123456789" for each in range(number))
    chance = 76 / 104
    assert abs(kinds[True] / number - chance) < 4 * sqrt(chance * (1 - chance) / number)


@pytest.mark.timeout(120 + ROUNDS / 20)
def test_a_dealt_hand_is_worth_what_the_deck_says() -> None:
    """Seven of 108 cards that are worth 1,240 together."""
    hands = [
        points(now.hands[each])
        for number in range(max(ROUNDS // 2, 2500))
        for now in (deal(4, number),)
        for each in (1, 2)
        if len(now.hands[each]) == 7
    ]
    exact = 7 * 1240 / 108
    assert round(exact, 2) == 80.37
    assert abs(fmean(hands) - exact) < 4 * stdev(hands) / sqrt(len(hands))
