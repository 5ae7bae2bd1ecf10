"""The table of a solved game: one file, mapped into memory; written whole or not at all.

A header of 4096 bytes (JSON, padded with blanks), then three arrays of words of 32 bits, little-endian:
a bit a slot of the rules' index, where the codes of every block of slots begin, and the codes, which say
in how many plies a lost position is lost (kernels/lookup.py).
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from gokaku import compiled
from gokaku.solve import retrograde
from gokaku.solve.kernels.lookup import BLOCK, WORD

FORMAT = "gokaku table 2"
HEADER = 4096
_PART = 1 << 20  # slots that a thread packs or verifies in one go: whole blocks
Tell = Callable[[str, int, int], None]
Words = npt.NDArray[np.uint32]
T = TypeVar("T")


def silent(phase: str, done: int, total: int) -> None:
    """Hears of progress and says nothing."""


class BadTable(ValueError):
    """The file is not a whole and sound table for these rules; the message says what to do."""


@dataclass(frozen=True)
class Header:
    """What a file says of itself.

    slots: length of the index. words: 32-bit words of codes. rules: a hash of the rule file's index, so
    that a table for other rules is refused. digest: SHA-256 of all else in the file. longest: the most
    plies of any position. counts: positions of the index by result of the side to move (wins, draws,
    losses).
    """

    format: str
    game: str
    rules: str
    slots: int
    words: int
    digest: str
    longest: int
    counts: dict[str, int]


_loaded: set[str] = set()


def load(rules: ModuleType) -> None:
    """Compiles these rules' lookups, or loads them from the cache; from then on `Table.value` uses them."""
    kernel = compiled.link(rules, "lookup")
    none = np.zeros(1, np.uint32)
    none.flags.writeable = False  # a type of its own, that of a mapped file
    kernel.values(np.empty(0, np.int64), none, none, none, np.empty(0, np.int16))
    compiled.mark_ready(rules, "lookup")
    _loaded.add(rules.__name__)


class Table:
    """An open table. Values are those of running positions: plies, negative for a loss, 0 for a draw."""

    def __init__(self, rules: ModuleType, header: Header, data: Words) -> None:
        self.rules: Any = rules
        self.header = header
        words, blocks = _lengths(header.slots)
        self.arrays: tuple[Words, ...] = data[:words], data[words : words + blocks], data[words + blocks :]
        # Their items are plain ints, with which plain Python is quicker.
        self._views = [array.data for array in self.arrays]
        self._plain = compiled.link(rules, "lookup", jit=False)

    def value(self, state: Any) -> int:
        """The value of one position. No compiler is loaded for it, but used after `load`."""
        if self.rules.__name__ in _loaded:
            return int(self.values([state])[0])
        return int(self._plain.value(state, *self._views, [0] * self.rules.MAX_MOVES))

    def values(self, states: npt.ArrayLike) -> npt.NDArray[np.int16]:
        """The values of many positions (int64[n]), by compiled code: int16[n]."""
        wanted = np.ascontiguousarray(states, np.int64)
        out = np.empty(wanted.size, np.int16)
        kernel = compiled.link(self.rules, "lookup")
        kernel.values(wanted, *self.arrays, out)
        return out

    def moves(self, state: Any) -> dict[int, int]:
        """Every legal move of a running position and its value for the side that makes it.

        Plies to the end, the move included; negative for a loss, 0 for a draw.
        """
        room = [0] * self.rules.MAX_MOVES
        told = {}
        for move in room[: self.rules.moves(state, room)]:
            child = self.rules.play(state, move)
            result = self.rules.outcome(child)
            if result:
                told[move] = 0 if result == 3 else 1 if result == self.rules.turn(state) + 1 else -1
            else:
                after = self.value(child)
                told[move] = 1 - after if after < 0 else -1 - after if after > 0 else 0
        return told

    def best(self, state: Any) -> list[int]:
        """The moves that win soonest, or draw, or lose latest, in the rules' order."""
        value = self.value(state)
        return [move for move, worth in self.moves(state).items() if worth == value]

    def line(self, state: Any, most: int = 1000) -> list[int]:
        """The principal variation: the first best move of each side until the end, or `most` moves."""
        line: list[int] = []
        while self.rules.outcome(state) == 0 and len(line) < most:
            line.append(self.best(state)[0])
            state = self.rules.play(state, line[-1])
        return line

    def verify(self, threads: int | None = None, tell: Tell = silent) -> tuple[int, int, list[Any]]:
        """Recomputes every position from its successors: (positions, how many differ, some that do).

        Memory: a byte a slot; first every slot is looked up.
        """
        kernel = compiled.link(self.rules, "lookup")
        slots = self.header.slots
        values = np.empty(slots, np.uint8)
        kernel.unpack(0, 0, *self.arrays, values)  # compiles
        kernel.verify(values, 0, 0, np.empty(0, np.int64))

        def unpack(begin: int, end: int) -> None:
            kernel.unpack(begin, end, *self.arrays, values)

        def compare(begin: int, end: int) -> tuple[int, int, list[Any]]:
            bad = np.empty(10, np.int64)
            differ, positions = kernel.verify(values, begin, end, bad)
            return positions, differ, [self.rules.state_at(int(slot)) for slot in bad[: min(differ, 10)]]

        with ThreadPoolExecutor(threads or os.cpu_count()) as pool:
            _by_parts(pool, slots, unpack, partial(tell, "unpack"))
            parts = _by_parts(pool, slots, compare, partial(tell, "verify"))
        bad = [state for _, _, some in parts for state in some]
        return sum(p for p, _, _ in parts), sum(d for _, d, _ in parts), bad


