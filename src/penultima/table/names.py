"""Names of people and tables: what one may be called, and when two names look alike.

Nothing here knows a table; a name comes in as somebody typed it and goes out clean, or is
refused with a code.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from itertools import count, pairwise
from typing import Final

from penultima.table.refusals import No

LONGEST: Final = 20
"""Graphemes of a name."""
BYTES: Final = 80

_JOINER: Final = "\u200d"
_TEXT_STYLE, _EMOJI_STYLE = "\ufe0e", "\ufe0f"
_KEYCAP: Final = "\u20e3"
_MARKS_A_LETTER: Final = 4

# Letters and symbols that leave no ink: a name made of them would look like none.
_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")

# What looks like a Latin letter without being one, after casefolding. Far from complete: it is
# there so that nobody passes for a neighbour at a glance, not against a determined forger.
_ALIKE: Final = str.maketrans(
    "аеорсухіјѕһвкмнтαεοριυντκ0135|!ıł",
    "aeopcyxijshbkmhtaeopiuvtkoiesiiil",
)


def _is_emoji_modifier(char: str) -> bool:
    return "\U0001f3fb" <= char <= "\U0001f3ff"


def _is_region(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"


def _extends(char: str) -> bool:
    return (
        unicodedata.category(char) in {"Mn", "Me", "Mc"}
        or char == _JOINER
        or _is_emoji_modifier(char)
    )


def graphemes(text: str) -> list[str]:
    """``text`` in pieces that a reader takes for one character each.

    Covers combining marks, variation selectors, joined emoji, skin tones and flags, which is what
    turns up in names; Hangul is expected composed (NFC).
    """
    pieces: list[str] = []
    for char in text:
        last = pieces[-1] if pieces else ""
        joined = last.endswith(_JOINER)
        flag = _is_region(char) and len(last) == 1 and _is_region(last)
        if last and (_extends(char) or joined or flag):
            pieces[-1] += char
        else:
            pieces.append(char)
    return pieces


def clean(typed: str, *, longest: int = LONGEST, most_bytes: int = BYTES) -> str:
    """The name as the table shows it, or :class:`No`: ``name_empty``, ``_long``, ``_bad``."""
    if len(typed) > 4 * most_bytes:
        raise No("name_long")
    if any(unicodedata.category(char) in {"Cc", "Cs", "Zl", "Zp"} for char in typed):
        raise No("name_bad")
    name = " ".join(unicodedata.normalize("NFC", typed).split())
    if not name:
        raise No("name_empty")
    pieces = graphemes(name)
    if len(pieces) > longest or len(name.encode()) > most_bytes:
        raise No("name_long")
    if not all(map(_is_fit, pieces)) or not any(_has_ink(piece[0]) for piece in pieces):
        raise No("name_bad")
    return name


def _has_ink(char: str) -> bool:
    return unicodedata.category(char)[0] in "LNSP" and char not in _BLANK


def _is_fit(piece: str) -> bool:
    """Whether one grapheme is made as it should be: nothing hidden, nothing piled up."""
    first = piece[0]
    if first != " " and not _has_ink(first):
        return False
    marks = 0
    for before, char in pairwise(piece):
        category = unicodedata.category(char)
        if char in _BLANK or category in {"Cf", "Co", "Cn"}:
            # A joiner stands only between two emoji.
            if char != _JOINER or not _may_join(before) or piece[-1] == _JOINER:
                return False
        elif "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef":
            if char not in (_TEXT_STYLE, _EMOJI_STYLE) or not _may_be_styled(before):
                return False
        elif before == _JOINER:
            if unicodedata.category(char) != "So":
                return False
        elif category[0] == "M" and char != _KEYCAP:
            marks += 1
    return marks <= _MARKS_A_LETTER


def _may_join(char: str) -> bool:
    return (
        unicodedata.category(char) == "So"
        or char in {_EMOJI_STYLE, _TEXT_STYLE}
        or _is_emoji_modifier(char)
    )


def _may_be_styled(char: str) -> bool:
    return unicodedata.category(char) in {"So", "Sm", "Po"} or char in "0123456789#*"


def looks(name: str) -> str:
    """Equal for two names that could be taken for each other."""
    flat = unicodedata.normalize("NFKD", name.casefold())
    bare = "".join(char for char in flat if unicodedata.category(char)[0] not in "MC")
    return "".join(bare.casefold().translate(_ALIKE).split())


def unique(name: str, taken: Iterable[str]) -> str:
    """``name``, or ``name 2``, ``name 3`` ... where somebody of that look sits already.

    The lowest number that is free. A name that comes numbered already, beside the one it was
    numbered after, counts on instead of getting a second number.
    """
    known = {looks(other) for other in taken}
    if looks(name) not in known:
        return name
    stem, _, number = name.rpartition(" ")
    if number.isdecimal() and looks(stem) in known:
        name = stem
    return next(tried for tried in _numbered(name) if looks(tried) not in known)


def _numbered(name: str) -> Iterator[str]:
    for number in count(2):
        suffix = f" {number}"
        pieces = graphemes(name)[: LONGEST - len(suffix)]
        while len("".join(pieces).encode()) + len(suffix) > BYTES:
            pieces.pop()
        yield "".join(pieces).rstrip() + suffix
