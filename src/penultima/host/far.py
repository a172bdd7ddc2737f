"""Guests who come by way of a PeerServer: a knock, one offer, and then a session like any other.

What arrives here comes from strangers until it opens with the table's secret (`sealed`); what
does not open is counted and answered by nothing. After that the limits are those of a crowd that
comes back all at once. docs/protocol.md, section 9.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from penultima.host import limits, offers
from penultima.host.runner import dumps
from penultima.host.sealed import NotSealed, Seal
from penultima.host.session import Session
from penultima.wire import GUEST, VERSION, WireError, parse

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from penultima.host.datachannel import DataChannel
    from penultima.host.surroundings import Surroundings

logger = logging.getLogger(__name__)

ADDRESS: Final = "by PeerServer"
"""Where they come from is not known: for the doorkeeper they are all of one address."""
KNOCKS_A_SECOND, KNOCKS_BURST = 2.0, 20.0
TICKET_SECONDS: Final = 30.0
TICKETS: Final = 64
OPENING: Final = 16
CANDIDATES: Final = 2 * offers.CANDIDATES


@dataclass(slots=True)
class _Ticket:
    """One offer that may come."""

    guest: str
    until: float
    offered: bool = False
    candidates: int = 0
    early: list[str] = field(default_factory=list)
    channel: DataChannel | None = None


class FarDoor:
    """The door of one table, for guests who come by way of a PeerServer.

    ``send(kind, target, payload)`` goes to the PeerServer; ``on_stranger()`` is called for each
    message that does not open with the table's secret.
    """

    def __init__(self, around: Surroundings, code: str, secret: str, own_id: str) -> None:
        self.send: Callable[[str, str, Any], None] = lambda *_: None
        self.on_stranger: Callable[[], None] = lambda: None
        self._around, self._code, self._own_id = around, code, own_id
        self._to_host, self._to_guest = Seal(secret, "to host"), Seal(secret, "to guest")
        self._loop = asyncio.get_running_loop()
        self._knocks = limits.Bucket(KNOCKS_A_SECOND, KNOCKS_BURST, self._loop.time())
        self._turned_away = limits.Bucket(KNOCKS_A_SECOND, KNOCKS_BURST, self._loop.time())
        self._tickets: dict[str, _Ticket] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def heard(self, kind: str, guest: str, payload: Any) -> None:
        """What the PeerServer handed on."""
        if kind not in {"OFFER", "CANDIDATE"}:
            return
        try:
            message = parse(self._to_host.open(payload, guest, self._own_id), GUEST)
        except NotSealed:
            self.on_stranger()
            return
        except WireError as error:
            logger.info("by PeerServer: %s", error)
            return
        now = self._loop.time()
        match message["t"]:
            case "knock":
                self._knock(guest, message["v"], now)
            case "offer":
                self._offer(guest, message, now)
            case "candidate":
                self._candidate(guest, message)

    def close(self) -> None:
        """Nobody comes in any more; who is in stays."""
        for task in self._tasks:
            task.cancel()
        for ticket in self._tickets.values():
            if ticket.channel is not None and ticket.channel.state == "opening":
                ticket.channel.close()
        self._tickets.clear()

    # ------------------------------------------------------------------------------- steps

    def _knock(self, guest: str, version: int, now: float) -> None:
        self._forget(now)
        again = next((n for n, each in self._tickets.items() if each.guest == guest), None)
        if again is not None and self._tickets[again].offered:
            return  # played back
        full = len(self._tickets) >= TICKETS or not self._around.rtc
        if version != VERSION or full or not self._knocks.take(now):
            if self._turned_away.take(now):
                code = "version" if version != VERSION else "busy"
                self._say("ANSWER", guest, {"t": "shut", "code": code})
            return
        name = again or secrets.token_urlsafe(12)
        if again is None:
            ticket = self._tickets[name] = _Ticket(guest, now + TICKET_SECONDS)
            if self._around.reflector is not None:
                self._spawn(self._get_ahead(name, ticket), "far-gather")
        servers = self._around.ice.for_guest(time.time())
        self._say("ANSWER", guest, {"t": "opened", "id": name, "ice": servers})

    def _offer(self, guest: str, message: dict[str, Any], now: float) -> None:
        ticket = self._ticket(guest, message["id"], now)
        if ticket is None or ticket.offered:
            return  # played back, or too late
        ticket.offered = True
        offer = None
        if sum(each.offered for each in self._tickets.values()) > OPENING:
            code = "too_fast"
        else:
            offer, code = offers.read(message["sdp"]), "bad_message"
        if offer is None:
            del self._tickets[message["id"]]
            self._no_channel(guest, message["id"], code)
            return
        self._spawn(self._answer(message["id"], ticket, offer), "far-answer")

    def _candidate(self, guest: str, message: dict[str, Any]) -> None:
        ticket = self._ticket(guest, message["id"], self._loop.time())
        if ticket is None or ticket.candidates >= CANDIDATES:
            return
        ticket.candidates += 1
        if ticket.channel is not None and ticket.channel.state == "opening":
            ticket.channel.candidate(message["candidate"])
        else:
            ticket.early.append(message["candidate"])

    async def _get_ahead(self, name: str, ticket: _Ticket) -> None:
        """Asks the STUN server while the offer is still on its way."""
        channel = await self._channel(name, ticket)
        if not ticket.offered:
            channel.prepare()

    async def _channel(self, name: str, ticket: _Ticket) -> DataChannel:
        await self._around.load_rtc()
        channel = ticket.channel
        if channel is None or channel.state == "closed":
            channel = ticket.channel = self._around.data_channel()
            channel.offer_id = name
            channel.on_open = lambda: self._open(name, channel)
            channel.on_close = lambda: self._closed(name, channel)
        return channel

    async def _answer(self, name: str, ticket: _Ticket, offer: offers.Offer) -> None:
        try:
            channel = await self._channel(name, ticket)
            for candidate in ticket.early:
                channel.candidate(candidate)
            ticket.early.clear()
            sdp = await channel.answer(offer)
        except Exception as error:  # noqa: BLE001 - whatever it is, the guest dials again
            logger.info("offer not answered: %s", type(error).__name__)
            self._tickets.pop(name, None)
            if ticket.channel is not None:
                ticket.channel.close()
            self._no_channel(ticket.guest, name, "bad_message")
            return
        self._say("ANSWER", ticket.guest, {"t": "answer", "id": name, "sdp": sdp})

    def _closed(self, name: str, channel: DataChannel) -> None:
        """Not opened in time. One that was made ahead may be made again for the offer."""
        ticket = self._tickets.get(name)
        if ticket is not None and ticket.channel is channel and ticket.offered:
            del self._tickets[name]

    def _open(self, name: str, channel: DataChannel) -> None:
        """The data channel is there: from here on it is a page like any other."""
        self._tickets.pop(name, None)
        if not self._around.doorkeeper.enter(ADDRESS, self._loop.time()):
            channel.close()
            return
        Session(self._around, self._code, ADDRESS).attach(channel)

    # ------------------------------------------------------------------------------- parts

    def _spawn(self, work: Coroutine[Any, Any, None], name: str) -> None:
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _ticket(self, guest: str, name: str, now: float) -> _Ticket | None:
        ticket = self._tickets.get(name)
        if ticket is None or ticket.guest != guest or ticket.until < now:
            return None
        return ticket

    def _forget(self, now: float) -> None:
        for name, ticket in list(self._tickets.items()):
            if ticket.until < now and (ticket.channel is None or not ticket.offered):
                del self._tickets[name]

    def _no_channel(self, guest: str, name: str, code: str) -> None:
        self._say("ANSWER", guest, {"t": "no_channel", "id": name, "code": code})

    def _say(self, kind: str, guest: str, message: dict[str, Any]) -> None:
        self.send(kind, guest, self._to_guest.seal(dumps(message), self._own_id, guest))
