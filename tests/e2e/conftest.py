"""What the browser tests share: a real server, Debian's Chromium, and hands for mouse, keyboard and touch.

The hands know no rule: they play what the page marks as playable. GOKAKU_E2E_URL names a server that
runs already; GOKAKU_SCREENSHOTS names the folder for pictures (default: screenshots/).
"""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Page, Playwright, expect, sync_playwright

ROOT = Path(__file__).parents[2]
CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 800}
AXE = ROOT / "web/node_modules/axe-core/axe.min.js"
RUN = """async () => (await axe.run()).violations
  .filter((found) => found.impact === 'serious' || found.impact === 'critical')
  .map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.slice(0, 3).map((one) => one.html).join(' | ')}`)"""

SIZES = [False, True]
THEMES = ["light", "dark"]
# Each theme and size is seen in one language, so that every pair is seen once.
LANG = {(False, "light"): "en", (False, "dark"): "ja", (True, "light"): "ja", (True, "dark"): "en"}
PLAYABLE = "[data-square][data-legal], [data-pick], [data-testid=pass]"


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server that runs as a process of its own."""
    if running := os.environ.get("GOKAKU_E2E_URL"):
        yield running.rstrip("/")
        return
    with serving(tmp_path_factory.mktemp("server") / "log") as started:
        yield started


@contextmanager
def serving(log: Path, *options: str) -> Iterator[str]:
    """A server with these options as a process of its own; gives its address."""
    if not (ROOT / "src/gokaku/web/index.html").is_file():
        pytest.fail("the browser client is not built; run `make client`")
    command = [sys.executable, "-m", "gokaku", "serve", "--port", "0", *options]
    with (
        log.open("w") as out,
        subprocess.Popen(command, stdout=subprocess.PIPE, stderr=out, text=True) as server,
    ):
        assert server.stdout is not None
        try:
            for line in server.stdout:
                if found := re.search(r"http://\S+", line):
                    yield found.group().rstrip("/")
                    break
            else:
                pytest.fail(f"the server did not start:\n{log.read_text()}")
        finally:
            server.terminate()
            server.wait(20)


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    launched = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
    yield launched
    launched.close()


@pytest.fixture(scope="session")
def pictures() -> Path:
    folder = Path(os.environ.get("GOKAKU_SCREENSHOTS") or ROOT / "screenshots")
    folder.mkdir(parents=True, exist_ok=True)
    return folder


class Visit:
    """One person's browser on the page."""

    def __init__(self, context: BrowserContext, address: str) -> None:
        self.address = address
        self.page: Page = context.new_page()
        self.page.set_default_timeout(20_000)
        self.problems: list[str] = []
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on(
            "console", lambda said: self.problems.append(said.text) if said.type == "error" else None
        )

    def go(self, route: str) -> None:
        self.page.goto(f"{self.address}/#/{route}")

    def begin(self, game: str, opponent: str = "weak", first: str = "you", explain: bool = True) -> None:
        """Sets up a game through the page's own form; opponent "" is a friend at this screen."""
        self.set_up(game, opponent, explain)
        begins = self.page.locator(f"input[name=first][value={first}]")
        if begins.count():  # with a friend or a host there is no choice
            begins.check()
        self.page.get_by_test_id("start").click()
        self.wait()

    def set_up(self, game: str, opponent: str, explain: bool = True) -> None:
        """Goes to the form and chooses who sits across and whether the game is explained."""
        self.go(f"new/{game}")
        self.page.locator(f'input[name=opponent][value="{opponent}"]').check()
        self.page.get_by_test_id("explain").set_checked(explain)

    def load(self, record: str) -> None:
        """Puts a record in the place of the game in play."""
        self.page.get_by_test_id("load").click()
        self.page.get_by_test_id("record-text").fill(record)
        self.page.get_by_test_id("read").click()
        expect(self.page.get_by_test_id("record-text")).to_be_hidden()

    def wait(self) -> None:
        """Until the person may touch something or the game is over."""
        self.page.locator(f"{PLAYABLE}, [data-over=true]").first.wait_for()

    @property
    def over(self) -> bool:
        return self.page.locator("[data-over=true]").count() > 0

    @property
    def moves(self) -> list[str]:
        return self.page.locator("[data-testid=moves] .move").all_inner_texts()

    @property
    def result(self) -> str:
        return self.page.locator("[data-testid=status] h2").inner_text()

    def turn(self, hand: Callable[[Locator], None], rng: random.Random) -> None:
        """Plays one of the playable moves, chosen at random, with the hand given."""
        before = len(self.moves)
        playable = self.page.locator(PLAYABLE)
        hand(playable.nth(rng.randrange(playable.count())))
        if (
            len(self.moves) == before
            and self.page.locator("[aria-selected=true], [aria-pressed=true]").count()
        ):
            targets = self.page.locator("[data-square][data-legal]")
            hand(targets.nth(rng.randrange(targets.count())))
        expect(self.page.locator("[data-testid=moves] .move").nth(before)).to_be_attached()
        self.wait()

    def play_out(self, hand: Callable[[Locator], None], rng: random.Random) -> None:
        while not self.over:
            self.turn(hand, rng)

    def click(self, target: Locator) -> None:
        target.click()

    def tap(self, target: Locator) -> None:
        target.tap()

    def type(self, target: Locator) -> None:
        """Goes to the target with Tab and the arrow keys, then presses Enter."""
        if target.get_attribute("data-spot") is None:
            target.focus()
        else:
            spot = target.get_attribute("data-spot")
            for _ in range(40):
                if self.page.evaluate("document.activeElement?.dataset.spot !== undefined"):
                    break
                self.page.keyboard.press("Tab")
            for _ in range(60):
                key = self.page.evaluate(NEXT_KEY, spot)
                if key is None:
                    break
                self.page.keyboard.press(key)
            assert self.page.evaluate("document.activeElement.dataset.spot") == spot
        self.page.keyboard.press("Enter")


