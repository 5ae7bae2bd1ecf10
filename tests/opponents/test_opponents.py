"""The opponents that play every game: weak and engine; the registry; the scale of values."""

from __future__ import annotations

import random

import pytest

from gokaku import Board, game, opponents, search
from gokaku.games import NAMES
from gokaku.opponents import LEVELS, Limit, Question, UnknownOpponent, deviation, value

GAMES = pytest.mark.parametrize("name", NAMES)


def duel(name: str, first: str, second: str, limit: Limit, seed: int) -> str | None:
    board = game(name).start()
    while board.outcome is None:
        turn = first if board.turn == "first" else second
        board = board.play(opponents.answer(turn, Question(board, limit, seed=seed + len(board.moves))).move)
    return board.outcome.winner


def random_boards(name: str, count: int) -> list[Board]:
    choice = random.Random(name)
    boards: list[Board] = []
    while len(boards) < count:
        board = game(name).start()
        for _ in range(choice.randrange(60)):
            after = board.play(choice.choice(board.legal_moves))
            if after.outcome:
                break
            board = after
        boards.append(board)
    return boards


def wins(board: Board) -> list[str]:
    """The moves that win at once."""
    return [
        move for move in board.legal_moves if (end := board.play(move).outcome) and end.winner == board.turn
    ]


@GAMES
def test_weak_wins_in_one_and_hands_no_win_over_if_it_can_help_it(name: str) -> None:
    rules_seen = set()
    for seed, board in enumerate(random_boards(name, 40)):
        answer = opponents.answer("weak", Question(board, seed=seed))
        rules_seen.add(answer.explanation.rule)
        after = board.play(answer.move)
        if wins(board):
            assert answer.move in wins(board)
        elif after.outcome is None and wins(after):
            assert answer.explanation.rule == "lost"
            assert all((b := board.play(move)).outcome is None and wins(b) for move in board.legal_moves)
    assert "random" in rules_seen


@GAMES
def test_the_engine_beats_weak(name: str) -> None:
    search.warm(game(name).rules)
    results = []
    for seed in range(10):
        engine_first = seed % 2 == 0
        pair = ("engine", "weak") if engine_first else ("weak", "engine")
        winner = duel(name, *pair, Limit(nodes=3_000), 100 * seed)
        results.append("draw" if winner is None else "won" if (winner == "first") == engine_first else "lost")
    assert results.count("lost") == 0
    if name != "tictactoe":  # where weak may draw by luck
        assert results.count("won") >= 9


@GAMES
@pytest.mark.parametrize("opponent", opponents.OPPONENTS)
def test_the_same_question_has_the_same_answer(name: str, opponent: str) -> None:
    one = game(name)
    if opponent not in opponents.names(one):
        with pytest.raises(UnknownOpponent, match=f"{name} has no opponent '{opponent}'; it has weak"):
            opponents.opponent(opponent, one)
        return
    board = random_boards(name, 3)[-1]
    ask = [opponents.answer(opponent, Question(board, Limit(nodes=500), seed=5, level=3)) for _ in range(2)]
    assert ask[0] == ask[1]
    assert ask[0].move in board.legal_moves
    assert ask[0].explanation.rule
    assert ask[0].explanation.text


@GAMES
def test_analysis_tells_every_move(name: str) -> None:
    board = random_boards(name, 2)[-1]
    analysis = opponents.analyse(Question(board, Limit(nodes=3_000)))
    assert set(analysis.values) == set(board.legal_moves)
    assert analysis.turn == board.turn
    assert list(analysis.values.values()) == sorted(analysis.values.values(), reverse=True)
    assert all(-100 <= worth <= 100 for worth in analysis.values.values())
    board.game.replay(analysis.line, board.position)


def test_higher_levels_play_better() -> None:
    """Level 8 against level 1, both sides, at the same limit: the noise of level 1 must cost it games."""
    search.warm(game("dobutsu").rules)
    points = 0.0
    for seed in range(12):
        board = game("dobutsu").start()
        strong = "first" if seed % 2 else "second"
        while board.outcome is None:
            level = LEVELS[-1] if board.turn == strong else LEVELS[0]
            question = Question(board, Limit(nodes=2_000), seed=seed * 500 + len(board.moves), level=level)
            board = board.play(opponents.answer("engine", question).move)
        points += 0.5 if board.outcome.winner is None else board.outcome.winner == strong
    assert points >= 9


def test_values() -> None:
    assert value(1.0, 1) == 100  # the winning move itself
    assert value(1.0, 3) == 98  # two plies are left after it
    assert value(0.0, 2) == -100  # the other side wins at once
    assert value(0.0, 4) == -98
    assert value(0.5, None) == 0
    assert value(0.75, None) == 50
    assert deviation(100, 100) == 1
    assert deviation(-100, 100) == 0.5


def test_a_question_refuses_nonsense() -> None:
    start = game("tictactoe").start()
    with pytest.raises(ValueError, match="1 to 8, not 9"):
        Question(start, level=9)
    over = game("tictactoe").replay("0 3 1 4 2".split())
    with pytest.raises(ValueError, match="the game is over: first wins"):
        Question(over)
