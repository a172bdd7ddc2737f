"""`penultima doctor`: what a host can check by itself before friends come.

It asks nobody but whom the flags (or a default they bring along) name, and says whom. Every check
has a bound; together they take a few seconds. A finding says what to do; nothing is changed.
"""

from __future__ import annotations

import asyncio
import contextlib
import datetime as dt
import email.utils
import json
import secrets
import shutil
import ssl
import time
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

import aiohttp
from aiohttp import web

from penultima.host import addresses, app, firewall, stun, tunnel
from penultima.host.certificate import Certificate
from penultima.host.links import CLOUD
from penultima.host.listening import PortBusyError, opened
from penultima.host.options import DEFAULT_PORT, Options, UsageError
from penultima.host.origins import LOCAL
from penultima.host.peerserver import why
from penultima.host.reach import ANY, Reach, Way

if TYPE_CHECKING:
    from collections.abc import Awaitable

    from penultima.host.ice import Server
    from penultima.host.phrases import Phrases

Level: TypeAlias = Literal["ok", "warn", "bad"]
SECONDS: Final = 5.0
"""So long a check may take."""
SKEW: Final = 60.0
"""Seconds that a clock may be wrong: a TURN server's credentials are good for minutes."""
EPOCH: Final = 1_735_689_600.0
"""The year in which this was written begins: a clock before that has lost its battery."""
NATS: Final[dict[stun.NatKind, tuple[str, str | None]]] = {
    "none": ("dr_nat_none", None),
    "cone": ("dr_nat_cone", None),
    "unknown": ("dr_nat_unknown", None),
    "symmetric": ("dr_nat_symmetric", "dr_nat_symmetric_do"),
    "blocked": ("dr_nat_blocked", "dr_nat_blocked_do"),
}
REASONS: Final[dict[stun.Why, str]] = {
    "name": "dr_why_name",
    "silent": "dr_why_silent",
    "unreachable": "dr_why_unreachable",
    "certificate": "dr_why_certificate",
    "credentials": "dr_why_credentials",
    "refused": "dr_why_refused",
}
SIGNS: Final = {"ok": "✓", "warn": "!", "bad": "✗"}


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found. `remedy`: what to do, empty if there is nothing to be done."""

    check: str
    level: Level
    text: str
    remedy: str = ""


@dataclass
class Doctor:
    """One visit. `asked`: whom it asked, in words."""

    options: Options
    phrases: Phrases
    asked: list[str] = field(default_factory=list)
    _token: str = field(default_factory=lambda: secrets.token_hex(8))
    _dates: list[tuple[str, float]] = field(default_factory=list)
    """How far clocks of others are ahead, as they said in passing."""

    @property
    def port(self) -> int:
        return self.options.port or DEFAULT_PORT

    async def examine(self) -> list[Finding]:
        """All findings, in the order in which a person reads them."""
        options = self.options
        found = [self.page(), self.addresses()]
        async with contextlib.AsyncExitStack() as stack:
            found.append(await self.listen(stack))
            outside: list[Awaitable[Finding]] = [
                *(self.public(url) for url in options.public_urls),
                *([self.nat()] if options.ice.reflectors else []),
                *(self.relay(server) for server in options.ice.turn),
                *([self.peer_server()] if options.peer else []),
            ]
            walls = asyncio.create_task(firewall.look(self.port))
            answers = await asyncio.gather(*outside)
            found += [self._wall(wall) for wall in await walls]
        if options.tls_cert is not None:
            found.append(self.certificate())
        if options.tunnel is not None:
            found.append(self.tunnel())
        return [*found, *answers, self.clock()]

    # --- on this machine

    def page(self) -> Finding:
        if (app.packaged_client() / "index.html").is_file():
            return Finding("page", "ok", self.phrases("dr_page"))
        return Finding("page", "bad", self.phrases("not_built"))

    def addresses(self) -> Finding:
        options = self.options
        bind = options.bind
        found = addresses.own() if bind is None or bind in ANY else [bind]
        if not found:
            return self._say("addresses", "bad", "dr_no_address", remedy="dr_no_address_do")
        if bind in LOCAL and not (options.public_urls or options.tunnel or options.peer):
            return self._say("addresses", "warn", "dr_local", remedy="dr_local_do", bind=bind)
        names = list(dict.fromkeys(way.host for way in self._ways()))
        return self._say("addresses", "ok", "dr_addresses", best=names[0], all=", ".join(names))

    def _ways(self) -> tuple[Way, ...]:
        """The ways in as the table would show them, those alone that need nobody else."""
        certificate = None
        if self.options.tls_cert is not None:
            with contextlib.suppress(UsageError):  # said where it is looked at
                certificate = self._certificate()
        return Reach(self.options, self.port, certificate).ways

    async def listen(self, stack: contextlib.AsyncExitStack) -> Finding:
        """Whether the port is free. If so it is held meanwhile, so that others can be asked whether
        they lead here."""
        try:
            listening, _ = opened(self.options.bind, self.port, self.phrases)
        except PortBusyError:
            return await self._busy()
        except UsageError as error:
            return Finding("port", "bad", str(error))
        runner = web.AppRunner(_echo(self._token), access_log=None, shutdown_timeout=0.2)
        await runner.setup()
        stack.push_async_callback(runner.cleanup)
        context = None
        if self.options.tls_cert is not None:
            with contextlib.suppress(UsageError):  # as above
                context = self._certificate().context
        for each in listening:
            await web.SockSite(runner, each, ssl_context=context).start()
        return self._say("port", "ok", "dr_port_free", port=self.port)

    async def _busy(self) -> Finding:
        async with _client() as client:
            for scheme in ("http", "https"):
                with contextlib.suppress(aiohttp.ClientError, TimeoutError, ValueError):
                    url = f"{scheme}://localhost:{self.port}/healthz"
                    async with client.get(url, ssl=False) as answer:
                        if (await answer.json())["ok"] is True:
                            return self._say("port", "ok", "dr_port_ours", port=self.port)
        level: Level = "bad" if self.options.port else "warn"
        return self._say("port", level, "dr_port_busy", remedy="dr_port_busy_do", port=self.port)

    def _wall(self, wall: firewall.Wall) -> Finding:
        if wall.open is True:
            return self._say("firewall", "ok", "dr_wall_open", name=wall.name, port=self.port)
        if wall.open is None and not wall.remedy:
            return self._say("firewall", "ok", "dr_wall_none")
        level: Level = "warn" if wall.open is None else "bad"
        text = self.phrases(
            "dr_wall_unknown" if wall.open is None else "dr_wall_closed",
            name=wall.name,
            port=self.port,
        )
        return Finding("firewall", level, text, wall.remedy)

    def _certificate(self) -> Certificate:
        options = self.options
        assert options.tls_cert is not None
        return Certificate.load(options.tls_cert, options.tls_key, self.phrases)

    def certificate(self) -> Finding:
        try:
            certificate = self._certificate()
        except UsageError as error:
            return Finding("certificate", "bad", str(error))
        now = dt.datetime.now(dt.UTC)
        if (trouble := certificate.trouble(self.phrases, now)) is not None:
            usable = certificate.begins <= now < certificate.ends
            return Finding("certificate", "warn" if usable else "bad", trouble)
        if foreign := Reach(self.options, self.port, certificate).foreign(self.phrases):
            return Finding("certificate", "warn", foreign)
        names = ", ".join((*certificate.names, *sorted(certificate.addresses)))
        return self._say(
            "certificate", "ok", "dr_certificate", names=names, when=f"{certificate.ends:%Y-%m-%d}"
        )

    def tunnel(self) -> Finding:
        name = self.options.tunnel or ""
        if (path := shutil.which(name)) is None:
            home = tunnel.KINDS[name].home
            return self._say("tunnel", "bad", "tunnel_missing", name=name, home=home)
        return self._say("tunnel", "ok", "dr_tunnel", name=name, path=path)

    def clock(self) -> Finding:
        """By what others said in passing; by itself a machine knows little of its clock."""
        now = time.time()
        shown = f"{dt.datetime.now().astimezone():%Y-%m-%d %H:%M %Z}"
        if now < EPOCH:
            return self._say("clock", "bad", "dr_clock_old", remedy="dr_clock_do", now=shown)
        if not self._dates:
            return self._say("clock", "ok", "dr_clock_alone", now=shown)
        who, ahead = max(self._dates, key=lambda each: abs(each[1]))
        if abs(ahead) > SKEW:
            return self._say(
                "clock",
                "bad",
                "dr_clock_off",
                remedy="dr_clock_do",
                who=who,
                seconds=round(abs(ahead)),
            )
        return self._say("clock", "ok", "dr_clock", who=who, now=shown)

    # --- whom the flags name

    async def public(self, url: str) -> Finding:
        """Whether a public address leads here: the port answers with a word of our own."""
        self.asked.append(url)
        try:
            async with _client() as client, client.get(f"{url}/healthz") as answer:
                told = await answer.json() if answer.status == 200 else {}
        except aiohttp.ClientConnectorCertificateError:
            return self._say("public", "bad", "dr_public_cert", remedy="dr_public_cert_do", url=url)
        except (aiohttp.ClientError, TimeoutError, ssl.SSLError, ValueError) as error:
            return self._say(
                "public",
                "bad",
                "dr_public_silent",
                remedy="dr_public_silent_do",
                url=url,
                why=why(error),
                port=self.port,
            )
        if isinstance(told, dict) and told.get("doctor") == self._token:
            return self._say("public", "ok", "dr_public", url=url)
        if isinstance(told, dict) and told.get("ok") is True:
            return self._say("public", "ok", "dr_public_running", url=url)
        return self._say(
            "public",
            "bad",
            "dr_public_other",
            remedy="dr_public_silent_do",
            url=url,
            why=f"HTTP {answer.status}",
            port=self.port,
        )

    async def nat(self) -> Finding:
        servers = self.options.ice.reflectors
        self.asked += map(str, servers)
        found = await stun.nat(servers)
        text, remedy = NATS[found.kind]
        level: Level = "ok" if remedy is None else "bad"
        if found.kind == "symmetric":
            level = "ok" if self.options.ice.turn else "warn"
        return self._say(
            "nat",
            level,
            text,
            remedy=None if level == "ok" else remedy,
            outer=found.outer,
            why="; ".join(map(self._why, found.failures)),
        )

    async def relay(self, server: Server) -> Finding:
        self.asked.append(str(server))
        try:
            made = await stun.relay(server, *self.options.ice.credentials(time.time()))
        except stun.NoAnswerError as error:
            remedy = "dr_turn_key_do" if error.why == "credentials" else "dr_turn_do"
            return self._say(
                "turn", "bad", "dr_turn_no", remedy=remedy, server=server, why=self._reason(error)
            )
        return self._say("turn", "ok", "dr_turn", server=server, ms=round(made.seconds * 1000))

    async def peer_server(self) -> Finding:
        server = self.options.peer_server or CLOUD
        url = f"{'https' if server.secure else 'http'}://{server.place}/{server.key}/id"
        self.asked.append(url)
        try:
            async with _client() as client, client.get(url) as answer:
                self._date(server.place, answer)
                text = await answer.text()
                fine = answer.status == 200 and 0 < len(text) <= 64 and "<" not in text
                reason = f"HTTP {answer.status}"
        except (aiohttp.ClientError, TimeoutError, ssl.SSLError, ValueError) as error:
            fine, reason = False, why(error)
        if fine:
            return self._say("peer-server", "ok", "dr_peer", server=server)
        return self._say(
            "peer-server", "bad", "dr_peer_no", remedy="dr_peer_do", server=server, why=reason
        )

    def _why(self, error: stun.NoAnswerError) -> str:
        return f"{error.server}: {self._reason(error)}"

    def _reason(self, error: stun.NoAnswerError) -> str:
        text = self.phrases(REASONS[error.why])
        told = error.detail if error.why in {"certificate", "refused"} else ""
        return f"{text} ({told})" if told else text

    def _date(self, who: str, answer: aiohttp.ClientResponse) -> None:
        with contextlib.suppress(TypeError, ValueError):
            told = email.utils.parsedate_to_datetime(answer.headers.get("Date", ""))
            self._dates.append((who, told.timestamp() - time.time()))

    def _say(
        self, check: str, level: Level, phrase: str, *, remedy: str | None = None, **values: object
    ) -> Finding:
        say = self.phrases
        return Finding(check, level, say(phrase, **values), say(remedy, **values) if remedy else "")


def _client() -> aiohttp.ClientSession:
    return aiohttp.ClientSession(timeout=aiohttp.ClientTimeout(total=SECONDS))


def _echo(token: str) -> web.Application:
    """Stands where the table will stand, and says that it is us."""

    async def answer(_request: web.Request) -> web.Response:
        return web.json_response({"ok": False, "doctor": token})

    made = web.Application()
    made.router.add_get("/{path:.*}", answer)
    return made


def main(options: Options, phrases: Phrases) -> int:
    """Prints what was found. 0 if a table can be opened like this, 1 if something stands in the
    way."""
    doctor = Doctor(options, phrases)
    findings = asyncio.run(doctor.examine())
    well = all(each.level != "bad" for each in findings)
    if options.json:
        report: dict[str, Any] = {
            "ok": well,
            "checks": [asdict(each) for each in findings],
            "asked": list(dict.fromkeys(doctor.asked)),
        }
        print(json.dumps(report, ensure_ascii=False))
        return 0 if well else 1
    for each in findings:
        print(f"{SIGNS[each.level]} {each.text}")
        if each.remedy:
            print(f"    {each.remedy}")
    asked = ", ".join(dict.fromkeys(doctor.asked))
    print(phrases("dr_asked", who=asked) if asked else phrases("dr_asked_nobody"))
    print(phrases("dr_well" if well else "dr_ill"))
    return 0 if well else 1
