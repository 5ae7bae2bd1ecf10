"""Whatever is sent, the server answers, and never with its own mistake."""

from __future__ import annotations

import json
from typing import Any

import httpx
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import gokaku
from gokaku import opponents
from gokaku.games import NAMES

PATHS = st.sampled_from(["/api/v1/reply", "/api/v1/analyse"])
FEW = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])

anything: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(), inner, max_size=5),
    max_leaves=20,
)
MOVES = sorted({move for name in NAMES for move in gokaku.game(name).start().legal_moves})
POSITIONS = [gokaku.game(name).start().position for name in NAMES]
OPPONENTS = sorted({one for name in NAMES for one in opponents.names(gokaku.game(name))})


@st.composite
def mangled(draw: st.DrawFn) -> str:
    """A position that once was one."""
    text = draw(st.sampled_from(POSITIONS))
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(text)))
        text = text[:at] + draw(st.text(max_size=3)) + text[at + draw(st.integers(0, 3)) :]
    return text


nearly = st.fixed_dictionaries(
    {"game": st.sampled_from(NAMES) | anything},
    optional={
        "opponent": st.sampled_from(OPPONENTS) | anything,
        "moves": st.lists(st.sampled_from(MOVES) | st.text(max_size=6), max_size=6) | anything,
        "position": st.sampled_from(POSITIONS) | mangled() | anything,
        "limit_ms": st.integers(1, 10) | anything,
        "seed": st.integers(0, 2**62 - 1) | anything,
        "level": st.integers(1, 8) | anything,
        "explain": st.booleans() | anything,
        "last": st.booleans() | anything,
    },
)


def sound(answer: httpx.Response) -> None:
    assert answer.status_code < 500, (answer.request.content, answer.text)
    if answer.status_code != 200:
        error = answer.json()["error"]
        assert error["code"] not in ("internal", "")
        assert error["message"]


@FEW
@given(path=PATHS, body=st.binary(max_size=200))
def test_bytes(client: httpx.Client, path: str, body: bytes) -> None:
    sound(client.post(path, content=body))


@FEW
@given(path=PATHS, body=anything)
def test_json(client: httpx.Client, path: str, body: Any) -> None:
    sound(client.post(path, content=json.dumps(body)))


@FEW
@given(path=PATHS, body=nearly)
def test_nearly_sound_questions(client: httpx.Client, path: str, body: dict[str, Any]) -> None:
    others = ("last",) if path.endswith("reply") else ("opponent", "seed", "level", "explain")
    body = {key: value for key, value in body.items() if key not in others}
    if not isinstance(body.get("limit_ms"), int) or body["limit_ms"] > 10:
        body["limit_ms"] = 5
    sound(client.post(path, content=json.dumps(body)))
