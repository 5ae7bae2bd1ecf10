"""`gokaku play`: an evening at one board. Typed lines come in; pictures and words go out.

The board, its rules and the opponents decide everything; this file only asks and tells.
"""

from __future__ import annotations

import random
import shlex
import textwrap
from collections.abc import Callable
from pathlib import Path

import typer
from rich.console import Console
from rich.text import Text

from gokaku import opponents
from gokaku.board import SIDES, Board, IllegalMove, Side
from gokaku.cli import notation, waiting, words
from gokaku.cli.keyboard import Keyboard
from gokaku.cli.legend import legend
from gokaku.cli.picture import marks, picture, side_name
from gokaku.opponents import Analysis, Answer, Limit, Question

_COMMANDS = {
    "help": "this list",
    "moves": "the legal moves",
    "hint": "a good move, and why",
    "why": "why the opponent moved as it did",
    "undo": "take back your last move",
    "board": "draw the board again",
    "save FILE": "write the game to a file (save! FILE overwrites)",
    "load FILE": "go on with a game from a file",
    "resign": "give up",
    "new": "begin a new game",
    "quit": "leave",
}
_SHORT = {"?": "help", "h": "help", "m": "moves", "u": "undo", "q": "quit", "exit": "quit", "save!": "save"}


def play(
    game_name: str,
    opponent: str | None,
    limit: str,
    level: int | None,
    second: bool,
    seed: int | None,
    board: Board,
) -> None:
    """Plays until the person leaves or the input ends. Raises typer.BadParameter."""
    name = words.opponent(opponent, board.game)
    levels = opponents.LEVELS
    if level is not None and level not in levels:
        raise typer.BadParameter(f"a level is {levels[0]} to {levels[-1]}, not {level}")
    if level is not None and (name == words.HUMAN or not opponents.OPPONENTS[name].levels):
        raise typer.BadParameter(f"{name} has no levels")
    Evening(
        board,
        opponent=None if name == words.HUMAN else name,
        person=SIDES[second],
        limit=words.limit(limit),
        level=level or levels[-1],
        seed=random.randrange(1 << 31) if seed is None else seed,
    ).run()


