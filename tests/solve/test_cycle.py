"""Strong beats weak, weak beats the host, the host beats strong: on the complete table, guest first."""

from __future__ import annotations

from collections import Counter

import pytest

from gokaku import game, opponents
from gokaku.opponents import Limit, Question
from gokaku.solve.table import Table

#: The first to ask for the table waits until it is built.
pytestmark = pytest.mark.timeout(900)

DOBUTSU = game("dobutsu")


def duel(first: str, second: str, games: int) -> Counter[str | None]:
    """Who won how often."""
    won: Counter[str | None] = Counter()
    for number in range(games):
        board = DOBUTSU.start()
        while board.outcome is None:
            name = first if board.turn == "first" else second
            question = Question(board, Limit(nodes=500), seed=1_000 * number + len(board.moves))
            answer = opponents.answer(name, question)
            if name in ("perfect", "hospitality", "host2"):
                assert answer.explanation.details["source"] == "table"
            board = board.play(answer.move)
        won[board.outcome.winner] += 1
    return won


@pytest.mark.usefixtures("table")
def test_weak_beats_the_host() -> None:
    assert duel("weak", "hospitality", 50)["first"] >= 27  # 70 % and more in the long run


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize("first", opponents.names(DOBUTSU))
def test_perfect_wins_as_second_against_everybody(first: str) -> None:
    assert duel(first, "perfect", 5) == {"second": 5}


@pytest.mark.usefixtures("table")
def test_the_host_beats_perfect() -> None:
    assert duel("perfect", "hospitality", 10) == {"second": 10}


def test_perfect_takes_over_the_table_as_soon_as_it_is_there(table: Table) -> None:
    board = DOBUTSU.start()
    answer = opponents.answer("perfect", Question(board))
    assert answer.explanation.rule == "loss"
    assert "78 plies" in answer.explanation.text
    assert table.value(board.state) == -78
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GOKAKU_DATA", "/nowhere")
        without = opponents.answer("perfect", Question(board, Limit(nodes=200)))
    assert "no table of this game yet" in without.explanation.text
