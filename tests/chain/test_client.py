"""Playing over JSON-RPC against a real node: anvil."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from eth_account import Account
from eth_typing import HexStr

from gokaku.chain import anvil, keys, networks
from gokaku.chain.client import Refused, Solo

#: Anvil's first account: its key is public, and it has money there and nowhere else.
KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80"
OWNER = "0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266"


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with anvil.running() as address:
        yield address


@pytest.fixture(scope="module")
def solo(url: str) -> Solo:
    player = Solo(url, None)
    player.deploy()
    return player


def never() -> str:
    raise AssertionError("nobody is to be asked")


def test_a_game_from_the_first_move_to_the_last(solo: Solo) -> None:
    number, begun = solo.new_game(1, cpu_first=False)
    assert dict(begun.events)["GameCreated"]["cpuCell"] == 255
    for cell in (0, 8, 6):
        game = solo.game(number)
        expected = solo.cost(game, cell)
        done = solo.play(game, cell)
        assert 0.9 < done.fee / expected < 1.1
        assert done.gas < 34_000
    done = solo.play(solo.game(number), 7)
    assert [name for name, _ in done.events] == ["MovePlayed", "GameFinished"]
    game = solo.game(number)
    assert (game.result, game.moves, game.player) == (1, 7, solo.player)
    assert [game.board[cell] for cell in (0, 8, 6, 7)] == [1] * 4


def test_what_the_contract_refuses_is_said_in_words_and_costs_nothing(solo: Solo) -> None:
    number, _ = solo.new_game(2, cpu_first=True)
    game = solo.game(number)
    before = solo.nonce
    refusals: list[tuple[Callable[[], Any], str, str]] = [
        (lambda: solo.play(game, 4), "CellTaken", "cell 4 is taken"),
        (lambda: solo.play(game, 9), "CellOutOfRange", "no cell 9"),
        (lambda: solo.cost(game, 4), "CellTaken", "cell 4 is taken"),
        (lambda: solo.game(99), "NoSuchGame", "no game 99"),
        (lambda: solo.new_game(3, cpu_first=False), "NoSuchDifficulty", "no rung 3"),
    ]
    for attempt, name, text in refusals:
        with pytest.raises(Refused, match=text) as refused:
            attempt()
        assert refused.value.name == name
    assert solo.nonce == before
    solo.play(game, 0)
    with pytest.raises(Refused, match="moved on: 3 moves"):
        solo.play(game, 8)


def test_a_stranger_is_told_whose_game_it_is(url: str, solo: Solo) -> None:
    number, _ = solo.new_game(2, cpu_first=False)
    stranger = Solo(url, Account.create())
    stranger.use(solo.address)
    with pytest.raises(Refused, match=f"(?i){solo.player}") as refused:
        stranger.play(stranger.game(number), 0)
    assert refused.value.name == "NotYourGame"


def test_a_key_signs(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(keys.KEY, KEY)
    player = Solo(url, keys.account(None, never))
    assert player.player == OWNER
    player.deploy()
    # On easy what an answer costs is only known in its block: the estimate alone would not always do.
    assert [player.new_game(0, cpu_first=True)[0] for _ in range(20)] == list(range(20))


def test_what_cannot_be_played_is_refused(url: str, solo: Solo) -> None:
    with pytest.raises(Refused, match="no node answers"):
        Solo("http://127.0.0.1:1", None)
    with pytest.raises(Refused, match="no contract stands at"):
        Solo(url, None).use(OWNER)
    with pytest.raises(Refused, match="40 hexadecimal digits"):
        Solo(url, None).use("sepolia")
    with pytest.raises(Refused, match=r"(?i)insufficient"):
        Solo(url, Account.create()).deploy()


def test_a_mainnet_is_refused() -> None:
    with anvil.running(chain=1) as url, pytest.raises(Refused, match="mainnets are refused"):
        Solo(url, None)


def test_a_test_network_needs_a_signature() -> None:
    with anvil.running(chain=11155111) as url, pytest.raises(Refused, match="somebody has to sign"):
        Solo(url, None)


# --- keys ---


def test_no_key_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(keys.KEY, raising=False)
    assert keys.account(None, never) is None


@pytest.mark.parametrize("text", ["", "abc", KEY[:-1] + "g", KEY + "00", "0x" + "00" * 32])
def test_a_wrong_key_is_not_repeated(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(keys.KEY, text)
    with pytest.raises(keys.NoKey, match="64 hexadecimal digits") as refused:
        keys.account(None, never)
    assert not text or text not in str(refused.value)
    assert refused.value.__cause__ is None
    assert refused.value.__context__ is None


def test_a_keystore_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "key.json"
    file.write_text(json.dumps(Account.encrypt(HexStr(KEY), "right", kdf="pbkdf2", iterations=1_000)))
    monkeypatch.delenv(keys.PASSWORD, raising=False)
    opened = keys.account(file, lambda: "right")
    assert opened is not None
    assert opened.address == OWNER
    with pytest.raises(keys.NoKey, match="password is wrong"):
        keys.account(file, lambda: "wrong")
    monkeypatch.setenv(keys.PASSWORD, "right")
    assert keys.account(file, never) is not None
    file.write_text("not JSON")
    with pytest.raises(keys.NoKey, match="expected JSON"):
        keys.account(file, never)
    with pytest.raises(keys.NoKey, match="cannot read"):
        keys.account(tmp_path / "none", never)


# --- networks ---


def test_deployments_are_read() -> None:
    address = "0x" + "aB" * 20
    found = networks.deployments(f" sepolia:{address}, anvil:{address},")
    assert [(one.network.id, one.address) for one in found] == [(11155111, address), (31337, address)]
    assert networks.deployments("") == ()


@pytest.mark.parametrize(
    ("text", "message"),
    [("mainnet:0x" + "00" * 20, "unknown network"), ("sepolia", "NETWORK:ADDRESS"), ("sepolia:0x12", "not")],
)
def test_a_wrong_deployment_is_named(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        networks.deployments(text)
