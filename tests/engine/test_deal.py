"""The deal and the first card (RULES 1.4, 2)."""

from __future__ import annotations

from collections import Counter

import pytest

from penultima.engine.cards import CUSTOMS, DECKS, Card, card
from penultima.engine.events import DealerDrawn, Dealt, Drew, Skipped, Turned, TurnedUp
from penultima.engine.match import Match
from penultima.engine.round import Round
from penultima.engine.rules import Rules
from penultima.engine.shuffle import Shuffles
from penultima.engine.waiting import Answer, Colour, Free
from tests.engine.helpers import SEED, do, may, of_kind, refusal


def stacked(*firsts: str, players: int = 3, rules: str = "classic", dealer: int = 0) -> Round:
    """A round dealt from a deck whose first turned-up cards are ``firsts``, one a shuffle."""
    switches = Rules.parse(rules)
    wanted = [card(first) for first in firsts]
    turned = 0

    def shuffle(pile: list[Card]) -> None:
        nonlocal turned
        first = wanted[min(turned, len(wanted) - 1)]
        below = len(pile) - 1 - (switches.number("hand_size") * players if turned == 0 else 0)
        at = pile.index(first)
        pile[at], pile[below] = pile[below], pile[at]
        turned += 1

    return Round.deal(switches, range(players), dealer, shuffle)


@pytest.mark.parametrize("players", range(2, 11))
def test_everybody_gets_seven_one_at_a_time_from_the_dealers_left(players: int) -> None:
    """RULES 2.5"""
    order: list[Card] = []

    def remember(pile: list[Card]) -> None:
        Shuffles(SEED, 1)(pile)
        order[:] = reversed(pile)

    dealer = players // 2
    now = Round.deal(Rules.of(first_card="effect"), range(players), dealer, remember)
    for place in range(players):
        seat = (dealer + 1 + place) % players
        dealt = order[place : 7 * players : players]
        assert now.hands[seat][:7] == dealt


@pytest.mark.parametrize("preset", ["classic", "party", "official_2022", "berserker"])
@pytest.mark.parametrize("players", [2, 7, 10])
def test_the_deal_loses_no_card(preset: str, players: int) -> None:
    rules = Rules.of(preset, deck=112)
    now = Round.deal(rules, range(players), 0, Shuffles(SEED, 3))
    everything = Counter(now.pile) + Counter(now.discard)
    for hand in now.hands:
        everything += Counter(hand)
    copies = 2 if preset == "berserker" and players == 10 else 1
    assert everything == Counter(DECKS[112] * copies)


def test_a_number_turned_up_does_nothing() -> None:
    """RULES 2.6, also for the sevens and zeros of house rules."""
    for first in ("r5", "r7", "r0"):
        now = stacked(first, rules="classic seven_swap=on zero_rotate=on")
        assert now.waiting == Free(1)
        assert now.direction == 1
        assert now.events[1:] == [TurnedUp(card(first))]


def test_a_first_skip_passes_over_the_player_left_of_the_dealer() -> None:
    """RULES 2.6"""
    now = stacked("gS")
    assert now.waiting == Free(2)
    assert now.events[1:] == [TurnedUp(card("gS")), Skipped(1)]


def test_a_first_reverse_lets_the_dealer_begin_to_the_right() -> None:
    """RULES 2.6"""
    now = stacked("gR", players=4)
    assert (now.waiting, now.direction) == (Free(0), -1)
    assert of_kind(now.events, Turned) == [Turned(-1)]
    colour_card = next(each for each in may(now, 0) if each.startswith("g")) if any(
        each.startswith("g") for each in may(now, 0)
    ) else "draw"
    do(now, f"0 {colour_card}")
    assert now.turn in {0, 2, 3}


@pytest.mark.parametrize("first", ["gS", "gR"])
def test_between_two_a_first_skip_or_reverse_lets_the_dealer_begin(first: str) -> None:
    """RULES 2.6"""
    for dealer in (0, 1):
        assert stacked(first, players=2, dealer=dealer).waiting == Free(dealer)


def test_a_first_draw_two_is_drawn_by_itself() -> None:
    """RULES 2.6"""
    now = stacked("g+2")
    assert len(now.hands[1]) == 9
    assert now.waiting == Free(2)
    (drew,) = of_kind(now.events, Drew)
    assert (drew.seat, drew.count, drew.cause) == (1, 2, "draw_two")  # type: ignore[union-attr]


