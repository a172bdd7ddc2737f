"""Runs inside Pyodide while the client is built: compiles and packs what the worker will load.

`whole` precompiles Pyodide's standard library once. `ours` compiles our packages and notes which
modules of the library a rehearsal needed; `trimmed` keeps those. The zips are stored, not
deflated: they travel as brotli, which does better on the plain bytes, and open without inflating.
"""

import importlib.util
import io
import marshal
import sys
import zipfile

# Never imported by a rehearsal, but by Python itself when something goes wrong or is printed.
SPARE = ("encodings.latin_1", "encodings.ascii", "encodings.idna", "unicodedata", "pprint")

UNCHECKED = (1).to_bytes(4, "little")  # a .pyc that is never compared with its source
MOMENT = (1980, 1, 1, 0, 0, 0)


def pyc(source: bytes, name: str, optimize: int) -> bytes:
    code = compile(source, name, "exec", dont_inherit=True, optimize=optimize)
    digest = importlib.util.source_hash(source)
    return importlib.util.MAGIC_NUMBER + UNCHECKED + digest + marshal.dumps(code)


def packed(files: dict[str, bytes]) -> bytes:
    """The same bytes for the same files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(files):
            archive.writestr(zipfile.ZipInfo(name, MOMENT), files[name])
    return out.getvalue()


def compiled(files: dict[str, bytes], optimize: int) -> dict[str, bytes]:
    out = {}
    for name, content in files.items():
        if name.endswith(".py"):
            out[name + "c"] = pyc(content, name, optimize)
    return out


def whole(stdlib: str) -> bytes:
    """The library at this path, every module compiled, without the docstrings that Pyodide can spare."""
    with zipfile.ZipFile(stdlib) as archive:
        files = {n: archive.read(n) for n in archive.namelist() if wanted(n)}
    # Pyodide's own modules read their docstrings.
    theirs = {n: c for n, c in files.items() if n.startswith(("_pyodide/", "pyodide/"))}
    others = {n: c for n, c in files.items() if n not in theirs}
    return packed(compiled(others, 2) | compiled(theirs, 0))


def wanted(name: str) -> bool:
    """Big corners that nothing of ours can lead to."""
    return name.endswith(".py") and not name.startswith((
        "_pyrepl/", "ctypes/", "email/", "html/", "http/", "idlelib/", "multiprocessing/", "sqlite3/",
        "tkinter/", "unittest/", "wsgiref/", "xml/", "xmlrpc/", "__phello__/", "concurrent/interpreters/",
    )) and (not name.startswith("encodings/cp") or name == "encodings/cp437.py")  # fmt: skip


def ours(files: dict[str, str]) -> bytes:
    """Without docstrings and assertions, which no player has any use for."""
    return packed(compiled({name: text.encode() for name, text in files.items()}, 2))


def used(library: str, loaded: list[str]) -> list[str]:
    """The files of the library that these modules came from."""
    with zipfile.ZipFile(library) as archive:
        there = set(archive.namelist())
    names = {*loaded, *SPARE}
    paths = {form for name in names for form in forms(name)}
    for name in loaded:  # os.path is posixpath
        file = getattr(sys.modules[name], "__file__", None) or ""
        if file.startswith(library + "/"):
            paths.add(file.removeprefix(library + "/").removesuffix("c") + "c")
    return sorted(paths & there)


def forms(name: str) -> tuple[str, str]:
    path = name.replace(".", "/")
    return f"{path}.pyc", f"{path}/__init__.pyc"


def trimmed(library: str, names: list[str]) -> bytes:
    with zipfile.ZipFile(library) as archive:
        return packed({name: archive.read(name) for name in names})
