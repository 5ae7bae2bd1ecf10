"""The laws of imports hold, and each of them can catch a breach (.importlinter says what they are)."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from gokaku.games import NAMES

ROOT = Path(__file__).parents[1]
CONTRACTS = ROOT / ".importlinter"
RULE_FILES = sorted((ROOT / "src/gokaku/games").glob("*.py"))

LAYERS = "A room knows only the rooms below it"

# (file to add a line to, line, contract that must break)
BREACHES = [
    ("games/one.py", "import gokaku.games.two", "No game knows another"),
    ("games/one.py", "import gokaku.board", "The rules know nothing of the house"),
    ("search/negamax.py", "from gokaku.games import one", "Search and solving are given the rules"),
    ("solve/table.py", "import gokaku.board", "Search and solving are given the rules"),
    ("board.py", "import gokaku.opponents.weak", LAYERS),
    ("search/negamax.py", "import gokaku.opponents.weak", LAYERS),
    ("opponents/weak.py", "from gokaku.server import app", LAYERS),
    ("match/clock.py", "import gokaku.opponents.weak", LAYERS),
    ("bus/local.py", "import gokaku.store.rows", LAYERS),
    ("server/app.py", "import gokaku.cli", LAYERS),
    ("utils.py", "", LAYERS),
    ("opponents/weak.py", "import gokaku.compiled", "Kernels are called by searching"),
    ("match/clock.py", "import time", "A match knows the rules and nothing that does something"),
    ("match/clock.py", "import gokaku.search.negamax", "A match knows the rules"),
    ("store/rows.py", "import gokaku.opponents.weak", "Rows and messages know no rules"),
    ("search/negamax.py", "from numba import njit", "Only compiled.py knows Numba"),
    ("server/app.py", "import numpy as np", "Arrays belong to searching and solving"),
    (
        "cli/__init__.py",
        "from starlette.applications import Starlette",
        "Only the server knows its framework",
    ),
    ("server/app.py", "import typer", "Only the command line knows the terminal"),
    ("server/app.py", "import sqlalchemy", "Only the store knows the database"),
    ("match/clock.py", "import nats", "Only the bus knows the broker"),
    ("arena/bots.py", "import matplotlib", "Only the study's pictures know matplotlib"),
    ("chain/client.py", "import gokaku.opponents.weak", LAYERS),
    ("server/app.py", "import web3", "Only the chain's room knows Ethereum"),
]


def lint(folder: Path) -> tuple[bool, str]:
    """Judge the package `gokaku` that lies in `folder`: whether all laws hold, and what was printed."""
    done = subprocess.run(
        [Path(sys.executable).with_name("lint-imports"), CONTRACTS, "--no-cache", "--no-logo"],
        cwd=folder,
        env={"PYTHONPATH": str(folder), "COLUMNS": "200"},
        capture_output=True,
        text=True,
        check=False,
    )
    return done.returncode == 0, done.stdout + done.stderr


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """An empty model of the whole house, rooms that are not built yet included."""
    package = tmp_path / "gokaku"
    rooms = {
        "": ("compiled", "board"),
        "games": ("one", "two"),
        "search": ("negamax",),
        "solve": ("table",),
        "opponents": ("weak",),
        "match": ("clock",),
        "chain": ("client",),
        "store": ("rows",),
        "bus": ("local",),
        "server": ("app",),
        "arena": ("bots",),
        "bench": ("rates",),
        "cli": ("play",),
    }
    for room, files in rooms.items():
        for name in ("__init__", *files):
            path = package / room / f"{name}.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.touch()
    # Imports that the laws allow.
    (package / "compiled.py").write_text("import numba, numpy\n")
    (package / "board.py").write_text("import gokaku.games\n")
    (package / "search/negamax.py").write_text("import numpy, gokaku.compiled\n")
    (package / "opponents/weak.py").write_text("import gokaku.board, gokaku.search.negamax\n")
    (package / "match/clock.py").write_text("import gokaku.board\n")
    (package / "chain/client.py").write_text("import web3, eth_abi\n")
    (package / "store/rows.py").write_text("import sqlalchemy, gokaku.match.clock\n")
    (package / "server/app.py").write_text("import starlette, gokaku.store.rows, gokaku.opponents.weak\n")
    (package / "bench/rates.py").write_text("import gokaku.compiled, gokaku.opponents.weak\n")
    (package / "cli/play.py").write_text("import typer, gokaku.server.app, gokaku.bench.rates\n")
    return tmp_path


def test_the_package_keeps_every_law() -> None:
    kept, text = lint(ROOT / "src")
    assert kept, text


def test_the_model_keeps_every_law(house: Path) -> None:
    kept, text = lint(house)
    assert kept, text


@pytest.mark.parametrize(("file", "line", "law"), BREACHES)
def test_a_breach_is_caught(house: Path, file: str, line: str, law: str) -> None:
    with (house / "gokaku" / file).open("a") as source:
        source.write(line + "\n")
    kept, text = lint(house)
    broken = [row for row in text.splitlines() if " BROKEN" in row]
    assert not kept
    assert any(row.startswith(law) for row in broken), text


def test_every_contract_has_a_breach() -> None:
    names = [
        row.removeprefix("name = ") for row in CONTRACTS.read_text().splitlines() if row.startswith("name = ")
    ]
    assert all(any(name.startswith(law) for _, _, law in BREACHES) for name in names)


@pytest.mark.parametrize("path", RULE_FILES, ids=lambda path: path.stem)
def test_a_rule_file_imports_nothing(path: Path) -> None:
    nodes = list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
    assert not [node for node in nodes if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {node.id for node in nodes if isinstance(node, ast.Name)}
    assert not names & {"__import__", "eval", "exec", "open", "input"}


@pytest.mark.parametrize("module", ["gokaku", "gokaku.opponents", "gokaku.server.app"])
def test_importing_starts_no_compiler(module: str) -> None:
    code = f"import sys, {module}; sys.exit(bool({{'numba', 'llvmlite'}} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_no_file_but_the_rules_names_a_game() -> None:
    quoted = {f'"{name}"' for name in NAMES} | {f"'{name}'" for name in NAMES}
    for path in sorted((ROOT / "src/gokaku").rglob("*.py")):
        if path.parent.name != "games":
            text = path.read_text(encoding="utf-8")
            assert not [name for name in quoted if name in text], path
