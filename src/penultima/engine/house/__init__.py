"""Every rule of the game, official and house, in the one order in which they are asked.

One file a rule, named like it. First those that add moves, then those that restrict them, then
those that compel what follows; where two give the same rank an effect, the later one stands. To
add one, write its file and name it here: lobby, bots, help, notation and validation learn of it
from this list (docs/house-rules.md).
"""

from __future__ import annotations

from penultima.engine.house.action_cards import ActionCards
from penultima.engine.house.agreed import Agreed
from penultima.engine.house.challenge import Challenge
from penultima.engine.house.custom import Custom
from penultima.engine.house.deck import Deck
from penultima.engine.house.draw import DrawUntilPlayable
from penultima.engine.house.draw_four import DrawFour
from penultima.engine.house.finish import Finish
from penultima.engine.house.first_card import FirstCard, NoBeginning
from penultima.engine.house.hand_size import HandSize
from penultima.engine.house.jump_in import JumpIn
from penultima.engine.house.misplay import Misplay
from penultima.engine.house.runs import Runs
from penultima.engine.house.scoring import Scoring
from penultima.engine.house.seven_swap import SevenSwap
from penultima.engine.house.stacking import Stacking
from penultima.engine.house.teams import Teams
from penultima.engine.house.twins import Twins
from penultima.engine.house.uno_penalty import UnoPenalty
from penultima.engine.house.winner_rule import WinnerRule
from penultima.engine.house.zero_rotate import ZeroRotate
from penultima.engine.rule import Rule

RULES: tuple[Rule, ...] = (
    # what every game has
    ActionCards(),
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
