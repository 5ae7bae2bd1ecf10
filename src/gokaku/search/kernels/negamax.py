"""Kernel: negamax with alpha-beta, iterative deepening, a transposition table and learnt move order.

Scores are seen by the side to move: 0 is even, WIN - n wins in n plies, -(WIN - n) loses in n, and
between them stands rules.evaluate. The clock is asked every few hundred nodes, so a search ends
within microseconds of its deadline.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

rules: Any
now: Callable[[], int]
REPETITION: int
SCALAR: bool

WIN = 1_000_000
# Scores beyond this are proved: a win or loss within that many plies.
PROVED = WIN - 1_000
MAX_PLY = 64

# Slots of the `info` array: what the search is given and what it reports.
DEADLINE = 0
MAX_NODES = 1
CLOCK_EVERY = 2
NODES = 3
STOPPED = 4
DEPTH = 5
GUESSES = 6
INFO_SIZE = 7

# A table entry's bound: the score is exact, at least so good, at most so good.
_EXACT = 0
_AT_LEAST = 1
_AT_MOST = 2

_MASK = (1 << 62) - 1


def hash_of(state):
    """A 62-bit hash of a state or of a key."""
    if SCALAR:
        return _mix(state)
    h = 0
    for part in state:
        h = _mix(h ^ part)
    return h


def _mix(h):
    h = (h ^ h >> 31) * 0x1E3779B97F4A7C15 & _MASK
    h = (h ^ h >> 29) * 0x3F58476D1CE4E5B9 & _MASK
    return h ^ h >> 32


def terminal(result, side, ply):
    """The score of a finished game for `side` to move, `ply` plies from the root."""
    if result == 3:
        return 0
    return WIN - ply if result == side + 1 else ply - WIN


def _search(state, depth, at, alpha, beta, table, path, start, buffers, history, info):
    """The score of a state; meaningless once info[STOPPED] is set. path[at] is the state's own place."""
    ply = at - start
    if info[STOPPED]:
        return 0
    info[NODES] += 1
    if info[NODES] > info[MAX_NODES]:
        info[STOPPED] = 1
    if info[NODES] % info[CLOCK_EVERY] == 0 and now() >= info[DEADLINE]:
        info[STOPPED] = 1
    if info[STOPPED]:
        return 0
    side = rules.turn(state)
    result = rules.outcome(state)
    if result != 0:
        return terminal(result, side, ply)
    if REPETITION > 0:
        seen = hash_of(rules.key(state))
        times = 1
        for i in range(at):
            if path[i] == seen:
                times += 1
        if times >= REPETITION:
            return terminal(rules.repeated(state), side, ply)
        path[at] = seen
    if depth <= 0:
        info[GUESSES] += 1
        return max(1 - PROVED, min(PROVED - 1, rules.evaluate(state)))

    h = hash_of(state)
    slot = h & table.shape[0] - 1
    known = -1
    if int(table[slot, 0]) == h:
        entry = int(table[slot, 1])
        known = (entry & 0xFFFF) - 1
        score = (entry >> 26) - WIN
        # Wins are stored by their distance from the position itself.
        score -= ply if score > PROVED else -ply if score < -PROVED else 0
        bound = entry >> 16 & 3
        low = bound == _AT_LEAST and score >= beta
        high = bound == _AT_MOST and score <= alpha
        if entry >> 18 & 255 >= depth and (bound == _EXACT or low or high):
            # Where positions recur the entry may be an earlier depth's, resting on guesses.
            info[GUESSES] += REPETITION > 0
            return score

    moves = buffers[0, ply]
    weights = buffers[1, ply]
    n = rules.moves(state, moves)
    for i in range(n):
        weights[i] = 1 << 60 if moves[i] == known else history[side, moves[i]]
    best = -WIN
    best_move = -1
    floor = alpha
    for i in range(n):
        pick = i
        for j in range(i + 1, n):
            if weights[j] > weights[pick]:
                pick = j
        move = int(moves[pick])
        moves[pick] = moves[i]
        weights[pick] = weights[i]
        child = rules.play(state, move)
        score = alpha + 1
        if i > 0 and beta - alpha > 1:  # is it better than the best so far at all?
            score = -_search(
                child, depth - 1, at + 1, -alpha - 1, -alpha, table, path, start, buffers, history, info
            )
        if i == 0 or score > alpha:
            score = -_search(
                child, depth - 1, at + 1, -beta, -alpha, table, path, start, buffers, history, info
            )
        if info[STOPPED]:
            return 0
        if score > best:
            best = score
            best_move = move
            alpha = max(alpha, score)
            if alpha >= beta:
                history[side, move] += depth * depth
                break
    stored = best + (ply if best > PROVED else -ply if best < -PROVED else 0)
    bound = _AT_LEAST if best >= beta else _AT_MOST if best <= floor else _EXACT
    table[slot, 0] = h
    table[slot, 1] = best_move + 1 | bound << 16 | depth << 18 | stored + WIN << 26
    return best


def search(state, path, start, table, moves, scores, every, info):
    """Deepens until stopped or decided; sorts the root's moves by score, best first.

    path: int64[start + MAX_PLY + 1], the key hashes of the game before the root.
    table: int64[2^k, 2]. moves, scores: int64[n], the legal moves in the order to try.
    every: whether each move is to have its exact score, or only the best.
    """
    n = moves.size
    buffers = np.empty((2, MAX_PLY + 1, rules.MAX_MOVES), np.int64)
    history = np.zeros((2, 1 << 16), np.int64)
    fresh = np.zeros(n, np.int64)
    if REPETITION > 0:
        path[start] = hash_of(rules.key(state))
    for depth in range(1, MAX_PLY):
        alpha = -WIN
        done = 0
        info[GUESSES] = 0
        for i in range(n):
            child = rules.play(state, int(moves[i]))
            low = -WIN if every else alpha
            score = low + 1
            if i > 0 and not every:
                score = -_search(
                    child, depth - 1, start + 1, -low - 1, -low, table, path, start, buffers, history, info
                )
            if i == 0 or every or score > low:
                score = -_search(
                    child, depth - 1, start + 1, -WIN, -low, table, path, start, buffers, history, info
                )
            if info[STOPPED]:
                break
            fresh[i] = score
            alpha = max(alpha, score)
            done += 1
        if info[STOPPED] and (every or done == 0):
            break
        # Of a broken-off depth the moves that were finished count: the first was the best before.
        for i in range(done):
            scores[i] = fresh[i]
        for i in range(1, done):
            for j in range(i, 0, -1):
                if scores[j] <= scores[j - 1]:
                    break
                scores[j], scores[j - 1] = scores[j - 1], scores[j]
                moves[j], moves[j - 1] = moves[j - 1], moves[j]
        if info[STOPPED]:
            break
        info[DEPTH] = depth
        decided = True
        for i in range(n if every else 1):
            decided = decided and abs(scores[i]) > PROVED and WIN - abs(scores[i]) <= depth
        if decided or info[GUESSES] == 0 or (n == 1 and not every):
            break


def line(state, table, out):
    """Writes the best moves that the table remembers from the state to `out`; returns how many."""
    legal = np.empty(rules.MAX_MOVES, np.int64)
    length = 0
    while length < out.size and rules.outcome(state) == 0:
        h = hash_of(state)
        slot = h & table.shape[0] - 1
        if int(table[slot, 0]) != h:
            break
        move = (int(table[slot, 1]) & 0xFFFF) - 1
        found = False
        for i in range(rules.moves(state, legal)):
            found = found or legal[i] == move
        if not found:
            break
        out[length] = move
        length += 1
        state = rules.play(state, move)
    return length
