"""`gokaku table`: builds the complete table of a game, checks it, and tells of it."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from json import dumps
from pathlib import Path

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from gokaku import game as named
from gokaku.board import BadPosition, Game
from gokaku.cli.words import Refused
from gokaku.solve import tables
from gokaku.solve.table import BadTable, Table, Tell


def solvable(name: str) -> Game:
    """The game, if its rule file offers an index."""
    one = named(name)
    if not tables.solvable(one.rules):
        raise Refused(f"{name} is not solved: its rule file offers no index")
    return one


def opened(name: str) -> Table:
    """The game's table. Raises Refused, saying how to build it."""
    try:
        table = tables.find(solvable(name).rules)
    except BadTable as error:
        raise Refused(str(error)) from None
    if table is None:
        raise Refused(f"there is no table at {tables.path(name)}; build it: gokaku table build {name}")
    return table


def build(name: str, threads: int | None, nice: bool) -> None:
    one = solvable(name)
    if nice:
        os.nice(19)
    began = time.monotonic()
    with _progress() as tell:
        try:
            header = tables.build(one.rules, threads, tell)
        except tables.Busy as error:
            raise Refused(str(error)) from None
    size = tables.path(name).stat().st_size
    print(
        f"{sum(header.counts.values()):,} positions in {time.monotonic() - began:.1f} s,"
        f" {size / 1e6:.1f} MB: {tables.path(name)}"
    )


def verify(name: str, threads: int | None) -> int:
    """Recomputes every position from its successors; the exit status."""
    table = opened(name)
    with _progress() as tell:
        positions, differ, some = table.verify(threads, tell)
    print(f"{positions} positions, {differ} inconsistent")
    for state in some[:10]:
        print(f"  {table.rules.format(state)}", file=sys.stderr)
    return 1 if differ else 0


def check(file: Path, name: str) -> int:
    """Compares a file of positions and values (tab, plies) with the table; the exit status."""
    one = solvable(name)
    table = opened(name)
    states = []
    wanted = []
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        try:
            position, plies = line.split("\t")
            board = one.parse(position)
            wanted.append(int(plies))
        except (BadPosition, ValueError) as error:
            raise Refused(f"{file}, line {number}: expected a position, a tab, its plies: {error}") from None
        if board.outcome is not None:
            raise Refused(f"{file}, line {number}: the game is over there: {board.outcome}")
        states.append(board.state)
    told = [int(value) for value in table.values(states)] if states else []
    mismatches = 0
    for state, value, want in zip(states, told, wanted, strict=True):
        if value != want:
            mismatches += 1
            print(f"  {one.rules.format(state)}: {value}, the file says {want}", file=sys.stderr)
    print(f"{len(states)} rows, {mismatches} mismatches")
    return 1 if mismatches else 0


def info(name: str, json: bool) -> None:
    table = opened(name)
    with _progress() as tell:
        reachable = tables.census(table, lambda found: tell("positions reached", found, 0))
    start = table.value(table.rules.start())
    header = table.header
    if json:
        told = {
            "game": name,
            "start": start,
            "longest": header.longest,
            "reachable": asdict(reachable),
            "positions": {"all": sum(header.counts.values()), **header.counts},
            "bytes": tables.path(name).stat().st_size,
            "path": str(tables.path(name)),
            "sha256": header.digest,
        }
        print(dumps(told, indent=2))
        return
    r = reachable
    end = "wins" if start > 0 else "loses" if start < 0 else "draws"
    print(f"{tables.path(name)}: {tables.path(name).stat().st_size / 1e6:.1f} MB, sound")
    print(f"the start: the side to move {end} in {abs(start)} plies; the longest win takes {header.longest}")
    print(f"reached from the start: {r.positions:,} positions, {r.unfinished:,} of them not over")
    print(f"  wins {r.wins:,}, draws {r.draws:,}, losses {r.losses:,}")
    print(f"  legal moves: {r.mean_legal_moves:.3f} on average, {r.most_legal_moves} at most")


@contextmanager
def _progress() -> Iterator[Tell]:
    """A bar with the phase, what is done and the time left; a line a phase where there is no terminal."""
    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description:>18}"),
        BarColumn(),
        TextColumn("{task.completed:>13,.0f}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task("compiling", total=None)
        last = ""
        shown = 0.0

        def tell(phase: str, done: int, total: int) -> None:
            nonlocal last, shown
            before, last = last, phase  # at once: several threads tell
            if console.is_terminal:
                if phase.partition(" ")[0] != before.partition(" ")[0]:  # plies are one phase
                    progress.reset(task)  # or its clock stands still once a phase is over
                progress.update(task, description=phase, completed=done, total=total or None)
            elif phase != before and (not phase.startswith("ply") or time.monotonic() - shown > 5):
                print(f"{phase}: {done:,}" + (f" of {total:,}" if total else ""), file=sys.stderr, flush=True)
                shown = time.monotonic()

        yield tell
