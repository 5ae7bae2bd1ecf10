"""What the contract's tests share: the boards it may be asked about, and what is expected there."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from gokaku.board import Board, game
from gokaku.opponents import ladder


@pytest.fixture(scope="session")
def boards() -> list[tuple[int, int]]:
    """All unfinished boards that play can reach: the cells of the side to move, and of the other."""
    start = game("tictactoe").start()
    seen = {start}
    fresh = {start}
    while fresh:
        fresh = {one for board in fresh for one in _after(board)} - seen
        seen |= fresh
    return [start.game.rules.masks(board.state) for board in seen if board.outcome is None]


def _after(board: Board) -> Iterator[Board]:
    if board.outcome is None:
        for move in board.legal_moves:
            yield board.play(move)


@pytest.fixture(scope="session")
def expected() -> Callable[[int, int, int, int], int]:
    """What `opponents.ladder` plays: the machine's cells, the person's, the rung's number, the seed."""
    rules = game("tictactoe").rules

    def choose(mine: int, theirs: int, difficulty: int, seed: int) -> int:
        return ladder.choose(rules.LINES, 9, mine, theirs, ladder.RUNGS[difficulty], seed)[0]

    return choose
