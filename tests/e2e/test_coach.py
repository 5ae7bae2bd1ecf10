"""The coach beside the board: its word on each move, the curve, the way back, the summary."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Locator, expect

import gokaku
from gokaku.games import NAMES

if TYPE_CHECKING:
    from tests.e2e.conftest import Viewer, Visit

ANALYSE = "**/api/v1/analyse"


def cells(one: Visit) -> tuple[str | None, ...]:
    squares = one.page.locator("[data-square]")
    return tuple(squares.nth(i).get_attribute("data-cell") for i in range(squares.count()))


def points(one: Visit, count: int) -> None:
    """Waits until so many values are on the curve."""
    expect(one.page.get_by_test_id("curve")).to_have_attribute("data-points", str(count))


def play(one: Visit, turns: int, seed: int) -> None:
    """So many turns by mouse, fewer if the game ends before."""
    rng = random.Random(seed)
    for _ in range(turns):
        if not one.over:
            one.turn(one.click, rng)


def resign(one: Visit) -> None:
    if not one.over:
        one.page.get_by_test_id("resign").click()
        one.page.get_by_test_id("resign").click()


@pytest.mark.parametrize("game", NAMES)
def test_each_move_is_judged_and_the_curve_grows(game: str, visit: Callable[..., Visit]) -> None:
    one = visit("en")
    one.begin(game)
    page = one.page
    expect(page.get_by_test_id("coach")).to_contain_text("After your first move")
    rng = random.Random(3)
    for _ in range(2):
        one.turn(one.click, rng)
        if one.over:
            break
        verdict = page.get_by_test_id("verdict")
        mine = len(one.moves) - 1
        expect(verdict).to_contain_text(f"Move {mine}, You: {one.moves[mine - 1]}")
        expect(verdict).to_have_attribute("data-rank", re.compile(r"^\d+$"))
        expect(verdict).to_contain_text(re.compile(r"deviation [01]\.\d{3}"))
        board = gokaku.game(game).replay(one.moves[: mine - 1])
        rank = int(verdict.get_attribute("data-rank") or 0)
        assert 1 <= rank <= len(board.legal_moves)
        if rank > 1:
            expect(verdict).to_contain_text(f"No. {rank} of {len(board.legal_moves)}")
            best = re.search(r"Best was (.+)", verdict.inner_text())
            assert best
            assert best[1] in board.legal_moves
            assert best[1] != one.moves[mine - 1]
        points(one, len(one.moves) + 1)
    expect(page.get_by_test_id("curve")).to_have_attribute(
        "aria-label", re.compile(f"each of {len(one.moves)} ")
    )


@pytest.mark.parametrize("game", NAMES)
def test_looking_back_through_a_game(game: str, visit: Callable[..., Visit]) -> None:
    """Every ply is shown as the Python rules have it, nothing can be played there, the game is unharmed."""
    one = visit("en")
    one.begin(game)
    play(one, 2, 4)
    resign(one)
    page = one.page
    line = gokaku.game(game).replay(one.moves).line
    shown = [board.game.rules.cells(board.state) for board in line]
    points(one, len(line))
    moves = one.moves
    back, on = page.get_by_test_id("back"), page.get_by_test_id("on")
    for ply in range(len(line) - 2, -1, -1):
        back.click()
        told = f"Move {ply}, " if ply else "The start"
        expect(page.get_by_test_id("told")).to_contain_text(re.compile(rf"{told}.*value [+−]?\d+"))
        assert cells(one) == tuple(shown[ply])
    expect(back).to_be_disabled()
    assert page.locator("[data-pick], [data-legal]").count() == 0
    on.click()
    expect(page.get_by_test_id("told")).to_contain_text("Move 1, You")
    expect(page.locator("[data-testid=moves] .looked")).to_contain_text(moves[0])
    page.get_by_test_id("toEnd").click()
    expect(on).to_be_disabled()
    assert cells(one) == tuple(shown[-1])
    assert one.moves == moves
    rows = page.get_by_test_id("accuracy")
    assert [bool(re.fullmatch(r"\d+\.\d %", text)) for text in rows.all_inner_texts()] == [True, True]


def test_looking_back_in_play_leaves_the_game_as_it_is(visit: Callable[..., Visit]) -> None:
    one = visit("en")
    one.begin(NAMES[0])
    play(one, 1, 5)
    page = one.page
    points(one, 3)
    expect(page.get_by_test_id("steps")).to_have_count(0)
    curve = page.get_by_test_id("curve")
    curve.hover(position={"x": 10, "y": 20})
    expect(page.get_by_test_id("pointed")).to_contain_text("The start")
    board = cells(one)
    curve.click(position={"x": 10, "y": 20})
    expect(page.get_by_test_id("steps")).to_contain_text("You are looking back: 0 of 2")
    assert set(cells(one)) == {""}
    assert page.locator("[data-legal]").count() == 0
    look = page.get_by_test_id("look")
    look.press("ArrowRight")
    expect(look).to_have_attribute("aria-valuetext", re.compile("Move 1, You: .* value"))
    page.get_by_test_id("back-to-game").click()
    expect(page.get_by_test_id("steps")).to_have_count(0)
    assert cells(one) == board
    play(one, 1, 5)
    assert len(one.moves) in (3, 4)


def test_the_turning_point_is_shown_on_the_board(visit: Callable[..., Visit]) -> None:
    """First does not see the line that second is about to complete: there the draw was given away."""
    one = visit("en")
    game = gokaku.game(NAMES[0])
    one.begin(game.name, opponent="")
    record = ["1", "4", "3", "2", "7", "6"]
    one.load(game.replay(record).record())
    page = one.page
    expect(page.locator("[data-over=true]")).to_be_visible()
    turning = page.get_by_test_id("turning-point")
    expect(turning).to_contain_text("Move 5, First")
    turning.get_by_role("button").click()
    expect(page.get_by_test_id("told")).to_contain_text("Move 5, First")
    expect(page.get_by_test_id("verdict")).to_contain_text("Best was 6")
    board = game.replay(record[:5])
    assert cells(one) == tuple(board.game.rules.cells(board.state))
    assert page.get_by_test_id("accuracy").count() == 2


def test_undo_takes_the_curve_back(visit: Callable[..., Visit]) -> None:
    one = visit("en")
    one.begin(NAMES[0])
    play(one, 2, 6)
    points(one, 5)
    one.page.get_by_test_id("undo").click()
    points(one, 3)
    play(one, 1, 7)
    points(one, len(one.moves) + 1)


# How many of the coach's questions are open: each from its asking to its answer or to its being dropped.
COUNT = """() => {
  const plain = window.fetch
  const open = new Set()
  window.asked = []
  window.fetch = async (path, init) => {
    if (!String(path).endsWith('/analyse')) return plain(path, init)
    const mark = {}
    open.add(mark)
    window.asked.push(open.size)
    init.signal.addEventListener('abort', () => open.delete(mark))
    return plain(path, init).finally(() => open.delete(mark))
  }
}"""


def test_one_question_at_a_time(visit: Callable[..., Visit]) -> None:
    one = visit("en")
    one.page.add_init_script(f"({COUNT})()")
    one.begin(NAMES[-1])
    play(one, 3, 8)
    points(one, len(one.moves) + 1)
    asked = one.page.evaluate("window.asked")
    assert len(asked) > len(one.moves)
    assert set(asked) == {1}


def test_play_goes_on_when_the_server_has_no_time_for_the_coach(visit: Callable[..., Visit]) -> None:
    one = visit("en")
    busy: dict[str, Any] = {
        "status": 503,
        "headers": {"retry-after": "1"},
        "json": {"error": {"message": "busy"}},
    }
    one.page.route(ANALYSE, lambda route: route.fulfill(**busy))
    one.begin(NAMES[0])
    play(one, 2, 9)
    assert len(one.moves) >= 3
    expect(one.page.get_by_test_id("verdict")).to_contain_text("The server is busy")
    one.page.unroute(ANALYSE)
    resign(one)
    points(one, len(one.moves) + 1)
    one.problems.clear()  # the browser reports the 503 by itself


def test_play_goes_on_without_the_coach(visit: Callable[..., Visit]) -> None:
    one = visit("en")
    one.page.route("**/assets/coach-*.js", lambda route: route.abort())
    one.begin(NAMES[0])
    play(one, 2, 9)
    expect(one.page.get_by_test_id("coach")).to_have_count(0)
    one.problems.clear()  # the browser reports the lost file by itself


@pytest.mark.parametrize("game", NAMES[::2])  # the others with a coach are among the pages of a game
def test_how_it_looks(game: str, viewer: Viewer) -> None:
    """The coach in play, after the game, and looking back; on both sizes, in both themes."""
    one = viewer.one
    hand: Callable[[Locator], None] = one.click
    one.begin(game)
    rng = random.Random(11)
    one.turn(hand, rng)
    points(one, len(one.moves) + 1)
    viewer.look(f"{game}-coach")
    if game == NAMES[0]:
        one.play_out(hand, rng)
    resign(one)
    expect(one.page.get_by_test_id("summary")).to_be_visible()
    points(one, len(one.moves) + 1)
    viewer.look(f"{game}-coach-over")
    one.page.get_by_test_id("back").click()
    expect(one.page.locator("[data-testid=moves] .looked")).to_be_attached()
    viewer.look(f"{game}-coach-back")
    assert viewer.found == []
