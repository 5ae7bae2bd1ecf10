"""Search over any game's rules, which arrive as an argument."""

from types import ModuleType

from gokaku import compiled
from gokaku.search import mcts, negamax
from gokaku.search.limit import Found, Limit

__all__ = ["Found", "Limit", "mcts", "negamax", "warm", "warmed"]

_warm: set[str] = set()


def warm(rules: ModuleType) -> None:
    """Compiles the searches of these rules, or loads them from the cache; seconds the first time."""
    state = rules.start()
    negamax.search(rules, state, Limit(nodes=1))
    mcts.search(rules, state, Limit(nodes=1))
    compiled.mark_ready(rules)
    _warm.add(rules.__name__)


def warmed(rules: ModuleType) -> bool:
    """Whether this process has the searches of these rules in memory, compiled."""
    return rules.__name__ in _warm
