"""Debian's coturn with the configuration of docs/coturn.md, in a space of its own."""

from __future__ import annotations

import functools
import re
import shutil
import subprocess
from pathlib import Path

from tests import debian
from tests.network.namespaces import INTERNET, Space

PAGE = Path(__file__).parents[2] / "docs" / "coturn.md"
SECRET = "the tests' own secret"
URL = f"turn:{INTERNET}:3478"


class NoCoturn(Exception):
    """One line that says why there is none."""


@functools.cache
def _missing() -> str:
    if shutil.which("turnserver"):
        return ""
    if not debian.may_install():
        return "needs coturn: install it (Debian, Ubuntu: apt install coturn)"
    try:
        debian.install("coturn")
    except debian.NotInstalled as error:
        return str(error)
    return ""


def ensure() -> None:
    """Raises NoCoturn."""
    if reason := _missing():
        raise NoCoturn(reason)


def configuration() -> str:
    """What the page says, with our secret; its address is the one we have."""
    (text,) = re.findall(r"```conf\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert f"listening-ip={INTERNET}\n" in text
    assert text.count("PUT-YOUR-SECRET-HERE") == 1
    return text.replace("PUT-YOUR-SECRET-HERE", SECRET)


class Coturn:
    """Running, until the net in which it lives is closed (or `stop`)."""

    def __init__(self, space: Space, folder: Path, *more: str) -> None:
        file = folder / "turnserver.conf"
        file.write_text(configuration() + "\n".join(more) + "\n")
        self.log = folder / "coturn.log"
        self._process = space.start(
            "turnserver", "-c", str(file), "--simple-log",
            "--log-file", str(self.log), "--pidfile", str(folder / "coturn.pid"),
            "--userdb", str(folder / "turndb"),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            space.listening(3478)
        except AssertionError:
            said = self.log.read_text()[-2000:] if self.log.exists() else ""
            raise AssertionError(f"coturn does not start:\n{said}") from None

    def stop(self) -> None:
        self._process.kill()
        self._process.wait(10)
