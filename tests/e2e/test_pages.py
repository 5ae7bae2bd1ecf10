"""Every page, on a phone and a desk, light and dark: a picture for people, and axe-core's verdict."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING

import pytest

from gokaku.games import NAMES

if TYPE_CHECKING:
    from tests.e2e.conftest import Viewer, Visit


def test_pages_around_the_games(viewer: Viewer) -> None:
    for route in ["", "about", "rules"]:
        viewer.one.go(route)
        viewer.look(route or "home")
    assert viewer.found == []


@pytest.mark.parametrize("game", NAMES)
def test_pages_of_a_game(game: str, viewer: Viewer) -> None:
    one = viewer.one
    one.go(f"rules/{game}")
    viewer.look(f"{game}-rules")
    one.go(f"new/{game}")
    one.page.get_by_test_id("start").wait_for()
    viewer.look(f"{game}-new")
    one.begin(game, opponent="")
    rng = random.Random(9)
    for _ in range(8):
        if not one.over:
            one.turn(one.click, rng)
    if not one.over:
        # With a piece chosen, where there is one to choose.
        picks = one.page.locator("[data-pick]")
        if picks.count():
            picks.last.click()
        viewer.look(f"{game}-play")
        one.page.get_by_test_id("resign").click()
        one.page.get_by_test_id("resign").click()
    viewer.look(f"{game}-over")
    if game == NAMES[0]:  # the same for all
        one.page.get_by_test_id("load").click()
        viewer.look("load")
    assert viewer.found == []


@pytest.mark.parametrize("game", NAMES)
def test_smallest_screen(game: str, visit: Callable[..., Visit]) -> None:
    """At 320 by 568 the whole board is in sight below the header, and nothing scrolls sideways."""
    one = visit("en", phone=True)
    one.page.set_viewport_size({"width": 320, "height": 568})
    one.begin(game)
    box = one.page.get_by_test_id("board").bounding_box()
    assert box is not None
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 320
    assert box["y"] + box["height"] <= 568
    assert one.page.evaluate("document.documentElement.scrollWidth") == 320
    square = one.page.locator("[data-square]").first.bounding_box()
    assert square is not None
    columns = round(box["width"] / square["width"])
    assert square["width"] >= min(44, 270 / columns)
