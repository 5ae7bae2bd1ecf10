"""How long a server takes to reply, by its own log, while other work loads the machine.

    GOKAKU_DATA=FOLDER python bench/replies.py dobutsu --opponents perfect,hospitality --asks 2000 --load 2

Starts a server, waits until it is warm, and sends it positions of random games, one after the other, while
--load processes count in circles, at the same priority or --nice so much behind it, and --thinking other
guests keep the server's own engines at work. The time is that of the request in the server, from its arrival
to the last byte of the answer. Where the folder holds no complete table the search answers.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import httpx

import gokaku

THINK_MS = 1000


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("game", nargs="?", default="dobutsu")
    parser.add_argument("--opponents", default="perfect,hospitality")
    parser.add_argument("--asks", type=int, default=2_000)
    parser.add_argument("--load", type=int, default=os.cpu_count())
    parser.add_argument("--nice", type=int, default=0)
    parser.add_argument("--thinking", type=int, default=0)
    given = parser.parse_args()
    for opponent in given.opponents.split(","):
        with tempfile.TemporaryDirectory() as folder:
            times = sorted(measure(Path(folder) / "log", opponent, given))
        cuts = statistics.quantiles(times, n=1000)
        print(
            f"{opponent}: {len(times)} replies, load {given.load}, {given.thinking} at the engines, ms:"
            f" p50 {cuts[499]:.1f}, p99 {cuts[989]:.1f}, p99.9 {cuts[998]:.1f}, most {times[-1]:.1f}"
        )


def measure(log: Path, opponent: str, given: argparse.Namespace) -> list[float]:
    """The milliseconds of the last so many replies of that opponent."""
    with ExitStack() as stack:
        url = stack.enter_context(serving(log))
        client = stack.enter_context(httpx.Client(base_url=url, timeout=30))
        wait_until_warm(client, given.game)
        ask(client, given.game, opponent, 100)  # the processes open the table
        for _ in range(given.load):
            stack.enter_context(burning(given.nice))
        for _ in range(given.thinking):
            stack.enter_context(thinking(url, given.game))
        ask(client, given.game, opponent, given.asks)
    rows = [json.loads(line) for line in log.read_text().splitlines()]
    times = [row["ms"] for row in rows if row.get("path") == "/api/v1/reply"]
    return [ms for ms in times if ms < THINK_MS / 2][-given.asks :]  # the engines' replies take longer


@contextmanager
def serving(log: Path) -> Iterator[str]:
    command = [sys.executable, "-m", "gokaku", "serve", "--port", "0", "--no-solve"]
    with (
        log.open("w") as said,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=said, text=True) as server,
    ):
        try:
            line = server.stdout.readline() if server.stdout else ""
            found = re.search(r"http://\S+", line)
            if not found:
                raise SystemExit(f"the server did not start: {log.read_text()}")
            yield found.group()
        finally:
            server.terminate()


@contextmanager
def burning(nice: int) -> Iterator[None]:
    """A process that does nothing, all the time."""
    with subprocess.Popen([sys.executable, "-c", f"import os; os.nice({nice})\nwhile True: pass"]) as process:
        try:
            yield
        finally:
            process.kill()


@contextmanager
def thinking(url: str, game: str) -> Iterator[None]:
    """A guest who has the engine think about the start, again and again."""
    over = threading.Event()

    def play() -> None:
        with httpx.Client(base_url=url, timeout=30) as client:
            question = {"game": game, "opponent": "engine", "limit_ms": THINK_MS}
            while not over.is_set():
                client.post("/api/v1/reply", json=question).raise_for_status()

    guest = threading.Thread(target=play)
    guest.start()
    try:
        yield
    finally:
        over.set()
        guest.join()


def wait_until_warm(client: httpx.Client, game: str) -> None:
    while not any(
        one["ready"] for one in client.get("/api/v1/status").json()["kernels"] if one["game"] == game
    ):
        time.sleep(0.5)


def ask(client: httpx.Client, game: str, opponent: str, asks: int) -> None:
    """Asks for replies to positions in which the second is to move, as a guest's host is asked."""
    rng = random.Random(asks)
    done = 0
    while done < asks:
        board = gokaku.game(game).start()
        while board.outcome is None and done < asks:
            if board.turn == "second":
                question = {"game": game, "moves": board.moves, "opponent": opponent, "limit_ms": 50}
                client.post("/api/v1/reply", json=question).raise_for_status()
                done += 1
            board = board.play(rng.choice(board.legal_moves))


if __name__ == "__main__":
    main()
