"""Nobody is sent what they may not know (RULES 11): twin worlds and canaries.

Twin worlds: two tables that differ only in cards that one guest cannot know, and in which then the
same things happen, send that guest the same bytes. What the rules themselves let everybody see (a
drawn card that can be played, a challenge that holds) is made the same in both.

Canaries: a deck in which every card has a mark of its own, so that each card a page was sent can be
traced, and must have been one that its seat had seen by then.
"""

from __future__ import annotations

import json
import random
import re
from typing import Any

import pytest

from penultima.engine import rules as rules_module
from penultima.engine.actions import CHALLENGE, DRAW, Action, Play
from penultima.engine.cards import DECKS, FACES, Card
from penultima.engine.events import Drew, HandShown
from penultima.engine.match import Match
from penultima.engine.round import Round
from penultima.engine.rules import Rules
from penultima.engine.scheme import Scheme
from penultima.engine.waiting import Answer, Drawn, Evidence
from tests.table.room import HOST_KEY, Guest, Room

HOUSE = (
    "classic", "official_2022", "party", "icebreaker", "berserker", "classic stacking=same",
    "classic stacking=cross", "classic draw=until_playable", "classic seven_swap=on",
    "classic zero_rotate=on", "classic jump_in=on", "classic twins=on", "classic runs=rank",
    "classic runs=rank_or_sequence", "classic finish=number", "classic challenge=off",
    "classic bluff_basis=colour_or_symbol", "classic misplay=draw_two", "classic uno_penalty=4",
    "classic deck=112 custom1=all_draw custom2=draw_two custom3=swap", "classic scoring=elimination",
)  # fmt: skip


def recorded(room: Room, guest: Guest) -> list[str]:
    """From now on, everything that goes to that page, as it goes."""
    sent: list[str] = []
    take = guest.take

    def taking(message: dict[str, Any]) -> None:
        sent.append(json.dumps(message))
        take(message)

    guest.take = taking  # type: ignore[method-assign]
    return sent


class World:
    """One of two tables, with the guest whose knowledge is the question."""

    def __init__(self, players: int) -> None:
        self.room = Room()
        self.guests = [self.room.host("Nr 0x")]
        self.guests += [self.room.guest(f"Nr {n}x") for n in range(1, players)]
        self.room.put(*["b1 b2"] * players)

    def stand_at(self, match: Match) -> None:
        ledger = self.room.table._ledger
        ledger.match, ledger.rules = match, match.rules
        ledger.moved = ledger.seq
        ledger.exposed = dict.fromkeys(match.round.exposed, ledger.now)

    @property
    def round(self) -> Round:
        assert self.room.match.round is not None
        return self.room.match.round


def played_for_a_while(rules: Rules, players: int, seed: int) -> Match:
    """A match somewhere in its first rounds."""
    rng = random.Random(seed)
    match = Match(rules, [f"Nr {n}x" for n in range(players)], seed=rng.randbytes(32))
    match.start()
    for _ in range(rng.randrange(60)):
        assert match.round is not None
        if match.round.over:
            if match.winners:
                break
            match.next_round()
        seats = [seat for seat in range(players) if match.legal(seat)]
        seat = rng.choice(seats)
        before = match.legal(seat)
        plays = [each for each in before if isinstance(each, Play)]
        match.play(seat, rng.choice(plays if plays and rng.random() < 0.7 else before))
    if match.round is None or match.round.over:
        return played_for_a_while(rules, players, seed + 1_000_000)
    return match


def hide_otherwise(match: Match, guest: int, keep: int, rng: random.Random) -> None:
    """Deal the cards that the guest cannot know in another way; the next ``keep`` of the pile stay."""
    now = match.round
    assert now is not None
    others = [seat for seat in now.seats if seat != guest]
    rest = now.pile[: len(now.pile) - keep] if keep else now.pile[:]
    # That the card just drawn can be played is known, though not the card: it stays where it is.
    drawn = [now.waiting.card] if type(now.waiting) is Drawn and now.turn != guest else []
    for card in drawn:
        now.hands[now.waiting.seat].remove(card)
    unknown = [card for seat in others for card in now.hands[seat]] + rest
    rng.shuffle(unknown)
    for seat in others:
        count = len(now.hands[seat])
        now.hands[seat][:] = [unknown.pop() for _ in range(count)]
    now.pile[: len(rest)] = unknown
    for card in drawn:
        now.hands[now.waiting.seat].append(card)
    now = match.round = now.copy()  # what was legal may be remembered
    waiting = now.waiting
    if type(waiting) is Answer and waiting.evidence is not None and waiting.evidence.seat != guest:
        # Whether it was a bluff is no more known than the hand.
        opener = waiting.evidence.seat
        hand = tuple(now.hands[opener])
        bluff = rng.random() < 0.5 and bool(hand)
        evidence = Evidence(opener, hand, hand[:1] if bluff else (), bluff)
        now.waiting = waiting._replace(evidence=evidence)
    if now.shown is not None and guest != now.shown.seat:
        now.shown = now.shown._replace(cards=tuple(rest[:3]), guilty=tuple(rest[:1]))


