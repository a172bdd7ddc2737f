"""Write a ``.partida`` (docs/notation.md): a position, a whole match, or what one seat can see."""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from penultima.engine.actions import CALL, DRAW, Action, Catch, Choose, Play
from penultima.engine.cards import DECKS, Card, decks_needed
from penultima.engine.notation import FIELDS, RESERVED, Control
from penultima.engine.position import Pending, Position
from penultima.engine.rules import Rules
from penultima.engine.view import View


def fit_names(names: Iterable[str]) -> tuple[str, ...]:
    """Names as a file can have them: NFC, no white space, nothing reserved, no two alike."""
    fitted: list[str] = []
    for name in names:
        fit = "_".join(unicodedata.normalize("NFC", name).split()) or "_"
        # A mark that combines would change what stands before it: r7>NAME.
        if fit in RESERVED or fit.startswith("#") or unicodedata.combining(fit[0]):
            fit = f"_{fit}"
        unique, number = fit, 2
        while unique in fitted:
            unique, number = f"{fit}_{number}", number + 1
        fitted.append(unique)
    return tuple(fitted)


def words(action: Action, names: Sequence[str]) -> str:
    """An action with names for players, as :func:`~penultima.engine.reading.read` reads it."""
    if isinstance(action, Play) and action.player is not None:
        return action.text.partition(">")[0] + ">" + names[action.player]
    return f"catch {names[action.player]}" if isinstance(action, Catch) else action.text


def cards(held: Iterable[Card]) -> str:
    """Cards as a claim writes them: ``-`` for none."""
    return " ".join(each.text for each in held) or "-"


def header(position: Position, names: Sequence[str]) -> dict[str, str]:
    """The header fields of a position. ``names`` as :func:`fit_names` gives them."""
    top = position.discard[-1]
    # Who came while the round was on has no place in it yet.
    hands = position.hands + ((),) * (len(names) - len(position.hands))
    fields = {
        "rules": str(position.rules),
        "players": " ".join(names),
        "hands": " | ".join(
            f"{name} {cards(hand)}" for name, hand in zip(names, hands, strict=True)
        ),
        "discard": cards(position.discard),
        "draw": " ".join(each.text for each in position.pile),
        "turn": names[position.turn],
        "dealer": names[position.dealer],
    }
    if top.is_wild:
        fields["colour"] = position.colour or "r"
    if position.direction == -1:
        fields["direction"] = "right"
    pending = position.pending
    if pending is not None:
        judged = {None: "", False: " legal", True: " bluff"}[pending.bluff]
        fields["pending"] = f"{pending.count} {names[pending.opener]}{judged}"
    return fields


Written = tuple[int | None, Action | Control]
"""A move to be written: who (``None``: the host) and what."""


def write(
    names: Sequence[str],
    *,
    position: Position | None = None,
    rules: Rules | None = None,
    dealer: int | None = None,
    seed: bytes | str | None = None,
    scores: Sequence[int] = (),
    title: str = "",
    moves: Iterable[Written] = (),
    notes: Iterable[str] = (),
    claims: Iterable[str] = (),
) -> str:
    """A ``.partida``: from a position, or (``rules``, ``dealer``, ``seed``) from the deal.

    ``notes`` become comments, ``claims`` stand after the last move and are given without ``=``.
    """
    fitted = fit_names(names)
    fields: dict[str, str] = {}
    if title.strip():
        fields["title"] = re.sub(r"(^|\s)#+", r"\1", " ".join(title.split())).strip()
    if position is not None:
        fields |= header(position, fitted)
    else:
        if rules is None or seed is None:
            raise ValueError("without a position rules and seed are needed")
        fields |= {"rules": str(rules), "players": " ".join(fitted)}
        if dealer is not None:
            fields["dealer"] = fitted[dealer]
    if any(scores):
        fields["scores"] = " | ".join(
            f"{name} {score}" for name, score in zip(fitted, scores, strict=True) if score
        )
    if seed is not None:
        fields["seed"] = seed.hex() if isinstance(seed, bytes) else seed
    return _lines(fields, notes, moves, claims, fitted)


def _lines(
    fields: Mapping[str, str],
    notes: Iterable[str],
    moves: Iterable[Written],
    claims: Iterable[str],
    names: Sequence[str],
) -> str:
    lines = [f"# {' '.join(note.split())}" for note in notes]
    lines += [f"{name}: {fields[name]}".rstrip() for name in FIELDS if name in fields]
    lines.append("")
    for seat, does in moves:
        what = words(does, names) if isinstance(does, Action) else does
        lines.append(what if seat is None else f"{names[seat]} {what}")
    lines += [f"= {claim}" for claim in claims]
    return unicodedata.normalize("NFC", "\n".join(lines) + "\n")


