"""Monte Carlo tree search of any game: kernels/mcts.py behind a function of (rules, state, limit)."""

from __future__ import annotations

import random
from types import ModuleType
from typing import Any

import numpy as np

from gokaku import compiled
from gokaku.search.limit import Found, Limit

_MOST_TREE_NODES = 4_000_000
# More than a core fills; memory that is not touched costs nothing, but giving it back does.
_TREE_NODES_PER_MS = 10_000
_LINE = 24


def search(
    rules: ModuleType,
    state: Any,
    limit: Limit,
    *,
    seed: int = 0,
    by_playout: bool | None = None,
    exploration: float = 0.7,
    jit: bool = True,
    deadline: int | None = None,
) -> Found:
    """Searches a running position until the limit; every move's chance is an estimate.

    by_playout: judge leaves by random games instead of rules.evaluate; by default where the rules
    offer nth_move, which makes them cheap. exploration: the weight of the upper bound's width.
    deadline: an instant of compiled.now() that overrides the limit's own. Repetition is not seen.
    """
    end = limit.deadline() if deadline is None else deadline
    kernel = compiled.link(rules, "mcts", jit)
    by_time = int((limit.ms or 1e6) * _TREE_NODES_PER_MS)
    by_nodes = limit.most_nodes * rules.MAX_MOVES
    size = min(_MOST_TREE_NODES, max(by_time, 1_000), by_nodes) + rules.MAX_MOVES + 1
    tree = np.empty((size, kernel.COLUMNS), np.int32)
    worth = np.empty(size, np.float64)
    info = np.zeros(kernel.INFO_SIZE, np.int64)
    info[kernel.DEADLINE] = end
    info[kernel.MAX_NODES] = limit.most_nodes
    info[kernel.CLOCK_EVERY] = 16 if jit else 1
    rollouts = hasattr(rules, "nth_move") if by_playout is None else by_playout
    start = random.Random(seed).getrandbits(62)
    kernel.search(state, tree, worth, start, exploration, rollouts, info)

    children = _children(tree, 0, kernel)
    children.sort(key=lambda child: _rank(tree, worth, child, kernel), reverse=True)
    return Found(
        moves=tuple(int(tree[child, kernel.MOVE]) for child in children),
        chances=tuple(_chance(tree, worth, child, kernel) for child in children),
        plies=tuple(_plies(int(tree[child, kernel.PROOF]), kernel) for child in children),
        judged=len(children),
        line=_best_line(tree, worth, children[0], kernel),
        depth=int(info[kernel.DEPTH]),
        nodes=int(info[kernel.NODES]),
        compiled=jit,
    )


def _children(tree: Any, node: int, kernel: Any) -> list[int]:
    first = int(tree[node, kernel.FIRST])
    return list(range(first, first + int(tree[node, kernel.COUNT])))


def _rank(tree: Any, worth: Any, child: int, kernel: Any) -> tuple[int, float]:
    """Proved wins first, the quickest first; then by visits; proved losses last, the slowest first."""
    proof = int(tree[child, kernel.PROOF])
    if proof < 0:
        return 1, float(proof)
    if proof > 0 and proof != kernel.DRAWN:
        return -1, float(proof)
    return 0, float(tree[child, kernel.VISITS])


def _chance(tree: Any, worth: Any, child: int, kernel: Any) -> float:
    proof = int(tree[child, kernel.PROOF])
    if proof == kernel.DRAWN:
        return 0.5
    if proof:
        return 1.0 if proof < 0 else 0.0
    visits = int(tree[child, kernel.VISITS])
    return float(worth[child] / visits) if visits else 0.5


def _plies(proof: int, kernel: Any) -> int | None:
    """Plies from the root to the forced end behind a move, if one is proved."""
    return None if proof in (0, kernel.DRAWN) else abs(proof)


def _best_line(tree: Any, worth: Any, node: int, kernel: Any) -> tuple[int, ...]:
    line: list[int] = []
    while len(line) < _LINE:
        line.append(int(tree[node, kernel.MOVE]))
        children = _children(tree, node, kernel)
        if not children:
            break
        node = max(children, key=lambda child: _rank(tree, worth, child, kernel))
    return tuple(line)
