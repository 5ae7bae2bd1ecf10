"""Values as Tanaka (2009) and his public solver count them: a game that no capture ends takes a ply longer.

By our rules a Try that cannot be answered wins at once, by theirs when its owner's turn comes. The
side that wins prefers the quicker end, the other the later, so a win in n plies is one in n or n + 1;
which of them is decided along the best lines, and only there.
"""

from __future__ import annotations

from typing import Any

from gokaku.solve.table import Table


class Published:
    """Looks values up in a table, in that convention. Keeps what it has found out."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._late: dict[int, bool] = {}
        self._room = [0] * table.rules.MAX_MOVES

    def value(self, state: Any) -> int:
        """The plies to the end of a running position, negative if the side to move loses, 0 for a draw."""
        plies = self.table.value(state)
        late = self._is_late(state, plies)
        return plies - late if plies < 0 else plies + late

    def _is_late(self, state: Any, plies: int) -> bool:
        """Whether the side that loses can have the game end by other than a capture."""
        rules = self.table.rules
        if plies == 0:
            return False
        if plies == 1:
            return not rules.ended(state)
        number = rules.number_of(state)
        if number not in self._late:
            count = rules.moves(state, self._room)
            children = [rules.play(state, code) for code in self._room[:count]]
            after = 1 - plies if plies > 0 else -1 - plies
            best = [
                child for child in children if not rules.outcome(child) and self.table.value(child) == after
            ]
            late = (self._is_late(child, after) for child in best)
            self._late[number] = all(late) if plies > 0 else any(late)
        return self._late[number]
