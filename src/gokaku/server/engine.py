"""Law: what a worker process does with a question, which was checked before it came here.

The limit counts from here on, so that replaying the game is part of it.
"""

from __future__ import annotations

import gc
import logging
from dataclasses import dataclass, replace

import gokaku
from gokaku import compiled, opponents
from gokaku.opponents import judging
from gokaku.server import wire
from gokaku.solve import table, tables

log = logging.getLogger("gokaku.server")


def board_of(question: wire.Question) -> gokaku.Board:
    """The board of a question, with its history. Raises as `Game.replay` does."""
    return gokaku.game(question.game).replay(question.moves, question.position)


def reply(request: wire.ReplyRequest, board: gokaku.Board | None = None) -> wire.Reply:
    """The answer to a question. board: the question's, where it is known."""
    limit = opponents.Limit(ms=request.limit_ms)
    deadline = limit.deadline(compiled.now())
    if board is None:
        board = board_of(request)
    question = opponents.Question(board, limit, request.seed, request.level, deadline)
    answer = opponents.answer(request.opponent, question)
    why = answer.explanation
    if not request.explain:
        return wire.Reply(answer.move, board.turn)
    values = {move: round(value, 2) for move, value in why.values.items()}
    return wire.Reply(answer.move, board.turn, wire.Explanation(why.rule, why.text, values, why.details))


@dataclass(frozen=True)
class Judged:
    """The moves of a board, judged; the line of best moves; how far a search saw, 0 where a table knows."""

    moves: opponents.Judgement
    line: list[str]
    depth: int = 0
    nodes: int = 0
    compiled: bool = True


def analyse(request: wire.AnalyseRequest) -> wire.Analysis:
    """The values here, and of the move before if asked; each has an equal share of the time."""
    board = board_of(request)
    before = board.parent if request.last else None
    boards = [one for one in (before, board) if one is not None and one.outcome is None]
    found = {id(one): judge(one, max(1, request.limit_ms // len(boards))) for one in boards}
    last = None if before is None else last_move(board, found[id(before)])
    here = found.get(id(board))
    if here is None:
        return wire.Analysis(board.turn, [], [], last.source if last else "", 0, 0, True, last)
    moves = move_values(here)
    return wire.Analysis(
        board.turn, moves, here.line, here.moves.source, here.depth, here.nodes, here.compiled, last
    )


def judge(board: gokaku.Board, ms: int) -> Judged:
    """Every legal move of a running board, from its game's table if there is one, else by search."""
    limit = opponents.Limit(ms=ms)
    question = opponents.Question(board, limit, deadline=limit.deadline(compiled.now()))
    if judging.find_table(board.game.rules) is not None:
        moves = opponents.judge(question)
        return Judged(moves, table_line(moves, question))
    found = opponents.analyse(question)
    # Of equals the one that the line begins with goes first; a line of a lesser move is none of best moves.
    order = sorted(found.values.items(), key=lambda item: (-item[1], item[0] != found.line[0]))
    moves = opponents.Judgement(found.turn, dict(order), found.plies, "search")
    line = list(found.line) if found.line[0] == moves.best else [moves.best]
    return Judged(moves, line, found.depth, found.nodes, found.compiled)


def table_line(moves: opponents.Judgement, question: opponents.Question) -> list[str]:
    """The best moves from the question's board to the end, or as far as its time goes."""
    line = [moves.best]
    board = question.board.play(moves.best)
    while board.outcome is None and compiled.now() < (question.deadline or 0):
        best = opponents.judge(replace(question, board=board)).best
        line.append(best)
        board = board.play(best)
    return line


def move_values(found: Judged) -> list[wire.MoveValue]:
    moves = found.moves
    return [
        wire.MoveValue(
            move, round(value, 2), round(moves.deviation(move), 4), moves.rank(move), moves.plies[move]
        )
        for move, value in moves.values.items()
    ]


def last_move(board: gokaku.Board, found: Judged) -> wire.LastMove | None:
    """The move that led to the board, judged by what was found before it; None if it was not looked at."""
    values = move_values(found)
    mine = next((one for one in values if one.move == board.last_move), None)
    if mine is None:
        return None
    best, source = values[0], found.moves.source
    turn, line = found.moves.turn, found.line
    return wire.LastMove(
        mine.move, turn, mine.value, mine.deviation, mine.rank, mine.plies, len(values), best, line, source
    )


def ready(name: str) -> bool:
    """Whether a game's kernels are in the cache on disk."""
    rules = gokaku.game(name).rules
    parts = ("search", "lookup") if tables.solvable(rules) else ("search",)
    return all(compiled.ready(rules, part) for part in parts)


def warm(name: str) -> None:
    """Load a game's kernels into this process; if they are not in the cache, compile them into it first."""
    judging.warm(gokaku.game(name).rules)
    settle()


def open_table(name: str) -> bool:
    """Open a game's table in this process, to be read by compiled code; whether that can be."""
    rules = gokaku.game(name).rules
    try:
        if tables.find(rules) is None:
            return False
        table.load(rules)
    except table.BadTable as error:
        log.warning("%s", error)
        return False
    except Exception:  # the engines' processes answer all the same
        log.exception("the table of %s cannot be read here", name)
        return False
    settle()
    return True


def settle() -> None:
    """Take what is in memory now for what will always be there."""
    # A compiler is a great heap of objects that never die: looking through them takes 40 ms, and would come
    # in the midst of an answer.
    gc.collect()
    gc.freeze()
