"""Ultimate tic-tac-toe: nine small boards; the cell you take is the board your opponent must play.

A rule file (docs/rule-files.md): pure functions of ints, no imports, one text for every runtime.

A position is (w0, w1, w2, meta). Word k holds the small boards 3k, 3k+1, 3k+2, 18 bits each: nine
of first's cells, then nine of second's. A move is 16 * board + cell. Meta, from bit 0:
  9  small boards won by first          9  won by second         9  closed: won by somebody or full
  4  the board to play in, 9: any       1  side to move          2  outcome
  7  open cells in the boards that are not closed
"""

TITLE = ("Ultimate tic-tac-toe", "アルティメットまるばつ")
ROWS = 9
COLS = 9
MAX_MOVES = 81
REPETITION = 0
PIECES = {"X": ("cross", "ばつ"), "O": ("nought", "まる")}

_LINES = (7, 56, 448, 73, 146, 292, 273, 84)
_ANY = 9
_START_META = _ANY << 27 | 81 << 34


def _has_line(mask):
    for line in _LINES:
        if mask & line == line:
            return 1
    return 0


def _pack(mask):
    """The set bits of a 9-bit mask, upwards, a nibble each from bit 0; their number at bit 36."""
    packed = n = 0
    for i in range(9):
        if mask >> i & 1:
            packed |= i << 4 * n
            n += 1
    return packed | n << 36


# For every 9-bit mask: has it a line; which bits are set.
_WON = tuple([_has_line(mask) for mask in range(512)])
_BITS = tuple([_pack(mask) for mask in range(512)])
# Where a small board begins in its word.
_SHIFT = (0, 18, 36, 0, 18, 36, 0, 18, 36)


# --- kernel -----------------------------------------------------------------


def start():
    return (0, 0, 0, _START_META)


def turn(state):
    return state[3] >> 31 & 1


def outcome(state):
    return state[3] >> 32 & 3


def _small(state, board):
    """The 18 bits of one small board."""
    word = state[0] if board < 3 else state[1] if board < 6 else state[2]
    return word >> _SHIFT[board] & 0x3FFFF


def _open_cells(state, board):
    """The empty cells of one small board, packed."""
    small = _small(state, board)
    return _BITS[511 & ~(small | small >> 9)]


def moves(state, buf):
    meta = state[3]
    board = meta >> 27 & 15
    last = board + 1
    if board == _ANY:
        board, last = 0, 9
    n = 0
    while board < last:
        if meta >> 18 + board & 1 == 0:
            packed = _open_cells(state, board)
            base = board << 4
            for _ in range(packed >> 36):
                buf[n] = base | packed & 15
                packed >>= 4
                n += 1
        board += 1
    return n


def count_moves(state):
    meta = state[3]
    board = meta >> 27 & 15
    if board == _ANY:
        return meta >> 34
    return _open_cells(state, board) >> 36


def nth_move(state, n):
    meta = state[3]
    board = meta >> 27 & 15
    if board != _ANY:
        return board << 4 | _open_cells(state, board) >> 4 * n & 15
    board = 0
    while True:
        if meta >> 18 + board & 1 == 0:
            packed = _open_cells(state, board)
            count = packed >> 36
            if n < count:
                return board << 4 | packed >> 4 * n & 15
            n -= count
        board += 1


def play(state, move):
    w0, w1, w2, meta = state
    board = move >> 4
    cell = move & 15
    side = meta >> 31 & 1
    mark = 1 << cell + 9 * side
    small = _small(state, board) | mark
    mark <<= _SHIFT[board]
    w0 |= mark if board < 3 else 0
    w1 |= mark if 3 <= board < 6 else 0
    w2 |= mark if board >= 6 else 0
    meta = (meta ^ 1 << 31) - (1 << 34)
    taken = (small | small >> 9) & 511
    won = _WON[small >> 9 * side & 511]
    if won or taken == 511:
        meta |= 1 << 18 + board | won << board + 9 * side
        meta -= 9 - (_BITS[taken] >> 36) << 34
        if _WON[meta >> 9 * side & 511]:
            meta |= 1 + side << 32
        elif meta >> 34 == 0:
            lead = (_BITS[meta & 511] >> 36) - (_BITS[meta >> 9 & 511] >> 36)
            meta |= (1 if lead > 0 else 2 if lead < 0 else 3) << 32
    target = _ANY if meta >> 18 + cell & 1 else cell
    return (w0, w1, w2, meta & ~(15 << 27) | target << 27)


