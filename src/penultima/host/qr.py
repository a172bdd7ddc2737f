"""A link as a code for a phone's camera, in half blocks of a terminal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.text import Text

ALPHANUMERIC: Final = 2
BYTES: Final = 4
"""Modes of a QR code (ISO/IEC 18004)."""


def qr(url: str, rows: int, columns: int, *, colour: bool) -> list[Text]:
    """The link as half blocks, dark on light, with as much margin as fits; nothing if none fits."""
    from rich.text import Text  # noqa: PLC0415 - the first output does not wait for it

    # Without colours a terminal is taken for a dark one, and reversed.
    style = "#000000 on #ffffff" if colour else "reverse"
    for matrix in _matrices(url):
        if (len(matrix) + 1) // 2 <= rows and len(matrix[0]) <= columns:
            break
    else:
        return []
    if len(matrix) % 2:
        matrix.append([False] * len(matrix[0]))
    blocks = {(0, 0): " ", (1, 0): "▀", (0, 1): "▄", (1, 1): "█"}
    return [
        Text("".join(blocks[top, bottom] for top, bottom in zip(*pair, strict=True)), style=style)
        for pair in zip(matrix[::2], matrix[1::2], strict=True)
    ]


def _matrices(url: str) -> Iterator[list[list[bool]]]:
    """The link's code, from the most readable to the smallest."""
    import segno  # noqa: PLC0415 - the first output does not wait for it

    contents: list[Any] = [url]
    start = url.find("/", url.find("//") + 2)
    if re.fullmatch(r"[a-z0-9:/.-]+", url[:start]):
        # Scheme and host may be written in capitals, which take two thirds of the room.
        contents.append([(url[:start].upper(), ALPHANUMERIC), (url[start:], BYTES)])
    for content in contents:
        code = segno.make(content, error="l", micro=False, boost_error=False)
        for margin in (4, 3, 2, 1):
            yield [[bool(cell) for cell in row] for row in code.matrix_iter(border=margin)]
