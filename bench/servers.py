"""Law: the choice of ASGI framework and server rests on this measurement, and anyone can repeat it.

Each candidate is started as a process of its own on a free loopback port and asked by one small raw-socket
client: start time, JSON POST, WebSocket echo, memory a WebSocket connection, and what it does with a message
that is too long and with the signal to end. Linux only (/proc).

    pip install litestar starlette fastapi granian uvicorn httptools uvloop websockets
    python bench/servers.py --seconds 3 --rounds 3          # docs/decisions/0020-starlette-on-uvicorn.md
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import json
import os
import signal
import socket
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

CANDIDATES = (
    "litestar/uvicorn",
    "litestar/granian",
    "starlette/uvicorn",
    "starlette/granian",
    "fastapi/uvicorn",
)
LIMIT = 64 * 1024  # bytes a WebSocket message may have, where the server can be told
BODY = json.dumps(
    {"game": "x", "moves": [f"m{n}" for n in range(30)], "opponent": "weak", "limit_ms": 50, "seed": 7}
).encode()
ECHO = b'{"type":"move","ply":17,"move":"+B3B2HI","clock":[295000,288000]}'


class Ask(msgspec.Struct):
    game: str
    moves: list[str]
    opponent: str
    limit_ms: int = 50
    seed: int = 0


class Reply(msgspec.Struct):
    move: str
    text: str


def answer(ask: Ask) -> Reply:
    return Reply(ask.moves[ask.seed % len(ask.moves)], "the same small work for every candidate")


# -- the same two endpoints in each framework ----------------------------------------------------------------


def litestar_app() -> Any:
    litestar: Any = import_module("litestar")

    async def reply(data: Ask) -> Reply:
        return answer(data)

    async def echo(socket: Any) -> None:
        await socket.accept()
        async for message in socket.iter_data():
            if message == "leave":
                await socket.close(4001)
                return
            await socket.send_text(message)

    echo.__annotations__ = {"socket": litestar.WebSocket, "return": None}
    return litestar.Litestar([litestar.post("/reply")(reply), litestar.websocket("/echo")(echo)])


def starlette_app() -> Any:
    from starlette.applications import Starlette
    from starlette.responses import Response
    from starlette.routing import Route, WebSocketRoute

    decoder, encoder = msgspec.json.Decoder(Ask), msgspec.json.Encoder()

    async def reply(request: Any) -> Any:
        data = decoder.decode(await request.body())
        return Response(encoder.encode(answer(data)), status_code=201, media_type="application/json")

    async def echo(socket: Any) -> None:
        await socket.accept()
        async for message in socket.iter_text():
            if message == "leave":
                await socket.close(4001)
                return
            await socket.send_text(message)

    return Starlette(routes=[Route("/reply", reply, methods=["POST"]), WebSocketRoute("/echo", echo)])


def fastapi_app() -> Any:
    fastapi: Any = import_module("fastapi")
    pydantic: Any = import_module("pydantic")

    app = fastapi.FastAPI()
    model = pydantic.create_model(
        "Model",
        game=(str, ...),
        moves=(list[str], ...),
        opponent=(str, ...),
        limit_ms=(int, 50),
        seed=(int, 0),
    )

    def reply(data: Any) -> dict[str, str]:
        out = answer(Ask(data.game, data.moves, data.opponent, data.limit_ms, data.seed))
        return {"move": out.move, "text": out.text}

    async def areply(data: Any) -> dict[str, str]:
        return reply(data)

    async def echo(socket: Any) -> None:
        await socket.accept()
        async for message in socket.iter_text():
            if message == "leave":
                await socket.close(4001)
                return
            await socket.send_text(message)

    areply.__annotations__ = {"data": model, "return": dict[str, str]}
    echo.__annotations__ = {"socket": fastapi.WebSocket, "return": None}
    app.post("/reply", status_code=201)(areply)
    app.websocket("/echo")(echo)
    return app


APPS: dict[str, Callable[[], Any]] = {
    "litestar": litestar_app,
    "starlette": starlette_app,
    "fastapi": fastapi_app,
}


def app() -> Any:
    """The factory that both servers are given; the environment says which framework."""
    return APPS[os.environ["BENCH_FRAMEWORK"]]()


def command(server: str, port: int) -> list[str]:
    if server == "uvicorn":
        options = ["--ws", "websockets-sansio", "--no-access-log", "--log-level", "warning"]
        options += ["--ws-max-size", str(LIMIT), "--ws-per-message-deflate", "false"]
    else:
        options = ["--interface", "asgi", "--log-level", "warning", "--loop", "uvloop"]
    return [sys.executable, "-m", server, "servers:app", "--factory", "--port", str(port), *options]


# -- the client: one protocol, requests written whole, answers counted ---------------------------------------


class Client(asyncio.Protocol):
    """One connection that asks, waits for the whole answer and asks again. Latencies in seconds."""

    def __init__(self) -> None:
        self.buffer = bytearray()
        self.waiter: asyncio.Future[bytes] | None = None
        self.closed = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.buffer += data
        self._wake()

    def connection_lost(self, exc: Exception | None) -> None:
        self.closed = True
        self._wake()

    def _wake(self) -> None:
        if self.waiter is not None and not self.waiter.done():
            size = whole(self.buffer, self.frames)
            if size or self.closed:
                size = size or len(self.buffer)
                data = bytes(self.buffer[:size])
                del self.buffer[:size]
                self.waiter.set_result(data)

    async def ask(self, data: bytes, frames: bool) -> bytes:
        self.frames = frames
        self.waiter = asyncio.get_running_loop().create_future()
        self.transport.write(data)
        self._wake()
        return await self.waiter


def whole(buffer: bytearray, frames: bool) -> int:
    """Bytes of the complete answer at the buffer's head, 0 while it is incomplete."""
    if frames:
        if len(buffer) < 2:
            return 0
        size = buffer[1] & 127
        head = 2 if size < 126 else 4 if size == 126 else 10
        if head > 2:
            size = int.from_bytes(buffer[2:head], "big")
        return head + size if len(buffer) >= head + size else 0
    end = buffer.find(b"\r\n\r\n")
    if end < 0:
        return 0
    length = 0
    for line in bytes(buffer[:end]).lower().split(b"\r\n")[1:]:
        if line.startswith(b"content-length:"):
            length = int(line[15:])
    return end + 4 + length if len(buffer) >= end + 4 + length else 0


