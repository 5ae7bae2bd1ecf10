"""`hospitality` (接待): errs as much as the guest's last move did, and so mostly loses to anyone.

The rule (after youwht's article on Dobutsu shogi): of its moves it plays the one with the largest
deviation that is not above the deviation of the guest's last move. It knows nothing else of the guest.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from gokaku.board import Board
from gokaku.opponents import weak
from gokaku.opponents.judging import Judgement, judge_for
from gokaku.opponents.question import Answer, Explanation, Question

# Deviations are quotients: equal ones may differ in the last digits.
_SAME = 1e-9


def offered(rules: Any) -> bool:
    return True


def answer(question: Question) -> Answer:
    return choose(question.board, judge_for(question, 2), question.seed)


def choose(board: Board, judge: Callable[[Board], Judgement], seed: int) -> Answer:
    """The host's move on a running board. judge: tells the worth of every move of a board."""
    guest = guest_move(board)
    if guest is None:
        here = judge(board)
        move, rule = pick(board, here, 1.0, random.Random(seed)), "opening"
        text = "the guest has not moved yet: the best move"
        return tell(move, rule, text, here, {})
    before, played = guest
    theirs = judge(before)
    bar = theirs.deviation(played)
    here = judge(board)
    move = pick(board, here, bar, random.Random(seed))
    mine = here.deviation(move)
    told = f"the guest's move came to {bar:.3f} of the best, this one to {mine:.3f}"
    if hands_over(board, move):
        rule, text = "lost", f"{told}: every move loses at once"
    elif mine > bar + _SAME:
        rule, text = "nearest", f"{told}: nothing safe is as low, this is the nearest"
    else:
        rule, text = "match", f"{told}: the largest that is not above"
    details = {
        "guest": {
            "move": played,
            "deviation": round(bar, 4),
            "rank": theirs.rank(played),
            "of": len(theirs.values),
            "best": theirs.best,
        }
    }
    return tell(move, rule, text, here, details)


def guest_move(board: Board) -> tuple[Board, str] | None:
    """The last move of the side that is not to move: the board it was made on, and the move."""
    after = board
    while after.parent is not None:
        if after.parent.turn != board.turn:
            return after.parent, after.last_move
        after = after.parent
    return None


def pick(board: Board, here: Judgement, bar: float, choice: random.Random) -> str:
    """The move with the largest deviation up to `bar`, else the nearest above it.

    Moves that lose at once are left out unless there is nothing else. choice: decides among equals.
    """
    deviations = here.deviations
    moves = list(deviations)
    choice.shuffle(moves)

    def preference(move: str) -> tuple[bool, float]:
        above = deviations[move] > bar + _SAME
        size = round(deviations[move], 9)
        return above, size if above else -size

    moves.sort(key=preference)
    return next((move for move in moves if not hands_over(board, move)), moves[0])


def hands_over(board: Board, move: str) -> bool:
    """Whether a move loses at once: the game is over and lost, or the other side can win on the next move."""
    after = board.play(move)
    if after.outcome is not None:
        return after.outcome.winner not in (None, board.turn)
    return weak.wins_in_one(board.game.rules, after.state)


def tell(move: str, rule: str, text: str, here: Judgement, details: dict[str, Any]) -> Answer:
    """The answer with all that is known of its moves: values, deviations, plies, and where they come from."""
    if here.note:
        text += f" ({here.note})"
    deviations = {move: round(size, 4) for move, size in here.deviations.items()}
    known = {"source": here.source, "deviations": deviations, "plies": here.plies}
    return Answer(move, Explanation(rule, text, here.values, known | details))
