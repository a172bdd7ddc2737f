"""Why a move is refused: the code for what a round would not take (NOTATION, "Refusal codes").

Only asked when a move is not among the legal ones; decides nothing itself.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from penultima.engine.actions import ACCEPT, CALL, CHALLENGE, PASS, Action, Catch, Choose, Play
from penultima.engine.cards import SHUFFLE_HANDS
from penultima.engine.waiting import Answer, Colour, Drawn, Over

if TYPE_CHECKING:
    from penultima.engine.round import Round


def reason(round: Round, seat: int, action: Action) -> str:
    """The code for a move of ``seat`` that is not legal now."""
    waiting = round.waiting
    if type(waiting) is Over:
        return "round_over"
    if action is CALL:
        return "cannot_call"
    if isinstance(action, Catch):
        return "not_exposed"
    if waiting.seat != seat:
        if isinstance(action, Play) and seat in round.seats:
            return _out_of_turn(round, seat, action)
        return "not_your_turn"
    if type(waiting) is Colour:
        return "choose_colour"
    if isinstance(action, Play) and action.card not in round.hands[seat]:
        return "not_in_hand"
    if isinstance(action, Choose):
        return "no_pending"
    if type(waiting) is Answer:
        return _answering(round, seat, action)
    if action is ACCEPT or action is CHALLENGE:
        return "no_pending"
    if action is PASS:
        return "nothing_drawn"
    if type(waiting) is Drawn and not (isinstance(action, Play) and action.card is waiting.card):
        return "only_drawn_card"
    assert isinstance(action, Play)
    return _for_form(round, seat, action) if round.fits(action.card) else "no_match"


def _answering(round: Round, seat: int, action: Action) -> str:
    if action is CHALLENGE:
        return "no_challenge"
    if isinstance(action, Play):
        for answers in round.scheme.answers:
            if any(each.card is action.card for each in answers(round, seat)):
                return _for_form(round, seat, action)
    return "must_answer"


def _out_of_turn(round: Round, seat: int, action: Play) -> str:
    card = action.card
    if card in round.hands[seat] and type(round.waiting) is not Colour:
        if round.newest is not None:
            for interrupts in round.scheme.interrupts:
                if any(each.card is card for each in interrupts(round, seat)):
                    return _for_form(round, seat, action)
        if any(late(round, seat, card) for late in round.scheme.closes_late):
            return "too_late"
    return "not_your_turn"


def _for_form(round: Round, seat: int, action: Play) -> str:
    """Why a card that could be put down cannot be in this form, or not last."""
    for forbids in round.scheme.forbids:
        code = forbids(round, seat, action)
        if code is not None:
            return code
    card = action.card
    takes_colour = card.is_wild and card.rank != SHUFFLE_HANDS
    if takes_colour != (action.colour is not None):
        return "choose_colour" if takes_colour else "bad_move"
    return "choose_player" if card.rank in round.scheme.names_player else "bad_move"
