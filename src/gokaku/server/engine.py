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
    if not request.explain:
        return wire.Reply(answer.move, board.turn)
    values = {move: round(value, 2) for move, value in why.values.items()}
    return wire.Reply(answer.move, board.turn, wire.Explanation(why.rule, why.text, values, why.details))


def analyse(request: wire.AnalyseRequest) -> wire.Analysis:
    """The values here, and of the move before if asked; each has an equal share of the time."""
    board = board_of(request)
    before = board.parent if request.last else None
    shares = [one for one in (before, board) if one is not None and one.outcome is None]
    ms = max(1, request.limit_ms // max(1, len(shares)))
    last = None if before is None else last_move(board, judge(before, ms))
    if board.outcome is not None:
        return wire.Analysis(board.turn, [], [], last.source if last else "", 0, 0, True, last)
    found = judge(board, ms)
    return wire.Analysis(
        board.turn,
        move_values(found),
        list(found.line),
        source(found),
        found.depth,
        found.nodes,
        found.compiled,
        last,
    )


def judge(board: gokaku.Board, ms: int) -> opponents.Analysis:
    limit = opponents.Limit(ms=ms)
    return opponents.analyse(opponents.Question(board, limit, deadline=limit.deadline(compiled.now())))


def source(found: opponents.Analysis) -> str:
    return "search"


def move_values(found: opponents.Analysis) -> list[wire.MoveValue]:
    best = max(found.values.values())
    return [
        wire.MoveValue(move, round(value, 2), round(opponents.deviation(value, best), 4), found.plies[move])
        for move, value in found.values.items()
    ]


def last_move(board: gokaku.Board, found: opponents.Analysis) -> wire.LastMove | None:
    """The move that led to the board, judged by what was found before it; None if it was not looked at."""
    values = move_values(found)
    mine = next((one for one in values if one.move == board.last_move), None)
    if mine is None:
        return None
    rank = 1 + sum(one.value > mine.value for one in values)
    line = list(found.line)
    return wire.LastMove(
        mine.move,
        found.turn,
        mine.value,
        mine.deviation,
        mine.plies,
        rank,
        len(values),
        values[0],
        line,
        source(found),
    )


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
