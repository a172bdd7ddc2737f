"""How a round stands for the seat in turn, when all the cards are on the table.

For worlds that a bot has made up (``worlds.py``): there the others' hands can be looked at, so this
knows more than any ``Judge`` may, in fewer numbers. A moment is described by :class:`Own` for the
seat in turn and by :class:`Foe` for each other side; the weights are those of a logistic
regression of "this seat wins the round" (docs/bots.md says how to repeat it).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from operator import mul
from typing import Final, NamedTuple

from penultima.engine.cards import DRAW_FOUR, DRAW_TWO, Card
from penultima.engine.round import Round


class Own(NamedTuple):
    """The hand of the seat in turn. "Fits" is: on what lies there now."""

    always: float
    cards: float
    one: float
    """One card is left, and it does not fit; two cards; three."""
    two: float
    three: float
    few: float
    """One in so many cards: 0.5 with two of them."""
    none_fits: float
    one_fits: float
    two_both_fit: float
    two_follow: float
    """Two cards, of which one fits now and the other goes on it."""
    three_fit: float
    """Of three cards, how many fit."""
    wilds: float
    fours: float
    twos: float
    symbols: float
    colours: float


class Foe(NamedTuple):
    """Another hand."""

    cards: float
    one: float
    two: float
    three: float
    fits: float
    """The part of it that fits on what lies there now; the same with one card, with two."""
    one_fits: float
    two_fits: float
    wilds: float
    twos: float
    symbols: float


class Standing(NamedTuple):
    """The weights: of the own hand, of the next foe, of those between, and of the last before.

    ``foes`` is how many there were where these were learnt.
    """

    foes: int
    own: Own
    following: Foe
    between: Foe
    before: Foe


_NOBODY: Final = Foe(*[0.0] * len(Foe._fields))

STANDING_DUEL: Final = Standing(
    foes=1,
    own=Own(
        always=0.453,
        cards=-0.130,
        one=-0.325,
        two=-0.077,
        three=-0.086,
        few=0.586,
        none_fits=-0.311,
        one_fits=-0.057,
        two_both_fit=0.093,
        two_follow=1.215,
        three_fit=0.139,
        wilds=0.435,
        fours=0.790,
        twos=0.336,
        symbols=0.153,
        colours=-0.178,
    ),
    following=Foe(
        cards=0.154,
        one=-0.435,
        two=-0.141,
        three=-0.096,
        fits=-0.332,
        one_fits=-0.925,
        two_fits=-0.389,
        wilds=-0.592,
        twos=-0.338,
        symbols=-0.138,
    ),
    between=_NOBODY,
    before=_NOBODY,
)
"""Two players."""

STANDING_TABLE: Final = Standing(
    foes=3,
    own=Own(
        always=-0.962,
        cards=-0.174,
        one=-0.739,
        two=-0.025,
        three=0.002,
        few=1.760,
        none_fits=-0.543,
        one_fits=-0.115,
        two_both_fit=0.154,
        two_follow=0.695,
        three_fit=0.093,
        wilds=0.420,
        fours=0.552,
        twos=0.155,
        symbols=0.015,
        colours=-0.006,
    ),
    following=Foe(
        cards=0.035,
        one=-0.450,
        two=-0.238,
        three=-0.169,
        fits=-0.148,
        one_fits=-0.817,
        two_fits=-0.230,
        wilds=-0.099,
        twos=-0.055,
        symbols=0.008,
    ),
    between=Foe(
        cards=0.036,
        one=-0.408,
        two=-0.117,
        three=-0.052,
        fits=-0.157,
        one_fits=-0.473,
        two_fits=-0.139,
        wilds=-0.089,
        twos=0.188,
        symbols=0.068,
    ),
    before=Foe(
        cards=0.073,
        one=-0.439,
        two=-0.158,
        three=-0.084,
        fits=-0.125,
        one_fits=-0.330,
        two_fits=-0.042,
        wilds=-0.334,
        twos=-0.285,
        symbols=-0.086,
    ),
)
"""Three and more."""


def own(hand: Sequence[Card], colour: str | None, rank: str) -> list[float]:
    """The numbers of :class:`Own` for ``hand``, when that colour and rank lie there."""
    count = len(hand)
    fit = wilds = fours = twos = symbols = 0
    held = set()
    for card in hand:
        kind = card.rank
        if card.colour is None:
            fit += 1
            if kind == DRAW_FOUR:
                fours += 1
            else:
                wilds += 1
            continue
        held.add(card.colour)
        if card.colour == colour or kind == rank:
            fit += 1
        if card.number is None:
            if kind == DRAW_TWO:
                twos += 1
            else:
                symbols += 1
    return [
        1.0, count, count == 1, count == 2, count == 3, 1.0 / count, not fit, fit == 1,
        count == 2 and fit == 2, count == 2 and _follow(hand, colour, rank),
        fit if count == 3 else 0, wilds, fours, twos, symbols, len(held),
    ]  # fmt: skip


def _follow(hand: Sequence[Card], colour: str | None, rank: str) -> bool:
    """Whether one of two cards fits and the other goes on it."""
    one, other = hand
    if one.colour is None or other.colour is None:
        # A wild fits, and gets the other's colour; on anything that fits it goes itself.
        return True
    if one.colour != other.colour and one.rank != other.rank:
        return False
    return any(card.colour == colour or card.rank == rank for card in hand)


def foe(hand: Sequence[Card], colour: str | None, rank: str) -> list[float]:
    """The numbers of :class:`Foe`."""
    count = len(hand)
    fit = wilds = twos = symbols = 0
    for card in hand:
        if card.colour is None:
            wilds += 1
            fit += 1
            continue
        kind = card.rank
        if card.colour == colour or kind == rank:
            fit += 1
        if card.number is None:
            if kind == DRAW_TWO:
                twos += 1
            else:
                symbols += 1
    part = fit / count
    one, two = count == 1, count == 2
    return [
        count, one, two, count == 3, part, part if one else 0.0, part if two else 0.0,
        wilds, twos, symbols,
    ]  # fmt: skip


def moment(world: Round, seat: int, mate: int | None = None) -> list[list[float]]:
    """The numbers of :class:`Own`, then those of :class:`Foe` for each foe in the order of play."""
    colour, rank = world.colour, world.discard[-1].rank
    seats = world.seats
    at = seats.index(seat)
    order = seats[at + 1 :] + seats[:at]
    if world.direction != 1:
        order = order[::-1]
    hands = world.hands
    described = [own(hands[seat], colour, rank)]
    described += [foe(hands[other], colour, rank) for other in order if other != mate]
    return described


def chance(world: Round, seat: int, mate: int | None = None) -> float:
    """The chance that ``seat`` wins the round, when it is its turn and it is free to play."""
    hand = world.hands[seat]
    if len(hand) == 1 and world.fits(hand[0]):
        return 1.0
    mine, *foes = moment(world, seat, mate)
    last = len(foes) - 1
    weights = STANDING_TABLE if last else STANDING_DUEL
    odds: float = sum(map(mul, weights.own, mine)) + math.log(weights.foes / len(foes))
    for place, described in enumerate(foes):
        if not place:
            odds += sum(map(mul, weights.following, described))
        elif place == last:
            odds += sum(map(mul, weights.before, described))
        else:
            # With more than four at the table, what one of them is on average.
            odds += sum(map(mul, weights.between, described)) / (last - 1)
    return 1.0 / (1.0 + math.exp(-odds))
