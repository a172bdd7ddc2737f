"""What the host's console says, a file a language. The phones have catalogues of their own.

Another language is a file with the same keys, and a line in :data:`CATALOGUES`; a test holds them
against each other.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Final

from penultima.host.phrases import en, es, pt_br

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

CATALOGUES: Final[Mapping[str, Mapping[str, str]]] = {
    "es": es.PHRASES,
    "pt-BR": pt_br.PHRASES,
    "en": en.PHRASES,
}
LANGUAGES: Final = tuple(CATALOGUES)


class Phrases:
    """The phrases of one language."""

    def __init__(self, lang: str) -> None:
        self.lang = lang
        self._catalogue = CATALOGUES[lang]

    def __call__(self, key: str, **values: object) -> str:
        return self._catalogue[key].format(**values)

    def over(self, winners: Sequence[str]) -> str:
        """Who has won the match, if anybody: partners win together (RULES 6.7)."""
        if not winners:
            return self("ended")
        return self("over" if len(winners) == 1 else "over_several", names=", ".join(winners))


def language(wanted: str | None = None) -> str:
    """The language asked for, or that of the system; English when it is none of ours."""
    for text in (
        wanted,
        *(os.environ.get(name) for name in ("LC_ALL", "LC_MESSAGES", "LANG", "LANGUAGE")),
    ):
        if not text:
            continue
        start = text.replace("_", "-").lower()
        for lang in LANGUAGES:
            if start.startswith(lang[:2].lower()):
                return lang
        return "en"
    return "en"
