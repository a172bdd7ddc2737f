"""Pictures of every screen: `python docs/pictures/make.py [NAME ...]`, after `make client`.

The scenes are those of tests/browser/scenes.py, shown by the built client in Chromium. Every one is
small: a palette of 256 colours and no more pixels than it takes to see what is meant.
"""

from __future__ import annotations

import functools
import http.server
import struct
import sys
import threading
import zlib
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
sys.path.insert(0, str(ROOT))

from playwright.sync_api import Browser, sync_playwright  # noqa: E402 - the path comes first

from tests.browser import scenes  # noqa: E402
from tests.browser.chromium import find  # noqa: E402
from tests.browser.stage import STAND_IN, Scene, Stage  # noqa: E402

PHONE = (390, 844)
MOST = 150_000

# A moment as it comes up at a party: what README shows first.
FRONT = Scene(
    scenes.table(
        rules="party",
        seats=scenes.seats(4, s1={"cards": 4}, s2={"cards": 1, "called": True}, s3={"cards": 6}),
        top="y7",
        colour="y",
        under=["b4", "g9", "g7"],
        hand=["r3", "y5", "y+2", "g7", "gS", "b0", "W"],
        legal=["y5", "y+2", "g7>", "W=", "draw"],
        targets=[1, 2, 3],
        pile=54,
    ),
    (
        {"e": "drew", "seat": 1, "count": 4, "cause": "stack", "owed": 4},
        {"e": "played", "seat": 2, "card": "g7", "how": "turn"},
        {"e": "called", "seat": 2},
        {"e": "played", "seat": 3, "card": "y7", "how": "turn"},
    ),
    (scenes.card("y+2"),),
)

# (file, scene, locale, size, scheme, pixels per pixel)
PICTURES = [
    ("table-es", FRONT, "es-ES", PHONE, "dark", 1.5),
    ("table-pt", FRONT, "pt-BR", PHONE, "light", 1.5),
    *((name, scene, "es-ES", PHONE, "dark", 1) for name, scene in scenes.SCENES.items()),
    ("landscape", FRONT, "en-GB", (844, 390), "dark", 1),
    ("tablet", scenes.SCENES["table-10"], "en-GB", (768, 1024), "dark", 0.75),
    ("mesa", scenes.SCENES["table-10"], "es-ES", (1280, 720), "dark", 0.75),
    ("mesa-end", scenes.SCENES["round-end"], "es-ES", (1280, 720), "light", 0.75),
]


class Files(http.server.SimpleHTTPRequestHandler):
    def do_GET(self) -> None:
        if self.path.split("?")[0].split("#")[0] in ("/", "/mesa"):
            self.path = "/index.html"
        super().do_GET()

    def log_message(self, *_: object) -> None:
        pass


# ---------------------------------------------------------------------------------------- small

Pixel = tuple[int, int, int]
Picture = tuple[str, Scene, str, tuple[int, int], str, float]


def smaller(png: bytes) -> bytes:
    """The same picture with a palette, if that is smaller: nobody misses the other colours."""
    width, height, rows = read(png)
    counts: dict[Pixel, int] = {}
    for row in rows:
        for at in range(0, len(row), 3):
            # Two bits less: what a gradient loses is not seen at this size.
            key = (row[at] & 0xFC, row[at + 1] & 0xFC, row[at + 2] & 0xFC)
            counts[key] = counts.get(key, 0) + 1
    palette, place = cut(counts)
    packed = bytearray()
    for row in rows:
        packed.append(0)
        packed += bytes(
            place[(row[at] & 0xFC, row[at + 1] & 0xFC, row[at + 2] & 0xFC)]
            for at in range(0, len(row), 3)
        )
    head = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    colours = b"".join(bytes(colour) for colour in palette)
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        chunk(kind, body)
        for kind, body in (
            (b"IHDR", head),
            (b"PLTE", colours),
            (b"IDAT", zlib.compress(bytes(packed), 9)),
            (b"IEND", b""),
        )
    )


