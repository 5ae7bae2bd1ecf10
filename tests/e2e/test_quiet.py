"""With explanations off the page can be handed to a child: no word of who plays how, nor how it stands.

Not on the screen nor in its labels, its address, its title or what it keeps; not in what it receives,
nor in what it sends. The form where the grown-up chooses is where the words are.
"""

from __future__ import annotations

import contextlib
import json
import random
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import httpx
import pytest
from playwright.sync_api import Error, Route, expect

import gokaku
from gokaku import opponents
from gokaku.games import NAMES

if TYPE_CHECKING:
    from tests.e2e.conftest import Viewer, Visit

ALL = sorted(opponents.OPPONENTS)
# What the form calls them, and what the coach says.
ENGLISH = (
    *("host", "hospitality", "beginner", "engine", "perfect", "easy", "normal", "hard", "level", "strength"),
    *("value", "deviation", "coach", "explanations?", "accuracy", "best", "worth", "turning point"),
)
JAPANESE = (
    *("接待", "雑魚", "エンジン", "最強", "やさしい", "ふつう", "むずかしい", "強さ", "レベル"),
    *("評価", "形勢", "乖離", "コーチ", "解説", "正確さ", "最善"),
)
FORBIDDEN = re.compile(rf"\b({'|'.join([*ENGLISH, *ALL])})\b|{'|'.join(JAPANESE)}", re.IGNORECASE)
# A program calls its own variables `value` and `level`; in files that are not data these words count.
NAMED = re.compile(
    "hospitality|host2|beginner|deviation|接待|雑魚|最強|むずかしい|乖離|評価値", re.IGNORECASE
)
# All that the page says, to eyes and to a screen reader.
SAID = """() => {
  const out = [document.title, location.href, document.documentElement.innerText]
  const names = ['aria-label', 'aria-valuetext', 'title', 'alt', 'placeholder', 'value', 'data-testid']
  for (const one of document.querySelectorAll('*')) {
    for (const name of names) {
      if (one.hasAttribute(name)) out.push(one.getAttribute(name))
    }
  }
  return out.join('\\n')
}"""


class Listener:
    """Hears all that a visit sends and receives from now on."""

    def __init__(self, one: Visit) -> None:
        self.one = one
        self.received: list[tuple[str, str, str]] = []
        self.sent: list[tuple[str, dict[str, Any]]] = []
        one.page.context.route("**/*", self.hear)

    def hear(self, route: Route) -> None:
        request = route.request
        self.sent.append((request.url, request.post_data_json or {} if request.method == "POST" else {}))
        # Fetched by our own hand: the browser forgets a body with the page that asked for it.
        content = request.post_data_buffer
        answer = httpx.request(request.method, request.url, content=content, timeout=30, trust_env=False)
        self.received.append((request.url, answer.headers["content-type"], answer.text))
        headers = {k: v for k, v in answer.headers.items() if k not in ("content-encoding", "content-length")}
        with contextlib.suppress(Error):  # whoever asked has gone
            route.fulfill(status=answer.status_code, headers=headers, body=answer.content)

    def check(self) -> None:
        assert self.received
        for url, kind, body in self.received:
            pattern = FORBIDDEN if "json" in kind else NAMED
            found = pattern.search(body)
            assert not found, f"{url} tells {found}"
            assert not NAMED.search(url), url
        for url, question in self.sent:
            assert not url.endswith("/analyse")
            if url.endswith("/reply"):
                assert question["explain"] is False
                assert question["opponent"] not in ALL
                assert "level" not in question

    def look(self) -> None:
        """The page as it stands now, in both languages."""
        for _ in range(2):
            found = FORBIDDEN.search(self.one.page.evaluate(SAID))
            assert not found, found
            # Not by a pointer: a dialog may lie over the button.
            self.one.page.evaluate("document.querySelector('[data-testid=language]').click()")
        kept = json.dumps(self.one.page.evaluate("({...localStorage})"), ensure_ascii=False)
        assert not NAMED.search(kept), kept
        assert not [name for name in ALL if f'"{name}\\"' in kept or f': "{name}"' in kept], kept


