"""The page "On the chain": with a wallet on a real anvil, and in the page's own EVM.

The wallet is a provider put into the page (EIP-1193, announced by EIP-6963). It hands each request to
this process, which forwards it to anvil or answers as a wallet may: no, another network.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import httpx
import pytest
from playwright.sync_api import Locator, expect

from gokaku.chain import abi, anvil, contract
from gokaku.chain.client import Solo
from tests.e2e.conftest import serving

if TYPE_CHECKING:
    from tests.e2e.conftest import Viewer, Visit

EASY, NORMAL, HARD = 0, 1, 2
IN_PROGRESS, WON, LOST, DRAW = 0, 1, 2, 3
# With these the person beats "normal".
WINNING = (0, 8, 6, 7)
MAINNET = "0x1"
NAME = "Test wallet"

ANNOUNCE = """(name) => {
  const listeners = { accountsChanged: new Set(), chainChanged: new Set() }
  const tell = (event, value) => listeners[event].forEach((listener) => listener(value))
  window.tellPage = tell
  const provider = {
    async request(asked) {
      if (asked.method === 'eth_sendTransaction') await window.thinking
      const { result, error } = await window.askWallet(asked)
      if (error) throw Object.assign(new Error(error.message), error)
      // As wallets do: the page hears of the new network from the event, too.
      if (asked.method === 'wallet_switchEthereumChain') tell('chainChanged', asked.params[0].chainId)
      return result
    },
    on: (event, listener) => listeners[event].add(listener),
    removeListener: (event, listener) => listeners[event].delete(listener),
  }
  const uuid = '350670db-19fa-4704-a166-e52e178b59d2'
  const info = { uuid, name, icon: 'data:image/svg+xml,', rdns: 'test.wallet' }
  const announce = () =>
    dispatchEvent(new CustomEvent('eip6963:announceProvider', { detail: Object.freeze({ info, provider }) }))
  addEventListener('eip6963:requestProvider', announce)
  announce()
}"""


class Network(NamedTuple):
    """A chain with the contract, and the server of a page that knows of it."""

    rpc: str
    contract: str
    address: str

    def ask(self, method: str, params: list[Any]) -> dict[str, Any]:
        body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        answer: dict[str, Any] = httpx.post(self.rpc, json=body, timeout=30, trust_env=False).json()
        return answer

    def account(self) -> str:
        """A new one, with money and without games."""
        account = "0x" + secrets.token_hex(20)
        self.ask("anvil_setBalance", [account, hex(10**18)])
        self.ask("anvil_impersonateAccount", [account])
        return account

    def game(self, number: int) -> tuple[Any, ...]:
        """player, boardPlayer, boardCpu, moves, difficulty, result, cpuFirst."""
        data = abi.call(contract().abi, "getGame", (number,))
        found = self.ask("eth_call", [{"to": self.contract, "data": "0x" + data.hex()}, "latest"])
        return tuple(abi.returned(contract().abi, "getGame", bytes.fromhex(found["result"][2:])))


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Network]:
    with anvil.running() as rpc:
        address = Solo(rpc, None).deploy().contract
        log = tmp_path_factory.mktemp("server") / "log"
        with serving(log, "--chain", f"anvil:{address}") as page:
            yield Network(rpc, address, page)


class Wallet:
    """Answers the page as the person behind a wallet would."""

    def __init__(self, network: Network) -> None:
        self.network = network
        self.account = network.account()
        self.asked: list[str] = []
        self.refuses = False
        #: Says that it is on this network instead.
        self.elsewhere: str | None = None
        #: Does not know the page's network until it is told of it.
        self.ignorant = False

    def sent(self) -> int:
        return self.asked.count("eth_sendTransaction")

    def request(self, source: object, asked: dict[str, Any]) -> dict[str, Any]:
        method, params = asked["method"], asked.get("params") or []
        self.asked.append(method)
        match method:
            case "eth_accounts" | "eth_requestAccounts":
                return {"result": [self.account]}
            case "eth_sendTransaction" if self.refuses:
                return {"error": {"code": 4001, "message": "User rejected the request."}}
            case "eth_chainId" if self.elsewhere:
                return {"result": self.elsewhere}
            case "wallet_switchEthereumChain" if self.ignorant:
                return {"error": {"code": 4902, "message": "Unrecognized chain ID."}}
            case "wallet_switchEthereumChain":
                self.elsewhere = None
                return {"result": None}
            case "wallet_addEthereumChain":
                assert params[0]["rpcUrls"]
                self.ignorant = False
                return {"result": None}
        return self.network.ask(method, params)


class Table:
    """The page as the person sees it, who clicks cells and reads what it says."""

    def __init__(self, one: Visit) -> None:
        self.one = one
        self.page = one.page
        self.board = one.page.get_by_test_id("chain-board")
        self.status = one.page.get_by_test_id("chain-status")
        self.problem = one.page.get_by_test_id("problem")

    def sit(self) -> None:
        self.one.go("chain")
        self.idle()

    def idle(self) -> None:
        """Until nothing is under way."""
        expect(self.page.get_by_test_id("where")).to_have_attribute("data-link", "ready")
        expect(self.status).to_have_attribute("aria-busy", "false")

    def connect(self) -> None:
        self.page.get_by_role("button", name=NAME).click()
        self.idle()

    def start(self, difficulty: int, cpu_first: bool = False) -> None:
        before = self.board.get_attribute("data-game")
        self.page.locator(f"input[name=difficulty][value='{difficulty}']").check()
        self.page.locator(f"input[name=first][value={str(cpu_first).lower()}]").check()
        self.page.get_by_test_id("chain-start").click()
        expect(self.board).to_have_attribute("data-game", _other_than(before))
        self.idle()

    def cell(self, number: int) -> Locator:
        return self.board.locator(f"[data-cell='{number}']")

    def play(self, number: int) -> None:
        """Takes an empty cell, and waits for the answer."""
        before = self.moves
        self.cell(number).click()
        expect(self.board).not_to_have_attribute("data-moves", str(before))
        self.idle()

    @property
    def cells(self) -> list[int]:
        return [int(self.cell(number).get_attribute("data-owner") or 0) for number in range(9)]

    @property
    def game(self) -> int:
        return int(self.board.get_attribute("data-game") or -1)

    @property
    def moves(self) -> int:
        return int(self.board.get_attribute("data-moves") or 0)

    @property
    def result(self) -> int:
        return int(self.status.get_attribute("data-result") or 0)

    @property
    def gas(self) -> str:
        return self.page.get_by_test_id("paid").inner_text()

    def play_out(self) -> None:
        """Takes the first empty cell that the page shows, to the end."""
        while self.result == IN_PROGRESS:
            self.play(self.cells.index(0))


def _other_than(before: str | None) -> Any:
    return re.compile(r"\d" if before is None else rf"^(?!{before}$)\d+$")


@pytest.fixture
def seat(visit: Callable[..., Visit], network: Network) -> Callable[..., tuple[Table, Wallet]]:
    """Makes a person with a wallet, who sits down at the page of the server that knows of the chain."""

    def make(elsewhere: str | None = None) -> tuple[Table, Wallet]:
        one = visit("en")
        table, wallet = Table(one), Wallet(network)
        wallet.elsewhere = elsewhere
        give(one, wallet)
        table.sit()
        return table, wallet

    return make


def give(one: Visit, wallet: Wallet) -> None:
    one.address = wallet.network.address
    one.page.expose_binding("askWallet", wallet.request)
    one.page.add_init_script(f"({ANNOUNCE})({NAME!r})")


def test_a_whole_hard_game_with_a_wallet(seat: Callable[..., tuple[Table, Wallet]]) -> None:
    table, wallet = seat()
    table.connect()
    expect(table.page.get_by_test_id("cost")).to_contain_text("ETH")
    table.start(HARD)
    table.play_out()
    assert table.result in (LOST, DRAW)
    player, persons, machines, moves, difficulty, result, cpu_first = wallet.network.game(table.game)
    assert player == wallet.account
    assert (moves, difficulty, result, cpu_first) == (table.moves, HARD, table.result, False)
    assert table.cells == [(persons >> cell & 1) | (machines >> cell & 1) << 1 for cell in range(9)]
    expect(table.page.get_by_test_id("paid")).to_contain_text("ETH")
    # A second one, in which the contract begins.
    table.start(HARD, cpu_first=True)
    assert table.cells.count(2) == 1
    table.play_out()
    assert table.result in (LOST, DRAW)
    assert wallet.network.game(table.game)[5] == table.result


def test_a_normal_game_that_the_machine_loses(seat: Callable[..., tuple[Table, Wallet]]) -> None:
    table, wallet = seat()
    table.connect()
    # Game 0 would be cheaper: a byte that is nought costs less.
    table.start(NORMAL)
    table.start(NORMAL)
    costs = []
    for cell in WINNING:
        table.play(cell)
        costs.append(table.gas.split(" gas")[0])
    expect(table.status).to_contain_text("You win!")
    assert wallet.network.game(table.game)[5] == WON
    assert wallet.sent() == 2 + len(WINNING)
    # Over is over, as the contract says.
    table.cell(1).click()
    expect(table.problem).to_contain_text("This game is over.")
    assert wallet.sent() == 2 + len(WINNING)
    # The page's own EVM asks the same price for the same moves.
    table.page.locator("[data-place=here]").click()
    table.idle()
    table.start(NORMAL)
    table.start(NORMAL)
    for cell, cost in zip(WINNING, costs, strict=True):
        table.play(cell)
        assert table.gas.startswith(cost)


def test_a_refused_signature_loses_nothing(seat: Callable[..., tuple[Table, Wallet]]) -> None:
    table, wallet = seat()
    table.connect()
    table.start(NORMAL)
    table.play(0)
    before = table.cells
    wallet.refuses = True
    table.cell(8).click()
    expect(table.problem).to_contain_text("You refused in your wallet")
    table.idle()
    assert table.cells == before
    wallet.refuses = False
    table.play(8)
    expect(table.problem).to_have_count(0)
    assert table.cells[8] == 1


def test_the_cost_is_shown_before_the_signature(seat: Callable[..., tuple[Table, Wallet]]) -> None:
    table, wallet = seat()
    table.connect()
    table.start(NORMAL)
    table.page.evaluate("void (window.thinking = new Promise((resolve) => { window.decide = resolve }))")
    sent = wallet.sent()
    table.cell(0).click()
    expect(table.status).to_have_attribute("data-step", "signing")
    expect(table.status).to_contain_text(re.compile(r"about 3\d,\d{3} gas, 0\.0000\d+ ETH"))
    # Meanwhile nothing else is begun.
    table.cell(1).click()
    expect(table.page.get_by_test_id("chain-start")).to_be_disabled()
    assert (table.moves, wallet.sent()) == (0, sent)
    table.page.evaluate("decide()")
    expect(table.board).to_have_attribute("data-moves", "2")
    assert wallet.sent() == sent + 1


def test_a_taken_cell_is_refused_before_anything_is_sent(seat: Callable[..., tuple[Table, Wallet]]) -> None:
    table, wallet = seat()
    table.connect()
    table.start(NORMAL)
    table.play(0)
    before, sent = table.cells, wallet.sent()
    for cell in (0, before.index(2)):
        table.cell(cell).click()
        place = f"row {cell // 3 + 1}, column {cell % 3 + 1} is taken already."
        expect(table.problem).to_contain_text(place)
        expect(table.problem).to_contain_text(f"CellTaken({cell})")
    table.idle()
    assert (table.cells, wallet.sent()) == (before, sent)
    table.play(table.cells.index(0))


@pytest.mark.parametrize("ignorant", [False, True])
def test_the_wrong_network(ignorant: bool, seat: Callable[..., tuple[Table, Wallet]]) -> None:
    table, wallet = seat(elsewhere=MAINNET)
    wallet.ignorant = ignorant
    table.page.get_by_role("button", name=NAME).click()
    expect(table.page.get_by_test_id("obstacle")).to_contain_text("Your wallet is on network 1")
    table.page.get_by_test_id("switch").click()
    table.idle()
    assert "wallet_switchEthereumChain" in wallet.asked
    assert ("wallet_addEthereumChain" in wallet.asked) is ignorant
    table.start(NORMAL)
    table.play(0)
    # The wallet goes away again by itself, and takes another account.
    wallet.elsewhere = MAINNET
    table.page.evaluate("tellPage('chainChanged', '0x1')")
    expect(table.page.get_by_test_id("switch")).to_be_visible()
    expect(table.board).not_to_have_attribute("data-game", "0")
    table.page.get_by_test_id("play-here").click()
    table.idle()
    table.start(NORMAL)


def test_another_account_sees_its_own_games(seat: Callable[..., tuple[Table, Wallet]]) -> None:
    table, wallet = seat()
    table.connect()
    table.start(HARD)
    mine, game = wallet.account, table.game
    wallet.account = wallet.network.account()
    table.page.evaluate("(account) => tellPage('accountsChanged', [account])", wallet.account)
    expect(table.page.get_by_test_id("account")).to_contain_text(wallet.account[-4:], ignore_case=True)
    expect(table.page.locator(f"[data-open='{game}']")).to_have_count(0)
    expect(table.board.locator("[data-owner='1']")).to_have_count(0)
    wallet.account = mine
    table.page.evaluate("(account) => tellPage('accountsChanged', [account])", mine)
    expect(table.board).to_have_attribute("data-game", str(game))


def test_games_are_found_again(seat: Callable[..., tuple[Table, Wallet]]) -> None:
    table, wallet = seat()
    table.connect()
    table.start(NORMAL)
    first = table.game
    table.play(0)
    table.start(HARD, cpu_first=True)
    second, cells = table.game, table.cells
    table.page.reload()
    # The wallet is still the usual one, and the last game is on the board.
    expect(table.board).to_have_attribute("data-game", str(second))
    assert table.cells == cells
    # What the browser kept is lost; the chain has it.
    kept = "Object.keys(localStorage).filter((key) => key.startsWith('gokaku.chain.31337'))"
    table.page.evaluate(f"{kept}.forEach((key) => localStorage.removeItem(key))")
    table.page.reload()
    table.idle()
    expect(table.page.locator("[data-open]")).to_have_count(2)
    table.page.locator(f"[data-open='{first}']").click()
    expect(table.board).to_have_attribute("data-game", str(first))
    for cell in WINNING[1:]:
        table.play(cell)
    assert wallet.network.game(first)[5] == table.result == WON
    expect(table.page.get_by_test_id("games")).to_contain_text("Normal, won")


def test_a_double_click_sends_one_transaction(seat: Callable[..., tuple[Table, Wallet]]) -> None:
    table, wallet = seat()
    table.connect()
    table.start(NORMAL)
    sent = wallet.sent()
    table.cell(0).dblclick()
    expect(table.board).to_have_attribute("data-moves", "2")
    table.idle()
    assert wallet.sent() == sent + 1
    assert wallet.network.game(table.game)[3] == 2


def test_a_game_that_another_window_has_moved_on(seat: Callable[..., tuple[Table, Wallet]]) -> None:
    table, wallet = seat()
    table.connect()
    table.start(NORMAL)
    data = abi.call(contract().abi, "play", (table.game, 0))
    move = {"from": wallet.account, "to": wallet.network.contract, "data": "0x" + data.hex()}
    assert "result" in wallet.network.ask("eth_sendTransaction", [move])
    sent = wallet.sent()
    table.cell(8).click()
    expect(table.problem).to_contain_text("The game has moved on: 2 moves")
    table.idle()
    assert (table.cells[0], table.moves, wallet.sent()) == (1, 2, sent)
    table.play(8)


def test_a_wallet_without_any_network(visit: Callable[..., Visit], network: Network, address: str) -> None:
    """The server knows no deployment: the page says so and offers its own EVM."""
    one = visit("en")
    table = Table(one)
    give(one, Wallet(network))
    one.address = address
    table.sit()
    table.page.get_by_role("button", name=NAME).click()
    expect(table.page.get_by_test_id("obstacle")).to_contain_text("no network with the contract")
    table.page.get_by_test_id("play-here").click()
    table.idle()
    table.start(HARD)


@contextmanager
def _no_requests(table: Table) -> Iterator[None]:
    """Nothing is asked of any server meanwhile."""
    asked: list[str] = []
    table.page.on("request", lambda request: asked.append(request.url))
    yield
    assert asked == []


@pytest.mark.parametrize("known", [False, True], ids=["no chain", "chain"])
def test_without_a_wallet(known: bool, visit: Callable[..., Visit], network: Network) -> None:
    """The same games in the page's own EVM, whether or not the server knows of a chain."""
    one = visit("en")
    if known:
        one.address = network.address
    table = Table(one)
    table.sit()
    expect(table.page.get_by_test_id("where")).to_contain_text("No wallet was found")
    with _no_requests(table):
        table.start(HARD)
        table.play_out()
        assert table.result in (LOST, DRAW)
        table.start(NORMAL)
        for cell in WINNING[:2]:
            table.play(cell)
    game, cells = table.game, table.cells
    table.page.reload()
    table.idle()
    assert (table.game, table.cells) == (game, cells)
    for cell in WINNING[2:]:
        table.play(cell)
    assert table.result == WON
    expect(table.status).to_contain_text("You win!")
    table.cell(0).click()
    expect(table.problem).to_contain_text("This game is over.")
    expect(table.page.get_by_test_id("games").locator("li")).to_have_count(2)


