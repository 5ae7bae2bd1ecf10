"""Kernel: explores all positions that can be reached from the start.

As in retrograde analysis, positions are numbers, and news is sorted by region so that each region of
the set of those seen is written by one thread.
"""

from typing import Any

import numpy as np

rules: Any
lookup: Any
NEEDS = ("lookup",)

# Slots of the tally.
ENDED = 0
WINS = 1
DRAWS = 2
LOSSES = 3
MOVES = 4
MOST_MOVES = 5
TALLY_SIZE = 6


def expand(frontier, begin, end, shift, numbers, sizes, tally, bits):
    """Writes the numbers of the positions after those in frontier[begin:end] to `numbers`.

    sizes: int64[regions], gains how many of them fall into each region (number >> shift). tally:
    int64[TALLY_SIZE], gains what the positions themselves are; bits: their table's.
    Returns how many were written, and where in the frontier it stopped because `numbers` was full.
    """
    moves = np.empty(rules.MAX_MOVES, np.int64)
    count = 0
    for i in range(begin, end):
        if count + rules.MAX_MOVES > numbers.size:
            return count, i
        state = rules.state_at(np.int64(frontier[i]))
        if rules.ended(state):
            tally[ENDED] += 1
            continue
        sign = lookup.sign(state, bits, moves)
        tally[WINS if sign > 0 else LOSSES if sign < 0 else DRAWS] += 1
        n = rules.moves(state, moves)
        tally[MOVES] += n
        tally[MOST_MOVES] = max(tally[MOST_MOVES], n)
        for j in range(n):
            number = rules.number_of(rules.play(state, moves[j]))
            numbers[count] = number
            sizes[number >> shift] += 1
            count += 1
    return count, end


def mark(seen, numbers, begins, sizes, first, step, fresh, count):
    """Adds the numbers of the regions first, first + step, ... to `seen` (uint8, a bit a number).

    Appends those that are new to `fresh` after the first `count`; returns their new number.
    """
    for region in range(first, sizes.size, step):
        for i in range(begins[region], begins[region] + sizes[region]):
            number = np.int64(numbers[i])
            bit = 1 << (number & 7)
            if seen[number >> 3] & bit == 0:
                seen[number >> 3] |= np.uint8(bit)
                fresh[count] = number
                count += 1
    return count
