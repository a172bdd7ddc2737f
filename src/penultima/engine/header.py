"""Read the header of a ``.partida`` (docs/notation.md): who plays, by which rules, from where.

What moves and claims say below it is read in ``reading``; the words of both in ``words``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NoReturn

from penultima.engine.cards import COLOURS, DECKS, Card, decks_needed
from penultima.engine.errors import RulesError
from penultima.engine.notation import DIRECTIONS, FIELDS, RESERVED, NotationError, seed_bytes
from penultima.engine.position import Pending, Position
from penultima.engine.rules import Rules
from penultima.engine.shuffle import Shuffles
from penultima.engine.words import Words, like, without_comment


def _without_comment_outside_quotes(line: str) -> str:
    """As :func:`~penultima.engine.words.without_comment`, for ``rules:``, where a written rule
    stands in quotes and may contain a #."""
    quote = ""
    for at, char in enumerate(line):
        if quote:
            quote = "" if char == quote else quote
        elif char in "'\"":
            quote = char
        elif char == "#" and (at == 0 or line[at - 1].isspace()):
            return line[:at].strip()
    return line.strip()


@dataclass(slots=True)
class Header(Words):
    """The header of one file: :meth:`collect` its fields, then :meth:`read` them."""

    fields: dict[str, tuple[int, str]] = field(default_factory=dict)
    """Each with the line that it stands in."""

    def collect(self, raw: Sequence[str]) -> int:
        """Take the fields out of the lines; the index of the first one after the header."""
        for number, line in enumerate(raw):
            self.line = number + 1
            if not line.strip():
                if self.fields:
                    return number + 1
                continue
            content = without_comment(line)
            if not content:
                continue
            name, colon, value = content.partition(":")
            if not colon or name not in FIELDS:
                self.fail_header(name if colon else content)
            if name in self.fields:
                first = self.fields[name][0]
                self.fail(f"{name}: stands twice", f"it is in line {first} already; leave one")
            if name == "rules":
                value = _without_comment_outside_quotes(line.partition(":")[2])
            self.fields[name] = self.line, value.strip()
        return len(raw)

    def fail_header(self, content: str) -> NoReturn:
        first = content.split(maxsplit=1)[0] if content else content
        players = self.fields.get("players", (0, ""))[1].split()
        if first.startswith("=") or first in players or content == "next":
            self.fail(
                "a move or claim in the header",
                "the header ends at the first empty line: put one before the first move",
            )
        self.fail(
            f"no header field {content!r}",
            f"{like(first, FIELDS)}the fields are {', '.join(FIELDS)}, each with a colon",
        )

    def at(self, name: str) -> str | None:
        """The value of a field, with ``line`` set to where it stands."""
        known = self.fields.get(name)
        if known is None:
            return None
        self.line = known[0]
        return known[1]

    def read(self) -> dict[str, object]:
        """What it says, by the names of :class:`Partida`'s fields."""
        self.names = self.read_players()
        rules = self.read_rules()
        count = len(self.names)
        dealer_name = self.at("dealer")
        dealer = count - 1 if dealer_name is None else self.seat(dealer_name)
        seed = self.at("seed")
        if seed == "":
            self.fail("seed: is empty", "write any text, or leave the field out")
        scores = self.read_scores(rules)
        placed = ("hands", "discard", "colour", "draw", "turn", "direction", "pending")
        position = None
        if any(name in self.fields for name in placed):
            position = self.read_position(rules, dealer, seed)
        elif seed is None:
            self.line = 1
            self.fail(
                "there are no hands: and no seed: to deal them from",
                "say who holds what (hands: Ana r7 g2 | Beto y1, discard: r5) or give a seed:",
            )
        return {
            "title": self.fields.get("title", (0, ""))[1],
            "rules": rules,
            "names": self.names,
            "dealer": dealer,
            "scores": scores,
            "seed": seed,
            "position": position,
        }

    def read_players(self) -> tuple[str, ...]:
        value = self.at("players")
        if value is None:
            self.line = 1
            self.fail("players: is missing", "name the players in seat order: players: Ana Beto")
        names = value.split()
        for at, name in enumerate(names):
            if name in RESERVED:
                self.fail(f"nobody can be called {name!r}", "use another name, without commas")
            if name in names[:at]:
                self.fail(f"two players are called {name}", "each needs a name of its own")
        if not 2 <= len(names) <= 10:
            self.fail(f"{len(names)} players", "name two to ten, separated by spaces")
        return tuple(names)

    def read_rules(self) -> Rules:
        text = self.at("rules") or "classic"
        try:
            rules = Rules.parse(text)
            rules.check(len(self.names))
        except RulesError as error:
            known = [*Rules.of()]
            remedy = "a preset, then field=value for each change: classic stacking=same"
            if error.field not in known and error.field != "rules":
                remedy = f"{like(error.field, known)}the fields are {', '.join(known)}"
            raise NotationError(self.file, self.line, str(error), remedy) from None
        return rules

    def read_scores(self, rules: Rules) -> tuple[int, ...]:
        scores: dict[int, int] = {}
        for group in self.groups("scores", "Ana 480 | Beto 12"):
            seat = self.seat(group[0])
            if len(group) != 2:
                self.fail(f"no score {' '.join(group)!r}", "a name and a number: Ana 480")
            if seat in scores:
                self.fail(f"{group[0]} has two scores", "leave one")
            scores[seat] = self.number(group[1])
        if rules["teams"] == "pairs":
            for seat, score in list(scores.items()):
                partner = (seat + 2) % 4
                if scores.setdefault(partner, score) != score:
                    names = f"{self.names[seat]} and {self.names[partner]}"
                    self.fail(f"{names} play as a pair", "partners have one score")
        return tuple(scores.get(seat, 0) for seat in range(len(self.names)))

    def groups(self, name: str, example: str) -> list[list[str]]:
        """The parts of a field that are joined by a bar standing alone."""
        value = self.at(name)
        if value is None:
            return []
        groups: list[list[str]] = [[]]
        for word in value.split():
            if word == "|":
                groups.append([])
            else:
                groups[-1].append(word)
        if not all(groups):
            self.fail(f"{name}: nothing before or after a |", f"write {name}: {example}")
        return groups

    def read_position(self, rules: Rules, dealer: int, seed: str | None) -> Position:
        hands = self.read_hands()
        discard = self.read_cards("discard")
        draw = self.read_cards("draw")
        for name, given in (("hands", hands), ("discard", discard)):
            if given is None and seed is None:
                self.line = 1
                self.fail(f"{name}: is missing", f"write {name}: or give a seed: to deal from")
        if discard == ():
            self.at("discard")
            self.fail("discard: is empty", "the card on top is needed: discard: r5")
        hands, discard, draw = self.complete(rules, hands, discard, draw, dealer, seed)
        direction = DIRECTIONS.get(self.at("direction") or "left")
        if direction is None:
            self.fail(f"no direction {self.at('direction')!r}", "write left or right")
        inside = [seat for seat, hand in enumerate(hands) if hand]
        left = next(s % len(hands) for s in range(dealer + 1, 99) if s % len(hands) in inside)
        turn_name = self.at("turn")
        turn = left if turn_name is None else self.seat(turn_name)
        if turn not in inside:
            self.fail(f"{turn_name} is not in this round", "name somebody who holds cards")
        colour = self.read_colour(discard[-1])
        pending = self.read_pending(hands)
        return Position(rules, hands, discard, colour, draw, turn, dealer, direction, pending)

    def read_hands(self) -> tuple[tuple[Card, ...], ...] | None:
        if "hands" not in self.fields:
            return None
        hands: dict[int, tuple[Card, ...]] = {}
        for name, *words in self.groups("hands", "Ana r7 g2 | Beto y1 y2"):
            seat = self.seat(name)
            if seat in hands:
                self.fail(f"{name} has two hands", "leave one")
            if not words:
                self.fail(f"{name} holds no cards", f"write {name} - for who is not in this round")
            hands[seat] = () if words == ["-"] else tuple(self.card(word) for word in words)
        for seat, name in enumerate(self.names):
            if seat not in hands:
                remedy = f"add | {name} card card ..., or | {name} - when not in this round"
                self.fail(f"{name} has no hand", remedy)
        if sum(map(bool, hands.values())) < 2:
            self.fail("fewer than two players hold cards", "a round needs two")
        return tuple(hands[seat] for seat in range(len(self.names)))

    def read_cards(self, name: str) -> tuple[Card, ...] | None:
        value = self.at(name)
        return None if value is None else tuple(self.card(word) for word in value.split())

    def read_colour(self, top: Card) -> str:
        value = self.at("colour")
        if value is None:
            if top.colour is None:
                self.at("discard")
                self.fail(f"the top {top} has no colour", "say which is in force: colour: r")
            return top.colour
        if value not in COLOURS:
            self.fail(f"no colour {value!r}", "write r, y, g or b")
        if top.colour not in (None, value):
            self.fail(f"the top {top} is not {value}", f"write colour: {top.colour}, or nothing")
        return value

    def read_pending(self, hands: Sequence[tuple[Card, ...]]) -> Pending | None:
        value = self.at("pending")
        if value is None:
            return None
        words = value.split()
        bluff = {2: None, 3: {"legal": False, "bluff": True}.get(words[-1])}.get(len(words))
        if len(words) not in {2, 3} or (len(words) == 3 and bluff is None):
            self.fail(
                f"pending: cannot be {value!r}",
                "write how many and who opened: 4 Ana legal, 4 Ana bluff, or 2 Ana",
            )
        count, opener = self.number(words[0]), self.seat(words[1])
        if count < 1:
            self.fail("nothing is pending", "leave the field out")
        if bluff is not None and not hands[opener]:
            self.fail(
                f"{words[1]} is not in this round and cannot be challenged",
                f"write pending: {count} {words[1]}",
            )
        return Pending(count, opener, bluff)

    def complete(
        self,
        rules: Rules,
        hands: tuple[tuple[Card, ...], ...] | None,
        discard: tuple[Card, ...] | None,
        draw: tuple[Card, ...] | None,
        dealer: int,
        seed: str | None,
    ) -> tuple[tuple[tuple[Card, ...], ...], tuple[Card, ...], tuple[Card, ...]]:
        """Deal what the header leaves open: from the seed if there is one."""
        if hands is not None and discard is not None and draw is not None:
            return hands, discard, draw
        deck, size, count = rules.number("deck"), rules.number("hand_size"), len(self.names)
        rest = Counter(DECKS[deck] * decks_needed(deck, count, size))
        for name, cards in (
            ("hands", [each for hand in hands or () for each in hand]),
            ("discard", discard or ()),
            ("draw", draw or ()),
        ):
            for each in cards:
                if not rest[each]:
                    self.at(name)
                    self.fail(
                        f"the deck of {deck} has no such card as this {each}",
                        "name no card more often than it exists, or name all cards with draw:",
                    )
                rest[each] -= 1
        left = list(rest.elements())
        if seed is not None:
            Shuffles(seed_bytes(seed), 0)(left)
        if discard is None:
            # An effect of the first card belongs to a deal that the seed does alone.
            top = next(at for at, each in enumerate(left) if each.number is not None)
            discard = (left.pop(top),)
        if hands is None:
            order = [seat % count for seat in range(dealer + 1, dealer + 1 + count)]
            if len(left) < size * count:
                self.line = 1
                self.fail("too few cards are left to deal", "name fewer in discard: and draw:")
            dealt = {seat: tuple(left[at : size * count : count]) for at, seat in enumerate(order)}
            del left[: size * count]
            hands = tuple(dealt[seat] for seat in range(count))
        return hands, discard, tuple(left) if draw is None else draw
