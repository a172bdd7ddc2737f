"""Rounds to the end of a match: dealer, points, sides, who is in (RULES 2.3, 6, 9)."""

from __future__ import annotations

import pytest

from penultima.engine.actions import DRAW
from penultima.engine.cards import card
from penultima.engine.errors import Refused, RulesError
from penultima.engine.events import Eliminated, MatchEnded, RoundEnded, Scored, TakenOut
from penultima.engine.match import Match
from penultima.engine.rules import Rules
from tests.engine.helpers import SEED, do, match_at, may, of_kind, refusal

NAMES = ["Ana", "Beto", "Carla", "Dani"]


def dealt(rules: str = "classic", players: int = 4, dealer: int = 0) -> Match:
    match = Match(Rules.parse(rules), NAMES[:players], seed=SEED)
    match.start(dealer=dealer)
    return match


def end(match: Match, winner: int, *hands: str, scores: list[int] | None = None) -> list[object]:
    """End the round now: ``winner`` lays a last card, the others hold ``hands`` (by seat)."""
    now = match.round
    assert now is not None
    for seat in now.seats:
        now.hands[seat] = [card(each) for each in hands[seat].split()]
    now.hands[winner] = [card("r5")]
    now.discard[-1], now.colour, now.waiting = card("r1"), "r", now.free(winner)
    if scores is not None:
        match.scores = scores
    return list(do(match, f"{winner} r5"))


# --- dealer


def test_the_deal_passes_one_seat_to_the_left() -> None:
    """RULES 2.3"""
    match = dealt(dealer=2)
    dealers = []
    for _ in range(4):
        end(match, 0, "", "g1", "g1", "g1")
        match.next_round()
        dealers.append(match.dealer)
    assert dealers == [3, 0, 1, 2]


def test_the_deal_passes_over_seats_that_are_out() -> None:
    match = dealt(dealer=0)
    end(match, 0, "", "g1", "g1", "g1")
    match.take_out(1)
    match.take_out(2)
    match.next_round()
    assert match.dealer == 3
    assert match.round is not None
    assert match.round.seats == (0, 3)


def test_a_blocked_round_scores_nothing_and_the_same_dealer_deals_again() -> None:
    """RULES 3.5"""
    match = match_at("r1 r2 | g1 g2 | y1 y2", draw="-", dealer=1, scores=[10, 20, 30])
    events = do(match, "0 draw", "1 draw", "2 draw")
    assert of_kind(events, Scored) == [Scored(None, 0, (0, 0, 0), (10, 20, 30))]
    assert match.outcome is not None
    assert match.outcome.why == "blocked"
    assert match.between
    match.next_round()
    assert match.dealer == 1
    assert match.round_number == 2


def test_after_a_blocked_round_the_deal_passes_on_if_its_dealer_is_out() -> None:
    match = match_at("r1 r2 | g1 g2 | y1 y2", draw="-", dealer=1)
    do(match, "0 draw", "1 draw", "2 draw")
    match.take_out(1)
    match.next_round()
    assert match.dealer == 2


@pytest.mark.parametrize("how", ["won", "playing", "paused", "not_started"])
def test_the_next_round_only_begins_when_one_is_over(how: str) -> None:
    """RULES 6.8"""
    match = Match(Rules.of(), NAMES, seed=SEED)
    code = "bad_move"
    if how != "not_started":
        match.start(dealer=0)
    if how == "won":
        end(match, 0, "", "g1", "g1", "g1", scores=[499, 0, 0, 0])
        code = "round_over"
    if how == "paused":
        end(match, 0, "", "g1", "g1", "g1")
        match.pause("host")
        code = "paused"
    before = match.digest()
    with pytest.raises(Refused, match=code):
        match.next_round()
    assert match.digest() == before


def test_a_match_starts_once() -> None:
    match = dealt()
    with pytest.raises(Refused):
        match.start()


# --- points


def test_the_winner_gets_the_points_of_all_other_hands() -> None:
    """RULES 6.3, 1.3"""
    match = dealt()
    events = end(match, 1, "W W+4", "", "r0 g9 bS", "gR y+2")
    assert match.outcome is not None
    assert match.outcome.points == 50 + 50 + 0 + 9 + 20 + 20 + 20
    assert match.scores == [0, 169, 0, 0]
    assert events[-2:] == [
        RoundEnded(1, tuple(map(tuple, match.round.hands))),  # type: ignore[union-attr]
        Scored(1, 169, (0, 169, 0, 0), (0, 169, 0, 0)),
    ]


