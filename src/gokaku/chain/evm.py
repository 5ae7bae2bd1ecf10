"""The contract in an EVM in this process (py-evm): for the gas table and for tests.

Every transaction runs in an EVM made for it from the storage that the last one left, so what it costs is
what its receipt on a real chain says: all storage is cold.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from eth.chains.base import MiningChain
from eth.db.atomic import AtomicDB
from eth.vm.forks.prague import PragueVM
from eth.vm.spoof import SpoofTransaction
from eth_utils import keccak

from gokaku.chain import Contract, abi, contract

#: Whoever plays where nobody is named, and where the contract stands.
PLAYER = "0x" + "11" * 20
CONTRACT = "0x" + "c0" * 20

#: What a transaction costs before it runs: itself, a zero byte, another byte (EIP-2028).
TRANSACTION, ZERO_BYTE, BYTE = 21_000, 4, 16

_GAS = 10_000_000  # more than anything here needs

#: The rules that gas is counted by; later forks have not changed what this contract uses.
_Chain = MiningChain.configure("_Chain", vm_configuration=((0, PragueVM),), chain_id=31337)
_GENESIS: dict[str, Any] = {
    "difficulty": 0,
    "gas_limit": 2 * _GAS,
    "timestamp": 1,
    "coinbase": bytes(20),
    "extra_data": b"",
    "mix_hash": bytes(32),
    "nonce": bytes(8),
}


class Reverted(Exception):
    """The contract refused. name, arguments: of its error; ("", ()) if it gave none."""

    def __init__(self, name: str, arguments: tuple[Any, ...]) -> None:
        super().__init__(f"{name}({', '.join(map(str, arguments))})")
        self.name = name
        self.arguments = arguments


@dataclass(frozen=True)
class Receipt:
    """What a transaction did. value: what the function returned; gas: as in a receipt.

    events: name and arguments by name, in order. data: what was sent.
    """

    value: Any
    gas: int
    events: tuple[tuple[str, dict[str, Any]], ...]
    data: bytes

    @property
    def executed(self) -> int:
        """Gas without what any transaction with these data costs."""
        zeros = self.data.count(0)
        return self.gas - TRANSACTION - ZERO_BYTE * zeros - BYTE * (len(self.data) - zeros)


@dataclass
class Chain:
    """The contract on a chain of its own. storage: by slot; block: that of transactions, 0 or 1."""

    code: Contract = field(default_factory=contract)
    storage: dict[int, int] = field(default_factory=dict)
    block: int = 1
    _still: Any = field(default=None, repr=False)

    def send(self, name: str, *arguments: Any, sender: str = PLAYER, value: int = 0) -> Receipt:
        """Sends a transaction and keeps what it changed. Raises Reverted."""
        vm = _vm(self.code, self.storage, sender, self.block)
        receipt = self._run(vm, name, arguments, sender, value)
        stored = vm.state.get_storage
        for slot in (_COUNT, *map(slot_of, range(stored(_address(CONTRACT), _COUNT)))):
            if word := stored(_address(CONTRACT), slot):
                self.storage[slot] = word
        self._still = None
        return receipt

    def look(self, name: str, *arguments: Any) -> Receipt:
        """As `send`, but nothing is kept. The gas is right for what reads no storage. Raises Reverted."""
        if self._still is None:
            self._still = _vm(self.code, self.storage, PLAYER, self.block)
        before = self._still.state.snapshot()
        try:
            return self._run(self._still, name, arguments, PLAYER, 0)
        finally:
            self._still.state.revert(before)

    def _run(self, vm: Any, name: str, arguments: tuple[Any, ...], sender: str, value: int) -> Receipt:
        data = abi.call(self.code.abi, name, arguments)
        done, gas = _transact(vm, sender, CONTRACT, value, data)
        if done.is_error:
            refusal, values = abi.error(self.code.abi, done.output)
            raise Reverted(refusal, tuple(values.values()))
        return Receipt(
            value=abi.returned(self.code.abi, name, done.output),
            gas=gas,
            events=tuple(self._event(topics, rest) for _, topics, rest in done.get_log_entries()),
            data=data,
        )

    def copy(self) -> Chain:
        """The same chain, to try something on."""
        return Chain(self.code, dict(self.storage), self.block)

    def _event(self, topics: tuple[int, ...], data: bytes) -> tuple[str, dict[str, Any]]:
        return abi.event(self.code.abi, [topic.to_bytes(32, "big") for topic in topics], data)


def deployment_gas(code: Contract | None = None) -> int:
    """What it costs to put the contract on a chain."""
    code = code or contract()
    return _transact(_vm(code, {}, PLAYER), PLAYER, "", 0, code.bytecode)[1]


def _vm(code: Contract, storage: dict[int, int], sender: str, block: int = 1) -> Any:
    """An EVM in which the contract stands and the sender has something to spend."""
    state: Any = {
        _address(CONTRACT): {"balance": 0, "nonce": 1, "code": code.runtime, "storage": storage},
        _address(sender): {"balance": 10**20, "nonce": 0, "code": b"", "storage": {}},
    }
    chain: Any = _Chain.from_genesis(AtomicDB(), _GENESIS, state)
    return chain.get_vm(chain.get_canonical_block_header_by_number(0)) if block == 0 else chain.get_vm()


def _transact(vm: Any, sender: str, to: str, value: int, data: bytes) -> tuple[Any, int]:
    """What a transaction computed, and the gas it used."""
    plain = vm.get_transaction_builder().create_unsigned_transaction(
        nonce=0, gas_price=10**10, gas=_GAS, to=_address(to), value=value, data=data
    )
    spoofed = SpoofTransaction(plain, from_=_address(sender))  # signing is not what is tested
    done = vm.state.apply_transaction(spoofed)
    # Nothing is ever cleared, so nothing is refunded.
    return done, _GAS - done.get_gas_remaining()


def _address(text: str) -> bytes:
    return bytes.fromhex(text.removeprefix("0x"))


#: The storage that Vyper lays out: `gameCount`, then the games by number.
_COUNT, _GAMES = 0, 1


def slot_of(game: int) -> int:
    """The slot of a game's word."""
    return int.from_bytes(keccak(_GAMES.to_bytes(32, "big") + game.to_bytes(32, "big")), "big")
