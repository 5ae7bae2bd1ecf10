"""The ladder of simulated guests, from `weak` to `perfect`.

A guest of softness t plays a move with probability proportional to exp(value / t): the larger t, the
less it cares. t = 0 is perfect, as far as the judge is.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from dataclasses import dataclass

from gokaku import opponents
from gokaku.board import Board
from gokaku.opponents import Judgement, Limit, Question

Judge = Callable[[Board], Judgement]


@dataclass(frozen=True)
class Guest:
    """One rung. softness: t in points of value; None: the opponent `weak`, which does not judge."""

    name: str
    softness: float | None

    def move(self, board: Board, judge: Judge, seed: int) -> str:
        """The guest's move on a running board."""
        if self.softness is None:
            return opponents.answer("weak", Question(board, Limit(nodes=1), seed=seed)).move
        here = judge(board)
        choice = random.Random(seed)
        if self.softness == 0:
            return choice.choice(here.equals)
        # The best move counts at least as much as any other: beyond 100 plies values may say otherwise.
        best = here.values[here.best]
        weights = [math.exp(min(0.0, worth - best) / self.softness) for worth in here.values.values()]
        return choice.choices(list(here.values), weights)[0]


#: Weakest first. Above `weak` the numbers are t.
LADDER: tuple[Guest, ...] = (
    Guest("weak", None),
    *(Guest(f"t{softness}", softness) for softness in (50, 35, 25, 18, 12, 8, 5, 3)),
    Guest("perfect", 0),
)
