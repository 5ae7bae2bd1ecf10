"""What every legal move of a board is worth: exactly where a complete table exists, else by search.

A table knows positions, not games: it cannot see that a position has stood before. A move that ends
the game here, by repetition too, is therefore judged from the board's own history and is exact
whatever the source; a win by force needs no repetition, so table wins and losses hold in every game,
while a draw in the table may come about by repeating.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

from gokaku import search
from gokaku.board import Board, Outcome
from gokaku.opponents import engine
from gokaku.opponents.question import Question, deviation, value
from gokaku.search import Limit

if TYPE_CHECKING:
    from gokaku.solve.table import Table

Source = Literal["table", "search"]


@dataclass(frozen=True)
class Judgement:
    """Every legal move of a board, best first.

    values: move to value (question.value). plies: move to the length of the game in plies, the move
    included, if its end is proved. best first: the quickest win, ..., then what is drawn or open, the
    last of all the quickest loss; beyond 100 plies the scale of values itself is not in that order.
    source: where the values come from. note: what a reader should know about that, or "".
    """

    turn: str
    values: dict[str, float]
    plies: dict[str, int | None]
    source: Source
    note: str = ""

    @property
    def best(self) -> str:
        """The best move; where several are equally good, the first that was judged."""
        return next(iter(self.values))

    @property
    def equals(self) -> list[str]:
        """The best move and all that are equally good."""
        best = self._orders[self.best]
        return [move for move, order in self._orders.items() if order == best]

    @cached_property
    def _orders(self) -> dict[str, tuple[int, float]]:
        return {move: _order(worth, self.plies[move]) for move, worth in self.values.items()}

    def deviation(self, move: str) -> float:
        """How near a move comes to the best one here (question.deviation)."""
        return deviation(self.values[move], self.values[self.best])

    @property
    def deviations(self) -> dict[str, float]:
        return {move: self.deviation(move) for move in self.values}

    def standing(self, move: str) -> float:
        """What the side to move may expect after a move: 1 proved win, 0 proved loss, else its chance."""
        if self.plies[move] is None:
            return self.values[move] / 200 + 0.5
        return float(_won(self.values[move], self.plies[move]))

    def rank(self, move: str) -> int:
        """1 for the best move and all that are equally good."""
        mine = self._orders[move]
        return 1 + sum(order < mine for order in self._orders.values())


def judge(question: Question) -> Judgement:
    """The value of every legal move of the question's board, within its limit."""
    board = question.board
    ends: dict[str, Outcome] = {}
    states: dict[str, Any] = {}
    for code, move in zip(board.codes, board.legal_moves, strict=True):
        child = Board(board.game, board.game.rules.play(board.state, code), board, move)
        if child.outcome is not None:
            ends[move] = child.outcome
        else:
            states[move] = child.state
    table = find_table(board.game.rules)
    if table is not None:
        found = {move: _from_table(table.value(state)) for move, state in states.items()}
        note = ""
    else:
        found, note = _from_search(question) if states else ({}, "")
    for move, end in ends.items():
        found[move] = _from_outcome(end, board.turn)
    # Python's sort keeps the source's order among equals.
    moves = sorted(found, key=lambda move: _order(*found[move]))
    return Judgement(
        turn=board.turn,
        values={move: found[move][0] for move in moves},
        plies={move: found[move][1] for move in moves},
        source="search" if table is None else "table",
        note=note,
    )


def judge_for(question: Question, boards: int) -> Callable[[Board], Judgement]:
    """A judge of so many boards of the question's game, who shares its limit out evenly among them."""
    end = question.limit.deadline() if question.deadline is None else question.deadline
    nodes = question.limit.nodes and max(1, question.limit.nodes // boards)
    left = boards

    def next_one(board: Board) -> Judgement:
        nonlocal left
        now = time.clock_gettime_ns(time.CLOCK_MONOTONIC)  # the clock of deadlines
        until = now + max(0, end - now) // max(1, left)
        left -= 1
        limit = Limit(question.limit.ms, nodes)
        return judge(replace(question, board=board, limit=limit, deadline=until))

    return next_one


def find_table(rules: Any) -> Table | None:
    """The complete table of a game, or None: not built yet, or damaged."""
    from gokaku.solve import tables  # not before it is needed: it loads numpy
    from gokaku.solve.table import BadTable

    try:
        return tables.find(rules)
    except BadTable:
        return None


def warm(rules: Any) -> None:
    """Compiles what judges boards of these rules, or loads it from the cache: search, a table's lookups."""
    from gokaku.solve import table, tables

    search.warm(rules)
    if tables.solvable(rules):
        table.load(rules)


def _from_table(child: int) -> tuple[float, int | None]:
    """Value and plies of a move whose child has that value in the table."""
    if child == 0:
        return 0.0, None
    plies = 1 + abs(child)
    return value(1.0 if child < 0 else 0.0, plies), plies


def _from_outcome(end: Outcome, turn: str) -> tuple[float, int | None]:
    """Value and plies of a move that ends the game."""
    if end.winner is None:
        return 0.0, None
    return value(1.0 if end.winner == turn else 0.0, 1), 1


def _from_search(question: Question) -> tuple[dict[str, tuple[float, int | None]], str]:
    analysis = engine.analyse(question)
    found = {move: (worth, analysis.plies[move]) for move, worth in analysis.values.items()}
    note = f"no table: {analysis.nodes} nodes searched"
    if not analysis.compiled:
        note += " as plain Python, the compiled search is still being prepared"
    return found, note


def _won(worth: float, plies: int | None) -> bool:
    """Whether a proved end is a win: the value alone does not tell it beyond 100 plies."""
    return plies is not None and worth == value(1.0, plies)


def _order(worth: float, plies: int | None) -> tuple[int, float]:
    """Sorts best first: proved wins, the quickest first; the rest; proved losses, the quickest last."""
    if plies is None:
        return 1, -worth
    return (0, plies) if _won(worth, plies) else (2, -plies)
