"""Moves as people type and read them: beside a game's own notation, squares and pieces by their names.

Nothing here knows a rule: the legal moves come from the board, and a text picks one of them.
"""

from __future__ import annotations

import difflib
import re
from collections import defaultdict
from collections.abc import Sequence

from gokaku.board import Board, IllegalMove
from gokaku.cli.picture import marks, piece_name, playable, region_of, regions


def _plain(text: str) -> str:
    """Without case, and without what people put between the parts of a move."""
    return re.sub(r"(?<=\w)(?:\W|\b(?:to|on)\b)+(?=\w)", "", text.strip().casefold())


def understand(board: Board, text: str) -> str:
    """The legal move that a text means. Raises IllegalMove, which says what is near."""
    try:
        return board.text(board.code(text))
    except IllegalMove:
        pass
    named = _names(board)
    meant = named.get(_plain(text), [])
    if len(meant) == 1:
        return meant[0]
    if meant:
        raise IllegalMove(f"{text!r} may be {_either(meant)}")
    raise IllegalMove(_nearest(board, text, named))


def _names(board: Board) -> dict[str, list[str]]:
    """What else a move may be called -> the moves called so."""
    rules, cells = board.game.rules, board.game.rules.cells(board.state)
    named: dict[str, list[str]] = defaultdict(list)
    for code in board.codes:
        origin, target, piece = rules.squares(board.state, code)
        move = board.text(code)
        names = {move}
        if target >= 0:
            to = rules.square_name(target)
            if origin >= 0:
                names.add(rules.square_name(origin) + to)
            moved = cells[origin] if origin >= 0 else piece
            if marks(board.game):
                names.add(to)
            else:
                names |= {moved + to, piece_name(board.game, moved) + to}
        for name in {_plain(name) for name in names}:
            named[name].append(move)
    return named


def _nearest(board: Board, text: str, named: dict[str, list[str]]) -> str:
    """Why a text is no move here, as far as can be told, and what would be."""
    rules, plain = board.game.rules, _plain(text)
    for origin, moves in _by_origin(board).items():
        if plain.startswith(_plain(rules.square_name(origin))):
            what = piece_name(board.game, rules.cells(board.state)[origin])
            return f"the {what} on {rules.square_name(origin)} may play {_either(moves)}"
    for square, piece in enumerate(rules.cells(board.state)):
        if plain == _plain(rules.square_name(square)):
            if not marks(board.game):
                whose = f"{rules.square_name(square)} holds " + (
                    f"{_a(piece_name(board.game, piece))} that cannot be moved"
                    if piece
                    else "nothing to move"
                )
                return f"{whose}; `moves` lists what is legal"
            if piece:
                return f"{text!r} is taken; {_some(board)}"
            owners = regions(board)
            if owners and region_of(board.game, square, owners) not in playable(board):
                return f"{text!r} lies outside the small boards open to you; {_some(board)}"
    groups = [
        f"{heading}: {listed(moves)}"
        for heading, moves in grouped(board).items()
        if plain in map(_plain, re.split(" on |drop an? ", heading))
    ]
    if plain and groups:
        return "; ".join(groups)
    close = difflib.get_close_matches(plain, list(named), n=1, cutoff=0.6)
    if close:
        return f"{text!r} is neither a legal move nor a command; did you mean {_either(named[close[0]])}?"
    return f"{text!r} is neither a legal move nor a command; {_some(board)}"


def _some(board: Board) -> str:
    if len(board.legal_moves) <= 12:
        return "legal are " + listed(board.legal_moves)
    return f"legal is {board.legal_moves[0]}, for one; `moves` lists all"


def listed(moves: Sequence[str]) -> str:
    """Moves in a row; a line may end between two, not within one (its spaces do not break)."""
    return ", ".join(move.replace(" ", "\xa0") for move in moves)


def _either(moves: list[str]) -> str:
    return " or ".join([listed(moves[:-1]), moves[-1]] if len(moves) > 1 else moves)


def _by_origin(board: Board) -> dict[int, list[str]]:
    """The moves of the pieces on the board, by the square they leave."""
    rules = board.game.rules
    found: dict[int, list[str]] = defaultdict(list)
    for code in board.codes:
        origin = rules.squares(board.state, code)[0]
        if origin >= 0:
            found[origin].append(board.text(code))
    return found


def grouped(board: Board) -> dict[str, list[str]]:
    """The legal moves under headings: by the piece that moves, the piece dropped, the small board."""
    rules, cells = board.game.rules, board.game.rules.cells(board.state)
    owners = regions(board)
    groups: dict[str, list[str]] = defaultdict(list)
    for code in board.codes:
        origin, target, piece = rules.squares(board.state, code)
        if target < 0:
            heading = "nothing else"
        elif origin >= 0:
            heading = f"{piece_name(board.game, cells[origin])} on {rules.square_name(origin)}"
        elif owners:
            heading = f"small board {region_of(board.game, target, owners)}"
        elif marks(board.game):
            heading = "empty"
        else:
            heading = f"drop {_a(piece_name(board.game, piece))}"
        groups[heading].append(board.text(code))
    return dict(groups)


def describe(board: Board, move: str) -> str:
    """What a legal move does, in words; "" where its notation says it all."""
    rules, code = board.game.rules, board.code(move)
    origin, target, piece = rules.squares(board.state, code)
    if target < 0 or marks(board.game):
        return ""
    before = rules.cells(board.state)
    after = rules.cells(rules.play(board.state, code))
    to = rules.square_name(target)
    if origin < 0:
        text = f"drops {_a(piece_name(board.game, piece))} on {to}"
    else:
        text = f"{piece_name(board.game, before[origin])} {rules.square_name(origin)} to {to}"
        if before[target]:
            text += f", takes the {piece_name(board.game, before[target])}"
        if after[target].upper() != before[origin].upper():
            text += f", becomes {_a(piece_name(board.game, after[target]))}"
    steps = rules.flips(board.state, code) if hasattr(rules, "flips") else ()
    if steps:
        names = [", ".join(map(rules.square_name, step)) for step in steps]
        text += f", turns over {', then '.join(names)}"
    return text


def _a(noun: str) -> str:
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"


def ways(board: Board) -> list[str]:
    """How a legal move may be typed, shown by one: its notation, and what else is understood."""
    rules, code = board.game.rules, board.codes[0]
    move = board.text(code)
    origin, target, _ = rules.squares(board.state, code)
    named = _names(board)
    if target < 0 or origin < 0:
        return [move]
    start, to = rules.square_name(origin), rules.square_name(target)
    what = piece_name(board.game, rules.cells(board.state)[origin])
    # Another piece of the kind may be able to go there too.
    return [move, *(way for way in (f"{start} {to}", f"{what} {to}") if named[_plain(way)] == [move])]
