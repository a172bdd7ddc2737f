"""Calls, catches, jump-ins, drops, returns and seats taken out, at every kind of waiting.

Hypothesis chooses what happens; a second, simple account of exposure (RULES 5) says what has to
be true after it.
"""

from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from penultima.engine.actions import ACCEPT, CALL, CATCH, CHALLENGE, DRAW, Choose, Play
from penultima.engine.cards import card
from penultima.engine.errors import REFUSALS, Refused, RulesError
from penultima.engine.match import Match
from penultima.engine.round import Round
from penultima.engine.rules import Rules
from penultima.engine.waiting import Answer, Colour, Drawn, Free
from tests.engine import random_play

MIXES = (
    "classic hand_size=3",
    "classic hand_size=3 uno_penalty=4 draw=until_playable",
    "party hand_size=4",
    "icebreaker hand_size=4 deck=112 custom1=swap custom2=all_draw custom3=again",
    "berserker hand_size=3 deck=112 custom1=draw_two",
    "classic hand_size=2 stacking=cross jump_in=on twins=on runs=rank_or_sequence finish=number",
    "classic hand_size=3 misplay=draw_two seven_swap=on zero_rotate=on",
    "classic hand_size=2 deck=112 seven_swap=on zero_rotate=on jump_in=on",
)
WAITINGS: set[type] = set()


