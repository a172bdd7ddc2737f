"""In WebKit, as on every iPhone: a round with the host, and alone without a server."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from penultima.host import site
from penultima.host.app import packaged_client
from tests import debian
from tests.browser import solo, webkit

pytestmark = [pytest.mark.alone, pytest.mark.timeout(600)]

READY = '[data-testid="solo-progress"][data-at="ready"]'
# In which Python starts there, also on a machine that has much else to do.
PYTHON_S = 240
TABLE = '[data-testid="table"][data-phase="round"]'
ROUND_END = '[data-testid="round-end"], [data-testid="match-end"]'
LISTEN = """(() => {
  window.__thrown = [];
  addEventListener("error", (event) => window.__thrown.push(event.message));
  addEventListener("unhandledrejection", (event) => window.__thrown.push(String(event.reason)));
})()"""


@pytest.fixture(autouse=True)
def programs() -> None:
    try:
        debian.ensure(*webkit.PACKAGES)
    except debian.NotInstalled as error:
        pytest.skip(str(error))


def test_a_round_is_played_with_the_host(host: Callable[..., Any], tmp_path: Path) -> None:
    table = host("--fast", "--rules", "classic hand_size=3")
    with webkit.webkit(tmp_path / "profile") as page:
        page.goto(table.host_url)
        page.evaluate(LISTEN)
        page.write("name-input", "Ana")
        page.press("enter")
        page.press("add-bot")
        page.press("start")
        page.wait(TABLE)
        # Whoever begins may have made us draw by now.
        assert page.evaluate("document.querySelectorAll('button.held').length") >= 3
        page.evaluate(solo.PLAYER)
        page.wait(ROUND_END, 120)
        assert page.evaluate("window.__thrown.join()") == ""
        # Whoever comes back has the seat, without being asked for a name: in the next round or before.
        page.reload()
        page.wait(f"{TABLE}, {ROUND_END}")
        assert page.evaluate("document.querySelectorAll('[data-testid=name-input]').length") == 0


def test_a_round_is_begun_alone_and_again_without_the_server(tmp_path: Path) -> None:
    site.write(tmp_path / "www", packaged_client())
    with webkit.webkit(tmp_path / "profile") as page:
        with solo.serve(tmp_path / "www") as (address, _):
            page.goto(f"{address}/#solo")
            page.evaluate(LISTEN)
            page.wait(f'{READY}[data-device="true"]', PYTHON_S)
            page.press("solo-start")
            page.wait(TABLE)
            assert page.evaluate("window.__thrown.join()") == ""
        page.goto(f"{address}/#solo")
        page.reload()
        page.wait(READY, PYTHON_S)
        page.press("solo-start")
        page.wait(TABLE)
        assert page.evaluate("document.querySelectorAll('button.held').length") >= 7
