"""Law: who sits across may be called by a key that says nothing.

A page that is handed to a child or a friend asks for its opponent by such a key: neither what it
keeps nor what it sends tells how the opponent plays. A disguise, no secret: every server has the same.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache

from gokaku import opponents


def key(game: str, name: str, level: int = opponents.LEVELS[-1]) -> str:
    """Eight letters and digits for an opponent of a game, at a level if it has any."""
    text = f"{game} {name}" if level == opponents.LEVELS[-1] else f"{game} {name} {level}"
    digest = hashlib.blake2s(text.encode(), digest_size=5).digest()
    return base64.b32encode(digest).decode().lower()


def keys(game: str, name: str) -> list[str]:
    """An opponent's keys: one for each level, weakest first; one where it has none."""
    if not opponents.OPPONENTS[name].levels:
        return [key(game, name)]
    return [key(game, name, level) for level in opponents.LEVELS]


@cache
def _sitting(game: str) -> dict[str, tuple[str, int | None]]:
    return {
        one: (name, level if found.levels else None)
        for name, found in opponents.OPPONENTS.items()
        for level, one in enumerate(keys(game, name), opponents.LEVELS[0])
    }


def seat(game: str, asked: str) -> tuple[str, int | None]:
    """The opponent that is asked for by name or by key, and the level that the key stands for.

    What is neither comes back as it is.
    """
    return _sitting(game).get(asked, (asked, None))
