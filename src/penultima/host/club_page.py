"""The page of who runs a club, over a WebSocket (docs/protocol.md, section 10).

It says the club's key first, and gets the list of tables whenever something is different. What one
page may not do is here too: guess, hurry, or send what is no message.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

from penultima.host import limits
from penultima.host.club import Club, RefusedError
from penultima.host.runner import dumps
from penultima.wire import CLUB_PAGE, VERSION, WireError, parse

if TYPE_CHECKING:
    from penultima.host.channel import Channel
    from penultima.host.surroundings import Surroundings

logger = logging.getLogger(__name__)

HELLO_SECONDS = 10.0


class ClubPage:
    """From the first message of a page until it is gone."""

    def __init__(self, club: Club, around: Surroundings, channel: Channel, address: str) -> None:
        self._club, self._around = club, around
        self._channel, self._address = channel, address
        self._loop = asyncio.get_running_loop()
        self._messages = limits.Bucket(
            limits.MESSAGES_A_SECOND, limits.MESSAGES_BURST, self._loop.time()
        )
        self._greeted = False  # by a hello, whether it was good or not
        self._admitted = False
        self._over = False
        self._last = ""
        self._tasks: set[asyncio.Task[None]] = set()
        self._timer = self._loop.call_later(HELLO_SECONDS, self._farewell, "bad_hello")
        channel.on_text = self._safely
        channel.on_drain = self._again

    def gone(self) -> None:
        """The page is gone: nothing is left of it here. What it asked for is carried out."""
        if not self._over:
            self._over = True
            self._timer.cancel()
            self._club.on_list.pop(self, None)
            if not self._admitted:
                self._around.doorkeeper.gone(self._address, self._loop.time())

    # --- from the page

    def _safely(self, text: str | bytes) -> None:
        try:
            self._text(text if isinstance(text, str) else "")
        except Exception:
            logger.exception("on a message from a club's page")

    def _text(self, text: str) -> None:
        if self._over:
            return
        now = self._channel.heard = self._loop.time()
        in_time = self._messages.take(now)
        try:
            message = parse(text, CLUB_PAGE)
        except WireError as error:
            self._refuse(0, error.code, error.field)
            if not self._admitted:
                self._farewell("bad_hello")
            return
        kind = message["t"]
        if not self._greeted:
            if kind == "hello":
                self._hello(message, now)
            else:
                self._farewell("bad_hello")
        elif not self._admitted or not in_time:
            self._refuse(message.get("n", 0), "too_fast")
        elif kind == "ping":
            self._say({"t": "pong", "i": message["i"]})
        elif kind in {"open", "close"}:
            task = asyncio.create_task(self._carry_out(message), name="club")
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    def _hello(self, message: dict[str, Any], now: float) -> None:
        self._greeted = True
        self._timer.cancel()
        if message["v"] != VERSION:
            self._refuse(0, "bad_version")
            self._farewell("version")
        elif self._club.admits(message["key"]):
            self._admitted = True
            self._around.doorkeeper.gone(self._address, now)
            self._club.on_list[self] = self._list
            self._list(self._club.list())
        else:
            wait = min(self._around.doorkeeper.stranger(self._address, now), HELLO_SECONDS)
            self._channel.rest(wait)
            self._timer = self._loop.call_later(wait, self._turn_away)

    def _turn_away(self) -> None:
        self._refuse(0, "bad_secret")
        self._farewell("bad_hello")

    async def _carry_out(self, message: dict[str, Any]) -> None:
        n = message["n"]
        try:
            if message["t"] == "open":
                table = await self._club.open_table(message["title"], message["rules"])
                self._say({"t": "opened", "n": n, "table": table})
            else:
                await self._club.close_table(message["code"])
                self._say({"t": "ended", "n": n, "code": message["code"]})
        except RefusedError as refused:
            self._refuse(n, refused.code, refused.field)

    # --- to the page

    def _list(self, told: dict[str, Any]) -> None:
        text = dumps(told)
        if text != self._last and self._channel.writable:
            self._last = text
            self._channel.send(text)

    def _again(self) -> None:
        """There is room once more: what was left out meanwhile comes with the next list."""
        self._club.show()

    def _refuse(self, n: int, code: str, field: str | None = None) -> None:
        self._say({"t": "refused", "n": n, "code": code} | ({"field": field} if field else {}))

    def _say(self, message: dict[str, Any]) -> None:
        if not self._over and self._channel.writable:
            self._channel.send(dumps(message))

    def _farewell(self, code: str) -> None:
        self._say({"t": "closed", "code": code})
        self.gone()
        self._channel.close()
