"""Random rules and random players, for the sweep, the twin worlds and the statistics.

"Random" means: any card that may be played, and drawing only when there is none (with free
drawing a random round would last hundreds of turns); misplays, calls, catches, jump-ins now and then.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from penultima.engine import house
from penultima.engine.actions import CALL, DRAW, Action, Catch, Play
from penultima.engine.cards import DECKS, Card, decks_needed
from penultima.engine.errors import RulesError
from penultima.engine.match import Match
from penultima.engine.round import Round
from penultima.engine.rule import Switch
from penultima.engine.rules import PRESETS, Rules

NAMES = ("Ana", "Beto", "Carla", "Dani", "Eva", "Fito", "Gabi", "Hugo", "Iris", "Juan")


def random_value(rng: random.Random, switch: Switch) -> object:
    if switch.values is None:
        texts = tuple(f"{switch.name} {n}: ¡ojo! 'x' = \"y\"" for n in range(rng.randint(1, 5)))
        return texts if switch.most else texts[0]
    return rng.choice(switch.values)


def random_rules(rng: random.Random, players: int) -> Rules:
    """Any switches at all, as RULES 12 allows them for that many."""
    every = [switch for rule in house.RULES for switch in rule.switches]
    while True:
        share = rng.choice([0.15, 0.4, 0.7])
        changes = {each.name: random_value(rng, each) for each in every if rng.random() < share}
        if rng.random() < 0.5:
            changes["deck"] = 112
        if rng.random() < 0.7:
            changes.pop("hand_size", None)
        try:
            rules = Rules.of(rng.choice(list(PRESETS)), **changes)
            rules.check(players)
        except RulesError:
            continue
        return rules


def whole_deck(rules: Rules, players: int) -> list[Card]:
    deck = rules.number("deck")
    return list(DECKS[deck]) * decks_needed(deck, players, rules.number("hand_size"))


def everywhere(now: Round) -> list[Card]:
    """All cards of a round, wherever they are, in canonical order."""
    cards = [*now.pile, *now.discard]
    for hand in now.hands:
        cards += hand
    return sorted(cards, key=lambda each: each.order)


def out_of_turn(rng: random.Random, now: Round) -> tuple[int, Action] | None:
    """A call, a catch, a jump-in, twin or run of anybody, if one is possible."""
    options = [
        (seat, each)
        for seat in now.seats
        for each in now.legal(seat)
        if each is CALL or type(each) is Catch or (type(each) is Play and seat != now.turn)
    ]
    return rng.choice(options) if options else None


def in_turn(rng: random.Random, now: Round) -> tuple[int, Action]:
    """What the player in turn does: forced play, with a rare free draw or misplay."""
    seat = now.turn
    assert seat is not None
    moves = now.moves(seat)
    plays = [each for each in moves if type(each) is Play]
    fitting = [each for each in plays if now.fits(each.card)]
    if DRAW in moves:
        if len(plays) > len(fitting) and rng.random() < 0.02:
            return seat, rng.choice([each for each in plays if each not in fitting])
        return seat, rng.choice(fitting) if fitting and rng.random() > 0.02 else DRAW
    return seat, rng.choice(fitting if fitting and rng.random() < 0.7 else moves)


def choose(rng: random.Random, now: Round) -> tuple[int, Action]:
    """The next action of anybody at the table."""
    if rng.random() < 0.4:
        sudden = out_of_turn(rng, now)
        if sudden is not None:
            return sudden
    return in_turn(rng, now)


def started(rules: Rules, players: int, seed: bytes) -> Match:
    match = Match(rules, NAMES[:players], seed=seed)
    match.start()
    return match


def universe(match: Match, rng: random.Random, every: Sequence[Action]) -> list[Action]:
    """What to try on a position: everything that hangs on a card in it, and a sample of the rest."""
    now = match.round
    assert now is not None
    near = set(now.discard[-3:]).union(*(rng.sample(hand, min(4, len(hand))) for hand in now.hands))
    return [
        each
        for each in every
        if not isinstance(each, Play) or each.card in near or rng.random() < 0.01
    ]
