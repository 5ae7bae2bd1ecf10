"""`gokaku play` through a pipe: whole games, every command, and what is said to bad input."""

from __future__ import annotations

import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, strategies

import gokaku
from gokaku import opponents
from gokaku.board import Board
from gokaku.cli import notation
from gokaku.cli.picture import picture
from gokaku.games import NAMES

from .conftest import Run

SIX_LINES = "-KI-LI-ZO\n . -HI . \n . +HI . \n+ZO+LI+KI\n000000\n+\n"


@cache
def whole_game(name: str, seed: int, person: str = "first") -> tuple[list[str], Board]:
    """A person who plays as `weak` against `weak`, asked as the command line asks: the moves, the end."""
    mine: list[str] = []
    board = gokaku.game(name).start()
    while board.outcome is None:
        ply = seed + len(board.moves)
        if board.turn == person:
            mine.append(opponents.answer("weak", opponents.Question(board, seed=1000 + ply)).move)
            board = board.play(mine[-1])
        else:
            board = board.play(opponents.answer("weak", opponents.Question(board, seed=ply)).move)
    return mine, board


@pytest.mark.parametrize("person", ["first", "second"])
@pytest.mark.parametrize("name", NAMES)
def test_a_whole_game(run: Run, tmp_path: Path, name: str, person: str) -> None:
    mine, board = whole_game(name, 4, person)
    file = tmp_path / "game.txt"
    typed = "\n".join([*mine, f"save {file}"]) + "\n"
    second = ["--second"] if person == "second" else []
    done = run("play", name, "--opponent", "weak", "--seed", "4", *second, typed=typed)
    assert (done.status, done.err) == (0, "")
    assert file.read_text() == board.record()
    assert board.outcome
    result = (
        "A draw" if not board.outcome.winner else "You win" if board.outcome.winner == person else "weak wins"
    )
    assert f"{result} ({board.outcome.reason}) after {len(board.moves)} moves." in done.out
    assert "\x1b" not in done.out


def test_save_and_load_the_six_lines(run: Run, tmp_path: Path) -> None:
    file, again = tmp_path / "one.txt", tmp_path / "two.txt"
    run("play", "dobutsu", "--opponent", "human", typed=f"B3B2\nB1 B2\nsave {file}\n")
    assert file.read_text() == SIX_LINES + "+B3B2HI\n-B1B2LI\n"
    done = run("play", "dobutsu", "--opponent", "human", "--load", str(file), typed=f"00A3HI\nsave {again}\n")
    assert done.status == 0
    assert again.read_text() == SIX_LINES + "+B3B2HI\n-B1B2LI\n+00A3HI\n"
    # `load` within the game; undo reaches back into what was loaded.
    typed = f"load {again}\nundo\nundo\nsave {again}\n"
    run("play", "dobutsu", "--opponent", "human", typed=typed)
    assert again.read_text() == SIX_LINES + "+B3B2HI\n"


