"""The three runtimes that every rule file is examined in."""

from __future__ import annotations

import inspect
import json
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from gokaku import compiled, game

HARNESS = Path(__file__).with_name("micropython.mjs")
ENGINE = Path("web/node_modules/@micropython/micropython-webassembly-pyscript/micropython.mjs")

Row = list[Any]


def micropython(program: str, files: dict[str, str]) -> list[str]:
    """The lines that a program prints in MicroPython; `files` are there to import or to open."""
    root = HARNESS.parents[2]
    assert (root / ENGINE).exists(), "MicroPython is missing: run `npm ci` in web/ (make test does)"
    question = json.dumps({"files": files, "program": program})
    run = subprocess.run(
        ["node", str(HARNESS)], input=question, capture_output=True, text=True, check=False, timeout=600
    )
    assert run.returncode == 0, run.stderr
    return run.stdout.splitlines()


def replay(rules: Any, kernel: Any, room: Any, texts: list[str]) -> list[Row]:
    """Plays move texts; a row a position: its text, outcome, ending, number of legal moves, regions.

    One text for every runtime: `kernel` is the rule module or its compiled copy.
    """
    state = kernel.start()
    rows = []
    for ply in range(len(texts) + 1):
        result = kernel.outcome(state)
        count = kernel.moves(state, room) if result == 0 else 0
        regions = rules.regions(state) if hasattr(rules, "regions") else ()
        rows.append([rules.format(state), int(result), rules.ending(state), int(count), list(regions)])
        if ply < len(texts):
            code = rules.parse_move(state, texts[ply])
            assert code in list(room[:count]), texts[ply]
            state = kernel.play(state, code)
    return rows


def _in_cpython(name: str, games: list[list[str]]) -> list[list[Row]]:
    rules = game(name).rules
    return [replay(rules, rules, [0] * rules.MAX_MOVES, texts) for texts in games]


def _in_numba(name: str, games: list[list[str]]) -> list[list[Row]]:
    rules = game(name).rules
    kernel = compiled.link(rules, "perft").rules
    return [replay(rules, kernel, np.zeros(rules.MAX_MOVES, np.int64), texts) for texts in games]


def _in_micropython(name: str, games: list[list[str]]) -> list[list[Row]]:
    program = (
        "import json, rules\nRow = Any = list\n"
        + inspect.getsource(replay)
        + "for texts in json.load(open('/games.json')):\n"
        + "    print(json.dumps(replay(rules, rules, [0] * rules.MAX_MOVES, texts)))\n"
    )
    files = {"rules.py": game(name).source.decode(), "games.json": json.dumps(games)}
    return [json.loads(line) for line in micropython(program, files)]


Replay = Callable[[str, list[list[str]]], list[list[Row]]]


@pytest.fixture(params=[_in_cpython, _in_numba, _in_micropython], ids=["cpython", "numba", "micropython"])
def replay_games(request: pytest.FixtureRequest) -> Replay:
    """Replays games of a given name in one of the runtimes: (name, move texts) -> rows."""
    answer: Replay = request.param
    return answer


@pytest.fixture(name="micropython")
def _micropython() -> Callable[[str, dict[str, str]], list[str]]:
    return micropython
