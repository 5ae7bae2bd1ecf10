"""The host's rule, case by case: what it may and may not play after a guest's move."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gokaku import Board, game, opponents
from gokaku.games import NAMES
from gokaku.opponents import Judgement, Limit, Question, hospitality
from gokaku.opponents.hospitality import guest_move, pick

START = game("tictactoe").start()


def judged(values: dict[str, float]) -> Judgement:
    """A judgement of the start of tic-tac-toe, none of whose moves loses at once."""
    ordered = dict(sorted(values.items(), key=lambda item: -item[1]))
    return Judgement("first", ordered, dict.fromkeys(ordered), "search")


def hands_over(board: Board, move: str) -> bool:
    """Whether the move loses at once, by the public board alone."""
    after = board.play(move)
    if after.outcome:
        return after.outcome.winner not in (None, board.turn)
    return any((end := after.play(reply).outcome) and end.winner == after.turn for reply in after.legal_moves)


def walk(name: str, choices: list[int]) -> Board:
    """The board after the moves chosen, but never a finished one."""
    board = game(name).start()
    for choice in choices:
        after = board.play(board.legal_moves[choice % len(board.legal_moves)])
        if after.outcome:
            break
        board = after
    return board


WALKS = st.lists(st.integers(0, 10_000), min_size=1, max_size=40)


@pytest.mark.parametrize(
    ("bar", "move"),
    [
        (1.0, "0"),  # the best for the best
        (0.99, "1"),  # the largest below
        (deviation := opponents.deviation(60, 80), "1"),  # exactly as good is allowed
        (deviation - 1e-6, "2"),
        (0.5, "3"),  # everything is above: the nearest
    ],
)
def test_the_largest_deviation_that_is_not_above_the_guests(bar: float, move: str) -> None:
    here = judged({"0": 80, "1": 60, "2": 10, "3": -90})
    assert pick(START, here, bar, random.Random(0)) == move


def test_equals_are_chosen_by_the_random_source() -> None:
    here = judged({"0": 80, "1": 60, "2": 60, "3": 60, "4": 10})
    picks = [pick(START, here, 0.97, random.Random(seed)) for seed in range(60)]
    assert set(picks) == {"1", "2", "3"}
    assert picks == [pick(START, here, 0.97, random.Random(seed)) for seed in range(60)]


@given(st.dictionaries(st.sampled_from("012345678"), st.floats(-100, 100), min_size=1), st.floats(0.4, 1))
def test_never_above_the_guest_if_something_lower_exists(values: dict[str, float], bar: float) -> None:
    here = judged(values)
    played = here.deviation(pick(START, here, bar, random.Random(1)))
    lower = [size for size in here.deviations.values() if size <= bar + 1e-9]
    if lower:
        assert played == pytest.approx(max(lower), abs=1e-8)
    else:
        assert played == pytest.approx(min(here.deviations.values()), abs=1e-8)


@given(name=st.sampled_from(NAMES), choices=WALKS, seed=st.integers(0, 99))
def test_a_loss_at_once_only_if_there_is_nothing_else(name: str, choices: list[int], seed: int) -> None:
    board = walk(name, choices)
    answer = hospitality.answer(Question(board, Limit(nodes=200), seed=seed))
    assert answer.move in board.legal_moves
    if hands_over(board, answer.move):
        assert all(hands_over(board, move) for move in board.legal_moves)
        assert answer.explanation.rule in ("lost", "opening")


def test_before_any_guest_move_it_plays_its_best() -> None:
    board = game("dobutsu").parse("S/-l-/-L-/---/---/CCEEGG")
    answer = opponents.answer("hospitality", Question(board, Limit(nodes=2_000)))
    assert answer.explanation.rule == "opening"
    assert board.play(answer.move).outcome
    assert answer.explanation.values[answer.move] == 100


def test_the_guests_move_is_the_last_of_the_other_side() -> None:
    board = game("tictactoe").replay(["4", "0"])
    assert guest_move(START) is None
    assert guest_move(board) == (board.parent, "0")


def test_the_explanation_tells_both_deviations() -> None:
    board = game("tictactoe").replay(["1", "3", "0"])  # threatens 2
    answer = opponents.answer("hospitality", Question(board, Limit(nodes=20_000)))
    assert answer.move == "2"
    guest = answer.explanation.details["guest"]
    assert guest["move"] == "0"
    assert answer.explanation.details["source"] == "search"
    deviations = answer.explanation.details["deviations"]
    assert set(deviations) == set(board.legal_moves)
    assert f"{guest['deviation']:.3f}" in answer.explanation.text
    assert f"{deviations['2']:.3f}" in answer.explanation.text
