"""A page at a table: one connection, up to two paths, and what still has to go to it.

The page opens a WebSocket and says hello; over it a data channel is offered, and once that is
open the table speaks through it while the WebSocket stands by. Views are numbered and whole, so
a change of path needs no ceremony: what was lost with the old one is in the newest view.

Here is also what a single sender may not do: too much, too fast, too big, in the wrong order.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from typing import TYPE_CHECKING, Any, Literal

from penultima.host import ice, limits, offers
from penultima.host.channel import DEAD, DOUBT, HEARTBEAT, SILENT, WATCH, Channel
from penultima.host.outbox import Outbox
from penultima.host.runner import dumps
from penultima.host.tables import NoTableError
from penultima.wire import VERSION, WireError, parse

if TYPE_CHECKING:
    from collections.abc import Coroutine

    from penultima.host.datachannel import DataChannel
    from penultima.host.runner import Message, Runner
    from penultima.host.surroundings import Surroundings

logger = logging.getLogger(__name__)

HELLO_SECONDS = 10.0


class Session:
    """From the first message of a page until its last path is gone."""

    def __init__(self, around: Surroundings, code: str, address: str) -> None:
        self._around = around
        self._code = code
        self._address = address
        self._loop = asyncio.get_running_loop()
        now = self._loop.time()
        self._socket: Channel | None = None
        self._data: DataChannel | None = None
        self._ahead: DataChannel | None = None  # made before its offer, to have gathered by then
        self._ice_until = math.inf  # when the page is told of fresh credentials
        self._offered: str | None = None  # the newest offer, and what came before its channel
        self._early: list[str] = []
        self._last: Channel | None = None  # the path that the last text took
        self._sent = 0.0  # when it did
        self._doubted = -1.0  # the data channel is, until something comes through it
        self._pinged: dict[Channel, float] = {}
        self._outbox = Outbox()
        self._seq = -1  # of the last view for this page
        self._told: list[Any] = []  # what happened, as that view said
        self._beats = False
        self._helped = -math.inf  # when a beat last told the table which view the page has
        self._runner: Runner | None = None
        self._greeted = False
        self._counted: Literal["stranger", "member"] | None = "stranger"  # by the doorkeeper
        self._is_hosts: bool | None = None  # the host's page or another, once it is welcome
        self._over = False
        self._messages = limits.Bucket(limits.MESSAGES_A_SECOND, limits.MESSAGES_BURST, now)
        self._offers = limits.Bucket(limits.OFFERS_A_SECOND, limits.OFFERS_BURST, now)
        self._refused_in_a_row = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._hello_timer = self._loop.call_later(HELLO_SECONDS, self._no_hello)
        around.sessions[self] = None

    # ------------------------------------------------------------------------------ paths

    def attach(self, channel: Channel) -> None:
        """The path with which a page begins: a WebSocket, or (`far`) a data channel that is all
        there will be."""
        self._socket = channel
        self._listen(channel)

    def abandon(self) -> None:
        """The request that brought the WebSocket is done. Without another path so is the page."""
        if self._data is None:
            self._end()

    def _listen(self, channel: Channel) -> None:
        channel.on_text = lambda text: self._safely(channel, text)
        channel.on_drain = self._pump
        channel.on_close = lambda: self.lost(channel)

    def lost(self, channel: Channel) -> None:
        """A path is gone. With the last one the page is."""
        self._pinged.pop(channel, None)
        if channel is self._socket:
            self._socket = None
        if channel is self._data:
            self._data = None
        if self._over:
            return
        if self._socket is None and self._data is None:
            self._end()
            return
        if channel is self._last:
            self._outbox.again()
        self._pump()

    @property
    def paths(self) -> list[str]:
        """The kinds of those that are open."""
        both = (self._data, self._socket)
        return [path.kind for path in both if path is not None and path.state == "open"]

    def _choose(self) -> Channel | None:
        """The data channel if it is open and lives, else the WebSocket."""
        data, socket = self._data, self._socket
        if data is None or data.state != "open":
            return socket if socket is not None and socket.state == "open" else None
        standby = socket is not None and socket.state == "open" and socket.heard > data.heard
        return socket if standby and not self._trusted(data) else data

    def _pump(self) -> None:
        while self._outbox:
            path = self._choose()
            if path is None or not path.writable:
                return
            if path is not self._last:
                if self._last is not None and not self._trusted(self._last):
                    self._outbox.again()
                self._last = path
            self._sent = self._loop.time()
            path.send(self._outbox.pop())

    def _trusted(self, path: Channel) -> bool:
        """Whether what went that way may be taken as arrived."""
        if path is self._data and path.heard < self._doubted:
            return False
        return path.state == "open" and path.silence(self._loop.time()) <= SILENT

    def _doubt(self, now: float) -> None:
        """What comes on the socket shows that the data channel carries nothing. While it is not
        dead that may pass; until it does the socket carries everything."""
        data = self._data
        if data is None or data.state != "open" or data.silence(now) < DOUBT:
            return
        if data.heard >= self._doubted:
            self._doubted = now
            if self._last is data:
                self._outbox.again()
                self._pump()

    def sweep(self, now: float, slept: float) -> None:
        """The heartbeat: pings a quiet path, gives up a dead one. While the host slept nobody
        can have been heard."""
        for path in (self._data, self._socket):
            if path is None or path.state != "open":
                continue
            path.heard += slept
            silence = path.silence(now)
            if silence > DEAD:
                logger.info("%s: silent for %.1f s", path.kind, silence)
                path.close()
                self.lost(path)
            elif silence >= self._patience(path) and now - self._pinged.get(path, 0.0) >= HEARTBEAT:
                self._pinged[path] = now
                self._reply(path, {"t": "ping", "i": int(now) % 1_000_000})
        if now >= self._ice_until:
            self._tell_ice()
        self._pump()

    def _patience(self, path: Channel) -> float:
        """For how long a path may be quiet before it is asked."""
        return WATCH if path is self._data and self._socket is not None else HEARTBEAT

    # ------------------------------------------------------------------- from the page

    def _safely(self, channel: Channel, text: str | bytes) -> None:
        """Whatever a message breaks, the path it came on lives on."""
        try:
            self.text(channel, text)
        except Exception:
            logger.exception("on a message from a page")

    def text(self, channel: Channel, text: str | bytes) -> None:
        """A message came in on one of the paths."""
        if self._over:
            return
        now = channel.heard = self._loop.time()
        in_time = self._messages.take(now)
        try:
            message = parse(text if isinstance(text, str) else "")
        except WireError as error:
            self._refuse(channel, 0, error.code, error.field)
            return
        kind = message["t"]
        if not in_time:
            self._refuse(channel, message.get("n", 0), "too_fast")
            return
        self._refused_in_a_row = 0
        if not self._greeted:
            if kind == "hello":
                self._hello(channel, message, now)
            else:
                self.farewell("bad_hello")
        elif kind == "ping":
            self._reply(channel, {"t": "pong", "i": message["i"]})
            if message["seq"] < self._seq and now - self._sent > DOUBT and channel is self._socket:
                self._doubt(now)
            self._ping(message, now)
        elif kind == "offer":
            self._offer(channel, message, now)
        elif kind == "candidate":
            self._candidate(message["id"], message["candidate"])
        else:
            if channel is self._socket and kind not in {"pong", "status"}:
                self._doubt(now)
            self._forward(message)

    def _reply(self, channel: Channel, message: Message) -> None:
        """Goes back on the path it belongs to; to a page that takes nothing, not at all."""
        if channel.writable:
            channel.send(dumps(message))

    def _ping(self, message: Message, now: float) -> None:
        """Of a page's first beat the table has to know, and of one with another view than the last
        that the page was sent; of all others only that they came. A page beats every 1.5 s, and
        whoever beats faster gets no more whole views for it."""
        if self._runner is None:
            return
        lacks = message["seq"] != self._seq and now - self._helped >= DOUBT
        if self._beats and not lacks:
            self._runner.alive(self)
            return
        self._beats = True
        self._helped = now
        self._forward(message)

    def _forward(self, message: Message) -> None:
        if self._runner is not None:
            self._runner.receive(self, message)

    def _refuse(self, channel: Channel, n: Any, code: str, field: str | None = None) -> None:
        self._refused_in_a_row += 1
        if self._refused_in_a_row > limits.PATIENCE:
            self.farewell("too_many")
            return
        self._around.counts.refused[code] += 1
        answer = {"t": "refused", "n": n, "code": code}
        if field:
            answer["field"] = field
        self._reply(channel, answer)
        if self._refused_in_a_row > limits.MESSAGES_BURST:
            channel.rest(1 / limits.MESSAGES_A_SECOND)

    def _hello(self, channel: Channel, message: Message, now: float) -> None:
        self._greeted = True
        self._hello_timer.cancel()
        door = self._around.doorkeeper
        if self._around.tables.admits(self._code, message["secret"]):
            self._count_out()
            wait = door.member(self._code, now)
            self._counted = None if wait is None else "member"
            if wait is None or wait > HELLO_SECONDS:
                self.farewell("too_many")
                return
            then = self._greet
        else:
            # Who hangs up at once, to guess on elsewhere, keeps a place busy for so long as well:
            # nothing is read from it meanwhile.
            wait = min(door.stranger(self._address, now), HELLO_SECONDS)
            then = self._turn_away
        if wait:
            channel.rest(wait)
            self._hello_timer = self._loop.call_later(wait, then, message)
        else:
            then(message)

    def _turn_away(self, message: Message) -> None:
        """An unknown table and a wrong secret get the same answer: a guess teaches nothing."""
        known = message["v"] == VERSION
        code = "bad_secret" if known else "bad_version"
        counts = self._around.counts
        counts.refused[code] += 1
        counts.strays += self._around.tables.is_of_another_node(self._code)
        self._outbox.put(dumps({"t": "refused", "n": 0, "code": code}))
        self._pump()
        self.farewell("bad_hello" if known else "version")

    def _greet(self, message: Message) -> None:
        if self._over:
            return
        runner = self._around.tables.get(self._code)
        if runner is not None:
            self._join(runner, message)
        else:
            self._start(self._greet_when_awake(message), "wake")

    async def _greet_when_awake(self, message: Message) -> None:
        try:
            runner = await self._around.tables.wake(self._code)
        except NoTableError:
            self._turn_away(message)
        except Exception as error:  # noqa: BLE001 - whatever it is, the page shall be told something
            logger.warning("table %s cannot be woken: %r", self._code, error)
            self.rest()
        else:
            if not self._over:
                self._join(runner, message)

    def _join(self, runner: Runner, message: Message) -> None:
        self._runner = runner
        runner.join(self, message)

    def _start(self, work: Coroutine[Any, Any, None], name: str) -> None:
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def _no_hello(self) -> None:
        self.farewell("bad_hello")

    # ------------------------------------------------------------------------ data channel

    @property
    def _is_far(self) -> bool:
        return self._socket is not None and self._socket.kind == "datachannel"

    def _expect_offer(self) -> None:
        """The page will offer a data channel as soon as it has read what it is sent now."""
        around = self._around
        if not (around.rtc and around.ice) or self._runner is None or self._is_far:
            return
        if not self._runner.may_offer(self):
            return
        self._tell_ice()
        if around.reflector is not None and self._ahead is None and self._data is None:
            self._start(self._get_ahead(), "gather-ahead")

    def _tell_ice(self) -> None:
        """Credentials are for this guest and for minutes: a page that dials anew later has fresh
        ones by then."""
        told = self._around.ice
        self._outbox.put(dumps({"t": "ice", "servers": told.for_guest(time.time())}))
        if told.expires:
            self._ice_until = self._loop.time() + ice.LIFETIME_SECONDS / 2

    async def _get_ahead(self) -> None:
        await self._around.load_rtc()
        if self._over or self._data is not None or self._ahead is not None:
            return
        self._ahead = self._around.data_channel()
        self._ahead.prepare()

    def _offer(self, channel: Channel, message: Message, now: float) -> None:
        offer = None
        if not self._around.rtc or self._is_far:
            code = "not_allowed"
        elif self._runner is None or not self._runner.may_offer(self):
            code = "not_seated"
        elif not self._offers.take(now):
            code = "too_fast"
        else:
            offer, code = offers.read(message["sdp"]), "bad_message"
        if offer is None:
            self._reply(channel, {"t": "no_channel", "id": message["id"], "code": code})
            return
        self._offered, self._early = message["id"], []
        self._start(self._answer(channel, message["id"], offer), "answer")

    def _candidate(self, offer_id: str, candidate: str) -> None:
        """Trickled; it may come before the offer has been looked at."""
        if offer_id != self._offered:
            return
        if self._data is not None and self._data.offer_id == offer_id:
            self._data.candidate(candidate)
        elif len(self._early) < offers.CANDIDATES:
            self._early.append(candidate)

    async def _answer(self, channel: Channel, offer_id: Any, offer: offers.Offer) -> None:
        try:
            data = await self._new_data_channel(offer_id)
            for candidate in self._early:
                data.candidate(candidate)
            sdp = await data.answer(offer)
        except Exception as error:  # noqa: BLE001 - whatever it is, the WebSocket carries on
            logger.info("offer not answered: %s", type(error).__name__)
            if self._data is not None and self._data.offer_id == offer_id:
                self._data.close()
            self._reply(channel, {"t": "no_channel", "id": offer_id, "code": "bad_message"})
            return
        self._reply(channel, {"t": "answer", "id": offer_id, "sdp": sdp})

    async def _new_data_channel(self, offer_id: Any) -> DataChannel:
        await self._around.load_rtc()
        if self._over or self._offered != offer_id:
            raise ConnectionError("the page is gone, or has offered anew")
        if self._data is not None:
            self._data.close()
        data, self._ahead = self._ahead, None
        if data is None or data.state == "closed":
            data = self._around.data_channel()
        data.offer_id = offer_id
        self._data = data
        self._listen(data)
        data.on_open = self._pump
        return data

    # --------------------------------------------------------------------- from the table

    def deliver(self, kind: str, message: Message, text: str) -> None:
        """What the table says to this page. Never waits."""
        if self._over:
            return
        if kind == "closed":
            self.farewell(message["code"])
            return
        if kind == "refused":
            self._around.counts.refused[message["code"]] += 1
        elif kind == "pong":
            return  # answered here, on the path where the ping came
        elif kind == "welcome":
            if message.get("seat") is not None:
                self._count_out()
            self._expect_offer()
        elif kind == "seated":
            self._count_out()
            self._expect_offer()
        elif kind == "view":
            happened = message.get("e", [])
            if message["seq"] == self._seq and self._told and not happened:
                # The same view once more, as the page seems to lack it. Then it lacks what happened
                # as well; a page that has the view passes it over.
                text = dumps(message | {"e": self._told})
            else:
                self._seq, self._told = message["seq"], happened
        self._outbox.put(text, view=kind == "view")
        if kind == "welcome":
            self._is_hosts = bool(message.get("host"))
            if self._is_hosts and len(self._around.links.get(self._code, ())) > 1:
                self._tell_links()
        self._pump()

    def links_changed(self, code: str) -> None:
        """Others lead to the table than before."""
        if code == self._code and self._is_hosts is not None and not self._over:
            self._tell_links()
            self._pump()

    def _tell_links(self) -> None:
        links = self._around.links[self._code]
        self._outbox.put(dumps({"t": "links", "links": links if self._is_hosts else links[:1]}))

    def farewell(self, code: str) -> None:
        """The connection is over; the page is told on every path."""
        if self._over:
            return
        self._around.counts.closed[code] += 1
        text = dumps({"t": "closed", "code": code})
        for path in (self._data, self._socket):
            if path is not None:
                path.send(text)
        self._end()

    def rest(self) -> None:
        """The program ends and the table is kept: the page shall go on looking for it."""
        if self._over:
            return
        text = dumps({"t": "notice", "code": "resting"})
        for path in (self._data, self._socket):
            if path is not None:
                path.send(text)
        self._end()

    def _end(self) -> None:
        if self._over:
            return
        self._over = True
        self._hello_timer.cancel()
        self._around.sessions.pop(self, None)
        self._count_out()
        for path in (self._data, self._ahead, self._socket):
            if path is not None:
                path.close()
        if self._runner is not None:
            self._runner.leave(self)
        self._outbox.clear()

    def _count_out(self) -> None:
        now, door = self._loop.time(), self._around.doorkeeper
        counted, self._counted = self._counted, None
        if counted == "member":
            door.seated_or_gone(self._code, now)
        elif counted == "stranger":
            door.gone(self._address, now)
