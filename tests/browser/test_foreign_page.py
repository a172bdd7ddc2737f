"""A page of somebody else, open in the browser of a guest or of the host, reaches nothing."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

ATTACK = """
async ({base, code, secret, hostKey}) => {
  const found = {};
  const asked = async (name, path, options) => {
    try {
      const answer = await fetch(base + path, options);
      found[name] = answer.type === "opaque" ? "opaque" : `${answer.status} ${(await answer.text()).slice(0, 40)}`;
    } catch (error) {
      found[name] = "failed";
    }
  };
  await asked("page", "/", {});
  await asked("blind", "/", {mode: "no-cors"});
  await asked("health", "/healthz", {});
  await asked("post", "/", {method: "POST", body: "start"});
  await asked("put", "/ws/" + code, {method: "PUT", body: "{}", headers: {"Content-Type": "application/json"}});
  found.socket = await new Promise((done) => {
    const socket = new WebSocket(base.replace("http", "ws") + "/ws/" + code);
    socket.onopen = () => {
      socket.send(JSON.stringify({t: "hello", v: 1, secret, host: hostKey}));
    };
    socket.onmessage = (event) => done("answered " + event.data);
    socket.onclose = () => done("closed");
    setTimeout(() => done("nothing"), 3000);
  });
  const frame = document.createElement("iframe");
  frame.src = base + "/#" + code + "." + secret;
  document.body.append(frame);
  await new Promise((done) => { frame.onload = done; setTimeout(done, 2000); });
  try {
    found.frame = frame.contentDocument?.querySelector("input") ? "the page" : "empty";
  } catch (error) {
    found.frame = "closed off";
  }
  const script = document.createElement("script");
  script.src = base + "/healthz";
  document.body.append(script);
  await new Promise((done) => { script.onload = script.onerror = done; });
  return found;
}
"""


@pytest.fixture
def elsewhere() -> Iterator[int]:
    """Another web server on this machine; its port."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.end_headers()
            self.wfile.write(b"<!doctype html><title>Elsewhere</title><body>")

        def log_message(self, *arguments: object) -> None: ...

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server.server_address[1]
    server.shutdown()
    server.server_close()


def attack(page: Page, base: str, host: Any) -> dict[str, str]:
    code, secret, key = host.ready["host_url"].partition("#")[2].split(".")
    found: dict[str, str] = page.evaluate(
        ATTACK, {"base": base, "code": code, "secret": secret, "hostKey": key}
    )
    return found


def test_a_foreign_page_reaches_nothing_even_if_it_knows_the_link(
    host: Callable[..., Any], browser: Browser, elsewhere: int
) -> None:
    """It may send what any page may; it reads nothing, and the table does not move."""
    running = host("--no-rtc")
    context = browser.new_context()
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{elsewhere}/")
    found = attack(page, f"http://127.0.0.1:{running.port}", running)
    context.close()
    assert found.pop("blind") in {"failed", "opaque"}, "it arrives, and nobody may read the answer"
    assert found == {
        "page": "failed", "health": "failed", "post": "failed", "put": "failed",
        "socket": "closed", "frame": "empty",
    }  # fmt: skip
    assert not [event for event in running.events if event["event"] == "joined"]


def test_a_name_that_is_turned_round_to_the_host_reaches_nothing(
    host: Callable[..., Any], launch: Callable[..., Browser]
) -> None:
    """DNS rebinding: the page's own name leads to the host by now, so to the browser it is the same."""
    running = host("--no-rtc")
    context = launch("--host-resolver-rules=MAP evil.example 127.0.0.1").new_context()
    page = context.new_page()
    base = f"http://evil.example:{running.port}"
    page.route(
        f"{base}/bait",
        lambda route: route.fulfill(body="<!doctype html><body>", content_type="text/html"),
    )
    response = page.goto(base)
    assert response is not None
    assert response.status == 421, "the name does lead to the host"
    page.goto(f"{base}/bait")
    found = attack(page, base, running)
    context.close()
    assert found.pop("socket") == "closed"
    assert found.pop("frame") in {"empty", "closed off"}
    for name, answer in found.items():
        refused = answer.startswith("421 This host does not go by that name")
        assert refused or answer == "failed", name
    assert not [event for event in running.events if event["event"] == "joined"]
