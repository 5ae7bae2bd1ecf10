"""Retrograde analysis of any game whose rule file offers an index (docs/rule-files.md): every position's end.

From the positions that are decided at once back to those from which a move leads there, ply by ply.
Two ideas keep it in cache and free of locks: the moves left to a position are counted in its value's
own byte, and the news to be told is sorted by region of the table, each region told by one thread.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from gokaku import compiled

Bytes = npt.NDArray[np.uint8]
Slots = npt.NDArray[np.uint32]

#: A region of the table that one thread writes at a time: 2^20 bytes lie in a core's own cache.
SHIFT = 20
_START = 1 << 18  # slots that a thread sets up in one go
_CHUNK = 1 << 17  # positions that a thread takes back in one go
_ROOM = 48 * _CHUNK  # slots that it may write doing so


@dataclass
class Progress:
    """Where an analysis stands: `phase` "start" or "solve", the ply, and positions done and in all."""

    phase: str = "start"
    ply: int = 0
    done: int = 0
    total: int = 0


@dataclass
class _Worker:
    """What one thread writes to."""

    slots: Slots = field(default_factory=lambda: np.empty(_ROOM, np.uint32))
    sorted: Slots = field(default_factory=lambda: np.empty(_ROOM, np.uint32))
    sizes: npt.NDArray[np.int64] = field(default_factory=lambda: np.empty(0, np.int64))
    solved: Slots = field(default_factory=lambda: np.empty(0, np.uint32))
    count: int = 0


def solve(
    rules: ModuleType, threads: int | None = None, tell: Callable[[Progress], None] = lambda progress: None
) -> Bytes:
    """The value of every slot: 0 a draw or no position, else the plies to the end, won if odd.

    uint8[rules.INDEX_SIZE]. Positions won in one may be 1 without being in the index at all. `tell`
    hears of the progress several times a second. Memory: the table and up to eight bytes a position.
    """
    kernel = compiled.link(rules, "retrograde")
    threads = threads or os.cpu_count() or 1
    with ThreadPoolExecutor(threads) as pool:
        values, frontier = _start(rules, kernel, pool, threads, tell)
        unsolved = int(np.count_nonzero(values > kernel.LAST))
        progress = Progress("solve", 2, frontier.size, frontier.size + unsolved)
        workers = [_Worker(solved=np.empty(unsolved, np.uint32)) for _ in range(threads)]
        while frontier.size:
            progress.ply += 1
            frontier = _ply(kernel, pool, workers, values, frontier, progress, tell)
    values[values > kernel.LAST] = 0
    return values


def _start(
    rules: Any, kernel: Any, pool: ThreadPoolExecutor, threads: int, tell: Callable[[Progress], None]
) -> tuple[Bytes, Slots]:
    """The table before the first ply, and the slots that are lost in two."""
    size = rules.INDEX_SIZE
    values = np.empty(size, np.uint8)
    kernel.start(values, 0, 0, np.empty(0, np.uint32))  # compiles, once and not in every thread
    progress = Progress("start", 0, 0, size)

    def part(begin: int) -> Slots:
        end = min(size, begin + _START)
        lost = np.empty(end - begin, np.uint32)
        count = kernel.start(values, begin, end, lost)
        progress.done += end - begin
        tell(progress)
        return lost[:count].copy()

    lost = list(pool.map(part, range(0, size, _START)))
    return values, np.concatenate(lost)


def _ply(
    kernel: Any,
    pool: ThreadPoolExecutor,
    workers: list[_Worker],
    values: Bytes,
    frontier: Slots,
    progress: Progress,
    tell: Callable[[Progress], None],
) -> Slots:
    """The slots that are solved in `progress.ply`, from those solved in one ply less."""
    regions = (values.size >> SHIFT) + 1
    threads = len(workers)

    def spread(worker: _Worker, begin: int, end: int) -> tuple[Any, int]:
        worker.sizes = np.zeros(regions, np.int64)
        count, reached = kernel.spread(frontier, begin, end, SHIFT, worker.slots, worker.sizes)
        begins = np.cumsum(worker.sizes) - worker.sizes
        kernel.sort(worker.slots, count, SHIFT, begins.copy(), worker.sorted)
        return begins, reached

    def apply(number: int, parts: list[tuple[_Worker, Any]]) -> None:
        mine = workers[number]
        for region in range(number, regions, threads):
            for worker, begins in parts:
                begin = int(begins[region])
                end = begin + int(worker.sizes[region])
                mine.count = kernel.apply(
                    values, worker.sorted, begin, end, progress.ply, mine.solved, mine.count
                )

    for worker in workers:
        worker.count = 0
    pending = [(begin, min(frontier.size, begin + _CHUNK)) for begin in range(0, frontier.size, _CHUNK)]
    pending.reverse()
    while pending:
        taken = [pending.pop() for _ in range(min(threads, len(pending)))]
        results = list(pool.map(spread, workers, *zip(*taken, strict=True)))
        parts = []
        for worker, (_, end), (begins, reached) in zip(workers, taken, results, strict=False):
            parts.append((worker, begins))
            if reached < end:
                pending.append((reached, end))
        list(pool.map(apply, range(threads), [parts] * threads))
        tell(progress)
    found = np.concatenate([worker.solved[: worker.count] for worker in workers])
    progress.done += found.size
    return found
