"""Files, headers, and who is let in."""

import asyncio
import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from aiohttp import WSServerHandshakeError

from penultima.host.origins import Origins
from tests.host.conftest import CODE, PUBLIC, Host
from tests.host.phones import Phone


@pytest.fixture
def client(tmp_path: Path) -> Path:
    folder = tmp_path / "client"
    (folder / "assets").mkdir(parents=True)
    page = "<!doctype html><title>Penúltima</title>" + "x" * 3000
    (folder / "index.html").write_text(page)
    script = "console.log(1);" * 500
    (folder / "assets" / "index-5HCp8jWW.js").write_text(script)
    (folder / "assets" / "index-5HCp8jWW.js.gz").write_bytes(gzip.compress(script.encode()))
    (folder / "assets" / "index-5HCp8jWW.js.br").write_bytes(b"as if it were brotli")
    (folder / "assets" / "letters-EugFkASW.woff2").write_bytes(b"wOF2")
    (folder / "icon.svg").write_text("<svg/>")
    (folder / ".built").write_text("secret")
    (tmp_path / "outside.txt").write_text("outside")
    return folder


@pytest.fixture
async def site(new_host: Callable[..., Any], client: Path) -> Host:
    host: Host = await new_host(client)
    host.open_table()
    return host


@pytest.mark.parametrize("path", ["/", "/mesa"])
async def test_the_page_is_served_and_asked_for_again(site: Host, path: str) -> None:
    async with site.client.get(site.url + path) as response:
        assert response.status == 200
        assert response.headers["Cache-Control"] == "no-cache"
        assert "Penúltima" in await response.text()
        etag = response.headers["ETag"]
    async with site.client.get(site.url + path, headers={"If-None-Match": etag}) as again:
        assert again.status == 304


async def test_files_named_by_their_content_are_kept_for_good(site: Host) -> None:
    url = f"{site.url}/assets/index-5HCp8jWW.js"
    async with site.client.get(url, headers={"Accept-Encoding": "gzip"}) as response:
        assert response.headers["Content-Encoding"] == "gzip"
        assert "Accept-Encoding" in response.headers["Vary"]
        assert response.headers["Cache-Control"] == "public, max-age=31536000, immutable"
        assert response.content_type in {"text/javascript", "application/javascript"}
        assert (await response.text()).startswith("console.log")
    assert b"Content-Encoding: br" in await raw(site, "/assets/index-5HCp8jWW.js", "gzip, br")
    async with site.client.get(url, headers={"Accept-Encoding": "identity"}) as response:
        assert "Content-Encoding" not in response.headers
    async with site.client.get(f"{site.url}/icon.svg") as response:
        assert response.headers["Cache-Control"] == "no-cache"
        assert response.content_type == "image/svg+xml"


async def raw(site: Host, path: str, encoding: str = "identity") -> bytes:
    """An answer as it is: aiohttp's client would normalise the path and decode the rest."""
    reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
    writer.write(
        f"GET {path} HTTP/1.1\r\nHost: localhost\r\nAccept-Encoding: {encoding}\r\n"
        "Connection: close\r\n\r\n".encode()
    )
    answer = await reader.read()
    writer.close()
    await writer.wait_closed()
    return answer


async def test_letters_are_served_as_letters(site: Host) -> None:
    async with site.client.get(f"{site.url}/assets/letters-EugFkASW.woff2") as response:
        assert response.headers["Content-Type"] == "font/woff2"
        assert "immutable" in response.headers["Cache-Control"]


@pytest.mark.parametrize("path", ["/", "/healthz", "/nothing", "/assets/index-5HCp8jWW.js"])
async def test_everything_carries_the_same_guards(site: Host, path: str) -> None:
    async with site.client.get(site.url + path) as response:
        policy = response.headers["Content-Security-Policy"]
        assert "default-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "'unsafe-inline'" not in policy
        assert "'unsafe-eval'" not in policy
        assert response.headers["X-Content-Type-Options"] == "nosniff"
        assert response.headers["Referrer-Policy"] == "no-referrer"
        assert "Set-Cookie" not in response.headers


@pytest.mark.parametrize(
    ("name", "secure"),
    [("localhost", True), ("127.0.0.1", True), ("uno.example.org", True), ("192.168.1.7", False)],
)
async def test_what_needs_a_secure_context_is_sent_only_there(
    site: Host, name: str, secure: bool
) -> None:
    async with site.client.get(site.url, headers={"Host": name}) as response:
        assert ("Cross-Origin-Opener-Policy" in response.headers) == secure


@pytest.mark.parametrize(
    "path",
    [
        "/../outside.txt", "/%2e%2e/outside.txt", "/assets/..%2f..%2f..%2foutside.txt", "/.built",
        "/assets", "/assets/", "/assets//index-5HCp8jWW.js", "/assets/index-5HCp8jWW.js.br",
        "/%00", "/..%5coutside.txt", "//outside.txt", "/index.html%00.js", "/" + 300 * "x",
        1000 * "/x",
    ],
)  # fmt: skip
async def test_nothing_else_is_served(site: Host, path: str) -> None:
    answer = (await raw(site, path)).decode(errors="replace")
    assert answer.split()[1] in {"404", "400"}, answer
    assert "outside" not in answer
    assert "secret" not in answer


