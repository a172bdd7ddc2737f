"""How good it is to put a card down, in one number, by every rule that may be on.

What a play leads to is described by what its own seat may know of it (``weights.Weights`` names
the description) and weighed. Not playing is described in the same way, so that the two compare.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import mul

from penultima.bots.memory import Memory, holds, shares
from penultima.bots.player import guilty, partner, passed_on
from penultima.bots.weights import Weights
from penultima.engine.actions import Play
from penultima.engine.cards import (
    CUSTOMS,
    DRAW_FOUR,
    DRAW_TWO,
    REVERSE,
    SHUFFLE_HANDS,
    SKIP,
    Card,
)
from penultima.engine.view import View

_OWN = Weights._fields.index("own")
_FEW = [Weights._fields.index(name) for name in ("own_one", "own_two", "own_three", "two_share")]
_MORE_WITH_CARDS = [Weights._fields.index(name) for name in ("same", "colours")]

WINS = 1000.0
CARD = 0.2
"""About what a card less is worth on the scale of the weights."""


class Judge:
    """Judges what is open to one seat in one moment."""

    def __init__(self, view: View, memory: Memory, weights: Weights) -> None:
        assert view.seat is not None
        self.view = view
        self.memory = memory
        self.weights = weights
        self.me: int = view.seat
        self.mate = partner(view)
        self.size = len(view.hand)
        self.foes = [s for s in view.seats if s not in (self.me, self.mate)]
        rules = view.rules
        self.number_last = rules["finish"] == "number"
        self.seven = bool(rules["seven_swap"])
        self.zero = bool(rules["zero_rotate"])
        self._shares: dict[str, float] | None = None
        self._holds: dict[tuple[int, str], float] = {}

    def holds(self, seat: int, colour: str) -> float:
        """The likelihood that ``seat`` has a card of that colour."""
        key = (seat, colour)
        known = self._holds.get(key)
        if known is None:
            if self._shares is None:
                self._shares = shares(self.view)
            known = self._holds[key] = holds(
                self.memory.traces.get(seat), self.view.counts[seat], colour, self._shares[colour]
            )
        return known

    def _weigh(self, described: list[float]) -> float:
        total: float = sum(map(mul, self.weights, described))
        return total

    # --- what is open

    def score(self, play: Play) -> float:
        """What ``play`` is worth."""
        if self.size == 1:
            return WINS
        described = self.after(play)
        return self._weigh(described) + self._besides(play)

    def score_keeping(self, cards: float = 0.0) -> float:
        """What it is worth not to play, and to draw so many cards."""
        described = self.after_keeping()
        if cards:
            described[_OWN] += cards
            for at in _FEW:
                described[at] = 0.0
            for at in _MORE_WITH_CARDS:
                described[at] += cards * 0.25
        return self._weigh(described)

    def after_keeping(self) -> list[float]:
        """The description of not playing."""
        view = self.view
        counts = list(view.counts)
        following = view.turn if view.turn is not None else self.me
        if following == self.me:
            following = self._after(self.me, view.direction)
        else:
            counts[following] += view.pending
        return self.describe(counts, view.hand, view.colour, view.discard[-1].rank, following)

    def score_colour(self, colour: str) -> float:
        """What that colour is worth, the card it is for being down."""
        view = self.view
        # After a first-card Wild whoever names the colour also begins (RULES 2.6).
        begins = view.newest is None
        following = self.me if begins else self._after(self.me, view.direction)
        described = self.describe(view.counts, view.hand, colour, "", following)
        return self._weigh(described)

    def after(self, play: Play) -> list[float]:
        """The description of what ``play`` leads to."""
        view = self.view
        card = play.card
        rank = card.rank
        counts = list(view.counts)
        counts[self.me] -= 1
        left: list[Card] | None = list(view.hand)
        assert left is not None
        left.remove(card)
        colour = play.colour if card.is_wild else card.colour
        following = self._lead(play, counts)
        if not self._keeps_hand(play, counts):
            left = None
        return self.describe(counts, left, colour, rank, following)

    def _lead(self, play: Play, counts: list[int]) -> int:
        """Who is next after ``play``; what the card makes others draw goes into ``counts``."""
        view = self.view
        rank = play.card.rank
        direction = view.direction
        if rank == REVERSE:
            if len(view.seats) == 2:
                return self.me
            direction = -direction
        following = self._after(self.me, direction)
        if view.turn not in (None, self.me, following) and self._goes_on():
            # What the cards of this run did before stands (RULES 7.10).
            assert view.turn is not None
            following = view.turn
        if rank == SKIP:
            return self._after(following, direction)
        if rank in (DRAW_TWO, DRAW_FOUR):
            counts[following] += view.pending + (2 if rank == DRAW_TWO else 4)
            return self._after(following, direction)
        if rank in CUSTOMS and view.rules[f"custom{rank[-1]}"] == "again":
            return self.me
        return following

    def _goes_on(self) -> bool:
        """Whether a play would be one more by whoever made the last one: a twin, a run."""
        newest = self.view.newest
        return newest is not None and newest[0] == self.me

    def _after(self, seat: int, direction: int) -> int:
        seats = self.view.seats
        return seats[(seats.index(seat) + direction) % len(seats)]

    def _keeps_hand(self, play: Play, counts: list[int]) -> bool:
        """Whether the own hand stays with its owner; ``counts`` become what they will be."""
        rank = play.card.rank
        other = play.player
        if rank == "7" and self.seven and other is not None:
            counts[self.me], counts[other] = counts[other], counts[self.me]
            return False
        if rank == "0" and self.zero:
            before = list(counts)
            for taker, giver in passed_on(self.view.seats, self.view.direction).items():
                counts[taker] = before[giver]
            return False
        if rank == SHUFFLE_HANDS:
            seats = self.view.seats
            total = sum(counts[seat] for seat in seats)
            for seat in seats:
                counts[seat] = round(total / len(seats))
            return False
        if rank in CUSTOMS:
            effect = self.view.rules[f"custom{rank[-1]}"]
            if effect == "all_draw":
                for seat in self.view.seats:
                    counts[seat] += seat != self.me
            elif effect == "draw_two" and other is not None:
                counts[other] += 2
            elif effect == "swap" and other is not None:
                counts[self.me], counts[other] = counts[other], counts[self.me]
                return False
        return True

    # --- describing

    def describe(
        self,
        counts: Sequence[int],
        hand: Sequence[Card] | None,
        colour: str | None,
        rank: str,
        following: int,
    ) -> list[float]:
        """The numbers that ``Weights`` names. Without ``hand`` it is an average one."""
        me, seats = self.me, self.view.seats
        own = counts[me]
        wilds = fours = symbols = twos = same = ranks = points = 0
        held_colours = set()
        share: float
        if hand is None:
            same_f, ranks_f = own * 0.23, own * 0.06
            share = 0.3
            about = [own * 0.05, own * 0.037, own * 0.15, own * 0.074, share, min(same_f, 4.0),
                     ranks_f, min(4.0, own * 0.8)]  # fmt: skip
            points_f = own * 11.5
        else:
            for card in hand:
                points += card.points
                kind = card.rank
                if card.colour is None:
                    if kind == DRAW_FOUR:
                        fours += 1
                    else:
                        wilds += 1
                    continue
                held_colours.add(card.colour)
                if card.colour == colour:
                    same += 1
                elif kind == rank:
                    ranks += 1
                if card.number is None:
                    if kind == DRAW_TWO:
                        twos += 1
                    else:
                        symbols += 1
            share = (same + wilds + fours) / len(hand) if hand else 0.0
            about = [wilds, fours, symbols, twos, share, min(same, 4), ranks, len(held_colours)]
            points_f = points
        at = seats.index(me)
        order = seats[at + 1 :] + seats[:at]
        if self.view.direction != 1:
            order = order[::-1]
        first = following if following in self.foes else -1
        if first < 0:
            first = next((seat for seat in order if seat in self.foes), -1)
        total = others_one = others_two = 0
        for seat in self.foes:
            count = counts[seat]
            total += count
            if seat != first:
                if count == 1:
                    others_one += 1
                elif count == 2:
                    others_two += 1
        near = counts[first] if first >= 0 else 9
        held = 0.0
        if following != me and following in self.foes:
            held = self.holds(following, colour) if colour is not None else 0.7
        again = following == me
        fits = again and (hand is None or bool(same or ranks or wilds or fours))
        lone = own == 1 and hand is not None
        return [
            own, own == 1, own == 2, own == 3, total / max(1, len(self.foes)),
            near == 1, near == 2, near == 3, others_one, others_two, again, fits,
            *about,
            lone and bool(wilds or fours), lone and same == 1, share if own == 2 else 0.0,
            held, held if near <= 2 else 0.0, points_f / 50,
        ]  # fmt: skip

    def _besides(self, play: Play) -> float:
        """What the weights do not know: the partner, house rules, the score."""
        view = self.view
        card = play.card
        rank = card.rank
        total = 0.0
        left: list[Card] | None = None
        if self.number_last:
            left = list(view.hand)
            left.remove(card)
            if not any(held.number is not None for held in left):
                total -= CARD * (3.0 if len(left) <= 2 else 1.0)
        if rank == DRAW_FOUR and not view.pending and view.rules["challenge"]:
            left = list(view.hand)
            left.remove(card)
            if guilty(view, left):
                total -= CARD * min(3.0, 1.0 + 0.3 * len(left))
        if self.mate is not None and self.mate in view.seats:
            total += self._partner(play, self.mate)
        if view.rules["scoring"] in ("low", "elimination"):
            total += CARD * card.points / 60
        elif len(self.foes) > 1:
            total += self._against_the_leader(play)
        return total

    def _against_the_leader(self, play: Play) -> float:
        """Of several foes, rather hit the one who needs the fewest points."""
        view = self.view
        counts = list(view.counts)
        self._lead(play, counts)
        self._keeps_hand(play, counts)
        target = view.rules.number("target")
        return sum(
            0.1 * CARD * (counts[seat] - view.counts[seat]) * min(1.0, view.scores[seat] / target)
            for seat in self.foes
        )

    def _partner(self, play: Play, mate: int) -> float:
        """How the partner fares: its cards count nearly like the own ones."""
        view = self.view
        counts = list(view.counts)
        counts[self.me] -= 1
        following = self._lead(play, counts)
        self._keeps_hand(play, counts)
        total = CARD * 0.7 * (view.counts[mate] - counts[mate])
        if self._passes_over(play, mate):
            total -= CARD * 2.0
        if following == mate and counts[mate] <= 2:
            total += CARD
        return total

    def _passes_over(self, play: Play, seat: int) -> bool:
        rank = play.card.rank
        following = self._after(self.me, self.view.direction)
        return rank in (SKIP, DRAW_TWO, DRAW_FOUR) and following == seat
