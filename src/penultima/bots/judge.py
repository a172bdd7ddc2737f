"""How good it is to put a card down, in one number, by every rule that may be on.

The number counts cards (``weights``): the own side having fewer, the others more, a turn lost or
won, a hand that will fit next time. Everything is judged from a view and a memory.
"""

from __future__ import annotations

from collections.abc import Mapping

from penultima.bots.memory import Memory, holds, shares
from penultima.bots.player import partner
from penultima.bots.weights import DANGER, Weights
from penultima.engine.actions import Play
from penultima.engine.cards import (
    CUSTOMS,
    DRAW_FOUR,
    DRAW_TWO,
    REVERSE,
    SHUFFLE_HANDS,
    SKIP,
    WILD,
    Card,
)
from penultima.engine.view import View

WINS = 1000.0


class Judge:
    """Judges the plays open to one seat in one moment."""

    def __init__(self, view: View, memory: Memory, weights: Weights) -> None:
        assert view.seat is not None
        self.view = view
        self.memory = memory
        self.w = weights
        self.me: int = view.seat
        self.mate = partner(view)
        self.hand = view.hand
        self.size = len(view.hand)
        rules = view.rules
        self.number_last = rules["finish"] == "number"
        self.challenge = bool(rules["challenge"])
        self.seven = bool(rules["seven_swap"])
        self.zero = bool(rules["zero_rotate"])
        self.stacking = rules["stacking"] != "off"
        self.low = rules["scoring"] in ("low", "elimination")
        self.two = len(view.seats) == 2
        self.foes = [s for s in view.seats if s not in (self.me, self.mate)]
        self.threats = {seat: self._threat(seat) for seat in self.foes}
        self.near = max((DANGER[view.counts[s]] for s in self.foes), default=0.0)
        self._shares: dict[str, float] | None = None
        self._holds: dict[tuple[int, str], float] = {}

    def _threat(self, seat: int) -> float:
        """How much it hurts if that foe goes out: more when it has, or takes, many points."""
        view = self.view
        score = view.scores[seat]
        target = view.rules.number("target")
        if view.rules["scoring"] == "points":
            return 1.0 + 0.5 * min(1.0, score / target)
        if self.low:
            least = min(view.scores[s] for s in self.foes)
            return 1.2 if score == least else 1.0
        return 1.0

    def holds(self, seat: int, colour: str) -> float:
        key = (seat, colour)
        known = self._holds.get(key)
        if known is None:
            if self._shares is None:
                self._shares = shares(self.view)
            known = self._holds[key] = holds(
                self.memory.traces.get(seat), self.view.counts[seat], colour, self._shares[colour]
            )
        return known

    # --- plays

    def score(self, play: Play) -> float:
        """What ``play`` is worth; letting it be is worth 0."""
        card = play.card
        if self.size == 1:
            return WINS
        left = list(self.hand)
        left.remove(card)
        colour = play.colour if card.is_wild else card.colour
        counts = list(self.view.counts)
        counts[self.me] -= 1
        kept = self._effect(play, counts)
        total = self._standing(counts) - self._standing(self.view.counts)
        total += self.w.points * card.points * (0.3 + self.near + self.low)
        if kept:
            total += self._keeping(card, left) + self._outlook(card.rank, colour, left)
        total += self._turn(play, colour, counts, left)
        return total

    def _standing(self, counts: Mapping[int, int] | list[int] | tuple[int, ...]) -> float:
        """How the numbers of cards are for the own side."""
        own = counts[self.me]
        total = -own + DANGER[own] * 0.5 if self.mate is None else 0.0
        if self.mate is not None and self.mate in self.view.seats:
            # A pair is as near to the end as the better of the two.
            best, other = sorted((own, counts[self.mate]))
            total = -0.8 * best - 0.4 * other
        each = self.w.hit / len(self.foes) if self.foes else 0.0
        for seat in self.foes:
            count = counts[seat]
            total += each * count - DANGER[count] * self.threats[seat] * 0.5
        return total

    def _keeping(self, card: Card, left: list[Card]) -> float:
        """What it costs not to have the card any more."""
        w = self.w
        size = len(left)
        cost = 0.0
        if card.is_wild:
            cost = w.draw_four if card.rank == DRAW_FOUR else w.wild
            # A wild is there to be used in the end, not to be found in the hand by others.
            cost *= 1.0 - 0.35 * min(1.0, self.near)
        elif card.number is None:
            cost = w.symbol
        if self.number_last and not any(held.number is not None for held in left):
            cost += 2.0 if size <= 2 else 0.8
        return -cost

    def _outlook(self, rank: str, colour: str | None, left: list[Card]) -> float:
        """How well the hand that is left goes on from that colour and rank."""
        w = self.w
        same = wilds = ranks = 0
        for held in left:
            if held.is_wild:
                wilds += 1
            elif held.colour == colour:
                same += 1
            elif held.rank == rank:
                ranks += 1
        size = len(left)
        total = w.colour * min(same, 4) + w.share * (same + wilds) / size + w.same_rank * ranks
        if size == 1 and wilds and not self.number_last:
            total += w.wild_last
        return total

    # --- what follows

    def _effect(self, play: Play, counts: list[int]) -> bool:
        """Change ``counts`` to what they are after the card; whether the own hand is kept."""
        rank = play.card.rank
        if rank == "7" and self.seven and play.player is not None:
            self._swap(play.player, counts)
            return False
        if rank == "0" and self.zero:
            before = list(counts)
            order = self.view.seats[:: self.view.direction]
            for giver, taker in zip(order, order[1:] + order[:1], strict=True):
                counts[taker] = before[giver]
            return False
        if rank == SHUFFLE_HANDS:
            total = sum(counts[seat] for seat in self.view.seats)
            for seat in self.view.seats:
                counts[seat] = round(total / len(self.view.seats))
            return False
        if rank in CUSTOMS:
            return self._custom(play, counts)
        return True

    def _custom(self, play: Play, counts: list[int]) -> bool:
        effect = self.view.rules[f"custom{play.card.rank[-1]}"]
        if effect == "all_draw":
            for seat in self.view.seats:
                if seat != self.me:
                    counts[seat] += 1
        elif effect == "draw_two" and play.player is not None:
            counts[play.player] += 2
        elif effect == "swap" and play.player is not None:
            self._swap(play.player, counts)
            return False
        return True

    def _swap(self, other: int, counts: list[int]) -> None:
        counts[self.me], counts[other] = counts[other], counts[self.me]

    def _turn(self, play: Play, colour: str | None, counts: list[int], left: list[Card]) -> float:
        """Whom the card hits, and who comes next with what it leaves."""
        view, w = self.view, self.w
        rank = play.card.rank
        direction = view.direction
        hit = 0
        passes = 0
        if rank == SKIP:
            passes = 1
        elif rank == REVERSE:
            direction = -direction
            passes = 1 if self.two else 0
        elif rank == DRAW_TWO:
            hit, passes = 2 + view.pending, 1
        elif rank == DRAW_FOUR:
            hit, passes = 4 + view.pending, 1
        elif rank in CUSTOMS and view.rules[f"custom{rank[-1]}"] == "again":
            return w.tempo * self._goes_on(rank, colour, left)
        following = self._after(self.me, direction)
        total = 0.0
        if hit:
            answers = 0.3 if self.stacking and rank in (DRAW_TWO, DRAW_FOUR) else 0.0
            total += (1.0 - answers) * self._hit(following, hit)
            if answers and self.two:
                # What is answered comes back.
                held = sum(card.rank == rank for card in left)
                total -= answers * (0.0 if held else 1.0)
        if passes:
            sign = -1.0 if following == self.mate else 1.0
            total += sign * w.skip * (1.0 + self._danger(following, counts))
            following = self._after(following, direction)
        if rank == DRAW_FOUR and self.challenge and not view.pending:
            total -= self._bluff_risk(left)
        if following == self.me:
            total += w.tempo * self._goes_on(rank, colour, left)
        elif following != self.mate:
            near = self._danger(following, counts)
            if colour is not None:
                total -= w.deny * (0.25 + near) * self.holds(following, colour)
            else:
                total -= w.deny * (0.25 + near) * 0.7
        elif colour is not None:
            total += w.deny * self._danger(following, counts) * self.holds(following, colour)
        return total

    def _after(self, seat: int, direction: int) -> int:
        seats = self.view.seats
        return seats[(seats.index(seat) + direction) % len(seats)]

    def _danger(self, seat: int, counts: list[int]) -> float:
        return DANGER[counts[seat]] * self.threats.get(seat, 1.0)

    def _hit(self, seat: int, count: int) -> float:
        before = list(self.view.counts)
        after = list(before)
        after[seat] += count
        return self._standing(after) - self._standing(before)

    def _goes_on(self, rank: str, colour: str | None, left: list[Card]) -> float:
        """Whether the hand that is left can be played from at once: 1 or less than 0."""
        for held in left:
            if held.is_wild or held.colour == colour or held.rank == rank:
                return 1.0
        return -0.4

    def _bluff_risk(self, left: list[Card]) -> float:
        view = self.view
        guilty = [card for card in left if card.colour is not None and card.colour == view.colour]
        if not guilty and view.rules["bluff_basis"] == "colour_or_symbol":
            guilty = [c for c in left if not c.is_wild and c.rank == view.top.rank]
        return self.w.bluff * min(1.0, 0.4 + 0.1 * len(left)) * 3 if guilty else 0.0

    # --- colours

    def colour(self, colour: str) -> float:
        """How good that colour is to go on with, the card itself being down."""
        view = self.view
        total = self._outlook(WILD, colour, list(self.hand)) if self.hand else 0.0
        following = self._after(self.me, view.direction)
        if following in self.foes:
            near = self._danger(following, list(view.counts))
            total -= self.w.deny * (0.25 + near) * self.holds(following, colour)
        return total
