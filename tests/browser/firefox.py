"""Drives the system's Firefox by WebDriver BiDi, which it speaks by itself: no other program.

Only what a story in a second browser needs; all else is tried in Chromium.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import re
import subprocess
import threading
import time
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import aiohttp

from tests import debian
from tests.browser.driver import DriverError, Window

VARIABLE = "PENULTIMA_FIREFOX"
PACKAGE = "firefox-esr"
START_SECONDS = 60.0
ANSWER_SECONDS = 60.0
# Quiet: nothing is to be fetched that the page did not ask for.
PREFERENCES = {
    "app.normandy.enabled": False,
    "app.update.enabled": False,
    "browser.shell.checkDefaultBrowser": False,
    "datareporting.policy.dataSubmissionEnabled": False,
    "intl.accept_languages": "es-ES",
    "network.captive-portal-service.enabled": False,
    "services.settings.server": "data:,",
    "toolkit.telemetry.enabled": False,
}


def ensure() -> str:
    """The program, installed where we may. Raises debian.NotInstalled."""
    return os.environ.get(VARIABLE) or debian.ensure(PACKAGE)[0]


class Firefox(Window):
    """Its talk happens in a thread of its own: tests are not async."""

    def __init__(self, loop: asyncio.AbstractEventLoop, socket: aiohttp.ClientWebSocketResponse):
        self._loop = loop
        self._socket = socket
        self._numbers = itertools.count(1)
        self._context = ""

    def call(self, method: str, **params: Any) -> Any:
        return run(self._loop, self._call(method, params))

    async def _call(self, method: str, params: dict[str, Any]) -> Any:
        number = next(self._numbers)
        await self._socket.send_json({"id": number, "method": method, "params": params})
        while True:
            answer = json.loads(await self._socket.receive_str(timeout=ANSWER_SECONDS))
            if answer.get("id") != number:
                continue
            if answer["type"] == "error":
                raise DriverError(f"{method}: {answer['error']}: {answer['message']}")
            return answer["result"]

    def begin(self) -> None:
        self.call("session.new", capabilities={})
        tree = self.call("browsingContext.getTree", maxDepth=0)
        self._context = tree["contexts"][0]["context"]

    def goto(self, url: str) -> None:
        self.call("browsingContext.navigate", context=self._context, url=url, wait="complete")

    def reload(self) -> None:
        self.call("browsingContext.reload", context=self._context, wait="complete")

    def evaluate(self, expression: str) -> Any:
        """What comes of it, as text, number, truth or ``None``; a promise is waited for."""
        found = self.call(
            "script.evaluate",
            expression=expression,
            target={"context": self._context},
            awaitPromise=True,
            userActivation=True,
        )
        if found["type"] != "success":
            raise DriverError(found["exceptionDetails"]["text"])
        return found["result"].get("value")

    def press(self, test_id: str) -> None:
        self.evaluate(f"document.querySelector({json.dumps(self.found(test_id))}).click()")


def run(loop: asyncio.AbstractEventLoop, work: Coroutine[Any, Any, Any]) -> Any:
    return asyncio.run_coroutine_threadsafe(work, loop).result(ANSWER_SECONDS + 10)


@contextmanager
def firefox(program: str, profile: Path) -> Iterator[Firefox]:
    """A browser with that profile: what it keeps there, it keeps."""
    profile.mkdir(exist_ok=True)
    lines = [f"user_pref({json.dumps(k)}, {json.dumps(v)});" for k, v in PREFERENCES.items()]
    (profile / "user.js").write_text("\n".join(lines))
    command = [program, "--headless", "--no-remote", "--remote-debugging-port", "0"]
    log = (profile / "stderr.txt").open("w+")
    process = subprocess.Popen(
        [*command, "--profile", str(profile)], stdout=subprocess.DEVNULL, stderr=log
    )
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    session: aiohttp.ClientSession | None = None
    try:
        address = _listening(process, profile / "stderr.txt")

        async def open_socket() -> tuple[aiohttp.ClientSession, aiohttp.ClientWebSocketResponse]:
            talk = aiohttp.ClientSession()
            return talk, await talk.ws_connect(f"{address}/session", max_msg_size=0)

        session, socket = run(loop, open_socket())
        window = Firefox(loop, socket)
        window.begin()
        yield window
        window.call("browser.close")
        process.wait(30)
    finally:
        if session is not None:
            run(loop, session.close())
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
        if process.poll() is None:
            process.kill()
            process.wait()
        log.close()


def _listening(process: subprocess.Popen[bytes], log: Path) -> str:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and process.poll() is None:
        found = re.search(r"WebDriver BiDi listening on (ws://\S+)", log.read_text())
        if found:
            return found[1]
        time.sleep(0.1)
    raise DriverError(f"Firefox did not start: {log.read_text()[-500:]}")
