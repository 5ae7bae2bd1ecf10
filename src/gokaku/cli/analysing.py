"""`gokaku analyse`: the exact value of every move along the best line, as the public solver writes it.

`1(n)`: after the move the side then to move wins in n + 1 plies; `-1(n)`: it loses in n + 1; `0(0)`: a draw.
A move that ends the game is `-1(0)`. As there, a Try counts one ply later than by our rules.
"""

from __future__ import annotations

from json import dumps
from pathlib import Path
from typing import Any

from gokaku.board import Board
from gokaku.cli import tabling
from gokaku.cli.words import Refused
from gokaku.solve.published import Published


def analyse(file: Path, name: str, plies: int | None, json: bool) -> None:
    """Prints the analysis of the position at the end of a record, and of those on the best line."""
    table = Published(tabling.opened(name))
    try:
        board = tabling.solvable(name).read(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise Refused(f"{file}: {error}") from None
    if board.outcome is not None:
        raise Refused(f"{file}: the game is over: {board.outcome}")
    steps: list[dict[str, Any]] = []
    root = board
    while board.legal_moves and (plies is None or len(steps) < plies):
        values = move_values(table, board)
        best = min(values, key=lambda move: _for_mover(values[move]))
        steps.append(
            {
                "position": board.position,
                "value": notation(table.value(board.state)),
                "moves": {move: notation(value) for move, value in values.items()},
                "best": best,
            }
        )
        board = board.play(best)
    if json:
        told = {"game": name, "steps": steps, "outcome": str(board.outcome) if board.outcome else None}
        print(dumps(told, indent=2))
        return
    print(root)
    print(steps[0]["value"])
    for number, step in enumerate(steps, 1):
        moves = "  ".join(f"{move} {value}" for move, value in step["moves"].items())
        print(f"\n{number} {step['best']}\n{moves}")
    if board.outcome is not None:
        print(f"\n{board.outcome}")


def move_values(table: Published, board: Board) -> dict[str, int | None]:
    """The values after every move, for the side then to move, in the solver's order; None: it has lost."""
    rules = board.game.rules
    codes = sorted(board.codes, key=lambda code: rules.solver_order(board.state, code))
    values: dict[str, int | None] = {}
    for code in codes:
        child = rules.play(board.state, code)
        values[board.text(code)] = None if rules.outcome(child) else table.value(child)
    return values


def notation(value: int | None) -> str:
    """A value in plies as the public solver writes it."""
    if value is None:
        return "-1(0)"
    return f"{(value > 0) - (value < 0)}({max(abs(value) - 1, 0)})"


def _for_mover(value: int | None) -> float:
    """Sorts the values after a move from the best for the side that makes it to the worst."""
    if value is None:
        return -1000
    # It loses soon, later, draw, wins late, soon.
    return -900 - value if value < 0 else 900 - value if value > 0 else 0