# The arrow key that leads from the focus towards a spot, judged by where both are drawn.
NEXT_KEY = """(spot) => {
  const here = document.activeElement
  const there = document.querySelector(`[data-spot="${spot}"]`)
  if (here === there) return null
  const [a, b] = [here.getBoundingClientRect(), there.getBoundingClientRect()]
  const dx = b.x + b.width / 2 - a.x - a.width / 2
  const dy = b.y + b.height / 2 - a.y - a.height / 2
  if (Math.abs(dy) > a.height / 2) return dy > 0 ? 'ArrowDown' : 'ArrowUp'
  return dx > 0 ? 'ArrowRight' : 'ArrowLeft'
}"""


@pytest.fixture
def visit(browser: Browser, address: str) -> Iterator[Callable[..., Visit]]:
    """Makes visits; at the end none of them may have met an error on the page."""
    contexts: list[BrowserContext] = []
    visits: list[Visit] = []

    def make(lang: str = "en", phone: bool = False, theme: str = "light", motion: bool = False) -> Visit:
        context = browser.new_context(
            viewport=PHONE if phone else DESK,  # type: ignore[arg-type]
            has_touch=phone,
            locale={"en": "en-GB", "ja": "ja-JP"}[lang],
            color_scheme="dark" if theme == "dark" else "light",
            reduced_motion="no-preference" if motion else "reduce",
        )
        contexts.append(context)
        visits.append(Visit(context, address))
        return visits[-1]

    yield make
    problems = [problem for one in visits for problem in one.problems]
    for context in contexts:
        context.close()
    assert not problems


class Viewer:
    """Takes pictures of a visit's pages and gathers what axe-core finds on them."""

    def __init__(self, one: Visit, pictures: Path, phone: bool, theme: str) -> None:
        self.one = one
        self.pictures = pictures
        size = "390x844" if phone else "1280x800"
        self.suffix = f"{size}-{theme}-{LANG[phone, theme]}"
        self.found: list[str] = []

    def look(self, name: str) -> None:
        page = self.one.page
        expect(page.locator("main h1")).to_be_attached()
        expect(page.locator("[aria-busy=true]")).to_have_count(0)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name} scrolls sideways"
        page.screenshot(path=self.pictures / f"{name}-{self.suffix}.png", full_page=True)
        # Evaluated, not added as a script: the page's policy allows only its own.
        page.evaluate(AXE.read_text())
        violations: list[Any] = page.evaluate(RUN)
        self.found += [f"{name}: {violation}" for violation in violations]


@pytest.fixture(params=[(phone, theme) for phone in SIZES for theme in THEMES], ids=str)
def viewer(request: pytest.FixtureRequest, visit: Callable[..., Visit], pictures: Path) -> Viewer:
    phone, theme = request.param
    return Viewer(visit(LANG[phone, theme], phone=phone, theme=theme), pictures, phone, theme)
