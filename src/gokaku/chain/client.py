"""The contract on a real chain, over JSON-RPC (web3.py): deploy it, begin a game, move, look.

Every transaction is simulated before it is sent, so that a refusal has its name and costs nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from web3 import HTTPProvider, Web3
from web3.exceptions import ContractCustomError, Web3Exception, Web3RPCError

from gokaku.chain import abi, contract
from gokaku.chain.networks import Network, by_id

if TYPE_CHECKING:
    from eth_account.signers.local import LocalAccount
    from eth_typing import ChecksumAddress

#: Seconds that a node may take to answer, and a transaction to be taken into a block.
_ANSWER, _BLOCK = 20, 180

#: Gas allowed beyond the estimate: on easy another block's hash may make the answer dearer, or the last.
SPARE = 5_000

_WORDS = {
    "NoSuchGame": "there is no game {gameId}",
    "GameOver": "game {gameId} is over",
    "NotYourGame": "this game is played by {player}, not by {caller}",
    "GameMovedOn": "game {gameId} has moved on: {moves} moves have been made",
    "CellOutOfRange": "there is no cell {cell}: they are 0 to 8",
    "CellTaken": "cell {cell} is taken",
    "BoardFull": "the board is full",
    "NoSuchDifficulty": "there is no rung {difficulty}: 0 is easy, 1 normal, 2 hard",
}


class Refused(Exception):
    """The contract, the node or the network says no. name: of the contract's error, or ""."""

    def __init__(self, text: str, name: str = "") -> None:
        super().__init__(text)
        self.name = name


@dataclass(frozen=True)
class Game:
    """A game as the contract keeps it. board: nine cells, 0 empty, 1 the person's, 2 the machine's;
    result: 0 in progress, 1 the person won, 2 the machine won, 3 draw."""

    number: int
    player: str
    board: tuple[int, ...]
    moves: int
    difficulty: int
    result: int
    cpu_first: bool


@dataclass(frozen=True)
class Done:
    """A transaction in a block. events: name and arguments by name; gas: used; fee: in wei."""

    hash: str
    gas: int
    fee: int
    events: tuple[tuple[str, dict[str, Any]], ...]
    contract: str = ""


class Solo:
    """One person at one network. address: the contract's, once `use` or `deploy` has found it."""

    def __init__(self, rpc: str, account: LocalAccount | None) -> None:
        """Connects. account: who signs; None leaves that to the node, as a chain of one's own can.

        Raises Refused: nobody answers, a network that is no known test network, nobody to sign.
        """
        self._web3 = Web3(HTTPProvider(rpc, request_kwargs={"timeout": _ANSWER}))
        try:
            self.network: Network = by_id(self._web3.eth.chain_id)
        except (OSError, Web3Exception):
            raise Refused(f"no node answers at {rpc}") from None
        except ValueError as error:
            raise Refused(str(error)) from None
        self._account = account
        self.player: ChecksumAddress = account.address if account else self._unlocked()
        self.address = ""
        self._contract: Any = None

    def _unlocked(self) -> ChecksumAddress:
        from gokaku.chain.keys import KEY

        accounts = self._web3.eth.accounts if self.network.name == "anvil" else ()
        if not accounts:
            raise Refused(f"on {self.network.title} somebody has to sign: set ${KEY} or name a --keystore")
        return accounts[0]

    def use(self, address: str) -> None:
        """Plays the contract at that address. Raises Refused if it does not stand there."""
        if not Web3.is_address(address):
            raise Refused(f"an address is 0x and 40 hexadecimal digits, not {address!r}")
        there = Web3.to_checksum_address(address)
        code = bytes(self._web3.eth.get_code(there))
        if code != contract().runtime:
            what = "another contract stands" if code else "no contract stands"
            raise Refused(f"{what} at {address} on {self.network.title}")
        self.address = there
        self._contract = self._web3.eth.contract(address=there, abi=contract().abi)

    # --- what costs a fee ---

    def deploy(self) -> Done:
        """Puts the contract on the chain. Raises Refused."""
        code = contract()
        done = self._send(self._web3.eth.contract(abi=code.abi, bytecode=code.bytecode).constructor())
        self.use(done.contract)
        return done

    def new_game(self, difficulty: int, cpu_first: bool) -> tuple[int, Done]:
        """Begins a game; its number. Raises Refused."""
        done = self._send(self._contract.functions.newGame(difficulty, cpu_first))
        return int(dict(done.events)["GameCreated"]["gameId"]), done

    def play(self, game: Game, cell: int) -> Done:
        """Takes a cell, if the game is still as it is known here. Raises Refused."""
        return self._send(self._contract.functions.playAt(game.number, cell, game.moves))

    def cost(self, game: Game, cell: int) -> int:
        """What `play` would cost at present, in wei. Raises Refused."""
        call = self._contract.functions.playAt(game.number, cell, game.moves)
        try:
            return int(call.estimate_gas({"from": self.player}) * self._web3.eth.gas_price)
        except (Web3Exception, OSError) as error:
            raise self._refusal(error) from None

    @property
    def nonce(self) -> int:
        """How many transactions the player has sent."""
        return self._web3.eth.get_transaction_count(self.player, "pending")

    def _send(self, call: Any) -> Done:
        eth = self._web3.eth
        try:
            # Estimating runs it: what the contract refuses is refused here.
            gas = call.estimate_gas({"from": self.player}) + SPARE
            plain = call.build_transaction({"from": self.player, "nonce": self.nonce, "gas": gas})
            if self._account:
                sent = eth.send_raw_transaction(self._account.sign_transaction(plain).raw_transaction)
            else:
                sent = eth.send_transaction(plain)
            receipt = eth.wait_for_transaction_receipt(sent, timeout=_BLOCK)
        except (Web3Exception, OSError) as error:
            raise self._refusal(error) from None
        if not receipt["status"]:
            raise Refused(
                f"transaction {sent.to_0x_hex()} failed in its block, though its simulation did not"
            )
        return Done(
            hash=sent.to_0x_hex(),
            gas=receipt["gasUsed"],
            fee=receipt["gasUsed"] * receipt["effectiveGasPrice"],
            events=tuple(
                abi.event(contract().abi, list(map(bytes, log["topics"])), bytes(log["data"]))
                for log in receipt["logs"]
            ),
            contract=receipt.get("contractAddress") or "",
        )

    # --- what costs nothing ---

    def game(self, number: int) -> Game:
        """The game of that number. Raises Refused."""
        try:
            player, _, _, moves, difficulty, result, cpu_first = self._contract.functions.getGame(
                number
            ).call()
            board = self._contract.functions.boardOf(number).call()
        except (Web3Exception, OSError) as error:
            raise self._refusal(error) from None
        return Game(number, player, tuple(board), moves, difficulty, result, cpu_first)

    def _refusal(self, error: Exception) -> Refused:
        if isinstance(error, ContractCustomError) and isinstance(error.data, str):
            name, values = abi.error(contract().abi, bytes.fromhex(error.data.removeprefix("0x")))
            if name:
                return Refused(_WORDS[name].format(**values), name)
        if isinstance(error, Web3RPCError) and error.rpc_response:
            return Refused(str(error.rpc_response["error"]["message"]))
        return Refused(f"{self.network.title}: {error}")
