"""Playing the contract by transactions: every line against hard, what each refusal says, what views tell."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from gokaku.chain.evm import PLAYER, Chain, Receipt, Reverted
from gokaku.chain.gas import HARD, plays

EASY, NORMAL = 0, 1
NO_CELL = 255
IN_PROGRESS, PLAYER_WON, CPU_WON, DRAW = range(4)
STRANGER = "0x" + "22" * 20
LAST = 2**256 - 1


def new(difficulty: int = HARD, cpu_first: bool = False) -> Chain:
    chain = Chain()
    chain.send("newGame", difficulty, cpu_first)
    return chain


def play(cells: list[int], difficulty: int = NORMAL, cpu_first: bool = False) -> Chain:
    chain = new(difficulty, cpu_first)
    for cell in cells:
        chain.send("play", 0, cell)
    return chain


def result(receipt: Receipt) -> int:
    return int(next(values["result"] for name, values in receipt.events if name == "MovePlayed"))


def test_hard_never_loses() -> None:
    seen: dict[bool, list[int]] = {True: [], False: []}
    for line, receipt in plays(HARD):
        seen[line[0] == -1].append(result(receipt))
    for ends in seen.values():
        assert PLAYER_WON not in ends
        assert {CPU_WON, DRAW} <= set(ends)
    assert sum(map(len, seen.values())) == 895


def test_normal_loses_to_a_fork_that_hard_sees() -> None:
    chain = play([0, 8, 6])
    receipt = chain.send("play", 0, 7)
    assert result(receipt) == PLAYER_WON
    assert receipt.events[-1] == ("GameFinished", {"gameId": 0, "result": PLAYER_WON})
    assert play([0, 8], HARD).send("play", 0, 6).events[-1] == (
        "GameFinished",
        {"gameId": 0, "result": CPU_WON},
    )


def test_a_game_from_its_events_and_views() -> None:
    chain = Chain()
    begun = chain.send("newGame", HARD, True)
    assert begun.value == 0
    values: dict[str, Any] = {
        "gameId": 0,
        "player": PLAYER,
        "difficulty": HARD,
        "cpuFirst": True,
        "cpuCell": 4,
    }
    assert begun.events == (("GameCreated", values),)
    moved = chain.send("play", 0, 0)
    name, values = moved.events[0]
    assert (name, values["gameId"], values["player"], values["playerCell"]) == ("MovePlayed", 0, PLAYER, 0)
    cell = values["cpuCell"]
    board = [0] * 9
    board[4], board[0], board[cell] = 2, 1, 2
    assert chain.look("boardOf", 0).value == tuple(board)
    game = (PLAYER, 1, 1 << 4 | 1 << cell, 3, HARD, IN_PROGRESS, True)
    assert chain.look("getGame", 0).value == game
    assert chain.look("gameCount").value == 1
    assert chain.look("getGames", 0, 10).value == (game,)


def test_the_machine_does_not_answer_a_last_move() -> None:
    chain = play([0], HARD)
    last: Receipt | None = None
    while chain.look("getGame", 0).value[5] == IN_PROGRESS:
        board = chain.look("boardOf", 0).value
        # Where the machine threatens a person blocks: what it would take itself in the person's place.
        mine, theirs = chain.look("getGame", 0).value[1:3]
        cell = chain.look("previewCpuMove", mine, theirs, HARD, 0).value
        assert board[cell] == 0
        last = chain.send("play", 0, cell)
    assert last is not None
    assert last.events[0][1]["cpuCell"] == NO_CELL
    assert result(last) == DRAW
    assert chain.look("getGame", 0).value[3] == 9


def test_easy_takes_a_win_and_else_anything() -> None:
    chain = Chain()
    answers = set()
    for number in range(40):
        chain.send("newGame", EASY, False)
        answers.add(chain.send("play", number, 0).events[0][1]["cpuCell"])
    assert len(answers) > 4
    assert 0 not in answers


def test_in_block_0_there_is_no_parent_block() -> None:
    chain = Chain(block=0)
    chain.send("newGame", EASY, True)
    assert chain.send("play", 0, chain.look("boardOf", 0).value.index(0)).events


def test_play_at_goes_on_where_it_should() -> None:
    chain = new()
    chain.send("playAt", 0, 0, 0)
    assert chain.look("getGame", 0).value[3] == 2
    chain.send("playAt", 0, 1, 2)
    assert chain.look("getGame", 0).value[3] == 4


def test_pages_never_overflow() -> None:
    chain = Chain()
    for number in range(103):
        chain.send("newGame", number % 3, False)
    games = chain.look("getGames", 0, LAST).value
    assert len(games) == 100
    assert [game[4] for game in games[:4]] == [0, 1, 2, 0]
    assert len(chain.look("getGames", 1, LAST).value) == 100
    assert len(chain.look("getGames", 100, LAST).value) == 3
    assert len(chain.look("getGames", 5, 2).value) == 2
    for offset, limit in ((103, 1), (LAST, LAST), (0, 0)):
        assert chain.look("getGames", offset, limit).value == ()


def test_players_do_not_meet() -> None:
    chain = new()
    chain.send("newGame", HARD, False, sender=STRANGER)
    chain.send("play", 1, 0, sender=STRANGER)
    assert chain.look("getGame", 0).value[3] == 0
    assert chain.look("getGame", 1).value[0] == STRANGER


# --- refusals ---

WON = [0, 8, 6, 7]  # by the person, against normal
LOST = [0, 1, 3]  # against hard: 4 answers 0, 2 answers 1, 6 wins


REFUSALS: dict[str, tuple[Callable[[], Chain], tuple[Any, ...], str, tuple[Any, ...]]] = {
    "no game at all": (Chain, ("play", 0, 0), "NoSuchGame", (0,)),
    "the next game": (new, ("play", 1, 0), "NoSuchGame", (1,)),
    "the last number": (new, ("play", LAST, 0), "NoSuchGame", (LAST,)),
    "no game to play at": (new, ("playAt", 7, 0, 0), "NoSuchGame", (7,)),
    "no game to show": (new, ("getGame", 3), "NoSuchGame", (3,)),
    "no board to show": (new, ("boardOf", 3), "NoSuchGame", (3,)),
    "won": (lambda: play(WON), ("play", 0, 2), "GameOver", (0,)),
    "lost": (lambda: play(LOST, HARD), ("play", 0, 8), "GameOver", (0,)),
    "over, moves given": (lambda: play(WON), ("playAt", 0, 2, 7), "GameOver", (0,)),
    "over, though the cell is none": (lambda: play(WON), ("play", 0, 200), "GameOver", (0,)),
    "nine": (new, ("play", 0, 9), "CellOutOfRange", (9,)),
    "none": (new, ("play", 0, 255), "CellOutOfRange", (255,)),
    "nine, moves given": (new, ("playAt", 0, 9, 0), "CellOutOfRange", (9,)),
    "one's own cell": (lambda: play([0]), ("play", 0, 0), "CellTaken", (0,)),
    "the machine's cell": (lambda: play([0]), ("play", 0, 4), "CellTaken", (4,)),
    "sent twice": (lambda: play([0]), ("playAt", 0, 0, 0), "GameMovedOn", (0, 2)),
    "sent too early": (lambda: play([0]), ("playAt", 0, 1, 4), "GameMovedOn", (0, 2)),
    "no rung": (Chain, ("newGame", 3, False), "NoSuchDifficulty", (3,)),
    "no rung, no more": (Chain, ("newGame", 255, True), "NoSuchDifficulty", (255,)),
    "a full board": (Chain, ("previewCpuMove", 0b101010101, 0b010101010, HARD, 0), "BoardFull", ()),
    "a board full twice": (Chain, ("previewCpuMove", 2**16 - 1, 2**16 - 1, EASY, 1), "BoardFull", ()),
    "no rung to preview": (Chain, ("previewCpuMove", 0, 0, 3, 0), "NoSuchDifficulty", (3,)),
}  # fmt: skip


@pytest.mark.parametrize("case", REFUSALS)
def test_it_refuses_by_name(case: str) -> None:
    make, call, name, arguments = REFUSALS[case]
    chain = make()
    before = dict(chain.storage)
    with pytest.raises(Reverted) as refused:
        chain.send(*call)
    assert (refused.value.name, refused.value.arguments) == (name, arguments)
    assert chain.storage == before


@pytest.mark.parametrize("call", [("play", 0, 1), ("playAt", 0, 1, 2)], ids=lambda call: call[0])
def test_a_stranger_is_refused(call: tuple[Any, ...]) -> None:
    chain = play([0])
    with pytest.raises(Reverted) as refused:
        chain.send(*call, sender=STRANGER)
    assert (refused.value.name, refused.value.arguments) == ("NotYourGame", (PLAYER, STRANGER))


@pytest.mark.parametrize("call", [("newGame", HARD, False), ("play", 0, 0)], ids=lambda call: call[0])
def test_it_takes_no_money(call: tuple[Any, ...]) -> None:
    with pytest.raises(Reverted) as refused:
        new().send(*call, value=1)
    assert refused.value.name == ""


def test_a_preview_of_boards_that_share_cells_takes_an_empty_one() -> None:
    chain = Chain()
    for machine, person in ((0b111, 0b111), (0b110110000, 0b011110000), (2**16 - 1, 0), (0, 2**16 - 2)):
        taken = (machine | person) & 511
        for rung in (EASY, NORMAL, HARD):
            if taken != 511:
                cell = chain.look("previewCpuMove", machine, person, rung, 5).value
                assert not taken >> cell & 1
