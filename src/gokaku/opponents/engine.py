"""`engine`: search under a hard limit, with levels; and the analysis of every legal move."""

from __future__ import annotations

import math
import random
from dataclasses import asdict, dataclass
from typing import Any

from gokaku import search
from gokaku.opponents.question import LEVELS, Answer, Explanation, Question, value
from gokaku.search import Found, Limit

#: Nodes that the levels below the highest may look at, and the noise (Elo-like points) in their judgement.
_NODES = (100, 300, 1_000, 3_000, 10_000, 30_000, 100_000)
_NOISE = (250.0, 180.0, 130.0, 90.0, 60.0, 40.0, 20.0)


@dataclass(frozen=True)
class Analysis:
    """The moves of a position that were judged: all of them, unless only a move was asked for.

    turn: the side to move. values: move to value (see question.value), best first. plies: move to
    the length of the game in plies if its end is proved. line: the best moves from here. compiled:
    whether the search ran compiled; if not it saw far less.
    """

    turn: str
    values: dict[str, float]
    plies: dict[str, int | None]
    line: tuple[str, ...]
    depth: int
    nodes: int
    compiled: bool


def offered(rules: Any) -> bool:
    return True


def answer(question: Question) -> Answer:
    board = question.board
    if question.level == LEVELS[-1]:
        found = _search(question, question.limit, every=False)
        pick = 0
        text = f"best after {found.nodes} nodes, depth {found.depth}"
    else:
        rank = question.level - 1
        nodes = min(_NODES[rank], question.limit.nodes or _NODES[rank])
        found = _search(question, Limit(question.limit.ms, nodes), every=True)
        pick = _noisy(found, _NOISE[rank], random.Random(question.seed))
        text = f"level {question.level}: {found.nodes} nodes, judged with some noise"
    if not found.compiled:
        text += "; the compiled search is still being prepared, this one ran as plain Python"
    analysis = _analysis(question, found)
    details = asdict(analysis)
    values = details.pop("values")
    return Answer(board.text(found.moves[pick]), Explanation("search", text, values, details))


def analyse(question: Question) -> Analysis:
    """The value of every legal move within the question's limit."""
    return _analysis(question, _search(question, question.limit, every=True))


def _search(question: Question, limit: Limit, every: bool) -> Found:
    board = question.board
    rules = board.game.rules
    return search.best(
        rules,
        board.state,
        limit,
        history=[earlier.state for earlier in board.line[:-1]],
        seed=question.seed,
        every=every,
        jit=search.warmed(rules),
        deadline=question.deadline,
    )


def _noisy(found: Found, noise: float, choice: random.Random) -> int:
    """The index of the move that looks best through noise; a win in one is never missed."""
    if found.plies[0] == 1 and found.chances[0] == 1:
        return 0
    seen = []
    for chance in found.chances:
        safe = min(max(chance, 0.001), 0.999)
        seen.append(400 * math.log10(safe / (1 - safe)) + choice.gauss(0, noise))
    return seen.index(max(seen))


def _analysis(question: Question, found: Found) -> Analysis:
    board = question.board
    texts = [board.text(move) for move in found.moves[: found.judged]]
    values = dict(zip(texts, map(value, found.chances, found.plies), strict=False))
    line = []
    state = board.state
    rules = board.game.rules
    for move in found.line:
        line.append(str(rules.format_move(state, move)))
        state = rules.play(state, move)
    return Analysis(
        turn=board.turn,
        values=dict(sorted(values.items(), key=lambda item: -item[1])),
        plies=dict(zip(texts, found.plies, strict=False)),
        line=tuple(line),
        depth=found.depth,
        nodes=found.nodes,
        compiled=found.compiled,
    )
