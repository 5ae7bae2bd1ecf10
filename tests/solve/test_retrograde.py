"""Retrograde analysis against brute force, on a game with mirror images, cycles and draws."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gokaku import compiled
from gokaku.solve import retrograde, tables
from gokaku.solve import table as table_file
from gokaku.solve.table import BadTable, Table

HERE = Path(__file__).parent


def brute_force(toy: ModuleType) -> dict[int, int]:
    """Every node's value in plies (negative: lost; 0: drawn), by going round until nothing changes."""
    edges, won = toy.TABLES
    values = {node: 1 for node in range(toy.NODES) if won[node]}
    for ply in range(2, 1000):
        fresh = {}
        for node in range(toy.NODES):
            if node in values:
                continue
            after = [values.get(target) for target in edges[node]]
            if ply % 2 and any(value == 1 - ply for value in after):
                fresh[node] = ply
            if ply % 2 == 0 and all(value is not None and value > 0 for value in after):
                fresh[node] = -ply
        if not fresh and ply > 3:
            break
        values |= fresh
    return {node: values.get(node, 0) for node in range(toy.NODES)}


@pytest.fixture(scope="module")
def truth(toy: ModuleType) -> dict[int, int]:
    return brute_force(toy)


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_every_value_is_that_of_brute_force(toy: ModuleType, truth: dict[int, int], threads: int) -> None:
    heard: list[tuple[str, int, int, int]] = []
    values = retrograde.solve(
        toy, threads, lambda now: heard.append((now.phase, now.ply, now.done, now.total))
    )
    signed = {0: 0, retrograde.DRAW: 0}
    for slot, value in enumerate(int(byte) for byte in values):
        plies = signed.get(value, value if value % 2 else -value)
        assert plies == truth[toy.state_at(slot)], slot
    assert {0, 1, -2, 3, -4, 5} <= set(truth.values())
    assert heard[0][0] == "start"
    assert heard[-1][0] == "solve"
    assert all(done <= total for _, _, done, total in heard)


