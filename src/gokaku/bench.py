"""The benchmark: how fast rules, random games and the engine are here, and whether the engine is on time.

One thread, one game after the other. `signature` is no time: it counts the nodes of fixed searches, so
that a change that was to change nothing can prove it.
"""

from __future__ import annotations

import contextlib
import os
import platform
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import gokaku
from gokaku import compiled, search
from gokaku.board import Board, Game
from gokaku.games import NAMES
from gokaku.search import Limit
from gokaku.server import engine, wire

LIMIT_MS = 50
_SECONDS = 1.0  # at least so long for every rate
_FIRST_MOVE = """
import sys, gokaku
from gokaku import opponents, search
game = gokaku.game(sys.argv[1])
search.warm(game.rules)
print(opponents.answer("engine", opponents.Question(game.start(), opponents.Limit(ms=50))).move)
"""


@dataclass(frozen=True)
class Lateness:
    """How long `positions` questions to the engine took, in ms from their arrival at the worker."""

    limit_ms: int
    positions: int
    most_legal_moves: int
    median_ms: float
    p99_ms: float
    slowest_ms: float
    late: int


@dataclass(frozen=True)
class Result:
    """One game's figures; rates a second, on one thread."""

    game: str
    perft_depth: int
    perft_leaves: int
    perft_compiled: float
    perft_cpython: float
    playouts: float
    plies_a_playout: float
    engine_nodes: float
    signature: int
    first_move_cold_s: float
    first_move_warm_s: float
    engine: Lateness


def run(
    names: Sequence[str] = NAMES, positions: int = 1_000, tell: Callable[[str], None] = lambda text: None
) -> list[Result]:
    """Measures the games; `tell` hears what is being measured. Minutes, most of them for `positions`."""
    return [_measure(gokaku.game(name), positions, tell) for name in names]


def machine() -> dict[str, str]:
    """What the figures were measured on."""
    model = platform.processor() or platform.machine()
    with contextlib.suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
        model = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), model)
    return {"cpu": model, "cores": str(os.cpu_count()), "python": platform.python_version()}


def as_dict(results: Sequence[Result]) -> dict[str, Any]:
    """For JSON: the machine, and every game's figures by its name."""
    return {"machine": machine(), "games": {one.game: asdict(one) for one in results}}


def _measure(game: Game, positions: int, tell: Callable[[str], None]) -> Result:
    rules = game.rules
    with tempfile.TemporaryDirectory() as empty:
        tell(f"{game.name}: first move, cold (compiling into an empty cache)")
        cold = _first_move(game, empty)
        tell(f"{game.name}: first move, warm")
        warm = _first_move(game, empty)
    tell(f"{game.name}: perft")
    depth, leaves, fast = _perft(rules, jit=True, least=2_000_000)
    *_, slow = _perft(rules, jit=False, least=5_000)
    tell(f"{game.name}: random games")
    playouts, plies = _playouts(rules)
    tell(f"{game.name}: engine")
    search.warm(rules)
    nodes = _engine(game)
    tell(f"{game.name}: {positions} questions of {LIMIT_MS} ms")
    lateness = _lateness(game, positions)
    return Result(
        game.name, depth, leaves, fast, slow, playouts, plies, nodes, signature(game), cold, warm, lateness
    )


def _first_move(game: Game, cache: str) -> float:
    """Seconds from the start of a fresh process until it has the engine's first move."""
    began = time.perf_counter()
    command = [sys.executable, "-c", _FIRST_MOVE, game.name]
    environment = os.environ | {"GOKAKU_CACHE": cache}
    subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - began


def _perft(rules: Any, jit: bool, least: int) -> tuple[int, int, float]:
    """The depth that has at least so many leaves (or the most), their number, leaves a second."""
    kernel = compiled.link(rules, "perft", jit)
    state = rules.start()
    depth, leaves = 1, int(kernel.perft(state, 1))
    while leaves < least:
        deeper = int(kernel.perft(state, depth + 1))
        if deeper < leaves:
            break
        depth, leaves = depth + 1, deeper
    return depth, leaves, leaves * _rate(lambda: kernel.perft(state, depth))


def _playouts(rules: Any) -> tuple[float, float]:
    """Random games a second from the start, and their mean length in plies."""
    kernel = compiled.link(rules, "playout")
    state = rules.start()
    _, plies = kernel.playouts(state, 1_000, 1)
    return 1_000 * _rate(lambda: kernel.playouts(state, 1_000, 1)), plies / 1_000


def _rate(work: Callable[[], Any]) -> float:
    """How often a second the work is done: the best of three rounds, since disturbance only slows."""
    work()
    best = 0.0
    for _ in range(3):
        began = time.perf_counter()
        times = 0
        while time.perf_counter() - began < _SECONDS / 3:
            work()
            times += 1
        best = max(best, times / (time.perf_counter() - began))
    return best


def _engine(game: Game) -> float:
    """Nodes a second over a few positions."""
    boards = random_boards(game, 10, seed=1)
    began = time.perf_counter()
    found = [search.best(game.rules, board.state, Limit(ms=200), seed=1) for board in boards]
    return sum(one.nodes for one in found) / (time.perf_counter() - began)


def signature(game: Game) -> int:
    """A number that changes when the engine searches otherwise: nodes, depths, moves of fixed searches."""
    boards = random_boards(game, 10, seed=1)
    found = [search.best(game.rules, board.state, Limit(nodes=20_000), seed=1) for board in boards]
    return sum((one.nodes + 1_000 * one.depth + one.moves[0]) * place for place, one in enumerate(found, 1))


def random_boards(game: Game, count: int, seed: int) -> list[Board]:
    """Running boards from random games, three a game."""
    choice = random.Random(seed)
    boards: list[Board] = []
    while len(boards) < count:
        line = [game.start()]
        while line[-1].outcome is None:
            line.append(line[-1].play(choice.choice(line[-1].legal_moves)))
        running = line[:-1]
        boards += choice.sample(running, min(3, len(running)))
    return boards[:count]


def _lateness(game: Game, positions: int) -> Lateness:
    boards = random_boards(game, positions, seed=2)
    most = max(len(board.codes) for board in boards)
    requests = [
        wire.ReplyRequest(game=game.name, moves=list(board.moves), opponent="engine", limit_ms=LIMIT_MS)
        for board in boards
    ]
    del boards  # a worker has no such heap to look through
    engine.warm(game.name)
    engine.reply(requests[0])
    times = []
    for request in requests:
        began = time.perf_counter()
        engine.reply(request)
        times.append((time.perf_counter() - began) * 1e3)
    times.sort()
    return Lateness(
        LIMIT_MS,
        positions,
        most,
        times[len(times) // 2],
        times[len(times) * 99 // 100],
        times[-1],
        sum(spent > LIMIT_MS for spent in times),
    )
