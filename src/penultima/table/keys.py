"""Secrets: drawn, hashed, compared. The table keeps hashes of session keys, never the keys."""

from __future__ import annotations

import base64
import hashlib
import hmac
from collections.abc import Callable
from typing import TypeAlias

Entropy: TypeAlias = Callable[[int], bytes]
"""Gives that many unpredictable bytes, as ``secrets.token_bytes`` does."""


def new_key(entropy: Entropy) -> str:
    """A session key: 256 bits as URL-safe base64, 43 characters."""
    return base64.urlsafe_b64encode(entropy(32)).rstrip(b"=").decode()


def hashed(key: str) -> str:
    """What the table keeps of a key."""
    # surrogatepass: whatever text came in, it is compared, not refused by the codec.
    return hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest()


def same(given: str, wanted: str) -> bool:
    """Whether two texts are equal, in a time that tells nothing about where they differ."""
    return hmac.compare_digest(hashed(given), hashed(wanted))


def derived(seed: bytes, label: str) -> bytes:
    """32 bytes for one purpose from the table's seed."""
    return hmac.digest(seed, b"penultima table 1 " + label.encode(), "sha256")
