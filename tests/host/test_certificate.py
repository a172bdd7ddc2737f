"""The host's own HTTPS: what is wrong with the files is said, what is right is served."""

from __future__ import annotations

import asyncio
import datetime as dt
import os
import ssl
from collections.abc import Callable
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec

from penultima.host import certificate
from penultima.host.certificate import Certificate, CertificateError
from penultima.host.options import Options
from penultima.host.phrases import Phrases
from penultima.host.reach import Reach
from tests.host.program import Program

NOW = dt.datetime.now(dt.UTC)
DAY = dt.timedelta(days=1)
SAY = Phrases("en")


def made(
    folder: Path,
    *names: str,
    days: tuple[int, int] = (-1, 90),
    passphrase: bytes | None = None,
    stem: str = "",
) -> tuple[Path, Path]:
    """A certificate signed by itself, and its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    subject = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "uno")])
    found: list[x509.GeneralName] = []
    for name in names or ("uno.example.org", "127.0.0.1"):
        try:
            found.append(x509.IPAddress(ip_address(name)))
        except ValueError:
            found.append(x509.DNSName(name))
    leaf = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(NOW + days[0] * DAY)
        .not_valid_after(NOW + days[1] * DAY)
        .add_extension(x509.SubjectAlternativeName(found), critical=False)
        .sign(key, hashes.SHA256())
    )
    how: serialization.KeySerializationEncryption = serialization.NoEncryption()
    if passphrase:
        how = serialization.BestAvailableEncryption(passphrase)
    cert_path, key_path = folder / f"{stem}cert.pem", folder / f"{stem}key.pem"
    cert_path.write_bytes(leaf.public_bytes(serialization.Encoding.PEM))
    key_path.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, how
        )
    )
    return cert_path, key_path


def load(cert: Path, key: Path | None) -> Certificate:
    return Certificate.load(str(cert), key and str(key), SAY)


def test_names_and_addresses_are_read(tmp_path: Path) -> None:
    read = load(*made(tmp_path, "uno.example.org", "*.example.org", "localhost", "192.168.1.7"))
    assert read.names == ("uno.example.org",)
    assert read.covers("192.168.1.7")
    assert not read.covers("192.168.1.8")
    assert read.trouble(SAY, NOW) is None


def test_both_may_stand_in_one_file(tmp_path: Path) -> None:
    cert, key = made(tmp_path)
    cert.write_bytes(cert.read_bytes() + key.read_bytes())
    assert load(cert, None).names == ("uno.example.org",)


@pytest.mark.parametrize(
    ("days", "at", "says"),
    [
        ((-100, -2), NOW, "expired on"),
        ((-1, 5), NOW, "expires on"),
        ((2, 90), NOW, "machine's clock"),
        ((-1, 90), NOW + 100 * DAY, "expired on"),
    ],
)
def test_what_a_phone_has_against_it_is_said(
    tmp_path: Path, days: tuple[int, int], at: dt.datetime, says: str
) -> None:
    said = load(*made(tmp_path, days=days)).trouble(SAY, at)
    assert said is not None
    assert says in said


def swapped(folder: Path) -> tuple[Path, Path | None]:
    return made(folder)[0], made(folder, stem="other-")[1]


def not_there(folder: Path) -> tuple[Path, Path | None]:
    return made(folder)[0], folder / "none.pem"


def no_certificate(folder: Path) -> tuple[Path, Path | None]:
    _, key = made(folder)
    return key, key


def no_key(folder: Path) -> tuple[Path, Path | None]:
    return made(folder)[0], None


def a_folder(folder: Path) -> tuple[Path, Path | None]:
    return folder, None


def with_a_passphrase(folder: Path) -> tuple[Path, Path | None]:
    return made(folder, passphrase=b"secret")


def cut_off(folder: Path) -> tuple[Path, Path | None]:
    cert, key = made(folder)
    key.write_bytes(key.read_bytes()[:90])
    return cert, key


def not_text(folder: Path) -> tuple[Path, Path | None]:
    cert, key = made(folder)
    cert.write_bytes(os.urandom(300))
    return cert, key


@pytest.mark.parametrize(
    ("files", "says"),
    [
        (swapped, "is not the key of"),
        (not_there, "cannot read .*none.pem: No such file"),
        (no_certificate, "is no certificate in PEM"),
        (no_key, "no usable private key"),
        (a_folder, "cannot read .*: Is a directory"),
        (with_a_passphrase, "has a passphrase: .*openssl pkey"),
        (cut_off, "no usable private key"),
        (not_text, "is no certificate in PEM"),
    ],
)
def test_wrong_files_are_one_clear_line(
    tmp_path: Path, files: Callable[[Path], tuple[Path, Path | None]], says: str
) -> None:
    with pytest.raises(CertificateError, match=says) as error:
        load(*files(tmp_path))
    assert "\n" not in str(error.value)


def test_a_renewed_one_is_taken_and_half_a_renewal_is_not(tmp_path: Path) -> None:
    first = load(*made(tmp_path, days=(-80, 10)))
    assert first.renewed(SAY) is None
    new_cert, new_key = made(tmp_path, stem="new-")
    os.utime(new_cert, ns=(1, 1))
    new_cert.replace(first.path)
    with pytest.raises(CertificateError, match="is not the key of"):
        first.renewed(SAY)
    new_key.replace(first.key_path)
    second = first.renewed(SAY)
    assert second is not None
    assert second.context is first.context, "the server holds it"
    assert second.ends > first.ends
    assert second.renewed(SAY) is None


def test_files_that_go_while_they_are_read_are_one_clear_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = load(*made(tmp_path, days=(-80, 10)))
    new_cert, new_key = made(tmp_path, stem="new-")
    new_cert.replace(first.path)
    new_key.replace(first.key_path)
    context, stamps = certificate._context, certificate._stamps

    def checked(*given: Any) -> ssl.SSLContext:
        found = context(*given)
        first.key_path.unlink()
        return found

    def looked_at(*given: Any) -> tuple[int, int]:
        found = stamps(*given)
        first.path.unlink()
        return found

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(certificate, "_context", checked)
        with pytest.raises(CertificateError, match="cannot read"):
            first.renewed(SAY)
    first.key_path.touch()
    monkeypatch.setattr(certificate, "_stamps", looked_at)
    with pytest.raises(CertificateError, match=r"cannot read .*cert\.pem"):
        first.renewed(SAY)


def test_links_take_the_names_of_the_certificate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("penultima.host.addresses.own", lambda: ["10.0.0.2", "192.168.1.7"])
    certificate = load(*made(tmp_path, "uno.example.org", "192.168.1.7"))
    named = Reach(Options(), 8765, certificate)
    assert named.bases == (
        "https://uno.example.org:8765",
        "https://192.168.1.7:8765",
        "https://10.0.0.2:8765",
    )
    assert named.foreign(SAY) is None
    assert named.inside() == "https://127.0.0.1:8765"
    public = Reach(Options(public_urls=("https://far.example",)), 8765, certificate)
    assert public.public == ("https://far.example",)
    assert not any("uno.example.org" in base for base in public.bases)
    other = Reach(Options(), 8765, load(*made(tmp_path, "192.168.9.9")))
    assert other.foreign(SAY) == (
        "The certificate is not for 10.0.0.2, 192.168.1.7: phones warn before they let anybody in."
    )


@pytest.mark.slow
async def test_the_host_speaks_https_and_wss(tmp_path: Path) -> None:
    cert, key = made(tmp_path, "127.0.0.1", days=(-1, 5))
    host = await Program.start(
        tmp_path, "--port", "0", "--host", "127.0.0.1", "--tls-cert", str(cert), "--tls-key", str(key)
    )
    try:
        base = f"https://127.0.0.1:{host.port}"
        assert host.ready["mesa_url"].startswith("https://")
        note = await asyncio.to_thread(host.wait_for, "note")
        assert "expires on" in note["text"]
        trust = ssl.create_default_context(cafile=str(cert))
        async with aiohttp.ClientSession() as client:
            async with client.get(base, ssl=trust) as answer:
                assert answer.headers["Cross-Origin-Opener-Policy"] == "same-origin"
            for origin, status in ((base, 101), (base.replace("https", "http"), 403)):
                try:
                    socket = await client.ws_connect(
                        f"{base}/ws/{host.code}", ssl=trust, headers={"Origin": origin}
                    )
                except aiohttp.WSServerHandshakeError as refusal:
                    assert refusal.status == status  # noqa: PT017 - one of the two answers
                    continue
                assert status == 101
                await socket.send_json({"t": "hello", "v": 1, "secret": host.secret})
                assert (await socket.receive_json())["t"] == "welcome"
                await socket.close()
        assert host.interrupt() == 0
        assert host.errors.read_text() == ""
    finally:
        host.close()
