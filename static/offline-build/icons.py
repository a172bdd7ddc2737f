"""Draws the PNG icons of the installed page from public/icon.svg, with the Chromium of the tests.

    .venv/bin/python static/offline-build/icons.py

Run by hand when the icon has changed; the pictures are committed.
"""

import re
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

HERE = Path(__file__).parent
PUBLIC = HERE.parent / "public"

sys.path.insert(0, str(HERE.parent.parent))


def main() -> None:
    from tests.browser.chromium import find

    text = (PUBLIC / "icon.svg").read_text()
    ground = re.search(r'<rect width="100" height="100"[^>]*fill="([^"]+)"', text)[1]
    mark = text[text.index("<g ") : text.rindex("</svg>")]
    # What a phone may cut away (a fifth on each side) holds no part of the mark.
    whole = (
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100">'
        f'<rect width="100" height="100" fill="{ground}"/>'
        f'<g transform="translate(50 50) scale(.74) translate(-50 -50)">{mark}</g></svg>'
    )
    pictures = {
        "icon-192.png": (192, text),
        "icon-512.png": (512, text),
        "icon-maskable-512.png": (512, whole),
        "icon-apple-180.png": (180, whole.replace("scale(.74)", "scale(.86)")),
    }
    with sync_playwright() as running:
        browser = running.chromium.launch(executable_path=find(), args=["--headless", "--no-sandbox"])
        for name, (size, svg) in pictures.items():
            page = browser.new_page(viewport={"width": size, "height": size})
            style = "<style>body{margin:0}svg{display:block;width:100vw;height:100vh}</style>"
            page.set_content(style + svg)
            page.screenshot(path=PUBLIC / name, omit_background=True)
            page.close()
        browser.close()


if __name__ == "__main__":
    main()