def frame(payload: bytes) -> bytes:
    """A masked text frame, as a browser sends it (an all-zero mask is a legal one)."""
    size = len(payload)
    if size < 126:
        return bytes((0x81, 0x80 | size)) + bytes(4) + payload
    return bytes((0x81, 0xFF)) + size.to_bytes(8, "big") + bytes(4) + payload


def head(line: str, **fields: str) -> bytes:
    lines = [
        line + " HTTP/1.1",
        "Host: localhost",
        *(f"{k.replace('_', '-')}: {v}" for k, v in fields.items()),
    ]
    return "\r\n".join([*lines, "", ""]).encode()


POST = head("POST /reply", Content_Type="application/json", Content_Length=str(len(BODY))) + BODY
UPGRADE = head(
    "GET /echo",
    Connection="Upgrade",
    Upgrade="websocket",
    Sec_WebSocket_Version="13",
    Sec_WebSocket_Key=base64.b64encode(b"sixteen octets..").decode(),
)


async def connect(port: int, upgrade: bool = False) -> Client:
    _, client = await asyncio.get_running_loop().create_connection(Client, "127.0.0.1", port)
    if upgrade:
        answer = await client.ask(UPGRADE, frames=False)
        assert b" 101 " in answer, answer
    return client


async def load(clients: list[Client], data: bytes, frames: bool, seconds: float) -> list[float]:
    """Every client asks as fast as it is answered, for `seconds`; all latencies."""
    times: list[float] = []
    end = time.perf_counter() + seconds

    async def one(client: Client) -> None:
        now = time.perf_counter()
        while now < end:
            out = await client.ask(data, frames)
            assert out[:1] == b"\x81" if frames else b" 201 " in out[:20], out[:200]
            then, now = now, time.perf_counter()
            times.append(now - then)

    await asyncio.gather(*map(one, clients))
    return times


