"""Rounds to the end of a match: dealer, scores, who is in, the pause.

``Match`` is what a table, a ``.partida`` and a practice game play: every action of a seat goes
through :meth:`Match.play`, so a paused match refuses everything in one place (RULES 9.1).
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from penultima.engine.actions import Action
from penultima.engine.cards import DECKS, Card
from penultima.engine.errors import Refused
from penultima.engine.events import (
    DealerDrawn,
    Eliminated,
    Event,
    MatchEnded,
    Scored,
)
from penultima.engine.position import Position
from penultima.engine.round import Round
from penultima.engine.rules import Rules
from penultima.engine.scoring import Side, gains, sides, standing
from penultima.engine.shuffle import Shuffles
from penultima.engine.view import View, everybodys, own, view
from penultima.engine.waiting import Over


class Outcome(NamedTuple):
    """How the last round ended. ``why``: ``won``, ``blocked`` or ``void``; the rest by seat."""

    winner: int | None
    points: int
    gained: tuple[int, ...]
    hands: tuple[tuple[Card, ...], ...]
    why: str


IN, OUT, NEXT, ELIMINATED = "in", "out", "next", "eliminated"
"""What a seat is: dealt in; taken out by the host; dealt in from the next round; beaten."""


class Match:
    """A match of two to ten seats.

    ``names`` are by seat and keep their order. ``seed`` decides every shuffle and nothing else
    does. Raises :class:`~penultima.engine.errors.RulesError` when that many cannot play so.
    """

    def __init__(self, rules: Rules, names: Sequence[str], *, seed: bytes | None) -> None:
        rules.check(len(names))
        self.rules = rules
        self.names = list(names)
        self.seed = seed
        self.scores = [0] * len(self.names)
        self.status = [IN] * len(self.names)
        self.dealer = len(self.names) - 1
        self.round: Round | None = None
        self.round_number = 0
        self.winners: tuple[int, ...] = ()
        self.outcome: Outcome | None = None
        self.paused: frozenset[str] = frozenset()
        self._sides: list[Side] = []
        """Who competes in the round that is on: those dealt in, also if taken out since."""
        self._newcomers: set[int] = set()

    @classmethod
    def from_position(
        cls,
        position: Position,
        names: Sequence[str],
        scores: Sequence[int] | None = None,
        seed: bytes | None = None,
    ) -> Match:
        """A match whose first round stands at ``position``."""
        self = cls(position.rules, names, seed=seed)
        if scores is not None:
            self.scores = list(scores)
        self.dealer = position.dealer
        self.round_number = 1
        shuffle = None if seed is None else Shuffles(seed, 1)
        self.round = Round.from_position(position, shuffle)
        self.status = [IN if seat in self.round.seats else OUT for seat in range(len(names))]
        self._sides = sides(self.rules, range(len(names)))
        return self

    # --- rounds

    def start(self, dealer: int | None = None) -> list[Event]:
        """The first round; without ``dealer`` everybody draws for the deal (RULES 2.2)."""
        if self.round is not None:
            raise Refused("bad_move")
        events: list[Event] = []
        self.dealer = self._draw_for_deal(events) if dealer is None else dealer
        return events + self._deal()

    def _draw_for_deal(self, events: list[Event]) -> int:
        shuffle = self._shuffles(0)
        contenders = [seat for seat, status in enumerate(self.status) if status == IN]
        while len(contenders) > 1:
            pile = list(DECKS[self.rules.number("deck")])
            shuffle(pile)
            drawn = {seat: pile.pop() for seat in contenders}
            events += [DealerDrawn(seat, card) for seat, card in drawn.items()]
            best = max(card.number or 0 for card in drawn.values())
            contenders = [s for s, card in drawn.items() if (card.number or 0) == best]
        return contenders[0]

    def next_round(self) -> list[Event]:
        """The host starts the next round (RULES 6.8); the deal passes to the left (2.3).

        Refused while a round is on (``bad_move``), when the match is over (``round_over``) or
        paused; :class:`~penultima.engine.errors.RulesError` if those now in cannot play so.
        """
        if self.paused:
            raise Refused("paused")
        if self.winners:
            raise Refused("round_over")
        if self.round is None or not self.round.over:
            raise Refused("bad_move")
        status = [IN if each == NEXT else each for each in self.status]
        self.rules.check(status.count(IN))
        self.status = status
        blocked = self.outcome is not None and self.outcome.why == "blocked"
        if not (blocked and status[self.dealer] == IN):
            self.dealer = self._left_in(self.dealer)
        return self._deal()

    def _left_in(self, seat: int) -> int:
        count = len(self.names)
        return next(
            at % count for at in range(seat + 1, seat + 1 + count) if self.status[at % count] == IN
        )

    def _deal(self) -> list[Event]:
        self.round_number += 1
        self.outcome = None
        seats = [seat for seat, status in enumerate(self.status) if status == IN]
        self._sides = sides(self.rules, seats)
        self._even_out()
        self.round = Round.deal(
            self.rules,
            seats,
            self.dealer,
            self._shuffles(self.round_number),
            places=len(self.names),
            number=self.round_number,
        )
        return self.round.events

    def _even_out(self) -> None:
        """Newcomers get the score they begin with (RULES 9.4), partners have one score (6.7)."""
        for seat in sorted(self._newcomers):
            self.scores[seat] = self._first_score(seat)
        self._newcomers = set()
        for side in self._sides:
            if len(side) > 1:
                best = max(self.scores[each] for each in side)
                for seat in side:
                    self.scores[seat] = best

    def _first_score(self, newcomer: int) -> int:
        if self.rules["scoring"] not in {"low", "elimination"}:
            return 0
        # The beaten do not count: nobody joins to be out at once.
        others = [
            score
            for seat, score in enumerate(self.scores)
            if seat not in self._newcomers | {newcomer} and self.status[seat] in {IN, NEXT}
        ]
        return max(others, default=0)

    def _shuffles(self, round_number: int) -> Shuffles:
        if self.seed is None:
            raise ValueError("a match without a seed cannot deal")
        return Shuffles(self.seed, round_number)

    # --- actions

    def play(self, seat: int, action: Action) -> list[Event]:
        """Carry out what ``seat`` asks. :class:`Refused` changes nothing."""
        now = self.round
        if self.paused:
            raise Refused("paused")
        if now is None:
            raise Refused("round_over")
        events = now.play(seat, action)
        if now.waiting.seat is None:
            events += self._settle()
        return events

    def legal(self, seat: int) -> tuple[Action, ...]:
        """Exactly what :meth:`play` takes from ``seat`` now."""
        return () if self.paused or self.round is None else self.round.legal(seat)

    def why_not(self, seat: int, action: Action) -> str | None:
        """The code :meth:`play` would refuse with, ``None`` if it would take the action."""
        if self.paused:
            return "paused"
        return "round_over" if self.round is None else self.round.why_not(seat, action)

    def _settle(self) -> list[Event]:
        """Count the points of the round just over and look whether the match is decided."""
        assert self.round is not None
        assert type(self.round.waiting) is Over
        _, winner, why = self.round.waiting
        # Who has come while the round was on has no place in it.
        missing = len(self.names) - len(self.round.hands)
        hands = tuple(tuple(hand) for hand in [*self.round.hands, *[[]] * missing])
        worth, gained = gains(self.rules, winner, hands, self._sides)
        self.scores = [score + gain for score, gain in zip(self.scores, gained, strict=True)]
        self.outcome = Outcome(winner, worth, gained, hands, why)
        events: list[Event] = [Scored(winner, worth, gained, tuple(self.scores))]
        if why == "won":
            self.winners, out = standing(self.rules, self.scores, self._competing())
            for seat in out:
                self.status[seat] = ELIMINATED
                events.append(Eliminated(seat))
        elif why == "void":
            left = self.round.seats[0]
            self.winners = next(side for side in self._sides if left in side)
        if self.winners:
            events.append(MatchEnded(self.winners))
        return events

    def _competing(self) -> list[Side]:
        """The sides of which somebody is still in, or will be again."""
        still = {IN, NEXT}
        return [side for side in self._sides if any(self.status[seat] in still for seat in side)]

    @property
    def between(self) -> bool:
        """A round is over and the match goes on."""
        return self.round is not None and self.round.over and not self.winners

    # --- seats

    def take_out(self, seat: int) -> list[Event]:
        """The host takes a seat out (RULES 9.3); it may :meth:`rejoin` for the next round."""
        if self.status[seat] in (OUT, ELIMINATED):
            return []
        self.status[seat] = OUT
        now = self.round
        if now is None or type(now.waiting) is Over:
            return []
        events = now.take_out(seat)
        return events + self._settle() if now.over else events

    def join(self, name: str) -> int:
        """A new seat, dealt in with the next round (RULES 9.4). ``bad_move`` when ten sit."""
        if len(self.names) >= 10:
            raise Refused("bad_move")
        seat = len(self.names)
        self.names.append(name)
        self.status.append(NEXT)
        self.scores.append(0)
        self.scores[seat] = self._first_score(seat)
        self._newcomers.add(seat)
        return seat

    def rejoin(self, seat: int) -> None:
        """A seat taken out is dealt in again with the next round, with the score it had."""
        if self.status[seat] == OUT:
            self.status[seat] = NEXT

    # --- pause and rules

    def pause(self, reason: str) -> None:
        """Until :meth:`resume` of the same reason everything is refused with ``paused``."""
        self.paused |= {reason}

    def resume(self, reason: str) -> None:
        """That reason holds no more; one that did not hold is none."""
        self.paused -= {reason}

    def change_rules(self, rules: Rules) -> None:
        """Other rules from the next round on. ``bad_move`` while a round is on."""
        if self.round is not None and not self.round.over:
            raise Refused("bad_move")
        rules.check(sum(status in (IN, NEXT) for status in self.status))
        self.rules = rules

    # --- looking

    def view(self, seat: int | None) -> View:
        """What ``seat`` may know; ``None``: what everybody may (RULES 11)."""
        return view(self, seat)

    def plain(self, seat: int | None) -> dict[str, Any]:
        """The same as the protocol's fields (docs/protocol.md 5)."""
        return everybodys(self) | ({} if seat is None else own(self, seat))

    def digest(self) -> str:
        """A hash of the state of the game: equal states, equal digests.

        A pause is left out: it says who is there, not how the game stands.
        """
        return hashlib.sha256(repr(self._state()).encode()).hexdigest()

    def _state(self) -> tuple[object, ...]:
        state: tuple[object, ...] = (
            str(self.rules),
            self.names,
            self.scores,
            self.status,
            self.dealer,
            self.round_number,
            self.winners,
            self.outcome,
            sorted(self._newcomers),
            self._sides,
        )
        if self.round is not None:
            now = self.round
            state += (
                # Each pile as one text: a hundred cards one by one would be most of the work.
                *map(_written, now.hands),
                _written(now.pile),
                _written(now.discard),
                now.colour,
                now.direction,
                now.seats,
                now.waiting,
                now.newest,
                sorted(now.exposed),
                sorted(now.called),
                now.shown,
                now.history(),
            )
        return state


def _written(cards: Iterable[Card]) -> str:
    return " ".join([card.text for card in cards])
