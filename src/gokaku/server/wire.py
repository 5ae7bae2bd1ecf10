"""Law: what crosses the line has a type here, grouped by direction, and nothing else crosses it.

Unknown fields are refused, so that a misspelt one is not silently ignored.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import UNSET, Meta, Struct, UnsetType

MAX_BODY = 64 * 1024  # bytes
MAX_PLIES = 1000
MAX_LIMIT_MS = 5000

Word = Annotated[str, Meta(max_length=64)]
Move = Annotated[str, Meta(max_length=64, description="a move in the game's notation", examples=["B2"])]
Milliseconds = Annotated[int, Meta(ge=1, le=MAX_LIMIT_MS)]
Position = Annotated[str, Meta(max_length=2000, description="a position in the game's notation")]


# -- in ------------------------------------------------------------------------------------------------------


class Question(Struct, forbid_unknown_fields=True):
    """A game in play: the moves since `position`, or since the start where there is none.

    Repetition is judged from the moves, so a game that knows it is best sent from its start.
    """

    game: Word
    moves: Annotated[list[Move], Meta(max_length=MAX_PLIES)] = []
    position: Position | None = None


class ReplyRequest(Question, kw_only=True):
    """Ask an opponent for a move. Question and seed decide the answer, unless the clock does."""

    opponent: Annotated[
        str, Meta(max_length=64, description="a name, or a seat's key, which stands for a level too")
    ]
    limit_ms: Milliseconds = 50
    seed: Annotated[int, Meta(ge=0, lt=2**62)] = 0
    level: Annotated[int, Meta(ge=1, le=8, description="strength of `engine`; others ignore it")] = 8
    explain: Annotated[bool, Meta(description="false: the move alone, and no word of how it was chosen")] = (
        True
    )


class AnalyseRequest(Question, kw_only=True):
    """Ask for the value of every legal move, and, with `last`, for a word on the last move played.

    With `last` a game that is over is answered too, with no moves to value.
    """

    limit_ms: Milliseconds = 200
    last: bool = False


# -- out -----------------------------------------------------------------------------------------------------


class Title(Struct):
    en: str
    ja: str


class GameInfo(Struct):
    """A game, where its rules are, and who may be asked to play it (weakest first).

    hosts: those who let the guest begin. seats: each opponent's keys, one a level, weakest first, or one in
    all. Asked without explanations, only what says nothing of the opponents is there.
    """

    name: str
    title: Title
    rules: str
    opponents: list[str] | UnsetType = UNSET
    hosts: list[str] | UnsetType = UNSET
    seats: dict[str, list[str]] | UnsetType = UNSET
    levels: list[int] | UnsetType = UNSET


class Games(Struct):
    games: list[GameInfo]


class Explanation(Struct):
    """Why this move: the rule that chose, a sentence, the values looked at, and what else there is to say."""

    rule: str
    text: str
    values: dict[str, float]
    details: dict[str, Any]


class Reply(Struct):
    """A move, legal where it was asked for, by the side that was to move; why, unless that was not wanted."""

    move: str
    turn: str
    explanation: Explanation | UnsetType = UNSET


class MoveValue(Struct):
    """A move's worth to the side that makes it, -100 to 100; its deviation: 1 is best, near 0.5 throws the
    game away; its rank, which equals share; the plies to the end of the game, itself included, if proved."""

    move: str
    value: float
    deviation: float
    rank: int
    plies: int | None


class LastMove(Struct):
    """The coach's word on the last move played: its rank is among `count` legal moves; what was best there,
    and the line that the best move would have led to."""

    move: str
    turn: str
    value: float
    deviation: float
    rank: int
    plies: int | None
    count: int
    best: MoveValue
    line: list[str]
    source: str


class Analysis(Struct):
    """Every legal move, best first, and the line of best moves; the source, "table" or "search"; how far a
    search saw, and if compiled; a word on the last move if asked for and there is one."""

    turn: str
    values: list[MoveValue]
    line: list[str]
    source: str
    depth: int
    nodes: int
    compiled: bool
    last: LastMove | None = None


class Kernels(Struct):
    """Whether a game's compiled kernels are in the cache; until then its engine runs as plain Python."""

    game: str
    ready: bool


class Status(Struct):
    """How the server is doing. Times in seconds, `busy` and `waiting` in questions.

    tables: the games whose complete tables have been found or built since the start.
    """

    version: str
    uptime: float
    kernels: list[Kernels]
    tables: list[str]
    workers: int
    busy: int
    waiting: int
    queue: int


class Deployment(Struct):
    """The contract on a test network: `chain` is the network's id, `address` the contract's; `rpc` and
    `explorer` are the network's public addresses, or empty."""

    chain: int
    name: str
    title: str
    address: str
    rpc: str
    explorer: str
    currency: str


class Chain(Struct):
    """Where the opponent on the chain is to be found; the first is the one to take where none is chosen."""

    deployments: list[Deployment]


class Health(Struct):
    status: str
