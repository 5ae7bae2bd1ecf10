"""What the pieces are called and how they step, for people who do not know them yet."""

from __future__ import annotations

from gokaku.board import Game
from gokaku.cli.picture import marks

_ARROWS = {
    (-1, -1): "↖",
    (-1, 0): "↑",
    (-1, 1): "↗",
    (0, -1): "←",
    (0, 1): "→",
    (1, -1): "↙",
    (1, 0): "↓",
    (1, 1): "↘",
}


def legend(game: Game) -> list[str]:
    """A line a piece, as first moves it; empty for games of marks."""
    if marks(game):
        return []
    lines = []
    for letter, (english, japanese) in game.rules.PIECES.items():
        line = f"  {letter:2} {english} {japanese}"
        if hasattr(game.rules, "directions"):
            line += f"  {_steps(game.rules.directions(letter))}"
        lines.append(line)
    return ["Pieces, and where capitals step:", *lines]


def _steps(directions: tuple[tuple[int, int, int], ...]) -> str:
    near = "".join(_ARROWS.get((row, col), "*") for row, col, far in directions if not far)
    far = "".join(_ARROWS.get((row, col), "*") for row, col, far in directions if far)
    return " ".join(part for part in (near, f"{far} as far as it is free" if far else "") if part)
