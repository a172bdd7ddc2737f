"""Twin worlds: what a seat is told depends on nothing that it cannot know (RULES 11).

A round is played to some point; then the cards that one seat cannot know (the hands of the
others, the pile, a challenged hand) change places at random. Everything that seat may ask for
has to be equal in both worlds, byte for byte, and stays so while both go on with the same
actions, until the rules themselves make the difference public: a card drawn can be played in one
world only, a challenge holds in one only.
"""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from collections.abc import Iterator

import pytest

from penultima.engine.actions import Action, action
from penultima.engine.cards import card
from penultima.engine.events import Event, plain
from penultima.engine.match import Match
from penultima.engine.round import Round
from penultima.engine.rules import Rules, switches
from penultima.engine.waiting import Answer, Drawn, Evidence, Shown
from tests.engine import random_play
from tests.engine.helpers import do, match_at

PAIRS = 10
"""For each rule set; there are some eighty."""

TRIED: tuple[Action, ...] = tuple(
    action(each)
    for each in (["draw", "pass", "accept", "challenge", "uno", "r7", "b+2", "W=g", "W+4=r", "WH", "r7>1", "WC1=b>2", "g0", "yS"])
) + tuple(action(each) for each in ("colour r", "catch 0", "catch 1"))


def rule_sets() -> Iterator[Rules]:
    """Each value of each switch on top of the classic game, and every mix of two dozen."""
    for name, switch in switches().items():
        if switch.values is None or isinstance(switch.values, range):
            continue
        for value in switch.values:
            if value != switch.default and name != "teams":
                deck = {"deck": 112} if name.startswith("custom") else {}
                yield Rules.of("classic", **{name: value}, **deck)
    for preset in ("party", "icebreaker", "berserker"):
        yield Rules.of(preset, deck=112, custom1="swap", custom2="all_draw", custom3="draw_two")
    yield Rules.of(teams="pairs")
    rng = random.Random("twins")
    for _ in range(24):
        yield random_play.random_rules(rng, 4)


def fork(match: Match) -> Match:
    other = copy.copy(match)
    assert match.round is not None
    other.round = match.round.copy()
    other.scores, other.status = list(match.scores), list(match.status)
    return other


def now(match: Match) -> Round:
    assert match.round is not None
    return match.round


def twin(match: Match, seat: int, rng: random.Random) -> Match:
    """The same world for ``seat``, with other cards wherever it cannot look."""
    other = fork(match)
    this = now(other)
    kept = this.waiting.card if type(this.waiting) is Drawn and this.turn != seat else None
    others = [each for each in this.seats if each != seat]
    if kept is not None:
        this.hands[this.turn or 0].pop()
    unknown = [*this.pile, *(held for each in others for held in this.hands[each])]
    rng.shuffle(unknown)
    for each in others:
        count = len(this.hands[each])
        this.hands[each] = [unknown.pop() for _ in range(count)]
    this.pile = unknown
    if kept is not None:
        # That it can be played is public; which card it is could differ too.
        fitting = [held for held in this.pile if this.fits(held)]
        if fitting:
            card_now = rng.choice(fitting)
            this.pile[this.pile.index(card_now)] = kept
            kept = card_now
        this.hands[this.turn or 0].append(kept)
        this.waiting = Drawn(this.turn or 0, kept)
    waiting = this.waiting
    if type(waiting) is Answer and waiting.evidence is not None and waiting.evidence.seat != seat:
        accused = waiting.evidence.seat
        hand = tuple(this.hands[accused])
        guilty = hand[: rng.randint(0, 1)]
        this.waiting = waiting._replace(evidence=Evidence(accused, hand, guilty, bool(guilty)))
    if this.shown is not None and this.shown.seat != seat:
        cards = tuple(rng.sample(unknown, min(len(unknown), len(this.shown.cards))))
        this.shown = Shown(this.shown.seat, this.shown.of, cards, cards[:1])
    return other


def told(match: Match, seat: int | None) -> str:
    """Everything that may reach that seat: its view, its refusals."""
    view = match.view(seat)
    parts = {
        "view": match.plain(seat),
        "legal": [str(each) for each in view.legal],
        "public": str(sorted(view.called)) + str(view.counts) + str(view.newest) + str(view.scores),
        "codes": [None if seat is None else match.why_not(seat, each) for each in TRIED],
    }
    return json.dumps(parts)


def heard(events: list[Event], seat: int | None) -> str:
    return json.dumps([plain(event, seat) for event in events])


def rules_make_public(match: Match, seat: int) -> tuple[object, ...]:
    """What the rules let that seat know, from the truth itself and without any view."""
    this = now(match)
    waiting = this.waiting
    return (
        tuple(this.hands[seat]),
        tuple(map(len, this.hands)),
        tuple(this.discard),
        this.colour,
        this.direction,
        type(waiting),
        waiting.seat,
        waiting.count if type(waiting) is Answer else 0,
        len(this.pile),
        this.over and tuple(map(tuple, this.hands)),
        this.shown if this.shown is not None and this.shown.seat == seat else None,
    )


