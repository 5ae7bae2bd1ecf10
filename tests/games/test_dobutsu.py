"""Dobutsu shogi: Try and catch, notation, and what an independent complete table says of wins in one."""

from __future__ import annotations

from pathlib import Path

import pytest

from gokaku import Board, Outcome, game

DOBUTSU = game("dobutsu")
VALUES = Path(__file__).parents[1] / "data" / "dobutsu_values.tsv"


def table() -> list[tuple[str, int]]:
    lines = VALUES.read_text(encoding="utf-8").splitlines()
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    return [(position, int(plies)) for position, plies in rows]


def wins(board: Board, move: str) -> bool:
    outcome = board.play(move).outcome
    return outcome is not None and outcome.winner == board.turn


def test_a_position_is_won_in_one_just_where_the_table_says_so() -> None:
    rows = table()
    assert len(rows) == 10_000
    for position, plies in rows:
        board = DOBUTSU.parse(position)
        assert board.outcome is None, position
        assert any(wins(board, move) for move in board.legal_moves) == (plies == 1), position


def test_positions_read_back_in_both_forms() -> None:
    for position, _ in table()[:500]:
        board = DOBUTSU.parse(position)
        assert DOBUTSU.parse(board.position) == board
        assert DOBUTSU.parse(str(board)) == board


def test_the_start_as_a_file() -> None:
    text = "-KI-LI-ZO\n . -HI . \n . +HI . \n+ZO+LI+KI\n000000\n+"
    assert str(DOBUTSU.start()) == text
    assert DOBUTSU.parse(text) == DOBUTSU.start()
    assert DOBUTSU.start().position == "S/gle/-c-/-C-/ELG/-"
    # As editors leave it: no blanks at the end of a line, carriage returns.
    assert (
        DOBUTSU.parse("-KI-LI-ZO\r\n . -HI .\r\n . +HI .\r\n+ZO+LI+KI\r\n000000\r\n+\r\n") == DOBUTSU.start()
    )


def test_the_published_line_reads_with_and_without_signs_and_pieces() -> None:
    full = ["+C4C3KI", "-A1A2KI", "+C3C4KI", "-B2B3HI", "+A4B3ZO", "-00A4HI"]
    board = DOBUTSU.replay(full)
    assert board.moves == tuple(full)
    assert DOBUTSU.replay(["C4C3", "a1a2", "+C3C4", "B2B3HI", "A4B3", "00A4HI"]) == board
    assert DOBUTSU.read(board.record()).moves == board.moves


def test_catching_the_lion_wins() -> None:
    board = DOBUTSU.parse("S/-l-/-C-/---/-L-/CEEGG").play("B2B1")
    assert board.outcome == Outcome("first", "catch")
    assert board.legal_moves == ()


def test_a_try_that_cannot_be_answered_wins_at_once() -> None:
    board = DOBUTSU.parse("S/---/L--/--l/c--/CEEGG").play("A2A1")
    assert board.outcome == Outcome("first", "try")


def test_a_try_under_attack_wins_when_it_survives_and_not_before() -> None:
    attacked = DOBUTSU.parse("S/--g/L--/--l/---/CCEEG").play("A2B1")
    assert attacked.outcome is None
    assert attacked.play("C1B1").outcome == Outcome("second", "catch")
    assert attacked.play("C3B3").outcome == Outcome("first", "try")


def test_who_cannot_move_has_lost() -> None:
    for position in ("S/GEl/LGE/CC-/---/-", "S/GE-/LGE/CCl/---/-", "G/---/-cc/egl/Leg/-"):
        board = DOBUTSU.parse(position)
        loser = "first" if position[0] == "S" else "second"
        assert board.outcome == Outcome("second" if loser == "first" else "first", "stuck")
        assert board.legal_moves == ()
    assert DOBUTSU.parse("S/G-l/LGE/CCE/---/-").outcome is None


def test_chicks() -> None:
    board = DOBUTSU.parse("S/--l/C--/---/L--/CEEGG")
    assert board.play("A2A1").last_move == "+A2A1NI"
    dropped = board.play("00A1HI")  # a dropped chick stays one, even where it cannot move
    assert dropped.game.rules.cells(dropped.state)[0] == "C"
    assert "+00A3HI" in board.legal_moves  # two chicks in a column are allowed
    hen_taken = DOBUTSU.parse("G/--l/---/-R-/Lg-/CEEG").play("B4B3")
    assert hen_taken.game.rules.hands(hen_taken.state)[1] == (("c", 1), ("e", 0), ("g", 0))


def test_the_third_time_is_a_draw() -> None:
    board = DOBUTSU.start()
    there_and_back = ["C4C3", "A1A2", "C3C4", "A2A1"]
    board = DOBUTSU.replay(there_and_back)
    assert board.outcome is None
    board = DOBUTSU.replay(there_and_back * 2)
    assert board.outcome == Outcome(None, "repetition")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("X/gle/-c-/-C-/ELG/-", "side to move"),
        ("S/gle/-c-/-C-/ELX/-", "a square is"),
        ("S/gle/-c-/-C-/ELG/C", "two of each"),
        ("S/glL/-c-/-C-/ELG/-", "two of each|one lion"),
        ("S/gge/-c-/-C-/ELE/-", "two of each|one lion"),
        ("S/gle/-c-/-C-/ELG/L", "a hand holds"),
        ("-KI-LI-ZO\n . -HI . \n . +HI . \n+ZO+LI+KI\n00000\n+", "six digits"),
        ("-KI-LI-ZO\n . -HI . \n . +HI . \n+ZO+LI+KI\n000000\n?", "line 6"),
        ("-KI-LI-XX\n . -HI . \n . +HI . \n+ZO+LI+KI\n000000\n+", "a square is"),
    ],
)
def test_bad_positions(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        DOBUTSU.parse(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("-B3B2HI", "the other side's"),
        ("B3B2LI", "piece after"),
        ("00B2LI", "drop names"),
        ("D3B2", "A1 to C4"),
    ],
)
def test_bad_moves(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        DOBUTSU.start().play(text)