class Table(RuleBasedStateMachine):
    """A match with people who call, catch, drop and leave at any moment."""

    @initialize(
        mix=st.sampled_from(MIXES), players=st.integers(2, 6), seed=st.binary(min_size=32, max_size=32)
    )
    def sit_down(self, mix: str, players: int, seed: bytes) -> None:
        rules = Rules.parse(mix)
        self.match = Match(rules, random_play.NAMES[:players], seed=seed)
        self.match.start(dealer=0)
        self.deck = random_play.everywhere(self.round)
        now = self.round
        if card("WH") in now.pile and now.turn is not None:
            # So that a colour is owed more often than once in a hundred rounds.
            at = now.pile.index(card("WH"))
            now.pile[at], now.hands[now.turn][0] = now.hands[now.turn][0], now.pile[at]

    @property
    def round(self) -> Round:
        assert self.match.round is not None
        return self.match.round

    def holding(self, count: int) -> set[int]:
        return {seat for seat in self.round.seats if len(self.round.hands[seat]) == count}

    # --- what may happen

    @rule(data=st.data())
    @precondition(lambda self: not self.match.paused and not self.round.over)
    def somebody_in_turn_acts(self, data: st.DataObject) -> None:
        seat = self.round.turn
        assert seat is not None
        moves = self.round.moves(seat)
        # Playing when one can: else a round hardly gets to its calls.
        plays = [each for each in moves if type(each) is Play and self.round.fits(each.card)]
        self.act(seat, data.draw(st.sampled_from(plays or moves)))

    @rule(data=st.data())
    @precondition(lambda self: not self.match.paused and not self.round.over)
    def somebody_acts_at_all(self, data: st.DataObject) -> None:
        seat = data.draw(st.sampled_from(self.round.seats))
        legal = self.round.legal(seat)
        if legal:
            self.act(seat, data.draw(st.sampled_from(legal)))

    @rule(data=st.data())
    @precondition(lambda self: not self.match.paused and not self.round.over)
    def somebody_plays_out_of_turn(self, data: st.DataObject) -> None:
        options = [
            (seat, each)
            for seat in self.round.seats
            if seat != self.round.turn
            for each in self.round.moves(seat)
        ]
        if options:
            self.act(*data.draw(st.sampled_from(options)))

    @rule(seat=st.integers(0, 5))
    @precondition(lambda self: not self.match.paused)
    def call(self, seat: int) -> None:
        self.try_to(seat, CALL, seat < len(self.match.names) and self.round.can_call(seat))

    @rule(by=st.integers(0, 5), seat=st.integers(0, 5))
    @precondition(lambda self: not self.match.paused)
    def catch(self, by: int, seat: int) -> None:
        fair = seat in self.round.exposed and by in self.round.seats and by != seat
        before = self.round.hands[seat][:] if seat < len(self.match.names) else []
        there = len(self.round.pile) + len(self.round.discard) - 1
        self.try_to(by, CATCH[seat], fair)
        if fair:
            # RULES 5.3
            got = min(self.round.scheme.uno_penalty, there)
            assert len(self.round.hands[seat]) == len(before) + got
            assert self.round.hands[seat][: len(before)] == before

    @rule(seat=st.integers(0, 5))
    def connection_drops(self, seat: int) -> None:
        if seat in self.round.seats:
            self.match.pause(f"away:{seat}")
            assert self.match.paused
            assert all(self.match.legal(each) == () for each in range(len(self.match.names)))

    @rule(data=st.data())
    @precondition(lambda self: self.match.paused)
    def connection_returns(self, data: st.DataObject) -> None:
        self.match.resume(data.draw(st.sampled_from(sorted(self.match.paused))))

    @rule(seat=st.integers(0, 5), data=st.data())
    @precondition(lambda self: self.match.paused and not self.round.over)
    def nothing_goes_while_paused(self, seat: int, data: st.DataObject) -> None:
        moves = self.round.legal(seat) if seat in self.round.seats else ()
        action = data.draw(st.sampled_from(moves or (DRAW,)))
        before = self.match.digest()
        with pytest.raises(Refused, match="paused"):
            self.match.play(seat, action)
        assert self.match.digest() == before

    @rule(seat=st.integers(0, 5))
    @precondition(lambda self: len(self.round.seats) > 2 or self.match.paused)
    def seat_is_taken_out(self, seat: int) -> None:
        if seat not in self.round.seats or self.round.over or self.match.winners:
            return
        before, turn, waiting = self.round.exposed.copy(), self.round.turn, self.round.waiting
        following = self.round.next_to(seat)
        pile, hand = len(self.round.pile), len(self.round.hands[seat])
        self.match.take_out(seat)
        self.match.resume(f"away:{seat}")
        assert len(self.round.pile) == pile + hand
        assert self.round.hands[seat] == []
        if self.round.over:
            assert len(self.round.seats) == 1
            assert self.match.winners == self.round.seats
            return
        # RULES 9.3: nobody else's exposure or penalty is touched.
        assert self.round.exposed == before - {seat}
        if turn == seat:
            assert self.round.waiting == Free(following)
            assert self.round.colour is not None
        elif type(waiting) is Answer:
            assert type(self.round.waiting) is Answer
            assert self.round.waiting.count == waiting.count
        else:
            assert self.round.waiting == waiting

    @rule(seat=st.integers(0, 5))
    def seat_comes_back(self, seat: int) -> None:
        if seat < len(self.match.names):
            self.match.rejoin(seat)

    @rule()
    @precondition(lambda self: self.match.between and not self.match.paused)
    def next_round(self) -> None:
        if self.match.status.count("in") + self.match.status.count("next") < 2:
            with pytest.raises(RulesError, match="players"):
                self.match.next_round()
            return
        self.match.next_round()
        self.deck = random_play.everywhere(self.round)

    # --- what follows

    def try_to(self, seat: int, action: object, fair: bool) -> None:
        before = self.match.digest()
        assert (self.match.why_not(seat, action) is None) == fair  # type: ignore[arg-type]
        if fair:
            self.act(seat, action)
            return
        with pytest.raises(Refused) as refused:
            self.match.play(seat, action)  # type: ignore[arg-type]
        assert refused.value.code in REFUSALS
        assert self.match.digest() == before

    def act(self, seat: int, action: object) -> None:
        """Carry it out and hold the exposures against an account of their own."""
        now = self.round
        WAITINGS.add(type(now.waiting))
        exposed, called, ones = now.exposed.copy(), now.called.copy(), self.holding(1)
        waiting, newest = now.waiting, now.newest
        events = self.match.play(seat, action)  # type: ignore[arg-type]
        if now.over:
            assert not now.exposed
            return
        if action is CALL:
            # RULES 5.1, 5.2
            assert (now.exposed, now.called) == (exposed - {seat}, called | {seat})
            assert (now.waiting, now.newest) == (waiting, newest)
        elif action in CATCH:
            assert now.exposed == exposed - {action.player}  # type: ignore[attr-defined]
            assert (now.waiting, now.newest) == (waiting, newest)
        elif isinstance(action, Choose):
            assert (now.exposed, now.called) == (exposed, called)
        elif not isinstance(action, Play):
            # RULES 5.4
            assert not now.exposed
            assert seat not in now.called or action is CHALLENGE or action is ACCEPT or seat in ones
            if action is DRAW and type(now.waiting) is Drawn:
                assert now.newest is None
        else:
            moved = {e for e in events if type(e).__name__ in {"Swapped", "Rotated", "HandsShuffled"}}
            exposed_now = {
                each
                for each in self.holding(1)
                if (each == seat and seat not in called) or (moved and each != seat and each in now.exposed)
            }
            # RULES 5.2, 7.7: by playing it is the player only; who got a hand of one is as well.
            assert now.exposed == exposed_now
            if not moved:
                assert now.exposed <= {seat}
            kinds = {type(event).__name__ for event in events}
            if kinds & {"Rotated", "HandsShuffled"}:
                assert self.holding(1) - {seat} <= now.exposed

    @invariant()
    def everything_is_in_its_place(self) -> None:
        now = self.round
        assert random_play.everywhere(now) == self.deck
        assert now.exposed <= self.holding(1)
        assert not now.exposed & now.called
        if not now.over:
            assert self.match.paused or self.match.legal(now.turn or 0) or now.turn not in now.seats
            assert now.turn in now.seats
            assert now.called <= self.holding(1) | self.holding(2)
            for seat in now.called & self.holding(2):
                # A call not yet used belongs to somebody who may play just now, or could (5.1).
                assert self.round.moves(seat) or type(now.waiting) is Colour
        for seat in range(len(self.match.names)):
            view = self.match.view(seat)
            assert view.exposed == now.exposed
            assert (CALL in view.legal) == (not self.match.paused and now.can_call(seat))


Table.TestCase.settings = settings(max_examples=150, stateful_step_count=80, deadline=None)
TestTable = pytest.mark.slow(Table.TestCase)


@pytest.mark.slow
def test_every_kind_of_waiting_was_there() -> None:
    """In one process with the machine above; alone it has nothing to say."""
    assert WAITINGS in (set(), {Free, Drawn, Answer, Colour})
