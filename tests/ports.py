"""Ports that nobody else takes before the test does."""

from __future__ import annotations

import random
import socket

# Below the range from which the system gives ports to whoever does not mind, which with several
# tests at a time is what happens between asking for a free one and using it.
RANGE = range(20_000, 32_000)
_random = random.SystemRandom()


def free_port() -> int:
    """A TCP port of this machine that nobody has."""
    while True:
        port = _random.choice(RANGE)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port
