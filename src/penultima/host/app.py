"""The web application: the client's files, and the sockets. A GET has no effect anywhere.

Which tables there are, and who sits at them, is none of its business: a socket for a code that
nobody knows is accepted like any other and refused after its hello, so that guessing teaches
nothing.
"""

from __future__ import annotations

import asyncio
import logging
import re
from dataclasses import dataclass, field
from http import HTTPStatus
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

from aiohttp import hdrs, web

from penultima.host import limits, metrics
from penultima.host.club import Club
from penultima.host.club_page import ClubPage
from penultima.host.origins import same_origin
from penultima.host.proxies import Proxies, Seen
from penultima.host.session import Session
from penultima.host.surroundings import Surroundings
from penultima.host.websocket import WebSocket
from penultima.table.keys import same

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from penultima.host.origins import Origins

    Handler = Callable[[web.Request], Awaitable[web.StreamResponse]]

logger = logging.getLogger(__name__)

CODE = re.compile(r"[a-hjkmnp-z2-9]{6}")
TYPES = {".woff2": "font/woff2"}  # what aiohttp and a system without a list of types do not know
HASHED = re.compile(r"-[A-Za-z0-9_-]{8,}\.\w+$")

# wasm-unsafe-eval: Python in the practice table's worker. It allows WebAssembly, and no eval.
CONTENT_SECURITY = """\
default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self' ws: wss:; \
img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'none'; \
frame-ancestors 'none'"""
SECURITY = {
    hdrs.CONTENT_SECURITY_POLICY: CONTENT_SECURITY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}
CLUB_HEARTBEAT = 20.0  # seconds; nobody plays there
IMMUTABLE = "public, max-age=31536000, immutable"

NOT_BUILT = """<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Penúltima</title>
<p lang="es">Falta la página del juego. Quien invita: <code>make client</code>, o instálalo
otra vez con <code>pip install .</code>.</p>
<p lang="pt-BR">Falta a página do jogo. Quem convida: <code>make client</code>, ou instale de novo
com <code>pip install .</code>.</p>
<p lang="en">The game's page is not built. Whoever hosts: <code>make client</code>, or install again
with <code>pip install .</code>.</p>
</html>
"""


@dataclass
class Site:
    """What the handlers need."""

    around: Surroundings
    origins: Origins
    client: Path
    club: Club | None = None
    closing: bool = False
    """The program is about to end: a proxy shall send nobody here any more."""
    proxies: Proxies = field(default_factory=Proxies)
    prefixes: tuple[str, ...] = ()
    """Paths of public addresses: a proxy may leave them in what it asks for, or take them off."""


SITE: web.AppKey[Site] = web.AppKey("site", Site)


def packaged_client() -> Path:
    """The client as it was built into this package."""
    return Path(str(files("penultima"))) / "client"


def build(site: Site) -> web.Application:
    app = web.Application(middlewares=[_guarded], client_max_size=limits.BODY)
    app[SITE] = site
    # The longest first: "/{path:.+}" takes whatever is left.
    for prefix in (*sorted(set(site.prefixes), key=len, reverse=True), ""):
        if prefix:
            app.router.add_get(prefix, _into_folder)
        app.router.add_get(f"{prefix}/", _index)
        app.router.add_get(f"{prefix}/mesa", _index)
        app.router.add_get(f"{prefix}/healthz", _healthz)
        if site.club is not None:
            app.router.add_get(f"{prefix}/club", _index)
            app.router.add_get(f"{prefix}/metrics", _metrics)
            app.router.add_get(f"{prefix}/ws/{{node:[a-z]}}.club", _club, allow_head=False)
        app.router.add_get(f"{prefix}/ws/{{code}}", _socket, allow_head=False)
        app.router.add_get(f"{prefix}/{{path:.+}}", _file)
    return app


def _seen(request: web.Request) -> Seen:
    return request.app[SITE].proxies.seen(request.remote, request.headers)


