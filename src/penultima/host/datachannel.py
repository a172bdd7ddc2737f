"""A channel over a WebRTC data channel: one peer connection, made for one offer.

Everything here is written around aiortc 1.16: it loses candidates that come early,
polls for ever for a guest who never comes, and drops a link silently when a handler raises.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any, ClassVar

from aiortc import RTCConfiguration, RTCPeerConnection, RTCSessionDescription
from aiortc.sdp import candidate_from_sdp

from penultima.host import gathering, offers, rtc_guard
from penultima.host.channel import FULL, Channel, State

if TYPE_CHECKING:
    from collections.abc import Callable, Coroutine

    from aiortc import RTCDataChannel

    from penultima.host.offers import Candidate, Offer
    from penultima.host.stun import Reflector

logger = logging.getLogger(__name__)

OPENING_SECONDS = 10.0
CLOSING_SECONDS = 5.0
# Who comes in the first moment after a start (everybody, after a restart) waits for the STUN
# server to be found.
FIRST_LOOK_SECONDS = 1.0
# What was sent last may still be on its way when we close: wait for it this long at most.
FLUSHING_SECONDS = 1.0

rtc_guard.harden_library()

_tasks: set[asyncio.Task[None]] = set()


def _background(work: Coroutine[Any, Any, None], name: str) -> None:
    task = asyncio.create_task(work, name=name)
    _tasks.add(task)
    task.add_done_callback(_tasks.discard)


async def all_closed(seconds: float = CLOSING_SECONDS) -> None:
    """For the end of the program: until the last peer connection is closed."""
    if _tasks:
        await asyncio.wait(set(_tasks), timeout=seconds)


class DataChannel(Channel):
    """Opening from the offer on; open, closed; never anything again after that."""

    kind: ClassVar[str] = "datachannel"

    def __init__(self, now: float, reflector: Reflector | None = None) -> None:
        """``reflector``: the STUN server that tells the address outside, if one is to be asked."""
        super().__init__(now)
        self.offer_id: object = None
        self.on_open: Callable[[], None] = lambda: None
        self._state: State = "opening"
        # No server for aiortc itself: one that does not answer costs 5 s (see gathering).
        self._pc = RTCPeerConnection(RTCConfiguration(iceServers=[]))
        self._channel: RTCDataChannel | None = None
        self._mid = ""
        self._ready = False  # the remote description is set: candidates may go in
        self._early: list[Candidate] = []
        self._taken = 0
        self._reflector = reflector
        self._gathering: asyncio.Task[None] | None = None
        self._deadline = self._due()
        self._pc.on("datachannel", self._wrapped(self._opened))
        self._pc.on("connectionstatechange", self._wrapped(self._state_changed))

    @property
    def state(self) -> State:
        return self._state

    @property
    def buffered(self) -> int:
        return self._channel.bufferedAmount if self._channel else 0

    def prepare(self) -> None:
        """Begins to gather while the offer is still on its way."""
        gathering.prepare(self._pc)
        self._begin_to_gather()

    async def answer(self, offer: Offer) -> str:
        """Takes the offer and says what to answer. Raises when it cannot."""
        pc = self._pc
        self._deadline.cancel()
        self._deadline = self._due()
        self._mid = offer.mid
        self._taken = len(offer.candidates)
        await pc.setRemoteDescription(RTCSessionDescription(offer.sdp(), "offer"))
        gathered = self._begin_to_gather()
        await asyncio.wait([gathered])
        self._still_there()
        gathered.result()
        await pc.setLocalDescription(await pc.createAnswer())
        self._still_there()
        rtc_guard.guard(pc, self._hostile)
        self._ready = True
        early, self._early = self._early, []
        for candidate in early:
            await self._add(candidate)
        return str(pc.localDescription.sdp)

    def _still_there(self) -> None:
        if self._state == "closed":
            raise ConnectionError("closed while answering")

    def _due(self) -> asyncio.TimerHandle:
        return asyncio.get_running_loop().call_later(OPENING_SECONDS, self._too_late)

    def _begin_to_gather(self) -> asyncio.Task[None]:
        """In a task of its own, which ends with the channel."""
        if self._gathering is None:
            self._gathering = asyncio.create_task(self._gather(), name="gather")
        return self._gathering

    async def _gather(self) -> None:
        reflector = self._reflector
        server = None if reflector is None else await reflector.found(FIRST_LOOK_SECONDS)
        if not await gathering.gather(self._pc, server) and reflector is not None:
            reflector.silent()

    def candidate(self, text: str) -> None:
        """A candidate that came after its offer."""
        candidate = offers.candidate(text)
        if candidate is None or self._state == "closed" or self._taken >= offers.CANDIDATES:
            return
        self._taken += 1
        if self._ready:
            _background(self._add(candidate), "candidate")
        else:
            self._early.append(candidate)

    def send(self, text: str) -> None:
        if self._state != "open" or self._channel is None:
            return
        try:
            self._channel.send(text)
        except Exception as error:  # noqa: BLE001 - closed under our hands, or too big for the page
            logger.info("data channel: %s", type(error).__name__)
            self.close()

    def close(self) -> None:
        if self._state == "closed":
            return
        was_open = self._state == "open"
        self._state = "closed"
        self._deadline.cancel()
        if self._gathering is not None:
            self._gathering.cancel()
        _background(self._shut(flush=was_open), "peer-connection-close")
        self.on_close()

    # ------------------------------------------------------------------ what aiortc calls

    def _wrapped(self, handler: Callable[..., None]) -> Callable[..., None]:
        def guarded(*arguments: Any) -> None:
            try:
                handler(*arguments)
            except Exception:
                logger.exception("in a handler of a data channel")
                self.close()

        return guarded

    def _opened(self, channel: RTCDataChannel) -> None:
        if self._state != "opening":
            if self._state == "open":
                self._hostile("second data channel")
            return
        if not channel.ordered or channel.maxRetransmits or channel.maxPacketLifeTime:
            self._hostile("data channel that may lose or swap messages")
            return
        self._channel = channel
        channel.bufferedAmountLowThreshold = FULL // 4
        channel.on("message", self._wrapped(self._heard))
        channel.on("bufferedamountlow", self._wrapped(self._drained))
        channel.on("close", self._wrapped(self.close))
        self._deadline.cancel()
        self._state = "open"
        self.heard = asyncio.get_running_loop().time()
        self.on_open()

    def _heard(self, text: str | bytes) -> None:
        if self._state == "open":
            self.on_text(text)

    def _drained(self) -> None:
        self.on_drain()

    def _state_changed(self) -> None:
        if self._pc.connectionState in {"failed", "closed"}:
            self.close()

    def _too_late(self) -> None:
        logger.info("data channel: not open within %g s", OPENING_SECONDS)
        self.close()

    def _hostile(self, why: str) -> None:
        logger.warning("data channel closed: %s", why)
        self.close()

    # --------------------------------------------------------------------- in the background

    async def _add(self, candidate: Candidate) -> None:
        try:
            plain = candidate_from_sdp(str(candidate))
            plain.sdpMid = self._mid
            await self._pc.addIceCandidate(plain)
        except Exception as error:  # noqa: BLE001 - one candidate more or less
            logger.info("candidate not taken: %s", type(error).__name__)

    async def _shut(self, *, flush: bool) -> None:
        """Closes the peer connection, which may take long (63 s with a dead TURN server)."""
        try:
            if flush:
                await self._flush()
            self._pc.remove_all_listeners()
            await asyncio.wait_for(self._pc.close(), CLOSING_SECONDS)
        except Exception as error:  # noqa: BLE001 - there is nothing left to save
            logger.info("peer connection: %s while closing", type(error).__name__)

    async def _flush(self) -> None:
        sctp: Any = self._pc.sctp
        loop = asyncio.get_running_loop()
        until = loop.time() + FLUSHING_SECONDS
        while loop.time() < until and self._pc.connectionState == "connected":
            await asyncio.sleep(0.02)
            if not (self.buffered or sctp._outbound_queue or sctp._sent_queue):  # noqa: SLF001
                return
