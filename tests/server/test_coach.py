"""What the coach needs of the API, and what a page without explanations gets instead."""

from __future__ import annotations

import asyncio
import json
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import httpx
import pytest
from starlette.requests import Request

import gokaku
from gokaku import opponents
from gokaku.games import NAMES
from gokaku.opponents import judging
from gokaku.server import api, engine, seats, wire
from gokaku.server.errors import Problem
from gokaku.server.pool import Busy, Pool

REPLY, ANALYSE, GAMES = "/api/v1/reply", "/api/v1/analyse", "/api/v1/games"
SECRETS = ["explanation", "level", "value", "deviation", *opponents.OPPONENTS]


def ask(client: httpx.Client, path: str, body: dict[str, Any]) -> Any:
    answer = client.post(path, json=body)
    assert answer.status_code == 200, answer.text
    return answer.json()


def board_after(name: str, plies: int) -> gokaku.Board:
    board = gokaku.game(name).start()
    for ply in range(plies):
        board = board.play(board.legal_moves[ply * 7 % len(board.legal_moves)])
    return board


def test_deviation_is_that_of_the_value(client: httpx.Client, name: str) -> None:
    board = board_after(name, 2)
    found = ask(client, ANALYSE, {"game": name, "moves": board.moves, "limit_ms": 100})
    assert found["source"] in ("table", "search")
    assert found["last"] is None
    best = found["values"][0]["value"]
    assert (found["values"][0]["deviation"], found["values"][0]["rank"]) == (1, 1)
    ranks = [one["rank"] for one in found["values"]]
    assert all(rank in (before, place) for place, (before, rank) in enumerate(pairwise(ranks), 2))
    for one in found["values"]:
        assert one["deviation"] == pytest.approx(opponents.deviation(one["value"], best), abs=2e-4)
        assert one["plies"] is None or one["plies"] > 0


def test_the_last_move_is_judged_where_it_was_played(client: httpx.Client, name: str) -> None:
    board = board_after(name, 3)
    found = ask(client, ANALYSE, {"game": name, "moves": board.moves, "limit_ms": 200, "last": True})
    last = found["last"]
    before = board.parent
    assert before is not None
    assert (last["move"], last["turn"]) == (board.last_move, before.turn)
    assert found["turn"] == board.turn
    assert last["count"] == len(before.legal_moves)
    assert 1 <= last["rank"] <= last["count"]
    assert (last["rank"] == 1) == (last["deviation"] == 1)
    assert last["best"]["value"] >= last["value"]
    assert last["line"][0] == last["best"]["move"]
    for move in last["line"]:
        before = before.play(move)


def test_the_move_that_ended_the_game_is_judged_too(
    client: httpx.Client, name: str, finished: dict[str, list[str]]
) -> None:
    moves = finished[name]
    found = ask(client, ANALYSE, {"game": name, "moves": moves, "limit_ms": 100, "last": True})
    assert found["values"] == found["line"] == []
    last = found["last"]
    assert last["move"] == moves[-1]
    outcome = gokaku.game(name).replay(moves).outcome
    assert outcome is not None
    if outcome.winner == last["turn"]:
        assert (last["plies"], last["value"], last["rank"]) == (1, 100, 1)


def test_no_last_move_at_the_root(client: httpx.Client, name: str) -> None:
    assert ask(client, ANALYSE, {"game": name, "last": True, "limit_ms": 20})["last"] is None


def test_a_blunder_is_called_one(client: httpx.Client) -> None:
    """In the game whose search proves all: every value against a full search in Python."""
    game = gokaku.game(NAMES[0])

    def worth(board: gokaku.Board) -> int:
        """1: the side to move wins, 0: draw, -1: it loses."""
        if board.outcome is not None:
            return 0 if board.outcome.winner is None else 1 if board.outcome.winner == board.turn else -1
        return max(-worth(board.play(move)) for move in board.legal_moves)

    board = game.start()
    for move in board.legal_moves[:1]:
        after = board.play(move)
        found = ask(client, ANALYSE, {"game": game.name, "moves": after.moves, "limit_ms": 3000})
        for one in found["values"]:
            true = -worth(after.play(one["move"]))
            assert (one["value"] > 0) - (one["value"] < 0) == true, one
            assert (one["deviation"] < 0.8) == (true < worth(after))


class Complete:
    """A complete table of a small game, by exhaustive search; it reads like one of solve's."""

    def __init__(self, game: gokaku.Game) -> None:
        self.rules = game.rules
        self.known: dict[Any, int] = {}

    def value(self, state: Any) -> int:
        """> 0: the side to move wins in so many plies, < 0: it loses in so many, 0: draw."""
        rules = self.rules
        if state not in self.known:
            buffer = [0] * rules.MAX_MOVES
            found = []
            for code in buffer[: rules.moves(state, buffer)]:
                child = rules.play(state, code)
                outcome = rules.outcome(child)
                if outcome:
                    found.append(0 if outcome == 3 else 1 if outcome == rules.turn(state) + 1 else -1)
                else:
                    theirs = self.value(child)
                    found.append(0 if not theirs else -(theirs + (1 if theirs > 0 else -1)))
            wins, losses = [v for v in found if v > 0], [v for v in found if v < 0]
            self.known[state] = min(wins) if wins else 0 if 0 in found else min(losses)
        return self.known[state]


