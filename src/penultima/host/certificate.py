"""The host's own HTTPS: --tls-cert and --tls-key, read, checked, and read again when renewed."""

from __future__ import annotations

import contextlib
import datetime as dt
import ipaddress
import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm

from penultima.host.options import UsageError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from penultima.host.phrases import Phrases

SOON = dt.timedelta(days=14)


class CertificateError(UsageError):
    """Why the files are of no use, with what to do."""


@dataclass(slots=True)
class Certificate:
    """A certificate that fits its key. Whether it is still valid is another question: `trouble`."""

    path: Path
    key_path: Path
    context: ssl.SSLContext
    names: tuple[str, ...]
    """Names that it is for, without wildcards: what stands in a link."""
    addresses: frozenset[str]
    begins: dt.datetime
    ends: dt.datetime
    _stamps: tuple[int, int]

    @classmethod
    def load(cls, cert: str, key: str | None, phrases: Phrases) -> Certificate:
        """Reads the files: `key` may stand in the same one. CertificateError says what is wrong."""
        path, key_path = Path(cert), Path(key or cert)
        stamps = _stamps(path, key_path, phrases)
        with _readable(path, phrases):
            written = path.read_bytes()
        try:
            leaf = x509.load_pem_x509_certificates(written)[0]
        except (ValueError, UnsupportedAlgorithm):
            raise CertificateError(phrases("tls_no_cert", path=path)) from None
        with _readable(key_path, phrases):
            key_written = key_path.read_bytes()
            if b"PRIVATE KEY-----" not in key_written:
                raise CertificateError(phrases("tls_no_key", path=key_path))
            context = _context(path, key_path, b"ENCRYPTED" in key_written, phrases)
        names, addresses = _names(leaf)
        return cls(
            path=path,
            key_path=key_path,
            context=context,
            names=names,
            addresses=addresses,
            begins=leaf.not_valid_before_utc,
            ends=leaf.not_valid_after_utc,
            _stamps=stamps,
        )

    def covers(self, address: str) -> bool:
        """Whether it names this address of the machine."""
        return address in self.addresses

    def trouble(self, phrases: Phrases, now: dt.datetime) -> str | None:
        """What a browser has against it at that time, or will have soon."""
        if now < self.begins:
            return phrases("tls_early", when=f"{self.begins:%Y-%m-%d %H:%M}")
        if now >= self.ends:
            return phrases("tls_expired", when=f"{self.ends:%Y-%m-%d}", path=self.path)
        if self.ends - now < SOON:
            return phrases("tls_soon", when=f"{self.ends:%Y-%m-%d}")
        return None

    def renewed(self, phrases: Phrases) -> Certificate | None:
        """Another one, if the files have changed; this one's context serves it from then on.
        CertificateError while they do not fit each other: the old one stays in use."""
        stamps = _stamps(self.path, self.key_path, phrases)
        if stamps == self._stamps:
            return None
        fresh = Certificate.load(str(self.path), str(self.key_path), phrases)
        # The server holds the context, so what is new goes into that.
        with _readable(self.path, phrases):
            self.context.load_cert_chain(self.path, self.key_path, password="")
        fresh.context = self.context
        return fresh


def _stamps(path: Path, key_path: Path, phrases: Phrases) -> tuple[int, int]:
    stamps = []
    for each in (path, key_path):
        with _readable(each, phrases), each.open("rb"):
            stamps.append(each.stat().st_mtime_ns)
    return stamps[0], stamps[1]


@contextlib.contextmanager
def _readable(path: Path, phrases: Phrases) -> Iterator[None]:
    """CertificateError for what cannot be read. It may also be about to be replaced: whoever renews
    it writes one file after the other."""
    try:
        yield
    except OSError as error:
        line = phrases("tls_unreadable", path=path, reason=error.strerror)
        raise CertificateError(line) from None


def _context(path: Path, key_path: Path, encrypted: bool, phrases: Phrases) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    try:
        # Without a password OpenSSL would ask the terminal for one.
        context.load_cert_chain(path, key_path, password="")
    except ssl.SSLError as error:
        if error.reason == "KEY_VALUES_MISMATCH":
            line = phrases("tls_mismatch", cert=path, path=key_path)
        elif encrypted:
            line = phrases("tls_passphrase", path=key_path)
        else:
            line = phrases("tls_no_key", path=key_path)
        raise CertificateError(line) from None
    return context


def _names(leaf: x509.Certificate) -> tuple[tuple[str, ...], frozenset[str]]:
    try:
        found = leaf.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    except (x509.ExtensionNotFound, ValueError):
        return (), frozenset()
    names = found.get_values_for_type(x509.DNSName)
    addresses = found.get_values_for_type(x509.IPAddress)
    return (
        tuple(name for name in names if not name.startswith("*") and name != "localhost"),
        frozenset(
            str(ip)
            for ip in addresses
            if not isinstance(ip, (ipaddress.IPv4Network, ipaddress.IPv6Network))
        ),
    )
