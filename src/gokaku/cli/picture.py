"""A board as a person at a terminal wants to see it: labelled, hands beside it, the last move marked.

Drawn from what a rule file shows of itself (docs/rule-files.md, "The view"), so that it fits every game.
"""

from __future__ import annotations

from functools import cache
from math import isqrt

from rich.style import Style
from rich.text import Text

from gokaku.board import SIDES, Board, Game

#: First's colour and second's.
COLOURS = ("bold cyan", "bold yellow")
_LABEL = "bright_black"
_LAST = Style(reverse=True)
_OPEN = "green"


def picture(board: Board) -> Text:
    """The board, the hands, and which small boards belong to whom."""
    hands = _hands(board)
    lines = _grid(board)
    if regions(board):
        lines = _beside(lines, _map(board))
    if hands:
        lines = [hands[1], *lines, hands[0]]
    return Text("\n").join(lines)


@cache
def marks(game: Game) -> bool:
    """Whether pieces are marks of a side, as in games that begin on an empty board: case says nothing."""
    return not any(game.rules.cells(game.rules.start()))


def side_name(game: Game, side: int) -> str:
    """What a side is called: by its mark, or first and second (with what its pieces look like)."""
    if marks(game):
        return str(list(game.rules.PIECES)[side])
    return SIDES[side]


@cache
def _labels(game: Game) -> tuple[list[str], list[str]] | None:
    """The labels of rows and of columns, if square names consist of both; else None."""
    rules = game.rules
    rows, cols = range(rules.ROWS), range(rules.COLS)
    names = [[rules.square_name(row * rules.COLS + col) for col in cols] for row in rows]
    if len({len(name) for line in names for name in line}) != 1:
        return None
    of_rows, of_cols = [], []
    for i in range(len(names[0][0])):
        if all(len({name[i] for name in line}) == 1 for line in names):
            of_rows.append(i)
        if all(len({line[col][i] for line in names}) == 1 for col in cols):
            of_cols.append(i)
    row_labels = ["".join(names[row][0][i] for i in of_rows).strip() for row in rows]
    col_labels = ["".join(names[0][col][i] for i in of_cols).strip() for col in cols]
    if not (all(row_labels) and all(col_labels)):
        return None
    return row_labels, col_labels


def _grid(board: Board) -> list[Text]:
    """The squares with their labels; lines between small boards, or between all squares without labels."""
    rules, labels = board.game.rules, _labels(board.game)
    cells, last = rules.cells(board.state), touched(board)
    owners, targets = regions(board), playable(board)
    across = isqrt(len(owners)) if owners else 1 if labels else rules.COLS
    size = rules.COLS // across
    width = max(max(map(len, rules.PIECES)), *(len(label) for label in labels[1]) if labels else (1,))
    margin = max(map(len, labels[0])) + 1 if labels else 0
    lines = []
    if labels:
        heads = [label.rjust(width) for label in labels[1]]
        lines.append(Text(" " * margin, _LABEL) + _row([Text(head, _LABEL) for head in heads], size))
    for row in range(rules.ROWS):
        if row and across > 1 and row % (rules.ROWS // across) == 0:
            piece = "-" * ((width + 1) * size)
            bar = "+".join([piece, *["-" + piece] * (across - 2), piece])
            lines.append(Text(" " * margin + bar, _LABEL))
        line = []
        for square in range(row * rules.COLS, (row + 1) * rules.COLS):
            piece = cells[square]
            if piece:
                shown = piece.upper() if marks(board.game) else piece
                cell = Text(shown.rjust(width), COLOURS[_owner(piece)])
            else:
                free = region_of(board.game, square, owners) in targets if owners else False
                name = "." if labels else rules.square_name(square)
                cell = Text(name.rjust(width), _OPEN if free else _LABEL)
            if square in last:
                cell.stylize(_LAST, width - len(cell.plain.strip()))
            line.append(cell)
        label = Text(labels[0][row].ljust(margin), _LABEL) if labels else Text()
        lines.append(label + _row(line, size))
    return lines


def _row(cells: list[Text], size: int) -> Text:
    groups = [Text(" ").join(cells[i : i + size]) for i in range(0, len(cells), size)]
    return Text(" | ", _LABEL).join(groups)


def _beside(left: list[Text], right: list[Text]) -> list[Text]:
    width = max(line.cell_len for line in left)
    for i, line in enumerate(right):
        left[i] = left[i] + Text(" " * (width - left[i].cell_len + 4)) + line
    return left


def _hands(board: Board) -> list[Text]:
    """What each side holds; empty for a game without hands."""
    lines = []
    for side, hand in enumerate(board.game.rules.hands(board.state)):
        if not hand:
            return []
        held = [f"{count} {letter} ({piece_name(board.game, letter)})" for letter, count in hand if count]
        line = Text(f"{side_name(board.game, side)} holds: ", _LABEL)
        line.append(", ".join(held) or "nothing", COLOURS[side] if held else _LABEL)
        lines.append(line)
    return lines


def _map(board: Board) -> list[Text]:
    """The small boards as one board: their owners, * where the next move may go."""
    owners, targets = regions(board), playable(board)
    across = isqrt(len(owners))
    lines = [Text("small boards", _LABEL)]
    for row in range(across):
        line = []
        for region in range(row * across, (row + 1) * across):
            owner = owners[region]
            if owner and owner != "-":
                line.append(Text(owner.upper(), COLOURS[_owner(owner)]))
            elif region in targets:
                line.append(Text("*", _OPEN))
            else:
                line.append(Text("-" if owner else ".", _LABEL))
        lines.append(Text(" ").join(line))
    if targets:
        lines.append(Text("* play here", _OPEN))
    return lines


def _owner(piece: str) -> int:
    return 0 if piece == piece.upper() else 1


def piece_name(game: Game, piece: str) -> str:
    """A piece of `cells` in English."""
    return str(game.rules.PIECES[piece.upper()][0])


def touched(board: Board) -> set[int]:
    """The squares that the last move changed."""
    if board.parent is None:
        return set()
    rules = board.game.rules
    before, after = rules.cells(board.parent.state), rules.cells(board.state)
    return {square for square in range(len(after)) if before[square] != after[square]}


def regions(board: Board) -> tuple[str, ...]:
    """The owners of the small boards, for games that have such."""
    rules = board.game.rules
    return tuple(rules.regions(board.state)) if hasattr(rules, "regions") else ()


def region_of(game: Game, square: int, owners: tuple[str, ...]) -> int:
    """The small board, counted row by row, that a square lies in."""
    rules, across = game.rules, isqrt(len(owners))
    row, col = divmod(square, rules.COLS)
    return int(row * across // rules.ROWS * across + col * across // rules.COLS)


def playable(board: Board) -> set[int]:
    """The small boards that the next move may go to."""
    owners = regions(board)
    if not owners:
        return set()
    squares = (board.game.rules.squares(board.state, code)[1] for code in board.codes)
    return {region_of(board.game, square, owners) for square in squares}
