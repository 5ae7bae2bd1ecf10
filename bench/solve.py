"""How long the complete table of a game takes, where the time goes, and what a look into it costs.

    python bench/solve.py dobutsu [--threads 2]

Builds into an empty folder and reports wall and CPU time by phase (compilation apart), peak memory, the
file's size, and the time of a probe: compiled, over random and over neighbouring positions, and in plain
Python. The rival to hold it against is the best public generator of the same table, a C program: 87 s
of wall time and 174 s of CPU time with two threads on such a machine, for a file of 167.5 MB.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import tempfile
import time
from collections import defaultdict
from types import ModuleType
from typing import Any

import numpy as np
import numpy.typing as npt

import gokaku
from gokaku import compiled
from gokaku.bench import machine
from gokaku.solve import retrograde, tables
from gokaku.solve.table import Table

Numbers = npt.NDArray[np.int64]


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    rules = gokaku.game(arguments.game).rules

    with tempfile.TemporaryDirectory() as folder:
        os.environ["GOKAKU_DATA"] = folder
        os.environ["GOKAKU_CACHE"] = f"{folder}/cache"
        began = time.perf_counter()
        compile_kernels(rules)
        compiling = time.perf_counter() - began

        spent: dict[str, float] = defaultdict(float)
        last = time.perf_counter()

        def tell(phase: str, done: int, total: int) -> None:
            nonlocal last
            now = time.perf_counter()
            spent[phase.split()[0]] += now - last
            last = now

        cpu = time.process_time()
        began = last = time.perf_counter()
        header = tables.build(rules, arguments.threads, tell)
        wall = time.perf_counter() - began
        cpu = time.process_time() - cpu
        # After packing: the checksum, the file, and the disk.
        spent["write"] = wall - sum(spent.values())
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        table = tables.find(rules)
        assert table is not None
        began = time.perf_counter()
        table.values([])  # compiles
        compiling += time.perf_counter() - began
        report = {
            **machine(),
            "threads": arguments.threads,
            "compile_s": round(compiling, 1),
            "wall_s": round(wall, 1),
            "cpu_s": round(cpu, 1),
            "phases_s": {phase: round(seconds, 1) for phase, seconds in spent.items()},
            "peak_mib": round(peak),
            "file_mb": round(tables.path(arguments.game).stat().st_size / 1e6, 1),
            "positions": sum(header.counts.values()),
            "probes_ns": probes(table),
        }
    print(json.dumps(report, indent=2))


def compile_kernels(rules: ModuleType) -> None:
    """Everything that a build runs, on next to nothing."""
    small = np.zeros(4096, np.uint8)
    slots = np.zeros(4096, np.uint32)
    counts = np.zeros(4096, np.int64)
    kernel = compiled.link(rules, "retrograde")
    kernel.start(small, 0, 0, slots)
    kernel.spread(slots, 0, 0, retrograde.SHIFT, slots, counts)
    kernel.sort(slots, 0, retrograde.SHIFT, counts, slots)
    kernel.apply(small, slots, counts, counts, 0, 1, 3, slots, 0)
    lookup = compiled.link(rules, "lookup")
    lookup.pack(small, 0, 0, slots, slots, slots)


def probes(table: Table) -> dict[str, int]:
    rules = table.rules
    choice = np.random.default_rng(1)
    scattered = states(rules, choice.integers(0, rules.INDEX_SIZE, 200_000))
    close = states(rules, np.arange(200_000) + rules.INDEX_SIZE // 2)
    told = {}
    for name, some in (("random", scattered), ("neighbours", close)):
        table.values(some)
        began = time.perf_counter()
        table.values(some)
        told[name] = round((time.perf_counter() - began) / some.size * 1e9)
    plain = [int(state) for state in scattered[:5_000]]
    began = time.perf_counter()
    for state in plain:
        table.value(state)
    told["plain_python"] = round((time.perf_counter() - began) / len(plain) * 1e9)
    return told


def states(rules: Any, slots: Numbers) -> Numbers:
    found = [rules.state_at(int(slot)) for slot in slots]
    return np.array([state for state in found if state >= 0], np.int64)


if __name__ == "__main__":
    main()
