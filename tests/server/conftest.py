"""What the server's tests share: real servers, asked over real sockets, and games played to their end."""

from __future__ import annotations

import contextlib
import os
import random
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

import gokaku
from gokaku.games import NAMES


class Served:
    """A server in a process of its own, on a free port.

    log: what it wrote to standard error. first: a Python statement that it runs before all else.
    """

    def __init__(self, log: Path, first: str = "pass", **settings: str | int) -> None:
        self.log = log
        variables = {f"GOKAKU_{name.upper()}": str(value) for name, value in settings.items()}
        env = os.environ | {"GOKAKU_PORT": "0", "GOKAKU_WARM": "0", "GOKAKU_WORKERS": "1"} | variables
        code = f"import sys; from gokaku.server import guard, run; {first}; sys.exit(run())"
        command = [sys.executable, "-c", code]
        with log.open("wb") as errors:
            self.process = subprocess.Popen(command, env=env, stdout=subprocess.PIPE, stderr=errors)
        assert self.process.stdout is not None
        self.line = self.process.stdout.readline().decode()
        found = re.fullmatch(r"gokaku listens on (http://127\.0\.0\.1:\d+)\n", self.line)
        assert found, f"{self.line!r}, {log.read_text()}"
        self.address = found[1]
        self.client = httpx.Client(base_url=self.address, timeout=60, trust_env=False)

    def descendants(self) -> set[int]:
        """The process ids of the server's children, and theirs."""
        found, new = set[int](), {self.process.pid}
        while new:
            listed = {pid: Path(f"/proc/{pid}/task/{pid}/children") for pid in new}
            new = {
                int(child) for file in listed.values() if file.exists() for child in file.read_text().split()
            }
            found |= new
        return found

    def close(self) -> None:
        self.client.close()
        if self.process.poll() is None:
            self.process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(20)
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        assert self.process.stdout is not None
        self.process.stdout.close()


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """One server for all tests that do it no harm."""
    served = Served(tmp_path_factory.mktemp("server") / "log", queue=8)
    yield served
    served.close()


@pytest.fixture(scope="session")
def client(server: Served) -> httpx.Client:
    return server.client


@pytest.fixture(params=NAMES)
def name(request: pytest.FixtureRequest) -> str:
    """Every game of the registry in turn."""
    return str(request.param)


@pytest.fixture(scope="session")
def finished() -> dict[str, list[str]]:
    """For every game the moves of one that is over."""
    out = {}
    for name in NAMES:
        choice = random.Random(name)
        board = gokaku.game(name).start()
        while board.outcome is None:
            board = board.play(choice.choice(board.legal_moves))
        out[name] = list(board.moves)
    return out
