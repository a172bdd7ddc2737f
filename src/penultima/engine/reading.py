"""Read a ``.partida`` (docs/notation.md): from a text to what it says, or a :class:`NotationError`.

What a text means, never whether it holds: a move that the rules refuse is read like any other.
The header is read in ``header``, single words in ``words``.
"""

from __future__ import annotations

import unicodedata

from penultima.engine.cards import COLOURS
from penultima.engine.errors import REFUSALS
from penultima.engine.header import Header
from penultima.engine.notation import (
    CLAIMS,
    CONTROLS,
    DIRECTIONS,
    FIELDS,
    Claim,
    Move,
    NotationError,
    Partida,
)
from penultima.engine.words import MOVE_FORMS, Words, like, without_comment


def read(text: str, file: str = "partida") -> Partida:
    """Read a whole file. ``file`` is only named in errors, which are :class:`NotationError`."""
    # Not splitlines(): it also splits at characters that may stand in a title.
    # NFC: an accent may be typed in two ways, and Zoë is Zoë in both.
    text = unicodedata.normalize("NFC", text.removeprefix("\ufeff"))
    raw = [line.rstrip("\r") for line in text.split("\n")]
    header = Header(file)
    body = header.collect(raw)
    told = header.read()
    reader = _Lines(file, names=header.names)
    lines = []
    for number in range(body, len(raw)):
        reader.line = number + 1
        if words := without_comment(raw[number]).split():
            lines.append(reader.claim(words) if words[0] == "=" else reader.move(words))
    return Partida(file, **told, lines=tuple(lines))  # type: ignore[arg-type]


class _Lines(Words):
    """Reads what stands below the header: a move or a claim a line."""

    __slots__ = ()

    def move(self, words: list[str]) -> Move:
        text = " ".join(words)
        refusal = None
        last = words[-1]
        # Somebody may be called !Ana and be caught.
        caught = len(words) == 3 and words[1] == "catch" and last in self.names
        if last.startswith("!") and len(words) > 1 and not caught:
            refusal = words.pop()[1:]
            if refusal and refusal not in REFUSALS:
                known = ", ".join(REFUSALS)
                self.fail(f"no code {refusal!r}", f"{like(refusal, REFUSALS)}codes are {known}")
        if words == ["next"]:
            return Move(self.line, text, None, "next", refusal)
        if words[0] not in self.names and words[0].startswith("="):
            self.fail(f"no space after the = of {text!r}", f"write = {text[1:]}")
        if words[0] not in self.names and words[0].rstrip(":") in FIELDS:
            self.fail(
                f"{words[0].rstrip(':')}: after the header",
                "the header ends at the first empty line: move the field up",
            )
        seat = self.seat(words[0])
        if len(words) == 1:
            self.fail(f"what does {words[0]} do?", MOVE_FORMS)
        if len(words) == 2 and words[1] in CONTROLS:
            return Move(self.line, text, seat, CONTROLS[words[1]], refusal)
        try:
            does = self.action(words[1:])
        except NotationError:
            # The one refusal that says so: it cannot be read.
            if refusal != "bad_move":
                raise
            does = None
        return Move(self.line, text, seat, does, refusal)

    def claim(self, words: list[str]) -> Claim:
        text = " ".join(words)
        what, given = words[1] if len(words) > 1 else "", words[2:]
        if what not in CLAIMS:
            known = ", ".join(CLAIMS)
            remedy = f"{like(what, CLAIMS)}the claims are {known}"
            self.fail(f"no claim {text!r}", remedy)
        count = len(given)
        claim = Claim(self.line, text, what)
        nothing = given == ["-"]
        if what == "turn" and count == 1:
            return claim._replace(seat=self.seat(given[0]))
        if what in {"hand", "shown"} and count > 1:
            cards = () if given[1:] == ["-"] else tuple(self.card(word) for word in given[1:])
            return claim._replace(seat=self.seat(given[0]), cards=cards)
        if what in {"cards", "score"} and count == 2:
            return claim._replace(seat=self.seat(given[0]), number=self.number(given[1]))
        if what == "top" and count == 1:
            return claim._replace(cards=(self.card(given[0]),))
        if what == "colour" and count == 1 and given[0] in COLOURS:
            return claim._replace(word=given[0])
        if what == "direction" and count == 1 and given[0] in DIRECTIONS:
            return claim._replace(word=given[0])
        if what in {"pending", "pile"} and count == 1:
            return claim._replace(number=self.number(given[0]))
        if what == "exposed" and count:
            return claim._replace(seats=() if nothing else tuple(map(self.seat, given)))
        if what in {"may", "may-not"} and count > 1:
            return claim._replace(seat=self.seat(given[0]), moves=self.moves(given[1:]))
        if what == "round" and (given == ["open"] or nothing):
            return claim._replace(word=given[0])
        if what == "round" and count == 2:
            return claim._replace(seat=self.seat(given[0]), number=self.number(given[1]))
        if what == "match" and given == ["open"]:
            return claim._replace(word="open")
        if what == "match" and count == 1:
            return claim._replace(seat=self.seat(given[0]))
        return self.fail(f"the claim {text!r} cannot be read", f"write {CLAIMS[what]}")
