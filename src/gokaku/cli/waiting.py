"""Saying on stderr what takes long: compiling, and an opponent that thinks."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console

from gokaku import compiled, search
from gokaku.board import Game


@contextmanager
def slow(text: str, after_s: float = 1.5) -> Iterator[None]:
    """Prints the text, once, if what happens inside takes longer than that."""
    timer = threading.Timer(after_s, lambda: print(text, file=sys.stderr, flush=True))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@contextmanager
def spinner(text: str) -> Iterator[None]:
    """Something that turns beside the text, on a terminal; elsewhere nothing."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield
        return
    with console.status(text):
        yield


@contextmanager
def steps() -> Iterator[Callable[[str], None]]:
    """What is being done, step by step: rewritten on a terminal, a line each elsewhere."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield lambda text: print(text, file=sys.stderr, flush=True)
        return
    with console.status("") as status:
        yield status.update


def prepare(game: Game) -> None:
    """Has the game's searches compiled and in memory, and says so if that takes long."""
    if search.warmed(game.rules):
        return
    if compiled.ready(game.rules, "search"):
        with spinner("loading the compiled searches ..."):
            search.warm(game.rules)
        return
    text = f"compiling the rules and searches of {game.name}, once per machine ..."
    if not sys.stderr.isatty():
        print(text, file=sys.stderr, flush=True)
    with spinner(text):
        search.warm(game.rules)
