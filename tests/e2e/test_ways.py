"""What a person does besides moving: dragging, taking back, reloading, loading, waiting for a busy server."""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import Route, expect

import gokaku
from gokaku import Board
from gokaku.games import NAMES
from gokaku.server import seats

if TYPE_CHECKING:
    from tests.e2e.conftest import Visit

FLIPPING = [name for name in NAMES if hasattr(gokaku.game(name).rules, "flips")]
ORIENTED = [name for name in NAMES if hasattr(gokaku.game(name).rules, "directions")]
FLIP_MS = 180
REPLY = "**/api/v1/reply"


def cells(one: Visit) -> list[str | None]:
    squares = one.page.locator("[data-square]")
    return [squares.nth(i).get_attribute("data-cell") for i in range(squares.count())]


@pytest.mark.parametrize("game", ORIENTED)
def test_drag(game: str, visit: Callable[..., Visit]) -> None:
    one = visit("en")
    one.begin(game, opponent="")
    page = one.page
    start = cells(one)
    piece = page.locator("[data-square][data-pick]").first
    # A drop where nothing may go puts the piece back.
    piece.hover()
    page.mouse.down()
    page.mouse.move(5, 5, steps=3)
    page.mouse.up()
    assert one.moves == []
    assert cells(one) == start

    piece.click()
    target = page.locator("[data-square][data-legal]").first
    square = target.get_attribute("data-square")
    page.keyboard.press("Escape")
    piece.hover()
    page.mouse.down()
    page.locator(f'[data-square="{square}"]').hover()
    expect(page.locator(".ghost")).to_be_visible()
    page.mouse.up()
    expect(page.locator("[data-testid=moves] .move")).to_have_count(1)
    expect(page.locator(".ghost")).to_have_count(0)
    assert page.locator(f'[data-square="{square}"]').get_attribute("data-cell")


@pytest.mark.parametrize("game", ORIENTED)
def test_second_sits_at_the_bottom(game: str, visit: Callable[..., Visit]) -> None:
    one = visit("en")
    one.begin(game, first="they")
    squares = one.page.locator("[data-square]")
    assert squares.first.get_attribute("data-square") == str(squares.count() - 1)
    mine = one.page.locator("[data-square][data-pick]").last.get_attribute("data-cell")
    assert mine is not None
    assert mine.islower()


def test_undo_goes_back_to_the_own_turn(visit: Callable[..., Visit]) -> None:
    one = visit("en")
    one.begin(NAMES[0])
    rng = random.Random(5)
    undo = one.page.get_by_test_id("undo")
    expect(undo).to_be_disabled()
    one.turn(one.click, rng)
    assert len(one.moves) == 2
    undo.click()
    expect(one.page.locator("[data-testid=moves] .move")).to_have_count(0)
    assert set(cells(one)) == {""}
    one.turn(one.click, rng)
    one.turn(one.click, rng)
    kept = one.moves[:2]
    undo.click()
    expect(one.page.locator("[data-testid=moves] .move")).to_have_count(2)
    assert one.moves == kept


@pytest.mark.parametrize("game", NAMES)
def test_a_reload_keeps_the_game(game: str, visit: Callable[..., Visit]) -> None:
    one = visit("en")
    one.begin(game)
    rng = random.Random(6)
    one.turn(one.click, rng)
    one.turn(one.click, rng)
    moves, board = one.moves, cells(one)
    one.page.reload()
    one.wait()
    assert one.moves == moves
    assert cells(one) == board
    one.page.goto(f"{one.address}/#/")
    one.page.get_by_role("link", name="Continue").click()
    one.wait()
    assert one.moves == moves


def test_resign_and_play_again(visit: Callable[..., Visit]) -> None:
    one = visit("en")
    one.begin(NAMES[0])
    resign = one.page.get_by_test_id("resign")
    resign.click()
    assert not one.over  # asked first
    resign.click()
    assert one.result == "Beginner wins."
    expect(one.page.get_by_test_id("status")).to_contain_text("You resigned.")
    one.page.reload()
    expect(one.page.locator("[data-over=true]")).to_be_visible()
    one.page.get_by_test_id("again").click()
    one.wait()
    assert not one.over
    assert one.moves == []


