"""Compiled copies: one a game, never mixed, kept on disk, and the same answers as plain Python."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from gokaku import compiled, game
from gokaku.games import NAMES

PROGRAM = """
import json, sys, time
from gokaku import compiled, game
from gokaku.search import Limit, mcts, negamax, warm
from gokaku.server import engine

told = {}
for name in sys.argv[1:]:
    rules = game(name).rules
    state = rules.start()
    perft = compiled.link(rules, "perft")
    found = [compiled.ready(rules, "search"), int(perft.perft(state, 2))]
    warm(rules)
    for search in (negamax, mcts):
        result = search.search(rules, state, Limit(nodes=500), seed=1)
        found += [result.moves, result.nodes]
    told[name] = [*found, engine.ready(name)]
print(json.dumps(told))
"""


def run(cache: Path, *names: str) -> dict[str, list[object]]:
    """What a process with that cache folder finds of the games, searched one after the other."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *names],
        env=os.environ | {"GOKAKU_CACHE": str(cache)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answer: dict[str, list[object]] = json.loads(done.stdout)
    return answer


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


def test_games_in_one_process_and_one_cache_share_no_code(cache: Path) -> None:
    """A cache that lost the game from its key would answer with the first game's moves and counts."""
    names = ("tictactoe", "dobutsu")
    cold = run(cache, *names)
    assert [cold[name][:2] for name in names] == [[False, 72], [False, 17]]
    # The search alone is not all that a server needs of a game that can be solved.
    assert [cold[name][-1] for name in names] == [True, False]
    warm = run(cache, *reversed(names))  # the other way round, from the disk
    assert [warm[name][:2] for name in names] == [[True, 72], [True, 17]]
    assert {name: told[1:] for name, told in warm.items()} == {name: told[1:] for name, told in cold.items()}
    folders = [path.name for path in cache.iterdir()]
    assert sorted(name.rpartition("_")[0] for name in folders) == sorted(names)


def test_linked_kernels_hold_their_own_rules() -> None:
    kernels = {name: compiled.link(game(name).rules, "perft") for name in NAMES}
    assert len({id(kernel.perft) for kernel in kernels.values()}) == len(NAMES)
    assert len({id(kernel.rules.play) for kernel in kernels.values()}) == len(NAMES)
    for name, kernel in kernels.items():
        assert name in kernel.__name__
        assert compiled.link(game(name).rules, "perft", jit=True) is kernel
        assert compiled.link(game(name).rules, "perft", jit=False) is not kernel


def test_the_folder_is_named_by_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same name with other rules inside must be compiled anew."""
    monkeypatch.setenv("GOKAKU_CACHE", str(tmp_path / "cache"))
    counts = []
    for cells in (9, 8):
        path = tmp_path / str(cells) / "tictactoe.py"
        path.parent.mkdir()
        source = game("tictactoe").source.decode()
        path.write_text(
            source.replace(
                "for cell in range(9):\n        if taken", f"for cell in range({cells}):\n        if taken"
            )
        )
        rules = ModuleType("gokaku.games.tictactoe")
        rules.__file__ = str(path)
        exec(compile(path.read_text(), str(path), "exec"), vars(rules))
        counts.append(int(compiled.link(rules, "perft").perft(rules.start(), 1)))
    assert counts == [9, 8]
    assert len(list((tmp_path / "cache").iterdir())) == 2


def test_a_folder_that_cannot_be_written_is_no_obstacle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    told = run(blocked, "tictactoe")
    assert told["tictactoe"][1] == 72


def test_an_unknown_kernel_is_said_to_be_missing() -> None:
    with pytest.raises(FileNotFoundError, match="nonsense"):
        compiled.link(game("tictactoe").rules, "nonsense", jit=False)


def test_importing_gokaku_and_its_opponents_does_not_import_numba() -> None:
    program = "import sys, gokaku, gokaku.opponents, gokaku.search; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