def test_a_foreign_file_is_not_overwritten(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("dear friend")
    done = run("play", "tictactoe", "--opponent", "human", typed=f"4\nsave {file}\n")
    assert f"save! {file}" in done.out
    assert file.read_text() == "dear friend"
    # Own files are, and others when one insists.
    run("play", "tictactoe", "--opponent", "human", typed=f"4\nsave! {file}\n0\nsave {file}\n")
    assert gokaku.game("tictactoe").read(file.read_text()).moves == ("4", "0")


def test_undo_takes_back_to_ones_own_turn(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "game.txt"
    typed = f"0\nundo\n8\nundo\nundo\n6\nsave {file}\n"
    done = run("play", "tictactoe", "--opponent", "weak", "--seed", "2", typed=typed)
    assert "there is no move of yours to take back" in done.out
    board = gokaku.game("tictactoe").replay("6")
    answer = opponents.answer("weak", opponents.Question(board, seed=2 + 1))
    assert file.read_text() == board.play(answer.move).record()


def test_undo_after_the_end_goes_on(run: Run) -> None:
    done = run("play", "tictactoe", "--opponent", "human", typed="0\n3\n1\n4\n2\n5\nundo\n8\n5\n")
    assert "X wins (line) after 5 moves." in done.out
    assert "'5' is neither" not in done.out
    assert "the game is over" in done.out
    assert "O wins (line) after 6 moves." in done.out


def test_undo_never_takes_back_the_opponents_opening(run: Run) -> None:
    done = run("play", "tictactoe", "--opponent", "weak", "--second", typed="undo\n")
    assert "there is no move of yours to take back" in done.out


def test_resign(run: Run) -> None:
    done = run("play", "negaeri", "--opponent", "weak", typed="resign\nundo\nresign\nhint\nnew\n")
    assert done.out.count("You resign; weak wins.") == 2
    assert "the game is over: undo, new, save FILE or quit?" in done.out
    two = run("play", "tictactoe", "--opponent", "human", typed="4\nresign\n")
    assert "O resigns; X wins." in two.out


@pytest.mark.parametrize("name", NAMES)
def test_hint_names_a_legal_move_and_why(run: Run, name: str) -> None:
    done = run("play", name, "--opponent", "weak", "--limit", "2000n", "--seed", "1", typed="hint\n")
    line = next(line for line in done.out.splitlines() if line.startswith("Best looks "))
    words = line.removeprefix("Best looks ").split(": it ")[0].split(" (")[0]
    assert words in gokaku.game(name).start().legal_moves
    assert "games in 100" in line or "even game" in line or "draws" in line


def test_hint_sees_the_win(run: Run) -> None:
    over_next = gokaku.game("tictactoe").replay("0314").position
    done = run("play", "tictactoe", "--opponent", "human", "--position", over_next, typed="hint\n2\n")
    assert "Best looks 2: it wins in 1 move" in done.out
    assert "X wins (line)" in done.out


def test_why_tells_the_rule(run: Run) -> None:
    done = run("play", "tictactoe", "--opponent", "hard", typed="why\n0\nwhy\n")
    assert "no opponent has moved yet" in done.out
    assert "hard plays 4." in done.out
    assert "4: centre: the centre lies on the most lines" in done.out


def test_the_engine_answers_and_expects(run: Run) -> None:
    done = run(
        "play", "dobutsu", "--opponent", "engine", "--limit", "2000n", "--seed", "1", typed="B3B2\nwhy\n"
    )
    assert "engine plays -" in done.out
    assert ": search: " in done.out


def test_the_seed_decides(run: Run) -> None:
    games = [
        run("play", "ultimate", "--opponent", "weak", "--seed", seed, typed="4 4\n").out for seed in "112"
    ]
    assert games[0] == games[1] != games[2]


@pytest.mark.parametrize("name", NAMES)
def test_moves_are_all_listed(run: Run, name: str) -> None:
    board = gokaku.game(name).start()
    out = run("play", name, "--opponent", "human", typed="moves\n").out
    rows = [line.split(": ", 1)[1] for line in out.splitlines() if line.startswith("  ") and ": " in line]
    assert sorted(", ".join(rows).split(", ")) == sorted(board.legal_moves)


@pytest.mark.parametrize(
    ("name", "moves", "typed", "meant"),
    [
        ("dobutsu", "", "b3 b2", "+B3B2HI"),
        ("dobutsu", "", "B3-B2", "+B3B2HI"),
        ("dobutsu", "", "chick B2", "+B3B2HI"),
        ("dobutsu", "", "giraffe to C3", "+C4C3KI"),
        ("dobutsu", "", "L A3", "+B4A3LI"),
        ("ultimate", "", "44", "4 4"),
        ("ultimate", "", "4,4", "4 4"),
        ("negaeri", "", "p24", "P*24"),
        ("negaeri", "", "pawn on 24", "P*24"),
        ("negaeri", "", "42 32", "42-32"),
    ],
)
def test_moves_as_people_type_them(name: str, moves: str, typed: str, meant: str) -> None:
    board = gokaku.game(name).replay(moves.split())
    assert notation.understand(board, typed) == meant


@pytest.mark.parametrize("name", NAMES)
def test_every_way_shown_in_the_help_is_understood(name: str) -> None:
    board = gokaku.game(name).start()
    for way in notation.ways(board):
        assert notation.understand(board, way) == board.legal_moves[0]


@pytest.mark.parametrize("name", NAMES)
def test_every_legal_move_is_understood_as_itself(name: str) -> None:
    _, board = whole_game(name, 4)
    for earlier in board.line[:20]:
        for move in earlier.legal_moves:
            assert notation.understand(earlier, move) == move
            notation.describe(earlier, move)


@pytest.mark.parametrize("name", NAMES)
@given(data=strategies.data())
def test_any_text_is_a_legal_move_or_refused_with_words(name: str, data: strategies.DataObject) -> None:
    _, game = whole_game(name, 4)
    board = data.draw(strategies.sampled_from(game.line[:-1][:30]))
    near = strategies.text("0123456789ABCabcPRBLprb+-* ,xto", max_size=10)
    text = data.draw(near | strategies.text(max_size=10))
    try:
        said = notation.understand(board, text)
    except gokaku.IllegalMove as error:
        said = str(error)
    else:
        assert said in board.legal_moves
    assert "legal" in said or any(move in said.replace("\xa0", " ") for move in board.legal_moves)


@pytest.mark.parametrize(
    ("name", "typed", "words"),
    [
        ("dobutsu", "B4B2", "the lion on B4 may play +B4A3LI or +B4C3LI"),
        ("dobutsu", "giraffe", "giraffe on C4: +C4C3KI"),
        ("dobutsu", "+B3B2H", "did you mean +B3B2HI?"),
        ("dobutsu", "undu", "did you mean undo?"),
        ("dobutsu", "C2", "C2 holds nothing to move"),
        ("dobutsu", "save", "save which file?"),
        ("dobutsu", "load /nowhere/at/all", "cannot read /nowhere/at/all"),
        ("dobutsu", "save /nowhere/at/all", "cannot write /nowhere/at/all"),
        ("negaeri", "pass", "neither a legal move nor a command"),
        ("ultimate", "9 9", "legal is 0 0, for one"),
        ("ultimate", "4 4\n0 0", "'0 0' lies outside the small boards open to you"),
        ("ultimate", "4 4\n4 4", "'4 4' is taken"),
        ("tictactoe", "\x00\x1b[31m", "legal are 0, 1"),
        ("tictactoe", "ü" * 10_000, "legal are 0, 1"),
    ],
)
def test_what_is_not_understood_is_answered_with_what_is_near(
    run: Run, name: str, typed: str, words: str
) -> None:
    done = run("play", name, "--opponent", "human", typed=typed + "\n")
    assert done.status == 0
    assert words in done.out


def test_comments_and_empty_lines_are_passed_over(run: Run) -> None:
    done = run("play", "tictactoe", "--opponent", "human", typed="\n# the centre\n4  # so\n")
    assert "X plays 4." in done.out
    assert "neither" not in done.out


def test_leaving_says_how_to_go_on(run: Run) -> None:
    done = run("play", "dobutsu", "--opponent", "weak", "--second", "--seed", "1", typed="quit\n")
    command = done.out.splitlines()[-1].split("To go on from here: ")[1]
    program, *arguments = command.split()
    assert program == "gokaku"
    again = run(*arguments, typed="board\n")
    assert again.status == 0
    assert str(picture(gokaku.game("dobutsu").parse(arguments[-1]))) in again.out
    assert "To go on" not in run("play", "dobutsu", typed="quit\n").out


def test_the_articles_picture_is_shown(run: Run) -> None:
    _, board = whole_game("ultimate", 1)
    for earlier in board.line:
        shown = picture(earlier).plain.splitlines()
        assert [line[:24].rstrip() for line in shown] == [line.rstrip() for line in str(earlier).splitlines()]


def test_the_map_says_whose_the_small_boards_are_and_where_to_play() -> None:
    moves = "7 8,4 8,5 6,6 0,0 2,1 7,4 5,4 7,4 3,5 1,7 5,4 6,5 2,7 7,4 4,1 5".split(",")
    board = gokaku.game("ultimate").replay(moves)

    def shown(board: Board) -> list[str]:
        return [line[27:] for line in picture(board).plain.splitlines()[1:4]]

    sent_to_the_centre, free = board.line[14], board
    assert shown(sent_to_the_centre) == [". . .", ". * O", ". . ."]
    assert shown(free) == ["* * *", "* X O", "* * *"]


@pytest.mark.parametrize("name", NAMES)
def test_the_last_move_is_marked(name: str) -> None:
    board = gokaku.game(name).start()
    assert not any("reverse" in str(span.style) for span in picture(board).spans)
    board = board.play(board.legal_moves[0])
    assert any("reverse" in str(span.style) for span in picture(board).spans)


def test_on_a_terminal(tmp_path: Path) -> None:
    """Under a pseudo-terminal: a prompt, colour, a warning at the first Ctrl-D, and a clean end."""
    pty = pytest.importorskip("pty")
    import os
    import select

    program, terminal = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "100"}
    environment.pop("NO_COLOR", None)
    process = subprocess.Popen(
        [sys.executable, "-m", "gokaku", "play", "tictactoe", "--opponent", "hard"],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env=environment,
        close_fds=True,
    )
    os.close(terminal)
    seen = ""

    def expect(text: str) -> None:
        nonlocal seen
        while text not in seen:
            ready, _, _ = select.select([program], [], [], 30)
            assert ready, f"no {text!r} in {seen!r}"
            try:
                seen += os.read(program, 4096).decode()
            except OSError:  # the other end is closed
                raise AssertionError(f"no {text!r} in {seen!r}") from None
        seen = seen.split(text, 1)[1]

    try:
        expect("your move (X)> ")
        os.write(program, b"4\n")
        expect("hard plays 0.")
        expect("\x1b[")
        expect("your move (X)> ")
        os.write(program, b"\x04")
        expect("`save FILE` keeps it")
        expect("your move (X)> ")
        os.write(program, b"\x04")
        expect("To go on from here: gokaku play tictactoe")
        assert process.wait(30) == 0
    finally:
        process.kill()
        process.wait()
        os.close(program)
