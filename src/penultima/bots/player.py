"""What a bot is, and what it can ask of a view. How it thinks is in the module of its level."""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence

from penultima.engine.actions import CALL, Action, Catch, Play
from penultima.engine.cards import Card
from penultima.engine.events import Event
from penultima.engine.view import View


class Bot(ABC):
    """Plays one seat, from what that seat may know and nothing else.

    A level says with :meth:`turn` what to do in turn, and may with :meth:`wants` do what needs no
    turn: calls, catches, jump-ins, twins, runs. When, is the business of the table (RULES 5.5).
    """

    level: str

    def choose(self, view: View, rng: random.Random) -> Action | None:
        """One of ``view.legal``; ``None``, only out of turn, to let the moment pass.

        ``ValueError`` when there is nothing to choose from.
        """
        if not view.legal:
            raise ValueError("there is nothing to do")
        wanted = self.wants(view, rng)
        if wanted is not None or view.turn != view.seat:
            return wanted
        action = self.turn(view, rng)
        if isinstance(action, Play) and self.calls_before(view, rng):
            return CALL
        return action

    @abstractmethod
    def turn(self, view: View, rng: random.Random) -> Action:
        """A turn action, or the colour owed. Asked only in turn."""

    def wants(self, view: View, rng: random.Random) -> Action | None:  # noqa: ARG002
        """Something that needs no turn, if there is something worth doing."""
        return None

    def calls_before(self, view: View, rng: random.Random) -> bool:  # noqa: ARG002
        """Whether to call UNO before a play; asked when it is about to play."""
        return False

    # Who remembers nothing has nothing to say to these two.

    def watch(self, events: Sequence[Event], seat: int | None = None) -> None:  # noqa: B027
        """What happened, as ``seat`` may see it (``events.seen_by``)."""

    def forget(self) -> None:  # noqa: B027
        """Forget the round. A new deal that is watched does the same."""


def turn_actions(legal: Iterable[Action]) -> list[Action]:
    """Without calls and catches, which need no turn."""
    return [each for each in legal if each is not CALL and not isinstance(each, Catch)]


def plays(view: View) -> list[Play]:
    """The plays worth looking at: with ``misplay`` cards that do not fit are offered as well."""
    found = [each for each in view.legal if isinstance(each, Play)]
    if view.wait == "free" and view.turn == view.seat and view.rules["misplay"] != "reject":
        return [each for each in found if view.fits(each.card)]
    return found


def catches(view: View) -> list[Catch]:
    """The catches that do not hit the own side."""
    if not view.exposed:
        return []
    mate = partner(view)
    return [each for each in view.legal if isinstance(each, Catch) and each.player != mate]


def partner(view: View) -> int | None:
    """The seat opposite, when it plays for the same side (RULES 6.7)."""
    if view.seat is None or view.rules["teams"] != "pairs":
        return None
    return (view.seat + 2) % 4


def passed_on(seats: Sequence[int], direction: int) -> dict[int, int]:
    """Whose hand each seat has when all hands went on to the next player (RULES 7.6)."""
    givers = seats[::direction]
    return dict(zip((*givers[1:], *givers[:1]), givers, strict=True))


def decks(view: View) -> int:
    """How many whole decks are in the game (RULES 1.4), from all the cards that there are."""
    cards = view.pile + sum(view.counts) + len(view.discard)
    return max(1, round(cards / view.rules.number("deck")))


def guilty(view: View, hand: Iterable[Card]) -> bool:
    """Whether a Wild Draw Four out of this hand would be a bluff (RULES 4.1)."""
    ranks = view.rules["bluff_basis"] == "colour_or_symbol"
    return any(
        not card.is_wild
        and (card.colour == view.colour or (ranks and card.rank == view.discard[-1].rank))
        for card in hand
    )
