"""The toy game as a rule module, and the complete table of Dobutsu shogi, built once a test run."""

from __future__ import annotations

import fcntl
import importlib.util
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
            tables.build(rules)
    return folder


@pytest.fixture
def table(data: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    """The complete table, which the opponents find too while the test runs."""
    monkeypatch.setenv("GOKAKU_DATA", str(data))
    found = tables.find(game("dobutsu").rules)
    assert found is not None
    return found
