"""Single keys from a terminal, without waiting for Enter. Ctrl-C stays a signal."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextlib.contextmanager
def keys(on_key: Callable[[str], None]) -> Iterator[None]:
    """Calls `on_key` for each key pressed while in here; the terminal is put back afterwards."""
    if not sys.stdin.isatty():
        yield
    elif sys.platform == "win32":
        with _windows(on_key):
            yield
    else:
        with _posix(on_key):
            yield


if sys.platform == "win32":
    import msvcrt

    @contextlib.contextmanager
    def _windows(on_key: Callable[[str], None]) -> Iterator[None]:
        async def poll() -> None:
            while True:
                while msvcrt.kbhit():
                    on_key(msvcrt.getwch())
                await asyncio.sleep(0.1)

        task = asyncio.create_task(poll())
        try:
            yield
        finally:
            task.cancel()

else:
    import termios
    import tty

    @contextlib.contextmanager
    def _posix(on_key: Callable[[str], None]) -> Iterator[None]:
        descriptor = sys.stdin.fileno()
        try:
            before = termios.tcgetattr(descriptor)
        except termios.error:
            yield
            return
        loop = asyncio.get_running_loop()

        def readable() -> None:
            try:
                typed = os.read(descriptor, 64).decode(errors="ignore")
            except OSError:
                typed = ""  # the terminal is gone
            if not typed:
                loop.remove_reader(descriptor)
            for key in typed:
                on_key(key)

        tty.setcbreak(descriptor)
        loop.add_reader(descriptor, readable)
        try:
            yield
        finally:
            loop.remove_reader(descriptor)
            with contextlib.suppress(termios.error):  # the terminal is gone
                termios.tcsetattr(descriptor, termios.TCSADRAIN, before)