def bluff_of(match: Match) -> object:
    waiting = now(match).waiting
    return type(waiting) is Answer and waiting.evidence is not None and waiting.evidence.bluff


def live_on(one: Match, other: Match, seat: int, rng: random.Random) -> int:
    """Play on in both while the rules make nothing public; how many actions it were."""
    for number in range(12):
        if now(one).over:
            return number
        both = [
            (who, each)
            for who in now(one).seats
            for each in one.legal(who)
            if each in other.legal(who)
        ]
        if not both:
            return number
        who, what = rng.choice(both)
        if what is action("challenge") and bluff_of(one) != bluff_of(other):
            return number
        events, others = one.play(who, what), other.play(who, what)
        if rules_make_public(one, seat) != rules_make_public(other, seat):
            return number
        assert heard(events, seat) == heard(others, seat), (who, what)
        assert told(one, seat) == told(other, seat), (who, what)
    return 12


LIVED: Counter[str] = Counter()


@pytest.mark.slow
@pytest.mark.timeout(600)
@pytest.mark.parametrize("rules", list(rule_sets()), ids=str)
def test_nothing_told_depends_on_what_cannot_be_known(rules: Rules) -> None:
    rng = random.Random(f"twins {rules}")
    pairs = lived = 0
    waits = set()
    while pairs < PAIRS:
        players = 4 if rules["teams"] == "pairs" else rng.randint(2, 5)
        match = random_play.started(rules, players, rng.randbytes(32))
        for _ in range(rng.randint(0, 60)):
            if now(match).over:
                break
            match.play(*random_play.choose(rng, now(match)))
        if now(match).over:
            continue
        pairs += 1
        waits.add(type(now(match).waiting))
        seat = rng.randrange(players)
        other = twin(match, seat, rng)
        assert told(match, seat) == told(other, seat)
        assert told(match, None) == told(other, None)
        assert rules_make_public(match, seat) == rules_make_public(other, seat)
        lived += live_on(match, other, seat, rng)
    LIVED["pairs"] += pairs
    LIVED["actions"] += lived


def test_there_are_five_hundred_pairs() -> None:
    assert PAIRS * len(list(rule_sets())) >= 500
    if LIVED["pairs"] >= 500:  # all in this process
        assert LIVED["actions"] > LIVED["pairs"]


def test_a_leak_would_be_noticed() -> None:
    """The twins differ where a view that told one card of another hand would show it."""
    rng = random.Random(3)
    match = random_play.started(Rules.of(), 3, bytes(32))
    other = twin(match, 0, rng)
    assert match.round is not None
    assert match.digest() != other.digest()
    assert match.plain(1) != other.plain(1)
    assert match.plain(0) == other.plain(0)
    assert sorted(map(str, random_play.everywhere(now(match)))) == sorted(
        map(str, random_play.everywhere(now(other)))
    )


def test_only_the_drawer_sees_a_drawn_card() -> None:
    match = match_at("y1 y2 y3 | g1 g2 g3 | b1 b2 b3", discard="r5", draw="W r1")
    events = do(match, "0 draw")
    for seat in (1, 2, None):
        assert "W" not in heard(events, seat)
        assert '"drawn": "W"' not in told(match, seat)
    assert '"cards": ["W"]' in heard(events, 0)
    assert match.view(0).drawn is card("W")


def test_only_the_challenger_sees_the_challenged_hand() -> None:
    """RULES 4.3, 4.4"""
    match = match_at("W+4 g7 g8 | y1 y2 y3 | b1 b2 b3", discard="r5", draw="r1 r2 r3 r4 r6 r7 r8")
    do(match, "0 W+4=b")
    events = do(match, "1 challenge")
    assert '["g7", "g8"]' in heard(events, 1)
    assert match.plain(1)["shown"] == {"of": 0, "cards": ["g7", "g8"], "guilty": []}
    for seat in (2, None):
        assert "g7" not in heard(events, seat)
        assert "g7" not in told(match, seat)
    do(match, "2 b1")
    assert match.view(1).shown is None


def test_a_swapped_hand_is_for_its_new_owner_only() -> None:
    """RULES 11"""
    match = match_at("r7 y8 g8 | b1 b2 b3 | y1 y2 y3", discard="r5", rules="classic seven_swap=on")
    events = do(match, "0 r7>1")
    assert match.plain(0)["hand"] == ["b1", "b2", "b3"]
    assert match.plain(1)["hand"] == ["y8", "g8"]
    for seat in (0, 1, 2, None):
        assert "b1" not in heard(events, seat)
    assert "b1" not in told(match, 2)
    assert "y8" not in told(match, 2)


def test_everybody_sees_the_hands_at_the_end() -> None:
    match = match_at("r7 | b1 W | y1 y2", discard="r5")
    events = do(match, "0 r7")
    for seat in (0, 1, 2, None):
        assert '"hands": [[], ["b1", "W"], ["y1", "y2"]]' in heard(events, seat)
