"""`gokaku bench`: the benchmark's figures as a table or as JSON."""

from __future__ import annotations

from json import dumps

from rich.console import Console
from rich.table import Table

from gokaku import bench as benchmark
from gokaku.bench import Result
from gokaku.cli import waiting
from gokaku.games import NAMES


def bench(names: list[str], positions: int, json: bool) -> None:
    """Measures the named games, or all, and prints the figures."""
    with waiting.steps() as tell:
        results = benchmark.run(names or NAMES, positions, tell)
    if json:
        print(dumps(benchmark.as_dict(results), indent=2))
        return
    table = Table(title=", ".join(benchmark.machine().values()))
    table.add_column("one thread")
    for result in results:
        table.add_column(result.game, justify="right")
    for label, figures in zip(_LABELS, zip(*map(_figures, results), strict=True), strict=True):
        table.add_row(label, *figures)
    # A pipe has no width of its own: let no column be cut there.
    console = Console()
    console.print(table) if console.is_terminal else Console(width=120).print(table)


_LABELS = (
    "perft, leaves/s",
    "perft in CPython, leaves/s",
    "random games/s",
    "engine, nodes/s",
    "engine, signature",
    "first move, cold cache, s",
    "first move, warm cache, s",
    "engine at 50 ms: positions",
    "  most legal moves",
    "  median, ms",
    "  slowest, ms",
    "  late",
)


def _figures(result: Result) -> tuple[str, ...]:
    late = result.engine
    return (
        f"{result.perft_compiled / 1e6:.1f} M",
        f"{result.perft_cpython / 1e3:.0f} k",
        f"{result.playouts / 1e3:.0f} k",
        f"{result.engine_nodes / 1e6:.2f} M",
        str(result.signature),
        f"{result.first_move_cold_s:.1f}",
        f"{result.first_move_warm_s:.2f}",
        str(late.positions),
        str(late.most_legal_moves),
        f"{late.median_ms:.1f}",
        f"{late.slowest_ms:.1f}",
        str(late.late),
    )
