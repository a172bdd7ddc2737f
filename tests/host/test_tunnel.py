"""Tunnels of others: found, started, read, followed, ended. What the fakes print is what people paste
of the real ones' output."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import stat
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path

import aiohttp
import pytest

from penultima.host import tunnel
from penultima.host.options import TUNNELS, UsageError
from penultima.host.phrases import LANGUAGES, Phrases
from penultima.host.tunnel import KINDS, Address, Asks, Hopeless, Tunnel
from tests.host.phones import eventually
from tests.host.program import Program

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the fakes are shell scripts")

QUICK = "https://buffalo-marco-cardiff-motel.trycloudflare.com"
CLOUDFLARED = f"""\
2026-04-18T14:06:46Z INF Thank you for trying Cloudflare Tunnel. Doing so, without a Cloudflare account, is a quick way to experiment and try it out. If you intend to use Tunnels in production you should use a pre-created named tunnel by following: https://developers.cloudflare.com/cloudflare-one/connections/connect-apps
2026-04-18T14:06:46Z INF Requesting new quick Tunnel on trycloudflare.com...
2026-04-18T14:06:49Z INF +--------------------------------------------------------------------------------------------+
2026-04-18T14:06:49Z INF |  Your quick Tunnel has been created! Visit it at (it may take some time to be reachable):  |
2026-04-18T14:06:49Z INF |  {QUICK}                                     |
2026-04-18T14:06:49Z INF +--------------------------------------------------------------------------------------------+
2026-04-18T14:06:49Z INF Version 2026.4.0
2026-04-18T14:06:50Z INF Registered tunnel connection connIndex=0 event=0 ip=198.41.200.13 location=mad01 protocol=quic
"""
CLOUDFLARED_OFFLINE = """\
2026-04-18T14:06:46Z INF Requesting new quick Tunnel on trycloudflare.com...
failed to request quick Tunnel: Post "https://api.trycloudflare.com/tunnel": dial tcp: lookup api.trycloudflare.com: no such host
"""
TAILSCALE = """\
Available on the internet:

https://amelie-workstation.pango-lin.ts.net/
|-- proxy http://127.0.0.1:8765

Press Ctrl+C to exit.
"""
TAILSCALE_OFF = """\
Funnel is not enabled on your tailnet.
To enable, visit:

         https://login.tailscale.com/f/funnel?node=nXYZ11CNTRL
