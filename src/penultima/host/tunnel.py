"""Tunnels that the host has already (--tunnel): found on PATH, started, listened to, ended.

Each kind is what is known of one program: how it is asked, which line says the address, and which
line says that it is no use going on. Sources: its own help and documentation, and what people paste
of its output; tests/host/test_tunnel.py holds such lines. Nothing is ever downloaded.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import re
import shutil
import subprocess
import sys
from abc import ABC, abstractmethod
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

from penultima.host import leash
from penultima.host.options import UsageError

if TYPE_CHECKING:
    from collections.abc import Callable

    from penultima.host.phrases import Phrases

logger = logging.getLogger(__name__)

SLOW_SECONDS = 20.0
"""Without an address after that long the host is told, and it goes on waiting."""
AGAIN_SECONDS: Final = (2.0, 5.0, 15.0, 60.0)
"""Waits before it is started again; the last one from then on."""
STEADY_SECONDS = 60.0
"""After so long a run the waits begin anew."""
ENDING_SECONDS = leash.PATIENCE + 1.0
LINE = 16 * 1024
LAST = 160
"""So much of its last line is shown."""


@dataclass(frozen=True, slots=True)
class Address:
    """A line that says where the tunnel begins."""

    url: str


@dataclass(frozen=True, slots=True)
class Hopeless:
    """A line that says why it cannot be: `why` is a phrase. It is not tried again."""

    why: str


@dataclass(frozen=True, slots=True)
class Asks:
    """A line that asks for something at an address, for which the program waits."""

    what: str
    url: str


Heard = Address | Hopeless | Asks


class Kind(ABC):
    """What is known of one program."""

    name: ClassVar[str]
    home: ClassVar[str]
    """Where people get it."""
    sealed: ClassVar[bool] = False
    """Whether the encryption ends on this machine, so that its operator cannot read along."""

    @abstractmethod
    def command(self, target: str) -> list[str]:
        """How to ask it for a tunnel to `target`, http:// or https:// on this machine."""

    @abstractmethod
    def read(self, line: str) -> Heard | None:
        """What a line of its output means."""


class Cloudflared(Kind):
    """A quick tunnel: no account, another name at every start."""

    name = "cloudflared"
    home = "https://developers.cloudflare.com/cloudflare-one/networks/connectors/cloudflare-tunnel/"
    # Its own service stands in the same domain: api.trycloudflare.com, in messages of errors.
    _URL = re.compile(r"https://(?!api\.)[a-z0-9-]+\.trycloudflare\.com\b")

    def command(self, target: str) -> list[str]:
        own = ["--no-tls-verify"] if target.startswith("https:") else []
        return ["cloudflared", "tunnel", "--no-autoupdate", *own, "--url", target]

    def read(self, line: str) -> Heard | None:
        found = self._URL.search(line)
        return Address(found[0]) if found else None


class Tailscale(Kind):
    """Funnel: the machine's own name in its tailnet, the same at every start."""

    name = "tailscale"
    home = "https://tailscale.com/download"
    sealed = True
    _URL = re.compile(
        r"^\s*(?:Available on the internet:\s*)?(https://[a-z0-9.-]+\.ts\.net(?::\d+)?)/?\s*$"
    )
    _ENABLE = re.compile(r"https://login\.tailscale\.com/\S+")
    _STATES = (
        ("Logged out", "tunnel_login_tailscale"),
        ("NeedsLogin", "tunnel_login_tailscale"),
        ("Tailscale is stopped", "tunnel_login_tailscale"),
        ("failed to connect to local", "tunnel_service_tailscale"),
        ("Access denied", "tunnel_denied_tailscale"),
        ("access denied", "tunnel_denied_tailscale"),
    )

    def command(self, target: str) -> list[str]:
        # Its certificate is for the public name; what stands here is for another.
        return ["tailscale", "funnel", "--yes", target.replace("https:", "https+insecure:", 1)]

    def read(self, line: str) -> Heard | None:
        found = self._URL.match(line)
        if found:
            return Address(found[1])
        enable = self._ENABLE.search(line)
        if enable:
            # Funnel (or HTTPS) is off for this tailnet: it waits for somebody to allow it there.
            return Asks("tunnel_enable_tailscale", enable[0])
        for sign, why in self._STATES:
            if sign in line:
                return Hopeless(why)
        return None


