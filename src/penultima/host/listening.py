"""The sockets on which the host is found: the port they get, or why they get none."""

from __future__ import annotations

import contextlib
import errno
import socket
import sys
from typing import TYPE_CHECKING, Final

from penultima.host.options import DEFAULT_PORT, Options, UsageError
from penultima.host.reach import ANY

if TYPE_CHECKING:
    from penultima.host.phrases import Phrases
    from penultima.host.voices import Voice

TRIES: Final = 20
"""Ports that are tried, from the default one on."""


class PortBusyError(UsageError):
    """Somebody else listens there."""


def listen(
    options: Options,
    phrases: Phrases,
    voice: Voice,
    kept: int | None = None,
    busy: str = "resume_port",
) -> tuple[list[socket.socket], int]:
    """The default port may move on; one that was asked for, or that a link names, may not."""
    if options.port is not None and not (options.port == 0 and kept):
        return opened(options.bind, options.port, phrases)
    if kept:
        try:
            return opened(options.bind, kept, phrases)
        except PortBusyError:
            raise UsageError(phrases(busy, port=kept), status=1) from None
    for port in range(DEFAULT_PORT, DEFAULT_PORT + TRIES):
        try:
            found = opened(options.bind, port, phrases)
        except PortBusyError:
            continue
        if port != DEFAULT_PORT:
            voice.note(phrases("port_moved", busy=DEFAULT_PORT, port=port))
        return found
    raise UsageError(phrases("port_busy", port=DEFAULT_PORT), status=1)


def opened(bind: str | None, port: int, phrases: Phrases) -> tuple[list[socket.socket], int]:
    """Sockets that listen on ``bind``, None for all addresses, and the port they have got.

    :class:`PortBusyError`; any other UsageError for a port or an address that cannot be had at all.
    """
    if bind is not None and bind not in ANY:
        try:
            found = socket.getaddrinfo(bind, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        except OSError:
            raise UsageError(phrases("bind_bad", host=bind)) from None
        family, _, _, _, address = found[0]
        one = _socket(family, str(address[0]), port, phrases)
        return [one], one.getsockname()[1]
    first = _socket(socket.AF_INET, "0.0.0.0", port, phrases)  # noqa: S104 - phones are elsewhere
    port = first.getsockname()[1]
    both = [first]
    if socket.has_ipv6:
        with contextlib.suppress(OSError, UsageError):
            both.append(_socket(socket.AF_INET6, "::", port, phrases))
    return both, port


def _socket(
    family: socket.AddressFamily, address: str, port: int, phrases: Phrases
) -> socket.socket:
    made = socket.socket(family, socket.SOCK_STREAM)
    try:
        if sys.platform != "win32":  # there it would let two programs share the port
            made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if family is socket.AF_INET6:
            made.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        made.bind((address, port))
        made.listen(128)
        made.setblocking(False)
    except PermissionError:
        made.close()
        raise UsageError(phrases("port_denied", port=port), status=1) from None
    except OSError as error:
        made.close()
        if error.errno == errno.EADDRNOTAVAIL:
            raise UsageError(phrases("bind_bad", host=address)) from None
        raise PortBusyError(phrases("port_busy", port=port), status=1) from None
    return made