def is_fair(one: Round, two: Round, seat: int, guest: int, action: Action, keep: int) -> bool:
    """Whether the rules show the guest the same of that action in both worlds."""
    rules = one.rules
    if action not in one.legal(seat) or action not in two.legal(seat):
        return False
    if may_draw(one, seat, action) > keep and might_hit(one, seat, guest, action):
        return False  # the guest would get cards that are not the same
    if action is CHALLENGE:
        return seat != guest and bluff(one) == bluff(two)
    if action is DRAW:
        if rules["draw"] == "until_playable" or not one.pile:
            return False
        first, second = one.pile[-1], two.pile[-1]
        kinds = [(now.fits(card), card.number is None) for now, card in ((one, first), (two, second))]
        return first is second or (seat != guest and kinds[0] == kinds[1])
    if isinstance(action, Play):
        if len(one.hands[seat]) == 1:
            return False  # the hands are laid open
        rank = action.card.rank
        if rank == "WH" or (rank == "0" and rules["zero_rotate"]):
            return False  # the guest gets to see a hand
        if action.player is not None and guest in (seat, action.player):
            return rank not in ("7", "WC3")
    return True


def bluff(now: Round) -> bool:
    assert type(now.waiting) is Answer
    assert now.waiting.evidence is not None
    return now.waiting.evidence.bluff


def may_draw(now: Round, seat: int, action: Action) -> int:
    """How many cards may have to be drawn at most in consequence."""
    pending = now.waiting.count if type(now.waiting) is Answer else 0
    if isinstance(action, Play):
        penalties = {"+2": 2, "W+4": 4, "WC1": 1, "WC2": 2}
        misplayed = 0 if now.fits(action.card) else 2
        return penalties.get(action.card.rank, 0) + pending + misplayed
    return {"draw": 1, "accept": pending, "challenge": pending + 2}.get(str(action), 4)


def might_hit(now: Round, seat: int, guest: int, action: Action) -> bool:
    """Whether it might be the guest who has to draw them."""
    if isinstance(action, Play) or action is CHALLENGE:
        return True
    return guest in (seat, getattr(action, "player", None))


def pairs_differ(number: int, worlds: dict[int, tuple[World, World]]) -> bool:
    """One pair of worlds. True if it differed in anything hidden at all."""
    say = f"pair {number}"
    rng = random.Random(number)
    players = rng.choice((2, 3, 4))
    rules = Rules.parse(HOUSE[number % len(HOUSE)])
    guest = rng.randrange(players)
    keep = rng.choice((0, 0, 12))
    a, b = worlds[players]
    for world, alter in ((a, False), (b, True)):
        match = played_for_a_while(rules, players, number)
        if alter:
            hide_otherwise(match, guest, min(keep, len(match.round.pile)), random.Random(number))
        world.stand_at(match)
    differs = a.room.match.digest() != b.room.match.digest()
    hidden = [recorded(world.room, world.guests[guest]) for world in (a, b)]
    try:
        # A return, a question, things that cannot be done and things that can.
        for world in (a, b):
            page = world.guests[guest]
            page.vanish()
            page.dial(key=page.key)
            page.send({"t": "ping", "i": 1, "seq": 0})
        tries = ["draw", "pass", "accept", "challenge", "uno", "catch 0", "catch 1", "r7", "W=r", "W+4=g", "y7>1"]
        for text in rng.sample(tries, 4):
            for world in (a, b):
                if not any(str(each) == text for each in world.room.match.legal(guest)):
                    world.guests[guest].act(text)
        assert hidden[0] == hidden[1], say
        for _ in range(8):
            if a.round.over:
                break
            fair = [
                (seat, action)
                for seat in range(players)
                for action in a.room.match.legal(seat)
                if is_fair(a.round, b.round, seat, guest, action, keep)
            ]
            if not fair:
                break
            seat, action = rng.choice(fair)
            left = len(a.round.pile)
            for world in (a, b):
                assert world.guests[seat].act(str(action)) is None, say
            assert hidden[0] == hidden[1], f"{say}: {seat} {action}"
            # After a reshuffle nothing is kept.
            now = len(a.round.pile)
            keep = max(0, keep - (left - now)) if now <= left else 0
    finally:
        for world in (a, b):
            del world.guests[guest].take  # type: ignore[attr-defined]
    return differs


def differing(worlds: dict[int, tuple[World, World]], pairs: int) -> int:
    return sum(pairs_differ(number, worlds) for number in range(pairs))


@pytest.mark.slow
def test_twin_worlds_send_the_guest_the_same_bytes() -> None:
    worlds = {n: (World(n), World(n)) for n in (2, 3, 4)}
    assert differing(worlds, 500) > 480, "worlds that are alike prove nothing"


# --- canaries


