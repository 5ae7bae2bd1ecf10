"""What moves are worth: search and table agree, finished games are exact, the order is right."""

from __future__ import annotations

import time
from functools import cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gokaku import game, opponents, search
from gokaku.opponents import Limit, Question, deviation, judging, perfect, value
from gokaku.opponents.judging import judge, judge_for

RULES: Any = game("tictactoe").rules


@cache
def solved(state: tuple[int, int, int]) -> int:
    """The value of a running position, in plies, by plain negamax over everything."""
    best = None
    for code in _moves(state):
        child = RULES.play(state, code)
        result = RULES.outcome(child)
        if result == 3:
            worth = 0
        elif result:
            worth = 1 if result == RULES.turn(state) + 1 else -1
        else:
            below = solved(child)
            worth = 0 if below == 0 else (1 - below if below < 0 else -1 - below)
        if best is None or _better(worth, best):
            best = worth
    assert best is not None
    return best


def _moves(state: tuple[int, int, int]) -> list[int]:
    buffer = [0] * RULES.MAX_MOVES
    return buffer[: RULES.moves(state, buffer)]


def _better(one: int, other: int) -> bool:
    """Win quickly, else draw, else lose slowly."""
    rank = [(0, value) if value > 0 else (2, value) if value < 0 else (1, 0) for value in (one, other)]
    return rank[0] < rank[1]


class Fake:
    """A table of tic-tac-toe, as the real ones are read."""

    def value(self, state: Any) -> int:
        assert RULES.outcome(state) == 0
        return solved(state)


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "find_table", lambda rules: Fake())
    monkeypatch.setattr(perfect, "find_table", lambda rules: Fake())


def positions() -> list[Any]:
    """Every running position of tic-tac-toe that play can reach."""
    seen, todo = set(), [RULES.start()]
    while todo:
        state = todo.pop()
        if state not in seen and RULES.outcome(state) == 0:
            seen.add(state)
            todo += [RULES.play(state, code) for code in _moves(state)]
    return sorted(seen)


def test_table_and_proof_by_search_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    search.warm(RULES)
    one = game("tictactoe")
    for state in positions()[::40]:
        board = one.parse(RULES.format(state))
        by_search = judge(Question(board, Limit(nodes=300_000)))
        with monkeypatch.context() as patch:
            patch.setattr(judging, "find_table", lambda rules: Fake())
            by_table = judge(Question(board))
        assert (by_search.source, by_table.source) == ("search", "table")
        assert by_search.values == by_table.values
        assert {m: by_search.rank(m) for m in by_search.values} == {
            m: by_table.rank(m) for m in by_table.values
        }


@pytest.mark.usefixtures("table")
def test_perfect_never_worsens_its_standing_anywhere() -> None:
    one = game("tictactoe")
    for state in positions()[::7]:
        board = one.parse(RULES.format(state))
        answer = perfect.answer(Question(board, seed=state[0]))
        after = board.play(answer.move)
        best = solved(state)
        if after.outcome is None:
            assert solved(after.state) == (0 if best == 0 else 1 - best if best > 0 else -1 - best)
        else:
            assert best == 1 or after.outcome.winner is None
        assert answer.explanation.rule == ("win" if best > 0 else "loss" if best < 0 else "draw")
        assert answer.explanation.details["source"] == "table"


def test_perfect_without_a_table_searches_and_says_so() -> None:
    board = game("dobutsu").start()
    answer = perfect.answer(Question(board, Limit(nodes=300)))
    assert answer.move in board.legal_moves
    assert "no table of this game yet" in answer.explanation.text
    assert answer.explanation.details["source"] == "search"


def test_a_move_that_repeats_the_position_for_the_last_time_is_a_draw() -> None:
    shuffle = "C4C3 A1A2 C3C4 A2A1".split()
    board = game("dobutsu").replay((shuffle * 2)[:-1])
    here = judge(Question(board, Limit(nodes=500)))
    assert (here.values["-A2A1KI"], here.plies["-A2A1KI"]) == (0, None)
    assert board.play("A2A1").outcome is not None


def test_quick_wins_come_first_and_quick_losses_last() -> None:
    """Beyond 100 plies the scale crosses: the order must not."""

    class Slow:
        values = iter((-149, 121, 0, 3))  # of the children: a slow win, a slow loss, a draw, a quick loss

        def value(self, state: Any) -> int:
            return next(self.values)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(judging, "find_table", lambda rules: Slow())
        here = judge(Question(game("dobutsu").start()))
    assert list(here.plies.values()) == [150, None, 122, 4]
    assert list(here.values.values()) == [-49, 0, 20, -98]
    assert [here.rank(move) for move in here.values] == [1, 2, 3, 4]
    assert [here.standing(move) for move in here.values] == [1, 0.5, 0, 0]
    assert here.deviation(here.best) == 1


def test_a_judge_shares_its_time_out() -> None:
    search.warm(game("negaeri").rules)
    board = game("negaeri").start()
    question = Question(board, Limit(ms=60))
    judge_next = judge_for(question, 3)
    began = time.monotonic()
    spent = []
    for _ in range(3):
        judge_next(board)
        spent.append(time.monotonic() - began)
    assert spent[-1] < 0.2
    assert spent[0] > 0.005


@given(st.floats(0, 1), st.one_of(st.none(), st.integers(1, 200)))
def test_the_scale(chance: float, plies: int | None) -> None:
    worth = value(chance, plies)
    assert value(1 - chance, None) == pytest.approx(-value(chance, None))
    if plies is None or plies <= 100:
        assert -100 <= worth <= 100
    if plies is not None:
        # A win is worth more the sooner it comes, a loss the later.
        later = value(chance, plies + 2)
        assert later < worth if chance > 0.5 else later > worth or plies < 2


@given(st.floats(-100, 100), st.floats(-100, 100))
def test_deviation(one: float, other: float) -> None:
    best, worse = max(one, other), min(one, other)
    assert deviation(best, best) == 1
    assert 0.5 <= deviation(worse, best) <= 1


def test_the_judgement_is_offered_by_the_package() -> None:
    here = opponents.judge(Question(game("ultimate").start(), Limit(nodes=200)))
    assert set(here.values) == set(game("ultimate").start().legal_moves)
    assert here.note.startswith("no table: ")
