"""What all pages' sessions of a program share, and the look at who has gone silent."""

from __future__ import annotations

import asyncio
import importlib
import logging
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from penultima.host import ice, limits
from penultima.host.metrics import Counts

if TYPE_CHECKING:
    from penultima.host.datachannel import DataChannel
    from penultima.host.session import Session
    from penultima.host.stun import Reflector
    from penultima.host.tables import Tables

logger = logging.getLogger(__name__)

SWEEP_SECONDS = 0.5
# A sweep that comes this late shows that the host itself was asleep or busy.
ASLEEP_SECONDS = 3.0

DATACHANNEL = "penultima.host.datachannel"


@dataclass
class Surroundings:
    """What all sessions share."""

    tables: Tables
    doorkeeper: limits.Doorkeeper = field(default_factory=limits.Doorkeeper)
    rtc: bool = True
    ice: ice.Ice = ice.NONE
    links: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The guests' links to a table, by its code, best first; its host's page shows them all."""
    reflector: Reflector | None = None
    """The STUN server to ask, where there is one."""
    counts: Counts = field(default_factory=Counts)
    sessions: dict[Session, None] = field(default_factory=dict)
    """In the order they came: what happens does not depend on where they lie in memory."""
    _swept: float | None = field(default=None, init=False)

    async def load_rtc(self) -> Any:
        """aiortc takes long to load, so it is loaded after the first output (`serve`), or now."""
        return await asyncio.to_thread(importlib.import_module, DATACHANNEL)

    def data_channel(self) -> DataChannel:
        """A new one, for one offer. After ``load_rtc``."""
        now = asyncio.get_running_loop().time()
        data: DataChannel = sys.modules[DATACHANNEL].DataChannel(now, self.reflector)
        return data

    def pass_on(self, code: str, links: tuple[str, ...]) -> None:
        """These are the links to that table from now on: its pages hear of it."""
        if self.links.get(code) == links:
            return
        self.links[code] = links
        for session in list(self.sessions):
            session.links_changed(code)

    async def heartbeat(self) -> None:
        """Listens for pages that have gone silent, for ever."""
        loop = asyncio.get_running_loop()
        while True:
            self.sweep(loop.time())
            await asyncio.sleep(SWEEP_SECONDS)

    def sweep(self, now: float) -> None:
        """One look at every path."""
        passed = 0.0 if self._swept is None else now - self._swept
        self._swept = now
        slept = passed if passed > ASLEEP_SECONDS else 0.0
        for session in list(self.sessions):
            try:
                session.sweep(now, slept)
            except Exception:
                logger.exception("in the heartbeat of a session")
