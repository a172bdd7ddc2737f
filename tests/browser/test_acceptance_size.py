"""What the first page weighs. Sizes are no timing: they hold on any machine."""

from __future__ import annotations

from typing import Any

MOST = 150_000
SCRIPT = 70_000
REQUESTS = 12


def test_the_first_page_is_light_and_leaves_the_practice_engine_alone(host, phone) -> None:
    guest = phone()
    wire = guest.context.new_cdp_session(guest.page)
    wire.send("Network.enable")
    kinds: dict[str, tuple[str, str]] = {}
    sizes: dict[str, float] = {}

    def answered(event: dict[str, Any]) -> None:
        kinds[event["requestId"]] = (event["type"], event["response"]["url"])

    wire.on("Network.responseReceived", answered)
    wire.on(
        "Network.loadingFinished",
        lambda event: sizes.update({event["requestId"]: event["encodedDataLength"]}),
    )
    guest.goto(host().url)
    guest.page.get_by_test_id("name-input").wait_for()
    guest.page.wait_for_load_state("networkidle")
    assert sum(sizes.values()) <= MOST
    assert sum(size for each, size in sizes.items() if kinds[each][0] == "Script") <= SCRIPT
    assert len(sizes) <= REQUESTS
    names = [url.rsplit("/", 1)[-1] for _, url in kinds.values()]
    assert not [name for name in names if name.startswith(("practice", "python", "penultima-"))]
