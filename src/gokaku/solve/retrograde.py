"""Retrograde analysis of any game whose rule file offers an index (docs/rule-files.md): every position's end.

From the positions that are decided at once back to those from which a move leads there, ply by ply.
Two ideas keep it in cache and free of locks: the moves left to a position are counted in its value's
own byte, and the news to be told is sorted by region of the table (scatter.py).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

from gokaku import compiled
from gokaku.solve.scatter import Scatter, Slots, Worker

Bytes = npt.NDArray[np.uint8]

#: The byte of a draw.
DRAW = 255
#: A region of the table that one thread writes at a time: 2^20 bytes lie in a core's own cache.
SHIFT = 20
_START = 1 << 18  # slots that a thread sets up in one go


@dataclass
class Progress:
    """Where an analysis stands: `phase` "start" or "solve", the ply, and positions done and in all."""

    phase: str = "start"
    ply: int = 0
    done: int = 0
    total: int = 0


def solve(
    rules: ModuleType, threads: int | None = None, tell: Callable[[Progress], None] = lambda progress: None
) -> Bytes:
    """A byte for every slot of the index: 0 no position, DRAW a draw, else the plies to the end, won if odd.

    uint8[rules.INDEX_SIZE]. `tell` hears of the progress several times a second. Memory: the table and
    up to eight bytes for every position that is not won in one.
    """
    kernel = compiled.link(rules, "retrograde")
    threads = threads or os.cpu_count() or 1
    with ThreadPoolExecutor(threads) as pool:
        values, frontier = _start(rules, kernel, pool, tell)
        unsolved = int(np.count_nonzero(values > kernel.LAST))
        progress = Progress("solve", 2, frontier.size, frontier.size + unsolved)

        def produce(frontier: Slots, begin: int, end: int, worker: Worker) -> Any:
            return kernel.spread(frontier, begin, end, SHIFT, worker.slots, worker.sizes)

        def consume(part: Worker, first: int, step: int, mine: Worker) -> Any:
            return kernel.apply(
                values,
                part.sorted,
                part.begins,
                part.sizes,
                first,
                step,
                progress.ply,
                mine.results,
                mine.count,
            )

        scatter = Scatter(pool, threads, values.size, SHIFT, kernel.sort, produce, consume)
        while frontier.size:
            progress.ply += 1
            frontier = scatter(frontier, unsolved, partial(tell, progress))
            progress.done += frontier.size
    values[values > kernel.LAST] = DRAW
    return values


def _start(
    rules: Any, kernel: Any, pool: ThreadPoolExecutor, tell: Callable[[Progress], None]
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
