"""What playing the contract costs, by transactions in an EVM in this process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from gokaku.chain.evm import Chain, Receipt, Reverted, deployment_gas

EASY, NORMAL, HARD = range(3)


@dataclass(frozen=True)
class Gas:
    """In units of gas. count: of the transactions looked at."""

    count: int
    average: float
    most: int


def measure(tell: Callable[[str], None] = lambda phase: None) -> dict[str, Gas]:
    """Gas by function.

    `play`: every move of every line against hard, both openings. `newGame`: all its ways, as the first game
    of all and as the second. `previewCpuMove`: what it executes, which is all that a caller on the chain pays
    for, over all boards on which the machine could be to move, all rungs. tell: hears what is measured next.
    """
    tell("deployment")
    found = {"deployment": _over([deployment_gas()])}
    tell("newGame")
    found["newGame"] = _over([receipt.gas for receipt in _beginnings()])
    tell("play")
    found["play"] = _over([receipt.gas for _, receipt in plays(HARD)])
    tell("previewCpuMove")
    found["previewCpuMove"] = _over([receipt.executed for receipt in _previews()])
    return found


def _over(gas: list[int]) -> Gas:
    return Gas(len(gas), round(sum(gas) / len(gas), 1), max(gas))


def _beginnings() -> Iterator[Receipt]:
    for difficulty in (EASY, NORMAL, HARD):
        for cpu_first in (False, True):
            chain = Chain()
            yield chain.send("newGame", difficulty, cpu_first)
            yield chain.send("newGame", difficulty, cpu_first)


def plays(difficulty: int) -> Iterator[tuple[tuple[int, ...], Receipt]]:
    """Every line of play against the contract, both openings, a transaction a move: the cells that the
    person has taken, after -1 where the machine began, and the receipt of the last."""
    for cpu_first in (False, True):
        chain = Chain()
        chain.send("newGame", difficulty, cpu_first)
        yield from _on(chain, (-1,) if cpu_first else ())


def _on(chain: Chain, line: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], Receipt]]:
    for cell in range(9):
        after = chain.copy()
        try:
            receipt = after.send("play", 0, cell)
        except Reverted as refusal:
            if refusal.name != "CellTaken":
                raise
            continue
        yield (*line, cell), receipt
        if not any(name == "GameFinished" for name, _ in receipt.events):
            yield from _on(after, (*line, cell))


def _previews() -> Iterator[Receipt]:
    chain = Chain()
    for machine, person in boards():
        for difficulty in (EASY, NORMAL, HARD):
            # The last empty cell is the dearest to find.
            seed = 8 - (machine | person).bit_count()
            yield chain.look("previewCpuMove", machine, person, difficulty, seed)


def boards() -> Iterator[tuple[int, int]]:
    """The machine's and the person's cells wherever the machine could be to move, whoever has a line."""
    for person in range(512):
        for machine in range(512):
            ahead = person.bit_count() - machine.bit_count()
            if not person & machine and person | machine != 511 and ahead in (0, 1):
                yield machine, person