class Evening:
    """One person against an opponent, or two persons where `opponent` is None."""

    def __init__(
        self, board: Board, opponent: str | None, person: Side, limit: Limit, level: int, seed: int
    ) -> None:
        self.board = board
        self.opponent = opponent
        self.person = person
        self.limit = limit
        self.level = level
        self.seed = seed
        self.resigned: Side | None = None
        self.answer: Answer | None = None
        self.drawn: Board | None = None  # what the person has before their eyes
        self.saved: Board | None = board  # what a file holds
        self.files: set[Path] = set()  # files of this evening: they may be overwritten
        self.console = Console(highlight=False, markup=False, emoji=False)
        self.keyboard = Keyboard(self._words)

    def run(self) -> None:
        """Plays until `quit` or the end of the input."""
        self._welcome()
        warned = False
        while True:
            self._show()
            try:
                if self.opponent and not self._over and not self._is_person(self.board.turn):
                    self._let_move(self.opponent)
                    continue
                line = self.keyboard.line(self._prompt())
            except KeyboardInterrupt:  # while the opponent was thinking
                line = None
            if line is None:
                if self.keyboard.is_terminal and self._unsaved and not warned:
                    warned = True
                    self._say("The game is not saved: `save FILE` keeps it. Ctrl-D or Ctrl-C again leaves.")
                    continue
                break
            warned = False
            line = line.split("#")[0].strip()
            try:
                if line and not self._obey(line):
                    break
            except (ValueError, words.Refused) as error:
                self._say(str(error), "red")
            except KeyboardInterrupt:
                self._say("Broken off.")
        self._part()

    # --- what can be typed ---

    def _obey(self, line: str) -> bool:
        """Does what a line says; False when it says to leave."""
        word, _, rest = line.partition(" ")
        command = _SHORT.get(word.lower(), word.lower())
        rest = rest.strip()
        if command == "quit":
            return False
        if command in ("save", "load"):
            if not rest:
                raise ValueError(f"{command} which file? Type {command} FILE")
            path = Path(rest).expanduser()
            self._save(path, overwrite=word.endswith("!")) if command == "save" else self._load(path)
        elif command in _COMMANDS and not rest:
            action: Callable[[], None] = getattr(self, f"_{command}")
            action()
        elif self._over:
            raise ValueError("the game is over: undo, new, save FILE or quit?")
        else:
            try:
                move = notation.understand(self.board, line)
            except IllegalMove as error:
                known = [command.split()[0] for command in _COMMANDS]
                meant = words.near(word, known, 0.7) if word.isalpha() else ""
                raise (ValueError(f"{line!r} is no command{meant}") if meant else error) from None
            self._tell("You" if self.opponent else self._name(self.board.turn), move)
            self.board = self.board.play(move)
        return True

    def _help(self) -> None:
        example = "; ".join(notation.ways(self.board)) if not self._over else "none: the game is over"
        self._say(f"  {'a move':11} {example}")
        for command, meaning in _COMMANDS.items():
            self._say(f"  {command:11} {meaning}")
        for line in legend(self.board.game):
            self._say(line)

    def _moves(self) -> None:
        self._only_while_running()
        for heading, moves in notation.grouped(self.board).items():
            self._say(f"  {heading}: {notation.listed(moves)}")

    def _hint(self) -> None:
        self._only_while_running()
        waiting.prepare(self.board.game)
        with waiting.spinner("looking for a good move ..."):
            analysis = opponents.analyse(Question(self.board, self.limit, self.seed))
        best, *others = analysis.values
        what = notation.describe(self.board, best)
        self._say(f"Best looks {best}{f' ({what})' if what else ''}: it {_verdict(analysis, best)}.", "green")
        if len(analysis.line) > 1:
            self._say(f"  expected then: {notation.listed(analysis.line[1:7])}")
        for move in others[:2]:
            self._say(f"  {move} {_verdict(analysis, move)}")

    def _why(self) -> None:
        if self.answer is None:
            raise ValueError("no opponent has moved yet")
        reason = self.answer.explanation
        self._say(f"{self.answer.move}: {reason.rule}: {reason.text}")
        line = reason.details.get("line", ())
        if len(line) > 1:
            self._say(f"  it expects: {notation.listed(line[1:7])}")

    def _undo(self) -> None:
        if self.resigned:
            self.resigned = None
        else:
            board = self.board.parent
            while board is not None and not self._is_person(board.turn):
                board = board.parent
            if board is None:
                raise ValueError("there is no move of yours to take back")
            self.board = board
        self.answer = self.drawn = None

    def _board(self) -> None:
        self.drawn = None

    def _resign(self) -> None:
        self._only_while_running()
        self.resigned = self.board.turn
        self.drawn = None

    def _new(self) -> None:
        self._begin(self.board.game.start())
        self.seed += 1

    def _save(self, path: Path, overwrite: bool) -> None:
        if path.exists() and path.resolve() not in self.files and not overwrite:
            raise words.Refused(f"{path} exists; `save! {path}` overwrites it")
        try:
            path.write_text(self.board.record(), encoding="utf-8")
        except OSError as error:
            raise words.Refused(f"cannot write {path}: {error.strerror}") from None
        self.files.add(path.resolve())
        self.saved = self.board
        self._say(f"Saved to {path}. Go on later with: {self._command(f'--load {shlex.quote(str(path))}')}")

    def _load(self, path: Path) -> None:
        self._begin(words.load(self.board.game, path))
        self.files.add(path.resolve())

    def _begin(self, board: Board) -> None:
        self.board = self.saved = board
        self.resigned = self.answer = self.drawn = None

    # --- what is told ---

    def _welcome(self) -> None:
        game = self.board.game
        self._say(" ".join(game.title), "bold")
        if self.opponent:
            mine = SIDES.index(self.person)
            level = f" at level {self.level}" if self.level != opponents.LEVELS[-1] else ""
            self._say(f"You are {self._looks(mine)}; {self.opponent}{level} is {self._looks(1 - mine)}.")
        else:
            self._say(f"Two persons: {self._looks(0)}, and {self._looks(1)}.")
        self._say("Type a move; `help` says what else.")

    def _looks(self, side: int) -> str:
        name = side_name(self.board.game, side)
        return name if marks(self.board.game) else f"{name} ({('CAPITALS', 'small letters')[side]})"

    def _show(self) -> None:
        """Draws the board if it is the person's turn to look at it, and tells how the game ended."""
        if self.drawn is self.board or not (self._over or self._is_person(self.board.turn)):
            return
        self.drawn = self.board
        self.console.print()
        self.console.print(picture(self.board), soft_wrap=True)
        if self._over:
            self._say(self._result(), "bold")
            self._say("undo, new, save FILE or quit?")

    def _result(self) -> str:
        outcome = self.board.outcome
        if self.resigned:
            winner = SIDES[1 - SIDES.index(self.resigned)]
            return f"{self._subject(self.resigned, 'resign')}; {self._subject(winner, 'win')}."
        if outcome is None:
            return ""
        plies = len(self.board.moves)
        end = f"({outcome.reason}) after {plies} move{'s' if plies != 1 else ''}."
        return f"{self._subject(outcome.winner, 'win')} {end}" if outcome.winner else f"A draw {end}"

    def _subject(self, side: Side, verb: str) -> str:
        if self.opponent and side == self.person:
            return f"You {verb}"
        return f"{self._name(side)} {verb}s"

    def _let_move(self, name: str) -> None:
        ply = len(self.board.moves)
        if opponents.OPPONENTS[name].searches:
            waiting.prepare(self.board.game)
        with waiting.spinner(f"{name} is thinking ..."):
            question = Question(self.board, self.limit, self.seed + ply, self.level)
            self.answer = opponents.answer(name, question)
        self._tell(name, self.answer.move)
        self.board = self.board.play(self.answer.move)

    def _tell(self, who: str, move: str) -> None:
        what = notation.describe(self.board, move)
        verb = "play" if who == "You" else "plays"
        self._say(f"{who} {verb} {move}{f': {what}' if what else ''}.")

    def _part(self) -> None:
        if self._unsaved:
            position = shlex.quote(self.board.position)
            self._say(
                f"The game was not saved. To go on from here: {self._command(f'--position {position}')}"
            )

    def _command(self, more: str) -> str:
        """The command line that goes on as this evening was set up."""
        options = f"--opponent {self.opponent or words.HUMAN}"
        if self.level != opponents.LEVELS[-1]:
            options += f" --level {self.level}"
        if self.opponent and self.person == SIDES[1]:
            options += " --second"
        return f"gokaku play {self.board.game.name} {options} {more}"

    def _prompt(self) -> str:
        if self._over:
            return "> "
        side = side_name(self.board.game, SIDES.index(self.board.turn))
        return f"your move ({side})> " if self.opponent else f"{side} to move> "

    def _say(self, text: str, style: str = "") -> None:
        if self.console.is_terminal:
            text = textwrap.fill(text, self.console.width, subsequent_indent="    ", break_on_hyphens=False)
        self.console.print(Text(text.replace("\xa0", " "), style), soft_wrap=True)

    # --- small questions ---

    @property
    def _over(self) -> bool:
        return self.resigned is not None or self.board.outcome is not None

    @property
    def _unsaved(self) -> bool:
        return not self._over and self.board is not self.saved and self.board.parent is not None

    def _only_while_running(self) -> None:
        if self._over:
            raise ValueError("the game is over: undo, new, save FILE or quit?")

    def _is_person(self, side: Side) -> bool:
        return self.opponent is None or side == self.person

    def _name(self, side: Side) -> str:
        return self.opponent or side_name(self.board.game, SIDES.index(side))

    def _words(self) -> list[str]:
        return [*self.board.legal_moves, *(command.split()[0] for command in _COMMANDS)]


def _verdict(analysis: Analysis, move: str) -> str:
    """What a move leads to, as a verb's phrase."""
    plies, value = analysis.plies[move], analysis.values[move]
    if plies is None:
        return "leads to an even game" if abs(value) < 4 else f"wins about {50 + value / 2:.0f} games in 100"
    if value == 0:
        return "draws"
    return f"{'wins' if value > 0 else 'loses'} in {plies} move{'s' if plies != 1 else ''} (of both sides)"
