"""What a move would cost if the machine's random answers were to be unpredictable: commit, then reveal.

    python bench/commit_reveal.py

The contract of chain/solo.vy with two entries more: the person first commits to a cell and a secret, and
a block later reveals both; the seed is made of the secret and the hash of a block that came between. The
gas is from receipts of anvil: the average over the games below, without each game's first move, whose
commitment takes a new word of storage.
"""

from __future__ import annotations

import os
import runpy
from pathlib import Path
from typing import Any

from web3 import HTTPProvider, Web3

from gokaku.chain import anvil

ROOT = Path(__file__).parents[1]
STORED = "_games: HashMap[uint256, uint256]\n"
ENTRIES = """
@external
def commit(gameId: uint256, commitment: bytes32):
    word: uint256 = self._word(gameId)
    player: address = convert(word >> PLAYER, address)
    if player != msg.sender:
        self.NotYourGame(player, msg.sender)
    # The block's number in the place of the hash's first bits.
    self._commitments[gameId] = convert(commitment, uint256) >> 64 << 64 | block.number


@external
def reveal(gameId: uint256, cell: uint8, secret: bytes32):
    kept: uint256 = self._commitments[gameId]
    assert convert(keccak256(abi_encode(cell, secret)), uint256) >> 64 == kept >> 64, "another commitment"
    committed: uint256 = kept & (2**64 - 1)
    assert committed != 0 and committed < block.number, "too early"
    self._commitments[gameId] = kept & ~(2**64 - 1)  # used, and the word stays: nothing new to pay for
    self._secret = convert(keccak256(abi_encode(secret, blockhash(committed))), uint256)
    self._play(gameId, cell, UNASKED)


# --- reading ---
"""
SEEDED = "            seed = self._seed(gameId, unsafe_add(moves, 1))\n"


def main() -> None:
    build = runpy.run_path(str(ROOT / "chain/build.py"))
    source = (ROOT / "chain/solo.vy").read_text()
    for old, new in (
        (STORED, STORED + "_commitments: HashMap[uint256, uint256]\n_secret: transient(uint256)\n"),
        ("\n# --- reading ---\n", ENTRIES),
        (SEEDED, "            seed = self._secret\n"),
    ):
        if source.count(old) != 1:
            raise SystemExit(f"chain/solo.vy has changed: {old.strip()!r} is not there once")
        source = source.replace(old, new)
    found = build["compile_contract"](source)
    with anvil.running() as url:
        gas = [cost for _ in range(20) for cost in play(url, found)[1:]]
    print(f"{len(gas)} moves, two transactions each: {sum(gas) / len(gas):,.0f} gas a move on average")


def play(url: str, code: dict[str, Any]) -> list[int]:
    """The gas of both transactions of every move of an easy game."""
    web3 = Web3(HTTPProvider(url))
    me = web3.eth.accounts[0]

    def send(call: Any) -> Any:
        sent = call.transact({"from": me, "gas": 2_000_000})
        receipt = web3.eth.wait_for_transaction_receipt(sent)
        if not receipt["status"]:
            raise SystemExit("a transaction failed")
        return receipt

    factory = web3.eth.contract(abi=code["abi"], bytecode=code["bytecode"])
    there = web3.eth.contract(send(factory.constructor())["contractAddress"], abi=code["abi"])
    send(there.functions.newGame(0, False))
    gas = []
    while there.functions.getGame(0).call()[5] == 0:
        cell = there.functions.boardOf(0).call().index(0)
        secret = os.urandom(32)
        commitment = web3.keccak(cell.to_bytes(32, "big") + secret)
        first = send(there.functions.commit(0, commitment))
        second = send(there.functions.reveal(0, cell, secret))
        gas.append(first["gasUsed"] + second["gasUsed"])
    return gas


if __name__ == "__main__":
    main()
