"""One game between a guest, who moves first, and a host: played, judged ply by ply, and noted.

Everything random comes from the game's own seed, so a game does not depend on who else plays.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from gokaku import opponents
from gokaku.arena import hosts
from gokaku.arena.guests import LADDER, Judge
from gokaku.board import Board, Game
from gokaku.opponents import Judgement, Limit, Question

#: A move gives the game away if it costs at least this much of the expected result (0 to 1).
GIVEN = 0.3


@dataclass(frozen=True)
class Ply:
    """One move, as its mover's side sees it.

    value, best: the move's value and the best move's. kept, could: the expected result (0 to 1) after
    the move and after the best one. legal: the number of legal moves. given: the move gives the game
    away. seen: it does, although a move that looks no less natural does not; only told of hosts.
    """

    value: float
    best: float
    kept: float
    could: float
    legal: int
    given: bool
    seen: bool = False


@dataclass(frozen=True)
class Record:
    """One game: who, which, how it ended, and its plies, of which the even ones are the guest's.

    winner: "guest", "host" or None.
    """

    guest: str
    host: str
    number: int
    winner: str | None
    reason: str
    moves: tuple[str, ...]
    plies: tuple[Ply, ...]


@dataclass(frozen=True)
class Rules:
    """How a study judges: nodes of a search for a value, and for the look at first sight."""

    nodes: int = 2_000
    glance: int = 500


def seed_of(*parts: object) -> int:
    """A seed of 48 bits from anything that can be printed."""
    return int.from_bytes(hashlib.sha256(repr(parts).encode()).digest()[:6], "big")


def judge_of(game: Game, rules: Rules) -> Callable[[], Judge]:
    """Makes a judge for each game, who judges every board of it once.

    Where history decides nothing, the judges share what they found.
    """
    limit = Limit(nodes=rules.nodes)

    def judge(board: Board) -> Judgement:
        return opponents.judge(Question(board, limit))

    if game.rules.REPETITION == 0:
        shared = lru_cache(20_000)(judge)  # equal boards are equal positions
        return lambda: shared

    def fresh() -> Judge:
        known: dict[int, tuple[Board, Judgement]] = {}

        def once(board: Board) -> Judgement:
            if id(board) not in known:
                known[id(board)] = board, judge(board)
            return known[id(board)][1]

        return once

    return fresh


def play(
    game: Game, guest_name: str, host_name: str, number: int, seed: int, rules: Rules, judge: Judge
) -> Record:
    """Plays game `number` of a pair. seed: the study's."""
    guest = next(one for one in LADDER if one.name == guest_name)
    host = hosts.host(host_name, Limit(nodes=rules.nodes), lambda here: glance(here, rules))
    own = seed_of(seed, game.name, guest_name, host_name, number)
    board = game.start()
    plies: list[Ply] = []
    while board.outcome is None:
        of_guest = board.turn == "first"
        move = (guest.move if of_guest else host)(board, judge, own + len(plies))
        plies.append(_note(board, move, judge(board), rules, of_guest))
        board = board.play(move)
    winner = board.outcome.winner
    return Record(
        guest_name,
        host_name,
        number,
        None if winner is None else "guest" if winner == "first" else "host",
        board.outcome.reason,
        board.moves,
        tuple(plies),
    )


def _note(board: Board, move: str, here: Judgement, rules: Rules, of_guest: bool) -> Ply:
    kept, could = here.standing(move), here.standing(here.best)
    given = could - kept >= GIVEN
    return Ply(
        value=round(here.values[move], 1),
        best=round(here.values[here.best], 1),
        kept=round(kept, 3),
        could=round(could, 3),
        legal=len(here.values),
        given=given,
        seen=given and not of_guest and _seen(board, move, here, rules),
    )


def _seen(board: Board, move: str, here: Judgement, rules: Rules) -> bool:
    """Whether a move that keeps the game looks no worse, at first sight, than the one that gives it away."""
    looks = glance(board, rules)
    could = here.standing(here.best)
    return any(
        looks.get(other, -100.0) >= looks.get(move, -100.0) and could - here.standing(other) < GIVEN
        for other in here.values
        if other != move
    )


def glance(board: Board, rules: Rules) -> dict[str, float]:
    """What a move looks worth at first sight: a few nodes of search."""
    return opponents.analyse(Question(board, Limit(nodes=rules.glance))).values


def as_row(record: Record) -> dict[str, Any]:
    """A record as short JSON."""
    plies = [
        [one.value, one.best, one.kept, one.could, one.legal, int(one.given) + int(one.seen)]
        for one in record.plies
    ]
    return vars(record) | {"moves": " / ".join(record.moves), "plies": plies}


def from_row(row: dict[str, Any]) -> Record:
    """Reads what `as_row` wrote. Raises KeyError, TypeError or ValueError."""
    plies = tuple(
        Ply(value, best, kept, could, legal, marks > 0, marks > 1)
        for value, best, kept, could, legal, marks in row["plies"]
    )
    return Record(**row | {"moves": tuple(row["moves"].split(" / ")), "plies": plies})
