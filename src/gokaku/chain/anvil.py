"""A chain of one's own: Foundry's anvil, from npm, as a process that ends with its user."""

from __future__ import annotations

import re
import shutil
import subprocess
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

#: The version that the tests use; npx fetches it where no anvil is installed.
PACKAGE = "@foundry-rs/anvil@1.7.1"

#: A checkout of the project has it here once `npm ci` has run in web/.
_CHECKOUT = Path(__file__).parents[3] / "web/node_modules/.bin"

#: Seconds that it may take to listen; npx may have to fetch it first.
_PATIENCE = 120


class NoAnvil(RuntimeError):
    """Anvil cannot be started; the message says what to do."""


def command() -> list[str]:
    """How anvil is started here. Raises NoAnvil."""
    found = shutil.which("anvil") or shutil.which("anvil", path=_CHECKOUT)
    if found:
        return [found]
    npx = shutil.which("npx")
    if npx is None:
        raise NoAnvil(f"there is neither anvil nor npx; install Node.js with npm, which fetches {PACKAGE}")
    return [npx, "--yes", PACKAGE]


@contextmanager
def running(port: int = 0, chain: int = 31337) -> Iterator[str]:
    """Starts anvil and gives its RPC address. port: 0 takes any free one; chain: its id. Raises NoAnvil."""
    # Bare lines on stdout: the log of requests is not wanted, the address is.
    process = subprocess.Popen(
        [*command(), "--port", str(port), "--chain-id", str(chain)],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    output = process.stdout or ()  # never None: it was asked for
    said: deque[str] = deque(maxlen=5)
    overdue = threading.Timer(_PATIENCE, process.kill)
    overdue.start()
    try:
        for line in output:
            said.append(line.strip())
            if found := re.search(r"Listening on (\S+:\d+)", line):
                break
        else:
            raise NoAnvil(f"anvil ended before it listened: {' '.join(filter(None, said)) or 'no word'}")
        overdue.cancel()
        threading.Thread(target=_drain, args=(output,), daemon=True).start()
        yield f"http://{found.group(1)}"
    finally:
        overdue.cancel()
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _drain(output: Iterable[str]) -> None:
    """Reads on, so that anvil never waits for a reader."""
    for _ in output:
        pass
