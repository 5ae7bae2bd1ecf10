"""Tic-tac-toe: three in a row on a 3x3 board.

A rule file (docs/rule-files.md): pure functions of ints, no imports, one text for every runtime.

A position is (first's cells, second's cells, side to move); cell i is bit i, row-major.
"""

TITLE = ("Tic-tac-toe", "まるばつ")
ROWS = 3
COLS = 3
MAX_MOVES = 9
REPETITION = 0
PIECES = {"X": ("cross", "ばつ"), "O": ("nought", "まる")}

LINES = (7, 56, 448, 73, 146, 292, 273, 84)
_FULL = 511


# --- kernel -----------------------------------------------------------------


def start():
    return (0, 0, 0)


def turn(state):
    return state[2]


def outcome(state):
    first, second, _ = state
    for line in LINES:
        if first & line == line:
            return 1
        if second & line == line:
            return 2
    if first | second == _FULL:
        return 3
    return 0


def moves(state, buf):
    taken = state[0] | state[1]
    n = 0
    for cell in range(9):
        if taken >> cell & 1 == 0:
            buf[n] = cell
            n += 1
    return n


def play(state, move):
    first, second, side = state
    if side == 0:
        return (first | 1 << move, second, 1)
    return (first, second | 1 << move, 0)


def key(state):
    return state


def evaluate(state):
    """Each line that only one side can still complete is worth 40 points a mark in it."""
    mine, theirs = masks(state)
    score = 20  # the move itself
    for line in LINES:
        if theirs & line == 0:
            score += 40 * _count(mine & line)
        if mine & line == 0:
            score -= 40 * _count(theirs & line)
    return score


def _count(mask):
    n = 0
    while mask:
        mask &= mask - 1
        n += 1
    return n


def masks(state):
    """The cells of the side to move and those of the other side."""
    if state[2] == 0:
        return state[0], state[1]
    return state[1], state[0]


# --- text -------------------------------------------------------------------


def format(state):
    """Three rows from the top, `X`, `O` or `.`; whose turn it is follows from the counts."""
    marks = [c.upper() or "." for c in cells(state)]
    return "/".join(["".join(marks[row : row + 3]) for row in (0, 3, 6)])


def parse(text):
    rows = text.strip().split("/")
    if len(rows) != 3 or any(len(row) != 3 for row in rows):
        raise ValueError("expected three rows of three cells such as X.O/.X./..., got " + repr(text))
    first = second = 0
    for cell, mark in enumerate("".join(rows).upper()):
        if mark == "X":
            first |= 1 << cell
        elif mark == "O":
            second |= 1 << cell
        elif mark != ".":
            raise ValueError("a cell is X, O or '.', not " + repr(mark))
    side = _count(first) - _count(second)
    if side != 0 and side != 1:
        raise ValueError("X moves first, so it has as many cells as O or one more")
    state = (first, second, side)
    lines_of_first = any(first & line == line for line in LINES)
    lines_of_second = any(second & line == line for line in LINES)
    if lines_of_first and lines_of_second:
        raise ValueError("both sides have three in a row")
    if (lines_of_first and side == 0) or (lines_of_second and side == 1):
        raise ValueError("a move was played after three in a row")
    return state


def format_move(state, move):
    return str(move)


def parse_move(state, text):
    text = text.strip()
    if len(text) != 1 or text not in "012345678":
        raise ValueError("a move is a cell number from 0 to 8, not " + repr(text))
    return int(text)


def draw(state):
    marks = [c.upper() or str(i) for i, c in enumerate(cells(state))]
    rows = [" " + " | ".join(marks[row : row + 3]) + " " for row in (0, 3, 6)]
    return "\n---+---+---\n".join(rows)


def ending(state):
    result = outcome(state)
    if result == 0:
        return ""
    return "full" if result == 3 else "line"


# --- view -------------------------------------------------------------------


def cells(state):
    first, second, _ = state
    return tuple(["X" if first >> i & 1 else "o" if second >> i & 1 else "" for i in range(9)])


def hands(state):
    return ((), ())


def squares(state, move):
    return (-1, move, "X" if state[2] == 0 else "o")


def square_name(square):
    return str(square)
