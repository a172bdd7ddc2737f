"""The practice table in Firefox: the same Python, another browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from penultima.host import site
from penultima.host.app import packaged_client
from tests import debian
from tests.browser import firefox, solo

READY = '[data-testid="solo-progress"][data-at="ready"][data-device="true"]'
TABLE = '[data-testid="table"][data-phase="round"]'


@pytest.fixture
def program() -> str:
    try:
        return firefox.ensure()
    except debian.NotInstalled as error:
        pytest.skip(f"{error}, or set {firefox.VARIABLE}")


@pytest.mark.alone
@pytest.mark.timeout(600)
def test_in_firefox_a_round_is_played_alone_and_again_without_the_server(
    program: str, tmp_path: Path
) -> None:
    site.write(tmp_path / "www", packaged_client())
    with firefox.firefox(program, tmp_path / "profile") as page:
        with solo.serve(tmp_path / "www") as (address, _):
            page.goto(f"{address}/#solo")
            page.wait(READY, 240)
            page.evaluate(
                """for (const label of document.querySelectorAll("label, button"))
                  if (/^(1|rápido|difícil)$/.test(label.innerText.trim())) label.click();"""
            )
            page.press("solo-start")
            page.wait(TABLE)
            page.evaluate(solo.PLAYER + ";")
            page.wait('[data-testid="round-end"], [data-testid="match-end"]', 120)
            page.evaluate("clearInterval(window.__plays)")
        # The server is gone.
        page.goto(f"{address}/#solo")
        page.reload()
        page.wait(READY + '[data-remembered="true"]', 240)
        page.press("solo-start")
        page.wait(TABLE)
        # Whoever begins may have made us draw by now.
        assert page.evaluate("document.querySelectorAll('button.held').length") >= 7
