"""Kernel: counts the move sequences of a given length (perft); those that end earlier do not count."""

from typing import Any

import numpy as np

rules: Any
HAS_NTH_MOVE: bool


def perft(state, depth):
    """The number of sequences of `depth` (1 or more) moves from the state."""
    if rules.outcome(state) != 0:
        return 0
    return _count(state, depth, np.empty((depth, rules.MAX_MOVES), np.int64))


def _count(state, depth, buffers):
    """Counts below a running position; the last ply is counted, not played."""
    if HAS_NTH_MOVE and depth == 1:
        return rules.count_moves(state)
    buffer = buffers[depth - 1]
    n = rules.moves(state, buffer)
    if depth == 1:
        return n
    total = 0
    for i in range(n):
        child = rules.play(state, buffer[i])
        if rules.outcome(child) == 0:
            total += _count(child, depth - 1, buffers)
    return total
