"""What goes through a PeerServer is sealed with the table's secret (docs/protocol.md, section 9).

Whoever runs that server, or knows the table's id there, can neither read nor change nor make up
a message: not the fingerprint that the data channel is checked against, no address, no password
of a TURN server. A box opens for one direction, one sender and one receiver only.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import secrets
from typing import Any, Final, Literal, TypeAlias

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

Direction: TypeAlias = Literal["to host", "to guest"]

LARGEST: Final = 32 * 1024
"""Characters of a box: an offer of 18 KiB, and a third more as base64."""

_NONCE_BYTES: Final = 12


class NotSealed(ValueError):
    """No box of this table's: a stranger's, a changed one, or one meant for somebody else."""


class Seal:
    """Seals and opens what goes in one direction at one table."""

    def __init__(self, secret: str, direction: Direction) -> None:
        self._cipher = AESGCM(derived(secret, f"seal {direction}"))

    def seal(self, text: str, source: str, target: str) -> dict[str, str]:
        """The payload of a PeerServer's message from ``source`` to ``target`` (their ids there)."""
        nonce = secrets.token_bytes(_NONCE_BYTES)
        box = nonce + self._cipher.encrypt(nonce, text.encode(), _bound(source, target))
        return {"box": base64.urlsafe_b64encode(box).rstrip(b"=").decode()}

    def open(self, payload: Any, source: str, target: str) -> str:
        """The text in a payload. Raises ``NotSealed``."""
        box = payload.get("box") if isinstance(payload, dict) else None
        if not isinstance(box, str) or len(box) > LARGEST or not box.isascii():
            raise NotSealed
        try:
            raw = base64.b64decode(box + "=" * (-len(box) % 4), altchars=b"-_", validate=True)
            nonce, sealed = raw[:_NONCE_BYTES], raw[_NONCE_BYTES:]
            return self._cipher.decrypt(nonce, sealed, _bound(source, target)).decode()
        except (binascii.Error, ValueError, InvalidTag):
            raise NotSealed from None


def derived(secret: str, what_for: str) -> bytes:
    """32 bytes that follow from a secret and tell nothing of it, nor of what else follows."""
    return hmac.new(secret.encode(), f"penultima 1 {what_for}".encode(), hashlib.sha256).digest()


def _bound(source: str, target: str) -> bytes:
    return f"{source} {target}".encode("utf-8", "surrogatepass")