"""
NGROK = (
    '{"lvl":"info","msg":"no configuration paths supplied","t":"2026-05-30T09:06:27+0000"}\n'
    '{"lvl":"info","msg":"client session established","obj":"tunnels.session","t":"2026-05-30T09:06:27+0000"}\n'
    '{"addr":"http://127.0.0.1:8765","lvl":"info","msg":"started tunnel","name":"command_line","obj":"tunnels",'
    '"t":"2026-05-30T09:06:27+0000","url":"https://8e00-35-197-38-167.ngrok-free.app"}\n'
)
NGROK_NOBODY = (
    "ERROR:  authentication failed: Usage of ngrok requires a verified account and authtoken.\n"
    "ERROR:\n"
    "ERROR:  Sign up for an account: https://dashboard.ngrok.com/signup\n"
    "ERROR:  ERR_NGROK_4018\n"
    "ERROR:  https://ngrok.com/docs/errors/err_ngrok_4018\n"
)


# --------------------------------------------------------------------------------- reading


def heard(name: str, text: str) -> list[object]:
    found = [KINDS[name].read(line) for line in text.splitlines()]
    return [each for each in found if each is not None]


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("cloudflared", CLOUDFLARED, [Address(QUICK)]),
        ("cloudflared", CLOUDFLARED_OFFLINE, []),
        ("tailscale", TAILSCALE, [Address("https://amelie-workstation.pango-lin.ts.net")]),
        ("tailscale", "Available on the internet: https://a.b-c.ts.net:8443/", [Address("https://a.b-c.ts.net:8443")]),
        ("tailscale", "See https://tailscale.com/kb/1223/funnel and https://x.ts.net/y z", []),
        (
            "tailscale",
            TAILSCALE_OFF,
            [Asks("tunnel_enable_tailscale", "https://login.tailscale.com/f/funnel?node=nXYZ11CNTRL")],
        ),
        ("tailscale", "sending serve config: Access denied: serve config denied", [Hopeless("tunnel_denied_tailscale")]),
        ("tailscale", "failed to connect to local tailscaled; it doesn't appear to be running", [Hopeless("tunnel_service_tailscale")]),
        ("tailscale", "Logged out.", [Hopeless("tunnel_login_tailscale")]),
        ("ngrok", NGROK, [Address("https://8e00-35-197-38-167.ngrok-free.app")]),
        ("ngrok", NGROK_NOBODY, [Hopeless("tunnel_login_ngrok")]),
        ("ngrok", '{"lvl":"eror","msg":"x","err":"Your account is limited to 1 simultaneous ngrok agent session.\\r\\n\\r\\nERR_NGROK_108\\r\\n"}', [Hopeless("tunnel_limit_ngrok")]),
        ("ngrok", '[1]\n"started tunnel"\n{"msg":"started tunnel","url":7}\n{"msg":"started tunnel","url":"tcp://0.tcp.ngrok.io:1"}', []),
    ],
)  # fmt: skip
def test_what_they_print_is_understood(name: str, text: str, expected: list[object]) -> None:
    assert heard(name, text) == expected


@pytest.mark.parametrize("name", TUNNELS)
@pytest.mark.parametrize("text", ["", "\x00\xff", "https://", "{", "a" * 5000, "https://evil.example/"])
def test_nothing_else_is_an_address(name: str, text: str) -> None:
    assert heard(name, text) == []


def test_each_is_asked_as_its_help_says() -> None:
    plain, own = "http://127.0.0.1:8765", "https://127.0.0.1:8765"
    asked = {name: " ".join(KINDS[name].command(plain)) for name in TUNNELS}
    assert asked == {
        "cloudflared": f"cloudflared tunnel --no-autoupdate --url {plain}",
        "tailscale": f"tailscale funnel --yes {plain}",
        "ngrok": f"ngrok http --log stdout --log-format json {plain}",
    }
    assert "--no-tls-verify" in KINDS["cloudflared"].command(own)
    assert KINDS["tailscale"].command(own)[-1] == "https+insecure://127.0.0.1:8765"


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_reason_has_its_sentence(lang: str) -> None:
    source = Path(tunnel.__file__).read_text()
    for why in set(re.findall(r'"(tunnel_\w+)"', source)):
        said = Phrases(lang)(why, name="x", url="d", why="w", seconds=1, home="h")
        assert "x" in said


# --------------------------------------------------------------------------------- running


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, str], Path]]:
    """`fake(name, script)` puts a program of that name on PATH; its folder holds what it left."""
    folder = tmp_path / "bin"
    folder.mkdir()
    monkeypatch.setenv("PATH", f"{folder}{os.pathsep}{os.environ['PATH']}")

    def make(name: str, script: str) -> Path:
        path = folder / name
        path.write_text(f'#!/bin/sh\ncd "{folder}"\necho "$@" > arguments\necho $$ >> pids\n{script}\n')
        path.chmod(path.stat().st_mode | stat.S_IXUSR)
        return folder

    yield make
    for pid in pids(folder):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
            pytest.fail(f"{pid} was left running")


def pids(folder: Path) -> list[int]:
    file = folder / "pids"
    return [int(each) for each in file.read_text().split()] if file.exists() else []


def says(text: str, *, then: str = "exec sleep 60") -> str:
    return f"cat <<'EOF'\n{text}EOF\n{then}"


@asynccontextmanager
async def running(name: str) -> AsyncIterator[tuple[Tunnel, list[object]]]:
    told: list[object] = []
    kept = Tunnel(tunnel.find(name, Phrases("en")), "http://127.0.0.1:8765", Phrases("en"))
    kept.say = told.append
    kept.on_change = lambda: told.append(("at", kept.url))
    task = asyncio.create_task(kept.run())
    try:
        yield kept, told
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


def test_what_is_not_installed_is_said_in_one_line(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    for name in TUNNELS:
        with pytest.raises(UsageError, match=f"{name} is not installed .*https://"):
            tunnel.find(name, Phrases("en"))


@pytest.mark.parametrize(
    ("name", "output", "url"),
    [
        ("cloudflared", CLOUDFLARED, QUICK),
        ("tailscale", TAILSCALE, "https://amelie-workstation.pango-lin.ts.net"),
        ("ngrok", NGROK, "https://8e00-35-197-38-167.ngrok-free.app"),
    ],
)
async def test_it_is_started_and_its_address_read(
    fake: Callable[[str, str], Path], name: str, output: str, url: str
) -> None:
    folder = fake(name, says(output))
    async with running(name) as (kept, told):
        await eventually(lambda: kept.url)
        assert kept.url == url
        assert "http://127.0.0.1:8765" in (folder / "arguments").read_text()
        assert told == [("at", url)]
    assert gone(pids(folder)), "ended with the host"


def gone(numbers: list[int]) -> bool:
    assert numbers
    for pid in numbers:
        with suppress(ProcessLookupError):
            os.kill(pid, 0)
            return False
    return True


async def test_one_that_dies_is_started_again_and_its_new_address_is_told(
    fake: Callable[[str, str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tunnel, "AGAIN_SECONDS", (0.1,))
    second = CLOUDFLARED.replace("buffalo", "second")
    fake(
        "cloudflared",
        f"if [ -e once ]; then {says(second)}\nfi\ntouch once\n"
        + says(CLOUDFLARED, then="sleep 0.2; echo 'Connection terminated'; exit 1"),
    )
    async with running("cloudflared") as (kept, told):
        await eventually(lambda: kept.url == QUICK.replace("buffalo", "second"))
        await asyncio.sleep(0.05)
    assert told[:3] == [
        ("at", QUICK),
        ("at", None),
        "cloudflared ended (Connection terminated). Starting it again in 0.1 s.",
    ]
    assert told[3] == ("at", QUICK.replace("buffalo", "second"))
    assert "send the new link" in str(told[4])


async def test_an_address_that_changes_under_way_is_followed(fake: Callable[[str, str], Path]) -> None:
    again = NGROK.replace("8e00", "9f11")
    fake("ngrok", says(NGROK, then=f"sleep 0.2\n{says(again)}"))
    async with running("ngrok") as (kept, told):
        await eventually(lambda: kept.url and "9f11" in kept.url)
        await asyncio.sleep(0.05)
    assert [each for each in told if isinstance(each, str)] == [
        "ngrok has another address: send the new link, the old one is of no use now."
    ]


@pytest.mark.parametrize(
    ("name", "output", "sentence"),
    [
        ("ngrok", NGROK_NOBODY, "ngrok config add-authtoken"),
        ("tailscale", "Logged out.\n", "tailscale up"),
    ],
)
async def test_one_that_cannot_is_not_tried_again(
    fake: Callable[[str, str], Path], monkeypatch: pytest.MonkeyPatch, name: str, output: str, sentence: str
) -> None:
    monkeypatch.setattr(tunnel, "AGAIN_SECONDS", (0.01,))
    folder = fake(name, says(output))
    async with running(name) as (_, told):
        await eventually(lambda: told)
        await asyncio.sleep(0.3)
        assert len(told) == 1
        assert sentence in str(told[0])
        await eventually(lambda: gone(pids(folder)))
    assert len(pids(folder)) == 1


async def test_one_that_asks_for_something_is_waited_for(fake: Callable[[str, str], Path]) -> None:
    fake("tailscale", says(TAILSCALE_OFF, then=f"sleep 0.3\n{says(TAILSCALE)}"))
    async with running("tailscale") as (kept, told):
        await eventually(lambda: kept.url)
    assert "https://login.tailscale.com/f/funnel?node=nXYZ11CNTRL" in str(told[0])


async def test_one_that_says_nothing_is_waited_for_and_that_is_said(
    fake: Callable[[str, str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tunnel, "SLOW_SECONDS", 0.3)
    fake("cloudflared", says("INF Requesting new quick Tunnel on trycloudflare.com...\n"))
    async with running("cloudflared") as (_, told):
        await eventually(lambda: told)
    why = "INF Requesting new quick Tunnel on trycloudflare.com..."
    assert told == [f"cloudflared has not given an address yet ({why}). Still waiting."]


async def test_one_that_floods_or_ignores_its_end_is_ended_all_the_same(
    fake: Callable[[str, str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = fake("cloudflared", "trap '' TERM\n" + says(CLOUDFLARED, then="head -c 200000 /dev/zero\nwhile :; do sleep 0.1; done"))
    async with running("cloudflared") as (kept, _):
        await eventually(lambda: kept.url)
    assert gone(pids(folder))


@pytest.mark.slow
async def test_the_host_shows_the_tunnels_address_and_lets_its_guests_in(
    fake: Callable[[str, str], Path], tmp_path: Path
) -> None:
    folder = fake("cloudflared", says(CLOUDFLARED, then="sleep 1; exec sleep 60"))
    host = await Program.start(tmp_path, "--port", "0", "--tunnel", "cloudflared")
    try:
        assert "trycloudflare" not in host.ready["url"], "nobody waits for the tunnel"
        moved = await asyncio.to_thread(host.wait_for, "moved")
        assert moved["url"] == f"{QUICK}/#{host.code}.{host.secret}"
        assert moved["host_url"] == f"{QUICK}/#{host.code}.{host.secret}.{host.host_key}"
        assert moved["mesa_url"] == f"{QUICK}/mesa#{host.code}.{host.secret}"
        assert moved["ways"][0] == {"kind": "tunnel", "name": "cloudflared"}
        assert f":{host.port}" in (folder / "arguments").read_text()
        name = QUICK.removeprefix("https://")
        headers = {"Host": name, "Origin": QUICK}
        async with aiohttp.ClientSession() as client:
            async with client.ws_connect(host.socket, headers=headers) as socket:
                await socket.send_json({"t": "hello", "v": 1, "secret": host.secret})
                welcome = await socket.receive_json()
                assert welcome["link"] == moved["url"]
            with pytest.raises(aiohttp.WSServerHandshakeError):
                await client.ws_connect(host.socket, headers=headers | {"Origin": "https://evil.example"})
        assert host.interrupt() == 0
    finally:
        host.close()
    assert gone(pids(folder))
    assert json.loads((tmp_path / "stderr").read_text() or "null") is None


@pytest.mark.slow
async def test_a_killed_host_leaves_no_tunnel_behind(
    fake: Callable[[str, str], Path], tmp_path: Path
) -> None:
    folder = fake("cloudflared", says(CLOUDFLARED))
    host = await Program.start(tmp_path, "--port", "0", "--tunnel", "cloudflared")
    await asyncio.to_thread(host.wait_for, "moved")
    host.close()
    await eventually(lambda: gone(pids(folder)))
