"""How long an action takes to reach the last of nine others, and what idling costs.

The real host, ten seats on loopback, against a bare server that knows nothing: a message in, nine
messages of the same bytes out. Both are processes of their own, driven by the same guests in this
one; blocks of the two alternate, and the bare server repeats the very texts of the block before.

    python -m tests.bench.latency            JSON on stdout
    python -m tests.bench.latency bare       (the bare server, started by the above)
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import statistics
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import aiohttp
from aiohttp import web

from tests.host.phones import RtcPhone, eventually

SEATS = 10
BLOCKS = int(os.environ.get("BENCH_BLOCKS", "4"))
ACTIONS = int(os.environ.get("BENCH_ACTIONS", "100"))
IDLE_SECONDS = float(os.environ.get("BENCH_IDLE", "10"))
# Ten messages a second and seat are allowed; ten seats taking turns stay well below.
PAUSE = 0.02


# ------------------------------------------------------------------------------- the bare server


async def bare() -> None:
    """Whatever comes from one goes out to nine, as the trace says."""
    from aiortc import RTCConfiguration, RTCPeerConnection, RTCSessionDescription

    sockets: dict[int, web.WebSocketResponse] = {}
    channels: dict[int, Any] = {}
    trace: list[list[str]] = []
    pcs: list[Any] = []

    async def spread(sender: int) -> None:
        texts = trace.pop(0)
        for seat, text in enumerate(texts):
            if seat == sender:
                continue
            if seat in channels:
                channels[seat].send(text)
            else:
                await sockets[seat].send_str(text)

    async def socket(request: web.Request) -> web.WebSocketResponse:
        ws = web.WebSocketResponse(compress=False)
        await ws.prepare(request)
        seat = len(sockets)
        sockets[seat] = ws
        async for message in ws:
            if message.data.startswith("load "):
                with open(message.data[5:]) as file:  # noqa: ASYNC230, PTH123 - nobody waits
                    trace[:] = json.load(file)
                await ws.send_str('{"t":"done","n":0}')
            elif message.data.startswith('{"t": "offer"'):
                offer = json.loads(message.data)
                pc = RTCPeerConnection(RTCConfiguration(iceServers=[]))
                pcs.append(pc)

                def opened(channel: Any) -> None:
                    channels[seat] = channel
                    channel.on("message", lambda _: asyncio.ensure_future(spread(seat)))

                pc.on("datachannel", opened)
                await pc.setRemoteDescription(RTCSessionDescription(offer["sdp"], "offer"))
                await pc.setLocalDescription(await pc.createAnswer())
                answer = {"t": "answer", "id": offer["id"], "sdp": pc.localDescription.sdp}
                await ws.send_str(json.dumps(answer))
            else:
                await spread(seat)
        return ws

    app = web.Application()
    app.router.add_get("/ws/{code}", socket)
    await serve(app)


async def serve(app: web.Application) -> None:
    """For ever, on a free port, which is said as the real host says it."""
    runner = web.AppRunner(app, access_log=None)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    port = site._server.sockets[0].getsockname()[1]  # type: ignore[union-attr]
    print(json.dumps({"event": "ready", "port": port}), flush=True)
    await asyncio.Event().wait()


# ------------------------------------------------------------------------------------ the guests


class Guest(RtcPhone):
    """Behaves as a page: pings every 1.5 s on the socket and every 4.5 s on a data channel beside
    it, answers pings. Notes when views come."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self.came = 0.0
        self.texts = 0
        self.last_text = ""
        self._beat: asyncio.Task[None] | None = None

    def heard(self, path: str, text: str) -> None:
        now = time.perf_counter()
        super().heard(path, text)
        kind = self.log[-1][1]["t"]
        if len(self.log) > 200 and self._next == len(self.log):
            self.log.clear()
            self._next = 0
        if kind == "view":
            self.came, self.texts, self.last_text = now, self.texts + 1, text
        elif kind == "ping":
            self._pong = asyncio.create_task(self.say(path, t="pong", i=1))

    def beat(self) -> None:
        async def beating() -> None:
            for number in itertools.count(1):
                await asyncio.sleep(1.5)
                await self.say("websocket", t="ping", i=1, seq=self.seq)
                if number % 3 == 0 and self.channel is not None:
                    await self.say("datachannel", t="ping", i=1, seq=self.seq)

        self._beat = asyncio.create_task(beating())

    async def close(self) -> None:
        if self._beat:
            self._beat.cancel()
        await super().close()

    @property
    def path(self) -> str:
        return "datachannel" if self.channel is not None else "websocket"


@dataclass
class Server:
    """A process under measurement, and its guests."""

    process: asyncio.subprocess.Process
    port: int
    guests: list[Guest] = field(default_factory=list)
    latencies: list[float] = field(default_factory=list)
    cpu: float = 0.0
    idle_cpu: float = 0.0

    def seconds(self) -> float:
        """CPU seconds so far, of all its threads; to the nanosecond, where `stat` counts ticks."""
        threads = Path(f"/proc/{self.process.pid}/task").iterdir()
        return sum(int((each / "schedstat").read_text().split()[0]) for each in threads) / 1e9

    async def end(self) -> None:
        await asyncio.gather(*(guest.close() for guest in self.guests), return_exceptions=True)
        with contextlib.suppress(ProcessLookupError):
            self.process.terminate()
        try:
            await asyncio.wait_for(self.process.wait(), 10)
        except TimeoutError:
            self.process.kill()
            await self.process.wait()

    def figures(self) -> dict[str, float]:
        ordered = sorted(self.latencies)
        return {
            "median_ms": round(statistics.median(ordered) * 1000, 3),
            "p99_ms": round(ordered[int(len(ordered) * 0.99)] * 1000, 3),
            "cpu_ms_an_action": round(self.cpu / len(ordered) * 1000, 3),
            "idle_cpu_ms_a_second": round(self.idle_cpu / max(IDLE_SECONDS, 0.001) * 1000, 3),
        }


