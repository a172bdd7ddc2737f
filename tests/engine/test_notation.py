"""Reading and writing ``.partida`` files: every header, move and claim, and what is no notation."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from penultima.engine import notation, reading, writing
from penultima.engine.actions import CALL, CHALLENGE, DRAW, action
from penultima.engine.cards import DECKS, card
from penultima.engine.match import Match
from penultima.engine.notation import Claim, Move, NotationError, Partida
from penultima.engine.position import Pending, Position
from penultima.engine.replay import Replay, check, match_of
from penultima.engine.rules import Rules
from penultima.engine.waiting import Colour
from tests.engine import random_play

CASES = Path(__file__).parent.parent / "cases"

HEADER = """\
title: A title
rules: classic
players: Ana Beto Carla
hands: Ana r7 g2 | Beto y1 y2 | Carla b1 W+4
discard: W r5
draw: g1 g3
"""


def read(text: str) -> Partida:
    return reading.read(text, "case.partida")


def position(text: str) -> Position:
    found = read(text).position
    assert found is not None
    return found


def line(text: str, header: str = HEADER) -> Move | Claim:
    (only,) = read(f"{header}\n{text}\n").lines
    return only


def move(text: str, header: str = HEADER) -> Move:
    only = line(text, header)
    assert isinstance(only, Move)
    return only


def claim(text: str) -> Claim:
    only = line(text)
    assert isinstance(only, Claim)
    return only


def error(text: str) -> NotationError:
    with pytest.raises(NotationError) as caught:
        read(text)
    return caught.value


def changed(**fields: str | None) -> str:
    """``HEADER`` with fields replaced, added or (``None``) left out."""
    lines = dict(each.split(": ", 1) for each in HEADER.splitlines())
    for name, value in fields.items():
        if value is None:
            del lines[name]
        else:
            lines[name] = value
    return "".join(f"{name}: {value}\n" for name, value in lines.items())


# --- the header


def test_a_whole_header() -> None:
    partida = read(
        "title: Everything\n"
        "rules: party hand_size=5\n"
        "players: Ana Beto Carla\n"
        "hands: Ana r7 g2 | Beto y1 y2 | Carla b1 W+4 W+4\n"
        "discard: r5 W+4\n"
        "colour: g\n"
        "draw: g1 g3\n"
        "turn: Carla\n"
        "dealer: Ana\n"
        "direction: right\n"
        "scores: Ana 480 | Beto 12\n"
        "pending: 4 Ana bluff\n"
        "seed: any text\n"
    )
    assert partida.title == "Everything"
    assert partida.names == ("Ana", "Beto", "Carla")
    assert partida.scores == (480, 12, 0)
    assert partida.seed == "any text"
    assert partida.lines == ()
    rules = Rules.parse("party hand_size=5")
    hands = [["r7", "g2"], ["y1", "y2"], ["b1", "W+4", "W+4"]]
    assert partida.position == Position(
        rules=rules,
        hands=tuple(tuple(map(card, hand)) for hand in hands),
        discard=(card("r5"), card("W+4")),
        colour="g",
        pile=(card("g1"), card("g3")),
        turn=2,
        dealer=0,
        direction=-1,
        pending=Pending(4, 0, True),
    )


def test_what_is_absent_has_its_usual_value() -> None:
    partida = read("players: Ana Beto Carla\nhands: Ana r7 | Beto y1 | Carla b1\ndiscard: r5\n")
    assert partida.title == ""
    assert partida.rules == Rules.of("classic")
    assert partida.scores == (0, 0, 0)
    assert partida.dealer == 2
    assert partida.position is not None
    assert partida.position.turn == 0
    assert partida.position.colour == "r"
    assert partida.position.direction == 1
    assert partida.position.pending is None


def test_the_turn_is_left_of_the_dealer() -> None:
    assert position(changed(dealer="Ana")).turn == 1
    assert position(changed(dealer="Ana", direction="right")).turn == 1


def test_the_turn_passes_over_who_is_not_in_the_round() -> None:
    assert position(changed(hands="Ana - | Beto y1 | Carla b1")).turn == 1


def test_the_rest_of_the_deck_is_the_pile() -> None:
    found = position(changed(draw=None))
    everything = [*found.pile, *found.discard, *(each for hand in found.hands for each in hand)]
    assert sorted(everything, key=lambda each: each.order) == list(DECKS[108])


def test_an_empty_pile() -> None:
    assert position(changed(draw="")).pile == ()


def test_with_hands_and_draw_any_cards_may_be_there() -> None:
    found = position(changed(hands="Ana r0 r0 r0 | Beto WH | Carla r7", draw="r0"))
    assert found.hands[0] == (card("r0"),) * 3


def test_comments_and_white_space() -> None:
    partida = read(
        "# a comment\n"
        "\n"
        "players:   Ana\tBeto # not Carla\n"
        "# in between\n"
        "hands: Ana r7 | Beto y1\n"
        "discard: r5\n"
        "  \n"
        "# before the first move\n"
        "\n"
        "Ana r7  # with a reason\n"
        "\n"
        "= turn Beto #2\n"
    )
    assert partida.names == ("Ana", "Beto")
    assert [each.text for each in partida.lines] == ["Ana r7", "= turn Beto"]
    assert [each.line for each in partida.lines] == [10, 12]


def test_line_ends_of_other_systems_and_a_byte_order_mark() -> None:
    partida = read("\ufeff" + f"{HEADER}\nAna r7\n".replace("\n", "\r\n"))
    assert [each.text for each in partida.lines] == ["Ana r7"]


def test_a_written_rule_may_have_a_hash() -> None:
    rules = read(changed(rules="classic agreed='no # today|sing' target=200 # more")).rules
    assert rules["agreed"] == ("no # today", "sing")
    assert rules["target"] == 200


def test_custom_cards() -> None:
    rules = read(changed(rules="classic deck=112 custom1=swap custom3=again")).rules
    assert (rules["custom1"], rules["custom2"], rules["custom3"]) == ("swap", "none", "again")


@pytest.mark.parametrize(
    "names",
    [
        ("A|na", "Be#to", "Car>la"),
        ("!Ana", "=Beto", "Carla:"),
        ("next", "draw", "open"),
        ("r7", "W=b", "turn:"),
        ("Zoë", "🦊", "李"),
    ],
    ids=" ".join,
)
def test_names_may_be_nearly_anything(names: tuple[str, str, str]) -> None:
    first, second, third = names
    partida = read(
        f"rules: classic seven_swap=on\n"
        f"players: {first} {second} {third}\n"
        f"hands: {first} r7 g2 g3 | {second} y1 y2 | {third} b1\n"
        f"discard: r5\ndraw: g1 g4 g5 g6\nscores: {third} 7\n\n"
        f"{second} y1 !not_your_turn\n"
        f"{first} r7>{third}\n"
        f"= hand {first} b1\n"
        f"= exposed {first}\n"
        f"= may {second} catch {first} draw\n"
        f"{second} catch {first}\n"
        f"= cards {first} 3\n"
        f"{third} catch {first} !not_exposed\n"
        f"= score {third} 7\n"
    )
    assert partida.names == names
    assert check(partida) == []


def test_an_accent_may_be_typed_in_two_ways() -> None:
    composed, apart = "Zo\u00eb", "Zoe\u0308"
    partida = read(
        f"title: {apart}\nplayers: {composed} Beto\nhands: {apart} r7 r8 | Beto y1\ndiscard: r5\n"
        f"seed: {apart}\n\n{apart} r7\n= cards {composed} 1\n"
    )
    assert partida.names == (composed, "Beto")
    assert (partida.title, partida.seed) == (composed, composed)
    assert check(partida) == []


# --- dealt from the seed


def test_a_seed_deals_a_whole_round() -> None:
    partida = read("players: Ana Beto\nseed: hello there\n")
    assert partida.position is None
    match = match_of(partida)
    assert match.dealer == 1
    assert match.round is not None
    assert [len(hand) >= 7 for hand in match.round.hands] == [True, True]
    assert match.digest() == match_of(read("players: Ana Beto\nseed: hello there\n")).digest()
    assert match.digest() != match_of(read("players: Ana Beto\nseed: hello here\n")).digest()


def test_a_seed_of_64_digits_is_the_bytes() -> None:
    raw = bytes(range(32))
    assert notation.seed_bytes(raw.hex()) == raw
    assert notation.seed_bytes(raw.hex().upper()) != raw
    assert len(notation.seed_bytes("any text")) == 32


def test_what_the_header_leaves_open_is_dealt_from_the_seed() -> None:
    text = "players: Ana Beto Carla\ndiscard: r5 b5\nseed: x\nturn: Beto\n"
    found = position(text)
    assert [len(hand) for hand in found.hands] == [7, 7, 7]
    assert found.discard == (card("r5"), card("b5"))
    assert len(found.pile) == 108 - 23
    assert found.turn == 1
    assert position(text) == found
    assert position(text.replace("seed: x", "seed: y")) != found

    found = position("players: Ana Beto\nhands: Ana r7 | Beto y1\nseed: x\n")
    assert found.discard[0].number is not None
    assert len(found.pile) == 105


# --- moves


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("r7", "r7"), ("W=b", "W=b"), ("W+4=r", "W+4=r"), ("W", "W"), ("WH", "WH"),
        ("r7>Carla", "r7>2"), ("WC1=r>Beto", "WC1=r>1"), ("WC2>Ana", "WC2>0"),
        ("draw", "draw"), ("pass", "pass"), ("accept", "accept"), ("challenge", "challenge"),
        ("colour b", "colour b"), ("uno", "uno"), ("catch Beto", "catch 1"),
    ],
)  # fmt: skip
def test_every_move(text: str, expected: str) -> None:
    found = move(f"Ana {text}")
    assert found.does is action(expected)
    assert (found.seat, found.refusal) == (0, None)
    assert writing.words(action(expected), ("Ana", "Beto", "Carla")) == text


@pytest.mark.parametrize("text", ["away", "back", "bot", "out"])
def test_what_happens_to_a_seat(text: str) -> None:
    assert (move(f"Carla {text}").seat, move(f"Carla {text}").does) == (2, text)


def test_next_is_the_host_s() -> None:
    assert (move("next").seat, move("next").does) == (None, "next")
    assert move("next !round_over").refusal == "round_over"


def test_expected_refusals() -> None:
    assert move("Ana r7").refusal is None
    assert move("Ana r7 !").refusal == ""
    assert move("Ana r7 !no_match").refusal == "no_match"
    assert move("Ana colour b !").does is action("colour b")


def test_what_cannot_be_read_may_be_expected_to_be_so() -> None:
    assert move("Ana r77 !bad_move").does is None
    assert move("Ana fly away !bad_move").does is None


# --- claims


@pytest.mark.parametrize(
    "text",
    [
        "= turn Beto", "= hand Ana r7 g2", "= hand Ana -", "= cards Beto 3", "= top r7",
        "= colour b", "= direction right", "= pending 6", "= pile 12", "= exposed Ana Beto",
        "= exposed -", "= may Ana r7 draw", "= may-not Ana g2", "= shown Beto r7 g2",
        "= shown Carla -", "= round Ana 45", "= round -", "= round open", "= score Ana 120",
        "= match Ana", "= match open",
    ],
)  # fmt: skip
def test_every_claim_of_the_notation(text: str) -> None:
    assert claim(text).text == text
    assert claim(text).what == text.split()[1]


def test_what_a_claim_says() -> None:
    assert claim("= hand Beto r7 g2").cards == (card("r7"), card("g2"))
    assert claim("= exposed Carla Ana").seats == (2, 0)
    assert claim("= round Carla 45")[3:5] == (2, 45)


def test_moves_in_a_claim() -> None:
    moves = dict(claim("= may Ana r7 catch Beto colour b draw W=b").moves)
    assert list(moves) == ["r7", "catch Beto", "colour b", "draw", "W=b"]
    assert moves["draw"] == (DRAW,)
    assert action("r7") in moves["r7"]
    assert action("r7>2") in moves["r7"]
    assert moves["W=b"][0] is action("W=b")
    assert len(dict(claim("= may Ana W").moves)["W"]) == 5 * 4


# --- what is no notation: file, line, what is wrong, what would be right


@pytest.mark.parametrize(
    ("text", "at", "reason", "remedy"),
    [
        (changed(hands="Ana r7 x9 | Beto y1 | Carla b1"), 4, "no card 'x9'", "a card is r, y, g or b"),
        (changed(hands="Ana r7 R9 | Beto y1 | Carla b1"), 4, "no card 'R9'", "did you mean"),
        (changed(discard="r5 r10"), 5, "no card 'r10'", "r7, bS, g+2"),
        (changed(hands="Ana r7 | Betty y1 | Carla b1"), 4, "no player 'Betty'", "Ana, Beto, Carla"),
        (changed(turn="Dani"), 7, "no player 'Dani'", "the players are"),
        (changed(rules="classsic"), 2, "no preset 'classsic'", "a preset, then field=value"),
        (changed(rules="classic stack=same"), 2, "stack: there is no such rule", "did you mean stacking?"),
        (changed(rules="classic stacking=always"), 2, "stacking: cannot be 'always'", "field=value"),
        (changed(rules="classic stacking"), 2, "stacking: write field=value", "stacking=same"),
        (changed(rules="classic target=10"), 2, "target: cannot be 10", "field=value"),
        (changed(rules="classic teams=pairs"), 2, "teams: pairs need four", "field=value"),
        (changed(rules="classic jump_in=on misplay=draw_two"), 2, "misplay", "field=value"),
        (changed(colur="r"), 7, "no header field 'colur'", "did you mean colour?"),
        (changed(discard="r5 W"), 5, "the top W has no colour", "colour: r"),
        (changed(colour="b"), 7, "the top r5 is not b", "colour: r"),
        (changed(colour="purple"), 7, "no colour 'purple'", "r, y, g or b"),
        (changed(discard=""), 5, "discard: is empty", "discard: r5"),
        (changed(discard=None), 1, "discard: is missing", "seed:"),
        (changed(hands=None), 1, "hands: is missing", "seed:"),
        (changed(players=None), 1, "players: is missing", "players: Ana Beto"),
        (changed(players="Ana"), 3, "1 players", "two to ten"),
        (changed(players="A B C D E F G H I J K"), 3, "11 players", "two to ten"),
        (changed(players="Ana Beto Ana"), 3, "two players are called Ana", "of its own"),
        (changed(players="Ana | Beto"), 3, "nobody can be called '|'", "another name"),
        (changed(hands="Ana r7 | Beto y1"), 4, "Carla has no hand", "| Carla -"),
        (changed(hands="Ana r7 | Ana y1 | Carla b1"), 4, "Ana has two hands", "leave one"),
        (changed(hands="Ana r7 | Beto | Carla b1"), 4, "Beto holds no cards", "Beto -"),
        (changed(hands="Ana r7 | Beto - | Carla -"), 4, "fewer than two players", "two"),
        (changed(hands="Ana r7 | | Beto y1 | Carla b1"), 4, "nothing before or after a |", "hands:"),
        (changed(direction="up"), 7, "no direction 'up'", "left or right"),
        (changed(scores="Ana many"), 7, "no number 'many'", "digits"),
        (changed(scores="Ana 1 | Ana 2"), 7, "Ana has two scores", "leave one"),
        (changed(scores="Ana"), 7, "no score 'Ana'", "Ana 480"),
        (changed(pending="4 Dani legal"), 7, "no player 'Dani'", "the players are"),
        (changed(pending="Ana 4"), 7, "no number 'Ana'", "digits"),
        (changed(pending="4 Ana maybe"), 7, "pending: cannot be '4 Ana maybe'", "4 Ana legal"),
        (changed(pending="0 Ana"), 7, "nothing is pending", "leave the field out"),
        (changed(hands="Ana r0 r0 | Beto y1 | Carla b1", draw=None), 4, "no such card as this r0", "draw:"),
        (changed(hands="Ana WH | Beto y1 | Carla b1", draw=None), 4, "no such card as this WH", "draw:"),
        (changed(hands="Ana - | Beto y1 | Carla b1", turn="Ana"), 7, "Ana is not in this round", "holds cards"),
        (changed(hands="Ana - | Beto y1 | Carla b1", pending="4 Ana bluff"), 7, "cannot be challenged", "pending: 4 Ana"),
        ("players: Ana Beto\n", 1, "there are no hands: and no seed: to deal them from", "seed:"),
        ("players: Ana Beto\nseed:\n", 2, "seed: is empty", "any text"),
        (f"{HEADER}turn: Ana\nturn: Beto\n", 8, "turn: stands twice", "line 7"),
        (f"{HEADER}Ana r7\n", 7, "a move or claim in the header", "empty line"),
        (f"{HEADER}= turn Ana\n", 7, "a move or claim in the header", "empty line"),
        (f"{HEADER}=turn Ana\n", 7, "a move or claim in the header", "empty line"),
        (f"{HEADER}\n=turn Ana\n", 8, "no space after the = of '=turn Ana'", "write = turn Ana"),
        (f"{HEADER}\nturn: Ana\n", 8, "turn: after the header", "empty line"),
        (f"{HEADER}\nDani r7\n", 8, "no player 'Dani'", "the players are"),
        (f"{HEADER}\nBeot r7\n", 8, "no player 'Beot'", "did you mean Beto?"),
        (f"{HEADER}\nAna\n", 8, "what does Ana do?", "a move is"),
        (f"{HEADER}\nAna r7 g2\n", 8, "no move 'r7 g2'", "one move a line"),
        (f"{HEADER}\nAna r77\n", 8, "no card or move 'r77'", "did you mean r7?"),
        (f"{HEADER}\nAna darw\n", 8, "no card or move 'darw'", "did you mean draw?"),
        (f"{HEADER}\nAna r77 !\n", 8, "no card or move 'r77'", "did you mean r7?"),
        (f"{HEADER}\nAna W=x\n", 8, "no colour 'x'", "W=b"),
        (f"{HEADER}\nAna r7>Dani\n", 8, "no player 'Dani'", "the players are"),
        (f"{HEADER}\nAna catch\n", 8, "no move 'catch'", "catch Beto"),
        (f"{HEADER}\nAna colour red\n", 8, "no move 'colour red'", "colour r, y, g or b"),
        (f"{HEADER}\nAna draw two\n", 8, "no move 'draw two'", "draw stands alone"),
        (f"{HEADER}\nAna r7 !not_my_turn\n", 8, "no code 'not_my_turn'", "did you mean not_your_turn?"),
        (f"{HEADER}\n= trun Ana\n", 8, "no claim '= trun Ana'", "did you mean turn?"),
        (f"{HEADER}\n=\n", 8, "no claim '='", "the claims are"),
        (f"{HEADER}\n= turn\n", 8, "the claim '= turn' cannot be read", "= turn NAME"),
        (f"{HEADER}\n= turn Ana Beto\n", 8, "cannot be read", "= turn NAME"),
        (f"{HEADER}\n= hand Ana\n", 8, "cannot be read", "= hand NAME card"),
        (f"{HEADER}\n= cards Ana\n", 8, "cannot be read", "= cards NAME number"),
        (f"{HEADER}\n= cards Ana three\n", 8, "no number 'three'", "digits"),
        (f"{HEADER}\n= colour red\n", 8, "cannot be read", "= colour r, y, g or b"),
        (f"{HEADER}\n= round over\n", 8, "cannot be read", "= round NAME points"),
        (f"{HEADER}\n= may Ana fly\n", 8, "no card or move 'fly'", "a move is"),
        (f"{HEADER}\n= exposed\n", 8, "cannot be read", "(or -)"),
        ("", 1, "players: is missing", "players: Ana Beto"),
    ],
)  # fmt: skip
def test_bad_input(text: str, at: int, reason: str, remedy: str) -> None:
    found = error(text)
    assert (found.file, found.line) == ("case.partida", at)
    assert reason in found.reason
    assert remedy in found.remedy
    assert str(found) == f"case.partida:{at}: {found.reason}: {found.remedy}"


def test_partners_have_one_score() -> None:
    pairs = changed(
        rules="classic teams=pairs",
        players="Ana Beto Carla Dani",
        hands="Ana r7 | Beto y1 | Carla b1 | Dani g1",
    )
    assert read(f"{pairs}scores: Ana 30\n").scores == (30, 0, 30, 0)
    assert "one score" in error(f"{pairs}scores: Ana 30 | Carla 20\n").remedy


def test_a_seat_without_cards_is_not_in_the_round() -> None:
    match = match_of(read(changed(hands="Ana r7 g1 | Beto - | Carla b1")))
    assert match.status == ["in", "out", "in"]
    assert match.round is not None
    assert match.round.seats == (0, 2)


# --- writing, and round trips


def test_names_that_do_not_fit_are_made_to() -> None:
    names = ["Ana María", "#1", "|", "-", "Ana_María", "", " x\u00a0y "]
    fitted = writing.fit_names(names)
    assert fitted == ("Ana_María", "_#1", "_|", "_-", "Ana_María_2", "_", "x_y")
    assert writing.fit_names(["Zo\u00eb", "Zoe\u0308", "\u0338x"]) == ("Zo\u00eb", "Zo\u00eb_2", "_\u0338x")


def test_a_title_loses_what_would_be_a_comment() -> None:
    text = writing.write(["Ana", "Beto"], rules=Rules.of(), seed="x", title="Game #3\nof four")
    assert read(text).title == "Game 3 of four"


@pytest.mark.parametrize("path", sorted(CASES.rglob("*.partida")), ids=lambda path: path.stem)
def test_the_position_of_every_case_survives(path: Path) -> None:
    partida = read(path.read_text(encoding="utf-8"))
    if partida.position is None:
        text = writing.write(
            partida.names, rules=partida.rules, dealer=partida.dealer, seed=partida.seed
        )
        assert read(text).rules == partida.rules
        assert match_of(read(text)).digest() == match_of(partida).digest()
        return
    text = writing.write(
        partida.names, position=partida.position, scores=partida.scores, title=partida.title
    )
    again = read(text)
    assert again.position == partida.position
    assert again.scores == partida.scores
    assert again.title == partida.title


def rule_sets() -> list[str]:
    return [
        *("classic", "official_2022", "party", "icebreaker", "berserker"),
        "classic draw=until_playable misplay=draw_two bluff_basis=colour_or_symbol",
        "party deck=112 custom1=swap custom2=all_draw custom3=draw_two runs=rank_or_sequence",
        "classic teams=pairs scoring=low finish=number uno_penalty=4 hand_size=2",
        "classic scoring=elimination target=100 jump_in=on agreed='a # b|c'",
    ]


@pytest.mark.parametrize("rules", rule_sets())
def test_positions_moves_and_matches_survive_a_round_trip(rules: str) -> None:
    rng = random.Random(rules)
    names = ["Ana María", "#Beto", "Carla", "Dani"]
    seed = rng.randbytes(32)
    match = Match(Rules.parse(rules), names, seed=seed)
    match.start()
    first_dealer = match.dealer
    moves: list[writing.Written] = []
    for _ in range(3):
        while match.round is not None and not match.round.over:
            now = match.round
            if not isinstance(now.waiting, Colour):
                text = writing.write(names, position=now.position(), scores=match.scores)
                assert read(text).position == now.position()
            seat, chosen = random_play.choose(rng, now)
            match.play(seat, chosen)
            moves.append((seat, chosen))
        if not match.between:
            break
        match.next_round()
        moves.append((None, "next"))
    text = writing.write(
        names, rules=match.rules, dealer=first_dealer, seed=seed, moves=moves, title="A log"
    )
    replay = Replay(read(text))
    for each in replay.partida.lines:
        assert replay.step(each) is None
    replay.match.names = match.names  # a file has no white space in names
    assert replay.match.digest() == match.digest()


def test_moves_are_written_with_names() -> None:
    text = writing.write(
        ["Ana", "Beto"],
        rules=Rules.of(),
        seed="x",
        moves=[(0, action("r7>1")), (1, action("catch 0")), (1, CALL), (0, "away"), (None, "next")],
        notes=["why", "two\nlines"],
        claims=["turn Ana"],
    )
    assert text == (
        "# why\n# two lines\nrules: classic\nplayers: Ana Beto\nseed: x\n\n"
        "Ana r7>Beto\nBeto catch Ana\nBeto uno\nAna away\nnext\n= turn Ana\n"
    )


# --- own views


@pytest.mark.parametrize("rules", rule_sets())
def test_a_view_becomes_a_file_that_holds(rules: str) -> None:
    rng = random.Random(rules)
    names = ["Ana", "Beto", "Carla", "Dani"]
    match = Match(Rules.parse(rules), names, seed=rng.randbytes(32))
    match.start()
    for number in range(150):
        assert match.round is not None
        if match.round.over:
            break
        match.play(*random_play.choose(rng, match.round))
        for seat in (*range(4), None):
            if (number + (seat or 0)) % 3:
                continue
            view = match.view(seat)
            partida = read(writing.of_view(view, names))
            assert check(partida) == []
            assert partida.position is not None
            if seat is not None and not match.round.over:
                hand = sorted(each.order for each in view.hand)
                replay = Replay(partida)
                for each in partida.lines:
                    replay.step(each)
                assert sorted(each.order for each in replay.hand(seat)) == hand


def test_a_view_tells_nothing_the_seat_does_not_know() -> None:
    texts = set()
    for hands, draw in (("Beto y1 y2 | Carla b1", "g1 g3"), ("Beto g1 b1 | Carla y2", "g3 y1")):
        text = changed(hands=f"Ana r7 g2 | {hands}", draw=draw)
        texts.add(writing.of_view(match_of(read(text)).view(0), ["Ana", "Beto", "Carla"]))
    assert len(texts) == 1


def test_a_view_in_the_middle_of_things() -> None:
    match = match_of(read(changed(draw="r9 g3 g4 g5 g6 g7 g8 g9")))
    match.play(0, DRAW)
    text = writing.of_view(match.view(0), ["Ana", "Beto", "Carla"])
    assert "\nAna draw\n= may Ana r9 pass\n= may-not Ana r7 g2\n" in text
    assert "# Ana has drawn" in writing.of_view(match.view(1), ["Ana", "Beto", "Carla"])

    match = match_of(read(f"{changed(turn='Carla')}"))
    match.play(2, action("W+4=b"))
    text = writing.of_view(match.view(0), ["Ana", "Beto", "Carla"])
    assert re.search(r"^pending: 4 Carla legal$", text, re.MULTILINE)
    assert "# exposed: Carla" in text
    assert "= may Ana accept challenge" in text
    assert CHALLENGE in match.legal(0)
