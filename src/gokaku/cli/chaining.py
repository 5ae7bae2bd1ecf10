"""`gokaku chain`: what playing costs, a chain of one's own, deploying the contract, and a game against it."""

from __future__ import annotations

import getpass
import os
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from gokaku.chain import NotBuilt, anvil, networks
from gokaku.chain.keys import NoKey, account
from gokaku.cli import waiting, words
from gokaku.cli.keyboard import Keyboard

if TYPE_CHECKING:
    from gokaku.chain.client import Done, Game, Solo

RUNGS = ("easy", "normal", "hard")
_ENDS = ("", "You win!", "The contract wins.", "A draw.")
_PERSON, _MACHINE = Text("X", "bold cyan"), Text("O", "bold yellow")


@contextmanager
def _refusals() -> Iterator[None]:
    """Turns what this room's libraries refuse into the command line's own refusals."""
    try:
        from gokaku.chain.client import Refused
    except ImportError:
        raise words.Refused('talking to a chain needs more packages: pip install "gokaku[chain]"') from None
    try:
        yield
    except (Refused, NoKey, NotBuilt, anvil.NoAnvil) as error:
        raise words.Refused(str(error)) from None


# --- gas ---


def gas(json: bool) -> None:
    """Measures gas and prints it."""
    with _refusals(), waiting.steps() as tell:
        from gokaku.chain import gas as measuring

        found = measuring.measure(lambda phase: tell(f"measuring {phase} ..."))
    if json:
        print(dumps({name: asdict(one) for name, one in found.items()}, indent=2))
        return
    table = Table(title="gas of a transaction; previewCpuMove: gas of the call alone")
    for heading in ("", "measured", "average", "most"):
        table.add_column(heading, justify="right" if heading else "left")
    for name, one in found.items():
        table.add_row(name, f"{one.count:,}", f"{one.average:,.0f}", f"{one.most:,}")
    Console().print(table)


# --- a chain ---


def dev(port: int) -> None:
    """Runs anvil with the contract on it until Ctrl-C."""
    for number in (signal.SIGINT, signal.SIGTERM):  # a shell's background ignores the first
        signal.signal(number, signal.default_int_handler)
    with _refusals(), anvil.running(port) as url:
        from gokaku.chain.client import Solo

        solo = Solo(url, None)
        solo.deploy()
        print(f"anvil listens on {url}, chain {solo.network.id}")
        print(f"the contract stands at {solo.address}")
        print(f"play:   gokaku chain play --rpc {url} --address {solo.address}")
        print(f"serve:  gokaku serve --chain {solo.network.name}:{solo.address}", flush=True)
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            print("anvil ends, and its chain with it", file=sys.stderr)


def deploy(rpc: str, keystore: Path | None) -> None:
    """Puts the contract on a test network and prints where."""
    with _refusals():
        solo = _connect(rpc, keystore)
        with waiting.spinner(f"waiting for a block of {solo.network.title} ..."):
            done = solo.deploy()
        print(f"deployed to {solo.network.title} at {solo.address}: {_cost(solo, done)}")
        if solo.network.explorer:
            print(f"{solo.network.explorer}/address/{solo.address}")
        print(f"serve it:  gokaku serve --chain {solo.network.name}:{solo.address}")


def _connect(rpc: str, keystore: Path | None) -> Solo:
    from gokaku.chain.client import Solo

    if "://" not in rpc:
        try:
            rpc = networks.by_name(rpc).rpc
        except networks.UnknownNetwork as error:
            raise typer.BadParameter(f"{error}; or give a node's address, http://...") from None
    return Solo(rpc, account(keystore, lambda: getpass.getpass("password of the keystore: ")))


def _cost(solo: Solo, done: Done) -> str:
    return f"{done.gas:,} gas, {_amount(solo, done.fee)}"


def _amount(solo: Solo, wei: int) -> str:
    return f"{wei / 10**18:.3g} {solo.network.currency}"


# --- a game ---


def play(
    rpc: str, keystore: Path | None, address: str | None, difficulty: str, second: bool, number: int | None
) -> None:
    """Plays a game against the contract in the terminal."""
    if difficulty not in RUNGS:
        raise typer.BadParameter(f"a rung is {', '.join(RUNGS)}, not {difficulty!r}")
    with _refusals():
        solo = _connect(rpc, keystore)
        solo.use(address or _known(solo))
        if number is None:
            with waiting.spinner("beginning a game ..."):
                number, done = solo.new_game(RUNGS.index(difficulty), second)
            print(f"game {number} against {difficulty}, {_cost(solo, done)}")
        _Game(solo, solo.game(number)).run()


def _known(solo: Solo) -> str:
    """The contract's address on this network according to GOKAKU_CHAIN."""
    try:
        for one in networks.deployments(os.environ.get("GOKAKU_CHAIN", "")):
            if one.network == solo.network:
                return one.address
    except ValueError as error:
        raise words.Refused(f"GOKAKU_CHAIN: {error}") from None
    raise words.Refused(
        f"where on {solo.network.title} does the contract stand? Give --address, or set GOKAKU_CHAIN to"
        f" {solo.network.name}:0x...; `gokaku chain deploy` puts one there"
    )


class _Game:
    """A person at a terminal; what is played is on the chain and nowhere else."""

    def __init__(self, solo: Solo, game: Game) -> None:
        self.solo = solo
        self.game = game
        self.console = Console(highlight=False, markup=False, emoji=False)
        self.keyboard = Keyboard(lambda: ["quit", *map(str, range(9))])

    def run(self) -> None:
        """Until the game's end, `quit` or the end of the input."""
        self.console.print("A cell's number takes it; `quit` leaves, and the game stays on the chain.")
        self._draw()
        while not self.game.result:
            line = self.keyboard.line("your cell> ")
            if line is None or line.strip() in ("quit", "q"):
                self.console.print(f"Go on later with --game {self.game.number}.")
                return
            if line.strip():
                self._take(line.strip())
        self.console.print(_ENDS[self.game.result])

    def _take(self, text: str) -> None:
        from gokaku.chain.client import Refused

        if not text.isdecimal() or int(text) > 255:
            self.console.print(f"A cell is a number, 0 to 8, not {text!r}.", style="red")
            return
        try:
            self.console.print(
                f"This will cost about {_amount(self.solo, self.solo.cost(self.game, int(text)))}."
            )
            with waiting.spinner("waiting for a block ..."):
                done = self.solo.play(self.game, int(text))
        except Refused as error:
            self.console.print(f"Not played: {error}.", style="red")
            if error.name == "GameMovedOn":
                self._look()
            return
        answer = dict(done.events)["MovePlayed"]["cpuCell"]
        self.console.print(f"The contract takes {answer}." if answer < 9 else "No answer is left.")
        self.console.print(f"{_cost(self.solo, done)}, transaction {done.hash}", style="bright_black")
        self._look()

    def _look(self) -> None:
        self.game = self.solo.game(self.game.number)
        self._draw()

    def _draw(self) -> None:
        looks = [Text(str(cell), "bright_black") for cell in range(9)]
        for cell, owner in enumerate(self.game.board):
            if owner:
                looks[cell] = (_PERSON, _MACHINE)[owner - 1]
        for row in range(0, 9, 3):
            self.console.print(Text("  ") + Text(" ").join(looks[row : row + 3]))
