"""gokaku chain: a chain of one's own, deploying, a game in the terminal, what gas is printed."""

from __future__ import annotations

import json
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from gokaku.chain import gas
from gokaku.chain.gas import Gas
from gokaku.chain.keys import KEY

from .conftest import Run

GOKAKU = Path(sys.executable).with_name("gokaku")


@pytest.fixture(scope="module")
def chain() -> Iterator[tuple[str, str]]:
    """What `gokaku chain dev` says: the node's address and the contract's."""
    command = [str(GOKAKU), "chain", "dev", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as dev:
        assert dev.stdout is not None
        try:
            said = [dev.stdout.readline() for _ in range(4)]
            url = re.search(r"http://\S+(?=,)", said[0])
            address = re.search(r"0x\w{40}", said[1])
            assert url, said
            assert address, said
            assert f"gokaku serve --chain anvil:{address[0]}" in said[3]
            yield url[0], address[0]
        finally:
            dev.send_signal(signal.SIGTERM)
            assert dev.wait(20) == 0


def test_a_game_that_the_machine_loses(run: Run, chain: tuple[str, str]) -> None:
    url, address = chain
    typed = "0\n0\n9\nelephant\n\n8\n6\n7\n"
    done = run("chain", "play", "--rpc", url, "--address", address, "--difficulty", "normal", typed=typed)
    assert done.status == 0
    for text in ("The contract takes 4.", "cell 0 is taken", "no cell 9", "not 'elephant'", "You win!"):
        assert text in done.out
    assert len(re.findall(r"[\d,]+ gas, \S+ ETH, transaction", done.out)) == 4


def test_a_game_is_gone_on_with(run: Run, chain: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    url, address = chain
    monkeypatch.setenv("GOKAKU_CHAIN", f"anvil:{address}")
    begun = run("chain", "play", "--rpc", url, "--second", typed="0\nquit\n")
    number = re.search(r"--game (\d+)", begun.out)
    assert number
    done = run("chain", "play", "--rpc", url, "--game", number[1], typed="")
    assert (done.status, done.out.count("O"), done.out.count("X")) == (0, 2, 1)


def test_deploying(run: Run, chain: tuple[str, str]) -> None:
    done = run("chain", "deploy", "--rpc", chain[0])
    assert done.status == 0
    assert re.search(r"at 0x\w{40}: 97\d,\d{3} gas", done.out)


@pytest.mark.parametrize(
    ("arguments", "status", "text"),
    [
        (["play", "--rpc", "mainnet"], 2, "unknown network 'mainnet'"),
        (["play", "--difficulty", "divine"], 2, "not 'divine'"),
        (["deploy", "--rpc", "http://127.0.0.1:1"], 1, "no node answers"),
        (["deploy", "--keystore", "/nowhere"], 1, "cannot read /nowhere"),
        (["dev", "--port", "99999"], 2, "65535"),
    ],
)
def test_refusals(
    run: Run, arguments: list[str], status: int, text: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("GOKAKU_CHAIN", raising=False)
    done = run("chain", *arguments)
    assert done.status == status
    assert text in done.err
    assert "Traceback" not in done.err


def test_the_address_must_be_known(run: Run, chain: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GOKAKU_CHAIN", raising=False)
    done = run("chain", "play", "--rpc", chain[0])
    assert (done.status, "GOKAKU_CHAIN" in done.err) == (1, True)
    done = run("chain", "play", "--rpc", chain[0], "--address", "0x" + "11" * 20)
    assert (done.status, "no contract stands" in done.err) == (1, True)


def test_a_key_is_never_printed(run: Run, chain: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY, "f00d" * 15)
    done = run("chain", "deploy", "--rpc", chain[0])
    assert done.status == 1
    assert "f00d" not in done.out + done.err


def test_gas_as_json_and_as_a_table(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    # What is measured is tested in tests/chain/test_gas.py and takes a minute.
    monkeypatch.setattr(gas, "measure", lambda tell: {"play": Gas(895, 31852.4, 33096)})
    done = run("chain", "gas", "--json")
    assert json.loads(done.out) == {"play": {"count": 895, "average": 31852.4, "most": 33096}}
    assert re.search(r"play\W+895\W+31,852\W+33,096", run("chain", "gas").out)
