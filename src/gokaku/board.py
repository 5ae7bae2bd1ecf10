"""The public board: a game's rules behind names that a newcomer guesses.

Pure Python over the rule files; no compiler, no engine. A board is immutable and remembers the
moves that led to it, because repetition is judged from the history.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
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
        for ply, move in enumerate(moves, 1):
            try:
                board = board.play(move)
            except (IllegalMove, GameOver) as error:
                raise type(error)(f"ply {ply}: {error}") from None
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


@lru_cache(maxsize=None)
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
        reason = rules.ending(self.state)
        if result == RUNNING and self._repeated():
            result, reason = rules.repeated(self.state), "repetition"
        if result == RUNNING:
            return None
        return Outcome(None if result == DRAW else SIDES[result - FIRST_WON], reason)

    def _repeated(self) -> bool:
        rules = self.game.rules
        if not rules.REPETITION:
            return False
        key = rules.key(self.state)
        return sum(rules.key(board.state) == key for board in self._line()) >= int(rules.REPETITION)

    def _line(self) -> Iterator[Board]:
        """This board and those before it, latest first."""
        board: Board | None = self
        while board is not None:
            yield board
            board = board.parent

    @cached_property
    def codes(self) -> dict[str, int]:
        """The legal moves as {text: the rule file's int}, in the rule file's order."""
        if self.outcome is not None:
            return {}
        rules = self.game.rules
        buffer = [0] * rules.MAX_MOVES
        count = rules.moves(self.state, buffer)
        return {rules.format_move(self.state, move): move for move in buffer[:count]}

    @property
    def legal_moves(self) -> tuple[str, ...]:
        """The texts of the legal moves; empty when the game is over."""
        return tuple(self.codes)

    def code(self, move: str) -> int:
        """The rule file's int of a legal move's text. Raises IllegalMove or GameOver."""
        if self.outcome is not None:
            raise GameOver(f"the game is over: {self.outcome}; {move!r} cannot be played")
        if move in self.codes:
            return self.codes[move]
        legal = f"{self.turn} is to move and may play {', '.join(self.codes)}"
        try:
            code = int(self.game.rules.parse_move(self.state, move))
        except ValueError as error:
            raise IllegalMove(f"{move!r} is not a move of {self.game.name}: {error}; {legal}") from None
        if code not in self.codes.values():
            raise IllegalMove(f"{move!r} is not legal here; {legal}")
        return code

    def play(self, move: str) -> Board:
        """The board after a move. Raises IllegalMove (with the legal moves) or GameOver."""
        code = self.code(move)
        rules = self.game.rules
        return Board(self.game, rules.play(self.state, code), self, rules.format_move(self.state, code))

    @property
    def root(self) -> Board:
        """The board where the history begins."""
        *_, first = self._line()
        return first

    @property
    def moves(self) -> tuple[str, ...]:
        """The moves played since the root."""
        line = [board.last_move for board in self._line()]
        return tuple(reversed(line[:-1]))

    def record(self) -> str:
        """The game as text: the root's position, then the moves, one a line. `Game.read` reads it."""
        rules, root = self.game.rules, self.root
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
        # A long history would recurse parent by parent; its moves say the same.
        return _restore, (self.game.name, self.root.position, self.moves)


def _restore(name: str, position: str, moves: tuple[str, ...]) -> Board:
    return game(name).replay(moves, position)
