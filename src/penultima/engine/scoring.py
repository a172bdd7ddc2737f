"""Points after a round, and who has won the match (RULES 6.3-6.7).

Pure functions of hands and scores. ``sides`` are what competes: single seats, or pairs.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypeAlias

from penultima.engine.cards import Card, points
from penultima.engine.rules import Rules


class Gains(NamedTuple):
    """``points`` is what a claim ``= round`` names; ``gained`` is by seat."""

    points: int
    gained: tuple[int, ...]


Side: TypeAlias = tuple[int, ...]


def sides(rules: Rules, seats: Sequence[int]) -> list[Side]:
    """The competing sides among ``seats`` dealt in: partners sit opposite (RULES 6.7)."""
    if rules["teams"] == "pairs" and len(seats) == 4:
        return [tuple(seats[0::2]), tuple(seats[1::2])]
    return [(seat,) for seat in seats]


def gains(
    rules: Rules, winner: int | None, hands: Sequence[Sequence[Card]], competing: Sequence[Side]
) -> Gains:
    """What each seat writes down after a round; nothing when nobody won it.

    A seat taken out holds no cards any more and gains what its partner gains.
    """
    gained = [0] * len(hands)
    if winner is None:
        return Gains(0, tuple(gained))
    scoring = rules["scoring"]
    held = [sum([points(hands[seat]) for seat in side]) for side in competing]
    total = 0
    for side, own in zip(competing, held, strict=True):
        won = winner in side
        if scoring == "points":
            worth = sum(held) - own if won else 0
        elif scoring == "rounds":
            worth = int(won)
        else:
            worth = own
        for seat in side:
            gained[seat] = worth
        total += worth
    return Gains(0 if scoring == "rounds" else total, tuple(gained))


class Standing(NamedTuple):
    """``winners``: seats, empty while the match goes on. ``out``: seats eliminated just now."""

    winners: tuple[int, ...] = ()
    out: tuple[int, ...] = ()


def standing(rules: Rules, scores: Sequence[int], competing: Sequence[Side]) -> Standing:
    """Whether the match is decided among the sides by ``scores``."""
    scoring = rules["scoring"]
    if scoring == "rounds":
        return Standing()
    target = rules.number("target")
    reached = [side for side in competing if scores[side[0]] >= target]
    if not reached:
        return Standing()
    if scoring == "points":
        return Standing(winners=max(reached, key=lambda side: scores[side[0]]))
    if scoring == "low":
        return Standing(winners=_fewest(competing, scores)[1])
    left = [side for side in competing if side not in reached]
    if len(left) == 1:
        return Standing(winners=left[0], out=_seats(reached))
    if left:
        return Standing(out=_seats(reached))
    # All that were left reached it in one round: the fewest wins, those tied play on.
    fewest, winners = _fewest(reached, scores)
    return Standing(winners, _seats(side for side in reached if side not in fewest))


def _fewest(competing: Sequence[Side], scores: Sequence[int]) -> tuple[list[Side], Side]:
    least = min(scores[side[0]] for side in competing)
    fewest = [side for side in competing if scores[side[0]] == least]
    return fewest, fewest[0] if len(fewest) == 1 else ()


def _seats(competing: Iterable[Side]) -> tuple[int, ...]:
    return tuple(seat for side in competing for seat in side)
