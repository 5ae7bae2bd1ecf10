"""The API answers what is asked soundly, and says what was wrong with the rest."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

import gokaku
from gokaku import opponents
from gokaku.games import NAMES
from gokaku.server import wire

PATHS = ("/api/v1/reply", "/api/v1/analyse")


def names(name: str) -> tuple[str, ...]:
    return opponents.names(gokaku.game(name))


def ask(name: str, **more: Any) -> dict[str, Any]:
    return {"game": name, "opponent": names(name)[0], "limit_ms": 20} | more


def refused(client: httpx.Client, body: Any, status: int, code: str, path: str = PATHS[0]) -> str:
    """Post what must be refused; the message."""
    content = body if isinstance(body, bytes) else json.dumps(body)
    answer = client.post(path, content=content)
    assert answer.status_code == status, answer.text
    error = answer.json()["error"]
    assert error["code"] == code, error
    assert client.get("/healthz").json() == {"status": "ok"}
    return str(error["message"])


def test_games(client: httpx.Client) -> None:
    games = client.get("/api/v1/games").json()["games"]
    assert [game["name"] for game in games] == list(NAMES)
    for game in games:
        assert set(game["title"]) == {"en", "ja"}
        assert game["opponents"] == list(names(game["name"]))
        assert client.get(game["rules"]).content == gokaku.game(game["name"]).source


def test_reply_is_legal_and_repeatable(client: httpx.Client, name: str) -> None:
    board = gokaku.game(name).start()
    for ply in range(6):
        body = ask(name, moves=board.moves, seed=ply)
        answer = client.post(PATHS[0], json=body)
        assert answer.status_code == 200, answer.text
        reply = answer.json()
        assert reply["turn"] == board.turn
        assert reply["move"] in board.legal_moves
        assert reply["explanation"]["text"]
        assert client.post(PATHS[0], json=body).json()["move"] == reply["move"]
        board = board.play(reply["move"])


@pytest.mark.parametrize("opponent", sorted({o for name in NAMES for o in names(name)}))
def test_every_opponent_answers(client: httpx.Client, opponent: str) -> None:
    for name in NAMES:
        if opponent in names(name):
            answer = client.post(PATHS[0], json=ask(name, opponent=opponent))
            assert answer.json()["move"] in gokaku.game(name).start().legal_moves


def test_position_and_moves(client: httpx.Client, name: str) -> None:
    board = gokaku.game(name).start()
    for _ in range(2):
        board = board.play(board.legal_moves[0])
    there = client.post(PATHS[0], json=ask(name, position=board.position)).json()
    assert there["move"] in board.legal_moves
    move = board.legal_moves[-1]
    after = client.post(PATHS[0], json=ask(name, position=board.position, moves=[move])).json()
    assert after["move"] in board.play(move).legal_moves


def test_analyse_values_every_legal_move(client: httpx.Client, name: str) -> None:
    board = gokaku.game(name).start()
    board = board.play(board.legal_moves[0])
    answer = client.post(PATHS[1], json={"game": name, "moves": board.moves, "limit_ms": 100})
    assert answer.status_code == 200, answer.text
    analysis = answer.json()
    assert analysis["turn"] == board.turn
    assert sorted(one["move"] for one in analysis["values"]) == sorted(board.legal_moves)
    values = [one["value"] for one in analysis["values"]]
    assert values == sorted(values, reverse=True)
    assert analysis["line"][0] == analysis["values"][0]["move"]
    for move in analysis["line"]:
        board = board.play(move)


@pytest.mark.parametrize("path", PATHS)
def test_unknown_game(client: httpx.Client, path: str) -> None:
    body = ask(NAMES[0], game="chess")
    if path != PATHS[0]:
        del body["opponent"]
    message = refused(client, body, 422, "unknown_game", path)
    assert "'chess'" in message
    assert all(name in message for name in NAMES)


def test_unknown_opponent(client: httpx.Client, name: str) -> None:
    message = refused(client, ask(name, opponent="nobody"), 422, "unknown_opponent")
    assert "'nobody'" in message
    assert all(one in message for one in names(name))


def test_opponent_of_another_game(client: httpx.Client) -> None:
    everyone = {one for name in NAMES for one in names(name)}
    strangers = [(name, one) for name in NAMES for one in sorted(everyone - set(names(name)))]
    assert strangers
    for name, stranger in strangers:
        message = refused(client, ask(name, opponent=stranger), 422, "unknown_opponent")
        assert stranger in message
        assert name in message


def test_illegal_move_names_ply_and_what_was_legal(client: httpx.Client, name: str) -> None:
    board = gokaku.game(name).start()
    move = board.legal_moves[0]
    message = refused(client, ask(name, moves=[move, "nonsense"]), 422, "illegal_move")
    assert "ply 2" in message
    assert "'nonsense'" in message
    assert all(one in message for one in board.play(move).legal_moves)
    message = refused(client, ask(name, moves=[move, move]), 422, "illegal_move")
    assert "ply 2" in message
    assert "second" in message


def test_wrong_side(client: httpx.Client) -> None:
    tried = 0
    for name in NAMES:
        start = gokaku.game(name).start()
        theirs = set(start.play(start.legal_moves[0]).legal_moves) - set(start.legal_moves)
        for move in sorted(theirs)[:3]:
            message = refused(client, ask(name, moves=[move]), 422, "illegal_move")
            assert repr(move) in message
            assert "for first" in message
            tried += 1
    assert tried, "no game has moves that are one side's only"


def test_finished_game(client: httpx.Client, name: str, finished: dict[str, list[str]]) -> None:
    moves = finished[name]
    for path in PATHS:
        body = ask(name, moves=moves)
        if path != PATHS[0]:
            del body["opponent"]
        assert "over" in refused(client, body, 422, "game_over", path)
    message = refused(client, ask(name, moves=[*moves, moves[0]]), 422, "game_over")
    assert f"ply {len(moves) + 1}" in message


@pytest.mark.parametrize("text", ["", "?", "nonsense", "\x00", "先手", "/" * 100, "9" * 1999])
def test_malformed_position(client: httpx.Client, name: str, text: str) -> None:
    message = refused(client, ask(name, position=text), 422, "bad_position")
    assert name in message


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"  ",
        b"{",
        b"{1, 2",
        b'{"game": "\xff"}',
        b"game=x&moves=y",
        b"\x00" * 9,
        b"nan",
        b'{"game": "x", "opponent": "y"}}',
    ],
)
def test_malformed_json(client: httpx.Client, body: bytes) -> None:
    assert "expected a JSON object" in refused(client, body, 400, "malformed_json")


@pytest.mark.parametrize(
    ("change", "named"),
    [
        ({"game": 3}, "$.game"),
        ({"moves": "a1"}, "$.moves"),
        ({"moves": ["a1", None]}, "$.moves[1]"),
        ({"moves": ["x" * 65]}, "$.moves[0]"),
        ({"moves": ["x"] * (wire.MAX_PLIES + 1)}, "$.moves"),
        ({"position": 0}, "$.position"),
        ({"position": "x" * 2001}, "$.position"),
        ({"limit_ms": 0}, "$.limit_ms"),
        ({"limit_ms": 5001}, "$.limit_ms"),
        ({"limit_ms": "50"}, "$.limit_ms"),
        ({"limit_ms": 1e300}, "$.limit_ms"),
        ({"seed": -1}, "$.seed"),
        ({"seed": 10**30}, "$.seed"),
        ({"level": 9}, "$.level"),
        ({"opponent": None}, "$.opponent"),
        ({"limitms": 50}, "limitms"),
    ],
)
def test_wrong_types_are_named(client: httpx.Client, change: dict[str, Any], named: str) -> None:
    assert named in refused(client, ask(NAMES[0]) | change, 400, "bad_request")


@pytest.mark.parametrize("body", [b"[]", b"null", b"1", b'"x"', b"{}"])
def test_not_an_object_or_empty(client: httpx.Client, body: bytes) -> None:
    assert "expected a JSON object with game" in refused(client, body, 400, "bad_request")


def test_deep_nesting(client: httpx.Client) -> None:
    deep = b'{"game": ' + b"[" * 30_000 + b"]" * 30_000 + b"}"
    answer = client.post(PATHS[0], content=deep)
    assert answer.status_code == 400


@pytest.mark.parametrize("size", [wire.MAX_BODY + 1, 1_000_000])
def test_large_body(client: httpx.Client, size: int) -> None:
    message = refused(client, b"[" + b"1," * (size // 2), 413, "body_too_large")
    assert f"{wire.MAX_BODY:,}" in message


def test_wrong_address_and_method(client: httpx.Client) -> None:
    answer = client.get("/api/v1/replay")
    assert answer.status_code == 404
    assert "POST /api/v1/reply" in answer.json()["error"]["message"]
    answer = client.get("/api/v1/reply")
    assert answer.status_code == 405
    assert answer.headers["allow"] == "POST"
    assert "POST" in answer.json()["error"]["message"]


def test_status(client: httpx.Client) -> None:
    status = client.get("/api/v1/status").json()
    assert [one["game"] for one in status["kernels"]] == list(NAMES)
    assert status["workers"] == 1
    assert status["waiting"] == 0
    assert status["uptime"] > 0


def test_longest_game_is_read_in_time(client: httpx.Client) -> None:
    """A thousand plies from a client that means ill are checked within the patience of one that does not."""
    for name in NAMES:
        answer = client.post(PATHS[0], json=ask(name, moves=["nonsense"] * wire.MAX_PLIES))
        assert answer.status_code == 422
