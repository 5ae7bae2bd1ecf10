"""Lines from a person or from a pipe: editing, history and completion on a terminal, plain reading else."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable


class Keyboard:
    """Reads lines. words: what may be typed just now, for completion by the tab key."""

    def __init__(self, words: Callable[[], Iterable[str]]) -> None:
        self.is_terminal = sys.stdin.isatty() and sys.stdout.isatty()
        self._words = words
        self._matches: list[str] = []
        if self.is_terminal:
            self._set_up_readline()

    def line(self, prompt: str) -> str | None:
        """The next line without its end; None at the end of the input or on Ctrl-C."""
        if not self.is_terminal:
            text = sys.stdin.readline()
            return text.rstrip("\r\n") if text else None
        try:
            return input(prompt)
        except (EOFError, KeyboardInterrupt):
            print()
            return None

    def _set_up_readline(self) -> None:
        try:
            import readline
        except ImportError:  # not on every system; input() works without
            return
        readline.set_completer(self._complete)
        readline.set_completer_delims("\n")  # a move may hold spaces
        libedit = "libedit" in (readline.__doc__ or "")
        readline.parse_and_bind("bind ^I rl_complete" if libedit else "tab: complete")

    def _complete(self, text: str, n: int) -> str | None:
        if n == 0:
            begun = text.casefold()
            self._matches = [word for word in self._words() if word.casefold().startswith(begun)]
        return self._matches[n] if n < len(self._matches) else None
