"""`--peer`: friends far away, though no port of this machine can be reached from outside.

Ties the id at the PeerServer to the door of the table, and says on the console how it stands.
"""

from __future__ import annotations

import asyncio
import contextlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from penultima.host import links
from penultima.host.far import FarDoor
from penultima.host.invitation import ALPHABET, Invitation
from penultima.host.peerserver import Registration, Trouble
from penultima.host.sealed import derived

if TYPE_CHECKING:
    from penultima.host.options import Options
    from penultima.host.phrases import Phrases
    from penultima.host.surroundings import Surroundings
    from penultima.host.voices import Voice

STRANGERS_SECONDS: Final = 60.0
"""So often at most the console tells of strangers, and of a server that sends too much."""
PREPARING_SECONDS: Final = 5.0
PHRASES: Final[dict[Trouble, str]] = {
    "unreachable": "far_unreachable",
    "taken": "far_taken",
    "refused": "far_refused",
    "nonsense": "far_nonsense",
    "silent": "far_silent",
    "flood": "far_flood",
}
_ID_LENGTH: Final = 16


@dataclass(frozen=True, slots=True)
class Names:
    """Who we are at the PeerServer. Both follow from the host's key, which the journal keeps: a
    table that goes on has them again, and nobody else can work them out."""

    peer_id: str
    token: str

    @classmethod
    def of(cls, host_key: str) -> Names:
        number = int.from_bytes(derived(host_key, "peer id"))
        digits = []
        for _ in range(_ID_LENGTH):
            number, digit = divmod(number, len(ALPHABET))
            digits.append(ALPHABET[digit])
        return cls("".join(digits), derived(host_key, "peer token")[:16].hex())


def link(options: Options, invitation: Invitation) -> str:
    """The guests' link to a table by this way."""
    names, server = Names.of(invitation.host_key), options.peer_server or links.CLOUD
    table = invitation.fragment.removeprefix("#")
    return links.far(options.site or "", names.peer_id, server, table)


class PeerWay:
    """The way in by a PeerServer, for one table."""

    def __init__(
        self,
        options: Options,
        phrases: Phrases,
        voice: Voice,
        around: Surroundings,
        invitation: Invitation,
    ) -> None:
        names = Names.of(invitation.host_key)
        server = options.peer_server or links.CLOUD
        self._phrases, self._voice = phrases, voice
        self._server = server.place
        self._around = around
        self._loop = asyncio.get_running_loop()
        self._door = FarDoor(around, invitation.code, invitation.secret, names.peer_id)
        self._registration = Registration(server, names.peer_id, names.token)
        self._door.send = self._registration.send
        self._door.on_stranger = self._stranger
        self._registration.on_message = self._door.heard
        self._registration.on_up = self._up
        self._registration.on_trouble = self._trouble
        self._said = ""  # what holds on the console
        self._strangers = 0
        self._told: dict[str, float] = {}

    async def run(self) -> None:
        """For ever. Then the PeerServer forgets us; who is at the table stays there."""
        try:
            await self._prepared()
            await self._registration.run()
        finally:
            self._door.close()

    async def _prepared(self) -> None:
        """Whoever finds us knocks at once. An answer without our address outside leads nowhere, and
        costs the guest ten seconds: so first aiortc and the STUN server, within reason."""
        around = self._around
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PREPARING_SECONDS):
                await around.load_rtc()
                while around.ice.reflectors and around.reflector is None:  # noqa: ASYNC110
                    await asyncio.sleep(0.05)  # `serve` is still loading what it is made of
                if around.reflector is not None:
                    await around.reflector.found(PREPARING_SECONDS)

    def _up(self) -> None:
        if self._said:
            self._voice.no_longer(self._said)
            self._said = ""
        self._voice.note(self._phrases("far_up", server=self._server))

    def _trouble(self, trouble: Trouble, reason: str) -> None:
        text = self._phrases(PHRASES[trouble], server=self._server, reason=reason or "—")
        if trouble == "flood":
            if self._due("flood"):
                self._voice.note(text)
        elif text != self._said:
            if self._said:
                self._voice.no_longer(self._said)
            self._said = text
            self._voice.note(text, holds=True)

    def _stranger(self) -> None:
        self._strangers += 1
        if self._due("strangers"):
            self._voice.note(self._phrases("far_strangers", n=self._strangers))

    def _due(self, what: str) -> bool:
        now = self._loop.time()
        if now - self._told.get(what, -STRANGERS_SECONDS) < STRANGERS_SECONDS:
            return False
        self._told[what] = now
        return True