# ---------------------------------------------------------------------------------- own views


def of_view(view: View, names: Sequence[str]) -> str:
    """A ``.partida`` of what one seat knows, to report a problem with.

    It is written from the view alone: the own hand and everything public are true, the cards
    of the others and the pile are made up of those that could be there.
    """
    fitted = fit_names(names)
    unseen = _unseen(view)
    hands = []
    for seat, cards_held in enumerate(view.counts):
        # A round that is over has somebody without cards; a position has not.
        count = max(cards_held, 1) if view.wait == "over" else cards_held
        if seat == view.seat and view.hand:
            hands.append(view.hand)
        else:
            hands.append(tuple(unseen[:count]))
            del unseen[:count]
    pile = tuple(unseen[: view.pile])
    moves: list[Written] = []
    notes = ["A view: cards that this seat cannot know are made up."]
    if view.seat is not None:
        notes[0] = f"The view of {fitted[view.seat]}: the cards of the others are made up."
    if view.drawn is not None and view.seat is not None:
        held = list(view.hand)
        held.remove(view.drawn)
        hands[view.seat] = tuple(held)
        pile = (view.drawn, *pile)
        moves.append((view.seat, DRAW))
    notes += _what_no_header_says(view, fitted)
    bluff = False if view.challengeable else None
    pending = None
    if view.pending and view.opener is not None:
        pending = Pending(view.pending, view.opener, bluff)
    at = view.turn if view.turn is not None else view.seats[0]
    position = Position(
        *(view.rules, tuple(hands), view.discard, view.colour, pile, at),
        *(view.dealer, view.direction, pending),
    )
    return write(
        names,
        position=position,
        scores=view.scores,
        moves=moves,
        notes=notes,
        claims=_offered(view, fitted),
    )


def _unseen(view: View) -> list[Card]:
    """Cards that may be where this seat cannot look, as many as there are."""
    deck, size = view.rules.number("deck"), view.rules.number("hand_size")
    every = Counter(DECKS[deck] * decks_needed(deck, len(view.counts), size))
    every -= Counter(view.hand) + Counter(view.discard)
    unseen = list(every.elements())
    # Spread, so that nobody is made to hold one colour only.
    unseen = [each for step in range(7) for each in unseen[step::7]]
    hidden = sum(max(count, 1) for count in view.counts) + view.pile
    spare = [each for each in DECKS[deck] if each.number is not None]
    # A position set up by hand may have more cards than its deck.
    return unseen + spare * (max(0, hidden - len(unseen)) // len(spare) + 1)


def _what_no_header_says(view: View, names: Sequence[str]) -> list[str]:
    notes = []
    if view.exposed:
        notes.append("exposed: " + " ".join(names[seat] for seat in sorted(view.exposed)))
    if view.called:
        notes.append("called: " + " ".join(names[seat] for seat in sorted(view.called)))
    if view.wait == "colour" and view.turn is not None:
        notes.append(f"{names[view.turn]} owes a colour.")
    if view.wait == "drawn" and view.drawn is None and view.turn is not None:
        notes.append(f"{names[view.turn]} has drawn a card that may be played.")
    if view.wait == "over":
        notes.append("The round is over: a hand of one card may stand for none.")
    if view.newest is not None:
        notes.append(f"newest play: {names[view.newest[0]]} {view.newest[1]}")
    if view.challengeable:
        notes.append("Whether the Wild Draw Four was a bluff is not known.")
    return notes


def _offered(view: View, names: Sequence[str]) -> list[str]:
    """The turn actions the seat was offered, as claims; those of others leave no trace."""
    if view.seat is None or view.turn != view.seat or view.wait == "colour":
        return []
    offered: dict[str, None] = {}
    for action in view.legal:
        if isinstance(action, Play):
            offered[action.card.text] = None
        elif not isinstance(action, Catch | Choose) and action is not CALL:
            offered[action.text] = None
    name = names[view.seat]
    refused = dict.fromkeys(held.text for held in view.hand if held.text not in offered)
    claims = [f"may {name} {' '.join(offered)}"] if offered else []
    return claims + ([f"may-not {name} {' '.join(refused)}"] if refused else [])
