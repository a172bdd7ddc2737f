"""axe-core in a page: what it finds fault with, as `RULE: ELEMENT` texts."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
FILE = ROOT / "static" / "node_modules" / "axe-core" / "axe.min.js"
TAGS = ["wcag2a", "wcag2aa", "wcag21aa", "wcag22aa", "best-practice"]
RUN = """
async () => {
  const only = ONLY;
  for (const each of document.getAnimations()) {
    try { each.finish(); } catch { each.cancel(); }
  }
  const { violations } = await axe.run(document, {
    runOnly: only === null ? { type: "tag", values: TAGS } : { type: "rule", values: only },
    resultTypes: ["violations"],
    // What only the style sheets can tell is the same on every screen of a page.
    preload: PRELOAD,
  });
  return violations.flatMap((each) => each.nodes.map((node) => `${each.id}: ${node.target.join(" ")}`));
}
"""


@cache
def script() -> str:
    """axe itself. Any call of npm installs the client's development packages."""
    if not FILE.is_file():
        subprocess.run([sys.executable, "hatch_build.py", "npm", "--version"], cwd=ROOT, check=True)
    return FILE.read_text("utf-8")


def run(only: Sequence[str] | None = None, *, preload: bool = False) -> str:
    """A function of the page with these rules only, or all of UX 8's A4."""
    return (
        RUN.replace("ONLY", json.dumps(only))
        .replace("TAGS", json.dumps(TAGS))
        .replace("PRELOAD", json.dumps(preload))
    )
