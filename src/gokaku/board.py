"""The public board: a game's rules behind names that a newcomer guesses.

Pure Python over the rule files; no compiler, no engine. A board is immutable and remembers the
moves that led to it, because repetition is judged from the history.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import import_module, resources
from typing import Any, Literal

from gokaku.games import NAMES

Side = Literal["first", "second"]
SIDES: tuple[Side, Side] = ("first", "second")

RUNNING, FIRST_WON, SECOND_WON, DRAW = range(4)


class UnknownGame(ValueError):
    """There is no game of that name."""


class BadPosition(ValueError):
    """The text is not a position of the game."""


class IllegalMove(ValueError):
    """The text is not a legal move here; the message says what is legal."""


class GameOver(ValueError):
    """A move was asked for after the end of the game."""


@dataclass(frozen=True)
class Outcome:
    """How a game ended: the winner (None for a draw) and the rule that ended it, in one word."""

    winner: Side | None
    reason: str

    def __str__(self) -> str:
        return f"{self.winner} wins ({self.reason})" if self.winner else f"draw ({self.reason})"


class Game:
    """One game of the registry: its name, its rule module, and its boards."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.rules: Any = import_module(f"gokaku.games.{name}")
        #: English and Japanese.
        self.title: tuple[str, str] = self.rules.TITLE

    @property
    def source(self) -> bytes:
        """The bytes of the rule file, as every runtime gets them."""
        return (resources.files("gokaku.games") / f"{self.name}.py").read_bytes()

    def start(self) -> Board:
        """The board before the first move."""
        return Board(self, self.rules.start())

    def parse(self, text: str) -> Board:
        """The board of a position text. Raises BadPosition."""
        try:
            return Board(self, self.rules.parse(text))
        except ValueError as error:
            raise BadPosition(f"not a position of {self.name}: {error}") from None

    def replay(self, moves: Iterable[str], position: str | None = None) -> Board:
        """The board after `moves`, from the start or from a position text, with its history.

        Raises BadPosition, IllegalMove or GameOver; the latter two name the ply.
        """
        board = self.start() if position is None else self.parse(position)
        seen = Counter([self.rules.key(board.state)])
        for ply, move in enumerate(moves, 1):
            try:
                board = board.play(move)
            except (IllegalMove, GameOver) as error:
                raise type(error)(f"ply {ply}: {error}") from None
            # Known here at no cost, so that no board looks back over the whole game.
            key = self.rules.key(board.state)
            seen[key] += 1
            vars(board)["occurrences"] = seen[key]
        return board

    def read(self, text: str) -> Board:
        """The board of a record: a position (or none: the start), then moves, one a line.

        Text from `#` to the end of a line is a comment. Raises as `replay` does.
        """
        lines = [line.split("#")[0].rstrip() for line in text.splitlines()]
        lines = [line for line in lines if line]
        # A position may take several lines; the longest prefix that is one is taken for it.
        for size in range(len(lines), 0, -1):
            try:
                position = "\n".join(lines[:size])
                self.rules.parse(position)
            except ValueError:
                continue
            return self.replay(lines[size:], position)
        return self.replay(lines)

    def __repr__(self) -> str:
        return f"gokaku.game({self.name!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return game, (self.name,)


@cache
def _game(name: str) -> Game:
    return Game(name)


def game(name: str) -> Game:
    """The game of that name. Raises UnknownGame, which names the games there are."""
    if name not in NAMES:
        raise UnknownGame(f"unknown game {name!r}; the games are {', '.join(NAMES)}")
    return _game(name)