async def started(
    stack: contextlib.AsyncExitStack, *program: str
) -> tuple[Server, dict[str, Any]]:
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", *program, stdout=asyncio.subprocess.PIPE
    )
    assert process.stdout is not None
    event = json.loads(await process.stdout.readline())
    server = Server(process, event["port"])
    stack.push_async_callback(server.end)
    return server, event


async def real_host(
    client: aiohttp.ClientSession, stack: contextlib.AsyncExitStack, *, rtc: bool
) -> Server:
    folder = stack.enter_context(tempfile.TemporaryDirectory())
    server, event = await started(
        stack, "penultima", "--port", "0", "--json", "--seed", "bench",
        "--journal", f"{folder}/journal.sqlite3",
        *([] if rtc else ["--no-rtc"]),
    )  # fmt: skip
    code, secret, host_key = event["host_url"].partition("#")[2].split(".")
    for seat in range(SEATS):
        guest = Guest(client, f"http://127.0.0.1:{server.port}/ws/{code}")
        server.guests.append(guest)
        await guest.open()
        await guest.hello(secret=secret, **({"host": host_key} if seat == 0 else {}))
        await guest.sit(f"Guest {seat}")
        if rtc:
            await guest.open_channel()
        guest.beat()
    await server.guests[0].ask(t="host", do="start")
    return server


async def bare_server(
    client: aiohttp.ClientSession, stack: contextlib.AsyncExitStack, *, rtc: bool
) -> Server:
    server, _ = await started(stack, "tests.bench.latency", "bare")
    for _ in range(SEATS):
        guest = Guest(client, f"http://127.0.0.1:{server.port}/ws/aaaaaa")
        server.guests.append(guest)
        await guest.open()
        if rtc:
            await guest.open_channel()
    return server


async def settled(guests: list[Guest]) -> None:
    await eventually(lambda: len({guest.seq for guest in guests}) == 1)


async def real_block(server: Server) -> list[tuple[int, str, list[str]]]:
    """Plays; what went in and out, for the bare server to repeat."""
    guests = server.guests
    steps: list[tuple[int, str, list[str]]] = []
    before = server.seconds()
    while len(steps) < ACTIONS:
        await settled(guests)
        turn = guests[0].view.get("turn")
        phase = guests[0].view["phase"]
        if phase != "round" or turn is None:
            await guests[0].ask(t="host", do="next" if phase == "between" else "start")
            await asyncio.sleep(0.1)
            continue
        actor = guests[turn]
        move = actor.first_move()
        if move is None:
            await asyncio.sleep(PAUSE)
            continue
        others = [guest for guest in guests if guest is not actor]
        seq = actor.seq
        actor.n += 1
        text = json.dumps({"t": "act", "n": actor.n, "seq": seq, "a": move})
        sent = time.perf_counter()
        await actor.say_raw(text, actor.path)
        await eventually(lambda others=others, seq=seq: all(g.seq > seq for g in others))
        server.latencies.append(max(guest.came for guest in others) - sent)
        steps.append((turn, text, [guest.last_text for guest in guests]))
        await asyncio.sleep(PAUSE)
    server.cpu += server.seconds() - before
    return steps


async def bare_block(server: Server, steps: list[tuple[int, str, list[str]]]) -> None:
    guests = server.guests
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump([texts for _, _, texts in steps], file)
        file.flush()
        await guests[0].say_raw(f"load {file.name}")
        await guests[0].hear("done")
    before = server.seconds()
    for turn, text, _ in steps:
        actor = guests[turn]
        others = [guest for guest in guests if guest is not actor]
        have = [guest.texts for guest in others]
        sent = time.perf_counter()
        await actor.say_raw(text, actor.path)
        await eventually(
            lambda others=others, have=have: all(
                guest.texts > count for guest, count in zip(others, have, strict=True)
            )
        )
        server.latencies.append(max(guest.came for guest in others) - sent)
        await asyncio.sleep(PAUSE)
    server.cpu += server.seconds() - before


async def idle(server: Server) -> None:
    before = server.seconds()
    await asyncio.sleep(IDLE_SECONDS)
    server.idle_cpu = server.seconds() - before


async def compare(*, rtc: bool) -> dict[str, Any]:
    async with aiohttp.ClientSession() as client, contextlib.AsyncExitStack() as stack:
        ours = await real_host(client, stack, rtc=rtc)
        theirs = await bare_server(client, stack, rtc=rtc)
        for _ in range(BLOCKS):
            await bare_block(theirs, await real_block(ours))
        await asyncio.gather(idle(ours), idle(theirs))
    mine, bare_ = ours.figures(), theirs.figures()
    return {
        "penultima": mine,
        "bare": bare_,
        "ratio": {
            name: round(mine[name] / bare_[name], 2) if bare_[name] else None for name in mine
        },
        "actions": len(ours.latencies),
    }


def main() -> dict[str, Any]:
    """Figures and ratios; the goals are 1.5 for the median, the 99th percentile and idling."""

    async def both() -> dict[str, Any]:
        return {
            "seats": SEATS,
            "datachannel": await compare(rtc=True),
            "websocket": await compare(rtc=False),
        }

    return asyncio.run(both())


if __name__ == "__main__":
    if sys.argv[1:] == ["bare"]:
        with contextlib.suppress(KeyboardInterrupt):
            asyncio.run(bare())
    else:
        print(json.dumps(main(), indent=2))