@pytest.mark.parametrize(("before", "over"), [(490, False), (491, True), (495, True)])
def test_the_first_to_reach_the_target_wins_the_match(before: int, over: bool) -> None:
    """RULES 6.3"""
    match = dealt()
    events = end(match, 2, "r9", "", "", "", scores=[0, 480, before, 0])
    assert match.winners == ((2,) if over else ())
    assert match.between is not over
    assert of_kind(events, MatchEnded) == ([MatchEnded((2,))] if over else [])  # type: ignore[arg-type]
    if over:
        with pytest.raises(Refused, match="round_over"):
            match.next_round()


def test_low_writes_down_the_own_hand_and_the_fewest_points_win() -> None:
    """RULES 6.4"""
    match = dealt("classic scoring=low target=100")
    end(match, 0, "", "r9", "g5 g5", "y3", scores=[60, 95, 70, 60])
    assert match.scores == [60, 104, 80, 63]
    assert match.outcome is not None
    assert match.outcome.points == 22
    assert match.winners == (0,)


def test_low_is_played_on_after_a_tie_for_fewest() -> None:
    """RULES 6.4"""
    match = dealt("classic scoring=low target=100")
    end(match, 0, "", "r9", "g5 g5", "y3", scores=[63, 95, 70, 60])
    assert match.winners == ()
    match.next_round()
    end(match, 3, "r1", "r1", "r1", "")
    assert match.winners == (3,)


def test_low_goes_on_below_the_target() -> None:
    match = dealt("classic scoring=low target=100")
    end(match, 0, "", "r9", "g5 g5", "y3", scores=[60, 90, 70, 60])
    assert match.between


def test_rounds_counts_rounds_and_never_ends() -> None:
    """RULES 6.5"""
    match = dealt("classic scoring=rounds target=50")
    for wins in range(1, 60):
        end(match, 3, "W", "W", "W", "")
        assert match.scores == [0, 0, 0, wins]
        assert match.outcome is not None
        assert match.outcome.points == 0
        match.next_round()


def test_elimination_takes_out_whoever_reaches_the_target() -> None:
    """RULES 6.6"""
    match = dealt("classic scoring=elimination target=100", dealer=3)
    events = end(match, 0, "", "r9", "g5 g5", "y3", scores=[60, 95, 95, 60])
    assert of_kind(events, Eliminated) == [Eliminated(1), Eliminated(2)]  # type: ignore[arg-type]
    assert match.status == ["in", "eliminated", "eliminated", "in"]
    assert match.between
    match.next_round()
    assert match.round is not None
    assert match.round.seats == (0, 3)
    assert match.take_out(1) == []
    match.rejoin(1)
    assert match.status[1] == "eliminated"
    events = end(match, 3, "W", "", "", "")
    assert match.winners == (3,)
    assert match.scores == [110, 104, 105, 63]


def test_if_all_that_are_left_reach_the_target_the_fewest_points_win() -> None:
    """RULES 6.6"""
    match = dealt("classic scoring=elimination target=100")
    end(match, 0, "", "r9", "W", "W", scores=[100, 95, 95, 95])
    assert match.winners == (0,)


def test_those_tied_for_fewest_play_the_elimination_on() -> None:
    match = dealt("classic scoring=elimination target=100")
    end(match, 0, "", "r9", "r9", "W", scores=[110, 95, 95, 95])
    assert match.winners == ()
    assert match.status == ["eliminated", "in", "in", "eliminated"]
    match.next_round()
    end(match, 1, "", "", "W", "")
    assert match.winners == (1,)


# --- pairs


def test_a_pair_gets_both_opponents_hands_and_never_the_partners() -> None:
    """RULES 6.7"""
    match = dealt("classic teams=pairs")
    end(match, 1, "r1", "", "r2", "W W W")
    assert match.scores == [0, 3, 0, 3]
    assert match.outcome is not None
    assert match.outcome.points == 3


def test_in_low_a_pair_writes_down_both_hands() -> None:
    """RULES 6.7: all scorings apply to pairs."""
    match = dealt("classic teams=pairs scoring=low target=50")
    end(match, 1, "r1", "", "r2", "W")
    assert match.scores == [3, 50, 3, 50]
    assert match.winners == (0, 2)
    assert match.outcome is not None
    assert match.outcome.points == 53


def test_in_elimination_a_pair_goes_out_together() -> None:
    match = dealt("classic teams=pairs scoring=elimination target=50")
    end(match, 1, "r1", "", "r2", "W")
    assert match.status == ["in", "eliminated", "in", "eliminated"]
    assert match.winners == (0, 2)


