"""games, show, perft, serve: their output, their exit status, and that errors say what there is."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

import gokaku
from gokaku import opponents
from gokaku.games import NAMES

from .conftest import Run

GOKAKU = Path(sys.executable).with_name("gokaku")
SIX_LINES = "-KI-LI-ZO\n . -HI . \n . +HI . \n+ZO+LI+KI\n000000\n+\n"


@pytest.mark.parametrize(
    ("game", "depth", "nodes"),
    [("ultimate", 7, 33782544), ("dobutsu", 8, 5684459), ("negaeri", 4, 18230992), ("tictactoe", 9, 127872)],
)
def test_perft_prints_the_number(run: Run, game: str, depth: int, nodes: int) -> None:
    done = run("perft", game, str(depth))
    assert (done.status, done.out) == (0, f"{nodes}\n")


def test_perft_as_json(run: Run) -> None:
    done = run("perft", "tictactoe", "9", "--json")
    assert done.out == '{"game": "tictactoe", "depth": 9, "nodes": 127872}\n'


@pytest.mark.parametrize("name", NAMES)
def test_perft_interpreted_counts_the_same(run: Run, name: str) -> None:
    for depth in "012":
        assert run("perft", name, depth, "--interpreted").out == run("perft", name, depth).out


def test_perft_divides(run: Run) -> None:
    done = run("perft", "dobutsu", "3", "--divide")
    *rows, empty, total = done.out.splitlines()
    counts = dict(row.split(": ") for row in rows)
    start = gokaku.game("dobutsu").start()
    assert tuple(counts) == start.legal_moves
    assert (empty, total) == ("", "123")
    assert sum(map(int, counts.values())) == 123
    for move in start.legal_moves:
        child = run("perft", "dobutsu", "2", "--from", start.play(move).position)
        assert child.out == counts[move] + "\n"
    row = json.loads(run("perft", "dobutsu", "3", "--divide", "--json").out)
    assert row["divide"] == {move: int(count) for move, count in counts.items()}


def test_perft_from_a_finished_position_is_nothing_but_depth_0(run: Run) -> None:
    over = gokaku.game("tictactoe").replay("03142").position
    assert [run("perft", "tictactoe", depth, "--from", over).out for depth in "012"] == ["1\n", "0\n", "0\n"]


def test_games(run: Run) -> None:
    rows = json.loads(run("games", "--json").out)
    assert [row["game"] for row in rows] == list(NAMES)
    text = run("games").out
    for row in rows:
        assert row["opponents"] == list(opponents.names(gokaku.game(row["game"])))
        assert row["game"] in text
        assert row["title"]["ja"] in text


@pytest.mark.parametrize("name", NAMES)
def test_show(run: Run, name: str) -> None:
    board = gokaku.game(name).start()
    board = board.play(board.legal_moves[0])
    text = run("show", name, board.position).out
    assert text.startswith(f"{board}\n")
    assert all(move in text for move in board.legal_moves)
    row = json.loads(run("show", name, board.position, "--json").out)
    assert gokaku.Board.parse(name, row["position"]) == board
    assert (row["turn"], row["legal_moves"], row["outcome"]) == ("second", list(board.legal_moves), None)


def test_show_reads_a_record_from_stdin_and_from_a_file(run: Run, tmp_path: Path) -> None:
    record = SIX_LINES + "+B3B2HI  # takes\n"
    file = tmp_path / "game.txt"
    file.write_text(record)
    from_pipe = run("show", "dobutsu", "-", "--json", typed=record)
    assert from_pipe.out == run("show", "dobutsu", "--load", str(file), "--json").out
    assert json.loads(from_pipe.out)["moves"] == ["+B3B2HI"]


def test_show_tells_the_outcome(run: Run) -> None:
    over = gokaku.game("tictactoe").replay("03142").position
    assert "first wins (line)" in run("show", "tictactoe", over).out
    assert json.loads(run("show", "tictactoe", over, "--json").out)["outcome"] == {
        "winner": "first",
        "reason": "line",
    }


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["show", "chess"], 2, ["'chess'", *NAMES]),
        (["show", "dobutu"], 2, ["did you mean dobutsu?"]),
        (["play", "dobutsu", "--opponent", "hard"], 2, ["'hard'", "weak", "engine", "human"]),
        (["play", "dobutsu", "--limit", "soon"], 2, ["'soon'", "50ms"]),
        (["play", "dobutsu", "--limit", "0ms"], 2, ["'0ms'", "50ms"]),
        (["play", "dobutsu", "--level", "9"], 2, ["1 to 8", "9"]),
        (["play", "dobutsu", "--opponent", "weak", "--level", "2"], 2, ["weak has no levels"]),
        (["play", "dobutsu", "--position", "x", "--load", "y"], 2, ["not both"]),
        (["perft", "dobutsu", "many"], 2, ["DEPTH"]),
        (["perft", "dobutsu"], 2, ["DEPTH"]),
        (["frobnicate"], 2, ["frobnicate"]),
        (["show", "dobutsu", "--frobnicate"], 2, ["--frobnicate"]),
        (["serve", "--port", "70000"], 2, ["port", "70000"]),
        (["show", "dobutsu", "x"], 1, ["not a position of dobutsu", "'x'"]),
        (["perft", "dobutsu", "1", "--from", "x"], 1, ["not a position of dobutsu"]),
        (["play", "dobutsu", "--load", "/nowhere/at/all"], 1, ["/nowhere/at/all", "No such file"]),
    ],
)
def test_an_error_is_one_line_that_names_it(
    run: Run, arguments: list[str], status: int, words: list[str]
) -> None:
    done = run(*arguments)
    assert (done.status, done.out) == (status, "")
    assert done.err.startswith("gokaku: ")
    assert done.err.count("\n") == 1
    assert [word for word in words if word not in done.err] == []


def test_a_record_with_an_illegal_move_is_refused_by_its_ply(run: Run) -> None:
    done = run("show", "dobutsu", "-", typed=SIX_LINES + "+B3B2HI\n-A1A4KI\n")
    assert done.status == 1
    assert "ply 2: '-A1A4KI' is not a legal move" in done.err


def test_a_file_that_is_no_text_is_refused(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "picture"
    file.write_bytes(bytes(range(256)))
    done = run("show", "dobutsu", "--load", str(file))
    assert done.status == 1
    assert "is not a record of dobutsu" in done.err


def test_serve_says_that_the_address_is_taken(run: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        done = run("serve", "--port", str(taken.getsockname()[1]))
    assert done.status == 1
    assert "cannot listen on 127.0.0.1" in done.err


def test_nothing_typed_is_a_question_for_help(run: Run) -> None:
    done = run()
    assert done.status == 0
    assert all(command in done.out for command in ("games", "play", "show", "perft", "serve"))


def test_version(run: Run) -> None:
    from importlib.metadata import version

    assert run("--version").out == version("gokaku") + "\n"


@pytest.mark.parametrize("arguments", [["--help"], ["play", "--help"], ["show", NAMES[0]]])
def test_what_needs_no_engine_loads_none(arguments: list[str]) -> None:
    code = (
        "import sys; from gokaku.cli import main; status = main(sys.argv[1:]);"
        "heavy = {'numba', 'numpy', 'starlette', 'uvicorn'} & set(sys.modules);"
        "sys.exit(status or bool(heavy))"
    )
    done = subprocess.run([sys.executable, "-c", code, *arguments], capture_output=True, check=False)
    assert done.returncode == 0, done.stderr


def test_as_programs(tmp_path: Path) -> None:
    for program in ([GOKAKU], [sys.executable, "-m", "gokaku"]):
        done = subprocess.run([*program, "perft", "x", "1"], capture_output=True, text=True, check=False)
        assert done.returncode == 2
        assert "unknown game 'x'" in done.stderr


def test_a_reader_that_leaves_early_is_no_error() -> None:
    with subprocess.Popen(
        [GOKAKU, "show", "ultimate"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        assert process.stderr.read() == ""


def completions(line: str) -> list[str]:
    words = line.split(" ")
    environment = os.environ | {
        "_GOKAKU_COMPLETE": "complete_bash",
        "COMP_WORDS": line,
        "COMP_CWORD": str(len(words) - 1),
    }
    return subprocess.run(
        [GOKAKU], env=environment, capture_output=True, text=True, check=False
    ).stdout.split()


def test_the_shell_completes_games_and_opponents() -> None:
    assert completions("gokaku play d") == ["dobutsu"]
    assert completions("gokaku play tictactoe --opponent hu") == ["human"]
    assert completions("gokaku play tictactoe --opponent ha") == ["hard"]
