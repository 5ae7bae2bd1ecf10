"""`gokaku games` and `gokaku show`: what there is, and what a position is."""

from __future__ import annotations

from dataclasses import asdict
from json import dumps

import gokaku
from gokaku.board import Board
from gokaku.games import NAMES


def games(json: bool) -> None:
    """Prints the games, their titles and their opponents, weakest first."""
    from gokaku import opponents  # and with them numpy, which drawing a board can do without

    known = [gokaku.game(name) for name in NAMES]
    if json:
        rows = [
            {
                "game": game.name,
                "title": dict(zip(("en", "ja"), game.title, strict=True)),
                "opponents": opponents.names(game),
            }
            for game in known
        ]
        print(dumps(rows, ensure_ascii=False))
        return
    width = max(map(len, NAMES))
    for game in known:
        print(f"{game.name:{width}}  {' '.join(game.title)}")
        print(f"{'':{width}}  opponents: {', '.join(opponents.names(game))}")


def show(board: Board, json: bool) -> None:
    """Prints a board: its drawing, who is to move, the legal moves or the outcome."""
    if json:
        row = {
            "game": board.game.name,
            "position": board.position,
            "moves": board.moves,
            "turn": board.turn,
            "legal_moves": board.legal_moves,
            "outcome": asdict(board.outcome) if board.outcome else None,
        }
        print(dumps(row))
        return
    print(board)
    print()
    if board.outcome:
        print(board.outcome)
        return
    print(f"{board.turn} to move; {len(board.legal_moves)} legal: {', '.join(board.legal_moves)}")
