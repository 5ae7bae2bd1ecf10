"""The ladder `easy`, `normal`, `hard`: one procedure, stopped early on the lower rungs.

After Newell and Simon, Human Problem Solving (1972). It plays games whose rule file offers LINES
and masks: a move takes a cell, and the one aim is to own a line of a square board.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gokaku.opponents.question import Answer, Explanation, Question

RUNGS = ("easy", "normal", "hard")

_SENTENCES = {
    "win": "this cell completes a line",
    "block": "the other side would complete a line here",
    "random": "any empty cell will do",
    "fork": "two cells will win after this",
    "block fork": "the other side would fork here",
    "force": "a threat whose answer does not let the other side fork",
    "centre": "the centre lies on the most lines",
    "opposite corner": "the corner opposite to one of the other side's",
    "preferred": "the empty cell on the most lines",
}


def offered(rules: Any) -> bool:
    return hasattr(rules, "LINES") and hasattr(rules, "masks")


def answer(question: Question, rung: str) -> Answer:
    board = question.board
    rules = board.game.rules
    mine, theirs = rules.masks(board.state)
    cell, rule = choose(rules.LINES, rules.ROWS * rules.COLS, mine, theirs, rung, question.seed)
    return Answer(board.text(cell), Explanation(rule, _SENTENCES[rule]))


def choose(lines: Sequence[int], cells: int, mine: int, theirs: int, rung: str, seed: int) -> tuple[int, str]:
    """The cell to take and the rule that chose it.

    lines: masks of cells; mine, theirs: the cells taken; seed: which empty cell, counted upwards and
    round, where the rung plays at random.
    """
    empty = [cell for cell in range(cells) if not (mine | theirs) >> cell & 1]
    wins = _completing(lines, mine, empty)
    if wins:
        return wins[0], "win"
    if rung == "easy":
        return empty[seed % len(empty)], "random"
    blocks = _completing(lines, theirs, empty)
    if blocks:
        return blocks[0], "block"
    preferred = sorted(empty, key=lambda cell: (-sum(line >> cell & 1 for line in lines), cell))
    if rung == "normal":
        return preferred[0], "preferred"

    forks = _forks(lines, mine, empty)
    if forks:
        return next(cell for cell in preferred if cell in forks), "fork"
    their_forks = _forks(lines, theirs, empty)
    if len(their_forks) == 1:
        return their_forks[0], "block fork"
    if their_forks:
        for cell in empty:
            threats = _threats(lines, mine, empty, cell)
            if len(threats) == 1 and threats[0] not in their_forks:
                return cell, "force"
    last = cells - 1
    if last // 2 in empty:
        return last // 2, "centre"
    side = round(cells**0.5)
    for corner in (0, side - 1, last - side + 1, last):
        if theirs >> corner & 1 and last - corner in empty:
            return last - corner, "opposite corner"
    return preferred[0], "preferred"


def _completing(lines: Sequence[int], mine: int, empty: Sequence[int]) -> list[int]:
    """The empty cells that complete a line, upwards."""
    return [cell for cell in empty if any((mine | 1 << cell) & line == line for line in lines)]


def _threats(lines: Sequence[int], mine: int, empty: Sequence[int], cell: int) -> list[int]:
    """The cells that would complete a line once `cell` is taken."""
    return _completing(lines, mine | 1 << cell, [other for other in empty if other != cell])


def _forks(lines: Sequence[int], mine: int, empty: Sequence[int]) -> list[int]:
    """The cells after which two different cells would win, upwards."""
    return [cell for cell in empty if len(_threats(lines, mine, empty, cell)) >= 2]
