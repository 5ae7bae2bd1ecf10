"""What the games of one pair of guest and host say: who wins, how close, how visible the help is.

Plain arithmetic over records; every share comes with Wilson's 95 % interval.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gokaku.arena.games import Record
from gokaku.opponents import deviation

#: A value is within reach if it is at most this far from even: a forced end is then 20 plies away or
#: more, an estimated chance of winning between 10 and 90 %.
REACH = 80.0
#: A side leads if its expected result is so far above one half.
LEAD = 0.1


@dataclass(frozen=True)
class Share:
    """`hits` of `of`, and the ends of Wilson's 95 % interval."""

    hits: int
    of: int

    @property
    def rate(self) -> float:
        return self.hits / self.of if self.of else math.nan

    @property
    def interval(self) -> tuple[float, float]:
        return wilson(self.hits, self.of)

    def __str__(self) -> str:
        if not self.of:
            return "-"
        low, high = self.interval
        return f"{100 * self.rate:.0f} ({100 * low:.0f}-{100 * high:.0f})"


@dataclass(frozen=True)
class Summary:
    """All measures of one pair.

    guest_wins, draws: of the games. reach: plies whose value is within reach. lead_changes, length: means
    a game; length in plies. seen: host moves that visibly give the game away; given: those that do at
    all. distance: between the distributions of the host's and the guest's deviations (Kolmogorov and
    Smirnov's, 0 to 1). host_deviation: the mean of the host's.
    """

    guest: str
    host: str
    games: int
    guest_wins: Share
    draws: Share
    reach: Share
    lead_changes: float
    length: float
    seen: Share
    given: Share
    distance: float
    host_deviation: float


def summary(guest: str, host: str, records: Sequence[Record]) -> Summary:
    """Sums up the games of one pair; there is at least one."""
    plies = [ply for record in records for ply in record.plies]
    hosts = [ply for record in records for ply in record.plies[1::2]]
    mine, theirs = deviations(records, of_guest=False), deviations(records, of_guest=True)
    return Summary(
        guest=guest,
        host=host,
        games=len(records),
        guest_wins=Share(sum(record.winner == "guest" for record in records), len(records)),
        draws=Share(sum(record.winner is None for record in records), len(records)),
        reach=Share(sum(abs(ply.best) <= REACH for ply in plies), len(plies)),
        lead_changes=sum(map(lead_changes, records)) / len(records),
        length=len(plies) / len(records),
        seen=Share(sum(ply.seen for ply in hosts), len(hosts)),
        given=Share(sum(ply.given for ply in hosts), len(hosts)),
        distance=distance(mine, theirs),
        host_deviation=sum(mine) / len(mine) if mine else math.nan,
    )


def deviations(records: Iterable[Record], of_guest: bool) -> list[float]:
    """One side's deviations, where it had a choice."""
    start = 0 if of_guest else 1
    return [
        deviation(ply.value, ply.best)
        for record in records
        for ply in record.plies[start::2]
        if ply.legal > 1
    ]


def expectations(record: Record) -> list[float]:
    """The guest's expected result before each ply, and at the end."""
    curve = [ply.could if i % 2 == 0 else 1 - ply.could for i, ply in enumerate(record.plies)]
    return [*curve, {"guest": 1.0, "host": 0.0}.get(record.winner or "", 0.5)]


def lead_changes(record: Record) -> int:
    """How often the lead passes from one side to the other; a time of balance in between counts nothing."""
    leader = changes = 0
    for expected in expectations(record):
        now = (expected >= 0.5 + LEAD) - (expected <= 0.5 - LEAD)
        if now and leader and now != leader:
            changes += 1
        leader = now or leader
    return changes


def wilson(hits: int, of: int, z: float = 1.959964) -> tuple[float, float]:
    """Wilson's score interval of a share; (0, 1) if nothing was counted."""
    if of == 0:
        return 0.0, 1.0
    rate = hits / of
    centre = (rate + z * z / (2 * of)) / (1 + z * z / of)
    half = z / (1 + z * z / of) * math.sqrt(rate * (1 - rate) / of + z * z / (4 * of * of))
    # Rounding must not put the rate itself outside.
    return max(0.0, min(rate, centre - half)), min(1.0, max(rate, centre + half))


def distance(one: Iterable[float], other: Iterable[float]) -> float:
    """Kolmogorov and Smirnov's distance: the largest gap between two samples' distribution functions."""
    # Deviations come from rounded values: what differs by less is equal.
    a, b = sorted(round(x, 4) for x in one), sorted(round(x, 4) for x in other)
    if not a or not b:
        return math.nan
    gap = 0.0
    i = j = 0
    while i < len(a) and j < len(b):
        here = min(a[i], b[j])
        while i < len(a) and a[i] == here:
            i += 1
        while j < len(b) and b[j] == here:
            j += 1
        gap = max(gap, abs(i / len(a) - j / len(b)))
    return gap
