"""`host2`: a host who plays as well as the guest does, helps a little, and hides its mistakes.

Where `hospitality` copies the size of one mistake, this host looks at all of the guest's moves of this
game. It asks how soft a player makes such moves (softness t: a move has probability proportional to
exp(value / t)), and then plays as one who is a little softer while the guest is behind and a little
harder while the guest is ahead. A mistake that would decide the game is made only as far as it looks
natural: at first sight no move that keeps the game may look better.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from gokaku.board import Board
from gokaku.opponents import engine
from gokaku.opponents.hospitality import hands_over, tell
from gokaku.opponents.judging import Judgement, judge_for
from gokaku.opponents.question import Answer, Question
from gokaku.search import Limit

#: The softnesses among which the guest's is sought, and how likely each is before its first move.
SOFTNESS = (2.0, 3.0, 5.0, 8.0, 12.0, 18.0, 25.0, 35.0, 50.0, 70.0)
#: So many of the guest's latest moves are looked at.
_LATEST = 8
#: Nodes of a look at first sight.
_GLANCE = 400


@dataclass(frozen=True)
class Manners:
    """How the host leans: the same for all games and guests. docs/hospitality.md says how these were found.

    A guest of softness g meets a host of softness lean * g * exp(pressure), and pressure = pull *
    (aim - expected) + drift * sum(aim - expected), where `expected` is the guest's result under best
    play (0 to 1), here and summed over its latest moves. Under pressure the host's care for values falls
    by `push` more, below nothing if need be: a guest who plays at random loses even to chance. A mistake
    that decides, that is costs `deciding` of the expected result, becomes e times rarer for every
    shy + shy_share * softness points by which it looks worse than sound moves.
    """

    lean: float = 0.9
    aim: float = 0.73
    pull: float = 1.65
    drift: float = 0.085
    push: float = 0.011
    deciding: float = 0.25
    shy: float = 8.0
    shy_share: float = 0.6


MANNERS = Manners()


def offered(rules: Any) -> bool:
    return True


def answer(question: Question) -> Answer:
    board = question.board
    # One share of the time is for the look at first sight.
    judge = judge_for(question, 2 + min(_LATEST, len(guest_moves(board))))

    def glance(here: Board) -> dict[str, float]:
        return engine.analyse(replace(question, board=here, limit=Limit(nodes=_GLANCE))).values

    return choose(board, judge, glance, question.seed)


def choose(
    board: Board,
    judge: Callable[[Board], Judgement],
    glance: Callable[[Board], dict[str, float]],
    seed: int,
    manners: Manners = MANNERS,
) -> Answer:
    """The host's move on a running board.

    judge: tells the worth of every move of a board. glance: what they look worth at first sight.
    """
    seen = [(judge(before), move) for before, move in guest_moves(board)[-_LATEST:]]
    here = judge(board)
    guest = softness(seen)
    could = here.standing(here.best)
    behind = manners.aim - (1 - could)
    long_behind = sum(manners.aim - one.standing(one.best) for one, _ in seen)
    pressure = manners.pull * behind + manners.drift * long_behind
    mine = manners.lean * guest * math.exp(pressure)

    moves = [move for move in here.values if not hands_over(board, move)] or list(here.values)
    weights = _weights(here, moves, 1 / mine - manners.push * max(0.0, pressure))
    deciding = {move for move in here.values if could - here.standing(move) >= manners.deciding}
    if deciding.intersection(moves):
        looks = glance(board)
        sound = max(looks.get(move, -100.0) for move in here.values if move not in deciding)
        shy = manners.shy + manners.shy_share * mine
        for i, move in enumerate(moves):
            if move in deciding:
                weights[i] *= math.exp(min(0.0, looks.get(move, -100.0) - sound) / shy)
    move = random.Random(seed).choices(moves, weights)[0]
    text = (
        f"the guest's moves in this game are those of softness {guest:.0f}; "
        f"this one is of softness {mine:.0f}, with an expected result of {could:.2f} for the host"
    )
    details = {"guest": {"softness": round(guest, 1)}, "softness": round(mine, 1)}
    return tell(move, "same strength", text, here, details)


def guest_moves(board: Board) -> list[tuple[Board, str]]:
    """The other side's moves of this game, oldest first: the board each was made on, and the move."""
    line = board.line
    return [(before, after.last_move) for before, after in pairwise(line) if before.turn != board.turn]


def softness(moves: Sequence[tuple[Judgement, str]]) -> float:
    """The softness that such moves speak for: the mean over SOFTNESS, on a scale of ratios."""
    fits = []
    for t in SOFTNESS:
        fits.append(sum(_log_probability(here, move, t) for here, move in moves))
    top = max(fits)
    weights = [math.exp(fit - top) for fit in fits]
    mean = sum(w * math.log(t) for w, t in zip(weights, SOFTNESS, strict=True)) / sum(weights)
    return math.exp(mean)


def _log_probability(here: Judgement, move: str, t: float) -> float:
    weights = _weights(here, list(here.values), 1 / t)
    # Nobody plays quite by the model: no move is impossible.
    mine = weights[list(here.values).index(move)] / sum(weights)
    return math.log(0.98 * mine + 0.02 / len(weights))


def _weights(here: Judgement, moves: Sequence[str], care: float) -> list[float]:
    """How often a player of softness 1 / care plays each of the moves; the best move of all has 1."""
    best = here.values[here.best]
    return [math.exp(min(0.0, here.values[move] - best) * care) for move in moves]
