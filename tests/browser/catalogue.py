"""The client's sentences, read from its language files, so that a test can ask for one by key."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parents[2] / "static" / "src" / "i18n"
LINE = re.compile(r'^  "([^"]+)": "((?:[^"\\]|\\.)*)",', re.MULTILINE)

LANGUAGES = ("es", "pt-BR", "en")


@cache
def sentences(language: str) -> dict[str, str]:
    """All that are one text; those with plural forms are left out."""
    found = dict(LINE.findall((FOLDER / f"{language}.ts").read_text("utf-8")))
    assert len(found) > 200, "the language file is not as this reads it"
    return found


def say(language: str, key: str, **values: object) -> str:
    text = sentences(language)[key]
    for name, value in values.items():
        text = text.replace("{" + name + "}", str(value))
    return text