class Ngrok(Kind):
    """Needs an account; on the free plan a page of its own comes before the first visit."""

    name = "ngrok"
    home = "https://ngrok.com/download"
    # Codes of its documentation: no or a wrong token, a plan that does not allow it.
    _TOKEN = re.compile(r"ERR_NGROK_(?:105|107|4018)\b")
    _LIMIT = re.compile(r"ERR_NGROK_(?:108|334)\b")

    def command(self, target: str) -> list[str]:
        return ["ngrok", "http", "--log", "stdout", "--log-format", "json", target]

    def read(self, line: str) -> Heard | None:
        if self._TOKEN.search(line):
            return Hopeless("tunnel_login_ngrok")
        if self._LIMIT.search(line):
            return Hopeless("tunnel_limit_ngrok")
        try:
            told = json.loads(line)
        except ValueError:
            return None
        if not isinstance(told, dict) or told.get("msg") != "started tunnel":
            return None
        url = told.get("url")
        return Address(url) if isinstance(url, str) and url.startswith("https://") else None


KINDS: Final = {kind.name: kind for kind in (Cloudflared(), Tailscale(), Ngrok())}


def find(name: str, phrases: Phrases) -> Kind:
    """The kind of that name, if its program is on this machine; UsageError else."""
    kind = KINDS[name]
    if shutil.which(name) is None:
        raise UsageError(phrases("tunnel_missing", name=name, home=kind.home), status=1)
    return kind


class Tunnel:
    """One tunnel: kept up while `run` runs, its address in `url`."""

    def __init__(self, kind: Kind, target: str, phrases: Phrases) -> None:
        self.url: str | None = None
        self.on_change: Callable[[], None] = lambda: None
        self.say: Callable[[str], None] = lambda _text: None
        self._kind, self._target, self._phrases = kind, target, phrases
        self._hopeless = False
        self._before: str | None = None  # the address that people have
        self._said = ""  # its last line, for whoever has to ask why

    @property
    def name(self) -> str:
        return self._kind.name

    @property
    def sealed(self) -> bool:
        return self._kind.sealed

    async def run(self) -> None:
        """Until cancelled, or until the program says that it is no use."""
        loop = asyncio.get_running_loop()
        failures = 0
        while True:
            began = loop.time()
            status = await self._once()
            self._moved(None)
            if self._hopeless:
                return
            if loop.time() - began > STEADY_SECONDS:
                failures = 0
            wait = AGAIN_SECONDS[min(failures, len(AGAIN_SECONDS) - 1)]
            failures += 1
            self._tell("tunnel_died", why=self._said or status, seconds=f"{wait:g}")
            await asyncio.sleep(wait)

    async def _once(self) -> int:
        """One run of the program, from start to end. Cancelled, it ends the program."""
        self._said = ""
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-I",
            str(Path(leash.__file__)),
            *self._kind.command(self._target),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            limit=LINE,
            start_new_session=True,  # Ctrl-C is for the host, who says goodbye through the tunnel
        )
        slow = asyncio.get_running_loop().call_later(SLOW_SECONDS, self._slow)
        try:
            await self._listen(process)
            return -1 if self._hopeless else await process.wait()
        finally:
            slow.cancel()
            await self._end(process)

    async def _listen(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdout is not None
        while True:
            try:
                line = (await process.stdout.readline()).decode(errors="replace")
            except ValueError:  # longer than any line of theirs: nothing for us
                continue
            if not line:
                return
            text = line.strip()
            if text:
                self._said = text[-LAST:]
                logger.info("%s: %s", self.name, text)
            match self._kind.read(line):
                case Address(url):
                    self._moved(url)
                case Hopeless(why):
                    self._hopeless = True
                    self._tell(why)
                    return
                case Asks(what, url):
                    self._tell(what, url=url)
                case None:
                    pass

    async def _end(self, process: asyncio.subprocess.Process) -> None:
        assert process.stdin is not None
        process.stdin.close()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), ENDING_SECONDS)
        # A child of its own may still hold the other end of what we read from.
        process._transport.close()  # type: ignore[attr-defined] # noqa: SLF001 - no other way

    def _moved(self, url: str | None) -> None:
        if url == self.url:
            return
        self.url = url
        self.on_change()
        if url is not None:
            if self._before not in {None, url}:
                self._tell("tunnel_moved")
            self._before = url

    def _slow(self) -> None:
        if self.url is None:
            self._tell("tunnel_slow", why=self._said or "…")

    def _tell(self, phrase: str, **values: object) -> None:
        self.say(self._phrases(phrase, name=self.name, **values))
