"""The opponent on the chain: the compiled contract, and talking to it.

Law: the contract decides; here is only what it takes to deploy it, ask it and read its answers.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

__all__ = ["Contract", "NotBuilt", "contract", "contract_file"]

_FILE = "solo.json"


class NotBuilt(RuntimeError):
    """The package holds no compiled contract."""


@dataclass(frozen=True)
class Contract:
    """The compiled contract.

    abi: its functions, events and errors. bytecode: what a deployment sends. runtime: what then stands
    at the contract's address.
    """

    abi: list[dict[str, Any]]
    bytecode: bytes
    runtime: bytes
    compiler: str

    @staticmethod
    def read(found: dict[str, Any]) -> Contract:
        """The contract from what chain/build.py makes."""
        return Contract(
            abi=found["abi"],
            bytecode=bytes.fromhex(found["bytecode"].removeprefix("0x")),
            runtime=bytes.fromhex(found["runtime"].removeprefix("0x")),
            compiler=found["compiler"],
        )


def contract_file() -> bytes:
    """The compiled contract as JSON: compiler, abi, bytecode, runtime, digest. Raises NotBuilt."""
    try:
        return (resources.files("gokaku.chain") / _FILE).read_bytes()
    except FileNotFoundError:
        raise NotBuilt("the contract is not compiled; run `make contract`") from None


@cache
def contract() -> Contract:
    """The compiled contract. Raises NotBuilt."""
    return Contract.read(json.loads(contract_file()))
