"""Ultimate tic-tac-toe: where published implementations went wrong, and the exchange format of bots."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gokaku import Board, IllegalMove, game

DATA = Path(__file__).parents[1] / "data" / "ultimate_cases.tsv"
ULTIMATE = game("ultimate")
RULES = ULTIMATE.rules
OWNERS = {"X": "X", "o": "O", "-": "drawn"}


def cases() -> list[tuple[str, list[str], str]]:
    with DATA.open(encoding="utf-8") as file:
        rows = list(csv.reader(file, delimiter="\t"))
    return [(row[0], [move.replace(",", " ") for move in row[2].split()], row[3]) for row in rows[1:]]


def told(moves: list[str], row: list[Any]) -> str:
    """A row of a replay in the words of the cases: end, boards, board sent to, number of legal moves."""
    _, result, _, count, regions = row
    boards = {
        name: [i for i, owner in enumerate(regions) if OWNERS.get(owner) == name] for name in OWNERS.values()
    }
    end = ("running", "X wins", "O wins", "draw")[result]
    target = 3 * (int(moves[-1][0]) % 3) + int(moves[-1][2]) % 3
    lists = f"X={boards['X']} O={boards['O']} drawn={boards['drawn']}"
    return f"end={end} {lists} target={target} legal={count}"


def test_the_cases_come_out_in_every_runtime(
    replay_games: Callable[[str, list[list[str]]], list[list[list[Any]]]],
) -> None:
    rows = replay_games("ultimate", [moves for _, moves, _ in cases()])
    outcome = {name: told(moves, row[-1]) for (name, moves, _), row in zip(cases(), rows, strict=True)}
    assert len(outcome) >= 7
    assert outcome == {name: expected for name, _, expected in cases()}


def board_after(choices: list[int]) -> Board:
    board = ULTIMATE.start()
    for choice in choices:
        if board.outcome:
            break
        board = board.play(board.legal_moves[choice % len(board.legal_moves)])
    return board


@given(st.lists(st.integers(0, 80), max_size=81))
def test_bot_lists_go_out_and_come_back(choices: list[int]) -> None:
    board = board_after(choices)
    cells, macroboard = RULES.to_lists(board.state)
    assert [cells.count(1) - cells.count(2)] == [-1 if board.turn == "second" else 0]
    assert RULES.from_lists(cells, macroboard) == board.state
    if board.outcome is None:
        playable = {b for b in range(9) if macroboard[b] == -1}
        squares = [RULES.squares(board.state, code)[1] for code in board.codes]
        assert {3 * (square // 27) + square % 9 // 3 for square in squares} == playable
        assert all(cells[square] == 0 for square in squares)
    else:
        assert -1 not in macroboard


@given(st.lists(st.integers(0, 80), max_size=81))
def test_incremental_values_are_those_from_scratch(choices: list[int]) -> None:
    board = board_after(choices)
    assert RULES.parse(board.position) == board.state


def test_lists_that_contradict_each_other_are_refused() -> None:
    cells, macroboard = RULES.to_lists(ULTIMATE.replay(["4 4", "3 3"]).state)
    assert macroboard == [-1, 0, 0, 0, 0, 0, 0, 0, 0]
    with pytest.raises(ValueError, match="81 cells"):
        RULES.from_lists(cells[:80], macroboard)
    with pytest.raises(ValueError, match="macroboard entries"):
        RULES.from_lists(cells, [5] * 9)
    with pytest.raises(ValueError, match="contradicts"):
        RULES.from_lists(cells, [1, -1, 0, 0, 0, 0, 0, 0, 0])
    with pytest.raises(ValueError, match="one more"):
        RULES.from_lists([1, 1, *[0] * 79], [-1] * 9)


def test_the_picture() -> None:
    picture = str(ULTIMATE.replay(["4 4", "3 3", "0 0"])).splitlines()
    assert picture[0] == "  0 1 2 | 3 4 5 | 6 7 8"
    assert picture[1] == "0 X . . | . . . | . . ."
    assert picture[4] == "  ------+-------+------"
    assert picture[5] == "3 . . . | O . . | . . ."
    assert picture[6] == "4 . . . | . X . | . . ."


def test_a_move_outside_the_board_sent_to_names_what_is_legal() -> None:
    board = ULTIMATE.replay(["0 1"])
    with pytest.raises(IllegalMove, match=re.escape("'8 8' is not a legal move for second")) as caught:
        board.play("8 8")
    assert "0 3, 0 4, 0 5" in str(caught.value)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("X", "nine rows"),
        ("/".join(["." * 9] * 9) + " Z -", "side to move"),
        ("/".join(["." * 9] * 9) + " X 9", "board to play in"),
        ("/".join(["." * 9] * 8 + ["........?"]) + " X -", "cell is"),
        ("/".join(["." * 9] * 9) + " O -", "X moves first"),
        ("XXX....../OOO....../........." + "/........." * 6 + " X -", "both sides"),
        ("XXX....../...OOO.../........." + "/........." * 6 + " X 0", "decided or full"),
    ],
)
def test_bad_positions(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        RULES.parse(text)
