"""`weak` (雑魚): takes a win in one, does not hand one over if it can help it, otherwise anything."""

from __future__ import annotations

import random
from typing import Any

from gokaku.board import RUNNING
from gokaku.opponents.question import Answer, Explanation, Question


def offered(rules: Any) -> bool:
    return True


def answer(question: Question) -> Answer:
    board = question.board
    rules = board.game.rules
    choice = random.Random(question.seed)
    safe = []
    for code in board.codes:
        child = rules.play(board.state, code)
        result = rules.outcome(child)
        if result == rules.turn(board.state) + 1:
            return Answer(board.text(code), Explanation("win", "this move wins"))
        if result != RUNNING or not wins_in_one(rules, child):
            safe.append(code)
    if safe:
        explanation = Explanation("random", f"one of {len(safe)} moves that do not lose at once")
    else:
        explanation = Explanation("lost", "every move loses at once")
    return Answer(board.text(choice.choice(safe or board.codes)), explanation)


def wins_in_one(rules: Any, state: Any) -> bool:
    """Whether the side to move of a running position has a move that wins."""
    buffer = [0] * rules.MAX_MOVES
    count = rules.moves(state, buffer)
    win = rules.turn(state) + 1
    return any(rules.outcome(rules.play(state, code)) == win for code in buffer[:count])
