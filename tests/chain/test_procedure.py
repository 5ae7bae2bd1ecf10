"""The contract answers as `opponents.ladder` does, at every position; any single fault in it is found."""

from __future__ import annotations

import random
import runpy
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from gokaku.chain import Contract
from gokaku.chain.evm import Chain

ROOT = Path(__file__).parents[2]
EASY, NORMAL, HARD = range(3)
Boards = list[tuple[int, int]]
Expected = Callable[[int, int, int, int], int]
Question = tuple[int, int, int, int]


def questions(boards: Boards, difficulty: int) -> Iterator[Question]:
    """For every board the seeds that can make a difference."""
    for mine, theirs in boards:
        for seed in range(9 - (mine | theirs).bit_count() if difficulty == EASY else 1):
            yield mine, theirs, difficulty, seed


def ask(chain: Chain, question: Question) -> int:
    return int(chain.look("previewCpuMove", *question).value)


def test_there_are_so_many_questions(boards: Boards) -> None:
    assert len(boards) == 4_520
    assert sum(1 for rung in (EASY, NORMAL, HARD) for _ in questions(boards, rung)) == 25_207


@pytest.mark.parametrize("difficulty", [EASY, NORMAL, HARD])
def test_it_plays_as_the_ladder_does(boards: Boards, expected: Expected, difficulty: int) -> None:
    chain = Chain()
    for question in questions(boards, difficulty):
        assert ask(chain, question) == expected(*question), question


@pytest.mark.parametrize("difficulty", [EASY, NORMAL, HARD])
def test_it_does_so_with_any_seed(boards: Boards, expected: Expected, difficulty: int) -> None:
    chain = Chain()
    rng = random.Random(difficulty)
    for mine, theirs in boards:
        question = mine, theirs, difficulty, rng.getrandbits(256)
        assert ask(chain, question) == expected(*question), question


# ruff: noqa: E501
# One fault each, such as a hand makes: what stands in the source, and what stands there instead.
FAULTS = {
    "a win is not looked for": ("    if cells & ALL != 0:\n        return cells & ALL\n", ""),
    "a block is not looked for": ("    if cells >> 128 != 0:\n        return cells >> 128\n", ""),
    "the block comes before the win": ("if cells & ALL != 0:\n        return cells & ALL", "if cells >> 128 != 0:\n        return cells >> 128"),
    "a line is missing": (" | 84 << 112", ""),
    "a line is wrong": ("292 << 80", "296 << 80"),
    "lines that the other side blocks count": (" & ~self._whole(others)", ""),
    "one stone in a line is taken for two": ("self._whole(self._without_lowest(own))", "self._whole(own)"),
    "a cell of one open line is taken for a fork": ("twice: uint256 = open & open >> 64", "twice: uint256 = open"),
    "a fork in lines four apart is overlooked": ("    once |= once >> 32\n", ""),
    "own forks are not looked for": ("    if twice & ALL != 0:\n        return self._preferred(twice & ALL)\n", ""),
    "of several forks the lowest is taken": ("return self._preferred(twice & ALL)", "return twice & ALL"),
    "their only fork is left open": ("        if forks & unsafe_sub(forks, 1) == 0:\n            return forks\n", ""),
    "the answer to a threat may be a fork": ("calm: uint256 = ours & ~unsafe_mul(forks, LOW)", "calm: uint256 = ours"),
    "a threat that nothing forces is made": ("(ours ^ calm) & self._whole(calm)", "ours & self._whole(calm)"),
    "no threat is made": ("        if forcing != 0:\n            return forcing\n", ""),
    "the centre is not taken": ("    if free & CENTRE != 0:\n        return CENTRE\n    held", "    held"),
    "the corner that is held is taken for its opposite": ("return self._turned(self._lowest(held))", "return self._lowest(held)"),
    "no opposite corner is looked for": ("    if held != 0:\n        return self._turned(self._lowest(held))\n", ""),
    "corners come before the centre": ("    if cells & CENTRE != 0:\n        return CENTRE\n", ""),
    "sides come before corners": ("    if cells & CORNERS != 0:\n        return cells & CORNERS\n", ""),
    "the random cell is one too far": ("range(seed % count,", "range((seed + 1) % count,"),
    "easy blocks": ("    if difficulty == EASY:\n        return self._nth(free, seed)\n    if cells >> 128 != 0:\n        return cells >> 128\n", "    if cells >> 128 != 0:\n        return cells >> 128\n    if difficulty == EASY:\n        return self._nth(free, seed)\n"),
    "normal sees forks": ("    if difficulty == NORMAL:\n        return self._preferred(free)\n", ""),
    "hard is normal": ("if difficulty == NORMAL:", "if difficulty != EASY:"),
    "two cells have each other's number": ("5 << 40 | 6 << 36", "6 << 40 | 5 << 36"),
}  # fmt: skip


@pytest.fixture(scope="module")
def build() -> Callable[[str], dict[str, Any]]:
    """chain/build.py's function from source to what it compiles to."""
    compile_contract: Callable[[str], dict[str, Any]]
    compile_contract = runpy.run_path(str(ROOT / "chain/build.py"))["compile_contract"]
    return compile_contract


@pytest.mark.parametrize("fault", FAULTS)
def test_a_single_fault_is_found(
    fault: str, build: Callable[[str], dict[str, Any]], boards: Boards, expected: Expected
) -> None:
    source = (ROOT / "chain/solo.vy").read_text()
    right, wrong = FAULTS[fault]
    assert source.count(right) == 1, "the fault names one place in the source"
    chain = Chain(Contract.read(build(source.replace(right, wrong))))
    everything = [one for rung in (EASY, NORMAL, HARD) for one in questions(boards, rung)]
    random.Random(0).shuffle(everything)  # what is rare in one region is soon met in another
    assert any(ask(chain, question) != expected(*question) for question in everything)
