"""What a foreign page, or a name that is not ours, can make a browser send: nothing comes of it.

Every mix of Origin, Host, method and path; the raw answers. tests/browser has the real pages.
"""

from __future__ import annotations

import asyncio
import itertools
import statistics
import time

import pytest

from tests.host.conftest import CODE, PUBLIC, Host
from tests.host.phones import HOST_KEY

OURS = "http://127.0.0.1:{port}"
ORIGINS = [OURS, "http://evil.example", "http://127.0.0.1:1", "null", None]
HOSTS = ["127.0.0.1:{port}", "evil.example:{port}"]
METHODS = ["GET", "POST", "OPTIONS"]
PATHS = ["/", f"/ws/{CODE}"]
EVERY = list(itertools.product(ORIGINS, HOSTS, METHODS, PATHS))
assert len(EVERY) == 60


async def answer(host: Host, origin: str | None, name: str, method: str, path: str) -> str:
    """Status line and headers, or as much as there is of them."""
    lines = [f"{method} {path} HTTP/1.1", f"Host: {name.format(port=host.port)}"]
    if origin is not None:
        lines.append(f"Origin: {origin.format(port=host.port)}")
    if path.startswith("/ws/"):
        lines += [
            "Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        ]  # fmt: skip
    else:
        lines.append("Connection: close")
    if method == "POST":
        lines += ["Content-Type: text/plain", "Content-Length: 60"]
    request = "\r\n".join(lines) + "\r\n\r\n" + ("x" * 60 if method == "POST" else "")
    reader, writer = await asyncio.open_connection("127.0.0.1", host.port)
    writer.write(request.encode())
    async with asyncio.timeout(5):
        head = await reader.readuntil(b"\r\n\r\n")
    writer.close()
    return head.decode()


@pytest.mark.parametrize(("origin", "name", "method", "path"), EVERY)
async def test_no_request_does_anything(
    host: Host, origin: str | None, name: str, method: str, path: str
) -> None:
    runner = host.tables.get(CODE)
    assert runner is not None
    before = runner.table.console()
    head = await answer(host, origin, name, method, path)
    status = int(head.split()[1])
    ours = origin == OURS and "evil" not in name
    if status == 101:
        assert ours
        assert (method, path) == ("GET", f"/ws/{CODE}")
    elif "evil" in name:
        assert status == 421
    elif method != "GET":
        assert status == 405
    elif path.startswith("/ws/"):
        assert status == 403
    assert "access-control" not in head.lower(), "nobody else may read it"
    assert "set-cookie" not in head.lower()
    await asyncio.sleep(0.02)
    assert runner.table.console() == before


async def test_the_public_address_is_ours_too(host: Host) -> None:
    assert " 101 " in await answer(host, PUBLIC, "uno.example.org", "GET", f"/ws/{CODE}")


# -------------------------------------------------------------------------------- guessing


async def farewell(at: Host, code: str, **hello: object) -> list[dict[str, object]]:
    phone = await at.phone(code)
    await phone.say(**{"t": "hello", "v": 1, **hello})
    await phone.hear("closed")
    return [{k: v for k, v in message.items() if k != "conn"} for _, message in phone.log]


async def test_an_unknown_table_and_a_wrong_secret_look_the_same(host: Host) -> None:
    wrong = await farewell(host, CODE, secret="x" * 16)
    assert wrong[-1] == {"t": "closed", "code": "bad_hello"}
    unknown = await farewell(host, "zzzzzz", secret="x" * 16)
    for v in (2, 3):
        known, nobody = [await farewell(host, c, secret="x" * 16, v=v) for c in (CODE, "zzzzzz")]
        assert known == nobody
    with_key = await farewell(host, CODE, secret="x" * 16, host=HOST_KEY, key="k" * 43)
    assert unknown == wrong == with_key


async def test_guesses_of_one_address_wait_for_each_other(host: Host) -> None:
    """Five a second; at 31^16 links that is no way in."""
    started = time.monotonic()
    guesses = [farewell(host, CODE, secret=f"{n:016}") for n in range(12)]
    await asyncio.gather(*guesses)
    assert time.monotonic() - started > 1.0


async def test_a_nearly_right_secret_takes_as_long_as_a_wrong_one() -> None:
    from penultima.table import keys

    wanted = "s" * 16
    near, far = "s" * 15 + "x", "x" * 16

    def took(given: str) -> float:
        started = time.perf_counter()
        for _ in range(200):
            keys.same(given, wanted)
        return time.perf_counter() - started

    times = [(took(near), took(far)) for _ in range(60)]
    ratio = statistics.median(a for a, _ in times) / statistics.median(b for _, b in times)
    assert 0.7 < ratio < 1.4
