"""What rules in MicroPython cost a browser: the start, loading a rule file, a move with the next list.

    python bench/client.py http://127.0.0.1:8000

Needs a running server and Debian's Chromium. Prints JSON; times in milliseconds, medians of several runs.
"""

from __future__ import annotations

import json
import re
import statistics
import sys
from typing import Any
from urllib.request import urlopen

from playwright.sync_api import sync_playwright

RUNS = 5
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
]

# Talks with the client's own worker, as the page does; plays random games.
MEASURE = """async ([worker, games]) => {
  const files = await Promise.all(games.map(async ({ rules }) => (await fetch(rules)).text()))
  const began = performance.now()
  const python = new Worker(worker, { type: 'module' })
  const waiting = new Map()
  python.onmessage = ({ data }) => waiting.get(data.id)(data)
  let count = 0
  const ask = async (command, ...args) => {
    const id = ++count
    const answer = new Promise((resolve) => waiting.set(id, resolve))
    python.postMessage({ id, command, args })
    const { value, error } = await answer
    if (error) throw Error(error)
    return value
  }
  await ask('add', 'nothing', '')
  const measured = { start: performance.now() - began, games: {} }
  for (const [index, { name }] of games.entries()) {
    let at = performance.now()
    await ask('add', name, files[index])
    await ask('describe', name)
    const load = performance.now() - at
    const plies = []
    while (plies.length < 150) {
      let view = await ask('open', name, '', [])
      while (!view.outcome) {
        const move = view.moves[Math.floor(Math.random() * view.moves.length)]
        at = performance.now()
        view = await ask('play', move.text)
        plies.push(performance.now() - at)
      }
    }
    plies.sort((a, b) => a - b)
    const at_share = (share) => plies[Math.floor(plies.length * share)]
    measured.games[name] = { load, ply: at_share(0.5), ply_p99: at_share(0.99) }
  }
  python.terminate()
  return measured
}"""


def worker_of(address: str) -> str:
    """The address of the worker's script, which the page's script names."""
    with urlopen(address) as page:
        script = re.search(r'src="([^"]+\.js)"', page.read().decode())
    assert script, "the client is not built"
    with urlopen(address + script[1]) as code:
        worker = re.search(r"/assets/worker-[\w-]+\.js", code.read().decode())
    assert worker
    return worker[0]


def measure(address: str) -> dict[str, Any]:
    with urlopen(f"{address}/api/v1/games") as answer:
        games = json.load(answer)["games"]
    worker = worker_of(address)
    runs = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        for _ in range(RUNS):
            page = browser.new_page()
            page.goto(address)
            runs.append(page.evaluate(MEASURE, [worker, games]))
            page.close()
        browser.close()

    def median(*keys: str) -> float:
        values = []
        for run in runs:
            for key in keys:
                run = run[key]
            values.append(run)
        return float(round(statistics.median(values), 1))

    return {
        "start": median("start"),
        "games": {
            game["name"]: {part: median("games", game["name"], part) for part in ("load", "ply", "ply_p99")}
            for game in games
        },
    }


if __name__ == "__main__":
    print(json.dumps(measure(sys.argv[1].rstrip("/")), indent=2))
