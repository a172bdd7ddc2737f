"""``penultima replay``: what it prints, what it returns, and that a wrong file is found out."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

from penultima.engine import replay
from penultima.engine.reading import read
from penultima.engine.replay import Failure, check

DOCS = Path(__file__).parent.parent.parent / "docs" / "notation.md"

HEADER = """\
players: Ana Beto Carla
hands: Ana r7 g2 | Beto r1 y2 y3 | Carla b1 b2
discard: r5
draw: b9 b8 b3 b4
"""
GOOD = f"{HEADER}\nAna r7\n= turn Beto\n"
WRONG = f"{HEADER}\nAna r7\n= turn Carla\n"
UNREADABLE = f"{HEADER}\nAna r77\n"


def run(tmp_path: Path, *texts: str, options: tuple[str, ...] = ()) -> tuple[int, list[str]]:
    """Exit status and lines printed, with the folder left out."""
    files = []
    for number, text in enumerate(texts, 1):
        path = tmp_path / f"{number}.partida"
        path.write_bytes(text.encode())
        files.append(str(path))
    out = io.StringIO()
    status = replay.main([*options, *files], out)
    return status, out.getvalue().replace(f"{tmp_path}/", "").splitlines()


def failures(lines: str, header: str = HEADER) -> list[tuple[int, str, str]]:
    """Failures with lines counted from the first after the header."""
    offset = header.count("\n") + 1
    return [
        (line - offset, expected, got)
        for line, expected, got in check(read(f"{header}\n{lines}", "case"))
    ]


# --- the command


def test_a_file_that_holds(tmp_path: Path) -> None:
    assert run(tmp_path, GOOD) == (0, ["1 passed, 0 failed"])


def test_a_claim_that_fails(tmp_path: Path) -> None:
    assert run(tmp_path, WRONG) == (
        1,
        ["1.partida:7: expected turn Carla, got turn Beto", "0 passed, 1 failed"],
    )


def test_the_next_file_is_still_played(tmp_path: Path) -> None:
    status, lines = run(tmp_path, WRONG, GOOD, WRONG)
    assert status == 1
    assert lines[-1] == "1 passed, 2 failed"
    assert [line.split(":")[0] for line in lines[:-1]] == ["1.partida", "3.partida"]


def test_a_file_that_is_no_partida(tmp_path: Path) -> None:
    status, lines = run(tmp_path, WRONG, UNREADABLE, GOOD)
    assert status == 2
    assert lines[1].startswith("2.partida:6: no card or move 'r77': did you mean r7?")
    assert lines[-1] == "1 passed, 2 failed"


def test_every_line_that_fails_is_told(tmp_path: Path) -> None:
    _, lines = run(tmp_path, f"{WRONG}= cards Ana 1\n= pile 3\n")
    assert [line.split(":")[1] for line in lines[:-1]] == ["7", "9"]


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    out = io.StringIO()
    assert replay.main([str(tmp_path / "none.partida"), str(tmp_path)], out) == 2
    first, second, last = out.getvalue().splitlines()
    assert "none.partida:1: No such file" in first
    assert ":1: Is a directory" in second
    assert last == "0 passed, 2 failed"


def test_a_file_that_is_not_text(tmp_path: Path) -> None:
    path = tmp_path / "latin.partida"
    path.write_bytes("players: Ana Beto\ntitle: Qué tal\n".encode("latin-1"))
    out = io.StringIO()
    assert replay.main([str(path)], out) == 2
    assert "latin.partida:2: not UTF-8: save it as UTF-8 text" in out.getvalue()


def test_no_file_is_a_usage_error(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        replay.main([])
    assert stopped.value.code == 2
    assert "usage: penultima replay" in capsys.readouterr().err


def test_show_prints_the_position_after_each_move(tmp_path: Path) -> None:
    status, lines = run(tmp_path, GOOD, options=("--show",))
    assert status == 0
    text = "\n".join(lines)
    assert text == (
        "1.partida: classic\n"
        "    hands: Ana r7 g2 | Beto r1 y2 y3 | Carla b1 b2\n"
        "    discard: r5\n"
        "    draw: b9 b8 b3 b4\n"
        "    turn: Ana\n"
        "Ana r7\n"
        "    hands: Ana g2 | Beto r1 y2 y3 | Carla b1 b2\n"
        "    discard: r5 r7\n"
        "    draw: b9 b8 b3 b4\n"
        "    turn: Beto\n"
        "    exposed: Ana\n"
        "= turn Beto\n"
        "1 passed, 0 failed"
    )


def test_show_of_everything_a_round_can_wait_for(tmp_path: Path) -> None:
    text = (
        "rules: classic deck=112\n"
        "players: Ana Beto\n"
        "hands: Ana WH r7 | Beto b1\n"
        "discard: r5\n"
        "draw: r9 b9\n"
        "scores: Beto 495\n\n"
        "Ana draw\nAna pass\nBeto draw\nAna WH\nAna colour r\nBeto away\nBeto back\nBeto out\n"
    )
    status, lines = run(tmp_path, text, options=("--show",))
    assert status == 0
    shown = "\n".join(lines)
    for expected in ("drawn: r9", "colour: owed", "paused: away:Beto", "round: -", "match: Ana"):
        assert f"    {expected}\n" in shown
    assert "scores: Ana 0 | Beto 495" in shown


# --- lines that do not hold


@pytest.mark.parametrize(
    ("lines", "expected", "got"),
    [
        ("= turn Beto", "turn Beto", "turn Ana"),
        ("= hand Ana r7", "hand Ana r7", "hand Ana r7 g2"),
        ("= hand Ana r7 r7", "hand Ana r7 r7", "hand Ana r7 g2"),
        ("= cards Beto 2", "cards Beto 2", "cards Beto 3"),
        ("= top r7", "top r7", "top r5"),
        ("= colour b", "colour b", "colour r"),
        ("= direction right", "direction right", "direction left"),
        ("= pending 2", "pending 2", "pending 0"),
        ("= pile 5", "pile 5", "pile 4"),
        ("= exposed Ana", "exposed Ana", "exposed -"),
        ("= may Ana r7 g2", "may Ana r7 g2", "g2 is refused with no_match"),
        ("= may-not Ana g2 draw", "may-not Ana g2 draw", "draw is taken"),
        ("= shown Beto r7", "shown Beto r7", "shown Beto -"),
        ("= round Ana 3", "round Ana 3", "round open"),
        ("= round -", "round -", "round open"),
        ("= score Ana 3", "score Ana 3", "score Ana 0"),
        ("= match Ana", "match Ana", "match open"),
        ("Ana g2", "Ana g2 to be taken", "no_match"),
        ("Ana g2 !not_in_hand", "!not_in_hand", "!no_match"),
        ("Ana r7 !no_match", "!no_match", "a move that is taken"),
        ("Ana r7 !", "!", "a move that is taken"),
        ("Beto away !", "!", "a move that was taken"),
    ],
)
def test_a_line_that_does_not_hold(lines: str, expected: str, got: str) -> None:
    assert failures(lines) == [(1, expected, got)]


def test_an_unexpectedly_legal_move_is_not_played() -> None:
    assert failures("Ana r7 !\n= turn Ana\n= cards Ana 2\n") == [(1, "!", "a move that is taken")]


def test_a_refusal_that_changes_something_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    digests = iter(["before", "after"])
    monkeypatch.setattr("penultima.engine.match.Match.digest", lambda self: next(digests))
    assert failures("Ana g2 !no_match") == [(1, "!no_match without a change", "another position")]


def test_claims_about_the_end() -> None:
    header = HEADER.replace("Ana r7 g2", "Ana r7")
    assert failures("Ana r7\n= round Ana 9\n= turn Beto\n= match Ana\n= round open\n", header) == [
        (3, "turn Beto", "turn nobody: the round is over"),
        (4, "match Ana", "match open"),
        (5, "round open", "round Ana 9"),
    ]


def test_names_in_a_claim_of_several_come_in_any_order() -> None:
    header = (
        "rules: classic zero_rotate=on\nplayers: Ana Beto\n"
        "hands: Ana r0 g2 | Beto y1\ndiscard: r5\ndraw: g1 g3\n"
    )
    assert failures("Ana r0\n= exposed Beto Ana\n= exposed Ana Beto\n", header) == []


def test_what_the_last_move_showed_is_not_forgotten_by_a_refused_one() -> None:
    header = HEADER.replace("Ana r7 g2", "Ana W+4 r2")
    lines = "Ana W+4=r\n= shown Beto -\nBeto challenge\nBeto y2 !no_match\n= shown Beto r2\n"
    assert failures(lines, header) == []


# --- the seats


@pytest.mark.parametrize(
    "lines",
    [
        "Beto away\nBeto away !bad_move",
        "Beto back !bad_move",
        "Beto bot\nBeto bot !bad_move\nBeto away !bad_move\nBeto back\nBeto back !bad_move",
        "Beto out\nBeto out !bad_move\nBeto away !bad_move\nBeto bot !bad_move\nBeto back",
        "Beto out\nBeto back\nBeto back !bad_move",
        "Beto away\nnext !paused\nAna r7 !paused\nBeto bot\nnext !bad_move\nAna r7",
        "Beto away\nCarla away\nBeto out\nAna r7 !paused\nCarla back\nAna r7\n= turn Carla",
        "Beto away\nBeto fly !bad_move",
    ],
)
def test_leaving_and_coming_back(lines: str) -> None:
    assert failures(lines) == []


def test_a_pair_cannot_go_on_with_three() -> None:
    header = (
        "rules: classic teams=pairs\nplayers: Ana Beto Carla Dani\n"
        "hands: Ana r7 | Beto y1 | Carla b1 | Dani b2\ndiscard: r5\ndraw: g1\n"
    )
    assert failures("Dani out\nAna r7\n= match open\nnext !bad_move\n", header) == []


def test_another_round_of_a_file_without_a_seed() -> None:
    header = HEADER.replace("Ana r7 g2", "Ana r7")
    lines = "Ana r7\nnext\n= round open\n= cards Carla 7\n"
    assert failures(lines, header.replace("Carla b1 b2", "Carla b1")) == []


# --- the examples in the docs


def examples() -> list[str]:
    text = DOCS.read_text(encoding="utf-8")
    return re.findall(r"```partida\n(.*?)```", text, re.DOTALL)


def test_the_docs_have_examples() -> None:
    assert len(examples()) >= 5


@pytest.mark.parametrize("text", examples(), ids=lambda text: text.splitlines()[0][:40])
def test_an_example_of_the_docs_holds(text: str) -> None:
    found: list[Failure] = check(read(text, "docs/notation.md"))
    assert found == []
