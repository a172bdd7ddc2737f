"""Writes ``static/src/wire.ts`` from the models: ``python -m penultima.wire.typescript``.

With ``--check`` it writes nothing and says whether the file is current.
"""

from __future__ import annotations

import inspect
import sys
import types
from pathlib import Path
from typing import Annotated, Any, Final, Literal, TypeAlias, Union, get_args, get_origin

from penultima.wire import base
from penultima.wire.base import Message
from penultima.wire.club import FromClub, FromClubPage
from penultima.wire.from_page import FromPage, Request
from penultima.wire.from_table import FromTable
from penultima.wire.signal import FromGuest, ToGuest

PATH: Final = Path(__file__).parents[3] / "static" / "src" / "wire.ts"

HEAD: Final = """\
// What crosses between this page and the table: docs/protocol.md as types, and nothing else.
// Written by `python -m penultima.wire.typescript` from the models in src/penultima/wire: change
// them, then run it again.
"""

NAMED: Final = ("Colour", "Phase", "Wait", "Presence", "Level")
"""Choices that have a name of their own."""

Type: TypeAlias = Any


def wire_ts() -> str:
    """The whole file."""
    parts = [HEAD]
    parts += [f"export type {name} = {_spelled(getattr(base, name))};" for name in NAMED]
    parts[1:] = ["\n".join(parts[1:])]
    written: dict[str, str] = {}
    unions = (FromTable, FromPage, ToGuest, FromGuest, FromClub, FromClubPage)
    for model in (model for union in unions for model in get_args(union)):
        _write(model, written)
    parts += written.values()
    numbered = " | ".join(model.__name__ for model in get_args(Request))
    plain = [model.__name__ for model in get_args(FromPage) if model not in get_args(Request)]
    parts.append(_union("FromTable", [model.__name__ for model in get_args(FromTable)]))
    parts.append(
        'type Unnumbered<T> = T extends unknown ? Omit<T, "n"> : never;\n\n'
        "/** Requests that change something; the session numbers them. */\n"
        f"export type Request = Unnumbered<{numbered}>;"
    )
    parts.append(_union("FromPage", [plain[0], "(Request & { n: number })", *plain[1:]]))
    more = {"ToGuest": ToGuest, "FromGuest": FromGuest, "FromClub": FromClub}
    for name, union in {**more, "FromClubPage": FromClubPage}.items():
        parts.append(_union(name, [model.__name__ for model in get_args(union)]))
    return "\n\n".join(part.rstrip("\n") for part in parts) + "\n"


def _union(name: str, members: list[str]) -> str:
    return f"export type {name} =\n" + "\n".join(f"  | {member}" for member in members) + ";"


def _write(model: type[Message], written: dict[str, str]) -> None:
    if model.__name__ in written:
        return
    lines = []
    for name, field in model.model_fields.items():
        for used in _models(field.annotation):
            _write(used, written)
        kind = _typed(field.annotation)
        if not field.is_required():
            kind = kind.removesuffix(" | null")
        lines.append(f"  {name}{'' if field.is_required() else '?'}: {kind};")
    written[model.__name__] = (
        f"{_comment(model)}export interface {model.__name__} {{\n" + "\n".join(lines) + "\n}"
    )


def _comment(model: type[Message]) -> str:
    text = inspect.cleandoc(model.__doc__ or "").replace("``", "`").replace("\n", " ")
    return f"/** {text} */\n" if text and model.__doc__ != Message.__doc__ else ""


def _models(annotation: Type) -> list[type[Message]]:
    if isinstance(annotation, type) and issubclass(annotation, Message):
        return [annotation]
    return [model for part in get_args(annotation) for model in _models(part)]


_BASIC: Final = {str: "string", int: "number", float: "number", bool: "boolean", Any: "unknown"}


def _typed(annotation: Type) -> str:
    """The TypeScript for a Python type, by name where it has one."""
    for name in NAMED:
        if annotation == getattr(base, name):
            return name
    origin: Type = get_origin(annotation)
    if origin is Annotated:
        return _typed(get_args(annotation)[0])
    if origin in (Union, types.UnionType):
        kinds = [_typed(part) for part in get_args(annotation) if part is not type(None)]
        if type(None) in get_args(annotation):
            kinds.append("null")
        return " | ".join(dict.fromkeys(kinds))
    if origin is list:
        inner = _typed(get_args(annotation)[0])
        return f"({inner})[]" if " " in inner else f"{inner}[]"
    if origin is Literal:
        return _spelled(annotation)
    if isinstance(annotation, type) and issubclass(annotation, Message):
        return annotation.__name__
    return _BASIC[annotation]


def _spelled(annotation: Type) -> str:
    choices = get_args(annotation)
    return " | ".join(f'"{each}"' if isinstance(each, str) else str(each) for each in choices)


def bring_up_to_date(path: Path, text: str, arguments: list[str]) -> int:
    """Write ``text`` to ``path``, or with ``--check`` say whether it is there already."""
    if "--check" in arguments:
        current = path.exists() and path.read_text(encoding="utf-8") == text
        if not current:
            sys.stderr.write(f"{path.name} is not current\n")
        return 0 if current else 1
    path.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(bring_up_to_date(PATH, wire_ts(), sys.argv[1:]))
