"""What the host may do (protocol, section 6). Who may ask is checked before it comes here."""

from __future__ import annotations

from typing import Any, Final

from penultima.engine.cards import CUSTOMS
from penultima.engine.errors import RulesError
from penultima.engine.rules import Rules
from penultima.table import names
from penultima.table.bots import Schedule
from penultima.table.ledger import KEPT_APART, ROUND, Ledger
from penultima.table.presence import Commit, Presence
from penultima.table.reception import Reception
from penultima.table.refusals import No
from penultima.table.requests import Message, Request, optional_text, text, whole
from penultima.table.seats import LEVELS, Seat, bot_name

LONGEST_GRACE: Final = 1.5
TITLE: Final = 40
STANDIN: Final = "normal"


class Powers:
    """Carries out ``do``; the answer is the ``seq`` of the commit."""

    def __init__(
        self,
        ledger: Ledger,
        presence: Presence,
        reception: Reception,
        bots: Schedule,
        commit: Commit,
    ) -> None:
        self._ledger = ledger
        self._presence = presence
        self._reception = reception
        self._bots = bots
        self._commit = commit

    def carry_out(self, request: Request, message: Message, now: float) -> int:
        do = text(message, "do", 20)
        if do not in self.BY_NAME:
            raise No("bad_message", "do")
        return self.BY_NAME[do](self, request, message, now)

    # --- the match

    def _start(self, request: Request, _message: Message, _now: float) -> int:
        return self._commit("start", request)

    def _rematch(self, request: Request, _message: Message, _now: float) -> int:
        if self._ledger.match is None:
            raise No("wrong_phase")
        return self._commit("start", request)

    def _next(self, request: Request, _message: Message, _now: float) -> int:
        return self._commit("next", request)

    def _end(self, request: Request, _message: Message, _now: float) -> int:
        return self._commit("end", request)

    def _pause(self, request: Request, _message: Message, _now: float) -> int:
        if "host" in self._ledger.paused:
            raise No("wrong_phase")
        return self._commit("pause", request, reason="host")

    def _resume(self, request: Request, _message: Message, now: float) -> int:
        if "host" not in self._ledger.paused:
            raise No("wrong_phase")
        return self._presence.lift("host", now, request)

    # --- people and bots

    def _named(self, message: Message) -> tuple[int, Seat]:
        number = whole(message, "seat", 0, 99)
        return number, self._ledger.seat(number)

    def _level(self, message: Message) -> str:
        level = optional_text(message, "value", 20) or STANDIN
        if level not in LEVELS or not self._bots.knows(level):
            raise No("bad_message", "value")
        return level

    def _add_bot(self, request: Request, message: Message, _now: float) -> int:
        level = self._level(message)
        ledger = self._ledger
        place = ledger.free_place()
        taken = ledger.names()
        name = bot_name(ledger.bots)
        for number in range(ledger.bots, ledger.bots + 10):
            if bot_name(number) not in taken:
                name = bot_name(number)
                break
        name = names.unique(name, taken)
        return self._commit("bot", request, seat=place, name=name, level=level)

    def _remove(self, request: Request, message: Message, _now: float) -> int:
        number, seat = self._named(message)
        if seat is self._ledger.host:
            raise No("not_allowed")
        seq = self._commit("leave", request, seat=number, removed=True)
        self._reception.dismiss(seat, "removed")
        return seq

    def _bot(self, request: Request, message: Message, _now: float) -> int:
        number, seat = self._named(message)
        level = self._level(message)
        if not seat.person or seat.away is None or seat.standin is not None:
            raise No("not_away")
        return self._commit("standin", request, seat=number, level=level)

    def _take_out(self, request: Request, message: Message, _now: float) -> int:
        number, seat = self._named(message)
        if not seat.person or seat.away is None:
            raise No("not_away")
        return self._commit("out", request, seat=number)

    def _approve(self, request: Request, message: Message, _now: float) -> int:
        return self._reception.approve(request, self._claimed(message))

    def _reject(self, request: Request, message: Message, _now: float) -> int:
        return self._reception.reject(request, self._claimed(message))

    def _claimed(self, message: Message) -> Seat:
        _, seat = self._named(message)
        if not seat.claimed:
            raise No("no_such_seat")
        return seat

    # --- settings

    def _set(self, request: Request, field: str, value: object) -> int:
        return self._commit("set", request, field=field, value=value)

    def _lock(self, request: Request, _message: Message, _now: float) -> int:
        return self._set(request, "locked", value=True)

    def _unlock(self, request: Request, _message: Message, _now: float) -> int:
        return self._set(request, "locked", value=False)

    def _title(self, request: Request, message: Message, _now: float) -> int:
        title = names.clean(text(message, "value"), longest=TITLE, most_bytes=2 * names.BYTES)
        return self._set(request, "title", title)

    def _grace(self, request: Request, message: Message, _now: float) -> int:
        value = message.get("value")
        # Not a bool, which is an int to Python.
        if type(value) is not int and type(value) is not float:
            raise No("bad_message", "value")
        if not 0 <= value <= LONGEST_GRACE:
            raise No("bad_rules", "catch_grace")
        return self._set(request, "grace", float(value))

    def _fast(self, request: Request, message: Message, _now: float) -> int:
        value = message.get("value")
        if type(value) is not bool:
            raise No("bad_message", "value")
        return self._set(request, "fast", value)

    def _rules(self, request: Request, message: Message, _now: float) -> int:
        notation = text(message, "value", 2000)
        wanted = Rules.parse(notation)
        defaults = Rules.of()
        kept = {
            name: self._ledger.rules[name] for name in KEPT_APART if wanted[name] == defaults[name]
        }
        return self._change_rules(request, wanted.but(**kept))

    def _custom(self, request: Request, message: Message, _now: float) -> int:
        cards = message.get("value")
        if not isinstance(cards, list) or len(cards) != len(CUSTOMS):
            raise No("bad_rules", "custom")
        changes: dict[str, Any] = {}
        for number, each in enumerate(cards, 1):
            if not isinstance(each, dict) or not each.keys() <= {"text", "effect"}:
                raise No("bad_rules", f"custom{number}")
            changes[f"custom{number}_text"] = each.get("text", "")
            changes[f"custom{number}"] = each.get("effect", "none")
        return self._change_rules(request, self._ledger.rules.but(**changes))

    def _agreed(self, request: Request, message: Message, _now: float) -> int:
        written = message.get("value")
        if not isinstance(written, list):
            raise No("bad_rules", "agreed")
        return self._change_rules(request, self._ledger.rules.but(agreed=tuple(written)))

    def _change_rules(self, request: Request, rules: Rules) -> int:
        if self._ledger.phase == ROUND:
            raise No("wrong_phase")
        notation = str(rules)
        # What cannot be written down could not be read back from the journal.
        if Rules.parse(notation) != rules:
            raise RulesError("rules", "cannot be written in notation")
        return self._commit("rules", request, rules=notation)

    BY_NAME: Final = {
        "start": _start,
        "rematch": _rematch,
        "next": _next,
        "end": _end,
        "pause": _pause,
        "resume": _resume,
        "add_bot": _add_bot,
        "remove": _remove,
        "bot": _bot,
        "take_out": _take_out,
        "approve": _approve,
        "reject": _reject,
        "lock": _lock,
        "unlock": _unlock,
        "title": _title,
        "grace": _grace,
        "fast": _fast,
        "rules": _rules,
        "custom": _custom,
        "agreed": _agreed,
    }


DEEDS: Final = tuple(Powers.BY_NAME)
"""Every `do` there is."""
