"""What is typed on a command line, read: games, opponents, limits, positions, records; and its refusals.

`typer.BadParameter`: the command line is wrong (status 2); `Refused`: the game or a file says no (1).
"""

from __future__ import annotations

import difflib
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from gokaku.games import NAMES

if TYPE_CHECKING:
    from gokaku.board import Board, Game
    from gokaku.search import Limit

#: The name that stands for a second person at the same keyboard.
HUMAN = "human"


class Refused(Exception):
    """Understood, but the game or a file does not allow it; the text is one line."""


def one_line(error: BaseException) -> str:
    """What an error of Typer's says, on one line."""
    text = error.format_message() if hasattr(error, "format_message") else str(error)
    return " ".join(text.split())


def near(text: str, known: Iterable[str], likeness: float = 0.5) -> str:
    """A question for the sentence's end: what may have been meant; "" if nothing is that like it (0 to 1)."""
    close = difflib.get_close_matches(text.casefold(), list(known), n=1, cutoff=likeness)
    return f"; did you mean {close[0]}?" if close else ""


def game(name: str) -> str:
    """Checks a game's name."""
    if name not in NAMES:
        raise typer.BadParameter(
            f"unknown game {name!r}: the games are {', '.join(NAMES)}{near(name, NAMES)}"
        )
    return name


def games(names: list[str] | None) -> list[str]:
    """Checks several games' names."""
    return [game(name) for name in names or []]


def opponent(name: str | None, of: Game) -> str:
    """Checks an opponent's name; the strongest where there is none."""
    from gokaku import opponents

    known = (*opponents.names(of), HUMAN)
    if name is None:
        return known[-2]
    if name not in known:
        raise typer.BadParameter(
            f"{of.name} has no opponent {name!r}: it has {', '.join(known)}{near(name, known)}"
        )
    return name


def complete_game(incomplete: str) -> list[str]:
    return [name for name in NAMES if name.startswith(incomplete)]


def complete_opponent(context: typer.Context, incomplete: str) -> list[str]:
    import gokaku
    from gokaku import opponents

    name = context.params.get("game")
    known = opponents.names(gokaku.game(name)) if name in NAMES else tuple(opponents.OPPONENTS)
    return [name for name in (*known, HUMAN) if name.startswith(incomplete)]


def limit(text: str) -> Limit:
    """Reads 50ms, 2s or 10000n."""
    from gokaku.search import Limit

    compact = text.strip().lower()
    try:
        if compact.endswith("ms"):
            return Limit(ms=float(compact[:-2]))
        if compact.endswith("s"):
            return Limit(ms=1000 * float(compact[:-1]))
        if compact.endswith("n"):
            return Limit(nodes=int(compact[:-1]))
    except ValueError:
        pass
    raise typer.BadParameter(f"a limit is such as 50ms, 2s or 10000n (nodes), and more than 0; not {text!r}")


def board(name: str, position: str | None, record: Path | None) -> Board:
    """The board of a position's text, of a record on stdin (`-`) or in a file; else the start."""
    import gokaku

    of = gokaku.game(name)
    if position is not None and record is not None:
        raise typer.BadParameter("give a position or a file, not both")
    if record is not None:
        return load(of, record)
    try:
        if position == "-":
            return of.read(sys.stdin.read())
        return of.start() if position is None else of.parse(position)
    except ValueError as error:
        raise Refused(str(error)) from None


def load(of: Game, record: Path) -> Board:
    """The board at the end of a record's file. Raises Refused."""
    try:
        return of.read(record.expanduser().read_text(encoding="utf-8"))
    except OSError as error:
        raise Refused(f"cannot read {record}: {error.strerror}") from None
    except ValueError as error:  # neither text nor a record
        raise Refused(f"{record} is not a record of {of.name}: {error}") from None
