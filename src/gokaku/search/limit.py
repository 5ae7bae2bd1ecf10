"""How long a search may think, and what it found: the words that all searches share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from gokaku import compiled


@dataclass(frozen=True)
class Limit:
    """A hard limit: milliseconds of wall clock, nodes, or both; whichever comes first."""

    ms: float | None = None
    nodes: int | None = None

    def __post_init__(self) -> None:
        if self.ms is None and self.nodes is None:
            raise ValueError("a limit needs ms or nodes")
        if (self.ms is not None and self.ms <= 0) or (self.nodes is not None and self.nodes <= 0):
            raise ValueError("a limit is more than 0")

    def deadline(self, began: int | None = None) -> int:
        """The instant (compiled.now, ns) at which a search must be over that began at `began`."""
        if self.ms is None:
            return (1 << 62) - 1
        # What is left of the time goes to waking up late and to telling the answer.
        spare = max(2.0, min(20.0, self.ms / 10))
        start = compiled.now() if began is None else began
        return start + int((self.ms - min(spare, self.ms / 2)) * 1e6)

    @property
    def most_nodes(self) -> int:
        return (1 << 62) - 1 if self.nodes is None else self.nodes


@dataclass(frozen=True)
class Found:
    """What a search says of a position.

    moves: the rule file's ints, best first. chances: the expected result of each move for the side to
    move, 0 (lost) to 1 (won). plies: in how many plies the game then ends by force if that is proved,
    else None. judged: for so many moves, from the first, chances and plies hold; the others are only
    known to be no better. line: the best moves from here.
    """

    moves: tuple[int, ...]
    chances: tuple[float, ...]
    plies: tuple[int | None, ...]
    judged: int
    line: tuple[int, ...]
    depth: int
    nodes: int
    compiled: bool


def legal(rules: ModuleType, state: Any) -> list[int]:
    """The legal moves of a running position."""
    buffer = [0] * int(rules.MAX_MOVES)
    return buffer[: rules.moves(state, buffer)]


def chance(points: float) -> float:
    """The win probability that an evaluation's Elo-like points stand for."""
    return float(1 / (1 + 10 ** (-points / 400)))


def keys(rules: ModuleType, history: Sequence[Any]) -> list[Any]:
    """What repetition compares, of the states before the root; empty where it does not matter."""
    return [rules.key(state) for state in history] if rules.REPETITION else []