@pytest.mark.parametrize("method", ["POST", "PUT", "DELETE", "PATCH", "OPTIONS"])
async def test_a_request_can_only_ask(site: Host, method: str) -> None:
    for path in ("/", "/mesa", "/healthz", f"/ws/{CODE}", "/icon.svg"):
        async with site.client.request(method, site.url + path) as response:
            assert response.status == 405
            assert response.headers["Referrer-Policy"] == "no-referrer"


async def test_a_large_body_is_refused(site: Host) -> None:
    async with site.client.get(site.url, data=b"x" * 20_000) as response:
        assert response.status == 413


async def test_a_slow_body_is_cut_off(site: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("penultima.host.limits.BODY_SECONDS", 0.2)
    reader, writer = await asyncio.open_connection("127.0.0.1", site.port)
    writer.write(b"GET / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500\r\n\r\nx")
    answer = await asyncio.wait_for(reader.readline(), 3)
    assert b" 408 " in answer
    writer.close()
    await writer.wait_closed()


async def test_without_a_client_the_page_says_what_to_do(host: Host) -> None:
    async with host.client.get(host.url) as response:
        assert response.status == 503
        assert "make client" in await response.text()


async def test_health(site: Host) -> None:
    async with site.client.get(site.url + "/healthz") as response:
        assert await response.json() == {"ok": True, "tables": 1, "node": "a"}


async def test_a_socket_address_is_no_page(site: Host) -> None:
    origin = {"Origin": site.url}
    async with site.client.get(f"{site.url}/ws/{CODE}", headers=origin) as response:
        assert response.status == 426
    async with site.client.get(f"{site.url}/ws/no-code", headers=origin) as response:
        assert response.status == 404
    assert not site.around.sessions


KNOWN_HOSTS = ["127.0.0.1:{port}", "localhost", "localhost:1", "192.168.1.7:{port}",
               "[fd00::7]:{port}", "[::1]:{port}", "uno.example.org", "UNO.example.org:443"]  # fmt: skip
FOREIGN_HOSTS = ["evil.example", "evil.example:{port}", "10.9.9.9", "127.0.0.1.evil.example", "",
                 "uno.example.org.evil.example", "localhost@evil.example", "[::2]:{port}", "a b",
                 "uno.example.org/../x"]  # fmt: skip


@pytest.mark.parametrize("name", [*KNOWN_HOSTS, *FOREIGN_HOSTS])
async def test_a_request_needs_a_known_host(site: Host, name: str) -> None:
    header = name.format(port=site.port)
    for path in ("/", "/healthz", f"/ws/{CODE}"):
        async with site.client.get(site.url + path, headers={"Host": header}) as response:
            if name in KNOWN_HOSTS:
                assert response.status in {200, 403}
            else:
                assert response.status in {400, 421}


KNOWN_ORIGINS = ["http://127.0.0.1:{port}", "http://localhost:{port}", "http://192.168.1.7:{port}",
                 "http://[fd00::7]:{port}", PUBLIC, f"{PUBLIC}:443"]  # fmt: skip
FOREIGN_ORIGINS = ["", "null", "http://evil.example", "https://evil.example:{port}", "file://",
                   "http://127.0.0.1", "http://127.0.0.1:1", "https://127.0.0.1:{port}",
                   "http://uno.example.org", "http://uno.example.org:{port}",
                   "https://uno.example.org.evil.example", "https://x@uno.example.org",
                   "http://127.0.0.1:{port}@evil.example", "http://10.9.9.9:{port}",
                   "http://[::1", "ws://127.0.0.1:{port}"]  # fmt: skip


@pytest.mark.parametrize("origin", KNOWN_ORIGINS)
async def test_our_own_pages_may_open_a_socket(site: Host, origin: str) -> None:
    phone = await site.phone(origin=origin.format(port=site.port))
    await phone.hello()


@pytest.mark.parametrize("origin", FOREIGN_ORIGINS)
async def test_foreign_pages_may_not(site: Host, origin: str) -> None:
    phone = Phone(site.client, f"{site.url}/ws/{CODE}", origin=origin.format(port=site.port))
    with pytest.raises(WSServerHandshakeError) as refusal:
        await phone.open()
    assert refusal.value.status == 403
    assert not site.around.sessions


def test_a_new_network_is_noticed() -> None:
    own = ["192.168.1.7"]
    origins = Origins(port=8765, own=lambda: own)
    assert not origins.knows_host("10.0.0.3:8765", 10.0)
    own.append("10.0.0.3")
    assert not origins.knows_host("10.0.0.3:8765", 10.5), "asked at most once a second"
    assert origins.knows_host("10.0.0.3:8765", 11.5)
    assert origins.knows_origin("http://10.0.0.3:8765", 11.6)

