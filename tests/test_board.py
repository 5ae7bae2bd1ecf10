"""The public board: what a newcomer guesses holds, for every game, along random games."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

import gokaku
from gokaku import BadPosition, Board, GameOver, IllegalMove, Outcome, UnknownGame
from gokaku.games import NAMES

names = st.sampled_from(NAMES)


class Evening(RuleBasedStateMachine):
    """Somebody plays, looks, goes back and plays on; the board keeps its word all along."""

    board: Board

    @initialize(name=names)
    def begin(self, name: str) -> None:
        self.board = gokaku.game(name).start()

    @precondition(lambda self: self.board.outcome is None)
    @rule(choice=st.integers(0, 10_000))
    def play(self, choice: int) -> None:
        before = (self.board.position, self.board.moves)
        legal = self.board.legal_moves
        move = legal[choice % len(legal)]
        after = self.board.play(move)
        assert after.parent is self.board
        assert after.moves == (*before[1], move)
        assert (self.board.position, self.board.moves) == before, "a board never changes"
        self.board = after

    @precondition(lambda self: self.board.parent is not None)
    @rule()
    def go_back(self) -> None:
        assert self.board.parent is not None
        again = self.board.parent.play(self.board.last_move)
        assert (again, again.outcome) == (self.board, self.board.outcome)
        self.board = self.board.parent

    @precondition(lambda self: self.board.outcome is not None)
    @rule()
    def try_to_go_on(self) -> None:
        with pytest.raises(GameOver, match=str(self.board.outcome).split()[0]):
            self.board.play("0")

    @invariant()
    def it_is_over_or_there_are_moves(self) -> None:
        assert (self.board.outcome is None) == bool(self.board.legal_moves)

    @invariant()
    def it_travels(self) -> None:
        read = self.board.game.parse(self.board.position)
        assert read == self.board
        assert hash(read) == hash(self.board)
        assert eval(repr(self.board), {"Board": Board}) == self.board
        for copy in (
            pickle.loads(pickle.dumps(self.board)),
            self.board.game.replay(self.board.moves),
            self.board.game.read(self.board.record()),
        ):
            assert copy == self.board
            assert copy.moves == self.board.moves
            assert copy.outcome == self.board.outcome
            assert copy.occurrences == self.board.occurrences
        assert str(self.board)


TestEvening = Evening.TestCase


def refused(action: Callable[[], Board], kind: type[ValueError]) -> str | None:
    """The words in which an action was refused; None if it was not."""
    try:
        action()
    except kind as error:
        return str(error)
    return None


@given(name=names, text=st.text(max_size=40))
def test_any_text_is_played_or_refused_in_words(name: str, text: str) -> None:
    board = gokaku.game(name).start()
    words = refused(lambda: board.play(text), IllegalMove)
    if words is None:
        assert board.play(text).last_move in board.legal_moves
    else:
        assert all(told in words for told in (repr(text), *board.legal_moves))


@given(name=names, text=st.text(max_size=80))
def test_any_text_is_a_position_or_refused_in_words(name: str, text: str) -> None:
    words = refused(lambda: Board.parse(name, text), BadPosition)
    if words is None:
        assert Board.parse(name, Board.parse(name, text).position) == Board.parse(name, text)
    else:
        assert name in words


def test_unknown_game_names_the_games() -> None:
    with pytest.raises(UnknownGame, match=r"'chess'.*tictactoe, ultimate, dobutsu, negaeri"):
        gokaku.game("chess")


def test_boards_of_different_games_differ() -> None:
    starts = {gokaku.game(name).start() for name in NAMES}
    assert len(starts) == len(NAMES)
    assert gokaku.game(NAMES[0]).start() != "a board"


def test_equality_is_the_position_not_the_way_there() -> None:
    game = gokaku.game("tictactoe")
    assert game.replay("0 4 8".split()) == game.replay("8 4 0".split())
    assert game.replay("0 4 8".split()).moves != game.replay("8 4 0".split()).moves


def test_outcome_in_words() -> None:
    board = gokaku.game("tictactoe").replay("0 3 1 4 2".split())
    assert board.outcome == Outcome("first", "line")
    assert str(board.outcome) == "first wins (line)"
    assert str(Outcome(None, "full")) == "draw (full)"


def test_replay_names_the_ply_that_went_wrong() -> None:
    with pytest.raises(IllegalMove, match="ply 2: '0' is not a legal move for second; legal are 1, 2"):
        gokaku.game("tictactoe").replay(["0", "0"])
    with pytest.raises(GameOver, match="ply 6: the game is over: first wins"):
        gokaku.game("tictactoe").replay("0 3 1 4 2 5".split())


def test_a_record_may_begin_anywhere_and_hold_comments() -> None:
    game = gokaku.game("tictactoe")
    board = game.read("# an evening's game\nX.O/.../...\n4 # the centre\n\n8\n")
    assert board.line[0].position == "X.O/.../..."
    assert board.moves == ("4", "8")
    assert game.read("4\n8").moves == ("4", "8")
    assert game.read("").moves == ()
    with pytest.raises(IllegalMove, match="'what'"):
        game.read("what\n4")


def test_the_source_is_the_file(tmp_path: Path) -> None:
    for name in NAMES:
        game = gokaku.game(name)
        assert game.source == Path(game.rules.__file__).read_bytes()