class Board:
    """An immutable position of a game, with the moves that led to it.

    Two boards are equal when game and position are; the history does not count.
    """

    def __init__(self, game: Game, state: Any, parent: Board | None = None, last_move: str = "") -> None:
        self.game = game
        #: The rule file's own value: ints, or tuples of ints.
        self.state = state
        #: The board one move earlier; None where the history begins.
        self.parent = parent
        #: The text of the move that led here; "" where the history begins.
        self.last_move = last_move

    @staticmethod
    def parse(game_name: str, text: str) -> Board:
        """The board of a position text. Raises UnknownGame or BadPosition."""
        return game(game_name).parse(text)

    @property
    def turn(self) -> Side:
        """The side to move."""
        return SIDES[self.game.rules.turn(self.state)]

    @property
    def position(self) -> str:
        """The position as text, without the history; `parse` reads it back."""
        return str(self.game.rules.format(self.state))

    @cached_property
    def outcome(self) -> Outcome | None:
        """None while the game runs. Repetition is judged from this board's own history."""
        rules = self.game.rules
        result = rules.outcome(self.state)
        if result != RUNNING:
            reason = rules.ending(self.state)
        elif 0 < rules.REPETITION <= self.occurrences:
            result, reason = rules.repeated(self.state), "repetition"
        else:
            return None
        return Outcome(None if result == DRAW else SIDES[result - FIRST_WON], reason)

    @cached_property
    def occurrences(self) -> int:
        """How often this position has stood on the board since the root, this time included."""
        return 1 + (self.parent._stood[self.game.rules.key(self.state)] if self.parent else 0)

    @cached_property
    def _stood(self) -> Counter[Any]:
        """How often each position has stood since the root: counted once for all moves from here."""
        key = self.game.rules.key
        return Counter(key(board.state) for board in self._line())

    def _line(self) -> Iterator[Board]:
        """This board and those before it, latest first."""
        board: Board | None = self
        while board is not None:
            yield board
            board = board.parent

    @cached_property
    def codes(self) -> tuple[int, ...]:
        """The legal moves as the rule file's ints, in its order; empty when the game is over."""
        if self.outcome is not None:
            return ()
        buffer = [0] * self.game.rules.MAX_MOVES
        count = self.game.rules.moves(self.state, buffer)
        return tuple(buffer[:count])

    @cached_property
    def legal_moves(self) -> tuple[str, ...]:
        """The texts of the legal moves, in the order of `codes`."""
        return tuple(self.text(code) for code in self.codes)

    def text(self, code: int) -> str:
        """The text of a legal move's int."""
        return str(self.game.rules.format_move(self.state, code))

    def code(self, move: str) -> int:
        """The int of a legal move's text. Raises IllegalMove or GameOver."""
        if self.outcome is not None:
            raise GameOver(f"the game is over: {self.outcome}; {move!r} cannot be played")
        problem = ""
        try:
            code = int(self.game.rules.parse_move(self.state, move))
            if code in self.codes:
                return code
        except ValueError as error:
            problem = f": {error}"
        legal = ", ".join(self.legal_moves)
        raise IllegalMove(f"{move!r} is not a legal move for {self.turn}{problem}; legal are {legal}")

    def play(self, move: str) -> Board:
        """The board after a move. Raises IllegalMove (with the legal moves) or GameOver."""
        code = self.code(move)
        return Board(self.game, self.game.rules.play(self.state, code), self, self.text(code))

    @property
    def line(self) -> tuple[Board, ...]:
        """The boards of the game so far, from the root to this one."""
        return tuple(reversed(list(self._line())))

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves played since the root."""
        return tuple(board.last_move for board in self.line[1:])

    def record(self) -> str:
        """The game as text: the root's position, then the moves, one a line. `Game.read` reads it."""
        rules, root = self.game.rules, self.line[0]
        position = rules.draw(root.state)
        try:
            drawn = rules.parse(position) == root.state
        except ValueError:
            drawn = False
        if not drawn:  # the drawing is for eyes only
            position = root.position
        return "\n".join([position, *self.moves]) + "\n"

    def __str__(self) -> str:
        return str(self.game.rules.draw(self.state))

    def __repr__(self) -> str:
        return f"Board.parse({self.game.name!r}, {self.position!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Board):
            return NotImplemented
        return self.game is other.game and self.state == other.state

    def __hash__(self) -> int:
        return hash((self.game.name, self.state))

    def __reduce__(self) -> tuple[Any, ...]:
        # Parent by parent a long history would exhaust the stack.
        return _restore, (self.game.name, [board.state for board in self.line], self.moves)


def _restore(name: str, states: Sequence[Any], moves: Sequence[str]) -> Board:
    board = Board(game(name), states[0])
    for state, move in zip(states[1:], moves, strict=True):
        board = Board(board.game, state, board, move)
    return board
