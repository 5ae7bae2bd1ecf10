"""Explores every position that can be reached from the start, and counts what they are.

In the convention of Tanaka, "An Analysis of a Board Game 'Doubutsu Shogi'" (IPSJ SIG-GI 22, 2009): a
position and its mirror image are one, seen by the side to move; the game is over, and goes no further,
where the side to move can take the lion, and where a Try has come through (one that can be made is not
over yet).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from gokaku import compiled
from gokaku.solve.scatter import Scatter, Slots, Worker
from gokaku.solve.table import Table

_SHIFT = 23  # 2^23 positions: 1 MiB of the set


@dataclass(frozen=True)
class Reachable:
    """positions: in all; unfinished: of those, how many go on, and how they end for the side to move."""

    positions: int
    unfinished: int
    wins: int
    draws: int
    losses: int
    mean_legal_moves: float
    most_legal_moves: int


def explore(
    table: Table, threads: int | None = None, tell: Callable[[int], None] = lambda found: None
) -> Reachable:
    """Counts them; `tell` hears how many have been found. Memory: a bit a number and a few frontiers."""
    rules = table.rules
    kernel = compiled.link(rules, "reach")
    sort = compiled.link(rules, "retrograde").sort
    threads = threads or os.cpu_count() or 1
    seen = np.zeros(rules.NUMBERS // 8 + 1, np.uint8)
    # A row for each thread: two must not add to one place.
    tallies: dict[int, Any] = {}

    def produce(frontier: Slots, begin: int, end: int, worker: Worker) -> Any:
        tally = tallies.setdefault(id(worker), np.zeros(kernel.TALLY_SIZE, np.int64))
        return kernel.expand(
            frontier,
            begin,
            end,
            _SHIFT,
            worker.slots,
            worker.sizes,
            tally,
            table.arrays[0],
        )

    def consume(part: Worker, first: int, step: int, mine: Worker) -> Any:
        return kernel.mark(seen, part.sorted, part.begins, part.sizes, first, step, mine.results, mine.count)

    start = rules.number_of(rules.start())
    seen[start >> 3] |= 1 << (start & 7)
    frontier = np.array([start], np.uint32)
    found = 1
    with ThreadPoolExecutor(threads) as pool:
        scatter = Scatter(pool, threads, rules.NUMBERS, _SHIFT, sort, produce, consume)
        while frontier.size:
            most = min(rules.NUMBERS - found, frontier.size * rules.MAX_MOVES)
            frontier = scatter(frontier, most)
            found += frontier.size
            tell(found)
    rows = np.array(list(tallies.values()))
    tally = rows.sum(axis=0)
    unfinished = int(tally[[kernel.WINS, kernel.DRAWS, kernel.LOSSES]].sum())
    return Reachable(
        positions=found,
        unfinished=unfinished,
        wins=int(tally[kernel.WINS]),
        draws=int(tally[kernel.DRAWS]),
        losses=int(tally[kernel.LOSSES]),
        mean_legal_moves=int(tally[kernel.MOVES]) / unfinished,
        most_legal_moves=int(rows[:, kernel.MOST_MOVES].max()),
    )