def test_a_first_draw_two_waits_for_an_answer_with_stacking_but_not_for_a_run() -> None:
    """RULES 2.6, 7.10"""
    stack = stacked("g+2", rules="classic stacking=same")
    assert stack.waiting == Answer(1, 2, 0)
    assert refusal(stack, "1 challenge") == "no_challenge"
    assert stacked("g+2", rules="classic runs=rank").waiting == Free(2)


def test_a_first_wild_is_coloured_by_the_player_left_of_the_dealer_who_then_plays() -> None:
    """RULES 2.6"""
    now = stacked("W")
    assert now.waiting == Colour(1, True)
    assert now.colour is None
    assert may(now, 1) == {"colour r", "colour y", "colour g", "colour b"}
    assert may(now, 2) == set()
    do(now, "1 colour y")
    assert (now.colour, now.waiting) == ("y", Free(1))


@pytest.mark.parametrize("first", ["W+4", "WH", *CUSTOMS])
def test_wilds_that_cannot_begin_go_back(first: str) -> None:
    """RULES 2.6, 10.3"""
    now = stacked(first, first, "r5", rules="classic deck=112")
    assert of_kind(now.events, TurnedUp) == [
        TurnedUp(card(first), back=True),
        TurnedUp(card(first), back=True),
        TurnedUp(card("r5")),
    ]
    assert len(now.pile) == 112 - 21 - 1


@pytest.mark.parametrize("first", ["gS", "gR", "g+2", "W", "W+4"])
def test_with_the_2022_sheet_only_a_number_begins(first: str) -> None:
    """RULES 2.7"""
    now = stacked(first, "r5", rules="official_2022")
    assert of_kind(now.events, TurnedUp) == [TurnedUp(card(first), True), TurnedUp(card("r5"))]
    assert now.waiting == Free(1)
    assert now.direction == 1


def test_a_deal_that_leaves_no_card_to_begin_with_is_shuffled_again() -> None:
    """RULES 1.4, 2.7: seven players with fifteen cards leave three, and none may be a number."""
    rules = Rules.of("official_2022", hand_size=15)
    symbols = [each for each in DECKS[108] if each.number is None][:3]
    shuffles = 0

    def shuffle(pile: list[Card]) -> None:
        nonlocal shuffles
        shuffles += 1
        if shuffles == 1:
            for each in symbols:
                pile.remove(each)
            pile[:0] = symbols
        else:
            Shuffles(SEED, shuffles)(pile)

    now = Round.deal(rules, range(7), 0, shuffle)
    assert shuffles > 1
    assert now.top.number is not None
    assert len(of_kind(now.events, Dealt)) == 1
    assert sorted(map(len, now.hands)) == [15] * 7


def test_a_named_dealer_needs_no_draw() -> None:
    match = Match(Rules.of(), ["Ana", "Beto", "Carla"], seed=SEED)
    events = match.start(dealer=1)
    assert match.dealer == 1
    assert not of_kind(events, DealerDrawn)
    assert events[0] == Dealt(1, 1, 7, (0, 1, 2))


def test_the_highest_number_deals_and_those_tied_draw_again() -> None:
    """RULES 2.2: action and wild cards count nothing."""
    ties = 0
    for number in range(300):
        match = Match(Rules.of(), ["Ana", "Beto", "Carla", "Dani"], seed=number.to_bytes(32, "big"))
        drawn = [e for e in match.start() if isinstance(e, DealerDrawn)]
        contenders = [0, 1, 2, 3]
        while len(contenders) > 1:
            turn, drawn = drawn[: len(contenders)], drawn[len(contenders) :]
            assert [each.seat for each in turn] == contenders
            worth = {e.seat: e.card.number if e.card.number is not None else 0 for e in turn}
            contenders = [seat for seat in contenders if worth[seat] == max(worth.values())]
            ties += len(contenders) > 1
        assert not drawn
        assert match.dealer == contenders[0]
        assert match.round is not None
        assert sum(map(len, match.round.hands)) + len(match.round.pile) == 107
    assert ties > 30
