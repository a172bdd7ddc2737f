"""`penultima doctor`: what it finds, what it advises, and that it asks nobody else."""

from __future__ import annotations

import json
import socket
import ssl
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import aiohttp
import pytest
from aiohttp import web
from aioice import stun as packets

from penultima.host import cli, doctor, firewall
from penultima.host.doctor import Doctor, Finding
from penultima.host.firewall import NONE, Wall
from penultima.host.options import Options
from penultima.host.phrases import LANGUAGES, Phrases
from tests.host.test_certificate import made
from tests.ports import free_port

SAY = Phrases("en")


@pytest.fixture(autouse=True)
def calm(monkeypatch: pytest.MonkeyPatch) -> None:
    """This machine's own firewall is no part of these tests."""

    async def look(_port: int) -> list[Wall]:
        return [NONE]

    monkeypatch.setattr(firewall, "look", look)
    monkeypatch.setattr("penultima.host.addresses.own", lambda: ["192.168.1.7", "10.8.0.2"])


def asked_for(*arguments: str) -> Options:
    parser = cli.options.parser("penultima doctor", "", "", (), cli.options.OF_TABLES)
    return cli.options.options(cli.options.read(parser, ["--lang", "en", *arguments]))


async def found(*arguments: str) -> tuple[dict[str, Finding], Doctor]:
    visit = Doctor(asked_for("--port", str(free_port()), *arguments), SAY)
    return {each.check: each for each in await visit.examine()}, visit


async def test_with_nothing_special_all_is_well_and_nobody_is_asked() -> None:
    checks, visit = await found()
    assert {each.level for name, each in checks.items() if name != "page"} == {"ok"}
    assert set(checks) == {"page", "addresses", "port", "firewall", "clock"}
    assert "192.168.1.7" in checks["addresses"].text
    assert visit.asked == []


async def test_the_options_of_a_table_or_a_club_change_nothing() -> None:
    checks, visit = await found("--title", "Uno", "--rules", "classic", "--new", "--node", "b")
    assert {each.level for name, each in checks.items() if name != "page"} == {"ok"}
    assert visit.asked == []


