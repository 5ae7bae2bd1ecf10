"""Kernel: Monte Carlo tree search (UCT) that also proves: a node whose end is known is not sampled.

A leaf is judged by one random game, or by rules.evaluate. Proofs are kept per node for its side to
move: 1 + d wins in d plies, -(1 + d) loses in d, DRAWN is even, 0 open.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

rules: Any
playout: Any
now: Callable[[], int]
NEEDS = ("playout",)  # kernels that this one calls

# Columns of the tree: a node's children are one block.
FIRST = 0
COUNT = 1
MOVE = 2
VISITS = 3
PROOF = 4
COLUMNS = 5

DRAWN = 1 << 20

# Slots of the `info` array: what the search is given and what it reports.
DEADLINE = 0
MAX_NODES = 1
CLOCK_EVERY = 2
NODES = 3
DEPTH = 4
INFO_SIZE = 5

_MAX_PLY = 256


def _proof(result, side):
    """The proof of a finished position."""
    if result == 3:
        return DRAWN
    return 1 if result == side + 1 else -1


def _select(tree, worth, node, exploration):
    """The child to look at next: an unvisited one, else the best upper bound."""
    first = tree[node, FIRST]
    log = np.log(max(1, tree[node, VISITS]))
    best = -1
    best_bound = -1.0
    for child in range(first, first + tree[node, COUNT]):
        proof = tree[child, PROOF]
        if proof > 0 and proof != DRAWN:
            continue  # the other side wins there
        visits = tree[child, VISITS]
        if visits == 0:
            return child
        bound = worth[child] / visits + exploration * np.sqrt(log / visits)
        if bound > best_bound:
            best = child
            best_bound = bound
    return best


def _prove(tree, node):
    """The proof that a node's children give it."""
    first = tree[node, FIRST]
    win = 0
    loss = 0
    drawn = False
    is_open = False
    for child in range(first, first + tree[node, COUNT]):
        proof = tree[child, PROOF]
        if proof == 0:
            is_open = True
        elif proof == DRAWN:
            drawn = True
        elif proof < 0:
            if win == 0 or 1 - proof < win:
                win = 1 - proof
        else:
            loss = max(loss, proof + 1)
    if win:
        return win
    if is_open:
        return 0
    return DRAWN if drawn else -loss


def _expand(tree, worth, node, used, state, buffer, random):
    """Appends a node's children in an order turned by the random state; the new number of nodes."""
    n = rules.moves(state, buffer)
    if used + n > tree.shape[0]:
        return used
    turned = (random >> 30) % n
    for i in range(n):
        child = used + i
        tree[child, COUNT] = 0
        tree[child, MOVE] = buffer[(i + turned) % n]
        tree[child, VISITS] = 0
        tree[child, PROOF] = 0
        worth[child] = 0.0
    tree[node, FIRST] = used
    tree[node, COUNT] = n
    return used + n


def search(state, tree, worth, random, exploration, by_playout, info):
    """Grows the tree from its root, row 0, until stopped or proved.

    tree: int32[size, COLUMNS]; worth: float64[size], the sum of results (0 to 1) for the side that
    moved into the node. Nodes are counted as playouts or evaluations.
    """
    buffer = np.empty(rules.MAX_MOVES, np.int64)
    path = np.empty(_MAX_PLY, np.int64)
    tree[0] = 0
    worth[0] = 0.0
    root_side = rules.turn(state)
    used = _expand(tree, worth, 0, 1, state, buffer, random)
    while tree[0, PROOF] == 0:
        info[NODES] += 1
        if info[NODES] > info[MAX_NODES]:
            break
        if info[NODES] % info[CLOCK_EVERY] == 0 and now() >= info[DEADLINE]:
            break
        node = 0
        depth = 0
        path[0] = 0
        here = state
        while tree[node, COUNT] > 0 and tree[node, PROOF] == 0 and depth < _MAX_PLY - 1:
            node = _select(tree, worth, node, exploration)
            here = rules.play(here, int(tree[node, MOVE]))
            depth += 1
            path[depth] = node
        info[DEPTH] = max(info[DEPTH], depth)
        side = root_side ^ (depth & 1)
        if tree[node, PROOF] == 0:
            result = rules.outcome(here)
            if result != 0:
                tree[node, PROOF] = _proof(result, side)
            elif tree[node, VISITS] > 0 and tree[node, COUNT] == 0:
                random = playout.step(random)
                used = _expand(tree, worth, node, used, here, buffer, random)
        proof = tree[node, PROOF]
        if proof != 0:
            mine = 0.5 if proof == DRAWN else 1.0 if proof > 0 else 0.0
        elif by_playout:
            result, _, random = playout.playout(here, random, buffer)
            mine = 0.5 if result == 3 else 1.0 if result == side + 1 else 0.0
        else:
            mine = 1.0 / (1.0 + 10.0 ** (-rules.evaluate(here) / 400.0))
        # Up again: each node's worth is its mover's, who is not the side to move there.
        proving = proof != 0
        for up in range(depth, -1, -1):
            node = path[up]
            if proving and up < depth:
                tree[node, PROOF] = _prove(tree, node)
                proving = tree[node, PROOF] != 0
            tree[node, VISITS] += 1
            worth[node] += 1.0 - mine if (depth - up) & 1 == 0 else mine
    return used
