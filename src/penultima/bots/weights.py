"""What the judge of plays looks at, and how much each thing counts.

A judged moment is a list of numbers, one for each field of :class:`Weights` and in that order.
The weights are the slopes of a logistic regression of "this seat wins the round" (docs/bots.md
says how to repeat it): one unit is a factor e on the odds.
"""

from __future__ import annotations

from typing import Final, NamedTuple


class Weights(NamedTuple):
    """One number for each thing that is looked at, after a play and what it causes."""

    own: float
    """Cards in the own hand."""
    own_one: float
    own_two: float
    own_three: float
    foes: float
    """Cards in the others' hands, on average."""
    next_one: float
    """The first foe to come has one card; two; three."""
    next_two: float
    next_three: float
    other_one: float
    """How many of the other foes have one card; two."""
    other_two: float
    again: float
    """In turn again at once."""
    again_fits: float
    """And with a card that goes on what lies there."""
    wilds: float
    """Wilds kept; Wild Draw Fours; Skips and Reverses; Draw Twos."""
    fours: float
    symbols: float
    twos: float
    share: float
    """The part of the hand that is of the colour in force, or wild."""
    same: float
    """How many cards of it, up to four."""
    ranks: float
    """Cards of other colours with the rank that lies on top."""
    colours: float
    """How many colours are held."""
    last_wild: float
    """The last card is a wild."""
    last_same: float
    """The last card is of the colour in force."""
    two_share: float
    """``share`` when two cards are left."""
    held: float
    """The likelihood that the next foe has the colour in force."""
    held_near: float
    """The same, when that foe has one or two cards."""
    points: float
    """Points in the own hand, in fifties."""


NORMAL_DUEL: Final = Weights(
    own=-0.112,
    own_one=0.215,
    own_two=0.008,
    own_three=0.049,
    foes=0.078,
    next_one=-0.805,
    next_two=-0.149,
    next_three=-0.131,
    other_one=-0.500,
    other_two=-0.200,
    again=-0.205,
    again_fits=0.241,
    wilds=0.257,
    fours=0.577,
    symbols=0.136,
    twos=0.341,
    share=0.401,
    same=-0.044,
    ranks=0.062,
    colours=-0.189,
    last_wild=1.443,
    last_same=1.045,
    two_share=0.438,
    held=-0.225,
    held_near=-0.605,
    points=-0.050,
)
"""Two players: being in turn again is common, and all that hurts the other helps."""

NORMAL_TABLE: Final = Weights(
    own=-0.173,
    own_one=0.643,
    own_two=0.221,
    own_three=0.062,
    foes=0.110,
    next_one=-0.721,
    next_two=-0.034,
    next_three=-0.122,
    other_one=-0.580,
    other_two=-0.189,
    again=0.100,
    again_fits=0.250,
    wilds=0.349,
    fours=0.441,
    symbols=0.059,
    twos=0.142,
    share=0.672,
    same=-0.118,
    ranks=0.019,
    colours=-0.020,
    last_wild=1.047,
    last_same=0.295,
    two_share=0.068,
    held=-0.136,
    held_near=-0.659,
    points=-0.050,
)
"""Three and more."""

BIAS_DUEL: Final = 0.45
BIAS_TABLE: Final = -0.77
"""What is added before a weight is read as a chance to win."""