@pytest.mark.parametrize("game", NAMES)
def test_a_whole_game_tells_nothing(game: str, visit: Callable[..., Visit]) -> None:
    """Against the host, from the first move to the next game, and again after a reload."""
    one = visit("ja")
    page = one.page
    one.set_up(game, "hospitality", explain=False)
    page.get_by_test_id("start").wait_for()
    listener = Listener(one)
    page.get_by_test_id("start").click()
    one.wait()
    listener.look()
    rng = random.Random(12)
    for _ in range(2):
        page.locator("[data-testid=board]").wait_for()
        one.turn(one.click, rng)
        listener.look()
        if one.over:
            break
    page.reload()
    page.get_by_test_id("board").wait_for()
    listener.look()
    assert page.get_by_test_id("coach").count() == 0
    if not one.over:
        one.wait()
        one.turn(one.click, rng)
        page.get_by_test_id("load").click()
        listener.look()
        page.keyboard.press("Escape")
    if not one.over:
        page.get_by_test_id("resign").click()
        listener.look()
        page.get_by_test_id("resign").click()
    assert one.over
    listener.look()
    page.get_by_test_id("again").click()
    one.wait()
    listener.look()
    page.goto(f"{one.address}/#/rules/{game}")
    expect(page.locator("main h1")).to_be_visible()
    page.goto(f"{one.address}/#/about")
    listener.look()
    page.goto(f"{one.address}/#/")
    page.get_by_test_id(f"card-{game}").wait_for()
    listener.look()
    listener.check()
    assert len({url for url, _, _ in listener.received if url.endswith("/reply")}) == 1


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_with_explanations_the_same_ears_hear_much(lang: str, visit: Callable[..., Visit]) -> None:
    """What finds nothing in a quiet game finds the words in a plain one, wherever they may be."""
    one = visit(lang)
    one.set_up(NAMES[0], "hospitality")
    listener = Listener(one)
    one.page.get_by_test_id("start").click()
    one.wait()
    one.turn(one.click, random.Random(12))
    assert FORBIDDEN.search(one.page.evaluate(SAID))
    one.page.reload()
    one.page.get_by_test_id("verdict").wait_for()
    telling = {url.split("?")[0].rsplit("/")[-1] for url, _, body in listener.received if NAMED.search(body)}
    assert {"reply", "analyse", "games"} <= telling
    assert any(name.startswith("opponents-") for name in telling)
    with pytest.raises(AssertionError):
        listener.check()


def test_trouble_tells_nothing(visit: Callable[..., Visit]) -> None:
    one = visit("en")
    one.begin(NAMES[0], opponent="engine", explain=False)
    listener = Listener(one)
    # A seat that no server knows: what it says of that is shown.
    kept = json.loads(one.page.evaluate(f"localStorage['gokaku.game.{NAMES[0]}']"))
    kept["opponent"] = "unknown0"
    one.page.evaluate(f"(kept) => localStorage['gokaku.game.{NAMES[0]}'] = kept", json.dumps(kept))
    one.page.reload()
    one.wait()
    one.page.locator("[data-legal]").first.click()
    one.page.get_by_test_id("retry").wait_for()
    listener.look()
    listener.check()
    one.problems.clear()  # the browser reports the refusal by itself


def test_the_opponent_is_the_one_that_was_chosen(visit: Callable[..., Visit]) -> None:
    """The key in the page's request stands for the opponent: the same game comes about as by its name."""
    name = NAMES[0]
    chosen = opponents.names(gokaku.game(name))[0]
    one = visit("en")
    one.begin(name, opponent=chosen, explain=False)
    with one.page.expect_request("**/api/v1/reply") as asked:
        one.page.locator("[data-legal]").first.click()
    one.wait()
    question = asked.value.post_data_json
    assert question is not None
    board = gokaku.game(name).replay(question["moves"])
    answer = opponents.answer(chosen, opponents.Question(board, seed=question["seed"]))
    assert one.moves[1] == answer.move
    expect(one.page.locator(".strip").first).to_contain_text("Opponent")


def test_a_game_that_nobody_has_set_up_is_set_up_first(visit: Callable[..., Visit]) -> None:
    one = visit("en")
    one.go("")
    one.page.locator("[data-testid^=card-]").first.wait_for()
    one.page.evaluate("localStorage['gokaku.explain'] = 'false'")
    one.page.reload()
    one.page.locator("[data-testid^=card-]").first.wait_for()
    one.go(f"play/{NAMES[0]}")
    one.page.get_by_test_id("start").wait_for()
    assert one.page.url.endswith(f"#/new/{NAMES[0]}")
    one.page.go_back()
    one.page.locator("[data-testid^=card-]").first.wait_for()


def test_the_switch_is_kept_and_the_game_goes_on_either_way(visit: Callable[..., Visit]) -> None:
    one = visit("en")
    one.begin(NAMES[0], opponent="hospitality", explain=False)
    one.turn(one.click, random.Random(13))
    moves = one.moves
    page = one.page
    page.get_by_test_id("new").click()
    switch = page.get_by_test_id("explain")
    expect(switch).not_to_be_checked()
    expect(page.locator("input[name=opponent][value=hospitality]")).to_be_checked()
    page.reload()
    expect(switch).not_to_be_checked()
    switch.check()
    page.get_by_role("link", name="Continue").click()
    one.wait()
    assert one.moves == moves
    expect(page.locator(".strip").first).to_contain_text("Host")
    expect(page.get_by_test_id("coach")).to_be_visible()


@pytest.mark.parametrize("game", NAMES)
def test_with_a_host_the_guest_begins(game: str, visit: Callable[..., Visit]) -> None:
    one = visit("en")
    # Whoever let the other side begin before, begins now.
    one.begin(game, opponent="weak", first="they")
    one.set_up(game, "hospitality")
    expect(one.page.get_by_test_id("guest-first")).to_contain_text("The guest moves first")
    expect(one.page.locator("input[name=first]")).to_have_count(0)
    one.page.get_by_test_id("start").click()
    one.wait()
    assert one.moves == []
    one.turn(one.click, random.Random(14))
    assert len(one.moves) >= 2


def test_how_it_looks(viewer: Viewer) -> None:
    one = viewer.one
    one.set_up(NAMES[-1], "hospitality", explain=False)
    viewer.look("quiet-new")
    one.page.get_by_test_id("start").click()
    one.wait()
    one.turn(one.click, random.Random(15))
    viewer.look("quiet-play")
    assert viewer.found == []
