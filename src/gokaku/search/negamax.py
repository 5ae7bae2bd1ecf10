"""Negamax search of any game: kernels/negamax.py behind a function of (rules, state, limit)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import numpy as np

from gokaku import compiled
from gokaku.search.limit import Found, Limit, chance, keys, legal

_LINE = 24


def search(
    rules: ModuleType,
    state: Any,
    limit: Limit,
    *,
    history: Sequence[Any] = (),
    seed: int = 0,
    every: bool = False,
    jit: bool = True,
    deadline: int | None = None,
) -> Found:
    """Searches a running position until the limit, deeper and deeper.

    history: the states before this one, oldest first (for repetition). every: give each move its own
    exact score; else only the best move counts. seed: the order among equals. deadline: an instant of
    compiled.now() that overrides the limit's own.
    """
    end = limit.deadline() if deadline is None else deadline
    kernel = compiled.link(rules, "negamax", jit)
    moves = legal(rules, state)
    random.Random(seed).shuffle(moves)
    order = np.array(moves, np.int64)
    scores = np.zeros(order.size, np.int64)
    info = np.zeros(kernel.INFO_SIZE, np.int64)
    info[kernel.DEADLINE] = end
    info[kernel.MAX_NODES] = limit.most_nodes
    info[kernel.CLOCK_EVERY] = 128 if jit else 1
    table = np.zeros((1 << _bits(limit), 2), np.int64)
    before = [kernel.hash_of(key) for key in keys(rules, history)]
    path = np.zeros(len(before) + kernel.MAX_PLY + 1, np.int64)
    path[: len(before)] = before
    kernel.search(state, path, len(before), table, order, scores, every, info)

    best = rules.play(state, int(order[0]))
    rest = np.empty(_LINE, np.int64)
    length = kernel.line(best, table, rest)
    return Found(
        moves=tuple(map(int, order)),
        chances=tuple(_chance(int(score), kernel) for score in scores),
        plies=tuple(_plies(int(score), kernel) for score in scores),
        judged=order.size if every else 1,
        line=(int(order[0]), *map(int, rest[:length])),
        depth=int(info[kernel.DEPTH]),
        nodes=int(info[kernel.NODES]),
        compiled=jit,
    )


def _bits(limit: Limit) -> int:
    """The table's size: no more than the search can fill, for zeroing it costs time too."""
    most = 18 if limit.ms is not None and limit.ms <= 200 else 20
    return min(most, limit.most_nodes.bit_length() + 2)


def _plies(score: int, kernel: Any) -> int | None:
    return int(kernel.WIN - abs(score)) if abs(score) > kernel.PROVED else None


def _chance(score: int, kernel: Any) -> float:
    if abs(score) > kernel.PROVED:
        return 1.0 if score > 0 else 0.0
    return chance(score)
