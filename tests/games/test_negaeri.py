"""Negaeri shogi: an independent engine's games, and the fine points of flipping."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from gokaku import Board, Outcome, game

NEGAERI = game("negaeri")
RULES = NEGAERI.rules
GAMES = json.loads((Path(__file__).parents[1] / "data" / "negaeri_games.json").read_text(encoding="utf-8"))


def test_an_independent_engines_games_replay_in_every_runtime(
    replay_games: Callable[[str, list[list[str]]], list[list[list[Any]]]],
) -> None:
    assert len(GAMES) == 120
    replayed = replay_games("negaeri", [one["moves"] for one in GAMES])
    for one, rows in zip(GAMES, replayed, strict=True):
        positions, results, endings, counts, _ = zip(*rows, strict=True)
        assert list(counts[:-1]) == one["counts"]
        assert positions[one["midply"]] == one["mid"]
        assert positions[-1] == one["last"]
        assert set(results[:-1]) == {0}
        _, winner, reason = one["result"].split(":")
        assert (results[-1], endings[-1]) == ({"sente": 1, "gote": 2}[winner], reason.partition("_")[0])


def position(rows: list[str], hands: str = "", turn: str = "sente") -> Board:
    """A board of six rows of blank-separated cells; what is missing of the pieces is in second's hand."""
    cells = ",".join(" ".join(rows).split())
    first = dict.fromkeys("PRB", 0) | {letter: hands.count(letter) for letter in "PRB"}
    rest = {
        letter: most - cells.upper().count(letter) - first[letter]
        for letter, most in zip("PRB", (13, 4, 4), strict=True)
    }
    held = "/".join(
        side + "".join(f"{letter}{hand[letter]}" for letter in "PRB")
        for side, hand in (("S:", first), ("G:", rest))
    )
    return NEGAERI.parse(f"{cells}|{held}|{turn}")


def flipped(board: Board, move: str) -> list[list[str]]:
    steps = RULES.flips(board.state, board.code(move))
    names = [[RULES.square_name(square) for square in step] for step in steps]
    # What is shown is what is played.
    after = RULES.cells(board.play(move).state)
    turned = {name for step in names for name in step}
    for square, (before, now) in enumerate(zip(RULES.cells(board.state), after, strict=True)):
        if RULES.square_name(square) in turned:
            assert now == "+" + before[-1].swapcase()
    return names


EMPTY = ". . . . . ."


def test_a_row_is_turned_between_two_pieces_and_against_the_edge() -> None:
    board = position([". . . . . k", EMPTY, ". p p P . .", EMPTY, EMPTY, "K . . . . ."], "P")
    assert flipped(board, "P*20") == [["21", "22"]]
    board = position([". . . . . k", EMPTY, "p p . . . .", EMPTY, EMPTY, "K . . . . ."], "P")
    assert flipped(board, "P*22") == [["20", "21"]]
    assert flipped(board, "P*23") == []  # an empty square between
    board = position([". . . . . k", EMPTY, ". p p . . .", EMPTY, EMPTY, "K . . . . ."], "P")
    assert flipped(board, "P*20") == []  # an empty square behind


def test_a_king_holds_a_row_but_does_not_turn_and_guards_its_neighbours() -> None:
    own_king = position([". . . . . k", EMPTY, ". p K . . .", EMPTY, EMPTY, EMPTY], "P")
    assert flipped(own_king, "P*20") == [["21"]]
    enemy_king = position([EMPTY, EMPTY, "k . . . . .", EMPTY, EMPTY, ". . . . . K"], "P")
    assert flipped(enemy_king, "P*21") == []
    guarded = position([EMPTY, EMPTY, "k p P . . .", "p . . . . .", "P . . . . .", ". . . . . K"], "P")
    assert flipped(guarded, "P*10") == []  # 20 is the king itself
    guarded = position([EMPTY, "p . . . . .", "k p P . . .", EMPTY, EMPTY, ". . . . . K"], "R")
    assert flipped(guarded, "R*00") == []


