"""Whole matches through the page, and everything that crossed the wire on the way."""

from __future__ import annotations

import hashlib
from typing import Any

import pytest

from penultima.engine import actions
from penultima.engine.match import Match
from penultima.engine.rules import Rules
from penultima.table import keys
from tests.browser.mirror import Mirror, cards_in
from tests.browser.people import Party
from tests.browser.policy import choose

RULES = "classic target=50"
NO_RTC = "delete window.RTCPeerConnection;"


def mirror(party: Party, seed: str, number: int = 1) -> Mirror:
    """The match of that table in the test's own hands: the same seed deals the same cards."""
    label = f"match {number}"
    match = Match(
        Rules.parse(RULES),
        [person.name for person in party],
        seed=keys.derived(hashlib.sha256(seed.encode()).digest(), label),
    )
    return Mirror(match)


def play_on(party: Party, known: Mirror) -> None:
    """Everybody plays as the policy says, to the end of the match."""
    known.start(party.seq)
    while not known.match.winners:
        if known.match.between:
            end_of_round(party, known)
            continue
        seat = known.turn
        person = party[seat]
        wait = {"Free": "free", "Drawn": "drawn", "Answer": "answer", "Colour": "colour"}
        person.my_turn(wait[type(known.match.round.waiting).__name__])
        person.until(lambda view: view.get("hand", []) == known.hand(seat))  # noqa: B023
        choice = choose(person.view)
        if choice.call:
            person.press("uno")
            known.play(seat, actions.CALL, person.seq)
        if choice.does == "colour":
            person.press(f"colour-{choice.colour}")
        elif choice.does in {"draw", "pass", "accept", "challenge"}:
            person.press(choice.does)
        else:
            person.play(choice.does, colour=choice.asked)
        known.play(seat, actions.action(choice.text), person.seq)


def end_of_round(party: Party, known: Mirror) -> None:
    """The last card is seen for two seconds; then hands, points, and the host's button."""
    outcome = known.match.outcome
    assert outcome is not None
    for person in party:
        assert not person.see("round-end").is_visible()
    for person in party:
        end = person.see("round-end")
        end.wait_for()
        scores = {
            seat: int(person.see(f"score-{seat}").locator("b").inner_text())
            for seat in range(len(party.people))
        }
        assert scores == dict(enumerate(known.match.scores))
        lying = end.locator(".hands [data-card]").evaluate_all(
            "all => all.map(e => e.dataset.card)"
        )
        assert sorted(lying) == sorted(card.text for hand in outcome.hands for card in hand)
        assert end.get_by_text("Siguiente ronda", exact=True).count() == (person is party[0])
    party[0].press("next-round")
    known.next_round(party.seq)


def scores_on(party: Party) -> list[list[int]]:
    return [
        [
            int(person.see(f"score-{seat}").locator("b").inner_text())
            for seat in range(len(party.people))
        ]
        for person in party
    ]


def end_of_match(party: Party, known: Mirror) -> None:
    told = party.host.wait_for("match_over")
    assert told["winners"] == [party[seat].name for seat in known.match.winners]
    scores = dict(zip([each.name for each in party], known.match.scores, strict=True))
    party[0].wait(lambda: {"event": "scores", "scores": scores} in party.host.events)
    for person in party:
        person.see("match-end").wait_for()
    for shown in scores_on(party):
        assert shown == known.match.scores


@pytest.mark.timeout(180)
def test_three_phones_play_a_match_over_data_channels_and_none_learns_what_it_may_not(
    party,
) -> None:
    seed = "533"
    table = party(3, "--seed", seed, "--rules", RULES)
    table.on("rtc")
    known = mirror(table, seed)
    play_on(table, known)
    end_of_match(table, known)
    assert {"challenge", "uno"} <= set(known.did), "the seed does not lead where it did"

    for seat, person in enumerate(table):
        assert person.channel == "rtc"
        acts = [each["t"] for each in person.phone.sent("rtc")].count("act")
        assert acts == len(known.played[seat]), "every move went over the data channel"
        assert not [each for each in person.phone.sent("ws") if each["t"] == "act"]
        # The page may know that it is open before the host does.
        first = next(each["seq"] for each in person.phone.received("rtc") if each["t"] == "view")
        late = [each for each in person.phone.received("ws") if each["t"] == "view"]
        assert all(each["seq"] < first for each in late), "and so did every view from then on"
        known.check(seat, person.phone.received())

    # Another match: the same seats, link and rules.
    names = [seat["name"] for seat in table[1].view["seats"]]
    assert table[0].see("rematch").inner_text() == "Otra partida"
    table[0].press("rematch")
    for person in table:
        person.see("table").wait_for()
        person.until(lambda view: view["phase"] == "round")
    again = mirror(table, seed, number=2)
    again.start(table.seq)
    for seat, person in enumerate(table):
        assert person.view["you"] == seat
        assert [each["name"] for each in person.view["seats"]] == names
        assert not any(each.get("score") for each in person.view["seats"])
        assert person.view["rules"] == RULES
        assert person.hand == again.hand(seat)


def test_without_webrtc_the_websocket_carries_a_whole_match(party) -> None:
    seed = "1292"
    table = party(2, "--seed", seed, "--rules", RULES, script=NO_RTC)
    table.on("ws")
    known = mirror(table, seed)
    play_on(table, known)
    end_of_match(table, known)
    for seat, person in enumerate(table):
        assert {frame.path for frame in person.phone.frames} == {"ws"}
        assert not [each for each in person.phone.sent() if each["t"] == "offer"]
        known.check(seat, person.phone.received())


def test_the_check_of_the_wire_finds_a_card_that_should_not_be_there() -> None:
    match = Match(Rules.parse(RULES), ["Ana", "Beto"], seed=bytes(32))
    known = Mirror(match)
    known.start(5)
    good: dict[str, Any] = {"t": "view", "seq": 5, "v": {"you": 0, "phase": "round"}, "e": []}
    good["v"]["hand"] = known.hand(0)
    known.check(0, [good])
    assert cards_in({"a": ["r7", {"b": "WC1"}], "name": "r77"}) == [
        (("a", 0), "r7"),
        (("a", 1, "b"), "WC1"),
    ]
    for spoilt in (
        good | {"e": [{"e": "drew", "seat": 1, "cards": ["r1"]}]},
        good | {"v": good["v"] | {"hand": known.hand(1)}},
        good | {"v": good["v"] | {"pile": ["r1"]}},
        good | {"v": good["v"] | {"result": {"hands": [[], known.hand(1)]}}},
        {"t": "done", "n": 1, "why": "b7"},
    ):
        with pytest.raises(AssertionError):
            known.check(0, [spoilt])