def memory(pid: int) -> int:
    """Resident bytes of the process and its children (granian serves from a child)."""
    folder = Path(f"/proc/{pid}")
    own = int((folder / "statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    children = (folder / f"task/{pid}/children").read_text().split()
    return own + sum(memory(int(child)) for child in children)


async def until_up(port: int) -> None:
    for _ in range(2000):
        try:
            client = await connect(port)
        except OSError:
            await asyncio.sleep(0.01)
            continue
        if b" 201 " in await client.ask(POST, frames=False):
            client.transport.close()
            return
    raise TimeoutError("the server did not come up")


async def close_code(port: int, payload: bytes) -> str:
    """What the server says to one message: a close code, or what else it did."""
    client = await connect(port, upgrade=True)
    try:
        out = await asyncio.wait_for(client.ask(frame(payload), frames=True), 5)
    except TimeoutError:
        return "silence"
    client.transport.close()
    if out[:1] == b"\x88":
        return str(int.from_bytes(out[2:4], "big"))
    return "echoed" if out[:1] == b"\x81" else "cut"


async def measure(name: str, seconds: float, idle: int) -> dict[str, Any]:
    """One candidate, one round."""
    framework, server = name.split("/")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    env = os.environ | {"BENCH_FRAMEWORK": framework}
    begin = time.perf_counter()
    process = subprocess.Popen(command(server, port), env=env, cwd=Path(__file__).resolve().parent)
    out: dict[str, Any] = {"name": name}
    try:
        await until_up(port)
        out["start_s"] = time.perf_counter() - begin
        out["rss_mib"] = memory(process.pid) / 2**20
        steps: tuple[tuple[str, bytes, bool], ...] = (("http", POST, False), ("ws", frame(ECHO), True))
        for label, data, frames in steps:
            clients = [await connect(port, upgrade=frames) for _ in range(16)]
            await load(clients, data, frames, 0.3)
            times = sorted(await load(clients, data, frames, seconds))
            out[label + "_per_s"] = len(times) / seconds
            out[label + "_p50_ms"] = times[len(times) // 2] * 1000
            out[label + "_p99_ms"] = times[len(times) * 99 // 100] * 1000
            for client in clients:
                client.transport.close()
        await asyncio.sleep(0.3)
        before = memory(process.pid)
        crowd = [await connect(port, upgrade=True) for _ in range(idle)]
        await load(crowd, frame(ECHO), True, 0.0001)
        out["kib_a_ws"] = (memory(process.pid) - before) / idle / 1024
        out["leave"] = await close_code(port, b"leave")
        out["too_long"] = await close_code(port, b"x" * (LIMIT + 1))
        begin = time.perf_counter()
        waiting: Awaitable[bytes] = crowd[0].ask(b"", frames=True)
        process.send_signal(signal.SIGTERM)
        last = await asyncio.wait_for(waiting, 15)
        out["term"] = str(int.from_bytes(last[2:4], "big")) if last[:1] == b"\x88" else "cut"
        for client in crowd:
            client.transport.close()
        await asyncio.to_thread(process.wait, 15)
        out["term_s"] = time.perf_counter() - begin
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
    return out


def table(rows: list[dict[str, Any]]) -> str:
    words = [key for key, value in rows[0].items() if isinstance(value, str) and key != "name"]
    keys = [key for key, value in rows[0].items() if isinstance(value, float)]
    lines = [f"| {' | '.join(['candidate', *keys, *words])} |", "| --- " * (len(keys) + len(words) + 1) + "|"]
    for row in rows:
        cells = [f"{row[key]:.0f}" if row[key] >= 100 else f"{row[key]:.2g}" for key in keys]
        lines.append(f"| {row['name']} | " + " | ".join((*cells, *(str(row[key]) for key in words))) + " |")
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=3, help="length of each load (default 3)")
    parser.add_argument("--rounds", type=int, default=3, help="rounds over all candidates; medians are shown")
    parser.add_argument(
        "--idle", type=int, default=1000, help="open WebSocket connections for the memory figure"
    )
    parser.add_argument("--json", action="store_true")
    parser.add_argument("names", nargs="*", default=CANDIDATES)
    args = parser.parse_args()
    rounds: dict[str, list[dict[str, Any]]] = {name: [] for name in args.names}
    for _ in range(args.rounds):
        for name in args.names:
            rounds[name].append(asyncio.run(measure(name, args.seconds, args.idle)))
            print(rounds[name][-1], file=sys.stderr, flush=True)
    rows = [
        {k: statistics.median(r[k] for r in rs) if isinstance(rs[0][k], float) else rs[0][k] for k in rs[0]}
        for rs in rounds.values()
    ]
    print(json.dumps(rows, indent=1) if args.json else table(rows))


if __name__ == "__main__":
    main()
