"""The study's arithmetic, on numbers that can be checked by hand."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gokaku.arena.games import Ply, Record, as_row, from_row
from gokaku.arena.measures import Share, distance, expectations, lead_changes, summary, wilson


def ply(kept: float, could: float, value: float = 0, best: float = 0, **more: bool) -> Ply:
    marks = {"given": False, "seen": False} | more
    return Ply(value, best, kept, could, 5, marks["given"], marks["seen"])


GAME = Record(
    "t8", "hospitality", 3, "guest", "catch", ("a", "b", "c"),
    (ply(0.5, 0.5, 0, 20), ply(0.2, 0.9, -60, 90, given=True, seen=True), ply(1, 1, 100, 100)),
)  # fmt: skip


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (10, 10, 0.7225, 1.0), (280, 400, 0.6533, 0.7428)],
)
def test_wilson(hits: int, of: int, low: float, high: float) -> None:
    assert wilson(hits, of) == pytest.approx((low, high), abs=1e-4)


@given(st.integers(0, 500), st.integers(1, 500))
def test_wilson_holds_the_rate(hits: int, more: int) -> None:
    low, high = wilson(hits, hits + more)
    assert 0 <= low <= hits / (hits + more) <= high <= 1


SAMPLES = st.lists(st.floats(0.5, 1), min_size=1, max_size=30)


def test_distance_by_hand() -> None:
    assert distance([1, 2, 3, 4], [1, 2, 3, 4]) == 0
    assert distance([1, 2], [3, 4]) == 1
    assert distance([1, 2, 3, 4], [3, 4, 5, 6]) == 0.5
    assert math.isnan(distance([], [1]))


@given(SAMPLES, SAMPLES)
def test_distance(one: list[float], other: list[float]) -> None:
    assert distance(one, other) == distance(other, one)
    assert 0 <= distance(one, other) <= 1
    points = sorted({round(x, 4) for x in one + other})

    def below(sample: list[float], x: float) -> float:
        return sum(round(y, 4) <= x for y in sample) / len(sample)

    assert distance(one, other) == pytest.approx(max(abs(below(one, x) - below(other, x)) for x in points))


def test_lead_changes() -> None:
    assert expectations(GAME) == pytest.approx([0.5, 0.1, 1, 1])
    assert lead_changes(GAME) == 1  # the host led, then the guest
    back = Record("t8", "h", 0, None, "full", ("a",) * 4, tuple(ply(0, x) for x in (0.9, 0.5, 0.9, 0.9)))
    assert lead_changes(back) == 1  # balance in between counts nothing


def test_summary() -> None:
    lost = Record(
        "t8", "hospitality", 4, "host", "catch", ("a", "b"), (ply(0, 1, -100, 98), ply(1, 1, 100, 100))
    )
    one = summary("t8", "hospitality", [GAME, lost])
    assert one.guest_wins == Share(1, 2)
    assert one.draws == Share(0, 2)
    assert one.reach == Share(1, 5)  # only the first ply is within 80 of even
    assert one.seen == one.given == Share(1, 2)
    assert one.length == 2.5
    assert one.host_deviation == pytest.approx((240 / 390 + 1) / 2)


def test_a_record_survives_its_row() -> None:
    assert from_row(as_row(GAME)) == GAME
