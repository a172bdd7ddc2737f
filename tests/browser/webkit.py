"""Drives WebKit, the engine of every browser on an iPhone, as WebKitGTK has it (W3C WebDriver).

It has no RTCPeerConnection there: its pages live by the WebSocket alone. Only what a story in
another browser needs; all else is tried in Chromium.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tests import debian
from tests.browser.driver import DriverError, Window
from tests.ports import free_port

PACKAGES = ("webkit2gtk-driver", "xvfb")
START_SECONDS = 60.0
ANSWER_SECONDS = 60.0


class WebKit(Window):

    def __init__(self, address: str) -> None:
        self._address = address
        self._session = ""

    def begin(self) -> None:
        made = self._call("POST", "/session", {"capabilities": {"alwaysMatch": {}}})
        self._session = f"/session/{made['sessionId']}"
        self._call("POST", "/window/rect", {"x": 0, "y": 0, "width": 390, "height": 844})

    def end(self) -> None:
        self._call("DELETE", "")

    def _call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        request = urllib.request.Request(
            f"{self._address}{self._session}{path}",
            method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json"},
        )
        try:
            with urllib.request.urlopen(request, timeout=ANSWER_SECONDS) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            told = json.load(error)["value"]
            raise DriverError(f"{path}: {told['error']}: {told['message']}") from None

    def goto(self, url: str) -> None:
        self._call("POST", "/url", {"url": url})

    def reload(self) -> None:
        self._call("POST", "/refresh", {})

    def evaluate(self, expression: str) -> Any:
        """What comes of it: text, number, truth or ``None``."""
        return self._call("POST", "/execute/sync", {"script": f"return ({expression})", "args": []})

    def _element(self, test_id: str) -> str:
        by = {"using": "css selector", "value": self.found(test_id)}
        element = self._call("POST", "/element", by)
        return f"/element/{next(iter(element.values()))}"

    def press(self, test_id: str) -> None:
        """As a person does: there where it is, if nothing lies above it."""
        self._call("POST", f"{self._element(test_id)}/click", {})

    def write(self, test_id: str, text: str) -> None:
        self._call("POST", f"{self._element(test_id)}/value", {"text": text})


@contextlib.contextmanager
def webkit(folder: Path) -> Iterator[WebKit]:
    """A browser that keeps what it keeps in that folder, on a screen of its own."""
    folder.mkdir(exist_ok=True)
    program, display = debian.ensure(*PACKAGES)
    with contextlib.ExitStack() as stack:
        log = stack.enter_context((folder / "webkit.log").open("ab"))
        screen = _screen(display, stack, log)
        port = free_port()
        kept = {name: str(folder) for name in ("HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")}
        environment = {**os.environ, **kept, "DISPLAY": screen, "GDK_BACKEND": "x11"}
        environment |= {"LANGUAGE": "es", "LC_ALL": "C.UTF-8", "LIBGL_ALWAYS_SOFTWARE": "1"}
        driver = subprocess.Popen(
            [program, f"--port={port}"], env=environment, stdout=log, stderr=log
        )
        stack.callback(_end, driver)
        window = WebKit(f"http://127.0.0.1:{port}")
        _wait_for(port, driver)
        window.begin()
        stack.callback(window.end)
        yield window


def _screen(display: str, stack: contextlib.ExitStack, log: Any) -> str:
    """A display that nobody else has."""
    reading, writing = os.pipe()
    server = subprocess.Popen(
        [display, "-displayfd", str(writing), "-screen", "0", "800x1000x24", "-nolisten", "tcp"],
        pass_fds=(writing,),
        stderr=log,
    )
    stack.callback(_end, server)
    os.close(writing)
    with os.fdopen(reading) as told:
        number = told.readline().strip()
    if not number:
        raise DriverError("Xvfb did not start")
    return f":{number}"


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def _wait_for(port: int, driver: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and driver.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        time.sleep(0.1)
    raise DriverError("The WebKit driver did not start")
