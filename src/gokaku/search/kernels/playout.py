"""Kernel: games of random moves.

The random state is an int below 2^62, stepped by a linear congruence; its high bits choose.
"""

from typing import Any

import numpy as np

rules: Any
HAS_NTH_MOVE: bool
REPETITION: int

# The multiplier is that of Knuth's MMIX; 62 bits are kept so that CPython and compiled code agree.
_MULTIPLIER = 6364136223846793005
_INCREMENT = 1442695040888963407
_MASK = (1 << 62) - 1
# A game that only a repetition would end is broken off and called even.
_LONGEST = 600


def step(random):
    return random * _MULTIPLIER + _INCREMENT & _MASK


def playout(state, random, buffer):
    """Plays random moves to the end of the game: (outcome, plies, new random state)."""
    plies = 0
    result = rules.outcome(state)
    while result == 0:
        random = step(random)
        if HAS_NTH_MOVE:
            n = rules.count_moves(state)
            state = rules.play(state, rules.nth_move(state, (random >> 30) * n >> 32))
        else:
            n = rules.moves(state, buffer)
            state = rules.play(state, buffer[(random >> 30) * n >> 32])
        result = rules.outcome(state)
        plies += 1
        if REPETITION > 0 and plies >= _LONGEST and result == 0:
            result = rules.repeated(state)
    return result, plies, random


def playouts(state, games, random):
    """Plays many; returns how many ended in each outcome (int64[4]) and the plies of all."""
    buffer = np.empty(rules.MAX_MOVES, np.int64)
    counts = np.zeros(4, np.int64)
    total = 0
    for _ in range(games):
        result, plies, random = playout(state, random, buffer)
        counts[result] += 1
        total += plies
    return counts, total
