"""Under which addresses the tables are reached, as of now: the network may change."""

from __future__ import annotations

from typing import TYPE_CHECKING

from penultima.host import addresses
from penultima.host.origins import LOCAL

if TYPE_CHECKING:
    from penultima.host.options import Options
    from penultima.host.tables import Invitation

ANY = frozenset({"", "*", "0.0.0.0", "::"})  # noqa: S104 - what --host may say for all addresses


class Reach:
    """``bases``: what stands before a link's path, best first. `look` looks again."""

    def __init__(self, options: Options, port: int) -> None:
        self._options = options
        self.port = port
        self.bases: tuple[str, ...] = ()
        self.local_only = False
        self.look()

    def look(self) -> None:
        """The network as it is now."""
        bind, public = self._options.bind, self._options.public_urls
        found = addresses.own() if bind is None or bind in ANY else [bind]
        local = not found or found[0] in LOCAL
        if local:
            found = ["localhost"]
        own = (f"http://{addresses.netloc(address, self.port)}" for address in found)
        self.bases = (*public, *own)
        self.local_only = local and not public

    def link(self, invitation: Invitation) -> str:
        """The guests' link to a table, under the best address."""
        return f"{self.bases[0]}/{invitation.fragment}"