@web.middleware
async def _guarded(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Known Host, small body, and the same headers on everything, errors included."""
    site = request.app[SITE]
    response: web.StreamResponse
    try:
        now = asyncio.get_running_loop().time()
        seen = _seen(request)
        if seen.origin is None and not site.origins.knows_host(seen.host, now):
            raise web.HTTPMisdirectedRequest(
                text="This host does not go by that name. If it should: --public-url\n"
            )
        await _swallow_body(request)
        response = await handler(request)
    except web.HTTPException as refusal:
        response = web.Response(
            status=refusal.status, text=refusal.text, headers=_kept(refusal.headers)
        )
    except ConnectionError:
        # Gone before the answer: who dialled a host that slept has long dialled anew.
        response = web.Response(status=HTTPStatus.REQUEST_TIMEOUT)
    if not response.prepared:
        response.headers.update(SECURITY)
        if _is_secure(site, _seen(request)):
            response.headers["Cross-Origin-Opener-Policy"] = "same-origin"
        response.headers.setdefault(hdrs.CACHE_CONTROL, "no-cache")
    return response


def _is_secure(site: Site, seen: Seen) -> bool:
    if seen.origin is not None:
        return seen.origin.startswith("https:")
    return site.origins.is_trustworthy(seen.host)


def _kept(headers: object) -> dict[str, str]:
    get = getattr(headers, "get", lambda _name: None)
    return {name: value for name in (hdrs.ALLOW, hdrs.LOCATION) if (value := get(name))}


async def _swallow_body(request: web.Request) -> None:
    """Nobody has anything to send by HTTP; who does gets little room and little time."""
    if not request.body_exists:
        return
    try:
        async with asyncio.timeout(limits.BODY_SECONDS):
            await request.read()
    except TimeoutError:
        raise web.HTTPRequestTimeout from None


async def _into_folder(request: web.Request) -> web.StreamResponse:
    """Without the slash at its end all that the page names would lie beside the folder."""
    raise web.HTTPPermanentRedirect(f"{request.rel_url.path}/")


async def _index(request: web.Request) -> web.StreamResponse:
    index = request.app[SITE].client / "index.html"
    if not index.is_file():
        return web.Response(status=503, text=NOT_BUILT, content_type="text/html")
    return web.FileResponse(index)


async def _file(request: web.Request) -> web.StreamResponse:
    """A file of the client. aiohttp sends the `.br` or `.gz` beside it where the page takes it."""
    client = request.app[SITE].client
    wanted = request.match_info["path"]
    parts = wanted.split("/")
    if any(part.startswith(".") or not part or "\\" in part or "\0" in part for part in parts):
        raise web.HTTPNotFound(text="Not here\n")
    path = client.joinpath(*parts)
    try:
        there = path.suffix not in {".br", ".gz"} and path.is_file()
    except OSError:  # a name longer than any may be
        there = False
    if not there:
        raise web.HTTPNotFound(text="Not here\n")
    cache = IMMUTABLE if parts[0] == "assets" and HASHED.search(path.name) else "no-cache"
    headers = {hdrs.CACHE_CONTROL: cache}
    if path.suffix in TYPES:
        headers[hdrs.CONTENT_TYPE] = TYPES[path.suffix]
    return web.FileResponse(path, headers=headers)


async def _healthz(request: web.Request) -> web.StreamResponse:
    """Whether pages may be sent here: a proxy asks. A full disk is no reason: those who are here
    stay, and are told."""
    site = request.app[SITE]
    tables = site.around.tables
    told = {"ok": not site.closing, "tables": len(tables), "node": tables.node}
    return web.json_response(told, status=503 if site.closing else 200)


async def _metrics(request: web.Request) -> web.StreamResponse:
    """For who has the metrics key. Where a request comes from proves nothing: a proxy or a tunnel
    on this machine brings the whole world from 127.0.0.1."""
    site = request.app[SITE]
    club = site.club
    assert club is not None
    scheme, _, key = request.headers.get(hdrs.AUTHORIZATION, "").partition(" ")
    if scheme.lower() != "bearer" or not same(key.strip(), club.metrics_key):
        return web.Response(
            status=401,
            text="Give the metrics key of the console as a bearer token\n",
            headers={hdrs.WWW_AUTHENTICATE: "Bearer"},
        )
    told = metrics.text(site.around, club.node, club.most)
    return web.Response(
        body=told.encode(),
        headers={
            hdrs.CONTENT_TYPE: "text/plain; version=0.0.4; charset=utf-8",
            hdrs.CACHE_CONTROL: "no-store",
        },
    )


async def _socket(request: web.Request) -> web.StreamResponse:
    code = request.match_info["code"]
    if not CODE.fullmatch(code):
        raise web.HTTPNotFound(text="Not here\n")
    # Own heartbeat (channel.py). Compressed, the length of a view would say more of it.
    socket, address = _accepted(request, heartbeat=None, compress=False)
    session = Session(request.app[SITE].around, code, address)
    try:
        channel = await _channel(request, socket)
        session.attach(channel)
        await channel.read()
    finally:
        session.abandon()
    return socket


async def _club(request: web.Request) -> web.StreamResponse:
    """The socket of a club's page."""
    site = request.app[SITE]
    club = site.club
    if club is None or club.node != request.match_info["node"]:
        raise web.HTTPNotFound(text="Not here\n")
    socket, address = _accepted(request, heartbeat=CLUB_HEARTBEAT, compress=True)
    page = None
    try:
        channel = await _channel(request, socket)
        page = ClubPage(club, site.around, channel, address)
        await channel.read()
    finally:
        if page is None:
            site.around.doorkeeper.gone(address, asyncio.get_running_loop().time())
        else:
            page.gone()
    return socket


def _accepted(
    request: web.Request, *, heartbeat: float | None, compress: bool
) -> tuple[web.WebSocketResponse, str]:
    """A socket for a page of ours, and the address that it is counted for at the door."""
    site = request.app[SITE]
    loop = asyncio.get_running_loop()
    seen, origin = _seen(request), request.headers.get(hdrs.ORIGIN)
    if not site.origins.knows_origin(origin, loop.time()) and not same_origin(origin, seen.origin):
        raise web.HTTPForbidden(text="Not from that page\n")
    socket = web.WebSocketResponse(
        heartbeat=heartbeat,
        compress=compress,
        max_msg_size=limits.FRAME,
        timeout=1.0,
    )
    if not socket.can_prepare(request):
        raise web.HTTPUpgradeRequired(text="A WebSocket is expected here\n")
    address = seen.address
    tables = site.around.tables
    known = len(tables) + len(tables.resting)
    if not site.around.doorkeeper.enter(address, loop.time(), known):
        raise web.HTTPTooManyRequests(text="Too many connections from there\n")
    socket.headers.update(SECURITY)
    return socket, address


async def _channel(request: web.Request, socket: web.WebSocketResponse) -> WebSocket:
    await socket.prepare(request)
    return WebSocket(socket, request.transport, asyncio.get_running_loop().time())