def _by_parts(
    pool: ThreadPoolExecutor, slots: int, work: Callable[[int, int], T], tell: Callable[[int, int], None]
) -> list[T]:
    """What `work` returns for each part of the slots, in order; tell(done, total) hears of the progress."""
    done = 0

    def part(begin: int) -> T:
        nonlocal done
        end = min(slots, begin + _PART)
        out = work(begin, end)
        done += end - begin
        tell(done, slots)
        return out

    return list(pool.map(part, range(0, slots, _PART)))


def _lengths(slots: int) -> tuple[int, int]:
    """How many words of bits and blocks there are; blocks are whole."""
    blocks = -(-slots // BLOCK)
    return blocks * (BLOCK // WORD), blocks


def _digest(header: Header, arrays: list[npt.NDArray[Any]]) -> str:
    """The checksum of a file: of its header, but for the checksum itself, and of its content."""
    digest = hashlib.sha256(json.dumps(asdict(replace(header, digest=""))).encode())
    for array in arrays:
        digest.update(array.data)
    return digest.hexdigest()


def _rules_hash(rules: ModuleType) -> str:
    """A hash of the numbering, by a sample: a table says nothing of rules that number otherwise."""
    size = rules.INDEX_SIZE
    sample = [rules.state_at(slot) for slot in range(0, size, max(1, size // 997))]
    return hashlib.sha256(repr((size, sample)).encode()).hexdigest()[:16]


def write(
    path: Path, game: str, rules: ModuleType, values: npt.NDArray[np.uint8], tell: Tell = silent
) -> Header:
    """Packs the values of a retrograde analysis into a file, which appears whole or not at all."""
    kernel = compiled.link(rules, "lookup")
    slots = values.size
    words, blocks = _lengths(slots)
    bits = np.zeros(words, np.uint32)
    begins = np.zeros(blocks, np.uint32)
    kernel.pack(values, 0, 0, bits, begins, np.empty(0, np.uint32))  # compiles

    def part(begin: int, end: int) -> tuple[Words, npt.NDArray[np.int64]]:
        codes = np.zeros(end - begin, np.uint32)
        count = kernel.pack(values, begin, end, bits, begins, codes)
        return codes[:count].copy(), np.bincount(values[begin:end], minlength=256)

    with ThreadPoolExecutor() as pool:
        parts, histograms = zip(*_by_parts(pool, slots, part, partial(tell, "pack")), strict=True)
    histogram = np.sum(histograms, axis=0)
    before = np.cumsum([0, *(WORD * one.size for one in parts)])
    if before[-1] >= 1 << 32:
        raise ValueError(f"the codes of {game} take {before[-1]:,} bits; the format counts to 2^32")
    begins += np.repeat(before[:-1], _PART // BLOCK)[:blocks].astype(np.uint32)

    histogram[0] = 0  # no positions
    draws = int(histogram[retrograde.DRAW])
    histogram[retrograde.DRAW] = 0
    arrays: list[npt.NDArray[Any]] = [bits, begins, *parts]
    header = Header(
        format=FORMAT,
        game=game,
        rules=_rules_hash(rules),
        slots=slots,
        words=sum(one.size for one in parts),
        digest="",
        longest=int(np.flatnonzero(histogram)[-1]),
        counts={
            "wins": int(histogram[1::2].sum()),
            "draws": draws,
            "losses": int(histogram[0::2].sum()),
        },
    )
    header = replace(header, digest=_digest(header, arrays))
    path.parent.mkdir(parents=True, exist_ok=True)
    part_path = path.with_suffix(f".{os.getpid()}.part")
    try:
        with part_path.open("wb") as file:
            file.write(json.dumps(asdict(header)).encode().ljust(HEADER))
            for array in arrays:
                file.write(array.data)
            file.flush()
            os.fsync(file.fileno())
        part_path.replace(path)
    finally:
        part_path.unlink(missing_ok=True)
    return header


def read(path: Path, game: str, rules: ModuleType) -> Table:
    """Opens a table and checks all of it: 0.06 s for 58.5 MB. Raises FileNotFoundError or BadTable."""
    with path.open("rb") as file:
        head = file.read(HEADER)
    way_out = f"build it again: gokaku table build {game}"
    try:
        header = Header(**json.loads(head))
        whole = header.format == FORMAT
    except (ValueError, TypeError):
        whole = False
    if not whole:
        raise BadTable(f"{path} is not a table that this version reads; {way_out}")
    if header.game != game or header.rules != _rules_hash(rules):
        raise BadTable(f"{path} is a table of {header.game} for other rules; {way_out}")
    words, blocks = _lengths(header.slots)
    length = HEADER + 4 * (words + blocks + header.words)
    size = path.stat().st_size
    if size != length:
        raise BadTable(f"{path} has {size:,} bytes instead of {length:,}: it was cut short; {way_out}")
    data = np.asarray(np.memmap(path, np.dtype("<u4"), "r", HEADER))
    if _digest(header, [data]) != header.digest:
        raise BadTable(f"{path} is damaged: its checksum does not fit its content; {way_out}")
    return Table(rules, header, data)
