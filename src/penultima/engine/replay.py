"""Play ``.partida`` files and check what they claim: ``penultima replay FILE...``.

What a text means is ``reading``'s; what may be played is the engine's. Here they meet, and each
line that does not hold is told.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple, TextIO

from penultima.engine.actions import Action
from penultima.engine.cards import Card
from penultima.engine.errors import Refused, RulesError
from penultima.engine.events import Event, HandShown, seen_by
from penultima.engine.match import ELIMINATED, OUT, Match
from penultima.engine.notation import (
    Claim,
    Control,
    Move,
    NotationError,
    Partida,
    seed_bytes,
)
from penultima.engine.reading import read
from penultima.engine.round import Round
from penultima.engine.waiting import Answer, Colour, Drawn
from penultima.engine.writing import cards, header


class Failure(NamedTuple):
    """A line that does not hold."""

    line: int
    expected: str
    got: str


def match_of(partida: Partida, otherwise: bytes | None = None) -> Match:
    """The match that the header describes, its first round on the table.

    ``otherwise`` is the seed of a match whose file names none.
    """
    seed = otherwise if partida.seed is None else seed_bytes(partida.seed)
    if partida.position is not None:
        return Match.from_position(partida.position, partida.names, partida.scores, seed)
    match = Match(partida.rules, partida.names, seed=seed)
    match.scores = list(partida.scores)
    match.start(partida.dealer)
    return match


class Replay:
    """A file being played, line by line."""

    def __init__(self, partida: Partida, otherwise: bytes | None = None) -> None:
        self.partida = partida
        self.match = match_of(partida, otherwise)
        self.bots: set[int] = set()
        self.events: list[Event] = []
        """What the last move that was taken has caused."""

    @property
    def round(self) -> Round:
        assert self.match.round is not None
        return self.match.round

    def step(self, line: Move | Claim) -> Failure | None:
        """Carry out or check one line."""
        return self.move(line) if isinstance(line, Move) else self.claim(line)

    # --- moves

    def move(self, move: Move) -> Failure | None:
        if move.refusal is None:
            try:
                self.events = self.carry_out(move)
            except Refused as refused:
                return Failure(move.line, f"{move.text} to be taken", refused.code)
            return None
        expected = f"!{move.refusal}"
        before = self.match.digest()
        if isinstance(move.does, Action) and move.seat is not None:
            code = self.match.why_not(move.seat, move.does)
            if code is None:
                # Not played: what follows was written for a refused move.
                return Failure(move.line, expected, "a move that is taken")
        try:
            self.carry_out(move)
        except Refused as refused:
            if self.match.digest() != before:
                return Failure(move.line, f"{expected} without a change", "another position")
            if move.refusal in {"", refused.code}:
                return None
            return Failure(move.line, expected, f"!{refused.code}")
        return Failure(move.line, expected, "a move that was taken")

    def carry_out(self, move: Move) -> list[Event]:
        if move.does is None:
            raise Refused("bad_move")
        if isinstance(move.does, Action):
            assert move.seat is not None
            return self.match.play(move.seat, move.does)
        if move.seat is None:
            return self.next_round()
        return self.seat_moves(move.seat, move.does)

    def next_round(self) -> list[Event]:
        match = self.match
        if match.seed is None:
            # The file places its first round card by card; any further deal is anybody's.
            match.seed = seed_bytes("")
        try:
            return match.next_round()
        except RulesError:
            # Too few are left for these rules.
            raise Refused("bad_move") from None

    def seat_moves(self, seat: int, does: Control) -> list[Event]:
        """The connection drops or returns; the host hands the seat to a bot or takes it out."""
        match = self.match
        reason = f"away:{self.partida.names[seat]}"
        gone = match.status[seat] in {OUT, ELIMINATED}
        if does == "away" and not gone and seat not in self.bots and reason not in match.paused:
            match.pause(reason)
        elif does == "back" and (reason in match.paused or seat in self.bots):
            match.resume(reason)
            self.bots.discard(seat)
        elif does == "back" and match.status[seat] == OUT:
            match.rejoin(seat)
        elif does == "bot" and not gone and seat not in self.bots:
            match.resume(reason)
            self.bots.add(seat)
        elif does == "out" and not gone:
            match.resume(reason)
            self.bots.discard(seat)
            return match.take_out(seat)
        else:
            raise Refused("bad_move")
        return []

    # --- claims

    def claim(self, claim: Claim) -> Failure | None:
        got = self.got(claim)
        return None if got is None else Failure(claim.line, claim.text[2:], got)

    def got(self, claim: Claim) -> str | None:
        """``None`` if the claim holds, else what holds instead."""
        what = claim.what
        if what in {"may", "may-not"}:
            return self.got_moves(claim)
        if what in {"hand", "shown"}:
            assert claim.seat is not None
            held = self.shown_to(claim.seat) if what == "shown" else self.hand(claim.seat)
            same = Counter(held) == Counter(claim.cards)
            return None if same else f"{what} {self.name(claim.seat)} {cards(held)}"
        if what == "exposed":
            same = set(claim.seats) == self.round.exposed
            return None if same else f"exposed {self.all_names(sorted(self.round.exposed))}"
        if what == "match" and claim.seat is not None and claim.seat in self.match.winners:
            return None
        found = self.found(claim)
        return None if found == self.claimed(claim) else found

    def claimed(self, claim: Claim) -> str:
        """A claim of one value in the words of :meth:`found`."""
        values: list[str] = [] if claim.seat is None else [self.name(claim.seat)]
        if claim.number is not None:
            values.append(str(claim.number))
        values += [card.text for card in claim.cards]
        return " ".join([claim.what, *values, *filter(None, [claim.word])])

    def found(self, claim: Claim) -> str:
        what, seat, now, match = claim.what, claim.seat, self.round, self.match
        value: str | int
        if what == "turn":
            value = "nobody: the round is over" if now.turn is None else self.name(now.turn)
        elif what == "cards" and seat is not None:
            value = f"{self.name(seat)} {len(self.hand(seat))}"
        elif what == "score" and seat is not None:
            value = f"{self.name(seat)} {match.scores[seat]}"
        elif what == "top":
            value = now.top.text
        elif what == "colour":
            value = now.colour or "none: it is owed"
        elif what == "direction":
            value = "left" if now.direction == 1 else "right"
        elif what == "pending":
            value = now.waiting.count if type(now.waiting) is Answer else 0
        elif what == "pile":
            value = len(now.pile)
        elif what == "round":
            value = "open" if not now.over else self.outcome()
        else:
            value = self.all_names(match.winners) if match.winners else "open"
        return f"{what} {value}"

    def outcome(self) -> str:
        outcome = self.match.outcome
        if outcome is None or outcome.winner is None:
            return "-"
        return f"{self.name(outcome.winner)} {outcome.points}"

    def got_moves(self, claim: Claim) -> str | None:
        assert claim.seat is not None
        for text, actions in claim.moves:
            codes = [self.match.why_not(claim.seat, action) for action in actions]
            taken = None in codes
            if taken and claim.what == "may-not":
                return f"{text} is taken"
            if not taken and claim.what == "may":
                # The first form is the one as written.
                return f"{text} is refused with {codes[0]}"
        return None

    def shown_to(self, seat: int) -> tuple[Card, ...]:
        """What the last move showed ``seat`` of somebody else's hand."""
        seen = [seen_by(event, seat) for event in self.events]
        shown = [event for event in seen if isinstance(event, HandShown) and event.seat == seat]
        return tuple(card for event in shown for card in event.cards)

    def hand(self, seat: int) -> Sequence[Card]:
        return self.round.hands[seat]

    def name(self, seat: int) -> str:
        return self.partida.names[seat]

    def all_names(self, seats: Iterable[int]) -> str:
        return " ".join(map(self.name, seats)) or "-"

    # --- showing

    def show(self) -> list[str]:
        """The position now, field by field as in a header, and what no header says."""
        now = self.round
        fields = header(now.position(), self.partida.names)
        shown = ("hands", "discard", "colour", "draw", "turn", "direction", "pending")
        lines = [f"{name}: {fields[name]}" for name in shown if name in fields]
        if type(now.waiting) is Drawn:
            lines.append(f"drawn: {now.waiting.card}")
        if type(now.waiting) is Colour:
            lines = [line for line in lines if not line.startswith("colour:")]
            lines.append("colour: owed")
        if now.over:
            lines = [line for line in lines if not line.startswith("turn:")]
            lines.append(f"round: {self.outcome()}")
        if now.exposed:
            lines.append(f"exposed: {self.all_names(sorted(now.exposed))}")
        if any(self.match.scores):
            scores = zip(self.partida.names, self.match.scores, strict=False)
            lines.append("scores: " + " | ".join(f"{name} {score}" for name, score in scores))
        if self.match.winners:
            lines.append(f"match: {self.all_names(self.match.winners)}")
        if self.match.paused:
            lines.append("paused: " + " ".join(sorted(self.match.paused)))
        return lines


