"""The benchmark measures what it says; its times are not asserted, its counts are."""

from __future__ import annotations

import json

import pytest

from gokaku import bench, game, search
from gokaku.cli import main


def test_json_holds_every_figure(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "tictactoe", "--positions", "5", "--json"]) == 0
    out, err = capsys.readouterr()
    told = json.loads(out)
    assert set(told) == {"machine", "games"}
    figures = told["games"]["tictactoe"]
    assert (figures["perft_depth"], figures["perft_leaves"]) == (8, 200_448)
    rates = (
        "perft_compiled",
        "perft_cpython",
        "playouts",
        "engine_nodes",
        "first_move_cold_s",
        "first_move_warm_s",
    )
    assert all(figures[name] > 0 for name in rates)
    assert figures["engine"]["positions"] == 5
    assert figures["engine"]["slowest_ms"] >= figures["engine"]["median_ms"] > 0
    assert "cold (compiling into an empty cache)" in err


def test_an_unknown_game_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "chess"]) == 2
    assert "unknown game 'chess'" in capsys.readouterr().err


def test_the_signature_is_the_same_every_time_and_tells_games_apart() -> None:
    signatures = []
    for name in ("tictactoe", "dobutsu", "dobutsu"):
        search.warm(game(name).rules)
        signatures.append(bench.signature(game(name)))
    assert signatures[1] == signatures[2] != signatures[0]


def test_questions_are_asked_all_over_the_game_and_in_free_turns() -> None:
    boards = bench.random_boards(game("ultimate"), 300, seed=2)
    assert len(boards) == 300
    assert all(board.outcome is None for board in boards)
    assert min(len(board.moves) for board in boards) < 5
    assert max(len(board.moves) for board in boards) > 50
    assert sum(len(board.codes) > 9 for board in boards) > 30


def test_the_machine_is_named() -> None:
    assert set(bench.machine()) == {"cpu", "cores", "python"}
