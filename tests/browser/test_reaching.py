"""The links that a page shows lead where the table can be reached, not to where the page came from."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from tests import debian
from tests.browser.catalogue import say
from tests.browser.people import Person
from tests.ports import free_port


def test_the_shared_screens_link_is_the_tables_though_the_host_sits_at_localhost(host, phone) -> None:
    table = host("--public-url", "https://example.org/uno")
    ana = Person(phone(), "Ana")
    ana.enter(table.at("http://localhost", host=True))
    count = len(table.ready["urls"])
    code = ana.see("qr").locator("path")
    shown = set()
    for number in range(1, count + 1):
        # It says what it leads to: which of these depends on this machine's addresses.
        other = urlsplit(table.ready["urls"][number % count]).netloc
        said = ana.see("other-link").inner_text()
        assert said in {
            say("es", "lobby.other.near"),
            say("es", "lobby.other.far"),
            say("es", "lobby.other.same", address=other),
        }
        shown.add(code.get_attribute("d"))
        ana.tap("other-link")
        ana.page.wait_for_timeout(100)
    assert len(shown) == count, "each link has a code of its own"
    ana.tap("menu")
    ana.tap("menu-host")
    ana.tap("menu-screen")
    assert ana.see("screen-link").inner_text() == table.ready["mesa_url"]
    assert table.ready["mesa_url"].startswith("https://example.org/uno/mesa#")


HAPROXY = """\
defaults
  mode http
  timeout connect 5s
  timeout client 60s
  timeout server 60s
frontend web
  bind 127.0.0.1:{front}
  acl ours path_beg /uno/ or path /uno
  {strip}
  default_backend host
backend host
  server penultima 127.0.0.1:{back}
"""


@pytest.fixture
def haproxy(tmp_path: Path) -> Iterator[Callable[..., None]]:
    """`haproxy(front, back, strip=True)`: a real reverse proxy with the table in a folder of it."""
    try:
        program = debian.ensure("haproxy")[0]
    except debian.NotInstalled as error:
        pytest.skip(str(error))
    running: list[subprocess.Popen[bytes]] = []

    def start(front: int, back: int, *, strip: bool) -> None:
        rewrite = r"http-request replace-path /uno/(.*) /\1" if strip else ""
        config = tmp_path / "haproxy.cfg"
        config.write_text(HAPROXY.format(front=front, back=back, strip=rewrite))
        running.append(subprocess.Popen([program, "-db", "-f", str(config)]))
        end = time.monotonic() + 10
        while time.monotonic() < end:
            with suppress(OSError), socket.create_connection(("127.0.0.1", front), 1):
                return
            time.sleep(0.05)
        pytest.fail("haproxy does not listen")

    yield start
    for each in running:
        each.terminate()
        each.wait(10)


@pytest.mark.parametrize("strip", [True, False], ids=["taken-off", "left-in"])
def test_a_table_in_a_folder_of_a_web_server_is_played_like_any_other(
    host, phone, haproxy, strip
) -> None:
    front = free_port()
    base = f"http://localhost:{front}/uno"
    table = host("--public-url", base)
    haproxy(front, table.port, strip=strip)
    ana, beto = Person(phone(), "Ana"), Person(phone(), "Beto")
    ana.enter(table.ready["host_url"])
    beto.enter(table.ready["url"])
    ana.press("start")
    for person in (ana, beto):
        person.see("table").wait_for()
    assert all(url.startswith(f"{base}/") for url in ana.phone.requests)
    screen = phone(size=(1280, 720))
    screen.goto(table.ready["mesa_url"])
    screen.page.locator('[data-testid="mesa"][data-phase="round"]').wait_for()
