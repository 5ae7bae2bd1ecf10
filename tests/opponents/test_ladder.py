"""The ladder of tic-tac-toe: what each rung must and must not do, against every line a person can play."""

from __future__ import annotations

import pytest

from gokaku import Board, game, opponents
from gokaku.opponents import Question, ladder

START = game("tictactoe").start()


def replies(rung: str, machine_first: bool) -> dict[Board, str]:
    """The machine's move at every position that it meets against any play; checks whether it can lose."""
    seen: dict[Board, str] = {}
    ends: list[str | None] = []

    def explore(board: Board, machine_to_move: bool) -> None:
        if board.outcome:
            ends.append(board.outcome.winner)
            return
        if not machine_to_move:
            for move in board.legal_moves:
                explore(board.play(move), True)
            return
        if board not in seen:
            seen[board] = opponents.answer(rung, Question(board)).move
        explore(board.play(seen[board]), False)

    explore(START, machine_first)
    person = "second" if machine_first else "first"
    loses = {"easy": True, "normal": not machine_first, "hard": False}[rung]
    assert (person in ends) == loses
    assert len(ends) > 50
    return seen


@pytest.mark.parametrize("machine_first", [True, False])
@pytest.mark.parametrize("rung", ladder.RUNGS)
def test_against_every_line_of_play(rung: str, machine_first: bool) -> None:
    seen = replies(rung, machine_first)
    for board, move in seen.items():
        wins = [m for m in board.legal_moves if (end := board.play(m).outcome) and end.winner == board.turn]
        if wins:
            assert move == wins[0], "a win at hand is taken, the lowest"


def game_against(rung: str, moves: list[str]) -> Board:
    """The person, first, plays those moves as long as they can."""
    board = START
    for move in moves:
        board = board.play(move)
        if board.outcome:
            return board
        board = board.play(opponents.answer(rung, Question(board)).move)
    return board


def test_normal_loses_to_a_fork_that_hard_sees() -> None:
    lost = game_against("normal", ["0", "8", "6", "7"])
    assert lost.outcome is not None
    assert (lost.outcome.winner, lost.moves[::2]) == ("first", ("0", "8", "6", "7"))
    board = START.play("0")
    assert opponents.answer("hard", Question(board)).move == "4"
    board = board.play("4").play("8")
    answer = opponents.answer("hard", Question(board))
    assert answer.explanation.rule == "force"
    board = board.play(answer.move)
    assert "7" not in [
        m for m in board.legal_moves if (end := board.play(m).outcome) and end.winner == "first"
    ]


@pytest.mark.parametrize(
    ("rung", "position", "move", "rule"),
    [
        ("easy", "XX./OO./...", "2", "win"),
        ("normal", "XX./O../...", "2", "block"),
        ("hard", "X../.O./..X", "1", "force"),
        ("hard", ".../.../...", "4", "centre"),
        ("hard", "X../.../...", "4", "centre"),
        ("hard", "O../.X./...", "8", "opposite corner"),
        ("normal", ".../.X./...", "0", "preferred"),
    ],
)
def test_the_rule_that_chose(rung: str, position: str, move: str, rule: str) -> None:
    if rule == "opposite corner":  # no position with X to move holds just these: ask the procedure itself
        lines = START.game.rules.LINES
        assert ladder.choose(lines, 9, 0b000010000, 0b000000001, rung, 0) == (8, rule)
        return
    answer = opponents.answer(rung, Question(Board.parse("tictactoe", position)))
    assert (answer.move, answer.explanation.rule) == (move, rule)
    assert answer.explanation.text


def test_easy_takes_the_cell_that_the_seed_names() -> None:
    board = START.play("0").play("1")
    for seed in range(20):
        answer = opponents.answer("easy", Question(board, seed=seed))
        assert int(answer.move) == 2 + seed % 7
    assert opponents.answer("easy", Question(board, seed=2**255 + 3)).move == str(2 + (2**255 + 3) % 7)


def winning(board: Board) -> list[str]:
    """The cells that complete a line of the side that has just moved, if it moved again."""
    _, just_moved = board.game.rules.masks(board.state)
    lines = board.game.rules.LINES
    return [m for m in board.legal_moves if any((just_moved | 1 << int(m)) & line == line for line in lines)]


def test_what_the_rules_say_they_do() -> None:
    met = set()
    for board, move in (replies("hard", True) | replies("hard", False)).items():
        rule = opponents.answer("hard", Question(board)).explanation.rule
        after = board.play(move)
        met.add(rule)
        if rule == "win":
            assert after.outcome is not None
        elif rule == "fork":
            assert len(winning(after)) >= 2
        elif rule == "force":
            assert len(winning(after)) == 1
        if after.outcome is None and rule != "fork":
            reply_wins = [m for m in after.legal_moves if (end := after.play(m).outcome) and end.winner]
            assert not reply_wins
    assert met >= {"win", "block", "fork", "block fork", "force", "centre"}
