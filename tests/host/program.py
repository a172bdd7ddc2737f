"""The real program in a process of its own, started, killed and started again on one journal."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import aiohttp

from tests.host.phones import Phone

PATIENCE = 30.0


class Program:
    """One run of `penultima --json`. What it says on stderr ends up in `folder / "stderr"`."""

    def __init__(
        self, folder: Path, *arguments: str, home: Path | None = None, command: Sequence[str] = ()
    ) -> None:
        self.errors = folder / "stderr"
        environment = {k: v for k, v in os.environ.items() if not k.startswith("PENULTIMA_")}
        state = str(home or folder)
        environment |= {"HOME": state, "XDG_STATE_HOME": state, "LC_ALL": "C.UTF-8"}
        with self.errors.open("ab") as errors:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "penultima", *command, "--json", "--lang", "en", *arguments],
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=errors,
                text=True,
                encoding="utf-8",
            )
        self.events: list[dict[str, Any]] = []
        self._new: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.ready = self.wait_for("ready")
        if "host_url" in self.ready:
            fragment = self.ready["host_url"].partition("#")[2]
            self.code, self.secret, self.host_key = fragment.split(".")

    @classmethod
    async def start(cls, folder: Path, *arguments: str, **options: Any) -> Program:
        return await asyncio.to_thread(cls, folder, *arguments, **options)

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._new.put(json.loads(line))
        self._new.put(None)

    def wait_for(self, kind: str) -> dict[str, Any]:
        """The next event of that kind."""
        while True:
            event = self._new.get(timeout=PATIENCE)
            if event is None:
                raise AssertionError(f"no {kind}: {self.errors.read_text()}")
            self.events.append(event)
            if event["event"] == kind:
                return event

    def rest(self) -> list[dict[str, Any]]:
        """Everything it still had to say, once it has ended."""
        while (event := self._new.get(timeout=PATIENCE)) is not None:
            self.events.append(event)
        return self.events

    @property
    def port(self) -> int:
        port: int = self.ready["port"]
        return port

    @property
    def socket(self) -> str:
        return f"http://127.0.0.1:{self.port}/ws/{self.code}"

    def kill(self) -> None:
        """As a power cut: nothing is finished, nothing is said."""
        with contextlib.suppress(ProcessLookupError):
            self.process.send_signal(signal.SIGKILL)
        self.process.wait(PATIENCE)

    def interrupt(self) -> int:
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(PATIENCE)

    def close(self) -> None:
        """Nothing is left of it."""
        self.kill()
        self._reader.join(PATIENCE)
        assert self.process.stdout is not None
        self.process.stdout.close()


class ClubProgram(Program):
    """One run of `penultima club`, and the sockets that its page opens."""

    def __init__(self, folder: Path, *arguments: str, **options: Any) -> None:
        super().__init__(folder, *arguments, command=["club"], **options)
        self.node, self.key = self.ready["club_url"].partition("#")[2].split(".")

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def page(self, client: aiohttp.ClientSession, base: str | None = None) -> ClubPhone:
        """The club's page, greeted."""
        page = ClubPhone(client, f"{base or self.url}/ws/{self.node}.club")
        await page.open()
        await page.say(t="hello", v=1, key=self.key)
        await page.hear("club")
        return page


class ClubPhone(Phone):
    """What the page of who runs a club does."""

    @property
    def rows(self) -> list[dict[str, Any]]:
        """The newest list, and what has been opened and closed since."""
        rows: list[dict[str, Any]] = []
        for _, message in self.log:
            if message["t"] == "club":
                rows = message["tables"]
            elif message["t"] == "opened":
                table = message["table"]
                rows = [table, *(row for row in rows if row["code"] != table["code"])]
            elif message["t"] == "ended":
                rows = [row for row in rows if row["code"] != message["code"]]
        return rows

    async def request(self, **message: Any) -> dict[str, Any]:
        self.n += 1
        await self.say(n=self.n, **message)
        while True:
            answer = await self.hear("opened", "ended", "refused", patience=20)
            if answer["n"] == self.n:
                return answer

    async def table(self, title: str = "", rules: str = "classic") -> tuple[str, str, str]:
        """Opens a table: code, secret and host key."""
        answer = await self.request(t="open", title=title, rules=rules)
        assert answer["t"] == "opened", answer
        code, secret, host_key = answer["table"]["host"].partition("#")[2].split(".")
        return code, secret, host_key
