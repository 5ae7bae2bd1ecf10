"""The exam that every registered game sits: the rules say the same in every runtime."""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from gokaku import compiled, game
from gokaku.games import NAMES

GAMES = 2_000
LONGEST = 600
VIEWED = 40

Micropython = Callable[[str, dict[str, str]], list[str]]


def sit(play: Any, room: Any, trace: Any, seeds: range) -> list[list[int]]:
    """[plies, digest] of a random game a seed; the digest covers every ply."""
    results = []
    for seed in seeds:
        plies = play(seed, LONGEST, room, trace)
        results.append([int(plies), int(trace[plies])])
    return results


@pytest.mark.parametrize("name", NAMES)
def test_random_games_are_the_same_in_all_three_runtimes(name: str, micropython: Micropython) -> None:
    one = game(name)
    most = one.rules.MAX_MOVES
    seeds = range(GAMES)
    pure = sit(compiled.link(one.rules, "exam", jit=False).play, [0] * most, [0] * (LONGEST + 1), seeds)
    jitted = compiled.link(one.rules, "exam")
    fast = sit(jitted.play, np.zeros(most, np.int64), np.zeros(LONGEST + 1, np.int64), seeds)
    program = (
        f"import rules\nLONGEST = {LONGEST}\nAny = list = object\n"
        "names = {'rules': rules, 'SCALAR': isinstance(rules.start(), int)}\n"
        "exec(open('/exam.py').read(), names)\n"
        + inspect.getsource(sit).replace("list[list[int]]", "object")
        + f"for plies, digest in sit(names['play'], [0] * {most}, [0] * (LONGEST + 1), range({GAMES})):\n"
        "    print(plies, digest)\n"
    )
    kernel = compiled.KERNELS["exam.py"].read_text()
    lines = micropython(program, {"rules.py": one.source.decode(), "exam.py": kernel})

    assert sum(plies for plies, _ in pure) > 5 * GAMES
    assert fast == pure
    assert [[int(number) for number in line.split()] for line in lines] == pure


def describe(rules: Any, seed: int) -> list[object]:
    """All that text and view say at every ply of a random game, and that it reads back."""
    state = rules.start()
    room = [0] * rules.MAX_MOVES
    told: list[object] = []
    for _ in range(120):
        told += [rules.format(state), rules.draw(state), rules.cells(state), rules.hands(state)]
        assert rules.parse(rules.format(state)) == state
        if hasattr(rules, "regions"):
            told.append(rules.regions(state))
        if rules.outcome(state) != 0:
            told.append(rules.ending(state))
            assert rules.ending(state) != ""
            break
        assert rules.ending(state) == ""
        count = rules.moves(state, room)
        assert 0 < count <= rules.MAX_MOVES
        texts = [rules.format_move(state, move) for move in room[:count]]
        told += [texts, [rules.squares(state, move) for move in room[:count]]]
        assert len(set(texts)) == count
        assert [rules.parse_move(state, text) for text in texts] == room[:count]
        if hasattr(rules, "nth_move"):
            assert rules.count_moves(state) == count
            assert [rules.nth_move(state, i) for i in range(count)] == room[:count]
        seed = (seed * 69069 + 1) % 2**30
        move = room[(seed >> 8) % count]
        if hasattr(rules, "flips"):
            told.append(rules.flips(state, move))
        state = rules.play(state, move)
    told += [rules.square_name(square) for square in range(rules.ROWS * rules.COLS)]
    if hasattr(rules, "directions"):
        told += [
            rules.directions(piece) for letter in sorted(rules.PIECES) for piece in (letter, letter.lower())
        ]
    return told


@pytest.mark.parametrize("name", NAMES)
def test_text_and_view_are_the_same_in_cpython_and_micropython(name: str, micropython: Micropython) -> None:
    one = game(name)
    program = (
        "import json, rules\nAny = object\n"
        + inspect.getsource(describe).replace("list[object]", "object")
        + f"for seed in range({VIEWED}):\n    print(json.dumps(describe(rules, seed)))\n"
    )
    lines = micropython(program, {"rules.py": one.source.decode()})
    assert len(lines) == VIEWED
    for seed, line in enumerate(lines):
        assert json.loads(line) == json.loads(json.dumps(describe(one.rules, seed)))


@pytest.mark.parametrize("name", NAMES)
def test_evaluation_is_fair_at_the_start(name: str) -> None:
    """A guess, but a calm one: nobody is nearly lost before the first move."""
    rules = game(name).rules
    assert abs(rules.evaluate(rules.start())) < 100


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("text", ["", "nonsense", "/", "|||", "999 999", "\x00", "あ" * 50])
def test_text_that_is_no_position_or_move_is_refused_with_a_reason(name: str, text: str) -> None:
    rules = game(name).rules
    with pytest.raises(ValueError, match=r"\w{3}"):
        rules.parse(text)
    with pytest.raises(ValueError, match=r"\w{3}"):
        rules.parse_move(rules.start(), text)
