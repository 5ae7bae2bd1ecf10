"""Law: each endpoint reads its request, has it checked and answered, and keeps nothing.

A question is checked here by the rules as plain Python; only a sound one reaches an engine's process.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any, TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request

import gokaku
from gokaku import opponents
from gokaku.chain.networks import Deployment
from gokaku.games import NAMES
from gokaku.server import engine, seats, wire
from gokaku.server.errors import Problem
from gokaku.server.pool import Busy, Lost, Pool

T = TypeVar("T", bound=msgspec.Struct)
Q = TypeVar("Q", bound=wire.Question)

BODY_S = 10.0  # a body that takes longer is not waited for
SHORT = 200  # moves; a longer game is replayed aside, whoever answers
DRAIN = 4 * 1024 * 1024  # so much of a body that is too large is read, so that its sender hears the answer


async def read_body(request: Request) -> bytes:
    """The body. Raises Problem for one too large, too slow or broken off."""
    parts, size = [], 0
    try:
        async with asyncio.timeout(BODY_S):
            async for part in request.stream():
                size += len(part)
                if size <= wire.MAX_BODY:
                    parts.append(part)
                elif size > DRAIN:
                    break
    except TimeoutError:
        raise Problem(408, "slow_body", f"the body did not arrive within {BODY_S:.0f} s") from None
    except ClientDisconnect:
        raise Problem(400, "broken_off", "the connection ended before the body did") from None
    if size > wire.MAX_BODY:
        raise Problem(
            413, "body_too_large", f"the body has {size:,} bytes or more; at most {wire.MAX_BODY:,} are read"
        )
    return b"".join(parts)


async def read(request: Request, kind: type[T]) -> T:
    """The request's JSON as a `kind`. Raises Problem, saying what is wrong and where."""
    body = await read_body(request)
    expected = f"; expected a JSON object with {shape(kind)}"
    if not body.strip():
        raise Problem(400, "malformed_json", f"the body is empty{expected}")
    try:
        return msgspec.json.decode(body, type=kind)
    except msgspec.ValidationError as error:
        raise Problem(400, "bad_request", f"{error}{expected}") from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Problem(400, "malformed_json", f"the body is not JSON: {error}{expected}") from None


def shape(kind: type[msgspec.Struct]) -> str:
    """The names of a type's fields, in words."""
    fields = msgspec.structs.fields(kind)
    must = " and ".join(field.encode_name for field in fields if field.required)
    may = ", ".join(field.encode_name for field in fields if not field.required)
    return f"{must}, and possibly {may}"


WRONG = {
    gokaku.UnknownGame: "unknown_game",
    gokaku.BadPosition: "bad_position",
    gokaku.IllegalMove: "illegal_move",
    gokaku.GameOver: "game_over",
    opponents.UnknownOpponent: "unknown_opponent",
}


def check(question: wire.ReplyRequest | wire.AnalyseRequest) -> gokaku.Board:
    """The question's board. Raises Problem if it cannot be answered; an opponent's key becomes its name."""
    try:
        board = engine.board_of(question)
        if isinstance(question, wire.ReplyRequest):
            question.opponent, level = seats.seat(question.game, question.opponent)
            question.level = level or question.level
            opponents.opponent(question.opponent, board.game)
    except tuple(WRONG) as error:
        text = str(error)
        quiet = isinstance(question, wire.ReplyRequest) and not question.explain
        if quiet and isinstance(error, opponents.UnknownOpponent):
            text = "nobody answers to that key here"
        raise Problem(422, WRONG[type(error)], text) from None
    if board.outcome is not None and not (isinstance(question, wire.AnalyseRequest) and question.last):
        raise Problem(422, "game_over", f"the game is over: {board.outcome}; there is no move to ask for")
    return board


