"""The pages at a table, and what is said to them. Nothing here is kept, and nothing is decided."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from penultima.engine.errors import Refused, RulesError
from penultima.engine.rules import switches
from penultima.table.ledger import Fact
from penultima.table.refusals import No
from penultima.table.requests import Connection, Request
from penultima.table.seats import Seat


class Pages:
    """By the number of their connection, the oldest first."""

    def __init__(self) -> None:
        self._by_number: dict[int, Connection] = {}
        self._last = 0
        self._outbox: list[tuple[int, dict[str, Any]]] = []
        self.fresh: list[Fact] = []
        """What happened since views last went out."""

    def __iter__(self) -> Iterator[Connection]:
        """Those that are there now; they may go meanwhile."""
        return iter(list(self._by_number.values()))

    def __len__(self) -> int:
        return len(self._by_number)

    def open(self, at: float) -> Connection:
        """A new one."""
        self._last += 1
        page = self._by_number[self._last] = Connection(self._last, at)
        return page

    def get(self, number: int) -> Connection | None:
        return self._by_number.get(number)

    def forget(self, number: int) -> Connection | None:
        """It is gone; what it was."""
        return self._by_number.pop(number, None)

    def all_behind(self) -> None:
        """Something has changed: each has to be sent a view."""
        for page in self._by_number.values():
            page.behind = page.greeted

    def claimant(self, seat: Seat) -> Connection | None:
        """The one that claims that seat, if one does."""
        for page in self._by_number.values():
            if page.claim is not None and page.claim[0] is seat:
                return page
        return None

    def now_at(self, request: Request) -> Connection:
        """The connection that the sender of a request has by now: its page may have come anew."""
        for page in self._by_number.values():
            if page.numbers is request.numbers:
                return page
        return request.connection

    # --- saying

    def drain(self) -> list[tuple[int, dict[str, Any]]]:
        """What has been said since the last time, and to which connection."""
        said, self._outbox = self._outbox, []
        return said

    def send(self, page: Connection, message: dict[str, Any]) -> None:
        self._outbox.append((page.number, message))

    def answer(self, request: Request, answer: dict[str, Any] | int) -> None:
        """``answer``: a message, or the ``seq`` at which it was done. Kept for a repetition."""
        if isinstance(answer, int):
            answer = {"t": "done", "n": request.n, "seq": answer}
        request.numbers.store(request.n, answer)
        self.send(self.now_at(request), answer)

    def refuse(self, page: Connection, n: int, no: Exception) -> dict[str, Any]:
        """Says why not; what was said."""
        refused: dict[str, Any] = {"t": "refused", "n": n}
        if isinstance(no, RulesError):
            refused |= {"code": "bad_rules", "field": known_field(no.field)}
        elif isinstance(no, Refused):
            refused["code"] = no.code
        elif isinstance(no, No):
            refused["code"] = no.code
            if no.field is not None:
                refused["field"] = no.field
        self.send(page, refused)
        return refused

    def refuse_request(self, request: Request, no: Exception) -> None:
        """The same to who asked, kept for a repetition."""
        refused = self.refuse(self.now_at(request), request.n, no)
        request.numbers.store(request.n, refused)


def known_field(field: str) -> str:
    """A field as it may be named to a page: one of ours, not whatever was sent."""
    return field if field in switches() or field == "players" else "rules"
