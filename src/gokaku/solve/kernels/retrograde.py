"""Kernel: the parts of a retrograde analysis that touch every position.

A byte a slot of the rules' index: HOLE no position; WON a win in one; 2 to LAST solved, the game ends
in so many plies, won if odd and lost if even; above LAST the moves that are left which might yet save
the side to move, NONE_LEFT - n of them. Each byte is written by one thread alone.
"""

from typing import Any

import numpy as np

rules: Any

HOLE = 0
WON = 1
LAST = 190
NONE_LEFT = 255


def start(values, begin, end, lost):
    """Sets the bytes from `begin` to `end`; writes the slots lost in two to `lost`, returns how many.

    A move into a position that the other side can win at once saves nobody, so it is never counted.
    """
    buffer = np.empty(rules.MAX_MOVES, np.int64)
    count = 0
    for slot in range(begin, end):
        state = rules.state_at(slot)
        if state < 0:
            values[slot] = HOLE
        elif rules.can_win(state):
            values[slot] = WON
        else:
            left = _saving_moves(state, buffer)
            if left == 0 and rules.outcome(state) != 0:  # it is over: it cannot move at all
                values[slot] = HOLE
            elif left == 0:
                values[slot] = 2
                lost[count] = slot
                count += 1
            else:
                values[slot] = NONE_LEFT - left
    return count


def _saving_moves(state, buffer):
    """How many slots there are to move to in which the other side cannot win at once."""
    n = rules.safe_moves(state, buffer)
    if rules.mirror(state) != state:
        return n
    # Of a symmetric position mirrored moves lead to one slot: count it once.
    different = 0
    for i in range(n):
        buffer[i] = rules.play(state, buffer[i])
        seen = False
        for j in range(i):
            seen = seen or rules.mirror(buffer[i]) == buffer[j]
        different += not seen
    return different


def spread(frontier, begin, end, shift, slots, sizes):
    """Writes the slots of the positions before those in frontier[begin:end] to `slots`.

    sizes: int64[regions], gains how many of them fall into each region (slot >> shift). Returns how
    many were written, and where in the frontier it stopped because `slots` was full.
    """
    buffer = np.empty(rules.MAX_UNMOVES, np.int64)
    count = 0
    for i in range(begin, end):
        if count + rules.MAX_UNMOVES > slots.size:
            return count, i
        state = rules.state_at(int(frontier[i]))
        symmetric = rules.mirror(state) == state
        first = count
        for j in range(rules.unmoves(state, buffer)):
            slot = rules.index_of(buffer[j])
            seen = slot < 0
            if symmetric:  # mirror images lead here too and are one slot: tell it once
                for k in range(first, count):
                    seen = seen or slots[k] == slot
            if not seen:
                slots[count] = slot
                sizes[slot >> shift] += 1
                count += 1
    return count, end


def sort(slots, count, shift, places, sorted_slots):
    """Copies the slots region by region; places: int64[regions], where each region begins, moves on."""
    for i in range(count):
        slot = slots[i]
        region = slot >> shift
        sorted_slots[places[region]] = slot
        places[region] += 1


def apply(values, slots, begins, sizes, first, step, ply, solved, count):
    """Tells positions that a move leads to one solved in `ply` - 1 plies.

    Those of the regions first, first + step, ...; slots: region by region, begins and sizes say where.
    Appends the slots that this solves to `solved` after the first `count`; returns their new number.
    """
    wins = ply & 1
    for region in range(first, sizes.size, step):
        for i in range(begins[region], begins[region] + sizes[region]):
            slot = slots[i]
            value = values[slot]
            if value > LAST:
                if wins == 0:
                    value += 1
                    values[slot] = value
                if wins or value == NONE_LEFT:
                    values[slot] = ply
                    solved[count] = slot
                    count += 1
    return count
