"""The real program in a terminal of 80 by 24: what a person sees, and the keys they press."""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from pathlib import Path

PATIENCE = 20.0


def _as_in_a_window() -> None:
    """The terminal is the program's own, also where the tests were started by `nohup`."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


class Terminal:
    """One run of `penultima` with the terminal it was started in."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        kept = {k: v for k, v in os.environ.items() if not k.startswith("PENULTIMA_")}
        self._master, self._slave = pty.openpty()
        fcntl.ioctl(self._slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self._before = termios.tcgetattr(self._slave)
        self.seen = b""
        self._closed = False
        self.process = subprocess.Popen(
            [sys.executable, "-m", "penultima", *arguments],
            env=kept
            | {"HOME": str(folder), "XDG_STATE_HOME": str(folder), "LC_ALL": "C.UTF-8"}
            | {"TERM": "xterm-256color", "COLUMNS": "80", "LINES": "24"},
            stdin=self._slave,
            stdout=self._slave,
            stderr=self._slave,
            start_new_session=True,
            preexec_fn=_as_in_a_window,  # noqa: PLW1509 - no threads
        )

    def read_until(self, text: str) -> None:
        """Until that was written, at any time."""
        until = time.monotonic() + PATIENCE
        while text.encode() not in self.seen and time.monotonic() < until:
            if select.select([self._master], [], [], 0.2)[0]:
                with contextlib.suppress(OSError):
                    self.seen += os.read(self._master, 65536)
        assert text.encode() in self.seen, self.seen.decode(errors="replace")[-3000:]

    def press(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def hang_up(self) -> None:
        """The window is closed."""
        self._closed = True
        os.close(self._slave)
        os.close(self._master)

    def wait(self) -> int:
        return self.process.wait(PATIENCE)

    @property
    def is_as_it_was(self) -> bool:
        """Whether the terminal behaves again as before the program was started."""
        return termios.tcgetattr(self._slave) == self._before

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        if not self._closed:
            self.hang_up()


@contextlib.contextmanager
def terminal(folder: Path, *arguments: str) -> Iterator[Terminal]:
    opened = Terminal(folder, *arguments)
    try:
        yield opened
    finally:
        opened.close()
