"""Law: what a worker process does with a question, which was checked before it came here.

The limit counts from here on, so that replaying the game is part of it.
"""

from __future__ import annotations

import gc

import gokaku
from gokaku import compiled, opponents, search
from gokaku.server import wire


def board_of(question: wire.Question) -> gokaku.Board:
    """The board of a question, with its history. Raises as `Game.replay` does."""
    return gokaku.game(question.game).replay(question.moves, question.position)


def reply(request: wire.ReplyRequest) -> wire.Reply:
    limit = opponents.Limit(ms=request.limit_ms)
    deadline = limit.deadline(compiled.now())
    board = board_of(request)
    question = opponents.Question(board, limit, request.seed, request.level, deadline)
    answer = opponents.answer(request.opponent, question)
    why = answer.explanation
    values = {move: round(value, 2) for move, value in why.values.items()}
    return wire.Reply(answer.move, board.turn, wire.Explanation(why.rule, why.text, values, why.details))


def analyse(request: wire.AnalyseRequest) -> wire.Analysis:
    limit = opponents.Limit(ms=request.limit_ms)
    deadline = limit.deadline(compiled.now())
    found = opponents.analyse(opponents.Question(board_of(request), limit, deadline=deadline))
    values = [
        wire.MoveValue(move, round(value, 2), found.plies[move]) for move, value in found.values.items()
    ]
    return wire.Analysis(found.turn, values, list(found.line), found.depth, found.nodes, found.compiled)


def ready(name: str) -> bool:
    """Whether a game's kernels are in the cache on disk."""
    return compiled.ready(gokaku.game(name).rules)


def warm(name: str) -> None:
    """Load a game's kernels into this process; if they are not in the cache, compile them into it first."""
    search.warm(gokaku.game(name).rules)
    # A compiler is a great heap of objects that never die: looking through them takes 40 ms, and would come
    # in the midst of an answer.
    gc.collect()
    gc.freeze()
