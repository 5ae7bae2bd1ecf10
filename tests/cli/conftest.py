"""The command line, run in this process: what it printed, and its exit status."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import dataclass

import pytest

from gokaku.cli import main


@dataclass(frozen=True)
class Done:
    status: int
    out: str
    err: str


Run = Callable[..., Done]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    """run(*arguments, typed="..."): as in a pipe."""

    def run(*arguments: str, typed: str = "") -> Done:
        monkeypatch.setattr("sys.stdin", io.StringIO(typed))
        status = main(arguments)
        out, err = capsys.readouterr()
        return Done(status, out, err)

    return run
