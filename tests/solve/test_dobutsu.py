"""Dobutsu shogi solved: the index, the complete table, published counts and values."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gokaku import Outcome, game
from gokaku.cli import main
from gokaku.server import engine
from gokaku.solve.published import Published
from gokaku.solve.table import Table

#: The first to ask for the table waits until it is built, after some builds that are killed.
pytestmark = pytest.mark.timeout(900)

DOBUTSU = game("dobutsu")
RULES = DOBUTSU.rules
VALUES = Path(__file__).parents[1] / "data" / "dobutsu_values.tsv"
START = "-KI-LI-ZO\n . -HI . \n . +HI . \n+ZO+LI+KI\n000000\n+\n"

#: The public solver's values of every move along its best line (Tanaka 2009).
LINE = {
    "+C4C3KI": "+C4C3KI 1(76)  +B4C3LI 1(76)  +B3B2HI 1(74)  +B4A3LI 1(76)",
    "-A1A2KI": "-A1A2KI -1(75)  -B1A2LI 1(70)  -B2B3HI 1(68)  -B1C2LI 1(0)",
    "+C3C4KI": "+C3C2KI 1(12)  +B4C4LI 1(52)  +C3C4KI 1(74)  +B3B2HI 1(70)  +B4A3LI 1(0)",
    "-B2B3HI": "-A2A3KI 1(14)  -B1A1LI -1(77)  -A2A1KI -1(77)  -B2B3HI -1(73)  -B1C2LI -1(77)",
    "+A4B3ZO": "+C4C3KI 1(0)  +B4C3LI 1(26)  +B4B3LI 1(26)  +A4B3ZO 1(72)  +B4A3LI 1(0)",
    "-C1B2ZO": "-00A4HI 1(22)  -00A3HI 1(28)  -A2A3KI 1(20)  -00A1HI 1(34)  -B1A1LI 1(60)  -A2A1KI 1(68)"
    "  -00B2HI 1(16)  -B1B2LI 1(60)  -C1B2ZO -1(71)  -A2B2KI 0(0)  -00C3HI 1(22)  -00C2HI 1(39)"
    "  -B1C2LI 1(0)",
}


def test_killed_builds_leave_no_table_and_the_next_one_is_right(data: Path, table: Table) -> None:
    kills = json.loads((data / "kills").read_text())
    assert len(kills) == 2
    for said, status, left in kills:
        assert said, "it was killed where it was meant to be"
        assert status == -signal.SIGKILL
        assert not left
    assert table.value(RULES.start()) == -78
    assert [path.name for path in data.iterdir() if ".part" in path.name] == []


slots = st.integers(0, RULES.INDEX_SIZE - 1)


def children(state: int) -> list[int]:
    room = [0] * RULES.MAX_MOVES
    return [RULES.play(state, move) for move in room[: RULES.moves(state, room)]]


@given(st.integers(0, RULES.NUMBERS - 1))
def test_numbers_and_positions_are_each_others(number: int) -> None:
    state = RULES.state_at(number)
    if state < 0:  # the mirror image's number stands for both
        return
    for same in (state, RULES.mirror(state), RULES.flip(state), RULES.flip(RULES.mirror(state))):
        assert RULES.number_of(same) == number
    assert RULES.mirror(RULES.mirror(state)) == state
    assert RULES.flip(RULES.flip(state)) == state
    assert DOBUTSU.parse(RULES.format(state)).state == state


@given(slots)
def test_what_the_index_says_of_a_position_is_what_its_moves_say(slot: int) -> None:
    state = RULES.state_at(slot)
    if state < 0:
        return
    if RULES.outcome(state):
        assert DOBUTSU.parse(RULES.format(state)).outcome == Outcome("second", "stuck")
        return
    after = children(state)
    assert RULES.can_win(state) == any(RULES.outcome(child) == 1 for child in after)
    assert RULES.ended(state) == any(RULES.cells(child).count("l") == 0 for child in after)
    if not RULES.can_win(state):
        room = [0] * RULES.MAX_MOVES
        safe = [RULES.play(state, move) for move in room[: RULES.safe_moves(state, room)]]
        assert safe == [child for child in after if not RULES.can_win(child)]


@given(slots)
def test_moves_taken_back_lead_here_and_all_that_lead_here_are_taken_back(slot: int) -> None:
    state = RULES.state_at(slot)
    if state < 0:
        return
    room = [0] * RULES.MAX_UNMOVES
    before = room[: RULES.unmoves(state, room)]
    assert len(set(before)) == len(before)
    for one in before:
        if RULES.outcome(one) == 0:
            assert slot in [RULES.number_of(child) for child in children(one) if not RULES.outcome(child)]
    if not RULES.can_win(state):
        for child in children(state):
            if not RULES.can_win(child):
                there = [0] * RULES.MAX_UNMOVES
                numbers = [RULES.number_of(one) for one in there[: RULES.unmoves(child, there)]]
                assert slot in numbers


def test_every_row_of_an_independent_table_matches(
    data: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GOKAKU_DATA", str(data))
    assert main(["table", "check", str(VALUES)]) == 0
    assert capsys.readouterr().out == "10000 rows, 0 mismatches\n"


def test_a_row_that_differs_is_told(
    data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GOKAKU_DATA", str(data))
    file = tmp_path / "values.tsv"
    file.write_text("# position\tplies\nS/gle/-c-/-C-/ELG/-\t-78\nS/gle/-c-/-C-/ELG/-\t78\n")
    assert main(["table", "check", str(file)]) == 1
    told = capsys.readouterr()
    assert told.out == "2 rows, 1 mismatches\n"
    assert "S/gle/-c-/-C-/ELG/-: -78, the file says 78" in told.err
    file.write_text("S/gle/-c-/-C-/ELG/-\n")
    assert main(["table", "check", str(file)]) == 1
    assert "line 1: expected a position, a tab, its plies" in capsys.readouterr().err


def test_published_facts(table: Table) -> None:
    assert table.value(RULES.start()) == -78
    assert table.header.longest == 173


def test_moves_best_moves_and_the_principal_variation(table: Table) -> None:
    board = DOBUTSU.start()
    worth = {board.text(code): value for code, value in table.moves(board.state).items()}
    assert worth == {"+C4C3KI": -78, "+B4C3LI": -78, "+B3B2HI": -76, "+B4A3LI": -78}
    assert {board.text(code) for code in table.best(board.state)} == {"+C4C3KI", "+B4C3LI", "+B4A3LI"}
    line = table.line(board.state)
    assert len(line) == 78
    for ply, code in enumerate(line):
        assert abs(table.value(board.state)) == 78 - ply
        board = board.play(board.text(code))
    assert board.outcome is not None
    assert board.outcome.winner == "second"


def test_the_plain_reader_and_the_compiled_one_agree(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    choice = np.random.default_rng(1)
    states = [RULES.state_at(int(slot)) for slot in choice.integers(0, RULES.INDEX_SIZE, 3_000)]
    states = [state for state in states if state >= 0]
    monkeypatch.setattr("gokaku.solve.table._loaded", set())
    plain = [table.value(state) for state in states]
    assert plain == list(table.values(states))
    assert engine.open_table("dobutsu")
    assert [table.value(state) for state in states] == plain
    monkeypatch.setenv("GOKAKU_DATA", "/nowhere")
    assert not engine.open_table("dobutsu")


def test_a_sample_of_all_positions_follows_from_its_successors(table: Table) -> None:
    choice = np.random.default_rng(2)
    states = [RULES.state_at(int(slot)) for slot in choice.integers(0, RULES.INDEX_SIZE, 50_000)]
    states = [state for state in states if state >= 0 and RULES.outcome(state) == 0]
    children = [
        [RULES.play(state, code) for code in game("dobutsu").parse(RULES.format(state)).codes]
        for state in states
    ]
    going = [child for row in children for child in row if not RULES.outcome(child)]
    told = dict(zip(going, table.values(going), strict=True))
    for state, row, value in zip(states, children, table.values(states), strict=True):
        ends = [RULES.outcome(child) for child in row]
        if RULES.turn(state) + 1 in ends:
            assert value == 1
            continue
        after = [1 if end else int(told[child]) for child, end in zip(row, ends, strict=True)]
        lost = [-plies for plies in after if plies < 0]
        if lost:
            assert value == 1 + min(lost)
        else:
            assert value == (0 if 0 in after else -1 - max(after))


def test_the_published_line_comes_out_value_for_value(
    table: Table, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "start.txt"
    file.write_text(START)
    assert main(["analyse", str(file), "--plies", "4"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert "\n".join(out[:6]) + "\n" == START
    assert out[6] == "-1(77)"
    best = list(LINE)
    for number, move in enumerate(best[:4], 1):
        assert f"{number} {move}" in out
        assert LINE[move] in out
    file.write_text(START + "\n".join(best[:4]) + "\n")
    assert main(["analyse", str(file), "--plies", "2", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    for step, move in zip(told["steps"], best[4:], strict=True):
        assert step["best"] == move
        assert "  ".join(f"{one} {value}" for one, value in step["moves"].items()) == LINE[move]


def test_a_try_counts_a_ply_later_by_the_published_convention(table: Table) -> None:
    """Whoever can only Try wins in one by our rules, in two by theirs; a catch is one by both."""
    published = Published(table)
    only_try = DOBUTSU.parse("S/---/L--/--l/c--/CEEGG").state
    assert (table.value(only_try), published.value(only_try)) == (1, 2)
    both = DOBUTSU.parse("S/---/L--/--l/--G/CCEEG").state
    assert (table.value(both), published.value(both)) == (1, 1)


def test_without_a_table_commands_say_how_to_get_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GOKAKU_DATA", str(tmp_path))
    for command in (
        ["table", "info", "dobutsu"],
        ["table", "verify", "dobutsu"],
        ["table", "check", str(VALUES)],
    ):
        assert main(command) == 1
        assert "build it: gokaku table build dobutsu" in capsys.readouterr().err
    assert main(["table", "build", "negaeri"]) == 1
    assert "negaeri is not solved" in capsys.readouterr().err
    assert main(["table", "path", "dobutsu"]) == 0
    assert capsys.readouterr().out == f"{tmp_path / 'dobutsu.table'}\n"
