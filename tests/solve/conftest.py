"""The toy game as a rule module, and the complete table of Dobutsu shogi, built once a test run."""

from __future__ import annotations

import fcntl
import importlib.util
import json
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from gokaku import game
from gokaku.solve import tables
from gokaku.solve.table import Table


@pytest.fixture(scope="session")
def toy() -> ModuleType:
    spec = importlib.util.spec_from_file_location("toy", Path(__file__).with_name("toy.py"))
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["toy"] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder that all workers of this test run share, with the complete table in it."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "popen-" in base.name else base) / "tables"
    folder.mkdir(exist_ok=True)
    rules = game("dobutsu").rules
    with pytest.MonkeyPatch.context() as patch, (folder / "turn").open("w") as turn:
        patch.setenv("GOKAKU_DATA", str(folder))
        fcntl.flock(turn, fcntl.LOCK_EX)  # the other worker waits for the table
        if not tables.sound(rules):
            (folder / "kills").write_text(json.dumps([kill_a_build_at(phase) for phase in PHASES]))
            tables.build(rules)
    return folder


#: Where builds are killed before the one that is left alone: what each prints then.
PHASES = ("start", "pack")


def kill_a_build_at(phase: str) -> tuple[str, int, bool]:
    """Kills a build that has come so far: what it said, how it ended, whether it left a table."""
    command = [sys.executable, "-m", "gokaku", "table", "build", "dobutsu"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as build:
        assert build.stderr is not None
        said = next((line for line in build.stderr if line.startswith(phase)), "")
        build.kill()
        return said, build.wait(), tables.path("dobutsu").exists()


@pytest.fixture
def table(data: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    """The complete table, which the opponents find too while the test runs."""
    monkeypatch.setenv("GOKAKU_DATA", str(data))
    found = tables.find(game("dobutsu").rules)
    assert found is not None
    return found
