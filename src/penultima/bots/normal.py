"""A fair player, as people would want to play against: careful, attentive, no second sight."""

from __future__ import annotations

import random
from collections.abc import Sequence

from penultima.bots.doubt import bluff, worth_it
from penultima.bots.judge import CARD, Judge
from penultima.bots.memory import Memory
from penultima.bots.player import Bot, catches, plays
from penultima.bots.weights import NORMAL_DUEL, NORMAL_TABLE, Weights
from penultima.engine.actions import (
    ACCEPT,
    CALL,
    CHALLENGE,
    DRAW,
    PASS,
    Action,
    Choose,
    Play,
)
from penultima.engine.events import Event
from penultima.engine.view import View


class Normal(Bot):
    """Weighs what each play leads to, for two players with other weights than for more."""

    level = "normal"

    def __init__(self, duel: Weights = NORMAL_DUEL, table: Weights = NORMAL_TABLE) -> None:
        self.memory = Memory()
        self._duel = duel
        self._table = table

    def judge(self, view: View) -> Judge:
        """Who weighs what is open in ``view``, knowing what this bot remembers."""
        weights = self._duel if len(view.seats) == 2 else self._table
        return Judge(view, self.memory, weights)

    def watch(self, events: Sequence[Event], seat: int | None = None) -> None:
        self.memory.watch(events, seat)

    def forget(self) -> None:
        self.memory.forget()

    # --- in turn

    def turn(self, view: View, rng: random.Random) -> Action:
        self.memory.look(view)
        if view.wait == "colour":
            return self._colour(view, rng)
        options = plays(view)
        if view.wait == "answer":
            return self._answer(view, options, rng)
        otherwise = PASS if view.wait == "drawn" else DRAW
        if not options:
            return otherwise
        judge = self.judge(view)
        best, value = _best(judge, options, rng)
        return best if value > self._waiting(view, judge) else otherwise

    def _waiting(self, view: View, judge: Judge) -> float:
        """What it is worth not to play."""
        if view.wait == "drawn" or (view.pile == 0 and len(view.discard) < 2):
            return judge.score_keeping()
        cards = 2.5 if view.rules["draw"] == "until_playable" else 1.0
        return judge.score_keeping(cards)

    def _colour(self, view: View, rng: random.Random) -> Action:
        judge = self.judge(view)
        owed = [each for each in view.legal if isinstance(each, Choose)]
        return max(owed, key=lambda each: judge.score_colour(each.colour) + 0.01 * rng.random())

    def _answer(self, view: View, options: list[Play], rng: random.Random) -> Action:
        if options:
            judge = self.judge(view)
            best, value = _best(judge, options, rng)
            sure = CHALLENGE in view.legal and bluff(view, self.memory) > 0.8
            if not sure and value > judge.score_keeping(view.pending):
                return best
        if CHALLENGE in view.legal and worth_it(view, self.memory):
            return CHALLENGE
        return ACCEPT

    # --- at any time

    def wants(self, view: View, rng: random.Random) -> Action | None:
        if view.exposed:
            if view.seat in view.exposed:
                return CALL
            if found := catches(view):
                # The others' exposures end with ours: the one it hurts most first.
                return max(found, key=lambda each: view.scores[each.player])
        if view.turn == view.seat or view.newest is None:
            return None
        options = plays(view)
        if not options:
            return None
        self.memory.look(view)
        judge = self.judge(view)
        best, value = _best(judge, options, rng)
        if value <= self._keeping_quiet(judge, view):
            return None
        return CALL if self.calls_before(view, rng) else best

    def _keeping_quiet(self, judge: Judge, view: View) -> float:
        """What it is worth to leave the turn where it is."""
        quiet = judge.score_keeping()
        if view.turn == judge.mate and judge.mate is not None and not view.pending:
            # The partner is about to play, perhaps its last card.
            quiet += CARD * (4.0 if view.counts[judge.mate] == 1 else 1.0)
        return quiet

    def calls_before(self, view: View, rng: random.Random) -> bool:  # noqa: ARG002
        return CALL in view.legal


def _best(judge: Judge, options: Sequence[Play], rng: random.Random) -> tuple[Play, float]:
    """The play judged best; among equals chance decides, so nobody reads a habit."""
    if len(options) == 1:
        return options[0], judge.score(options[0])
    scored = [(judge.score(each) + 0.01 * rng.random(), at) for at, each in enumerate(options)]
    value, at = max(scored)
    return options[at], value
