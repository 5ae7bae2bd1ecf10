"""Numbers of the games from published sources and independent programs: perft and whole trees."""

from __future__ import annotations

from typing import Any

import pytest

from gokaku import compiled, game

PERFT = {
    "tictactoe": [9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872],
    "ultimate": [81, 720, 6336, 55080, 473256, 4020960, 33782544, 281067408],
    "dobutsu": [4, 17, 123, 976, 8122, 71677, 635117, 5684459, 50503579],
    "negaeri": [75, 5422, 319159, 18230992],
}


@pytest.mark.parametrize("name", PERFT)
def test_perft(name: str) -> None:
    rules = game(name).rules
    kernel = compiled.link(rules, "perft")
    counts = [kernel.perft(rules.start(), depth + 1) for depth in range(len(PERFT[name]))]
    assert counts == PERFT[name]


@pytest.mark.parametrize("name", PERFT)
def test_perft_in_plain_python(name: str) -> None:
    rules = game(name).rules
    kernel = compiled.link(rules, "perft", jit=False)
    depths = [depth for depth, count in enumerate(PERFT[name], 1) if count < 10_000]
    assert [kernel.perft(rules.start(), depth) for depth in depths] == PERFT[name][: len(depths)]


def test_the_whole_tree_of_tic_tac_toe() -> None:
    rules = game("tictactoe").rules
    nodes = 0
    ends = [0, 0, 0, 0]
    positions = set()

    def walk(state: Any) -> int:
        """Counts, and gives the value of the state: 1 first wins, 0 draw, -1 second wins."""
        nonlocal nodes
        nodes += 1
        positions.add(state)
        result = rules.outcome(state)
        if result:
            ends[result] += 1
            return (0, 1, -1, 0)[result]
        room = [0] * 9
        values = [walk(rules.play(state, move)) for move in room[: rules.moves(state, room)]]
        return min(values) if rules.turn(state) else max(values)

    assert walk(rules.start()) == 0
    assert nodes == 549_946
    assert sum(ends) == 255_168
    assert ends[1:] == [131_184, 77_904, 46_080]
    assert len(positions) == 5_478