def test_rounds_are_counted_by_pair() -> None:
    match = dealt("classic teams=pairs scoring=rounds")
    end(match, 2, "r1", "W", "", "W")
    assert match.scores == [1, 0, 1, 0]


def test_a_partner_taken_out_keeps_the_score_of_the_pair() -> None:
    """RULES 6.7, 9.3"""
    match = dealt("classic teams=pairs")
    match.take_out(0)
    end(match, 2, "", "g9", "", "W")
    assert match.scores == [59, 0, 59, 0]
    match.rejoin(0)
    match.next_round()
    assert match.status == ["in"] * 4
    end(match, 0, "", "W W W W", "", "W W W W W")
    assert match.winners == (0, 2)


def test_a_pair_goes_on_against_one() -> None:
    """RULES 9.3"""
    match = dealt("classic teams=pairs")
    match.take_out(3)
    end(match, 1, "r9", "", "r8", "")
    assert match.scores == [0, 17, 0, 17]
    with pytest.raises(RulesError) as error:
        match.next_round()
    assert error.value.field == "teams"


def test_a_newcomer_in_the_place_of_one_who_left_is_somebodys_partner() -> None:
    """RULES 6.7, 9.4: partners are opposite among the four dealt in, and have one score."""
    match = dealt("classic teams=pairs")
    end(match, 1, "r9", "", "r8", "")
    match.take_out(3)
    assert match.join("Eva") == 4
    match.next_round()
    assert match.scores == [0, 17, 0, 17, 17]
    end(match, 4, *["r1"] * 5)
    assert match.scores == [0, 19, 0, 17, 19]


@pytest.mark.parametrize("players", [2, 3])
def test_pairs_need_four(players: int) -> None:
    """RULES 12"""
    with pytest.raises(RulesError) as error:
        Match(Rules.of(teams="pairs"), NAMES[:players], seed=SEED)
    assert error.value.field == "teams"


# --- leaving and joining


@pytest.mark.parametrize("count", [0, 1, 11])
def test_two_to_ten_can_play(count: int) -> None:
    """RULES 2.1"""
    with pytest.raises(RulesError) as error:
        Match(Rules.of(), [f"P{n}" for n in range(count)], seed=SEED)
    assert error.value.field == "players"


def test_a_seat_taken_out_gives_its_cards_to_the_pile_and_the_turn_goes_on() -> None:
    """RULES 9.3"""
    match = dealt()
    now = match.round
    assert now is not None
    turn, following = now.turn, now.next_to(now.turn or 0)
    assert turn is not None
    before = len(now.pile) + len(now.hands[turn])
    assert match.take_out(turn) == [TakenOut(turn)]
    assert (len(now.pile), now.hands[turn], now.turn) == (before, [], following)
    assert match.legal(turn) == ()
    assert match.take_out(turn) == []


def test_a_pending_penalty_lapses_with_the_seat_that_faced_it() -> None:
    """RULES 9.3"""
    match = match_at("W+4 b1 r1 | y1 y2 | g1 g2", discard="b5")
    do(match, "0 W+4=r")
    match.take_out(1)
    assert match.round is not None
    assert may(match, 2) == {"draw", "uno"}
    assert match.round.turn == 2


def test_a_challenge_lapses_with_the_seat_that_opened() -> None:
    match = match_at("W+4 b1 r1 | y1 y2 | g1 g2", discard="b5")
    do(match, "0 W+4=r")
    match.take_out(0)
    assert may(match, 1) == {"accept", "uno"}
    assert refusal(match, "1 challenge") == "no_challenge"


def test_the_last_one_left_wins_a_void_round() -> None:
    """RULES 9.3"""
    match = dealt(players=3)
    match.take_out(0)
    events = match.take_out(2)
    assert of_kind(events, RoundEnded)[0].winner is None  # type: ignore[union-attr]
    assert match.outcome is not None
    assert (match.outcome.why, match.outcome.points) == ("void", 0)
    assert match.scores == [0, 0, 0]
    assert match.winners == (1,)


def test_the_last_one_of_a_pair_wins_for_the_pair() -> None:
    match = dealt("classic teams=pairs")
    for seat in (0, 1, 3):
        match.take_out(seat)
    assert match.winners == (0, 2)


def test_a_seat_taken_out_joins_the_next_round_with_the_score_it_had() -> None:
    """RULES 9.3"""
    match = dealt()
    match.scores = [0, 77, 0, 0]
    match.take_out(1)
    match.rejoin(1)
    assert match.status[1] == "next"
    assert match.legal(1) == ()
    end(match, 0, "", "", "g1", "g1")
    match.next_round()
    assert match.status == ["in"] * 4
    assert match.scores[1] == 77


