"""`gokaku perft`: counts move sequences, first move by first move, so that one can watch it and break off."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from json import dumps

from gokaku import compiled as compiler
from gokaku.board import Board
from gokaku.cli import waiting


def perft(board: Board, depth: int, *, divide: bool, json: bool, compiled: bool) -> None:
    """Prints the number of sequences of `depth` moves; with `divide` also that of every first move."""
    rules = board.game.rules
    with (
        waiting.slow(f"preparing the rules of {board.game.name}; they are compiled once per machine ..."),
        _interruptible(),
    ):
        kernel = compiler.link(rules, "perft", compiled)
        if compiled:
            kernel.perft(rules.start(), 1)
    with _interruptible(), _progress() as tell:
        if depth == 0:
            nodes, parts = 1, {}
        elif depth == 1:
            nodes = int(kernel.perft(board.state, 1))
            parts = dict.fromkeys(board.legal_moves, 1)
        else:
            parts = {}
            for code in board.codes:
                child = rules.play(board.state, code)
                parts[board.text(code)] = int(kernel.perft(child, depth - 1))
                tell(f"{len(parts)} of {len(board.codes)} first moves, {sum(parts.values())} sequences")
            nodes = sum(parts.values())
    if json:
        row: dict[str, object] = {"game": board.game.name, "depth": depth, "nodes": nodes}
        if board.state != rules.start():
            row["position"] = board.position
        if divide:
            row["divide"] = parts
        print(dumps(row))
        return
    if divide:
        for move, count in parts.items():
            print(f"{move}: {count}")
        print()
    print(nodes)


@contextmanager
def _interruptible() -> Iterator[None]:
    """Lets Ctrl-C end the process at once: compiled code does not look for Python's signals."""
    try:
        before = signal.signal(signal.SIGINT, signal.SIG_DFL)
    except ValueError:  # not the main thread
        yield
        return
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _progress() -> Iterator[Callable[[str], None]]:
    """A line on a terminal's stderr that is rewritten, from the second second on."""
    began = time.monotonic()
    shown = False

    def tell(text: str) -> None:
        nonlocal shown
        if sys.stderr.isatty() and time.monotonic() - began > 1:
            sys.stderr.write(f"\r\x1b[K{text}")
            sys.stderr.flush()
            shown = True

    try:
        yield tell
    finally:
        if shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
