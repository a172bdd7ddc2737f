"""Every rule of the game, official and house, in the one order in which they are asked.

First those that add moves, then those that restrict them, then those that compel what follows;
where two give the same rank an effect, the later one stands. To add a rule, write its file and
name it here: lobby, bots, help, notation and validation learn of it from this list
(docs/house-rules.md).
"""

from __future__ import annotations

from penultima.engine.house.agreed import Agreed, WinnerRule
from penultima.engine.house.calling import UnoPenalty
from penultima.engine.house.challenge import Challenge, DrawFour
from penultima.engine.house.deck import Custom, Deck
from penultima.engine.house.drawing import DrawUntilPlayable
from penultima.engine.house.finishing import Finish
from penultima.engine.house.hands import SevenSwap, ZeroRotate
from penultima.engine.house.interrupting import JumpIn, Runs, Twins
from penultima.engine.house.misplay import Misplay
from penultima.engine.house.official import FirstCard, NoBeginning, Official
from penultima.engine.house.scoring import HandSize, Scoring, Teams
from penultima.engine.house.stacking import Stacking
from penultima.engine.rule import Rule

RULES: tuple[Rule, ...] = (
    # what every game has
    Official(),
    NoBeginning(),
    DrawFour(),
    # add
    Deck(),
    Custom(),
    HandSize(),
    Stacking(),
    DrawUntilPlayable(),
    JumpIn(),
    Twins(),
    Runs(),
    # restrict
    FirstCard(),
    Finish(),
    # compel
    Challenge(),
    SevenSwap(),
    ZeroRotate(),
    Misplay(),
    UnoPenalty(),
    # the match and the table
    Scoring(),
    Teams(),
    Agreed(),
    WinnerRule(),
)