def test_language_and_theme_are_switched_and_kept(visit: Callable[..., Visit]) -> None:
    one = visit("en")
    game = gokaku.game(ORIENTED[0])
    one.begin(game.name)
    page = one.page
    assert page.evaluate("document.documentElement.lang") == "en"
    own = page.locator("[data-square][data-pick]").first
    english, japanese = game.rules.PIECES[own.get_attribute("data-cell")]
    name = game.rules.square_name(int(own.get_attribute("data-square") or ""))
    expect(own).to_have_attribute("aria-label", f"{name}, {english}, yours")
    page.get_by_test_id("language").click()
    expect(own).to_have_attribute("aria-label", f"{name} {japanese} 自分")
    light = page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    page.get_by_test_id("theme").click()
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") != light
    page.reload()
    one.wait()
    assert page.evaluate("document.documentElement.lang") == "ja"
    assert page.evaluate("getComputedStyle(document.documentElement).backgroundColor") != light


def chain_of(game: str, steps: int) -> tuple[Board, str, list[list[int]]]:
    """A position from random play in which a move turns pieces over in that many steps."""
    rng = random.Random(7)
    while True:
        board = gokaku.game(game).start()
        while board.outcome is None:
            for text in board.legal_moves:
                flips = board.game.rules.flips(board.state, board.code(text))
                if len(flips) == steps:
                    return board, text, [sorted(step) for step in flips]
            board = board.play(rng.choice(board.legal_moves))


WATCH = """() => {
  window.seen = []
  const board = document.querySelector('[data-testid=board]')
  const look = () => {
    const turning = [...board.querySelectorAll('[data-square]:has(.turning)')]
    const squares = turning.map((square) => Number(square.dataset.square))
    const text = JSON.stringify(squares.sort((a, b) => a - b))
    if (squares.length && window.seen.at(-1)?.text !== text) window.seen.push({ text, at: performance.now() })
  }
  new MutationObserver(look).observe(board, { subtree: true, childList: true, attributes: true })
}"""


@pytest.mark.parametrize("game", FLIPPING)
@pytest.mark.parametrize("motion", [True, False])
def test_flips_are_shown_step_by_step(game: str, motion: bool, visit: Callable[..., Visit]) -> None:
    board, text, steps = chain_of(game, 3)
    one = visit("en", motion=motion)
    one.begin(game, opponent="")
    one.load(board.record())
    one.wait()
    one.page.evaluate(WATCH)
    _, to, piece = board.game.rules.squares(board.state, board.code(text))
    one.page.locator(f'[data-pick][data-hand="{piece.upper()}"]').click()
    one.page.locator(f'[data-square="{to}"][data-legal]').click()
    expect(one.page.locator("[data-testid=moves] .move").last).to_have_text(text)
    one.wait()
    seen: list[dict[str, Any]] = one.page.evaluate("window.seen")
    if not motion:
        assert seen == []
    else:
        assert [step["text"] for step in seen] == [str(step).replace(" ", "") for step in steps]
        times = [step["at"] for step in seen]
        # Never faster than the step; a busy machine may be slower.
        assert all(later - sooner >= FLIP_MS - 20 for sooner, later in pairwise(times))
    after = board.play(text)
    assert tuple(cells(one)) == after.game.rules.cells(after.state)
    count = sum(map(len, steps))
    expect(one.page.get_by_test_id("announcer")).to_contain_text(f"{count} turned over in a chain of 3.")


@pytest.mark.parametrize("game", NAMES)
def test_records_go_out_and_come_in(game: str, visit: Callable[..., Visit]) -> None:
    """A record from Python is shown; what the page saves, Python reads."""
    rng = random.Random(8)
    board = gokaku.game(game).start()
    for _ in range(6):
        if board.outcome is None:
            board = board.play(rng.choice(board.legal_moves))
    one = visit("ja")
    one.begin(game, opponent="")
    one.load(board.record())
    expect(one.page.locator("[data-testid=moves] .move")).to_have_count(len(board.moves))
    with one.page.expect_download() as download:
        one.page.get_by_test_id("save").click()
    saved = board.game.read(download.value.path().read_text())
    assert (saved, saved.moves) == (board, board.moves)
    one.page.get_by_test_id("load").click()
    one.page.get_by_test_id("record-text").fill("nonsense")
    one.page.get_by_test_id("read").click()
    expect(one.page.locator("dialog [role=alert]")).to_contain_text("nonsense")


