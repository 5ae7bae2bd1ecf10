"""Search over any game's rules, which arrive as an argument."""

from collections.abc import Sequence
from types import ModuleType
from typing import Any

from gokaku import compiled
from gokaku.search import mcts, negamax
from gokaku.search.limit import Found, Limit

__all__ = ["Found", "Limit", "best", "mcts", "negamax", "warm", "warmed"]

_warm: set[str] = set()


def best(
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
    """Searches by the method that suits the rules; parameters as in negamax.search.

    Random games judge a position well where they are cheap, and there the rules offer nth_move.
    """
    if hasattr(rules, "nth_move"):
        return mcts.search(rules, state, limit, seed=seed, jit=jit, deadline=deadline)
    return negamax.search(
        rules, state, limit, history=history, seed=seed, every=every, jit=jit, deadline=deadline
    )


def warm(rules: ModuleType) -> None:
    """Compiles the search of these rules, or loads it from the cache; seconds the first time."""
    best(rules, rules.start(), Limit(nodes=1))
    compiled.mark_ready(rules, "search")
    _warm.add(rules.__name__)


def warmed(rules: ModuleType) -> bool:
    """Whether this process has the search of these rules in memory, compiled."""
    return rules.__name__ in _warm
