"""Kernel: packs solved values into a table, looks positions up in it, and checks it against itself.

The table holds the positions that are lost; what is won or drawn follows from them: a position is won
if a move leads to a lost one, and where nobody wins it is drawn. A bit a slot says whether it is lost.

`codes` says in how many plies, as Golomb-Rice codes (Rice, "Some practical universal noiseless coding
techniques", JPL 79-22, 1979) of half the plies less one: the remainder by 2^RICE has RICE bits, the
quotient is as many ones and a zero. `begins` says at which bit those of every block of 512 slots begin;
first come all remainders of the block, then all quotients, so that those of one slot are found by counting
bits. Bits count from the lowest of a word. (A word + 0 is a signed int when compiled; unsigned ones must
not meet signed ones there.)
"""

from typing import Any

import numpy as np

rules: Any

DRAW = 255  # in `values`
BLOCK = 512  # slots
WORD = 32  # bits
RICE = 2


def pack(values, begin, end, bits, begins, codes):
    """Packs the values of slots begin (a block's first) to end; returns how many words of codes there are.

    values: uint8, as retrograde analysis leaves them. bits: uint32[slots / 32], zeroed. begins:
    uint32[slots / 512]; gets the bits within this part. codes: uint32[end - begin], zeroed.
    """
    at = 0
    for first in range(begin, end, BLOCK):
        last = min(first + BLOCK, end)
        begins[first // BLOCK] = at
        quotient = at
        for slot in range(first, last):
            quotient += RICE * _stored(values[slot])
        for slot in range(first, last):
            if _stored(values[slot]):
                _set(bits, slot)
                half = (values[slot] >> 1) - 1
                for i in range(RICE):
                    if half >> i & 1:
                        _set(codes, at + i)
                at += RICE
                for _ in range(half >> RICE):
                    _set(codes, quotient)
                    quotient += 1
                quotient += 1
        at = quotient
    return (at + WORD - 1) // WORD


def _stored(value):
    """Whether that byte says that a position is lost."""
    return value != 0 and value & 1 == 0


def _set(words, bit):
    words[bit // WORD] |= np.uint32(1 << bit % WORD)


def _ones(word):
    """The number of set bits of a 32-bit word."""
    word = word - (word >> 1 & 0x55555555)
    word = (word & 0x33333333) + (word >> 2 & 0x33333333)
    return ((word + (word >> 4) & 0x0F0F0F0F) * 0x01010101 & 0xFFFFFFFF) >> 24


def _bit(words, bit):
    return (words[bit // WORD] + 0) >> bit % WORD & 1


def is_lost(slot, bits):
    """Whether the side to move loses the position of a slot; of -1 it does not."""
    return slot >= 0 and _bit(bits, slot) != 0


def lost_in(slot, bits, begins, codes):
    """The plies to the end of a lost position; 0 if the slot's is not lost."""
    if not is_lost(slot, bits):
        return 0
    here = slot // WORD
    first = slot // BLOCK * (BLOCK // WORD)
    before = _ones(bits[here] & (1 << slot % WORD) - 1)
    count = 0
    for i in range(first, first + BLOCK // WORD):
        ones = _ones(bits[i] + 0)
        count += ones
        if i < here:
            before += ones
    at = begins[slot // BLOCK] + RICE * before
    rest = 0
    for i in range(RICE):
        rest |= _bit(codes, at + i) << i
    at = _after_zeros(codes, begins[slot // BLOCK] + RICE * count, before)
    quotient = 0
    while _bit(codes, at + quotient):
        quotient += 1
    return 2 * ((quotient << RICE) + rest + 1)


def _after_zeros(words, at, zeros):
    """The place after so many zeros from bit `at` on."""
    word = (words[at // WORD] ^ 0xFFFFFFFF) >> at % WORD
    here = _ones(word)
    while here < zeros:
        zeros -= here
        at = at // WORD * WORD + WORD
        word = words[at // WORD] ^ 0xFFFFFFFF
        here = _ones(word)
    while zeros:
        zeros -= word & 1
        word >>= 1
        at += 1
    return at


def value(state, bits, begins, codes, buffer):
    """The plies to the end of a running position, negative if the side to move loses, 0 for a draw.

    buffer: int64[MAX_MOVES] or a list as long.
    """
    if rules.can_win(state):
        return 1
    plies = lost_in(rules.index_of(state), bits, begins, codes)
    if plies:
        return -plies
    best = 0
    for i in range(rules.safe_moves(state, buffer)):
        plies = lost_in(rules.index_of(rules.play(state, buffer[i])), bits, begins, codes)
        if plies and (best == 0 or plies < best):
            best = plies
    return best + 1 if best else 0


def sign(state, bits, buffer):
    """1 if the side to move of a running position wins, -1 if it loses, 0 for a draw."""
    if rules.can_win(state):
        return 1
    if is_lost(rules.index_of(state), bits):
        return -1
    for i in range(rules.safe_moves(state, buffer)):
        if is_lost(rules.index_of(rules.play(state, buffer[i])), bits):
            return 1
    return 0


def values(states, bits, begins, codes, out):
    """`value` of many running positions."""
    buffer = np.empty(rules.MAX_MOVES, np.int64)
    for i in range(states.size):
        out[i] = value(states[i], bits, begins, codes, buffer)


def unpack(begin, end, bits, begins, codes, values):
    """Looks every slot up: `values` gets what `pack` was given, for slots begin to end."""
    buffer = np.empty(rules.MAX_MOVES, np.int64)
    for slot in range(begin, end):
        state = rules.state_at(slot)
        if state < 0 or rules.outcome(state) != 0:
            values[slot] = 0
        else:
            plies = value(state, bits, begins, codes, buffer)
            values[slot] = DRAW if plies == 0 else abs(plies)


def _expected(state, values, moves):
    """The byte of a running position that follows from those of its successors."""
    side = rules.turn(state)
    win = 0
    loss = 0
    draw = False
    for i in range(rules.moves(state, moves)):
        child = rules.play(state, moves[i])
        result = rules.outcome(child)
        if result == 3:
            draw = True
        elif result != 0:
            if result == side + 1:
                return 1
            loss = max(loss, 1)
        else:
            slot = rules.index_of(child)
            after = 1 if slot < 0 else values[slot] + 0
            if after == DRAW:
                draw = True
            elif after & 1:
                loss = max(loss, 1 + after)
            elif win == 0 or 1 + after < win:
                win = 1 + after
    if win:
        return win
    return DRAW if draw else loss


def verify(values, begin, end, bad):
    """Compares the values of slots begin to end with those of their successors.

    values: uint8, of all slots. bad: int64[k], gets the first slots that differ. Returns how many differ
    and the number of positions.
    """
    moves = np.empty(rules.MAX_MOVES, np.int64)
    differ = 0
    positions = 0
    for slot in range(begin, end):
        state = rules.state_at(slot)
        if state < 0 or rules.outcome(state) != 0:
            continue
        positions += 1
        if values[slot] != _expected(state, values, moves):
            if differ < bad.size:
                bad[differ] = slot
            differ += 1
    return differ, positions
