"""The opponents by name: a question in, a move and its explanation out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

from gokaku.board import Game
from gokaku.opponents import engine, hospitality, host2, ladder, perfect, weak
from gokaku.opponents.engine import Analysis, analyse
from gokaku.opponents.judging import Judgement, judge
from gokaku.opponents.question import LEVELS, Answer, Explanation, Question, deviation, value
from gokaku.search.limit import Limit

__all__ = [
    "LEVELS",
    "OPPONENTS",
    "Analysis",
    "Answer",
    "Explanation",
    "Judgement",
    "Limit",
    "Opponent",
    "Question",
    "UnknownOpponent",
    "analyse",
    "answer",
    "deviation",
    "judge",
    "names",
    "opponent",
    "value",
]


class UnknownOpponent(ValueError):
    """There is no opponent of that name for the game."""


@dataclass(frozen=True)
class Opponent:
    """One opponent: whether it plays a game (from what the rule file offers), and how it answers.

    searches: its answers take the time of their limit. levels: it plays at the question's level.
    reads: where a complete table is there it asks nothing else, and its answers take a millisecond.
    hosts: it answers a guest's moves, so the guest begins.
    """

    offered: Callable[[Any], bool]
    answer: Callable[[Question], Answer]
    searches: bool = False
    levels: bool = False
    reads: bool = False
    hosts: bool = False


#: Weakest first; a host has no strength of its own and stands where its guests begin.
OPPONENTS: dict[str, Opponent] = {
    "weak": Opponent(weak.offered, weak.answer),
    "hospitality": Opponent(hospitality.offered, hospitality.answer, searches=True, reads=True, hosts=True),
    "host2": Opponent(host2.offered, host2.answer, searches=True, hosts=True),
    **{rung: Opponent(ladder.offered, partial(ladder.answer, rung=rung)) for rung in ladder.RUNGS},
    "engine": Opponent(engine.offered, engine.answer, searches=True, levels=True),
    "perfect": Opponent(perfect.offered, perfect.answer, searches=True, reads=True),
}


def names(game: Game) -> tuple[str, ...]:
    """The opponents offered for a game, weakest first."""
    return tuple(name for name, one in OPPONENTS.items() if one.offered(game.rules))


def opponent(name: str, game: Game) -> Opponent:
    """The opponent of that name. Raises UnknownOpponent, which names those there are."""
    if name not in names(game):
        raise UnknownOpponent(f"{game.name} has no opponent {name!r}; it has {', '.join(names(game))}")
    return OPPONENTS[name]


def answer(name: str, question: Question) -> Answer:
    """Asks the opponent of that name. Raises UnknownOpponent."""
    return opponent(name, question.board.game).answer(question)