@pytest.fixture
def toy_table(toy: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.setenv("GOKAKU_DATA", str(tmp_path))
    tables.build(toy)
    table = tables.find(toy)
    assert table is not None
    return table


def test_the_table_tells_the_same_compiled_in_plain_python_and_to_itself(
    toy_table: Table, truth: dict[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    nodes = list(truth)
    assert [toy_table.value(node) for node in nodes] == [truth[node] for node in nodes]
    monkeypatch.setattr(table_file, "_loaded", set())
    table_file.load(toy_table.rules)
    assert [toy_table.value(node) for node in nodes] == [truth[node] for node in nodes]
    assert list(toy_table.values(nodes)) == [truth[node] for node in nodes]
    assert toy_table.verify() == (toy_table.header.slots, 0, [])
    positions = [truth[toy_table.rules.state_at(slot)] for slot in range(toy_table.header.slots)]
    assert toy_table.header.counts == {
        "wins": sum(value > 0 for value in positions),
        "draws": sum(value == 0 for value in positions),
        "losses": sum(value < 0 for value in positions),
    }
    assert toy_table.header.longest == max(abs(value) for value in positions)


@pytest.mark.parametrize("which", range(3), ids=["lost", "begins", "plies"])
def test_verifying_finds_a_wrong_bit(toy_table: Table, which: int) -> None:
    arrays = [np.array(array) for array in toy_table.arrays]
    arrays[which][len(arrays[which]) // 2] ^= 2
    toy_table.arrays = tuple(arrays)
    positions, differ, some = toy_table.verify()
    assert differ > 0
    assert some
    assert positions == toy_table.header.slots


@given(
    values=st.lists(
        st.sampled_from([0, 1, 2, 3, retrograde.DRAW]) | st.integers(0, retrograde.DRAW), max_size=1300
    )
)
def test_what_is_packed_is_found_again(toy: ModuleType, values: list[int]) -> None:
    kernel = compiled.link(toy, "lookup", jit=False)
    blocks = len(values) // kernel.BLOCK + 1
    bits, begins = np.zeros(blocks * kernel.BLOCK // 32, np.uint32), np.zeros(blocks, np.uint32)
    codes = np.zeros(len(values) + 1, np.uint32)
    words = kernel.pack(np.array(values, np.uint8), 0, len(values), bits, begins, codes)
    assert not codes[words:].any()
    arrays = [array.data for array in (bits, begins, codes)]
    lost = [value if value and value % 2 == 0 else 0 for value in values]
    assert [kernel.lost_in(slot, *arrays) for slot in range(len(values))] == lost
    assert kernel.lost_in(-1, *arrays) == 0


@pytest.mark.parametrize("harm", ["cut", "header", "flip", "count", "empty", "other"])
def test_a_damaged_file_is_found_out_at_once_and_says_what_to_do(
    toy: ModuleType, toy_table: Table, harm: str
) -> None:
    path = tables.path("toy")
    whole = path.read_bytes()
    harmed = {
        "cut": whole[:-100],
        "header": whole[:50],
        "empty": b"",
        "flip": whole[:-50] + bytes([whole[-50] ^ 4]) + whole[-49:],
        "count": whole.replace(b'"longest": ', b'"longest": 1'),
        "other": whole.replace(toy_table.header.rules.encode(), b"0" * 16),
    }[harm]
    path.write_bytes(harmed)
    os.utime(path, ns=(1, 1))
    for _ in range(2):
        with pytest.raises(BadTable, match="gokaku table build toy"):
            tables.find(toy)
    assert not tables.sound(toy)
    tables.build(toy)
    assert tables.sound(toy)


def test_a_table_that_appears_later_is_seen(
    toy: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOKAKU_DATA", str(tmp_path))
    assert tables.find(toy) is None
    tables.build(toy)
    assert tables.find(toy) is not None
    assert tables.find(toy) is tables.find(toy)


BUILD = """
import importlib.util, sys, time
spec = importlib.util.spec_from_file_location("toy", sys.argv[1])
toy = importlib.util.module_from_spec(spec)
sys.modules["toy"] = toy
spec.loader.exec_module(toy)
from gokaku.solve import tables

def slowly(phase, done, total):
    print(phase, flush=True)
    time.sleep(0.01)

tables.build(toy, tell=slowly)
"""


def test_killed_at_any_moment_and_started_again_it_ends_in_a_right_table(
    toy: ModuleType, truth: dict[int, int], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOKAKU_DATA", str(tmp_path))
    command = [sys.executable, "-c", BUILD, str(HERE / "toy.py")]
    choice = random.Random(1)
    killed = 0
    for attempt in range(8):
        process = subprocess.Popen(command, stdout=subprocess.PIPE)
        assert process.stdout is not None
        for _ in range(1 + attempt * 3):  # further and further into the build
            process.stdout.readline()
        time.sleep(choice.random() / 100)
        process.send_signal(signal.SIGKILL)
        killed += process.wait() == -signal.SIGKILL
        found = tables.find(toy)  # nothing, or a whole table: never half of one
        assert found is None or found.value(0) == truth[0]
    assert killed >= 6
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    table = tables.find(toy)
    assert table is not None
    assert list(table.values(list(truth))) == list(truth.values())
    assert [path.name for path in tmp_path.iterdir() if ".part" in path.name] == []


def test_two_builds_at_once_do_not_meet(
    toy: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GOKAKU_DATA", str(tmp_path))
    process = subprocess.Popen([sys.executable, "-c", BUILD, str(HERE / "toy.py")], stdout=subprocess.PIPE)
    assert process.stdout is not None
    process.stdout.readline()
    with pytest.raises(tables.Busy, match="another process is building"):
        tables.build(toy)
    process.stdout.read()
    assert process.wait() == 0
    tables.build(toy)