async def unless_gone(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """The work's result, or Problem as soon as the client has gone: it need not wait in a queue any more."""
    task = asyncio.ensure_future(work)
    gone = asyncio.ensure_future(request.receive())  # the body has been read: what comes next is the end
    try:
        await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise Problem(400, "broken_off", "the connection ended before the answer was there")
        return task.result()
    finally:
        for one in (task, gone):
            one.cancel()


async def think(request: Request, ask: Q, function: Callable[[Q], T], pool: Pool, limit_ms: int) -> T:
    """What a worker process says to a checked question. Raises Problem when none can."""
    try:
        return await unless_gone(request, pool.ask(function, ask, seconds=limit_ms / 1000))
    except Busy as busy:
        raise Problem(
            503,
            "busy",
            f"all engines are at work and the queue is full; try again in {busy.retry_after} s",
            retry_after=busy.retry_after,
        ) from None
    except Lost as lost:
        raise Problem(503, "engine_lost", f"{lost}; try again", retry_after=1) from None
    except tuple(WRONG) as error:
        raise Problem(422, WRONG[type(error)], str(error)) from None


class Api:
    """The endpoints and the little they share: the pool and the time of the start."""

    def __init__(self, pool: Pool, chain: tuple[Deployment, ...] = ()) -> None:
        self.pool = pool
        self._chain = wire.Chain([_deployment(one) for one in chain])
        self.begin = time.monotonic()
        self.version = version("gokaku")
        self._tables: dict[tuple[str, bool], asyncio.Future[bool]] = {}
        self._games = {"true": _games(), "false": _games(explain=False)}

    async def reply(self, request: Request) -> wire.Reply:
        ask = await read(request, wire.ReplyRequest)
        if len(ask.moves) <= SHORT and self._table_answers(ask):
            # That takes less time than handing the question over does on a loaded machine.
            return engine.reply(ask, check(ask))
        await asyncio.to_thread(check, ask)
        return await think(request, ask, engine.reply, self.pool, ask.limit_ms)

    def _table_answers(self, ask: wire.ReplyRequest) -> bool:
        """Whether the opponent asks nothing but a complete table, and this process reads it by compiled code.

        It is opened aside once the kernels are in the cache, and looked for again when one has been built.
        """
        found = opponents.OPPONENTS.get(seats.seat(ask.game, ask.opponent)[0])
        if found is None or not found.reads or ask.game not in self.pool.ready:
            return False
        look = (ask.game, ask.game in self.pool.solved)
        if look not in self._tables:
            self._tables[look] = asyncio.ensure_future(asyncio.to_thread(engine.open_table, ask.game))
        opened = self._tables[look]
        return opened.done() and opened.result()

    async def analyse(self, request: Request) -> wire.Analysis:
        ask = await read(request, wire.AnalyseRequest)
        await asyncio.to_thread(check, ask)
        return await think(request, ask, engine.analyse, self.pool, ask.limit_ms)

    async def games(self, request: Request) -> wire.Games:
        asked = request.query_params.get("explain", "true")
        if asked not in self._games:
            raise Problem(400, "bad_request", f"explain is true or false, not {asked!r}")
        return self._games[asked]

    async def status(self, request: Request) -> wire.Status:
        pool = self.pool
        return wire.Status(
            version=self.version,
            uptime=round(time.monotonic() - self.begin, 3),
            kernels=[wire.Kernels(name, name in pool.ready) for name in NAMES],
            tables=sorted(pool.solved),
            workers=pool.workers,
            busy=pool.busy,
            waiting=pool.waiting,
            queue=pool.queue,
        )

    async def chain(self, request: Request) -> wire.Chain:
        return self._chain

    async def health(self, request: Request) -> wire.Health:
        return wire.Health("ok")


def _deployment(one: Deployment) -> wire.Deployment:
    net = one.network
    return wire.Deployment(net.id, net.name, net.title, one.address, net.rpc, net.explorer, net.currency)


def _games(explain: bool = True) -> wire.Games:
    out = []
    for game in map(gokaku.game, NAMES):
        info = wire.GameInfo(game.name, wire.Title(*game.title), f"/rules/{game.name}.py")
        if explain:
            info.opponents = list(opponents.names(game))
            info.hosts = [name for name in info.opponents if opponents.OPPONENTS[name].hosts]
            info.seats = {name: seats.keys(game.name, name) for name in info.opponents}
            info.levels = list(opponents.LEVELS)
        out.append(info)
    return wire.Games(out)


@dataclass(frozen=True)
class Endpoint:
    """One row of the API's table; the routes and the OpenAPI document are both made from it."""

    method: str
    path: str
    summary: str
    handler: Callable[[Request], Awaitable[msgspec.Struct]]
    gives: type[msgspec.Struct]
    takes: type[msgspec.Struct] | None = None
    example: dict[str, Any] | None = None
    #: Query parameters that may be given: what each means, and its default.
    query: dict[str, tuple[str, bool]] = field(default_factory=dict)


def endpoints(api: Api) -> tuple[Endpoint, ...]:
    game = gokaku.game(NAMES[0])
    example = {"game": game.name, "moves": [game.start().legal_moves[0]]}
    return (
        Endpoint(
            "GET",
            "/api/v1/games",
            "The games and their opponents",
            api.games,
            wire.Games,
            query={"explain": ("false: without the opponents", True)},
        ),
        Endpoint(
            "POST",
            "/api/v1/reply",
            "An opponent's move",
            api.reply,
            wire.Reply,
            wire.ReplyRequest,
            example | {"opponent": opponents.names(game)[0], "limit_ms": 50, "seed": 1},
        ),
        Endpoint(
            "POST",
            "/api/v1/analyse",
            "The value of every legal move",
            api.analyse,
            wire.Analysis,
            wire.AnalyseRequest,
            example | {"limit_ms": 200, "last": True},
        ),
        Endpoint("GET", "/api/v1/status", "How the server is doing", api.status, wire.Status),
        Endpoint("GET", "/api/v1/chain", "Where the opponent on the chain stands", api.chain, wire.Chain),
        Endpoint("GET", "/healthz", "Whether the server is up", api.health, wire.Health),
    )
