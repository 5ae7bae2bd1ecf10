"""The second host: what it makes of a guest's moves, and what it does with that."""

from __future__ import annotations

import math
import random
from collections import Counter
from dataclasses import replace

import pytest

from gokaku import Board, game, opponents, search
from gokaku.games import NAMES
from gokaku.opponents import Judgement, Limit, Question, host2
from gokaku.opponents.host2 import MANNERS, SOFTNESS, choose, guest_moves, softness


def judged(values: dict[str, float]) -> Judgement:
    ordered = dict(sorted(values.items(), key=lambda item: -item[1]))
    return Judgement("first", ordered, dict.fromkeys(ordered), "search")


def even(board: Board) -> dict[str, float]:
    """At first sight everything looks alike."""
    return dict.fromkeys(board.legal_moves, 0.0)


@pytest.mark.parametrize("t", [3.0, 8.0, 18.0, 50.0])
def test_the_softness_of_many_moves_is_found(t: float) -> None:
    choice = random.Random(1)
    seen = []
    for _ in range(300):
        here = judged({str(i): choice.uniform(-80, 80) for i in range(8)})
        weights = [math.exp((worth - here.values[here.best]) / t) for worth in here.values.values()]
        seen.append((here, choice.choices(list(here.values), weights)[0]))
    assert softness(seen) == pytest.approx(t, rel=0.25)


def test_softness_stays_within_its_range() -> None:
    here = judged({"0": 80, "1": -90})
    assert SOFTNESS[0] < softness([(here, "0")] * 50) < 12
    assert softness([(here, "1")] * 50) == pytest.approx(SOFTNESS[-1])
    assert softness([]) == pytest.approx(math.exp(sum(map(math.log, SOFTNESS)) / len(SOFTNESS)))


def test_the_guests_moves_are_every_other_one() -> None:
    board = game("tictactoe").replay(["4", "0", "8"])
    assert [move for _, move in guest_moves(board)] == ["4", "8"]
    assert [len(before.moves) for before, _ in guest_moves(board)] == [0, 2]


def deviations(guest: str, winning: bool, runs: int = 300) -> float:
    """The host's mean deviation after a guest's best or worst move, where it wins or loses itself."""
    board = game("tictactoe").replay([guest])
    before = {move: 80.0 - 20 * i for i, move in enumerate(board.parent.legal_moves)} if board.parent else {}
    worths = (90, 80, 40) if winning else (-40, -60, -90)
    here = {move: float(worths[i % 3]) for i, move in enumerate(board.legal_moves)}

    def judge(of: Board) -> Judgement:
        return judged(here if of is board else before)

    now = judged(here)
    moves = [choose(board, judge, even, seed).move for seed in range(runs)]
    return sum(map(now.deviation, moves)) / runs


def test_it_plays_better_against_better_guests() -> None:
    assert deviations("0", winning=True) > deviations("8", winning=True)


def test_it_helps_while_the_guest_is_behind() -> None:
    assert deviations("0", winning=False) > deviations("0", winning=True)


def test_a_deciding_mistake_is_made_as_it_looks() -> None:
    """Of two moves that give the game away, the one that looks sound is taken far more often."""
    board = game("tictactoe").replay(["8"])
    worths = dict.fromkeys(board.legal_moves, -80.0) | {"0": 60.0}
    looks = dict.fromkeys(board.legal_moves, -60.0) | {"0": 10.0, "4": 10.0}
    manners = replace(MANNERS, lean=20.0, shy=5.0, shy_share=0.0)

    def judge(of: Board) -> Judgement:
        return judged(worths if of is board else {"8": 0.0})

    picks = Counter(choose(board, judge, lambda of: looks, seed, manners).move for seed in range(400))
    ugly = [picks[move] for move in worths if move not in ("0", "4")]
    assert picks["4"] > 2 * max(ugly)


@pytest.mark.parametrize("name", NAMES)
def test_it_plays_whole_games(name: str) -> None:
    search.warm(game(name).rules)
    board = game(name).start()
    while board.outcome is None and len(board.moves) < 60:
        who = "weak" if board.turn == "first" else "host2"
        answer = opponents.answer(who, Question(board, Limit(nodes=1_000), seed=len(board.moves)))
        if who == "host2":
            details = answer.explanation.details
            assert SOFTNESS[0] - 0.1 <= details["guest"]["softness"] <= SOFTNESS[-1] + 0.1
            assert set(details["deviations"]) == set(board.legal_moves)
        board = board.play(answer.move)


def test_before_any_guest_move_it_has_an_answer() -> None:
    answer = host2.answer(Question(game("ultimate").start(), Limit(nodes=300)))
    assert answer.explanation.rule == "same strength"
