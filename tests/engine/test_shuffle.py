"""Shuffles: as docs/shuffle.md says, the same for ever, and uniform (RULES 2.4)."""

from __future__ import annotations

import copy
import hashlib
import hmac
import itertools
import math
import pickle
import random
import re
import secrets
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import pytest

from penultima.engine.cards import DECKS, card
from penultima.engine.events import DealerDrawn, TurnedUp
from penultima.engine.match import Match
from penultima.engine.rules import Rules
from penultima.engine.shuffle import Shuffles
from tests.engine.helpers import SEED, cards, do, match_at, text

PAGE = (Path(__file__).parents[2] / "docs" / "shuffle.md").read_text(encoding="utf-8")


def by_the_page(items: list[str] | str, seed: bytes, round_number: int, count: int) -> list[str]:
    """docs/shuffle.md, sections 2 and 3, word for word and without the engine."""

    def words() -> object:
        for n in itertools.count():
            label = b"penultima shuffle 1"
            numbers = b"".join(each.to_bytes(4, "big") for each in (round_number, count, n))
            block = hmac.new(seed, label + numbers, hashlib.sha256).digest()
            for at in range(0, 32, 2):
                yield int.from_bytes(block[at : at + 2], "big")

    order = items.split() if isinstance(items, str) else list(items)
    source = words()
    for last in range(len(order) - 1, 0, -1):
        choices = last + 1
        limit = 65536 - (65536 % choices)
        word = next(source)  # type: ignore[call-overload]
        while word >= limit:
            word = next(source)  # type: ignore[call-overload]
        other = word % choices
        order[last], order[other] = order[other], order[last]
    return order


def canonical(deck: int) -> list[str]:
    colours = [
        f"{colour}{rank}"
        for colour in "rygb"
        for rank in ["0", *(r for r in [*"123456789", "S", "R", "+2"] for _ in range(2))]
    ]
    wilds = ["W"] * 4 + ["W+4"] * 4
    return colours + wilds + (["WH", "WC1", "WC2", "WC3"] if deck == 112 else [])


def test_the_canonical_order_is_the_pages() -> None:
    for deck in (108, 112):
        assert [each.text for each in DECKS[deck]] == canonical(deck)


def test_the_pages_vector_is_what_the_engine_and_the_page_give() -> None:
    vector = re.search(r"^```\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)
    small = re.search(r"becomes `([^`]+)`", PAGE)
    assert vector
    assert small
    ours = list(DECKS[108])
    Shuffles(SEED, 1)(ours)
    assert vector[1].split() == [each.text for each in reversed(ours)]
    assert vector[1].split() == list(reversed(by_the_page(canonical(108), SEED, 1, 0)))
    four = list(cards("r1 r2 r3 r4"))
    shuffles = Shuffles(SEED, 7)
    shuffles.count = 2
    shuffles(four)
    assert text(four) == small[1] == " ".join(by_the_page("r1 r2 r3 r4", SEED, 7, 2))


@pytest.mark.parametrize("length", [0, 1, 2, 3, 17, 107, 108, 216])
def test_the_engine_shuffles_as_the_page_says(length: int) -> None:
    seed = hashlib.sha256(b"any").digest()
    faces = [each.text for each in (DECKS[108] * 2)[:length]]
    shuffles = Shuffles(seed, 3)
    for count in range(4):
        ours = [card(each) for each in faces]
        shuffles(ours)
        assert [each.text for each in ours] == by_the_page(faces, seed, 3, count)
        assert shuffles.count == count + 1


@pytest.mark.parametrize("length", [0, 1, 31, 64, 65, 200])
def test_a_seed_may_have_any_length(length: int) -> None:
    """HMAC fills a key up to 64 bytes, and hashes one that is longer."""
    seed = bytes(number * 7 % 256 for number in range(length))
    ours = list(DECKS[108])
    Shuffles(seed, 3)(ours)
    assert [each.text for each in ours] == by_the_page(canonical(108), seed, 3, 0)


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda s: pickle.loads(pickle.dumps(s))])
def test_a_copy_goes_on_where_the_original_stands_and_counts_apart(
    copied: Callable[[Shuffles], Shuffles],
) -> None:
    shuffle = Shuffles(SEED, 5)
    shuffle(list(DECKS[108]))
    other = copied(shuffle)
    for each in (shuffle, other):
        deck = list(DECKS[108])
        each(deck)
        assert [card.text for card in deck] == by_the_page(canonical(108), SEED, 5, 1)
    assert (shuffle.count, other.count) == (2, 2)


