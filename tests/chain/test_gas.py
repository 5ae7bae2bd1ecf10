"""What the contract may cost, and that a real chain asks the same."""

from __future__ import annotations

from typing import Any

import pytest
from web3 import Web3

from gokaku.chain import anvil, contract, gas
from gokaku.chain.evm import Chain, deployment_gas

#: Most units of gas: what each function was built to stay under.
CEILINGS = {"deployment": 1_000_000, "newGame": 72_000, "play": 34_000, "previewCpuMove": 3_500}


def test_gas_stays_under_its_ceilings() -> None:
    found = gas.measure()
    assert found.keys() == CEILINGS.keys()
    for name, most in CEILINGS.items():
        assert found[name].most <= most, name
    assert found["play"].average <= 32_000


CALLS: list[tuple[Any, ...]] = [
    ("newGame", 2, False),
    ("play", 0, 0),
    ("playAt", 0, 8, 2),
    ("newGame", 2, True),
    ("newGame", 1, False),
    ("play", 2, 0),
    ("play", 2, 8),
    ("play", 2, 6),
    ("play", 2, 7),
]


def test_a_real_chain_asks_the_same() -> None:
    chain = Chain()
    with anvil.running() as url:
        web3 = Web3(Web3.HTTPProvider(url))
        sender = web3.eth.accounts[0]
        code = contract()
        factory = web3.eth.contract(abi=code.abi, bytecode=code.bytecode)
        deployed = web3.eth.wait_for_transaction_receipt(factory.constructor().transact({"from": sender}))
        assert deployed["gasUsed"] == deployment_gas()
        there = web3.eth.contract(deployed["contractAddress"], abi=code.abi)
        for name, *arguments in CALLS:
            sent = there.functions[name](*arguments).transact({"from": sender})
            receipt = web3.eth.wait_for_transaction_receipt(sent)
            # The sender's address is data too, and costs by its zero bytes.
            assert receipt["gasUsed"] == chain.send(name, *arguments, sender=sender).gas, (name, arguments)
        assert there.functions.boardOf(2).call() == list(chain.look("boardOf", 2).value)
        with pytest.raises(Exception, match="0x"):
            there.functions.play(2, 3).call({"from": sender})
