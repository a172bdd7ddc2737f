"""How the players of a whole match decide: from their own view alone, always the same."""

from __future__ import annotations

from collections import Counter
from typing import Any, NamedTuple

COLOURS = "rygb"


class Choice(NamedTuple):
    """`does` is a card, `draw`, `pass`, `accept`, `challenge` or `colour`."""

    does: str
    colour: str | None = None
    call: bool = False
    last: bool = False
    """The last card, after which no colour has a turn: the page does not ask for one (RULES 6.1)."""

    @property
    def asked(self) -> str | None:
        """The colour that is pressed."""
        return None if self.last else self.colour

    @property
    def text(self) -> str:
        """As the notation writes it."""
        if self.does == "colour":
            return f"colour {self.colour}"
        return self.does if self.colour is None else f"{self.does}={self.colour}"


def choose(view: dict[str, Any]) -> Choice:
    """The next turn action of the seat that this view belongs to, which is in turn."""
    legal = view["legal"]
    hand = view.get("hand", [])
    held = Counter(card[0] for card in hand if card[0] in COLOURS)
    colour = max(COLOURS, key=lambda each: (held[each], each))
    if "challenge" in legal:
        return Choice("challenge" if view["you"] == 1 else "accept")
    if "accept" in legal:
        return Choice("accept")
    if any(form.startswith("colour") for form in legal):
        return Choice("colour", colour)
    plays = [form for form in legal if form[0] in "rygbW"]
    if not plays:
        return Choice("pass" if "pass" in legal else "draw")
    # Wilds last; among the others the dearest.
    form = min(plays, key=lambda each: (each[0] == "W", not each[1:].endswith("2"), each))
    card = form.partition("=")[0]
    if "=" not in form:
        colour = None
    elif len(hand) == 1:
        colour = view["colour"]
    return Choice(card, colour, call="uno" in legal and len(hand) == 2, last=len(hand) == 1)