def key(state):
    return state


def evaluate(state):
    """Small boards as cells of a big one: lines still open, then the lines inside each board."""
    meta = state[3]
    first = meta & 511
    second = meta >> 9 & 511
    nobody = (meta >> 18 & 511) & ~(first | second)
    score = 90 * _lines(first, second | nobody) - 90 * _lines(second, first | nobody)
    for board in range(9):
        if meta >> 18 + board & 1:
            owner = (first >> board & 1) - (second >> board & 1)
            score += 60 * owner
            if board == 4:
                score += 40 * owner
        else:
            small = _small(state, board)
            weight = 12 if board == 4 else 9 if board & 1 == 0 else 7
            score += weight * (_lines(small & 511, small >> 9) - _lines(small >> 9, small & 511))
    if meta >> 31 & 1:
        score = -score
    # To choose freely among the boards is worth about a tempo.
    return score + (60 if meta >> 27 & 15 == _ANY else 15)


def _lines(mine, theirs):
    """Marks of mine in lines that hold none of theirs, a second mark counting double."""
    total = 0
    for line in _LINES:
        if theirs & line == 0:
            n = _BITS[mine & line] >> 36
            total += n * n
    return total


# --- text -------------------------------------------------------------------


def _square(board, cell):
    """The square on the 9x9 grid (9 * row + col) of a small board's cell."""
    return 27 * (board // 3) + 3 * (board % 3) + 9 * (cell // 3) + cell % 3


def format(state):
    """Nine rows of `X`, `O`, `.`, then the side to move and the board to play in (`-`: any)."""
    marks = "".join([c.upper() or "." for c in cells(state)])
    rows = "/".join([marks[row : row + 9] for row in range(0, 81, 9)])
    board = state[3] >> 27 & 15
    return rows + " " + "XO"[turn(state)] + " " + ("-" if board == _ANY else str(board))


def parse(text):
    fields = text.split()
    rows = fields[0].split("/") if fields else []
    if len(fields) != 3 or len(rows) != 9 or any(len(row) != 9 for row in rows):
        raise ValueError(
            "expected nine rows of nine cells joined by '/', the side to move (X or O)"
            " and the board to play in (0 to 8, or - for any), got " + repr(text)
        )
    side = "XO".find(fields[1].upper())
    if len(fields[1]) != 1 or side < 0:
        raise ValueError("the side to move is X or O, not " + repr(fields[1]))
    if len(fields[2]) != 1 or fields[2] not in "-012345678":
        raise ValueError("the board to play in is 0 to 8, or '-' for any, not " + repr(fields[2]))
    marks = []
    for mark in "".join(rows).upper():
        if mark not in ".XO":
            raise ValueError("a cell is X, O or '.', not " + repr(mark))
        marks.append(".XO".index(mark))
    return _build(marks, side, _ANY if fields[2] == "-" else int(fields[2]))


def _build(marks, side, target):
    """The position of 81 marks (0 empty, 1 first, 2 second); ValueError where there is none."""
    lead = marks.count(1) - marks.count(2)
    if lead != side:
        raise ValueError(
            "X moves first, so it has as many cells as O when X is to move and one more when O is; here "
            + "XO"[side]
            + " is to move and X has "
            + str(lead)
            + " more"
        )
    words = [0, 0, 0]
    wins = [0, 0]
    closed = left = 0
    for board in range(9):
        masks = [0, 0]
        for cell in range(9):
            mark = marks[_square(board, cell)]
            if mark:
                masks[mark - 1] |= 1 << cell
        words[board // 3] |= (masks[0] | masks[1] << 9) << 18 * (board % 3)
        if _WON[masks[0]] and _WON[masks[1]]:
            raise ValueError("both sides have a line in small board " + str(board))
        taken = masks[0] | masks[1]
        if _WON[masks[0]] or _WON[masks[1]] or taken == 511:
            closed |= 1 << board
            wins[0] |= _WON[masks[0]] << board
            wins[1] |= _WON[masks[1]] << board
        else:
            left += 9 - (_BITS[taken] >> 36)
    if _WON[wins[0]] and _WON[wins[1]]:
        raise ValueError("both sides have three small boards in a row")
    result = 0
    if _WON[wins[0]] or _WON[wins[1]]:
        result = 1 if _WON[wins[0]] else 2
    elif left == 0:
        ahead = (_BITS[wins[0]] >> 36) - (_BITS[wins[1]] >> 36)
        result = 1 if ahead > 0 else 2 if ahead < 0 else 3
    if target != _ANY and closed >> target & 1:
        if result == 0:
            raise ValueError("small board " + str(target) + " is decided or full: nobody can be sent there")
        target = _ANY
    meta = wins[0] | wins[1] << 9 | closed << 18 | target << 27 | side << 31 | result << 32 | left << 34
    return (words[0], words[1], words[2], meta)


def to_lists(state):
    """The exchange format of bots: 81 cells and nine macroboard entries, seen by the side to move.

    Cells: 0 empty, 1 the side to move, 2 the other. Macroboard: -1 where the next move may go,
    else 1 or 2 for who won the board, else 0.
    """
    side = turn(state)
    own = "Xo"[side]
    board_cells = [0 if c == "" else 1 if c == own else 2 for c in cells(state)]
    meta = state[3]
    target = meta >> 27 & 15
    macroboard = []
    for board, owner in enumerate(regions(state)):
        if owner == "" and outcome(state) == 0 and (target == _ANY or target == board):
            macroboard.append(-1)
        else:
            macroboard.append(0 if owner in ("", "-") else 1 if owner == own else 2)
    return board_cells, macroboard


def from_lists(board_cells, macroboard):
    """The position of the exchange format; ValueError where the two lists contradict each other.

    Who is first follows from the counts: equal means the asking side is.
    """
    if len(board_cells) != 81 or any(c not in (0, 1, 2) for c in board_cells):
        raise ValueError("expected 81 cells of 0, 1 (the side asking) or 2 (the other)")
    if len(macroboard) != 9 or any(m not in (-1, 0, 1, 2) for m in macroboard):
        raise ValueError("expected 9 macroboard entries of -1, 0, 1 or 2")
    side = 0 if board_cells.count(1) == board_cells.count(2) else 1
    marks = [c if side == 0 or c == 0 else 3 - c for c in board_cells]
    playable = [board for board in range(9) if macroboard[board] == -1]
    state = _build(marks, side, playable[0] if len(playable) == 1 else _ANY)
    # Where one open board is left, "that one" and "any" are the same list; either reads back.
    if to_lists(state)[1] != list(macroboard):
        raise ValueError("the macroboard contradicts the cells, which say " + str(to_lists(state)[1]))
    return state


def format_move(state, move):
    return square_name(_square(move >> 4, move & 15))


def parse_move(state, text):
    fields = text.replace(",", " ").split()
    if len(fields) != 2 or any(len(f) != 1 or f not in "012345678" for f in fields):
        raise ValueError("a move is a row and a column from 0 to 8, such as '4 4', not " + repr(text))
    row, col = int(fields[0]), int(fields[1])
    return 3 * (row // 3) + col // 3 << 4 | 3 * (row % 3) + col % 3


def draw(state):
    marks = [c.upper() or "." for c in cells(state)]
    lines = ["  0 1 2 | 3 4 5 | 6 7 8"]
    for row in range(9):
        if row in (3, 6):
            lines.append("  ------+-------+------")
        groups = [" ".join(marks[9 * row + col : 9 * row + col + 3]) for col in (0, 3, 6)]
        lines.append(str(row) + " " + " | ".join(groups))
    return "\n".join(lines)


def ending(state):
    if outcome(state) == 0:
        return ""
    wins = state[3]
    return "line" if _WON[wins & 511] or _WON[wins >> 9 & 511] else "count"


# --- view -------------------------------------------------------------------


def cells(state):
    view = [""] * 81
    for board in range(9):
        for cell in range(9):
            small = _small(state, board) >> cell
            view[_square(board, cell)] = "X" if small & 1 else "o" if small >> 9 & 1 else ""
    return tuple(view)


def hands(state):
    return ((), ())


def squares(state, move):
    return (-1, _square(move >> 4, move & 15), "Xo"[turn(state)])


def square_name(square):
    return str(square // 9) + " " + str(square % 9)


def regions(state):
    """The small boards' owners."""
    meta = state[3]
    view = []
    for board in range(9):
        first = meta >> board & 1
        second = meta >> board + 9 & 1
        view.append("X" if first else "o" if second else "-" if meta >> board + 18 & 1 else "")
    return tuple(view)
