"""The practice table in tests: its frames, and a server of plain files as other hosts are."""

from __future__ import annotations

import http.server
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from playwright.sync_api import Page

# A worker's messages do not cross the network: they are recorded on their way through the page.
RECORD_WORKER = """
(() => {
  const Plain = window.Worker;
  window.Worker = class extends Plain {
    constructor(...args) {
      super(...args);
      this.addEventListener("message", (event) => {
        if (event.data?.say === "text") window.__frame(false, event.data.text);
      });
    }
    postMessage(message, ...rest) {
      if (message?.do === "text") window.__frame(true, message.text);
      super.postMessage(message, ...rest);
    }
  };
})();
"""

START_MS = 60_000

# What a page takes for a phone or a computer of Apple's.
IPHONE = """
Object.defineProperty(navigator, "userAgent", {
  value: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
});
"""
MAC = """
Object.defineProperty(navigator, "userAgent", {
  value: "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15",
});
Object.defineProperty(navigator, "platform", { value: "MacIntel" });
"""

# Only the options are looked at: no table is fetched.
NO_WORKER = """
window.Worker = class extends EventTarget {
  postMessage() {}
  terminate() {}
};
"""


def ready(page: Page, *, on_device: bool = True) -> None:
    """The options are there and Python has started; on a secure origin all of it is kept."""
    more = '[data-device="true"]' if on_device else ""
    page.wait_for_selector(
        f'[data-testid="solo-progress"][data-at="ready"]{more}', timeout=START_MS
    )


def begin(page: Page) -> None:
    """Press *Empezar*, and the cards are dealt."""
    page.get_by_test_id("solo-start").tap()
    page.wait_for_selector('[data-testid="table"][data-phase="round"]', timeout=START_MS)
    page.wait_for_selector('html[data-channel="worker"]', state="attached")


def pick(page: Page, group: str, text: str) -> None:
    page.get_by_role("group", name=group).get_by_text(text, exact=True).tap()


# Plays by the page's own buttons: whatever is alive, at once.
PLAYER = """
(() => {
  const at = (id) => document.querySelector(`[data-testid="${id}"]`);
  const click = (it) => {
    if (!it || it.disabled || it.getAttribute("aria-disabled") === "true") return false;
    it.click();
    return true;
  };
  window.__plays = setInterval(() => {
    if (click(at("next-round"))) return;
    if (click(at("colour-r")) || click(at("accept"))) return;
    if (at("table")?.dataset.turn !== "me") return;
    if (/ready|urgent/.test(at("uno")?.dataset.state ?? "")) click(at("uno"));
    if (click(at("play")) || click(document.querySelector("button.held.live"))) return;
    click(at("draw")) || click(at("pass"));
  }, 50);
})()
"""


class Files(http.server.SimpleHTTPRequestHandler):
    """A folder served as GitHub Pages would: no headers of ours."""

    asked: ClassVar[list[str]] = []
    portal: ClassVar[list[str]] = []
    """Of names with one of these in them it says something else, as a hotel's Wi-Fi does."""
    cut: ClassVar[list[str]] = []
    """Of names with one of these in them it sends the first half."""

    def log_message(self, *args: Any) -> None:
        pass

    def do_GET(self) -> None:
        type(self).asked.append(self.path)
        if any(part in self.path for part in self.portal):
            self._send("text/html", b"<!doctype html><title>Wi-Fi</title>Room number?")
        elif any(part in self.path for part in self.cut):
            content = Path(self.translate_path(self.path)).read_bytes()
            self._send(str(self.guess_type(self.path)), content[: len(content) // 2])
        else:
            super().do_GET()

    def _send(self, kind: str, content: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        # As of something that does not change: browsers keep it.
        self.send_header("Cache-Control", "max-age=31536000, immutable")
        self.end_headers()
        self.wfile.write(content)


@contextmanager
def serve(folder: Path, **more: Any) -> Iterator[tuple[str, list[str]]]:
    """The address of that folder, and what is asked of it. It knows scripts by ``.js`` only, and no
    WebAssembly: many a server is older than that."""
    handler = type("Here", (Files,), {"asked": [], **more})
    handler.extensions_map = {
        ".html": "text/html",
        ".js": "text/javascript",
        ".css": "text/css",
        "": "application/octet-stream",
    }
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), partial(handler, directory=str(folder))
    )
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", handler.asked
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