def test_a_chain_goes_on_from_what_was_turned() -> None:
    board = position(
        [". . . . . k", ". . p . . .", ". p p P . .", EMPTY, EMPTY, "K . . . . ."],
        "P",
    )
    # From 22 upwards stands 12, and behind it nothing.
    assert flipped(board, "P*20") == [["21", "22"]]
    board = position(
        [". . p . . k", ". . p . . .", ". p p P . .", EMPTY, EMPTY, "K . . . . ."],
        "P",
    )
    assert flipped(board, "P*20") == [["21", "22"], ["02", "12"]]


def test_moving_neither_turns_nor_promotes_and_a_capture_goes_to_hand_unpromoted() -> None:
    board = position([". . . . . k", EMPTY, "+p . P . . .", "R . . . . .", EMPTY, "K . . . . ."])
    after = board.play("30-20")
    assert flipped(board, "30-20") == []
    assert RULES.cells(after.state)[12] == "R"
    assert RULES.hands(after.state)[0] == (("P", 1), ("R", 0), ("B", 0))


def test_a_pawn_never_reaches_the_last_row() -> None:
    board = position([". . . . . k", "P . . . . .", EMPTY, EMPTY, EMPTY, "K . . . . ."], "P")
    assert not {"10-00", "P*00", "P*01"} & set(board.legal_moves)
    assert "P*11" in board.legal_moves


def test_taking_the_king_wins_and_a_threat_may_be_ignored() -> None:
    board = position(["k . . . . .", EMPTY, EMPTY, "p . . . . .", "K . . . . .", EMPTY], turn="gote")
    assert board.play("30-40").outcome == Outcome("second", "king")
    threatened = position(["k . . . . .", EMPTY, EMPTY, "p . . . . .", "K . . . . .", EMPTY])
    assert set(threatened.legal_moves) == {"40-30", "40-31", "40-41", "40-50", "40-51"}


def test_who_cannot_move_passes_and_two_passes_count_the_pieces() -> None:
    # Every piece of both sides is walled in by its own: nothing to move, nothing in hand.
    full = ["K P P P P P", "P P P P P P", "P +R +R +B +B k"] + [EMPTY] * 3
    with pytest.raises(ValueError, match="last row"):
        position(full)
    stuck = NEGAERI.parse(
        "k,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,.,K|S:P13R4B4/G:P0R0B0|sente|pass"
    )
    assert "pass" not in stuck.legal_moves
    assert RULES.key(stuck.state) == RULES.key(NEGAERI.parse(stuck.position.removesuffix("|pass")).state)
    twice = NEGAERI.parse(stuck.position + "|pass")
    assert twice.outcome == Outcome(None, "passes")
    more = NEGAERI.parse(twice.position.replace("k,.,", "k,R,").replace("R4", "R3"))
    assert more.outcome == Outcome("first", "passes")


def test_the_fourth_time_counts_the_pieces() -> None:
    start = position(["k . . . . .", EMPTY, EMPTY, EMPTY, EMPTY, "P . . . . K"])
    shuffle = ["55-54", "00-01", "54-55", "01-00"]
    assert NEGAERI.replay(shuffle * 2, start.position).outcome is None
    assert NEGAERI.replay(shuffle * 3, start.position).outcome == Outcome("first", "repetition")


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ("sente", "south", "sente or gote"),
        ("P4", "P5", "13 of P"),
        ("b,k,r", "b,x,r", "a cell is"),
        ("b,k,r", "b,k,k", "one king"),
        ("b,k,r", "b,k", "36 cells"),
        (".,.,b", ".,P,b", "last row"),
        ("S:P4R1B1", "P4R1B1", "the hands are"),
    ],
)
def test_bad_positions(old: str, new: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        NEGAERI.parse(NEGAERI.start().position.replace(old, new, 1))
