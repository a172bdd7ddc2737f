"""The page offers no level that the table does not know."""

from __future__ import annotations

import re
from pathlib import Path

from penultima import bots

LOBBY = Path(__file__).parents[2] / "static" / "src" / "screens" / "lobby.tsx"


def test_every_level_that_the_lobby_offers_can_be_seated() -> None:
    found = re.search(r"const LEVELS = \[(.+?)\] as const;", LOBBY.read_text(encoding="utf-8"))
    assert found is not None
    offered = re.findall(r'"(\w+)"', found[1])
    assert offered
    assert set(offered) <= set(bots.LEVELS)
