"""Telling many positions far apart in a table, by several threads, without locks and within cache.

Each thread first writes down whom it has news for, sorted by region of the table; then each region is
told by one thread. Used by solving and by exploring; the kernels do the work, this divides it.
"""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np
import numpy.typing as npt

Slots = npt.NDArray[np.uint32]
Counts = npt.NDArray[np.int64]

_CHUNK = 1 << 20  # positions that a thread takes in one go
_ROOM = 16 * _CHUNK  # slots that it may write down before it must tell them


@dataclass
class Worker:
    """What one thread writes to: the news, how much of it falls into each region, and what came of it."""

    slots: Slots = field(default_factory=lambda: np.empty(_ROOM, np.uint32))
    sorted: Slots = field(default_factory=lambda: np.empty(_ROOM, np.uint32))
    sizes: Counts = field(default_factory=lambda: np.empty(0, np.int64))
    begins: Counts = field(default_factory=lambda: np.empty(0, np.int64))
    results: Slots = field(default_factory=lambda: np.empty(0, np.uint32))
    count: int = 0


class Scatter:
    """One division of the work. shift: a region is 2^shift slots, of `size` in all.

    produce(frontier, begin, end, worker) -> (count, reached): writes worker.slots and worker.sizes.
    consume(part, first, step, worker) -> count: tells part's news to regions first, first + step, ...,
    appends to worker.results after the first worker.count. Neither may hold the GIL for long.
    """

    def __init__(
        self,
        pool: ThreadPoolExecutor,
        threads: int,
        size: int,
        shift: int,
        sort: Callable[..., Any],
        produce: Callable[[Slots, int, int, Worker], tuple[int, int]],
        consume: Callable[[Worker, int, int, Worker], int],
    ) -> None:
        self.pool, self.shift, self.regions = pool, shift, (size >> shift) + 1
        self.sort, self.produce, self.consume = sort, produce, consume
        self.workers = [Worker() for _ in range(threads)]

    def __call__(self, frontier: Slots, most: int, tell: Callable[[], None] = lambda: None) -> Slots:
        """What came of telling about all of `frontier`, at most `most` slots a thread."""
        threads = len(self.workers)
        for worker in self.workers:
            worker.count = 0
            if worker.results.size < most:
                worker.results = np.empty(most, np.uint32)
        size = frontier.size
        chunk = min(_CHUNK, -(-size // threads))
        pending = [(begin, min(size, begin + chunk)) for begin in range(0, size, chunk)][::-1]
        while pending:
            taken = [pending.pop() for _ in range(min(threads, len(pending)))]
            parts = self.workers[: len(taken)]
            reached = list(self.pool.map(partial(self._spread, frontier), parts, taken))
            pending += [(stop, end) for (_, end), stop in zip(taken, reached, strict=True) if stop < end]
            list(self.pool.map(partial(self._gather, parts), range(threads)))
            tell()
        return np.concatenate([worker.results[: worker.count] for worker in self.workers])

    def _spread(self, frontier: Slots, worker: Worker, job: tuple[int, int]) -> int:
        worker.sizes = np.zeros(self.regions, np.int64)
        count, reached = self.produce(frontier, *job, worker)
        worker.begins = np.cumsum(worker.sizes) - worker.sizes
        self.sort(worker.slots, count, self.shift, worker.begins.copy(), worker.sorted)
        return reached

    def _gather(self, parts: list[Worker], first: int) -> None:
        mine = self.workers[first]
        for part in parts:
            mine.count = self.consume(part, first, len(self.workers), mine)
