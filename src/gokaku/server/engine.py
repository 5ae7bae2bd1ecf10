"""Law: what a worker process does with a question. The question was checked before it came here."""

from __future__ import annotations

import gokaku
from gokaku import opponents
from gokaku.server import wire


def board_of(question: wire.Question) -> gokaku.Board:
    """The board of a question, with its history. Raises as `Game.replay` does."""
    return gokaku.game(question.game).replay(question.moves, question.position)


def reply(request: wire.ReplyRequest) -> wire.Reply:
    board = board_of(request)
    limit = opponents.Limit(ms=request.limit_ms)
    question = opponents.Question(board, limit=limit, seed=request.seed, level=request.level)
    answer = opponents.answer(request.opponent, question)
    why = answer.explanation
    return wire.Reply(answer.move, board.turn, wire.Explanation(why.rule, why.text, why.values, why.details))


def analyse(request: wire.AnalyseRequest) -> wire.Analysis:
    raise NotImplementedError
