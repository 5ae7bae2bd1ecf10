"""Where tables lie, and how they come to be: GOKAKU_DATA or the user's data folder."""

from __future__ import annotations

import fcntl
import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from types import ModuleType

import platformdirs

from gokaku.solve import retrograde
from gokaku.solve.reach import Reachable, explore
from gokaku.solve.table import BadTable, Header, Table, Tell, read, silent, write

_open: dict[Path, tuple[int, int, Table | BadTable]] = {}


class Busy(RuntimeError):
    """Another process is building that table."""


def solvable(rules: ModuleType) -> bool:
    """Whether the rule file offers an index, so that the game can be solved."""
    return hasattr(rules, "INDEX_SIZE")


def path(game: str) -> Path:
    """Where the game's table lies or will lie."""
    folder = os.environ.get("GOKAKU_DATA") or platformdirs.user_data_path("gokaku")
    return Path(folder) / f"{game}.table"


def find(rules: ModuleType) -> Table | None:
    """The game's table if it has been built; cheap to ask again, and sees one that appears later.

    Raises BadTable for a file that is there but damaged.
    """
    game = rules.__name__.rpartition(".")[2]
    here = path(game)
    try:
        stat = here.stat()
    except OSError:
        return None
    known = _open.get(here)
    if known is None or known[:2] != (stat.st_mtime_ns, stat.st_size):
        try:
            found: Table | BadTable = read(here, game, rules)
        except BadTable as error:
            found = error  # to read all of it again would find the same
        known = _open[here] = (stat.st_mtime_ns, stat.st_size, found)
    if isinstance(known[2], BadTable):
        raise known[2]
    return known[2]


def sound(rules: ModuleType) -> bool:
    """Whether the game's table is there and whole."""
    try:
        return find(rules) is not None
    except BadTable:
        return False


@contextmanager
def _alone(here: Path) -> Iterator[None]:
    """Holds the right to build a table; it ends with the process, however that ends."""
    here.parent.mkdir(parents=True, exist_ok=True)
    with here.with_suffix(".lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Busy(f"another process is building {here}") from None
        for leftover in here.parent.glob(f"{here.stem}.*.part"):
            leftover.unlink()  # of a build that was killed
        yield


def build(rules: ModuleType, threads: int | None = None, tell: Tell = silent) -> Header:
    """Solves the game and writes its table. Raises Busy.

    tell(phase, done, total): "start", "ply N" and "pack", in slots or positions.
    """
    game = rules.__name__.rpartition(".")[2]
    here = path(game)

    def progress(now: retrograde.Progress) -> None:
        tell("start" if now.phase == "start" else f"ply {now.ply}", now.done, now.total)

    with _alone(here):
        values = retrograde.solve(rules, threads, progress)
        return write(here, game, rules, values, tell)


def census(table: Table, tell: Callable[[int], None] = lambda found: None) -> Reachable:
    """What can be reached from the start; counted once for a table and kept beside it."""
    beside = path(table.header.game).with_suffix(".census.json")
    try:
        kept = json.loads(beside.read_text(encoding="utf-8"))
        if kept.pop("digest") == table.header.digest:
            return Reachable(**kept)
    except (OSError, ValueError, TypeError, KeyError):
        pass  # not counted yet, or for another table
    counted = explore(table, tell=tell)
    part = beside.with_suffix(f".{os.getpid()}.part")
    part.write_text(json.dumps({"digest": table.header.digest, **asdict(counted)}), encoding="utf-8")
    part.replace(beside)
    return counted
