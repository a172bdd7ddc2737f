"""Everything that every page asked, was told and saw, and the one check over all of it.

The journal is one line of records. From it follows, at each `seq`, the one view that each seat may
have. So: whatever any page ever saw at a `seq` is exactly that view (one order, nothing early,
nothing that is not for it); what it was told had happened is the end of that line; an answer names
a record that is there, once; and what was answered before something else was asked stands before it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from penultima.table import views
from penultima.table.ledger import Ledger

if TYPE_CHECKING:
    from tests.simulation.tab import Tab
    from tests.simulation.world import Person


@dataclass
class History:
    sights: list[tuple[str, int, str, list[Any], bool]] = field(default_factory=list)
    """Person, seq, view, events, whether it was the first after a hello."""
    answers: list[tuple[float, str, dict[str, Any], dict[str, Any]]] = field(default_factory=list)
    """When, who, the answer, what had been asked."""
    asks: dict[tuple[str, int, int], float] = field(default_factory=dict)
    """When each was first asked, by page."""
    wanted: dict[tuple[str, int, str | None], set[int]] = field(default_factory=dict)
    """Which pages of a person asked for it under that number."""

    def saw(self, tab: Tab, message: dict[str, Any]) -> None:
        v = _timeless(message["v"])
        text = json.dumps(v, sort_keys=True)
        self.sights.append((tab.name, message["seq"], text, message["e"], tab.first_view))
        tab.first_view = False

    def asked(self, tab: Tab, request: dict[str, Any]) -> None:
        self.asks[tab.name, id(tab), request["n"]] = tab.world.now
        self.wanted.setdefault((tab.name, request["n"], request.get("a")), set()).add(id(tab))

    def answered(self, tab: Tab, answer: dict[str, Any], request: dict[str, Any]) -> None:
        asked = self.asks[tab.name, id(tab), request["n"]]
        self.answers.append((tab.world.now, tab.name, answer, {**request, "asked": asked}))

    # --- looking back

    def check(self, records: list[dict[str, Any]], people: list[Person], say: str) -> None:
        seqs = [record["seq"] for record in records]
        assert seqs == list(range(1, len(records) + 1)), f"{say}: a gap in the journal"
        numbered = [(record["who"], record["n"]) for record in records if "who" in record]
        assert len(numbered) == len(set(numbered)), f"{say}: a request done twice"
        owners = self._check_sights(records, say)
        self._check_answers(records, owners, say)
        self._check_order(say)
        for person in people:
            assert person.tab.seq == len(records), f"{say}: {person.name} is behind"

    def _check_sights(self, records: list[dict[str, Any]], say: str) -> dict[int, str]:
        wanted: dict[int, list[tuple[str, str, list[Any]]]] = {}
        for name, seq, text, events, _ in self.sights:
            wanted.setdefault(seq, []).append((name, text, events))
        assert max(wanted) <= len(records), f"{say}: something was shown that was never kept"
        ledger = Ledger(records[0])
        owners: dict[int, str] = {}
        line: list[Any] = []
        for record in records[1:]:
            line += ledger.apply(record)
            assert record["digest"] == ledger.digest(), f"{say}: record {record['seq']}"
            for seat in ledger.held():
                if seat.session is not None:
                    owners[seat.session.serial] = seat.name
            self._compare(ledger, line, wanted.get(ledger.seq, []), say)
        return owners

    @staticmethod
    def _compare(
        ledger: Ledger, line: list[Any], seen: list[tuple[str, str, list[Any]]], say: str
    ) -> None:
        if not seen:
            return
        shared = views.common(ledger, ledger.now)
        numbers = {seat.name: ledger.index(seat) for seat in ledger.held() if seat.person}
        texts: dict[int | None, str] = {}
        for name, text, events in seen:
            number = json.loads(text).get("you")
            assert number in (None, numbers.get(name)), f"{say}: {name} saw another's seat"
            if number not in texts:
                whole = json.loads(json.dumps(views.for_seat(ledger, shared, number)))
                texts[number] = json.dumps(_timeless(whole), sort_keys=True)
            assert text == texts[number], f"{say}: {name} at {ledger.seq}\n{text}\n{texts[number]}"
            if events:
                recent = views.events(line[-len(events) :], number)
                assert json.loads(json.dumps(recent)) == events, f"{say}: {name} at {ledger.seq}"

    def _check_answers(
        self, records: list[dict[str, Any]], owners: dict[int, str], say: str
    ) -> None:
        done = {(owners[r["who"]], r["n"], r.get("a")) for r in records if "who" in r}
        for _, name, answer, request in self.answers:
            asked = f"{say}: {name} asked {request}, was told {answer}"
            if answer["t"] == "refused":
                # Refusals end with the program: later another page may use the number.
                this = (name, request["n"], request.get("a"))
                assert this not in done or len(self.wanted[this]) > 1, asked
                continue
            assert answer["seq"] <= len(records), asked
            record = records[answer["seq"] - 1]
            asker = owners.get(record.get("who", -1))
            assert (asker, record.get("n")) == (name, request["n"]), asked
            if request["t"] == "act":
                assert (record["kind"], record["a"]) == ("act", request["a"]), asked

    def _check_order(self, say: str) -> None:
        """What had been answered when something else was asked stands before it."""
        answers = [each for each in self.answers if each[2]["t"] == "done"]
        by_ask = sorted(answers, key=lambda each: each[3]["asked"])
        by_answer = sorted(answers, key=lambda each: each[0])
        newest, at = 0, 0
        for _, name, answer, request in by_ask:
            while at < len(by_answer) and by_answer[at][0] < request["asked"]:
                newest = max(newest, by_answer[at][2]["seq"])
                at += 1
            assert answer["seq"] > newest, f"{say}: {name}, {request} before what was there"


def _timeless(view: dict[str, Any]) -> dict[str, Any]:
    """Without what is counted from the moment it was made."""
    out = {field_: value for field_, value in view.items() if field_ != "resume"}
    out["seats"] = [
        None if seat is None else {k: v for k, v in seat.items() if k not in {"left", "urge"}}
        for seat in view.get("seats") or []
    ]
    return out
