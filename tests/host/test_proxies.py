"""What a proxy says is read from a trusted one only, and of that only what it added itself."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from multidict import CIMultiDict

from penultima.host.proxies import Proxies, Seen, networks
from tests.host.conftest import CODE, Host
from tests.host.phones import Phone

PROXY, NEXT, GUEST, LIAR = "127.0.0.1", "10.1.1.1", "203.0.113.9", "198.51.100.66"
TRUSTING = Proxies(networks(f"{PROXY}, 10.0.0.0/8 ::1"))


def seen(peer: str, **headers: str) -> Seen:
    names = {name.replace("_", "-"): text for name, text in headers.items()}
    return TRUSTING.seen(peer, CIMultiDict({"Host": "localhost:8765", **names}))


TRUSTED = [
    ({}, PROXY),
    ({"X_Forwarded_For": GUEST}, GUEST),
    ({"X_Forwarded_For": f"{LIAR}, {GUEST}"}, GUEST),
    ({"X_Forwarded_For": f"{LIAR}, {GUEST}, {NEXT}"}, GUEST),
    ({"X_Forwarded_For": f"{GUEST}:4711"}, GUEST),
    ({"X_Forwarded_For": "2001:db8::7"}, "2001:db8::7"),
    ({"X_Forwarded_For": "[2001:db8::7]:4711"}, "2001:db8::7"),
    ({"X_Forwarded_For": f"nonsense, {NEXT}"}, NEXT),
    ({"X_Forwarded_For": f"{GUEST}, nonsense"}, PROXY),
    ({"X_Forwarded_For": ","}, PROXY),
    ({"Forwarded": f"for={GUEST}"}, GUEST),
    ({"Forwarded": f'for="{LIAR}", For="[2001:db8::7]:80";proto=https;by={NEXT}'}, "2001:db8::7"),
    ({"Forwarded": "for=unknown, for=_hidden;proto=https"}, PROXY),
    ({"Forwarded": 'for="a,b;c'}, PROXY),
    ({"Forwarded": f"for={GUEST}", "X_Forwarded_For": GUEST}, GUEST),
    # One of the two was written by the guest: which one, nobody knows.
    ({"Forwarded": f"for={LIAR}", "X_Forwarded_For": GUEST}, PROXY),
]


@pytest.mark.parametrize(("headers", "address"), TRUSTED)
def test_the_guests_address_is_the_last_that_no_proxy_has(headers: dict[str, str], address: str) -> None:
    assert seen(PROXY, **headers).address == address
    assert seen("::ffff:127.0.0.1", **headers).address in {address, "::ffff:127.0.0.1"}


@pytest.mark.parametrize(("headers", "address"), TRUSTED)
def test_nobody_else_is_believed(headers: dict[str, str], address: str) -> None:
    more = {"X_Forwarded_Host": "uno.example.org", "X_Forwarded_Proto": "https"}
    assert seen(LIAR, **headers, **more) == Seen(LIAR, "localhost:8765")
    nobody = Proxies()
    assert nobody.seen(PROXY, CIMultiDict({"Host": "x", "X-Forwarded-For": GUEST})) == Seen(PROXY, "x")


def test_name_and_scheme_are_those_that_the_guest_used() -> None:
    told = seen(PROXY, X_Forwarded_Host="uno.example.org", X_Forwarded_Proto="HTTPS")
    assert (told.host, told.origin) == ("uno.example.org", "https://uno.example.org")
    told = seen(PROXY, Forwarded=f'for={GUEST};host="uno.example.org:8443";proto=https')
    assert told.origin == "https://uno.example.org:8443"
    assert seen(PROXY, X_Forwarded_Proto="https").origin == "https://localhost:8765"
    for bad in ("", "a b", "x/y", "u@h", "evil.example, ", "[::1"):
        assert seen(PROXY, X_Forwarded_Host=bad, X_Forwarded_Proto="gopher").origin is None
    assert seen(PROXY, X_Forwarded_Host="x y", X_Forwarded_Proto="https").origin == "https://localhost:8765"


def test_several_headers_of_a_name_are_one_list() -> None:
    headers = CIMultiDict([("X-Forwarded-For", LIAR), ("X-Forwarded-For", GUEST)])
    assert TRUSTING.seen(PROXY, headers).address == GUEST


# -------------------------------------------------------------------------------- the host


@pytest.fixture
async def behind(new_host: Callable[..., Any]) -> Callable[..., Any]:
    """A host that trusts these proxies, on loopback."""

    async def make(trusted: str) -> Host:
        host: Host = await new_host(proxies=Proxies(networks(trusted)))
        host.open_table()
        return host

    return make


FORWARDED = {"X-Forwarded-For": GUEST, "X-Forwarded-Proto": "https", "X-Forwarded-Host": "far.example"}


async def opens(host: Host, origin: str, headers: dict[str, str]) -> bool:
    phone = Phone(host.client, f"{host.url}/ws/{CODE}", origin=origin, headers=headers)
    try:
        await phone.open()
    except aiohttp.WSServerHandshakeError as refusal:
        assert refusal.status == 403  # noqa: PT017 - the refusal is one of the two answers
        return False
    await phone.hello()
    await phone.close()
    return True


async def test_a_page_behind_a_trusted_proxy_may_open_a_socket(behind: Callable[..., Any]) -> None:
    host = await behind("127.0.0.1")
    assert await opens(host, "https://far.example", FORWARDED)
    assert not await opens(host, "https://evil.example", FORWARDED)
    assert not await opens(host, "http://far.example", FORWARDED)
    assert not await opens(host, "https://far.example", {})


async def test_behind_one_that_is_not_trusted_it_may_not(behind: Callable[..., Any]) -> None:
    host = await behind("192.0.2.1")
    assert not await opens(host, "https://far.example", FORWARDED)
    async with host.client.get(host.url, headers={"Host": "far.example", **FORWARDED}) as answer:
        assert answer.status == 421


@pytest.mark.parametrize(("trusted", "counted"), [("127.0.0.1", GUEST), ("192.0.2.1", "127.0.0.1")])
async def test_guests_are_counted_by_their_own_address(
    behind: Callable[..., Any], trusted: str, counted: str
) -> None:
    host = await behind(trusted)
    phone = Phone(host.client, f"{host.url}/ws/{CODE}", headers={"X-Forwarded-For": GUEST})
    await phone.open()
    assert set(host.around.doorkeeper.doors) == {counted}
    await phone.close()


# --------------------------------------------------------------------------------- folders


@pytest.fixture
def client(tmp_path: Path) -> Path:
    folder = tmp_path / "client"
    folder.mkdir()
    (folder / "index.html").write_text("<!doctype html>Penúltima")
    (folder / "icon.svg").write_text("<svg/>")
    return folder


@pytest.mark.parametrize("left_in", [True, False])
async def test_the_page_lies_in_a_folder_of_a_web_server(
    new_host: Callable[..., Any], client: Path, left_in: bool
) -> None:
    """Whether the proxy takes the folder off or leaves it in what it asks for."""
    host: Host = await new_host(client, prefixes=("/uno", "/uno/dos"))
    host.open_table()
    for folder in ("/uno", "/uno/dos") if left_in else ("",):
        base = host.url + folder
        for path, text in {"/": "Penúltima", "/mesa": "Penúltima", "/icon.svg": "<svg/>"}.items():
            async with host.client.get(base + path) as answer:
                assert (answer.status, text in await answer.text()) == (200, True)
        async with host.client.get(f"{base}/healthz") as answer:
            assert (await answer.json())["ok"]
        async with host.client.get(f"{base}/nothing.js") as answer:
            assert answer.status == 404
        phone = Phone(host.client, f"{base}/ws/{CODE}", origin=host.url)
        await phone.open()
        await phone.hello()
        await phone.close()
    async with host.client.get(f"{host.url}/uno", allow_redirects=False) as answer:
        assert (answer.status, answer.headers["Location"]) == (308, "/uno/")
        assert answer.headers["Referrer-Policy"] == "no-referrer"
