"""What the judge of plays holds dear, in cards: 1.0 is as good as having one card less."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Weights:
    """Found by seeded tournaments (docs/bots.md); a test holds the result, not the numbers."""

    wild: float = 1.1
    """Keeping a Wild for later."""
    draw_four: float = 1.0
    symbol: float = 0.1
    """Keeping a Skip, Reverse or Draw Two."""
    wild_last: float = 0.8
    """That a last card will fit, whatever lies there."""
    colour: float = 0.18
    """Each card left of the colour that play goes on with."""
    share: float = 0.6
    """The part of the hand that is of that colour or wild."""
    same_rank: float = 0.1
    """Each card left of the rank that play goes on with."""
    deny: float = 0.5
    """That the next player has to draw, the more the fewer cards it has."""
    skip: float = 0.35
    """A foe losing a turn."""
    hit: float = 0.45
    """A foe drawing a card, divided by the number of foes."""
    points: float = 0.01
    """A point put down, the more the nearer somebody is to the end."""
    tempo: float = 0.8
    """Being in turn again at once."""
    bluff: float = 0.8
    """The risk of a Wild Draw Four that can be challenged with success."""
    draw: float = 0.7
    """What drawing a card costs beyond the card."""


NORMAL = Weights()

DANGER = (0.0, 1.6, 0.7, 0.3, 0.1, *[0.0] * 220)
"""How near to going out a hand of 0, 1, 2, ... cards is; more than four are no danger yet."""