def check(partida: Partida) -> list[Failure]:
    """Play a file to its end; every line that does not hold."""
    replay = Replay(partida)
    return [failure for line in partida.lines if (failure := replay.step(line)) is not None]


def played(partida: Partida, otherwise: bytes | None = None) -> Match:
    """The match after the moves of a file. Refusals and claims are passed over.

    :class:`NotationError` at a move that is not taken, or is none of the game's.
    """
    replay = Replay(partida, otherwise)
    for line in partida.lines:
        if not isinstance(line, Move) or line.refusal is not None:
            continue
        if not isinstance(line.does, Action) and line.does != "next":
            remedy = "only what players do, and next, leads to a position"
            raise NotationError(partida.file, line.line, f"{line.text!r} is no move", remedy)
        failure = replay.move(line)
        if failure is not None:
            reason = f"expected {failure.expected}, got {failure.got}"
            raise NotationError(partida.file, line.line, reason, "correct or remove it")
    return replay.match


def load(path: Path) -> Partida:
    """Read a file; :class:`NotationError` also when it cannot be opened or is no text."""
    file = str(path)
    try:
        return read(path.read_bytes().decode("utf-8"), file)
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise NotationError(file, line, "not UTF-8", "save it as UTF-8 text") from None
    except OSError as error:
        reason = error.strerror or "cannot be read"
        raise NotationError(file, 1, reason, "name a .partida file") from None