def test_its_help_is_about_what_it_checks(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        cli.main(["doctor", "--help"])
    told = capsys.readouterr().out
    assert "--public-url" in told
    assert "--title" not in told


async def test_an_address_that_only_this_machine_has_is_said() -> None:
    checks, _ = await found("--host", "127.0.0.1")
    assert checks["addresses"].level == "warn"
    assert "--host" in checks["addresses"].remedy
    checks, _ = await found("--host", "127.0.0.1", "--public-url", "http://127.0.0.1:9")
    assert checks["addresses"].level == "ok"
    assert "refused" in checks["public"].text


async def test_an_address_that_this_machine_has_not_is_no_busy_port() -> None:
    for address in ("192.0.2.77", "not.an.address.invalid"):
        checks, _ = await found("--host", address)
        assert checks["port"].level == "bad"
        assert checks["port"].text == SAY("bind_bad", host=address)


async def test_no_network_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("penultima.host.addresses.own", list)
    checks, _ = await found()
    assert checks["addresses"].level == "bad"
    assert "Wi-Fi" in checks["addresses"].remedy


async def test_a_busy_port_is_told_from_one_that_is_ours(
    host: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(doctor, "SECONDS", 0.3)
    with socket.socket() as other:
        other.bind(("0.0.0.0", 0))
        other.listen()
        busy = asked_for("--port", str(other.getsockname()[1]))
        checks = {each.check: each for each in await Doctor(busy, SAY).examine()}
    assert checks["port"].level == "bad"
    assert "--port" in checks["port"].remedy
    ours = Doctor(asked_for("--port", str(host.port)), SAY)
    checks = {each.check: each for each in await ours.examine()}
    assert checks["port"] == Finding("port", "ok", f"A Penúltima is open on port {host.port} already.")


# -------------------------------------------------------------------------- public address


@pytest.fixture
async def server() -> AsyncIterator[Callable[..., Any]]:
    """`server(handler)` answers every GET; its address."""
    runners = []

    async def start(handler: Any, context: ssl.SSLContext | None = None) -> str:
        made_app = web.Application()
        made_app.router.add_get("/{path:.*}", handler)
        runner = web.AppRunner(made_app, shutdown_timeout=0.2)
        await runner.setup()
        runners.append(runner)
        port = free_port()
        await web.TCPSite(runner, "127.0.0.1", port, ssl_context=context).start()
        return f"{'https' if context else 'http'}://localhost:{port}"

    yield start
    for each in runners:
        await each.cleanup()


async def test_a_public_address_that_leads_here_is_told_from_others(server: Callable[..., Any]) -> None:
    port = free_port()

    async def forward(request: web.Request) -> web.Response:
        async with aiohttp.ClientSession() as client, client.get(f"http://127.0.0.1:{port}{request.path}") as answer:
            return web.Response(body=await answer.read(), content_type="application/json")

    async def router(_request: web.Request) -> web.Response:
        return web.Response(text="<h1>Your router</h1>", content_type="text/html")

    async def gone(_request: web.Request) -> web.Response:
        return web.Response(status=502)

    good, other, down = [await server(each) for each in (forward, router, gone)]
    nowhere = f"http://localhost:{free_port()}"
    options = asked_for("--port", str(port), *(f"--public-url={each}" for each in (good, other, down, nowhere)))
    visit = Doctor(options, SAY)
    checks = [each for each in await visit.examine() if each.check == "public"]
    assert [each.level for each in checks] == ["ok", "bad", "bad", "bad"]
    assert checks[0].text == f"{good} leads to this machine."
    assert "HTTP 502" in checks[2].text
    assert f"port {port}" in checks[3].remedy
    assert visit.asked == [good, other, down, nowhere]


async def test_a_public_certificate_that_no_phone_takes_is_said(
    server: Callable[..., Any], tmp_path: Path
) -> None:
    async def fine(_request: web.Request) -> web.Response:
        return web.json_response({"ok": True})

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*made(tmp_path, "localhost"))
    checks, _ = await found("--public-url", await server(fine, context))
    assert checks["public"].level == "bad"
    assert "no good for a phone" in checks["public"].text


@pytest.mark.parametrize(
    ("names", "days", "level", "says"),
    [
        (("uno.example.org",), (-1, 90), "ok", "uno.example.org"),
        (("192.168.9.9",), (-1, 90), "warn", "is not for 192.168.1.7"),
        (("uno.example.org",), (-1, 3), "warn", "expires on"),
        (("uno.example.org",), (-9, -1), "bad", "expired on"),
        (("uno.example.org",), (1, 9), "bad", "clock"),
    ],
)
async def test_the_own_certificate(
    tmp_path: Path, names: tuple[str, ...], days: tuple[int, int], level: str, says: str
) -> None:
    cert, key = made(tmp_path, *names, days=days)
    checks, _ = await found("--tls-cert", str(cert), "--tls-key", str(key))
    assert checks["certificate"].level == level
    assert says in checks["certificate"].text
    missing, _ = await found("--tls-cert", str(tmp_path / "none.pem"))
    assert missing["certificate"].level == "bad"


async def test_with_a_certificate_the_link_has_its_name(tmp_path: Path) -> None:
    cert, key = made(tmp_path, "uno.example.org", days=(-1, 90))
    checks, _ = await found("--tls-cert", str(cert), "--tls-key", str(key))
    assert checks["addresses"].text.startswith("Address for the link: uno.example.org (all: ")


async def test_a_tunnel_that_is_not_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    checks, visit = await found("--tunnel", "cloudflared")
    assert checks["tunnel"].level == "bad"
    assert "https://" in checks["tunnel"].text
    program = tmp_path / "cloudflared"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    checks, visit = await found("--tunnel", "cloudflared")
    assert checks["tunnel"].level == "ok"
    assert visit.asked == []


# ------------------------------------------------------------------- STUN, TURN, PeerServer


class FakeStun:
    """Answers a binding request with `outer`, or with what it really saw."""

    def __init__(self, outer: tuple[str, int] | None = None) -> None:
        self.outer = outer

    def connection_made(self, transport: Any) -> None:
        self.transport = transport

    def connection_lost(self, _exc: Exception | None) -> None:
        pass

    def datagram_received(self, data: bytes, address: tuple[str, int]) -> None:
        asked = packets.parse_message(data)
        answer = packets.Message(packets.Method.BINDING, packets.Class.RESPONSE, asked.transaction_id)
        answer.attributes["XOR-MAPPED-ADDRESS"] = self.outer or address
        self.transport.sendto(bytes(answer), address)


@pytest.fixture
async def reflectors() -> AsyncIterator[Callable[..., Any]]:
    import asyncio

    transports = []

    async def start(outer: tuple[str, int] | None, host: str = "127.0.0.1") -> str:
        loop = asyncio.get_running_loop()
        transport, _ = await loop.create_datagram_endpoint(lambda: FakeStun(outer), local_addr=(host, 0))  # type: ignore[arg-type,return-value]
        transports.append(transport)
        return f"stun:{host}:{transport.get_extra_info('sockname')[1]}"

    yield start
    for each in transports:
        each.close()


@pytest.mark.parametrize(
    ("outers", "level", "says"),
    [
        ([("203.0.113.5", 4000)], "ok", "203.0.113.5"),
        ([("203.0.113.5", 4000)] * 2, "ok", "direct way"),
        ([("203.0.113.5", 4000), ("203.0.113.5", 4001)], "warn", "symmetric"),
    ],
)
async def test_the_kind_of_nat_is_told(
    reflectors: Callable[..., Any], outers: list[tuple[str, int]], level: str, says: str
) -> None:
    servers = [await reflectors(outer, f"127.0.0.{k + 1}") for k, outer in enumerate(outers)]
    checks, visit = await found(*(f"--stun={server}" for server in servers))
    assert (checks["nat"].level, says in checks["nat"].text) == (level, True), checks["nat"]
    assert visit.asked == servers


async def test_servers_that_do_not_answer_are_named() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as deaf:
        deaf.bind(("127.0.0.1", 0))
        port = deaf.getsockname()[1]
        checks, visit = await found(
            f"--stun=stun:127.0.0.1:{port}", f"--turn=turn:127.0.0.1:{port}", "--turn-secret", "s",
            "--peer", "--site", "https://x.example", "--peer-server", f"http://localhost:{free_port()}",
        )  # fmt: skip
    assert [checks[name].level for name in ("nat", "turn", "peer-server")] == ["bad"] * 3
    assert "UDP" in checks["nat"].remedy
    assert f"stun:127.0.0.1:{port}: no answer" in checks["nat"].text
    assert checks["turn"].text.endswith("gives no relay: no way there.")
    assert "coturn" in checks["turn"].remedy
    assert "--peer-server" in checks["peer-server"].remedy
    assert len(visit.asked) >= 3


@pytest.mark.parametrize(("ahead", "level"), [(0, "ok"), (3600, "bad"), (-3600, "bad")])
async def test_the_peer_servers_clock_is_compared(
    server: Callable[..., Any], ahead: int, level: str
) -> None:
    import email.utils

    async def own_id(request: web.Request) -> web.Response:
        assert request.path == "/peerjs/id"
        date = email.utils.formatdate(time.time() + ahead, usegmt=True)
        return web.Response(text="6e2b1b1c-1d2e", headers={"Date": date})

    checks, _ = await found(
        "--peer", "--site", "https://x.example", "--stun", "stun:127.0.0.1:1",
        "--peer-server", await server(own_id),
    )  # fmt: skip
    assert checks["peer-server"].level == "ok"
    assert checks["clock"].level == level


# ------------------------------------------------------------------------------- firewalls

TUPLE = "### tuple ### allow {} {} 0.0.0.0/0 any 0.0.0.0/0 in\n"


@pytest.mark.parametrize(
    ("conf", "rules", "wall"),
    [
        ("ENABLED=no\n", "", None),
        ("ENABLED=yes\n", None, Wall("ufw", None, "sudo ufw allow 8765/tcp")),
        ("ENABLED=yes\n", TUPLE.format("tcp", 22), Wall("ufw", False, "sudo ufw allow 8765/tcp")),
        ("ENABLED=yes\n", TUPLE.format("tcp", 8765), Wall("ufw", True)),
        ("ENABLED=yes\n", TUPLE.format("any", "8000:9000"), Wall("ufw", True)),
        ("ENABLED=yes\n", TUPLE.format("tcp", "80,8765"), Wall("ufw", True)),
        ("ENABLED=yes\n", TUPLE.format("udp", 8765), Wall("ufw", False, "sudo ufw allow 8765/tcp")),
    ],
)
def test_ufw(tmp_path: Path, conf: str, rules: str | None, wall: Wall | None) -> None:
    (tmp_path / "ufw.conf").write_text(conf)
    if rules is not None:
        (tmp_path / "user.rules").write_text(rules)
    assert firewall.ufw(8765, tmp_path) == wall
    assert firewall.ufw(8765, tmp_path / "none") is None


def telling(**answers: tuple[int, str] | None) -> Any:
    async def run(*command: str) -> tuple[int, str] | None:
        words = " ".join(command)
        return next((answer for key, answer in answers.items() if key.replace("_", "-") in words), None)

    return run


async def test_firewalld() -> None:
    assert await firewall.firewalld(8765, telling()) is None
    assert await firewall.firewalld(8765, telling(state=(252, "not running\n"))) is None
    on = {"state": (0, "running\n")}
    assert await firewall.firewalld(8765, telling(**on, query=(0, "yes\n"))) == Wall("firewalld", True)
    shut = Wall("firewalld", False, "sudo firewall-cmd --add-port=8765/tcp")
    assert await firewall.firewalld(8765, telling(**on, query=(1, "no\n"))) == shut


async def test_nftables() -> None:
    head = "table inet filter {\n chain input {\n type filter hook input priority filter; policy %s;\n %s\n }\n}\n"
    assert await firewall.nft(8765, telling()) is None
    assert await firewall.nft(8765, telling(nft=(1, "Operation not permitted"))) is None
    assert await firewall.nft(8765, telling(nft=(0, head % ("accept", "")))) is None
    for rule in ("tcp dport 8765 accept", "tcp dport { 22, 8765 } counter accept"):
        assert await firewall.nft(8765, telling(nft=(0, head % ("drop", rule)))) == Wall("nftables", True)
    unknown = await firewall.nft(8765, telling(nft=(0, head % ("drop", "tcp dport 18765 accept"))))
    assert unknown is not None
    assert unknown.open is None


# ----------------------------------------------------------------------------- the command


@pytest.mark.parametrize("lang", LANGUAGES)
def test_it_prints_what_to_do_and_ends_with_a_status(
    lang: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(doctor.app, "packaged_client", lambda: tmp_path)
    (tmp_path / "index.html").write_text("")
    port = str(free_port())
    assert cli.main(["doctor", "--lang", lang, "--port", port]) == 0
    said = capsys.readouterr().out
    assert said.splitlines()[-1] == Phrases(lang)("dr_well")
    assert said.splitlines()[-2] == Phrases(lang)("dr_asked_nobody")
    monkeypatch.setenv("PATH", str(tmp_path))
    assert cli.main(["doctor", "--lang", lang, "--port", port, "--tunnel", "ngrok", "--json"]) == 1
    told = json.loads(capsys.readouterr().out)
    assert told["ok"] is False
    assert told["asked"] == []
    assert [each["check"] for each in told["checks"] if each["level"] == "bad"] == ["tunnel"]
