"""Who comes and goes: hello, sitting down, claiming a seat, leaving (protocol, "Connections, seats,
numbers"). What a page may say once it is here is the ``desk``'s.
"""

from __future__ import annotations

from typing import Any, Final

from penultima.table import keys, names
from penultima.table.clock import Clock
from penultima.table.keys import Entropy
from penultima.table.ledger import Ledger
from penultima.table.pages import Pages
from penultima.table.presence import Commit, Presence
from penultima.table.refusals import No
from penultima.table.requests import (
    Connection,
    Message,
    Request,
    optional_text,
    text,
    truth,
    whole,
)
from penultima.table.seats import Seat

VERSION: Final = 1
"""Of the protocol (docs/protocol.md)."""


class Reception:
    """Gives seats to pages and takes them away. ``link`` is what guests are told to pass on."""

    def __init__(
        self,
        ledger: Ledger,
        pages: Pages,
        presence: Presence,
        clock: Clock,
        commit: Commit,
        entropy: Entropy,
    ) -> None:
        self.link = ""
        self._ledger = ledger
        self._pages = pages
        self._presence = presence
        self._clock = clock
        self._commit = commit
        self._entropy = entropy

    def hello(self, page: Connection, message: Message) -> None:
        """Where every page begins: it is told what is, or turned away."""
        ledger = self._ledger
        if message.get("v") != VERSION or type(message.get("v")) is not int:
            self._turn_away(page, "bad_version", "version")
            return
        host = optional_text(message, "host", 200)
        key = optional_text(message, "key", 200)
        watch = truth(message, "watch", default=False)
        good = keys.same(text(message, "secret", 200), ledger.secret)
        if not good or (host is not None and not keys.same(host, ledger.host_key)):
            self._turn_away(page, "bad_secret", "bad_hello")
            return
        seat = None if key is None or watch else ledger.find(keys.hashed(key))
        if seat is None and host is not None and not watch:
            seat = ledger.host
        if page.seat is not None and seat is not page.seat and (seat is not None or watch):
            self._pages.refuse(page, 0, No("already_seated"))
            return
        page.greeted = True
        page.host = page.host or host is not None
        page.watching = watch
        if seat is not None and page.seat is None:
            self.drop_claim(page)
            self._seat(page, seat)
        page.seen = len(self._pages.fresh)
        page.behind = True
        welcome = {
            "t": "welcome",
            "v": VERSION,
            "conn": page.number,
            "seat": None if page.seat is None else ledger.index(page.seat),
            "host": page.host,
            "n": page.numbers.last,
            "link": self.link,
        }
        self._pages.send(page, welcome)

    def _turn_away(self, page: Connection, code: str, closing: str) -> None:
        self._pages.refuse(page, 0, No(code))
        if not page.greeted:
            self.close(page, closing)

    def _seat(self, page: Connection, seat: Seat) -> None:
        """The page has the seat from now on; another that had it has it no more."""
        for other in self._pages:
            if other.seat is seat and other is not page:
                self.close(other, "replaced")
        page.seat = seat
        assert seat.session is not None
        page.numbers = seat.session.numbers
        self._presence.found(seat)
        if seat.hidden:
            self._commit("hidden", seat=self._ledger.index(seat), hidden=False)
        # Who comes back while somebody claims to be the same person is the better witness.
        claimant = self._pages.claimant(seat)
        if claimant is not None:
            self._give_up_claim(claimant)

    def close(self, page: Connection, code: str) -> None:
        """The page is told why, and is here no more."""
        self._pages.forget(page.number)
        self.drop_claim(page)
        if page.seat is not None and page.seat.person:
            self._presence.lost(page.seat, self._clock.now)
        self._pages.send(page, {"t": "closed", "code": code})

    def sit(self, page: Connection, message: Message, request: Request) -> dict[str, Any]:
        """A seat for somebody new, or once more for a page that has just got one."""
        ledger = self._ledger
        typed = text(message, "name")
        # What the page calls itself: it tells one that sits down twice from two.
        own = optional_text(message, "id", 64)
        page_hash = None if own is None or len(own) < 16 else keys.hashed(own)
        if page.seat is not None:
            raise No("already_seated")
        if page.watching:
            raise No("not_allowed")
        name = names.clean(typed)
        key = keys.new_key(self._entropy)
        serial = ledger.last_session + 1
        request.who = serial
        fields = {"session": serial, "key": keys.hashed(key), "page": page_hash}
        seat = self._sat_already(page_hash)
        if seat is not None:
            self._commit("rekey", request, seat=ledger.index(seat), **fields)
        else:
            if ledger.locked and not page.host:
                raise No("table_locked")
            number = ledger.free_place()
            name = names.unique(name, ledger.names())
            host = page.host and ledger.host is None
            self._commit("sit", request, seat=number, name=name, host=host, **fields)
            seat = ledger.seat(number)
        self._take_seat(page, seat)
        return {"t": "seated", "n": request.n, "seat": ledger.index(seat), "key": key}

    def _sat_already(self, page_hash: str | None) -> Seat | None:
        for seat in self._ledger.held():
            if page_hash is not None and seat.session and seat.session.page == page_hash:
                return seat
        return None

    def _take_seat(self, page: Connection, seat: Seat) -> None:
        """A page that has just got a key goes on counting where it was."""
        assert seat.session is not None
        self.drop_claim(page)
        seat.session.numbers = page.numbers
        self._seat(page, seat)

    def leave(self, page: Connection, _message: Message, request: Request) -> None:
        """The person gives the seat up."""
        seat = page.seat
        if seat is None:
            raise No("not_seated")
        number = self._ledger.index(seat)
        self._pages.answer(request, self._commit("leave", request, seat=number))
        self.dismiss(seat, "left")

    def expire(self, seat: Seat) -> None:
        """Nobody came back to that seat in time."""
        self._commit("leave", seat=self._ledger.index(seat))
        self.dismiss(seat, "removed")

    def dismiss(self, seat: Seat, code: str) -> None:
        """The seat has been given up: whoever was there is told."""
        self._presence.found(seat)
        claimant = self._pages.claimant(seat)
        if claimant is not None:
            self._give_up_claim(claimant)
        for page in self._pages:
            if page.seat is seat:
                self.close(page, code)

    # --- claims: somebody says to be Ana, whose page got closed

    def claim(self, page: Connection, message: Message, request: Request) -> None:
        """Somebody wants a seat that is away; the host decides."""
        seat = self._ledger.seat(whole(message, "seat", 0, 99))
        if page.seat is not None:
            raise No("already_seated")
        if page.watching or page.claim is not None or seat.claimed or not seat.person:
            raise No("not_allowed")
        if seat.away is None:
            raise No("not_away")
        self._commit("claim", seat=self._ledger.index(seat), open=True)
        page.claim = (seat, request)

    def drop_claim(self, page: Connection) -> None:
        """The page does not claim a seat any more."""
        if page.claim is not None:
            seat, _ = page.claim
            page.claim = None
            if seat.claimed:
                self._commit("claim", seat=self._ledger.index(seat), open=False)

    def _give_up_claim(self, page: Connection) -> None:
        """The claim was not believed."""
        assert page.claim is not None
        _, request = page.claim
        self.drop_claim(page)
        self._pages.refuse_request(request, No("not_allowed"))

    def _claimant(self, seat: Seat) -> Connection:
        page = self._pages.claimant(seat)
        if page is None:
            raise No("no_such_seat")
        return page

    def approve(self, request: Request, seat: Seat) -> int:
        """The claimant is who they say: a new key, and the old one is none any more."""
        page = self._claimant(seat)
        assert page.claim is not None
        _, asked = page.claim
        key = keys.new_key(self._entropy)
        number = self._ledger.index(seat)
        serial = self._ledger.last_session + 1
        fields = {"session": serial, "key": keys.hashed(key), "page": None}
        seq = self._commit("rekey", request, seat=number, **fields)
        page.claim = None
        self._take_seat(page, seat)
        self._pages.answer(asked, {"t": "seated", "n": asked.n, "seat": number, "key": key})
        return seq

    def reject(self, request: Request, seat: Seat) -> int:
        """The claimant is somebody else."""
        page = self._claimant(seat)
        seq = self._commit("claim", request, seat=self._ledger.index(seat), open=False)
        self._give_up_claim(page)
        return seq
