"""Kernel: packs solved values into a table, looks positions up in it, and checks it against itself.

The table leaves out what the rules say in no time: positions won in one, those lost in two because
no move is safe, and those won in three, which is what is left. A bit a slot says whether its value is
stored; the stored bytes stand in the order of the slots, and `ranks` counts those before every block
of 512 slots.
"""

from typing import Any

import numpy as np

rules: Any

DRAW = 255  # in `values`; stored as 0
BLOCK = 512  # slots
WORD = 32  # slots in a word of `bits`


def pack(values, begin, end, bits, ranks, stored):
    """Packs the values of slots begin (a block's first) to end; returns how many were stored.

    values: uint8, as retrograde analysis leaves them. bits: uint32[slots / 32], zeroed. ranks:
    uint32[slots / 512]; gets the numbers within this part. stored: uint8, room for all.
    """
    count = 0
    for slot in range(begin, end):
        if slot % BLOCK == 0:
            ranks[slot // BLOCK] = count
        value = values[slot]
        if value > 3:
            bits[slot // WORD] |= np.uint32(1 << slot % WORD)
            stored[count] = 0 if value == DRAW else value
            count += 1
    return count


def _ones(word):
    """The number of set bits of a 32-bit word."""
    word = word - (word >> 1 & 0x55555555)
    word = (word & 0x33333333) + (word >> 2 & 0x33333333)
    return ((word + (word >> 4) & 0x0F0F0F0F) * 0x01010101 & 0xFFFFFFFF) >> 24


def value(state, bits, ranks, stored, buffer):
    """The plies to the end of a running position, negative if the side to move loses, 0 for a draw.

    buffer: int64[MAX_MOVES] or a list as long.
    """
    if rules.can_win(state):
        return 1
    slot = rules.index_of(state)
    word = np.int64(bits[slot // WORD])  # int() of an unsigned one stays unsigned when compiled
    if word >> slot % WORD & 1 == 0:
        return -2 if rules.safe_moves(state, buffer) == 0 else 3
    place = np.int64(ranks[slot // BLOCK])
    for i in range(slot // BLOCK * (BLOCK // WORD), slot // WORD):
        place += _ones(np.int64(bits[i]))
    place += _ones(word & (1 << slot % WORD) - 1)
    plies = np.int64(stored[place])
    return plies if plies & 1 else -plies


def values(states, bits, ranks, stored, out):
    """`value` of many running positions."""
    buffer = np.empty(rules.MAX_MOVES, np.int64)
    for i in range(states.size):
        out[i] = value(states[i], bits, ranks, stored, buffer)


def expected(state, bits, ranks, stored, moves, buffer):
    """The value of a running position that follows from those of its successors."""
    side = rules.turn(state)
    win = 0
    loss = 0
    draw = False
    for i in range(rules.moves(state, moves)):
        child = rules.play(state, int(moves[i]))
        result = rules.outcome(child)
        if result == 3:
            draw = True
        elif result != 0:
            if result == side + 1:
                return 1
            loss = max(loss, 1)
        else:
            after = value(child, bits, ranks, stored, buffer)
            if after == 0:
                draw = True
            elif after < 0:
                if win == 0 or 1 - after < win:
                    win = 1 - after
            else:
                loss = max(loss, 1 + after)
    if win:
        return win
    return 0 if draw else -loss


def verify(begin, end, bits, ranks, stored, bad):
    """Compares the values of slots begin to end with those of their successors; returns how many differ.

    bad: int64[k], gets the first slots that differ. Also returns the number of positions.
    """
    moves = np.empty(rules.MAX_MOVES, np.int64)
    buffer = np.empty(rules.MAX_MOVES, np.int64)
    differ = 0
    positions = 0
    for slot in range(begin, end):
        state = rules.state_at(slot)
        if state < 0 or rules.outcome(state) != 0:
            continue
        positions += 1
        told = value(state, bits, ranks, stored, buffer)
        if told != expected(state, bits, ranks, stored, moves, buffer):
            if differ < bad.size:
                bad[differ] = slot
            differ += 1
    return differ, positions
