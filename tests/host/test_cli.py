"""The program as a person starts it: options, the port, the end."""

import asyncio
import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from ipaddress import ip_network
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from penultima import __version__
from penultima.host import archive, cli, ice, listening, serve, single
from penultima.host.links import PeerServer
from penultima.host.options import Options, UsageError
from penultima.host.phrases import Phrases
from penultima.host.voices import PlainVoice
from tests.host.phones import Phone
from tests.host.terminal import terminal

PROGRAM = [sys.executable, "-m", "penultima"]


@pytest.fixture
def clean(tmp_path: Path) -> dict[str, str]:
    """An environment without wishes of its own."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PENULTIMA_")}
    return kept | {"HOME": str(tmp_path), "XDG_STATE_HOME": str(tmp_path), "LC_ALL": "C.UTF-8"}


@pytest.fixture
def start(clean: dict[str, str]) -> Iterator[Callable[..., Any]]:
    """Starts the program; ends what a test leaves running."""
    running: list[subprocess.Popen[str]] = []

    def run(*arguments: str, **options: Any) -> subprocess.Popen[str]:
        process = subprocess.Popen(
            [*PROGRAM, *arguments],
            env=clean | options.pop("env", {}),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            **options,
        )
        running.append(process)
        return process

    yield run
    for process in running:
        with contextlib.suppress(ProcessLookupError):
            process.kill()
        process.communicate()


def ready(process: subprocess.Popen[str]) -> dict[str, Any]:
    assert process.stdout is not None
    event: dict[str, Any] = json.loads(process.stdout.readline())
    assert event["event"] == "ready"
    return event


@pytest.mark.slow
def test_a_table_goes_on_and_ends_in_order_when_nobody_reads_its_lines(
    start: Callable[..., Any],
) -> None:
    process = start("--port", "0", "--no-rtc", "--lang", "en")
    assert process.stdout.readline().startswith("Penúltima")
    assert process.stdout.readline().startswith("READY")
    process.stdout.close()
    process.send_signal(signal.SIGTERM)
    assert process.wait(20) == 0
    assert process.stderr.read() == ""


# -------------------------------------------------------------------------------- options


@pytest.mark.parametrize(
    ("given", "link"),
    [
        ("https://ñandú.example/uno/", "https://xn--and-6ma2c.example/uno"),
        ("HTTPS://A.example:8443", "https://A.example:8443"),
        ("http://[fd00::7]:8765", "http://[fd00::7]:8765"),
    ],
)
def test_a_public_address_is_taken_as_a_browser_asks_for_it(given: str, link: str) -> None:
    assert cli.parse(["--public-url", given]).public_urls == (link,)


def test_the_usual_options() -> None:
    assert cli.parse([]).port is None
    options = cli.parse(
        ["--port", "0", "--host", "127.0.0.1", "--public-url", "https://a.example/", "--no-rtc",
         "--public-url", "http://b.example:8080", "--rules", "classic stacking=same", "--lang", "es",
         "--title", "T", "--fast", "--json", "--seed", "7",
         "--tunnel", "ngrok", "--tls-cert", "c.pem", "--tls-key", "k.pem",
         "--trust-proxy", "127.0.0.1,10.0.0.0/8", "--public-url", "https://c.example/a/b/",
         "--position", "case.partida", "--journal", "j.sqlite3", "--no-journal", "--new"]
    )  # fmt: skip
    assert options == Options(
        port=0, bind="127.0.0.1", title="T", rules="classic stacking=same", lang="es",
        seed="7", position="case.partida", fast=True, json=True, rtc=False,
        journal="j.sqlite3", keep=False, new=True,
        public_urls=("https://a.example", "http://b.example:8080", "https://c.example/a/b"),
        tunnel="ngrok", tls_cert="c.pem", tls_key="k.pem",
        trust_proxy=(ip_network("127.0.0.1/32"), ip_network("10.0.0.0/8")),
    )  # fmt: skip
    assert cli.parse(["--bind", "::1"]).bind == "::1"
    assert cli.parse(["--resume", "aaaaaa"]).resume == "aaaaaa"


def test_every_option_has_a_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    wishes = {
        "PORT": "0", "HOST": "127.0.0.1", "PUBLIC_URL": "https://a.example https://b.example",
        "TITLE": "T", "RULES": "party", "LANG": "pt-BR", "SEED": "7", "FAST": "1",
        "JSON": "yes", "NO_RTC": "0", "POSITION": "case.partida",
        "TUNNEL": "tailscale", "TLS_CERT": "c.pem", "TLS_KEY": "k.pem", "TRUST_PROXY": "::1",
        "JOURNAL": "j.sqlite3", "NO_JOURNAL": "0", "NEW": "", "RESUME": "aaaaaa",
        "STUN": "stun:a.example stun:b.example:99", "TURN": "turns:a.example",
        "TURN_SECRET": "s", "TURN_USER": "", "TURN_PASSWORD": "",
        "PEER": "1", "PEER_SERVER": "peer.example:9000", "SITE": "https://ana.github.io/uno",
    }  # fmt: skip
    for name, value in wishes.items():
        monkeypatch.setenv(f"PENULTIMA_{name}", value)
    options = cli.parse(["--title", "U"])
    assert options == Options(
        port=0, bind="127.0.0.1", title="U", rules="party", lang="pt-BR", seed="7",
        position="case.partida", fast=True, json=True, rtc=True, public_urls=("https://a.example", "https://b.example"),
        journal="j.sqlite3", resume="aaaaaa",
        ice=ice.read(["stun:a.example", "stun:b.example:99"], ["turns:a.example"], secret="s"),
        peer=True, peer_server=PeerServer("peer.example:9000"), site="https://ana.github.io/uno/",
        tunnel="tailscale", tls_cert="c.pem", tls_key="k.pem",
        trust_proxy=(ip_network("::1/128"),),
    )  # fmt: skip
    flags = {
        flag for action in parser_actions() for flag in action if flag not in {"--help", "--version"}
    }
    known = {"--" + name.lower().replace("_", "-") for name in wishes} | {"--bind"}
    assert flags == known, "an option without a variable, or the other way round"


def parser_actions() -> list[list[str]]:
    text = subprocess.run([*PROGRAM, "--help"], capture_output=True, text=True, check=True).stdout
    return [
        [word.strip(",") for word in line.split() if word.startswith("--")]
        for line in text.splitlines()
        if line.startswith("  -")
    ]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--port", "abc"], "abc is no port"),
        (["--port", "70000"], "70000 is no port"),
        (["--nonsense"], "--nonsense"),
        (["--resume", "aaaaaa", "--new"], "--resume goes neither"),
        (["--resume", "aaaaaa", "--no-journal"], "--resume goes neither"),
        (["--journal", "/dev/null/journal"], "/dev/null/journal"),
        (["--resume", "nosuch"], "no table nosuch"),
        (["--lang", "xx"], "xx"),
        (["--public-url", "example.org"], "like https://"),
        (["--public-url", "https://a.example/a//b"], "like https://"),
        (["--public-url", "https://a.example/../b"], "like https://"),
        (["--public-url", "https://a.example/ws/x"], "like https://"),
        (["--public-url", "https://a.example/a?b=c"], "like https://"),
        (["--tunnel", "nonsense"], "nonsense"),
        (["--tls-key", "k.pem"], "--tls-key needs --tls-cert"),
        (["--tls-cert", "/nowhere/cert.pem"], "cannot read /nowhere/cert.pem: No such file"),
        (["--trust-proxy", "127.0.0.1,nonsense"], "nonsense is no address"),
        (["--public-url", "https://a.example:99999"], "like https://"),
        (["--public-url", "https://a b.example"], "like https://"),
        (["--public-url", "https://ana@a.example"], "like https://"),
        (["--public-url", "https://a.example/mesa"], "like https://"),
        (["--public-url", "https://a.example/ws/"], "like https://"),
        (["--stun", "stun.example.org"], "like stun:stun.example.org:3478"),
        (["--turn", "turn:a.example"], "--turn needs --turn-secret"),
        (["--rules", "classic stacking=maybe"], "stacking"),
        (["--rules", "nonsense"], "nonsense"),
        (["--position", "no-such.partida", "--port", "0"], "no-such.partida: No such file"),
        (["--position", "/dev/null", "--port", "0"], "/dev/null:1: players: is missing"),
        (["--host", "203.0.113.77", "--port", "0"], "203.0.113.77"),
        (["--host", "no such name.invalid", "--port", "0"], "no such name"),
    ],
)
def test_a_mistake_is_one_clear_line(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["--json", "--lang", "en", *arguments]) in {1, 2}
    told = capsys.readouterr()
    assert len(told.err.splitlines()) == 1
    assert told.err.startswith("penultima: ")
    assert says in told.err


def test_version() -> None:
    done = subprocess.run([*PROGRAM, "--version"], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == f"penultima {__version__}"


@pytest.mark.parametrize("command", ["", "play", "tables", "export", "import", "replay", "site", "doctor"])
@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_every_command_has_help(
    command: str, flag: str, tmp_path: Path, capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(archive, "default_path", lambda: tmp_path / "none" / "journal.sqlite3")
    try:
        status = cli.main([*command.split(), flag])
    except SystemExit as end:  # argparse's own way out
        status = end.code
    assert status == 0
    told = capsys.readouterr()
    assert told.err == ""
    assert told.out.startswith(f"usage: penultima {command}".rstrip().removesuffix(" play"))
    assert len(told.out.splitlines()) > 4, "a sentence too, not the usage alone"
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("command", ["tables", "export", "import"])
def test_a_mistake_in_a_command_is_one_line(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main([command, "--nonsense"]) == 2
    told = capsys.readouterr().err
    assert len(told.splitlines()) == 1
    assert told.endswith(f"(see penultima {command} --help)\n")


def test_nothing_heavy_is_loaded_before_the_first_line() -> None:
    program = (
        "import sys; from penultima.host import cli; cli.parse([]); "
        "print([m for m in ('aiohttp', 'aiortc', 'rich', 'pydantic', 'asyncio', 'segno', 'ssl') "
        "if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]", done.stderr


async def test_what_fails_beside_the_tables_stands_in_the_log(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async def failing() -> None:
        raise ZeroDivisionError

    async def lasting() -> None:
        await asyncio.Event().wait()

    failed, ended = serve._beside(failing(), "heartbeat"), serve._beside(lasting(), "lag")
    await asyncio.wait([failed])
    ended.cancel()
    await asyncio.wait([ended])
    assert [record.message for record in caplog.records] == ["heartbeat has failed"]
    assert "ZeroDivisionError" in caplog.text


# ------------------------------------------------------------------------------- the port


def test_the_default_port_moves_on_when_it_is_busy(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with socket.socket() as busy:
        busy.bind(("0.0.0.0", 0))
        busy.listen()
        taken = busy.getsockname()[1]
        monkeypatch.setattr(listening, "DEFAULT_PORT", taken)
        voice = PlainVoice(sys.stdout, Phrases("en"))
        opened, port = listening.listen(Options(), Phrases("en"), voice)
        for each in opened:
            each.close()
        assert port > taken
        assert capsys.readouterr().out.strip() == f"Port {taken} is busy; using {port}."


@pytest.mark.slow
def test_a_port_that_was_asked_for_does_not() -> None:
    with socket.socket() as busy:
        busy.bind(("0.0.0.0", 0))
        busy.listen()
        taken = busy.getsockname()[1]
        done = subprocess.run(
            [*PROGRAM, "--port", str(taken), "--json", "--lang", "en"],
            capture_output=True,
            text=True,
            timeout=20,
            check=False,
        )
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr == (
        f"penultima: port {taken} is busy: close what uses it, or choose another with --port\n"
    )


def test_a_name_that_is_not_one_of_ours_is_no_address() -> None:
    with pytest.raises(UsageError):
        listening.opened("not.an.address.invalid", 0, Phrases("en"))


async def test_a_hint_when_no_phone_comes(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(single, "HINT_SECONDS", 0.05)
    voice = PlainVoice(sys.stdout, Phrases("en"))
    seen = asyncio.Event()
    seen.set()
    await single.hint(seen, voice, "hint")
    assert capsys.readouterr().out == ""
    await single.hint(asyncio.Event(), voice, Phrases("en")("hint", port=8765))
    assert "same Wi-Fi, VPN off, firewall open for port 8765?" in capsys.readouterr().out


# ---------------------------------------------------------------------------- from start to end


async def seat_somebody(event: dict[str, Any], check: Callable[[Phone], Any]) -> None:
    code, secret, *host = event["host_url"].partition("#")[2].split(".")
    async with aiohttp.ClientSession() as client:
        phone = Phone(client, f"http://127.0.0.1:{event['port']}/ws/{code}")
        await phone.open()
        await phone.hello(secret=secret, host=host[0])
        await phone.sit("Ana")
        await check(phone)
        await phone.close()


@pytest.mark.slow
async def test_ctrl_c_tells_the_phones_and_leaves(start: Callable[..., Any]) -> None:
    process = start("--port", "0", "--json", "--lang", "en")
    event = await asyncio.to_thread(ready, process)
    assert event["url"].endswith(event["host_url"].rpartition(".")[0].rpartition("#")[2])
    assert not any(bad in event["url"] for bad in ("127.", "0.0.0.0", "169.254"))

    async def check(phone: Phone) -> None:
        assert (await phone.ask(t="host", do="add_bot", value="random"))["t"] == "done"
        process.send_signal(signal.SIGINT)
        assert (await phone.hear("closed", patience=10))["code"] == "table_closed"
        async with asyncio.timeout(5):
            await phone.socket_closed.wait()

    await seat_somebody(event, check)
    out, err = await asyncio.to_thread(process.communicate, timeout=15)
    assert process.returncode == 0
    assert err == ""
    events = [json.loads(line) for line in out.splitlines()]
    assert [each["event"] for each in events] == ["joined", "joined", "note", "closed"]
    assert events[0]["name"] == "Ana"


@pytest.mark.slow
async def test_ctrl_c_twice_leaves_at_once(start: Callable[..., Any]) -> None:
    # A guest that never closes would be waited for; nobody waits for long, and twice not at all.
    process = start("--port", "0", "--json")
    event = await asyncio.to_thread(ready, process)

    async def check(phone: Phone) -> None:
        phone.vanish()
        process.send_signal(signal.SIGSTOP)  # both arrive before it can do anything
        process.send_signal(signal.SIGINT)
        process.send_signal(signal.SIGTERM)
        process.send_signal(signal.SIGCONT)
        await asyncio.to_thread(process.wait, 10)

    await seat_somebody(event, check)
    assert process.returncode in {128 + signal.SIGINT, 128 + signal.SIGTERM}


@pytest.mark.slow
def test_a_pipe_gets_plain_lines(start: Callable[..., Any]) -> None:
    process = start("--port", "0", "--lang", "es")
    lines = [process.stdout.readline().strip() for _ in range(2)]
    assert lines[0].startswith("Penúltima")
    assert lines[1].startswith("READY url=http://")
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=15)
    assert out.splitlines()[-1] == "Mesa cerrada."
    assert process.returncode == 0
    assert err == ""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")
def test_a_terminal_gets_the_screen_and_q_leaves(tmp_path: Path) -> None:
    with terminal(tmp_path, "--port", "0", "--lang", "es") as seen:
        seen.read_until("Todavía no hay nadie.")
        seen.read_until("q salir")
        assert "█".encode() in seen.seen
        seen.press("m")
        seen.read_until("/mesa#")
        seen.press("nq")
        seen.read_until("Mesa cerrada.")
        assert seen.wait() == 0
        assert seen.is_as_it_was


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")
async def test_a_window_that_is_closed_ends_the_table_in_order(tmp_path: Path) -> None:
    with terminal(tmp_path, "--port", "0", "--lang", "es") as seen:
        await asyncio.to_thread(seen.read_until, "q salir")
        found = re.search(rb"http://[\d.]+:(\d+)/#(\w+)\.(\w+)\.(\w+)", seen.seen)
        assert found is not None
        port, code, secret, host_key = (each.decode() for each in found.groups())
        async with aiohttp.ClientSession() as client:
            phone = Phone(client, f"http://127.0.0.1:{port}/ws/{code}")
            await phone.open()
            await phone.hello(secret=secret, host=host_key)
            await phone.sit("Ana")
            seen.hang_up()
            assert (await phone.hear("closed", patience=10))["code"] == "table_closed"
            assert await asyncio.to_thread(seen.wait) == 0
            await phone.close()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--peer-server", "https://p.example"], "--peer-server is for --peer"),
        (["--peer", "--no-rtc"], "--no-rtc"),
        (["--peer", "--site", "http://192.168.1.7:8000"], "https://"),
        (["--peer", "--peer-server", "ftp://x"], "--peer-server ftp://x"),
    ],
)
def test_what_does_not_go_with_peer_is_said_in_one_line(arguments: list[str], told: str) -> None:
    with pytest.raises(UsageError, match=told) as refused:
        cli.parse(arguments)
    assert "\n" not in str(refused.value)


def test_with_peer_somebody_is_asked_for_the_address_outside() -> None:
    assert not cli.parse([]).ice
    assert [str(each) for each in cli.parse(["--peer"]).ice.stun] == ["stun:stun.l.google.com:19302"]
    assert not cli.parse(["--peer", "--stun", "none"]).ice
    relayed = cli.parse(["--peer", "--turn", "turn:t.example", "--turn-secret", "s"]).ice
    assert relayed.turn
    assert not relayed.stun, "a TURN server tells the address too"


@pytest.mark.parametrize("lang", ["es", "pt-BR", "en"])
def test_without_a_site_two_lines_say_how_to_have_one(lang: str) -> None:
    run = subprocess.run([*PROGRAM, "--peer", "--no-journal", "--json", "--lang", lang], capture_output=True, text=True, check=False)
    assert run.returncode == 2
    first, *two = run.stderr.strip().splitlines()
    assert first.startswith("penultima: --peer")
    assert ["penultima site uno" in line for line in two] == [True, False]
    assert "--site https://" in two[1]


def test_a_club_is_reached_in_other_ways() -> None:
    run = subprocess.run([*PROGRAM, "club", "--peer"], capture_output=True, text=True, check=False)
    assert run.returncode == 2
    assert "--peer" in run.stderr
    assert len(run.stderr.splitlines()) == 1
