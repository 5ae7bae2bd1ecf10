"""Full games against the weakest opponent, in every game, by mouse, keyboard and touch, in both languages."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

import gokaku
from gokaku.games import NAMES

if TYPE_CHECKING:
    from tests.e2e.conftest import Visit

WON = {"en": "You win!", "ja": "あなたの勝ち！"}
LOST = {"en": "Beginner wins.", "ja": "雑魚の勝ち。"}
DRAWN = {"en": "A draw.", "ja": "引き分け。"}


def check_end(one: Visit, game: str, lang: str, side: str) -> None:
    """The page's record, replayed by the Python rules, ends as the page says."""
    outcome = gokaku.game(game).replay(one.moves).outcome
    assert outcome is not None
    expected = DRAWN if outcome.winner is None else WON if outcome.winner == side else LOST
    assert one.result == expected[lang]
    assert one.page.get_by_test_id("announcer").inner_text().startswith(expected[lang])


@pytest.mark.parametrize("game", NAMES)
def test_by_mouse_in_english(game: str, visit: Callable[..., Visit]) -> None:
    one = visit("en")
    one.begin(game)
    one.play_out(one.click, random.Random(1))
    check_end(one, game, "en", "first")


@pytest.mark.parametrize("game", NAMES)
def test_by_keyboard_in_japanese(game: str, visit: Callable[..., Visit]) -> None:
    one = visit("ja")
    one.begin(game, first="they")
    one.play_out(one.type, random.Random(2))
    check_end(one, game, "ja", "second")


@pytest.mark.parametrize("game", NAMES)
def test_by_touch_on_a_phone(game: str, visit: Callable[..., Visit]) -> None:
    """Five turns by tap; the board never makes the page scroll sideways."""
    one = visit("ja", phone=True)
    one.begin(game)
    rng = random.Random(3)
    for _ in range(5):
        if not one.over:
            one.turn(one.tap, rng)
    assert one.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    gokaku.game(game).replay(one.moves)


@pytest.mark.parametrize("game", NAMES)
def test_two_at_one_screen(game: str, visit: Callable[..., Visit]) -> None:
    one = visit("en")
    one.begin(game, opponent="")
    rng = random.Random(4)
    for _ in range(4):
        one.turn(one.click, rng)
    assert len(one.moves) == 4
