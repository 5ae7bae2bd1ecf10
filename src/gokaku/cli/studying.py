"""`gokaku study`: plays a study, showing how far it is, and writes what came out of it."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from pathlib import Path

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

import gokaku
from gokaku.arena import report, study
from gokaku.arena.games import Rules
from gokaku.cli import waiting, words


def hospitality(game: str, games: int, out: Path, seed: int, jobs: int | None, nodes: int) -> None:
    """Plays what is missing in the folder, then writes tables and plots; prints the files."""
    plan = study.Plan.of(game, games, seed, Rules(nodes=nodes))
    try:
        folder = study.Folder(out.expanduser(), plan)
    except study.OtherStudy as error:
        raise typer.BadParameter(str(error)) from None
    waiting.prepare(gokaku.game(game))
    done = sum(1 for _ in folder.records())
    try:
        with _bar(done, plan.total) as tell:
            study.run(folder, jobs or os.cpu_count() or 1, tell)
    except BrokenExecutor:
        raise words.Refused("a process of the study died; the same command goes on from here") from None
    except KeyboardInterrupt:
        print("broken off; the same command goes on from here", file=sys.stderr)
        raise
    try:
        files = report.write(folder)
    except report.NoPlots as error:
        raise words.Refused(str(error)) from None
    for file in files:
        print(file)


@contextmanager
def _bar(done: int, total: int) -> Iterator[Callable[[int, str], None]]:
    """A bar on a terminal; elsewhere a line for every twentieth part."""
    console = Console(stderr=True)
    if not console.is_terminal:
        count = done

        def line(games: int, who: str) -> None:
            nonlocal count
            before, count = count, count + games
            if before * 20 // total != count * 20 // total:
                print(f"{count} of {total} games", file=sys.stderr, flush=True)

        yield line
        return
    columns = (BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=console) as progress:
        task = progress.add_task("", total=total, completed=done)
        yield lambda games, who: progress.update(task, advance=games, description=who)
