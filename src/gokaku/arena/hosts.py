"""Who is compared on the ladder: opponents of the registry, and the plan that always steers to even.

Each answers a board, with a judge of boards, by a move. Games are judged once for all who sit at them.
"""

from __future__ import annotations

import random
from collections.abc import Callable

from gokaku import opponents
from gokaku.arena.guests import Judge
from gokaku.board import Board, Game
from gokaku.opponents import Question, hospitality, host2

Glance = Callable[[Board], dict[str, float]]
Host = Callable[[Board, Judge, int], str]

EVEN_KEEL = "even-keel"

#: The registry's names that are compared where they are offered; of the last two the stronger.
_COMPARED = ("weak", "normal", "hospitality", "host2", "engine", "perfect")


def names(game: Game) -> tuple[str, ...]:
    """The hosts compared at a game, in the order of the report."""
    offered = [name for name in _COMPARED if name in opponents.names(game)]
    if "perfect" in offered:
        offered.remove("engine")
    hosts = ("hospitality", "host2")
    rest = [name for name in offered if name not in hosts]
    return (*(name for name in hosts if name in offered), EVEN_KEEL, *rest)


def host(name: str, limit: opponents.Limit, glance: Glance) -> Host:
    """The host of that name. limit: of those that do not ask the judge. glance: for those that look twice."""
    if name == EVEN_KEEL:
        return even_keel
    if name == "hospitality":
        return lambda board, judge, seed: hospitality.choose(board, judge, seed).move
    if name == "host2":
        return lambda board, judge, seed: host2.choose(board, judge, glance, seed).move
    if name == "perfect":
        return best
    return lambda board, judge, seed: opponents.answer(name, Question(board, limit, seed=seed)).move


def best(board: Board, judge: Judge, seed: int) -> str:
    """The best move; among equals any."""
    here = judge(board)
    return random.Random(seed).choice(here.equals)


def even_keel(board: Board, judge: Judge, seed: int) -> str:
    """The move whose value is nearest to 0; among equals any."""
    here = judge(board)
    least = min(map(abs, here.values.values()))
    return random.Random(seed).choice([m for m, worth in here.values.items() if abs(worth) <= least + 1e-9])