def test_a_whole_round_can_be_redone_from_the_page() -> None:
    """Section 1: the draws for the deal, the deck, first cards that go back."""
    turned_back = 0
    for number in range(40):
        seed = number.to_bytes(32, "little")
        match = Match(Rules.of("official_2022"), ["Ana", "Beto", "Carla"], seed=seed)
        events = match.start()
        assert match.round is not None
        drawn = [event for event in events if isinstance(event, DealerDrawn)]
        deck = by_the_page(canonical(108), seed, 0, 0)
        assert [each.card.text for each in drawn[:3]] == deck[:-4:-1]

        count = 0
        pile = by_the_page(canonical(108), seed, 1, count)
        hands: list[list[str]] = [[], [], []]
        for place in range(21):
            hands[(match.dealer + 1 + place) % 3].append(pile.pop())
        while not pile[-1][1:].isdigit():
            count += 1
            turned_back += 1
            pile = by_the_page(pile, seed, 1, count)
        top = pile.pop()
        assert [[each.text for each in hand] for hand in match.round.hands] == hands
        assert (match.round.top.text, text(match.round.pile)) == (top, " ".join(pile))
        assert sum(isinstance(e, TurnedUp) and e.back for e in events) == count
    assert turned_back > 5


def test_a_reshuffle_can_be_redone_from_the_page() -> None:
    match = match_at("r1 r2 | y1 y2", discard="g1 g2 g3 W b7 b8 r5", draw="y9")
    do(match, "0 draw", "1 draw")
    assert match.round is not None
    order = by_the_page("g1 g2 g3 W b7 b8", SEED, 1, 0)
    assert match.round.hands[1][-1].text == order[-1]
    assert text(match.round.pile) == " ".join(order[:-1])


def test_shuffle_hands_can_be_redone_from_the_page() -> None:
    match = match_at("r1 WH r2 | y1 y2 | g1 g2 g3", rules="classic deck=112")
    do(match, "0 WH")
    assert match.round is not None
    order = by_the_page("y1 y2 g1 g2 g3 r1 r2", SEED, 1, 0)
    assert [text(match.round.hands[seat]) for seat in (1, 2, 0)] == [
        " ".join(order[place::3]) for place in range(3)
    ]


def test_a_hand_taken_out_goes_under_the_pile_and_is_shuffled_with_it() -> None:
    match = match_at("r1 r2 | y1 y2 | g1 g2", draw="b1 b2 b3")
    match.take_out(1)
    assert match.round is not None
    assert text(match.round.pile) == " ".join(by_the_page("y1 y2 b3 b2 b1", SEED, 1, 0))


def test_rounds_counts_and_seeds_give_different_orders() -> None:
    seen = set()
    for seed in (SEED, bytes(32), secrets.token_bytes(32)):
        for round_number in range(3):
            shuffles = Shuffles(seed, round_number)
            for _ in range(3):
                deck = list(DECKS[108])
                shuffles(deck)
                seen.add(text(deck))
    assert len(seen) == 27


def test_a_shuffle_keeps_every_card() -> None:
    deck = list(DECKS[112])
    Shuffles(SEED, 1)(deck)
    assert Counter(deck) == Counter(DECKS[112])


def chi_square(counts: dict[object, int], expected: float, cells: int) -> float:
    """How many standard deviations chi-square is above what is expected of chance."""
    assert len(counts) <= cells
    total = sum((n - expected) ** 2 / expected for n in counts.values())
    total += expected * (cells - len(counts))
    freedom = cells - 1
    return (total - freedom) / math.sqrt(2 * freedom)


def test_all_orders_of_four_cards_are_equally_likely() -> None:
    seed = secrets.token_bytes(32)
    four = cards("r1 r2 r3 r4")
    shuffles = Shuffles(seed, 1)
    counts: Counter[object] = Counter()
    for _ in range(24_000):
        order = list(four)
        shuffles(order)
        counts[tuple(order)] += 1
    assert abs(chi_square(counts, 1000, 24)) < 5, f"seed {seed.hex()}"


def test_every_card_comes_to_every_place_equally_often() -> None:
    """Over whole decks, where rejected numbers matter."""
    seed = secrets.token_bytes(32)
    shuffles = Shuffles(seed, 1)
    places: Counter[object] = Counter()
    times = 3000
    for _ in range(times):
        order: list[object] = list(range(108))
        shuffles(order)  # type: ignore[arg-type]
        places.update(enumerate(order))
    assert chi_square(places, times / 108, 108 * 108) < 5, f"seed {seed.hex()}"


def test_the_same_seed_is_the_same_match_and_another_is_not() -> None:
    def digest(seed: bytes) -> str:
        match = Match(Rules.of(), ["Ana", "Beto"], seed=seed)
        match.start()
        return match.digest()

    assert digest(SEED) == digest(SEED)
    others = {digest(random.Random(n).randbytes(32)) for n in range(20)}
    assert len(others | {digest(SEED)}) == 21
