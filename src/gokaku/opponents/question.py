"""What an opponent is asked and what it answers; the scale on which moves are valued."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from gokaku.board import Board
from gokaku.search.limit import Limit

LEVELS = range(1, 9)


@dataclass(frozen=True)
class Question:
    """Everything an opponent may know: it holds no state between questions.

    board: a running game, its history included. seed: the source of every random choice.
    level: 1 (weakest) to 8, for opponents that have levels. deadline: an instant of compiled.now()
    (ns) by which the answer is due; without it the limit counts from the start of the search.
    """

    board: Board
    limit: Limit = field(default_factory=lambda: Limit(ms=50))
    seed: int = 0
    level: int = LEVELS[-1]
    deadline: int | None = None

    def __post_init__(self) -> None:
        if self.level not in LEVELS:
            raise ValueError(f"a level is {LEVELS[0]} to {LEVELS[-1]}, not {self.level}")
        if self.board.outcome is not None:
            raise ValueError(f"the game is over: {self.board.outcome}")


@dataclass(frozen=True)
class Explanation:
    """Why a move was chosen: the rule that chose, in a word and in a sentence.

    values: the value of the legal moves that were judged (see `value`), best first.
    details: what else there is to tell: depth, nodes, line, ...
    """

    rule: str
    text: str
    values: dict[str, float] = field(default_factory=dict)
    details: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Answer:
    """The move, as text, and its explanation."""

    move: str
    explanation: Explanation


def value(chance: float, plies: int | None) -> float:
    """What a move is worth to the side that makes it, -100 to 100.

    chance: its expected result, 0 to 1. plies: in how many plies, this move included, the game ends
    by force, None if that is not proved. A proved win counts 100 less the plies left after the move,
    a proved loss -100 plus those plies but one: a winning move is 100, one that lets the other side
    win at once -100, even 0. A move that loses by itself counts no less than that.
    """
    if plies is None:
        return 200 * (chance - 0.5)
    return 101.0 - plies if chance > 0.5 else max(plies, 2) - 102.0


def deviation(of: float, best: float) -> float:
    """How near a move's value comes to the best move's there: 1 is best, near 0.5 throws the game away."""
    return (of + 300) / (best + 300)