def test_a_busy_server_is_asked_again(visit: Callable[..., Visit]) -> None:
    one = visit("en")
    one.begin(NAMES[0])
    refusals = iter(range(1))

    def busy(route: Route) -> None:
        if next(refusals, None) is None:
            route.continue_()
        else:
            route.fulfill(status=503, headers={"retry-after": "1"}, json={"error": {"message": "busy"}})

    one.page.route(REPLY, busy)
    one.page.locator("[data-legal]").first.click()
    expect(one.page.get_by_test_id("status")).to_contain_text("The server is busy. Asking again in 1 s.")
    one.wait()
    assert len(one.moves) == 2
    one.problems.clear()  # the browser reports the 503 by itself


def test_an_unreachable_server_loses_nothing(visit: Callable[..., Visit]) -> None:
    one = visit("en")
    one.begin(NAMES[0])
    one.page.route(REPLY, lambda route: route.abort())
    one.page.locator("[data-legal]").first.click()
    retry = one.page.get_by_test_id("retry")
    retry.wait_for()
    expect(one.page.get_by_test_id("status")).to_contain_text("Your game is safe.")
    assert len(one.moves) == 1
    one.page.unroute(REPLY)
    retry.click()
    one.wait()
    assert len(one.moves) == 2
    one.problems.clear()


def test_an_illegal_answer_is_not_played(visit: Callable[..., Visit]) -> None:
    """The engine is asked, never seated: its move goes through the rules."""
    one = visit("en")
    one.begin(NAMES[0])

    def copycat(route: Route) -> None:
        asked = route.request.post_data_json
        assert asked is not None
        route.fulfill(json={"move": asked["moves"][-1], "explanation": {}})

    one.page.route(REPLY, copycat)
    one.page.locator("[data-legal]").first.click()
    one.page.get_by_test_id("retry").wait_for()
    assert len(one.moves) == 1
    one.page.unroute(REPLY)
    one.page.get_by_test_id("retry").click()
    one.wait()
    assert len(one.moves) == 2


@pytest.mark.parametrize("game", NAMES)
def test_a_game_without_a_drawing_is_played_in_letters(game: str, visit: Callable[..., Visit]) -> None:
    one = visit("en")
    stranger = {
        "name": "stranger",
        "title": {"en": "Stranger", "ja": "見知らぬゲーム"},
        "opponents": ["weak"],
        "levels": [1],
        "rules": f"/rules/{game}.py",
    }
    one.page.route("**/api/v1/games*", lambda route: route.fulfill(json={"games": [stranger]}))
    one.page.goto(f"{one.address}/#/rules/stranger")
    expect(one.page.locator("main")).to_contain_text("No description has been written")
    one.begin("stranger", opponent="", explain=False)  # the server knows no such game to explain
    rng = random.Random(10)
    for _ in range(3):
        one.turn(one.click, rng)
    assert len(gokaku.game(game).replay(one.moves).moves) == 3
    expect(one.page.locator("[data-square] text").first).to_be_visible()


@pytest.mark.parametrize("game", NAMES)
def test_the_engine_is_asked_at_a_level(game: str, visit: Callable[..., Visit]) -> None:
    one = visit("en")
    one.go(f"new/{game}")
    one.page.locator("input[name=opponent][value=engine]").check()
    one.page.get_by_label("Level").fill("1")
    with one.page.expect_request(REPLY) as asked:
        one.page.locator("input[name=first][value=they]").check()
        one.page.get_by_test_id("start").click()
    question = asked.value.post_data_json
    assert question is not None
    assert (seats.seat(game, question["opponent"]), question["moves"]) == (("engine", 1), [])
    assert "level" not in question
    one.wait()
    assert len(one.moves) == 1


def test_an_address_of_nothing_says_so(visit: Callable[..., Visit]) -> None:
    one = visit("en")
    one.go("play/nonsense")
    expect(one.page.locator("[role=alert]")).to_contain_text("There is no such game here.")
