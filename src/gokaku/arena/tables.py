"""The study's numbers as CSV, one row a pair, and as Markdown, one table a measure."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import fields

from gokaku.arena.measures import Share, Summary

#: The guest is to win so often: at least, at most.
AIM = (0.6, 0.8)

#: Title, what it means, and how a cell is written.
_MEASURES: tuple[tuple[str, str, Callable[[Summary], str]], ...] = (
    ("Guest wins, %", "with 95 % intervals", lambda one: str(one.guest_wins)),
    ("Draws, %", "with 95 % intervals", lambda one: str(one.draws)),
    (
        "Visible help, %",
        "host moves that give the game away while a no less natural move did not",
        lambda one: _percent(one.seen),
    ),
    ("Help, %", "host moves that give the game away at all", lambda one: _percent(one.given)),
    (
        "Distance of deviations",
        "between host and guest, Kolmogorov and Smirnov's, 0 to 1",
        lambda one: f"{one.distance:.2f}",
    ),
    ("Within reach, %", "plies whose value is within 80 of even", lambda one: f"{100 * one.reach.rate:.0f}"),
    ("Lead changes", "a game", lambda one: f"{one.lead_changes:.1f}"),
    ("Length", "plies a game", lambda one: f"{one.length:.0f}"),
    ("The host's mean deviation", "1 is best play", lambda one: f"{one.host_deviation:.3f}"),
)


def as_csv(summaries: Sequence[Summary]) -> str:
    """All measures; a share takes three columns: rate, low and high end of its interval."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    names = [field.name for field in fields(Summary)]
    shares = {name for name in names if isinstance(getattr(summaries[0], name), Share)}
    heads = [[name, f"{name}_low", f"{name}_high"] if name in shares else [name] for name in names]
    writer.writerow([head for group in heads for head in group])
    for one in summaries:
        row: list[object] = []
        for name in names:
            cell = getattr(one, name)
            if isinstance(cell, Share):
                row += [f"{number:.4f}" for number in (cell.rate, *cell.interval)]
            else:
                row.append(f"{cell:.4f}" if isinstance(cell, float) else cell)
        writer.writerow(row)
    return out.getvalue()


def as_markdown(summaries: Sequence[Summary]) -> str:
    """A table a measure, guests down and hosts across, then how far each host meets the aim."""
    guests = list(dict.fromkeys(one.guest for one in summaries))
    hosts = list(dict.fromkeys(one.host for one in summaries))
    by_pair = {(one.guest, one.host): one for one in summaries}
    parts = []
    for title, meaning, cell in _MEASURES:
        rows = [
            [guest, *(cell(by_pair[guest, host]) if (guest, host) in by_pair else "" for host in hosts)]
            for guest in guests
        ]
        parts.append(
            f"### {title}\n\n{meaning[0].upper()}{meaning[1:]}.\n\n{_table(['guest', *hosts], rows)}"
        )
    rows = [[host, *_aim([one for one in summaries if one.host == host])] for host in hosts]
    heads = [
        "host",
        "rungs in 60-80 %",
        "rungs whose interval reaches it",
        "lowest",
        "highest",
        "visible help, %",
        "distance",
    ]
    parts.append(f"### The aim\n\nMeans over the rungs on the right.\n\n{_table(heads, rows)}")
    return "\n".join(parts)


def _aim(summaries: Sequence[Summary]) -> list[str]:
    low, high = AIM
    rates = [one.guest_wins.rate for one in summaries]
    inside = sum(low <= rate <= high for rate in rates)
    touching = sum(
        one.guest_wins.interval[0] <= high and one.guest_wins.interval[1] >= low for one in summaries
    )
    count = len(summaries)
    return [
        f"{inside} of {count}",
        f"{touching} of {count}",
        f"{100 * min(rates):.0f}",
        f"{100 * max(rates):.0f}",
        f"{100 * sum(one.seen.rate for one in summaries) / count:.1f}",
        f"{sum(one.distance for one in summaries) / count:.2f}",
    ]


def _percent(share: Share) -> str:
    low, high = share.interval
    return f"{100 * share.rate:.1f} ({100 * low:.1f}-{100 * high:.1f})"


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [heads, ["---", *["---:"] * (len(heads) - 1)], *rows]
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)
