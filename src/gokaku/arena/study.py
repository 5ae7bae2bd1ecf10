"""The study of hosts: every pair of guest and host plays its games, in many processes.

A finished game is a line of games.jsonl. A study that was broken off, however hard, goes on where it
was: a game depends only on the study's seed and its own number, so the result is the same.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import gokaku
from gokaku.arena import games, hosts
from gokaku.arena.games import Record, Rules
from gokaku.arena.guests import LADDER, Judge
from gokaku.opponents import judging

#: Games a process plays before it reports.
_CHUNK = 8

Pair = tuple[str, str]


class OtherStudy(ValueError):
    """The folder holds a study with other settings."""


@dataclass(frozen=True)
class Plan:
    """What is played: `games` games of every guest with every host."""

    game: str
    games: int
    seed: int = 0
    rules: Rules = field(default_factory=Rules)
    guests: tuple[str, ...] = tuple(guest.name for guest in LADDER)
    hosts: tuple[str, ...] = ()

    @staticmethod
    def of(game: str, count: int, seed: int = 0, rules: Rules | None = None) -> Plan:
        """The whole ladder against all hosts of a game. Raises UnknownGame."""
        return Plan(game, count, seed, rules or Rules(), hosts=hosts.names(gokaku.game(game)))

    @property
    def pairs(self) -> tuple[Pair, ...]:
        return tuple((guest, host) for host in self.hosts for guest in self.guests)

    @property
    def total(self) -> int:
        return len(self.pairs) * self.games

    @property
    def source(self) -> str:
        """Where values come from here and now: "table" or "search"."""
        return "search" if judging.find_table(gokaku.game(self.game).rules) is None else "table"


class Folder:
    """A study's folder: study.json says what is played, games.jsonl holds what has been."""

    def __init__(self, path: Path, plan: Plan) -> None:
        """Opens the folder, or makes it. Raises OtherStudy.

        More games a pair, other guests or hosts may be asked for later: what is there is kept.
        """
        self.path = path
        self.plan = plan
        path.mkdir(parents=True, exist_ok=True)
        settings = {"game": plan.game, "seed": plan.seed, "source": plan.source, "rules": asdict(plan.rules)}
        about = path / "study.json"
        if about.exists():
            there = json.loads(about.read_text(encoding="utf-8"))
            if there != settings:
                raise OtherStudy(f"{path} holds another study: {there}, not {settings}; give another folder")
        else:
            about.write_text(json.dumps(settings, indent=2) + "\n", encoding="utf-8")
        self._games = path / "games.jsonl"
        self._cut()

    def _cut(self) -> None:
        """Drops a last line that was not written to its end."""
        if self._games.exists():
            text = self._games.read_bytes()
            whole = text.rfind(b"\n") + 1
            if whole < len(text):
                os.truncate(self._games, whole)

    def add(self, records: Sequence[Record]) -> None:
        """Appends finished games; they are on the disk when it returns."""
        with self._games.open("a", encoding="utf-8") as file:
            file.write("".join(json.dumps(games.as_row(record)) + "\n" for record in records))
            file.flush()
            os.fsync(file.fileno())

    def records(self) -> Iterator[Record]:
        """The games played so far that belong to the plan, in the order in which they were finished."""
        if not self._games.exists():
            return
        pairs = set(self.plan.pairs)
        with self._games.open(encoding="utf-8") as file:
            for line in file:
                record = games.from_row(json.loads(line))
                if (record.guest, record.host) in pairs and record.number < self.plan.games:
                    yield record

    def by_pair(self) -> dict[Pair, list[Record]]:
        """The games of every pair that has any, by number: the same whatever order they were played in."""
        found: dict[Pair, list[Record]] = {}
        for record in self.records():
            found.setdefault((record.guest, record.host), []).append(record)
        return {
            pair: sorted(found[pair], key=lambda one: one.number) for pair in self.plan.pairs if pair in found
        }


def run(folder: Folder, jobs: int, tell: Callable[[int, str], None]) -> None:
    """Plays what is missing. tell: hears how many games more are done, and of whom.

    Can be broken off at any time by KeyboardInterrupt or a signal.
    """
    plan = folder.plan
    chunks = list(_missing(folder))
    # A fresh interpreter: a fork would copy the compiler's threads and locks.
    pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), _begin, (plan, os.getpid()))
    try:
        waiting = [pool.submit(_play, *chunk) for chunk in chunks]
        for done in as_completed(waiting):
            records = done.result()
            folder.add(records)
            tell(len(records), f"{records[0].guest} - {records[0].host}")
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _missing(folder: Folder) -> Iterator[tuple[str, str, tuple[int, ...]]]:
    """Guest, host and numbers of the games to play, a chunk at a time."""
    there: dict[Pair, set[int]] = {}
    for record in folder.records():
        there.setdefault((record.guest, record.host), set()).add(record.number)
    for pair in folder.plan.pairs:
        numbers = [n for n in range(folder.plan.games) if n not in there.get(pair, ())]
        for i in range(0, len(numbers), _CHUNK):
            yield (*pair, tuple(numbers[i : i + _CHUNK]))


# --- in the processes that play ---

_here: dict[str, Any] = {}


def _begin(plan: Plan, parent: int) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent
    threading.Thread(target=_leave_with, args=(parent,), daemon=True).start()
    game = gokaku.game(plan.game)
    judging.warm(game.rules)
    _here.update(plan=plan, game=game, judges=games.judge_of(game, plan.rules))


def _leave_with(parent: int) -> None:
    """Ends this process when the study has ended, even if it was killed."""
    while os.getppid() == parent:
        threading.Event().wait(0.5)
    os._exit(1)


def _play(guest: str, host: str, numbers: Sequence[int]) -> list[Record]:
    plan: Plan = _here["plan"]
    judges: Callable[[], Judge] = _here["judges"]
    return [
        games.play(_here["game"], guest, host, number, plan.seed, plan.rules, judges()) for number in numbers
    ]