def test_by_keyboard(visit: Callable[..., Visit]) -> None:
    table = Table(visit("en"))
    table.sit()
    table.start(NORMAL)
    table.cell(4).focus()
    for key in ("ArrowUp", "ArrowLeft", "ArrowLeft", "Enter"):
        table.page.keyboard.press(key)
    expect(table.board).to_have_attribute("data-moves", "2")
    assert table.cells[0] == 1
    expect(table.cell(0)).to_be_focused()


def test_it_is_not_offered_without_explanations(visit: Callable[..., Visit]) -> None:
    one = visit("en")
    one.go("")
    expect(one.page.get_by_test_id("card-chain")).to_be_visible()
    one.page.evaluate("localStorage['gokaku.explain'] = 'false'")
    asked: list[str] = []
    one.page.on("request", lambda request: asked.append(request.url))
    one.page.reload()
    one.page.locator("[data-testid^=card-]").first.wait_for()
    expect(one.page.get_by_test_id("card-chain")).to_have_count(0)
    one.go("chain")
    one.page.locator("[data-testid^=card-]").first.wait_for()
    assert not [url for url in asked if "chain" in url.rsplit("/", 1)[-1].lower() and "#" not in url]


def test_how_it_looks(viewer: Viewer, network: Network) -> None:
    table, wallet = Table(viewer.one), Wallet(network)
    table.sit()
    viewer.look("chain-start")
    table.start(HARD)
    table.play(0)
    table.cell(0).click()
    expect(table.problem).to_be_visible()
    viewer.look("chain-taken")
    table.page.locator("summary").click()
    viewer.look("chain-why")
    give(viewer.one, wallet)
    wallet.elsewhere = MAINNET
    table.sit()
    table.page.locator("[data-place='test.wallet']").click()
    table.page.get_by_test_id("switch").wait_for()
    viewer.look("chain-wrong-network")
    table.page.get_by_test_id("switch").click()
    table.idle()
    table.start(NORMAL)
    for cell in WINNING[:2]:
        table.play(cell)
    viewer.look("chain-play")
    for cell in WINNING[2:]:
        table.play(cell)
    viewer.look("chain-over")
    assert viewer.found == []
