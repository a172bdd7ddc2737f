"""Under any rules, with any number of seats: what a bot does is allowed, and is its own idea."""

from __future__ import annotations

import copy
import random
from collections import Counter

import pytest

from penultima.bots import LEVELS, Bot, bot
from penultima.bots.chance import Forced
from penultima.bots.hard import Hard, Limit
from penultima.bots.normal import Normal
from penultima.engine.actions import Action
from penultima.engine.cards import DECKS
from penultima.engine.events import Event, seen_by
from penultima.engine.match import Match
from penultima.engine.rules import Rules
from penultima.engine.view import View
from tests.engine.random_play import NAMES, random_rules

MAKERS = {
    **{level: lambda level=level: bot(level) for level in LEVELS},
    "forced": Forced,
    # With a limit that is the same on every machine.
    "hard": lambda: Hard(Limit(worlds=2)),
}


class Table:
    """Bots round a match; who wants something out of turn is asked now and then."""

    def __init__(self, seed: int, levels: list[str] | None = None) -> None:
        self.rng = random.Random(seed)
        players = self.rng.randint(2, 10)
        self.rules = random_rules(self.rng, players)
        names = list(MAKERS) if levels is None else levels
        self.bots: list[Bot] = [MAKERS[self.rng.choice(names)]() for _ in range(players)]
        self.match = Match(self.rules, NAMES[:players], seed=self.rng.randbytes(32))
        self.tell(self.match.start())

    def tell(self, events: list[Event]) -> None:
        for seat, each in enumerate(self.bots):
            each.watch([seen_by(event, seat) for event in events], seat)

    def next(self) -> tuple[int, View, Action | None] | None:
        """Somebody who may do something, with what that bot does about it."""
        match = self.match
        assert match.round is not None
        turn = match.round.turn
        if turn is None:
            return None
        seats = [seat for seat in match.round.seats if match.legal(seat)]
        seat = self.rng.choice(seats) if self.rng.random() < 0.5 else turn
        view = match.view(seat)
        return seat, view, self.bots[seat].choose(view, self.rng)

    def step(self) -> bool:
        found = self.next()
        if found is None:
            return False
        seat, view, action = found
        if action is None:
            assert seat != view.turn, f"{self.bots[seat].level} does nothing in turn"
            return True
        assert action in view.legal, f"{self.bots[seat].level} chose {action} under {self.rules}"
        self.tell(self.match.play(seat, action))
        return True


@pytest.mark.parametrize("group", range(8))
def test_a_choice_is_always_one_of_what_is_legal(group: int) -> None:
    for number in range(8):
        table = Table(group * 100 + number)
        for _ in range(250):
            if not table.step():
                break


@pytest.mark.parametrize("level", LEVELS)
def test_with_nothing_to_do_it_says_so(level: str) -> None:
    match = Match(random_rules(random.Random(1), 2), NAMES[:2], seed=bytes(32))
    match.start()
    match.pause("host")
    with pytest.raises(ValueError, match="nothing to do"):
        bot(level).choose(match.view(0), random.Random(1))


def test_an_unknown_level_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        bot("genius")


def redealt(match: Match, seat: int, rng: random.Random) -> Match:
    """The same match with every card that ``seat`` does not see dealt anew."""
    other = copy.deepcopy(match)
    now = other.round
    assert now is not None
    hidden = list(now.pile)
    for owner, hand in enumerate(now.hands):
        if owner != seat:
            hidden += hand
    rng.shuffle(hidden)
    for owner, hand in enumerate(now.hands):
        if owner != seat:
            hand[:] = [hidden.pop() for _ in hand]
    now.pile[:] = hidden
    other.round = now.copy()  # what was legal may be remembered
    return other


@pytest.mark.parametrize("level", LEVELS)
def test_what_it_cannot_see_does_not_change_what_it_does(level: str) -> None:
    compared = 0
    slow = level == "hard"
    for number in range(6 if slow else 16):
        table = Table(7_000 + number, [level])
        for _ in range(60):
            if not table.step() or table.match.round is None or table.match.round.over:
                break
            match = table.match
            for seat in match.round.seats:
                view = match.view(seat)
                if not view.legal:
                    continue
                chosen = []
                for world in (match, redealt(match, seat, table.rng)):
                    mind = copy.deepcopy(table.bots[seat])
                    seen = world.view(seat)
                    assert seen == view
                    chosen.append(mind.choose(seen, random.Random(5)))
                assert chosen[0] is chosen[1]
                compared += 1
    assert compared > (100 if slow else 300)


@pytest.mark.parametrize("players", [2, 4])
def test_what_hard_cannot_see_does_not_change_what_it_does_after_long_thought(players: int) -> None:
    compared = 0
    rng = random.Random(players)
    match = Match(Rules.of("classic"), NAMES[:players], seed=rng.randbytes(32))
    minds = [Hard(Limit(worlds=24)) for _ in range(players)]
    events = match.start()
    while compared < 20 and match.round is not None and not match.round.over:
        for seat, mind in enumerate(minds):
            mind.watch([seen_by(event, seat) for event in events], seat)
        seat = match.round.turn
        assert seat is not None
        chosen = [
            minds[seat].choose(world.view(seat), random.Random(5))
            for world in (match, redealt(match, seat, rng), redealt(match, seat, rng))
        ]
        assert chosen[0] is chosen[1] is chosen[2]
        assert chosen[0] is not None
        compared += 1
        events = match.play(seat, chosen[0])
    assert compared >= 10


def test_what_it_takes_for_certain_is_so_under_any_rules() -> None:
    compared = 0
    for number in range(30):
        table = Table(50_000 + number, ["normal", "hard", "random"])
        for _ in range(120):
            if not table.step() or table.match.round is None or table.match.round.over:
                break
            now = table.match.round
            unseen = Counter(now.pile)
            for hand in now.hands:
                unseen.update(hand)
            for mind in table.bots:
                if not isinstance(mind, Normal):
                    continue
                for owner, trace in mind.memory.traces.items():
                    assert Counter(trace.cards) <= Counter(now.hands[owner]), table.rules
                if isinstance(mind, Hard) and mind._guesses.begun:
                    guesses = mind._guesses
                    for seat in now.seats:
                        assert guesses._counts[seat] == len(now.hands[seat]), table.rules
                    for face in DECKS[108]:
                        assert guesses._left[face.order] == unseen[face], table.rules
                    compared += 1
    assert compared > 1000


@pytest.mark.parametrize("level", LEVELS)
def test_the_same_seed_plays_the_same_round(level: str) -> None:
    ends = []
    for _ in range(2):
        table = Table(99, [level])
        while len(ends) < 2 and table.step() and len(table.match.round.discard) < 40:
            pass
        ends.append(table.match.digest())
    assert ends[0] == ends[1]
