"""Debian's coturn with the configuration of docs/coturn.md, in a space of its own."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

from tests.network.namespaces import INTERNET, Space

PAGE = Path(__file__).parents[2] / "docs" / "coturn.md"
SECRET = "the tests' own secret"
URL = f"turn:{INTERNET}:3478"


def configuration() -> str:
    """What the page says, with our secret; its address is the one we have."""
    (text,) = re.findall(r"```conf\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    assert f"listening-ip={INTERNET}\n" in text
    assert text.count("PUT-YOUR-SECRET-HERE") == 1
    return text.replace("PUT-YOUR-SECRET-HERE", SECRET)


def tls(cert: Path, key: Path) -> dict[str, str]:
    """What the page says to change for TLS, on port 443."""
    (text,) = re.findall(r"instead of `no-tls`:\n\n```\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    text, certs = re.subn(r"(?m)^cert=.*$", f"cert={cert}", text)
    text, keys = re.subn(r"(?m)^pkey=.*$", f"pkey={key}", text)
    assert certs == keys == 1
    assert "tls-listening-port=443\n" in text
    return {"no-tls\n": text}


class Coturn:
    """Running, until the net in which it lives is closed (or `stop`)."""

    def __init__(
        self, space: Space, folder: Path, *more: str, changes: dict[str, str] | None = None
    ) -> None:
        """`more`: further lines; `changes`: others instead of what stands there."""
        text = configuration()
        for old, new in (changes or {}).items():
            assert text.count(old) == 1, old
            text = text.replace(old, new)
        file = folder / "turnserver.conf"
        file.write_text(text + "\n".join(more) + "\n")
        self.log = folder / "coturn.log"
        self._process = space.start(
            "turnserver", "-c", str(file), "--simple-log",
            "--log-file", str(self.log), "--pidfile", str(folder / "coturn.pid"),
            "--userdb", str(folder / "turndb"),
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            space.listening(int(re.findall(r"\nlistening-port=(\d+)", text)[0]))
        except AssertionError:
            said = self.log.read_text()[-2000:] if self.log.exists() else ""
            raise AssertionError(f"coturn does not start:\n{said}") from None

    def stop(self) -> None:
        self._process.kill()
        self._process.wait(10)
