"""Hundreds of rule sets, thousands of rounds, every promise of the engine checked on the way.

``PENULTIMA_SWEEP=20`` makes it twenty times as long. A failure prints a ``.partida`` that leads
to it.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from penultima.engine import reading, writing
from penultima.engine.actions import CATCH, CHOOSE, Action, action, play
from penultima.engine.cards import COLOURS, FACES, Card
from penultima.engine.errors import REFUSALS, Refused, RulesError
from penultima.engine.events import Dealt, Event
from penultima.engine.match import Match
from penultima.engine.notation import Move, NotationError
from penultima.engine.replay import Replay
from penultima.engine.round import Round
from penultima.engine.rules import PRESETS, Rules
from penultima.engine.waiting import Answer, Drawn, Free
from tests.engine import random_play

LENGTH = float(os.environ.get("PENULTIMA_SWEEP", "1"))
RULE_SETS = 320
GROUPS = 16
"""So that several processes can share the work."""

EVERY_ACTION: tuple[Action, ...] = (
    *(action(text) for text in ("draw", "pass", "accept", "challenge", "uno")),
    *CHOOSE.values(),
    *CATCH,
    *(
        play(face, colour, player)
        for face in FACES.values()
        for colour in (None, *COLOURS)
        for player in (None, 0, 1, 2, 5)
        if colour is None or face.is_wild or player is None
    ),
)


class Broken(AssertionError):
    """A promise that did not hold, with what leads to it."""


class Watch:
    """A match with everything that was done to it."""

    def __init__(self, rules: Rules, players: int, seed: bytes) -> None:
        self.match = Match(rules, random_play.NAMES[:players], seed=seed)
        self.log: list[tuple[Any, ...]] = []
        self.events: list[list[Event]] = []
        self.first = (rules, players, seed)

    def do(self, what: str, *args: Any) -> None:
        self.log.append((what, *args))
        self.events.append(carry_out(self.match, what, *args))

    def story(self, *notes: str) -> str:
        """Everything since the deal as a ``.partida``."""
        rules, players, seed = self.first
        dealers = [event.dealer for event in self.events[0] if isinstance(event, Dealt)]
        moves: list[writing.Written] = []
        more = list(notes)
        for what, *args in self.log[1:]:
            if what == "next_round":
                moves.append((None, "next"))
            elif what == "join":
                more.append(f"after {len(moves)} moves {args[0]} joined, which no line can say")
            else:
                moves.append((args[0], WORDS[what] or args[1]))
        return writing.write(
            random_play.NAMES[:players],
            rules=rules,
            dealer=dealers[0],
            seed=seed,
            moves=moves,
            notes=more,
        )


WORDS = {"play": "", "away": "away", "back": "back", "take_out": "out", "rejoin": "back"}


def carry_out(match: Match, what: str, *args: Any) -> list[Event]:
    if what == "away":
        match.pause(f"away:{match.names[args[0]]}")
        return []
    if what == "back":
        match.resume(f"away:{match.names[args[0]]}")
        return []
    result = getattr(match, what)(*args)
    return result if isinstance(result, list) else []


def now(match: Match) -> Round:
    assert match.round is not None
    return match.round


# --- the promises


def cards_are_all_there(match: Match, deck: list[Card]) -> None:
    assert random_play.everywhere(now(match)) == deck, "a card is missing or there twice"


def somebody_can_act(match: Match) -> None:
    this = now(match)
    if this.over:
        assert all(not match.legal(seat) for seat in range(len(match.names)))
        return
    assert this.turn in this.seats
    assert match.legal(this.turn), "nobody can do anything"
    assert this.exposed <= set(this.seats)
    assert all(len(this.hands[seat]) == 1 for seat in this.exposed)
    assert not this.exposed & this.called
    assert all(this.hands[seat] for seat in this.seats)
    if type(this.waiting) is Drawn:
        assert this.hands[this.turn][-1] is this.waiting.card
        assert this.fits(this.waiting.card)
    for seat in range(len(match.names)):
        legal = match.legal(seat)
        assert len(set(legal)) == len(legal), f"an action twice in {legal}"
        if seat not in this.seats:
            assert not legal


def refused(match: Match, seat: int, wish: Action) -> str | None:
    try:
        match.play(seat, wish)
    except Refused as error:
        return error.code
    return None


def legal_is_what_play_takes(match: Match, rng: random.Random) -> None:
    before = match.digest()
    this = now(match)
    tries = random_play.universe(match, rng, EVERY_ACTION)
    for seat in range(len(match.names)):
        legal = set(match.legal(seat))
        for each in {*tries, *legal}:
            code = match.why_not(seat, each)
            if each in legal:
                assert code is None, f"{seat} {each}: legal, and {code}"
                this.copy().play(seat, each)
            else:
                assert code in REFUSALS, f"{seat} {each}: not legal, and {code}"
                assert refused(match, seat, each) == code, f"{seat} {each}: not legal, and {code}"
    assert match.digest() == before, "looking, trying or refusing changed something"


def views_agree(match: Match) -> None:
    this = now(match)
    public = match.view(None)
    assert public.hand == () == public.legal
    assert public.drawn is None
    assert public.shown is None
    secret = ("seat", "hand", "legal", "drawn", "shown")
    shared = {name: getattr(public, name) for name in public.__slots__ if name not in secret}
    for seat in range(len(match.names)):
        view = match.view(seat)
        assert {name: getattr(view, name) for name in shared} == shared
        mine = this.hands[seat] if seat < len(this.hands) else []
        assert view.hand == tuple(mine)
        assert view.legal == match.legal(seat)
        waiting = this.waiting
        is_mine = type(waiting) is Drawn and waiting.seat == seat
        assert view.drawn is (this.waiting.card if is_mine else None)  # type: ignore[union-attr]
        assert (view.shown is not None) == (this.shown is not None and this.shown.seat == seat)
        plain = match.plain(seat)
        assert plain.get("hand", []) == [card.text for card in mine]
        assert ("legal" in plain) == bool(view.legal)
    assert public.counts == tuple(
        len(this.hands[seat]) if seat < len(this.hands) else 0 for seat in range(len(match.names))
    )
    assert public.pile == len(this.pile)
    assert public.discard == tuple(this.discard)
    assert (public.turn, public.colour, public.direction) == (
        this.turn,
        this.colour,
        this.direction,
    )
    assert public.pending == (this.waiting.count if type(this.waiting) is Answer else 0)


def position_and_actions_survive_notation(match: Match) -> None:
    this = now(match)
    names = match.names
    moves: list[writing.Written] = [
        (seat, each) for seat in range(len(names)) for each in match.legal(seat)
    ]
    if type(this.waiting) is Free or type(this.waiting) is Answer:
        position = this.position()
        missing = ((),) * (len(names) - len(position.hands))
        file = writing.write(names, position=position, moves=moves)
        try:
            partida = reading.read(file)
        except NotationError as error:
            raise AssertionError(f"{error}\n{file}") from error
        assert partida.position == replace(position, hands=position.hands + missing), file
    else:
        # A drawn card or an owed colour is more than a header says.
        file = writing.write(names, rules=match.rules, seed="any", dealer=0, moves=moves)
        partida = reading.read(file)
    assert [(line.seat, line.does) for line in partida.lines if isinstance(line, Move)] == moves


# --- the players


def disturb(watch: Watch, rng: random.Random) -> None:
    """What a host does in the middle of a round."""
    match = watch.match
    chance = rng.random()
    if chance < 0.3:
        gone = rng.choice(now(match).seats)
        watch.do("away", gone)
        assert all(match.legal(seat) == () for seat in range(len(match.names)))
        watch.do("back", gone)
    elif chance < 0.6 and len(now(match).seats) > 2:
        watch.do("take_out", rng.choice(now(match).seats))
    elif chance < 0.8:
        out = [seat for seat, status in enumerate(match.status) if status == "out"]
        if out:
            watch.do("rejoin", rng.choice(out))
    elif chance < 0.85 and len(match.names) < 10 and match.rules["teams"] == "off":
        watch.do("join", random_play.NAMES[len(match.names)])


def play_round(watch: Watch, rng: random.Random) -> int:
    """To its end, checking on the way; the number of actions."""
    match = watch.match
    seats = now(match).seats
    deck = sorted(random_play.whole_deck(match.rules, len(seats)), key=lambda card: card.order)
    number = 0
    cards_are_all_there(match, deck)
    while not now(match).over:
        number += 1
        assert number < 20_000, "the round does not end"
        if rng.random() < 0.01:
            disturb(watch, rng)
        else:
            watch.do("play", *random_play.choose(rng, now(match)))
        cards_are_all_there(match, deck)
        if rng.random() < 0.3:
            somebody_can_act(match)
        if rng.random() < 0.05:
            views_agree(match)
        if rng.random() < 0.02:
            position_and_actions_survive_notation(match)
        if rng.random() < 0.004:
            legal_is_what_play_takes(match, rng)
    views_agree(match)
    if rng.random() < 0.1:
        legal_is_what_play_takes(match, rng)
    why = now(match).waiting.why  # type: ignore[union-attr]
    assert why in {"won", "blocked", "void"}
    assert (why == "won") == any(not now(match).hands[seat] for seat in now(match).seats)
    return number


def play_match(watch: Watch, rng: random.Random, rounds: int) -> int:
    """Up to so many rounds; how many it were."""
    watch.do("start")
    for number in range(1, rounds + 1):
        play_round(watch, rng)
        if watch.match.winners or number == rounds:
            return number
        for seat, status in enumerate(watch.match.status):
            if status == "out":
                watch.do("rejoin", seat)
        try:
            watch.do("next_round")
        except RulesError:  # the three left of two pairs
            watch.log.pop()
            return number
    return rounds


def the_same_again(watch: Watch) -> None:
    """The same seed, rules and actions are the same match to the last byte."""
    rules, players, seed = watch.first
    again = Match(rules, random_play.NAMES[:players], seed=seed)
    for (what, *args), events in zip(watch.log, watch.events, strict=True):
        assert carry_out(again, what, *args) == events
    assert again.digest() == watch.match.digest()
    if not any(what == "join" for what, *_ in watch.log):
        file = watch.story()
        told = Replay(reading.read(file))
        for line in told.partida.lines:
            assert told.step(line) is None, f"{line} of the story itself\n{file}"
        assert told.match.scores == watch.match.scores
        assert now(told.match).hands == now(watch.match).hands


def rule_sets() -> Iterator[tuple[int, Rules, int]]:
    """Number, rules, players: every preset with every number of players, then random ones."""
    number = 0
    for preset in PRESETS:
        for players in range(2, 11):
            yield number, Rules.of(preset), players
            number += 1
    rng = random.Random("sweep")
    for _ in range(RULE_SETS):
        players = rng.choice([2, 2, 3, 3, 4, 4, 4, 5, 6, 7, 8, 9, 10])
        yield number, random_play.random_rules(rng, players), players
        number += 1


@pytest.mark.slow
@pytest.mark.timeout(600 * max(LENGTH, 1))
@pytest.mark.parametrize("group", range(GROUPS))
def test_every_promise_holds_under_every_rule(group: int) -> None:
    played = 0
    for number, rules, players in rule_sets():
        if number % GROUPS != group:
            continue
        wanted = max(1, round(6 * LENGTH))
        match_number = 0
        while wanted > 0:
            name = f"sweep {number} {match_number}"
            rng = random.Random(name)
            watch = Watch(rules, players, rng.randbytes(32))
            try:
                done = play_match(watch, rng, wanted)
                the_same_again(watch)
            except Exception as broken:
                raise Broken(f"{broken}\n\n{watch.story(name, str(broken))}") from broken
            wanted -= done
            played += done
            match_number += 1
    assert played >= 20 * round(6 * LENGTH)


def test_the_sweep_covers_the_switches() -> None:
    """Every value of every switch is in some rule set, and there are enough of them."""
    seen: dict[str, set[object]] = {}
    count = 0
    for _, rules, _ in rule_sets():
        count += 1
        for name, value in rules.items():
            seen.setdefault(name, set()).add(value)
    assert count >= 300 + len(PRESETS)
    from penultima.engine.rules import switches

    for name, switch in switches().items():
        wanted = 10 if isinstance(switch.values, range) else len(switch.values or (1, 2))
        assert len(seen[name]) >= wanted, name


def test_a_broken_promise_is_noticed() -> None:
    """A lost card, for one."""
    watch = Watch(Rules.of("party"), 4, bytes(32))
    watch.do("start", 0)
    deck = random_play.everywhere(now(watch.match))
    lost = now(watch.match).pile.pop()
    with pytest.raises(AssertionError):
        cards_are_all_there(watch.match, deck)
    now(watch.match).pile.append(lost)
