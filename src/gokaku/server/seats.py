"""Law: who sits across may be called by a key that says nothing.

A page that is handed to a child or a friend asks for its opponent by such a key: neither what it
keeps nor what it sends tells how the opponent plays. A disguise, no secret: every server has the same.
"""

from __future__ import annotations

import base64
import hashlib
from functools import cache

from gokaku import opponents


def key(game: str, name: str) -> str:
    """Eight letters and digits for an opponent of a game."""
    digest = hashlib.blake2s(f"{game} {name}".encode(), digest_size=5).digest()
    return base64.b32encode(digest).decode().lower()


@cache
def keys(game: str) -> dict[str, str]:
    """Key to name."""
    return {key(game, name): name for name in opponents.OPPONENTS}


def name(game: str, asked: str) -> str:
    """The opponent that is asked for by name or by key; what is neither comes back as it is."""
    return keys(game).get(asked, asked)