def cut(counts: dict[Pixel, int]) -> tuple[list[Pixel], dict[Pixel, int]]:
    """Median cut: boxes of colours, the most conspicuous halved until there are 256.

    A wide box is conspicuous, and so is one that covers much: the light on the felt is a few
    colours over half the picture, and is not to fall into bands.
    """
    boxes = [list(counts)]

    def spread(box: list[Pixel]) -> tuple[float, int]:
        width, axis = max((max(c[k] for c in box) - min(c[k] for c in box), k) for k in range(3))
        return width * sum(counts[c] for c in box) ** 0.4, axis

    rated = [(spread(box), box) for box in boxes]
    while len(rated) < 256:
        rated.sort(key=lambda each: each[0][0])
        (width, axis), box = rated.pop()
        if width == 0:
            rated.append(((width, axis), box))
            break
        box.sort(key=lambda colour: colour[axis])
        middle = len(box) // 2
        rated += [(spread(half), half) for half in (box[:middle], box[middle:])]
    palette, place = [], {}
    for number, (_, box) in enumerate(rated):
        total = sum(counts[colour] for colour in box)
        mean = [sum(colour[k] * counts[colour] for colour in box) // total for k in range(3)]
        palette.append((mean[0], mean[1], mean[2]))
        place.update(dict.fromkeys(box, number))
    return palette, place


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def read(png: bytes) -> tuple[int, int, list[bytes]]:
    """Width, height and rows of RGB, from the kind of PNG that Chromium writes."""
    at, width, height, step, data = 8, 0, 0, 3, b""
    while at < len(png):
        (size,) = struct.unpack_from(">I", png, at)
        kind, body = png[at + 4 : at + 8], png[at + 8 : at + 8 + size]
        at += 12 + size
        if kind == b"IHDR":
            width, height, depth, colour = struct.unpack_from(">IIBB", body)
            assert depth == 8
            assert colour in (2, 6)
            step = 3 if colour == 2 else 4
        elif kind == b"IDAT":
            data += body
    raw = zlib.decompress(data)
    line = width * step
    rows, before = [], bytes(line)
    for y in range(height):
        start = y * (line + 1)
        row = unfilter(raw[start], bytearray(raw[start + 1 : start + 1 + line]), before, step)
        rows.append(row if step == 3 else b"".join(row[k : k + 3] for k in range(0, line, 4)))
        before = row
    return width, height, rows


def unfilter(kind: int, row: bytearray, up: bytes, step: int) -> bytes:
    for x in range(len(row)):
        left = row[x - step] if x >= step else 0
        corner = up[x - step] if x >= step else 0
        if kind == 1:
            add = left
        elif kind == 2:
            add = up[x]
        elif kind == 3:
            add = (left + up[x]) // 2
        elif kind == 4:
            guess = left + up[x] - corner
            add = min((left, up[x], corner), key=lambda each: abs(guess - each))
        else:
            break
        row[x] = (row[x] + add) & 255
    return bytes(row)


# ---------------------------------------------------------------------------------------- taking


def take(browser: Browser, origin: str, picture: Picture) -> int:
    name, scene, locale, (width, height), scheme, scale = picture
    context = browser.new_context(
        viewport={"width": width, "height": height},
        device_scale_factor=scale,
        is_mobile=True,
        has_touch=True,
        locale=locale,
        color_scheme="light" if scheme == "light" else "dark",
        reduced_motion="reduce",
    )
    context.add_init_script(STAND_IN)
    page = context.new_page()
    stage = Stage(page).open(origin, "/mesa" if name.startswith("mesa") else "/")
    if name.startswith("mesa"):
        scene = Scene(scenes.outside(scene.view), scene.events, host=False)
    stage.show(scene)
    page.wait_for_timeout(400)
    # On a busy machine a sheet may still be on its way in.
    page.evaluate("() => document.getAnimations().forEach((each) => each.cancel())")
    png = smaller(page.screenshot())
    context.close()
    (HERE / f"{name}.png").write_bytes(png)
    return len(png)


def main(wanted: list[str]) -> None:
    handler = functools.partial(Files, directory=ROOT / "src" / "penultima" / "client")
    with (
        http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server,
        sync_playwright() as playwright,
    ):
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser = playwright.chromium.launch(executable_path=find(), args=["--no-sandbox"])
        for picture in PICTURES:
            if wanted and picture[0] not in wanted:
                continue
            size = take(browser, f"http://127.0.0.1:{server.server_port}", picture)
            sys.stdout.write(f"{picture[0]}: {size / 1000:.0f} kB\n")
            assert size <= MOST
        browser.close()
        server.shutdown()


if __name__ == "__main__":
    main(sys.argv[1:])
