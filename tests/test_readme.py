"""What the README shows is what happens: its Python sessions and its commands are run."""

from __future__ import annotations

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

import gokaku
from gokaku import opponents
from gokaku.games import NAMES

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
GOKAKU = Path(sys.executable).with_name("gokaku")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def commands() -> list[tuple[str, str]]:
    """The commands of all console blocks, each with the output that the README shows."""
    found = re.findall(r"^\$ (.*)\n((?:(?!\$ ).*\n)*)", "".join(blocks("console")), re.MULTILINE)
    return [(command, output) for command, output in found]


def test_python_sessions() -> None:
    session = "\n".join(blocks("python"))
    test = doctest.DocTestParser().get_doctest(session, {}, "README.md", "README.md", 0)
    assert len(test.examples) > 5
    failed, _ = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS).run(test)
    assert failed == 0


@pytest.mark.parametrize(("command", "output"), commands(), ids=[command for command, _ in commands()])
def test_commands(command: str, output: str) -> None:
    program, *arguments = shlex.split(command)
    assert program == "gokaku"
    done = subprocess.run([GOKAKU, *arguments], capture_output=True, text=True, check=True)
    assert done.stdout.split() == output.split()


def test_links_lead_somewhere() -> None:
    links = re.findall(r"\]\((?!https?:)([^)#]+)", README)
    assert links
    assert not [link for link in links if not (ROOT / link).exists()]


def test_every_game_and_opponent_is_listed() -> None:
    for name in NAMES:
        row = next(line for line in README.splitlines() if line.startswith(f"| `{name}`"))
        offered = re.findall(r"`(\w+)`", row.rsplit("|", 2)[1])
        assert offered == list(opponents.names(gokaku.game(name)))
