"""The study's pictures: who wins, how games go, how deviations lie, how visible help is. SVG and PNG.

The only file that knows matplotlib, which is an extra: `pip install gokaku[study]`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from gokaku.arena import measures
from gokaku.arena.games import Record
from gokaku.arena.measures import Summary
from gokaku.arena.tables import AIM

Games = Mapping[tuple[str, str], Sequence[Record]]

# Told apart without colour too, and by those who see few (Okabe and Ito).
_COLOURS = ("#d55e00", "#0072b2", "#009e73", "#888888", "#cc79a7", "#e69f00", "#56b4e9")
_MARKS = "osD^vPX"
_STEPS = 20  # of a game's way from start to end


def draw(folder: Path, title: str, summaries: Sequence[Summary], games: Games) -> list[Path]:
    """Writes all pictures into the folder; the files."""
    mpl.rcParams.update({"svg.hashsalt": "gokaku", "svg.fonttype": "none", "font.size": 9})
    files = []
    for name, figure in _figures(title, summaries, games):
        for suffix in ("svg", "png"):
            path = folder / f"{name}.{suffix}"
            # No date: the same games make the same file.
            extra = {"Date": None} if suffix == "svg" else {}
            figure.savefig(path, dpi=110, metadata=extra)
            files.append(path)
    return files


def _figures(title: str, summaries: Sequence[Summary], games: Games) -> Iterator[tuple[str, Figure]]:
    guests = list(dict.fromkeys(one.guest for one in summaries))
    hosts = list(dict.fromkeys(one.host for one in summaries))
    yield "wins", _wins(title, summaries, guests, hosts)
    yield "visibility", _visibility(title, summaries, guests, hosts)
    yield "curves", _curves(title, games, guests, hosts)
    yield "deviations", _deviations(title, games, guests, hosts)


def _wins(title: str, summaries: Sequence[Summary], guests: list[str], hosts: list[str]) -> Figure:
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.subplots()
    axes.axhspan(100 * AIM[0], 100 * AIM[1], color="#f0e442", alpha=0.35, label="aim", linewidth=0)
    for i, host in enumerate(hosts):
        own = [one for one in summaries if one.host == host]
        # Side by side, so that intervals can be told apart.
        at = [guests.index(one.guest) + 0.09 * (i - (len(hosts) - 1) / 2) for one in own]
        rates = [100 * one.guest_wins.rate for one in own]
        ends = [one.guest_wins.interval for one in own]
        below = [max(0.0, rate - 100 * low) for rate, (low, _) in zip(rates, ends, strict=True)]
        above = [max(0.0, 100 * high - rate) for rate, (_, high) in zip(rates, ends, strict=True)]
        axes.errorbar(
            at, rates, [below, above], label=host, color=_colour(i), marker=_MARKS[i % 7], markersize=4,
            linewidth=1.8 if i < 2 else 0.9, elinewidth=0.9, capsize=2,
        )  # fmt: skip
    axes.set(title=f"{title}: how often the guest wins", ylabel="games won by the guest, %", ylim=(-3, 103))
    _rungs(axes, guests)
    axes.legend(ncols=4, loc="upper center", bbox_to_anchor=(0.5, -0.16), frameon=False)
    return figure


def _visibility(title: str, summaries: Sequence[Summary], guests: list[str], hosts: list[str]) -> Figure:
    figure = Figure(figsize=(8, 4.2), layout="constrained")
    left, right = figure.subplots(1, 2)
    for i, host in enumerate(hosts):
        own = [one for one in summaries if one.host == host]
        at = [guests.index(one.guest) for one in own]
        look = {
            "color": _colour(i),
            "marker": _MARKS[i % 7],
            "markersize": 4,
            "linewidth": 1.8 if i < 2 else 0.9,
        }
        left.plot(at, [100 * one.seen.rate for one in own], label=host, **look)
        right.plot(at, [one.distance for one in own], **look)
    left.set(title="host moves that visibly give the game away", ylabel="% of the host's moves")
    right.set(title="distance of host's and guest's deviations", ylabel="Kolmogorov-Smirnov distance")
    for axes in (left, right):
        axes.set_ylim(bottom=0)
        _rungs(axes, guests)
    figure.suptitle(f"{title}: how visible the help is")
    figure.legend(ncols=7, loc="outside lower center", frameon=False)
    return figure


def _curves(title: str, games: Games, guests: list[str], hosts: list[str]) -> Figure:
    figure, panels = _panels(hosts)
    for host, axes in zip(hosts, panels, strict=False):
        axes.axhline(0.5, color="#bbbbbb", linewidth=0.8)
        for i, guest in enumerate(guests):
            records = games.get((guest, host), ())
            if records:
                shade = mpl.colormaps["viridis"](i / max(1, len(guests) - 1))
                steps = [step / _STEPS for step in range(_STEPS + 1)]
                axes.plot(steps, _mean_curve(records), color=shade, linewidth=1.2, label=guest)
        axes.set(title=host, ylim=(0, 1), xlim=(0, 1))
    figure.suptitle(f"{title}: the guest's expected result from the start to the end of the game, means")
    figure.legend(*panels[0].get_legend_handles_labels(), ncols=10, loc="outside lower center", frameon=False)
    return figure


def _mean_curve(records: Sequence[Record]) -> list[float]:
    """The mean of the guest's expectation at equal steps of each game's length."""
    curves = [measures.expectations(record) for record in records]
    return [
        sum(curve[round(step / _STEPS * (len(curve) - 1))] for curve in curves) / len(curves)
        for step in range(_STEPS + 1)
    ]


def _deviations(title: str, games: Games, guests: list[str], hosts: list[str]) -> Figure:
    shown = [guests[i] for i in sorted({0, len(guests) // 2, len(guests) - 2} & set(range(len(guests))))]
    figure = Figure(figsize=(1.9 * len(hosts) + 1, 2 * len(shown) + 1), layout="constrained")
    grid = figure.subplots(len(shown), len(hosts), sharex=True, sharey=True, squeeze=False)
    for guest, row in zip(shown, grid, strict=True):
        for host, axes in zip(hosts, row, strict=True):
            records = games.get((guest, host), ())
            for of_guest, colour, label in ((True, "#0072b2", "guest"), (False, "#d55e00", "host")):
                sample = sorted(measures.deviations(records, of_guest))
                if sample:
                    heights = [(i + 1) / len(sample) for i in range(len(sample))]
                    # A few hundred points draw the same line as many thousand.
                    every = math.ceil(len(sample) / 400)
                    axes.step(
                        sample[::every] + sample[-1:], [*heights[::every], 1.0],
                        color=colour, linewidth=1.1, label=label, where="post",
                    )  # fmt: skip
            axes.set(xlim=(0.5, 1.01), ylim=(0, 1.02))
            if guest == shown[0]:
                axes.set_title(host, fontsize=9)
            if host == hosts[0]:
                axes.set_ylabel(f"against {guest}")
    figure.suptitle(f"{title}: share of moves up to a deviation")
    figure.legend(*grid[0][0].get_legend_handles_labels(), ncols=2, loc="outside lower center", frameon=False)
    return figure


def _panels(hosts: Sequence[str]) -> tuple[Figure, list[Axes]]:
    columns = min(3, len(hosts))
    rows = math.ceil(len(hosts) / columns)
    figure = Figure(figsize=(3 * columns, 2.4 * rows + 0.8), layout="constrained")
    panels = [
        axes
        for row in figure.subplots(rows, columns, sharex=True, sharey=True, squeeze=False)
        for axes in row
    ]
    for axes in panels[len(hosts) :]:
        axes.set_axis_off()
    return figure, panels


def _rungs(axes: Axes, guests: Sequence[str]) -> None:
    axes.set_xticks(range(len(guests)), guests)
    axes.tick_params(axis="x", labelrotation=45)
    axes.grid(axis="y", color="#dddddd", linewidth=0.6)
    axes.set_axisbelow(True)


def _colour(i: int) -> str:
    return _COLOURS[i % len(_COLOURS)]