@pytest.mark.parametrize("comes_back", [True, False])
def test_who_comes_back_with_the_next_round_is_not_beaten(comes_back: bool) -> None:
    """RULES 9.3, 6.6"""
    match = dealt("classic scoring=elimination target=100", players=3)
    match.take_out(2)
    if comes_back:
        match.rejoin(2)
    end(match, 0, "", "W", "", scores=[0, 60, 30])
    assert match.status[1] == "eliminated"
    assert match.winners == (() if comes_back else (0,))


def test_somebody_new_begins_with_nothing() -> None:
    """RULES 9.4"""
    match = dealt(players=3)
    end(match, 0, "", "W", "W", scores=[10, 20, 30])
    assert match.join("Eva") == 3
    assert match.scores == [110, 20, 30, 0]
    match.next_round()
    assert match.round is not None
    assert match.round.seats == (0, 1, 2, 3)
    assert len(match.round.hands[3]) == 7


def test_somebody_may_ask_to_join_while_a_round_is_on() -> None:
    """And neither the view nor the count at the end stumble over the longer list of seats."""
    match = dealt(players=3)
    match.join("Eva")
    assert match.view(3).counts == (7, 7, 7, 0)
    assert match.view(3).legal == ()
    assert match.legal(3) == ()
    end(match, 0, "", "W", "W")
    assert match.scores == [100, 0, 0, 0]
    assert match.outcome is not None
    assert match.outcome.hands[3] == ()
    match.next_round()
    assert match.view(3).counts[3] == 7


@pytest.mark.parametrize("scoring", ["low", "elimination"])
def test_somebody_new_begins_with_the_highest_score_when_the_next_round_is_dealt(
    scoring: str,
) -> None:
    """RULES 9.4: of those still in, since nobody joins to be out at once."""
    match = dealt(f"classic scoring={scoring} target=100", players=4)
    match.scores = [40, 30, 95, 0]
    match.join("Eva")
    match.join("Fito")
    assert match.scores[4:] == [95, 95]
    if scoring == "low":
        end(match, 0, "", "r2", "r4", "r9")
        highest = 99
    else:
        end(match, 0, "", "r2", "r5", "r9")
        assert match.status[2] == "eliminated"
        highest = 40
    match.next_round()
    assert match.scores[4:] == [highest, highest]


def test_no_eleventh_seat() -> None:
    """RULES 9.4"""
    match = Match(Rules.of(), [f"P{n}" for n in range(9)], seed=SEED)
    match.start(dealer=0)
    assert match.join("Eva") == 9
    with pytest.raises(Refused):
        match.join("Fito")


# --- pause and rules


def test_a_paused_match_refuses_everything_and_forgets_nothing() -> None:
    """RULES 9.1"""
    match = match_at("r1 r2 | y1 y2 | g1 g2", discard="r5")
    do(match, "0 r1")
    assert match.round is not None
    assert match.round.exposed == {0}
    match.pause("away")
    match.pause("host")
    match.resume("away")
    assert match.paused == {"host"}
    before = match.digest()
    for move in ("0 uno", "1 catch 0", "1 draw", "2 g1"):
        assert refusal(match, move) == "paused"
        with pytest.raises(Refused, match="paused"):
            do(match, move)
    assert [match.legal(seat) for seat in range(3)] == [(), (), ()]
    assert match.digest() == before
    match.resume("host")
    do(match, "1 catch 0")
    assert len(match.round.hands[0]) == 3


def test_rules_change_between_rounds_only() -> None:
    match = dealt()
    with pytest.raises(Refused):
        match.change_rules(Rules.of("party"))
    end(match, 0, "", "g1", "g1", "g1")
    match.change_rules(Rules.of("party"))
    match.next_round()
    assert match.round is not None
    assert match.round.rules == Rules.of("party")
    end(match, 0, "", "g1", "g1", "g1")
    match.take_out(1)
    with pytest.raises(RulesError) as error:
        match.change_rules(Rules.of(teams="pairs"))
    assert error.value.field == "teams"


def test_the_digest_sees_what_only_the_future_shows() -> None:
    """Passes counted towards a block, the number of shuffles made; a pause is no part of a game."""
    match = match_at("r1 r2 | g1 g2", draw="-")
    seen = {match.digest()}
    match.play(0, DRAW)
    seen.add(match.digest())
    match.pause("host")
    assert match.digest() in seen
    match.resume("host")
    assert match.round is not None
    match.round.shuffle([])
    seen.add(match.digest())
    assert len(seen) == 3