def mark(monkeypatch: pytest.MonkeyPatch, deck: int) -> dict[str, Card]:
    """Every card of the deck has a text of its own from here on."""
    # What goes on what is remembered for equal rules; these cards are nobody else's.
    monkeypatch.setattr(rules_module, "_scheme", Scheme)
    marked = {}
    for number, face in enumerate(DECKS[deck]):
        text = f"{face.text}#{number}"
        marked[text] = Card(text, face.colour, face.rank, face.points, number)
        monkeypatch.setitem(FACES, text, marked[text])
    monkeypatch.setitem(DECKS, deck, tuple(marked.values()))
    return marked


MARK = re.compile(r"[rygbWHCSR0-9+]+#\d+")


@pytest.mark.parametrize("rules", ["classic", "party", "classic misplay=draw_two stacking=cross"])
@pytest.mark.parametrize("seed", [1, 2])
def test_every_card_that_a_page_is_sent_is_one_that_its_seat_has_seen(
    monkeypatch: pytest.MonkeyPatch, rules: str, seed: int
) -> None:
    mark(monkeypatch, 108)
    rng = random.Random(seed)
    room = Room(seed=bytes([seed]) * 32, rules=f"{rules} target=150")
    players = [Guest(room, "Nr 0x", host=HOST_KEY), *(Guest(room, f"Nr {n}x") for n in (1, 2, 3))]
    for player in players:
        player.sit()
    screen = Guest(room, "TV", watch=True)
    stranger = Guest(room, "Eva")
    pages: list[tuple[Guest, int | None]] = [(p, n) for n, p in enumerate(players)]
    pages += [(screen, None), (stranger, None)]
    known: dict[int | None, set[str]] = {seat: set() for _, seat in pages}
    watched = watch_what_seats_see(monkeypatch, known)
    read = dict.fromkeys(range(len(pages)), 0)
    assert players[0].do("start") is None
    actions = 0
    while room.table.console()["phase"] != "over" and actions < 500:
        look_at_public(room.match, known)
        for number, (page, seat) in enumerate(pages):
            for message in page.got[read[number] :]:
                marks = set(MARK.findall(json.dumps(message)))
                assert marks <= known[seat], f"seed {seed}: {page.name} was sent {marks - known[seat]}"
            read[number] = len(page.got)
        if room.table.console()["phase"] == "between":
            # Dealt again, the same card is another: what was seen of it counts no more.
            for seen in known.values():
                seen.clear()
            assert players[0].do("next") is None
            continue
        seats = [seat for seat in range(4) if room.match.legal(seat)]
        if not seats:
            continue
        seat = rng.choice(seats)
        legal = room.match.legal(seat)
        plays = [each for each in legal if isinstance(each, Play)]
        action = rng.choice(plays if plays and rng.random() < 0.8 else legal)
        assert players[seat].act(str(action)) is None
        actions += 1
        if rng.random() < 0.05:
            players[seat].vanish()
            players[seat].come_back()
    assert actions > 60
    assert watched


def look_at_public(match: Match, known: dict[int | None, set[str]]) -> None:
    """What lies open, and what each seat holds."""
    now = match.round
    assert now is not None
    open_cards = {card.text for card in now.discard}
    if now.over:
        open_cards |= {card.text for hand in now.hands for card in hand}
    for seat, seen in known.items():
        seen.update(open_cards)
        if seat is not None:
            seen.update(card.text for card in now.hands[seat])


def watch_what_seats_see(
    monkeypatch: pytest.MonkeyPatch, known: dict[int | None, set[str]]
) -> list[object]:
    """Cards drawn and put down at once, shown hands, cards given back: from the engine's own events."""
    told: list[object] = []
    play, deal = Match.play, Match._deal

    def note(events: list[Any]) -> list[Any]:
        for event in events:
            told.append(event)
            for seat, seen in known.items():
                if isinstance(event, Drew | HandShown):
                    if event.seat == seat:
                        seen.update(card.text for card in event.cards)
                else:
                    seen.update(value.text for value in event if isinstance(value, Card))
        return events

    monkeypatch.setattr(Match, "play", lambda self, seat, action: note(play(self, seat, action)))
    monkeypatch.setattr(Match, "_deal", lambda self: note(deal(self)))
    draws = Match._draw_for_deal

    def drawing(self: Match, events: list[Any]) -> int:
        dealer = draws(self, events)
        note(events)
        return dealer

    monkeypatch.setattr(Match, "_draw_for_deal", drawing)
    return told


def test_the_search_would_find_a_leak(monkeypatch: pytest.MonkeyPatch) -> None:
    """The test of the test: a view that shows the pile makes the twins differ."""
    from penultima.table import views

    honest = views.for_seat
    monkeypatch.setattr(
        views,
        "for_seat",
        lambda ledger, shared, number: honest(ledger, shared, number)
        | ({"title": ledger.match.round.pile[0].text} if ledger.match else {}),
    )
    worlds = {n: (World(n), World(n)) for n in (2, 3, 4)}
    with pytest.raises(AssertionError, match="pair"):
        differing(worlds, 20)
