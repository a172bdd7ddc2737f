"""Whether to challenge a Wild Draw Four: how likely the opener had the colour."""

from __future__ import annotations

from penultima.bots.memory import Memory, Trace, holds, shares
from penultima.bots.player import partner
from penultima.engine.view import View

TEMPTED = 0.25
"""How often a player who need not plays a Wild Draw Four, before any was challenged."""
DRIVEN = 0.6
"""How often one who has nothing of the colour plays it."""


def bluff(view: View, memory: Memory) -> float:
    """The likelihood that the opener held a card of the colour in force before."""
    opener = view.opener
    assert opener is not None
    colour = memory.before_four
    count = view.counts[opener]
    trace = memory.traces.get(opener)
    if colour is None:
        had = 1.0 - 0.77**count
    else:
        had = holds(trace, count, colour, shares(view)[colour])
    if view.rules["bluff_basis"] == "colour_or_symbol":
        had = 1.0 - (1.0 - had) * 0.93**count
    if had >= 1.0 and _certain(trace, colour):
        return 1.0
    # Two of three challenges that failed make one careful; two that held make one bold.
    tempted = (TEMPTED * 4 + memory.bluffs) / (4 + memory.challenged)
    yes, no = had * tempted, (1.0 - had) * DRIVEN
    return yes / (yes + no) if yes + no else 0.0


def _certain(trace: Trace | None, colour: str | None) -> bool:
    return trace is not None and any(card.colour == colour for card in trace.cards)


def worth_it(view: View, memory: Memory) -> bool:
    """Whether a challenge loses fewer cards than accepting, on average.

    Accepting costs the sum and the turn. A challenge that fails costs two more; one that holds
    gives the opener the sum and keeps the turn.
    """
    assert view.opener is not None
    if view.opener in (view.seat, partner(view)):
        return False
    foes = max(1, len(view.seats) - 1)
    total = view.pending
    turn = 1.0
    gain = total + turn + total / foes
    near = 1.5 if view.counts[view.opener] <= 2 else 0.0
    return bluff(view, memory) * (gain + 2.0 + near) > 2.0