def _play(partida: Partida, out: TextIO, *, show: bool) -> bool:
    """Play a file and print; whether it passed."""
    replay = Replay(partida)
    if show:
        print(f"{partida.file}: {partida.title or partida.rules}", file=out)
        _print_position(replay, out)
    passed = True
    for line in partida.lines:
        if show:
            print(line.text, file=out)
        failure = replay.step(line)
        if failure is not None:
            passed = False
            where = f"{partida.file}:{failure.line}"
            print(f"{where}: expected {failure.expected}, got {failure.got}", file=out)
        if show and isinstance(line, Move):
            _print_position(replay, out)
    return passed


def _print_position(replay: Replay, out: TextIO) -> None:
    for line in replay.show():
        print(f"    {line}", file=out)


def main(argv: Sequence[str] | None = None, out: TextIO | None = None) -> int:
    """The command. 0: all passed; 1: a line did not hold; 2: a file is no ``.partida``."""
    parser = argparse.ArgumentParser(
        prog="penultima replay", description="Play .partida files and check what they claim."
    )
    parser.add_argument("files", nargs="+", metavar="FILE", type=Path)
    parser.add_argument("--show", action="store_true", help="print the position after each line")
    options = parser.parse_args(argv)
    out = out or sys.stdout
    passed = failed = unreadable = 0
    for path in options.files:
        try:
            held = _play(load(path), out, show=options.show)
        except NotationError as error:
            print(error, file=out)
            unreadable += 1
            held = False
        passed += held
        failed += not held
    print(f"{passed} passed, {failed} failed", file=out)
    return 2 if unreadable else 1 if failed else 0