def test_a_table_is_believed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every position of a game that is given away: plies count down by one along the line, to the end."""
    game = gokaku.game(NAMES[0])
    table = Complete(game)
    monkeypatch.setattr(judging, "find_table", lambda rules: table)
    board = game.start()
    while board.outcome is None:
        request = wire.AnalyseRequest(game.name, list(board.moves), last=True, limit_ms=5000)
        found = engine.analyse(request)
        assert found.source == "table"
        assert next(one.move for one in found.values if one.rank == 1) == found.line[0]
        best = found.values[0]
        true = table.value(board.state)
        assert best.plies == (abs(true) or None)
        assert best.value == opponents.value((true > 0) if true else 0.5, best.plies)
        end = board
        for move in found.line:
            end = end.play(move)
        assert end.outcome is not None
        if true:
            assert len(found.line) == abs(true)
            assert (end.outcome.winner == board.turn) == (true > 0)
        if found.last is not None:
            assert found.last.source == "table"
            assert found.last.move == board.last_move
        # One side gives away what it can.
        board = board.play(found.values[-1].move if len(board.moves) % 2 else found.values[0].move)


def test_without_explanation_the_move_comes_alone(client: httpx.Client, name: str) -> None:
    for opponent in opponents.names(gokaku.game(name)):
        body = {"game": name, "opponent": opponent, "limit_ms": 20, "level": 2, "seed": 5}
        told = ask(client, REPLY, body)
        key = (
            seats.key(name, opponent, 2)
            if opponents.OPPONENTS[opponent].levels
            else seats.key(name, opponent)
        )
        quiet = {"game": name, "opponent": key, "limit_ms": 20, "seed": 5, "explain": False}
        untold = ask(client, REPLY, quiet)
        assert set(told) == {"move", "turn", "explanation"}
        assert set(untold) == {"move", "turn"}
        if not opponents.OPPONENTS[opponent].searches:
            assert untold["move"] == told["move"]


def test_a_key_says_nothing_and_belongs_to_one_opponent(client: httpx.Client) -> None:
    games = client.get(GAMES).json()["games"]
    keys = [key for game in games for keys in game["seats"].values() for key in keys]
    assert len(set(keys)) == len(keys)
    for game in games:
        assert list(game["seats"]) == game["opponents"]
        for name, keys in game["seats"].items():
            levels = list(opponents.LEVELS) if opponents.OPPONENTS[name].levels else [None]
            assert len(keys) == len(levels)
            for key, level in zip(keys, levels, strict=True):
                found, at = seats.seat(game["name"], key)
                assert found == name
                assert at == level
                assert name not in key


def test_the_games_without_their_opponents(client: httpx.Client) -> None:
    answer = client.get(GAMES, params={"explain": "false"})
    assert [game["name"] for game in answer.json()["games"]] == list(NAMES)
    assert [word for word in SECRETS if word in answer.text] == []
    assert client.get(GAMES, params={"explain": "true"}).json() == client.get(GAMES).json()
    refused = client.get(GAMES, params={"explain": "perhaps"})
    assert refused.status_code == 400
    assert "'perhaps'" in refused.json()["error"]["message"]


def test_refusals_name_nobody_either(client: httpx.Client, name: str) -> None:
    body = {"game": name, "opponent": "nobody", "explain": False}
    answer = client.post(REPLY, content=json.dumps(body))
    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "unknown_opponent"
    assert [one for one in opponents.OPPONENTS if one in answer.text] == []


def test_a_damaged_table_is_reported_and_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setenv("GOKAKU_DATA", str(tmp_path))
    assert not engine.open_table("dobutsu")
    assert caplog.messages == []
    (tmp_path / "dobutsu.table").write_bytes(bytes(5000))
    assert not engine.open_table("dobutsu")
    (told,) = caplog.messages
    assert "gokaku table build dobutsu" in told


class AllBusy:
    """A pool that refuses whatever it is asked."""

    ready: frozenset[str] = frozenset()
    solved: frozenset[str] = frozenset()

    async def ask(self, *args: Any, **more: Any) -> Any:
        raise Busy(1)


def test_whoever_only_reads_a_table_needs_no_engine_once_it_is_open(monkeypatch: pytest.MonkeyPatch) -> None:
    game = gokaku.game("tictactoe")
    opened: list[str] = []

    def open_table(name: str) -> bool:
        opened.append(name)
        return len(opened) > 1  # the first time there is none

    monkeypatch.setattr(engine, "open_table", open_table)
    monkeypatch.setattr(judging, "find_table", lambda rules: Complete(game))
    pool = AllBusy()
    asked = api.Api(cast(Pool, pool))

    async def move(opponent: str) -> str:
        """The move that came, or why none did."""
        body = json.dumps({"game": game.name, "opponent": opponent, "moves": ["4"]}).encode()
        parts = [{"type": "http.request", "body": body}]

        async def receive() -> Any:
            return parts.pop() if parts else await asyncio.Event().wait()

        try:
            return (await asked.reply(Request({"type": "http"}, receive))).move
        except Problem as problem:
            return problem.code

    async def ask_around() -> None:
        async def settles(opponent: str) -> str:
            """The answer once what is opened aside has been."""
            await move(opponent)
            await asyncio.sleep(0.2)
            return await move(opponent)

        assert await settles("hospitality") == "busy"
        assert opened == []  # its kernels are not there yet
        pool.ready = frozenset([game.name])
        assert await settles("hospitality") == "busy"
        assert opened == [game.name]
        pool.solved = pool.ready
        assert await move("hospitality") == "busy"
        assert await settles("hospitality") in game.replay(["4"]).legal_moves
        assert opened == [game.name] * 2
        assert await settles("engine") == "busy"

    asyncio.run(asyncio.wait_for(ask_around(), 60))
