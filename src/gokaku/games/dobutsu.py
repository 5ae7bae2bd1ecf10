"""Dobutsu shogi (どうぶつしょうぎ): catch the lion, or bring yours safely to the far side.

A rule file (docs/rule-files.md): pure functions of ints, no imports, one text for every runtime.

A position is one int. Square i (row-major, row 1 = second's home first) is the nibble at bit 4 * i:
0 empty, else kind + 8 * owner; kinds 1 chick, 2 elephant, 3 giraffe, 4 lion, 5 hen. Bits 48 to 59
count the hands, two bits each: first's chicks, elephants, giraffes, then second's. Bit 60 is the
side to move. A move is 16 * from + to; from 12, 13, 14 drops a chick, an elephant, a giraffe.
"""

TITLE = ("Dobutsu shogi", "どうぶつしょうぎ")
ROWS = 4
COLS = 3
MAX_MOVES = 80
REPETITION = 3
PIECES = {
    "C": ("chick", "ひよこ"),
    "E": ("elephant", "ぞう"),
    "G": ("giraffe", "きりん"),
    "L": ("lion", "ライオン"),
    "R": ("hen", "にわとり"),
}

_CHICK = 1
_LION = 4
_HEN = 5
_LETTERS = " CEGLR"
_CSA = ("", "HI", "ZO", "KI", "LI", "NI")

# Steps as (row, column) for first, who moves up; second's are turned round.
_STRAIGHT = ((-1, 0), (0, -1), (0, 1), (1, 0))
_DIAGONAL = ((-1, -1), (-1, 1), (1, -1), (1, 1))
_STEPS = (
    (),
    ((-1, 0),),
    _DIAGONAL,
    _STRAIGHT,
    _STRAIGHT + _DIAGONAL,
    _STRAIGHT + _DIAGONAL[:2],
)


def _targets(code, square):
    """Where a piece may step, a nibble each from bit 0; their number at bit 32."""
    packed = n = 0
    way = -1 if code & 8 else 1
    if 1 <= code & 7 <= 5:
        for rows, cols in _STEPS[code & 7]:
            row = square // 3 + way * rows
            col = square % 3 + way * cols
            if 0 <= row < 4 and 0 <= col < 3:
                packed |= 3 * row + col << 4 * n
                n += 1
    return packed | n << 32


# By 12 * piece code + square.
_TARGETS = tuple([_targets(code, square) for code in range(16) for square in range(12)])

_START = 0xACB | 0x090 << 12 | 0x010 << 24 | 0x342 << 36


# --- kernel -----------------------------------------------------------------


def start():
    return _START


def turn(state):
    return state >> 60 & 1


def _attacked(state, square, side):
    """Whether a piece of `side` could step onto the square."""
    lion = _TARGETS[12 * _LION + square]  # every attacker is one lion's step away
    for i in range(lion >> 32):
        origin = lion >> 4 * i & 15
        code = state >> 4 * origin & 15
        if code and code >> 3 == side:
            packed = _TARGETS[12 * code + origin]
            for j in range(packed >> 32):
                if packed >> 4 * j & 15 == square:
                    return True
    return False


def _has(state, code):
    """Whether a piece of that code stands on the board."""
    # A nibble of zero in the difference borrows into its own top bit.
    odd = (state & 0xFFFFFFFFFFFF) ^ code * 0x111111111111
    return (odd - 0x111111111111) & ~odd & 0x888888888888 != 0


def _on_far_row(state, side):
    """The square of side's lion if it stands on its far row, else -1."""
    code = _LION + 8 * side
    base = 9 * side
    for square in range(base, base + 3):
        if state >> 4 * square & 15 == code:
            return square
    return -1


def outcome(state):
    side = state >> 60 & 1
    if not _has(state, _LION + 8 * side):
        return 2 - side
    if not _has(state, _LION + 8 - 8 * side):
        return 1 + side
    if _on_far_row(state, side) >= 0:  # it was not taken: the Try has come through
        return 1 + side
    square = _on_far_row(state, 1 - side)
    if square >= 0 and not _attacked(state, square, side):
        return 2 - side
    return 0


def moves(state, buf):
    side = state >> 60 & 1
    n = 0
    empty = count = 0
    for square in range(12):
        code = state >> 4 * square & 15
        if code == 0:
            empty |= square << 4 * count
            count += 1
        elif code >> 3 == side:
            packed = _TARGETS[12 * code + square]
            for _ in range(packed >> 32):
                target = packed & 15
                there = state >> 4 * target & 15
                if there == 0 or there >> 3 != side:
                    buf[n] = square << 4 | target
                    n += 1
                packed >>= 4
    hand = state >> 48 + 6 * side
    for kind in range(3):
        if hand >> 2 * kind & 3:
            for i in range(count):
                buf[n] = 12 + kind << 4 | empty >> 4 * i & 15
                n += 1
    return n


def play(state, move):
    side = state >> 60 & 1
    origin = move >> 4
    target = move & 15
    if origin >= 12:
        state -= 1 << 48 + 6 * side + 2 * (origin - 12)
        return (state | origin - 11 + 8 * side << 4 * target) ^ 1 << 60
    code = state >> 4 * origin & 15
    taken = state >> 4 * target & 7
    state &= ~(15 << 4 * origin | 15 << 4 * target)
    if taken and taken != _LION:
        kind = _CHICK if taken == _HEN else taken
        state += 1 << 46 + 6 * side + 2 * kind
    if code & 7 == _CHICK and target // 3 == 3 * side:
        code += _HEN - _CHICK
    return (state | code << 4 * target) ^ 1 << 60


def key(state):
    return state


def repeated(state):
    return 3


# By piece code: what it is worth, in Elo-like points.
_WORTH = (0, 50, 120, 140, 0, 190, 0, 0, 0, -50, -120, -140, 0, -190, 0, 0)


def evaluate(state):
    """Pieces on the board and in hand, and how far each lion has come."""
    score = 0
    for square in range(12):
        code = state >> 4 * square & 15
        score += _WORTH[code]
        if code & 7 == _LION:
            row = square // 3
            score += -25 * row if code & 8 else 25 * (3 - row)
    for kind in range(1, 4):
        worth = _WORTH[kind] + 15
        score += worth * ((state >> 46 + 2 * kind & 3) - (state >> 52 + 2 * kind & 3))
    if state >> 60 & 1:
        score = -score
    return score + 20  # the move itself


# --- text -------------------------------------------------------------------


def _letter(code):
    letter = _LETTERS[code & 7]
    return letter.lower() if code & 8 else letter


def format(state):
    """A position string such as `S/gle/-c-/-C-/ELG/-`: turn, rows 1 to 4, hands; capitals are first's."""
    rows = ["".join([c or "-" for c in cells(state)[row : row + 3]]) for row in (0, 3, 6, 9)]
    held = "".join([letter * count for hand in hands(state) for letter, count in hand])
    return "/".join(["SG"[turn(state)]] + rows + [held or "-"])


def parse(text):
    """Reads a position string, or the six lines of a solver's file."""
    lines = text.strip("\r\n").split("\n")
    if len(lines) == 6:
        return _parse_csa([line.rstrip("\r") for line in lines])
    fields = text.strip().split("/")
    if len(fields) != 6 or any(len(row) != 3 for row in fields[1:5]):
        raise ValueError(
            "expected turn, four rows and hands such as S/gle/-c-/-C-/ELG/-, or the six lines of a file, got "
            + repr(text)
        )
    if fields[0] not in ("S", "G"):
        raise ValueError("the side to move is S (first) or G (second), not " + repr(fields[0]))
    codes = []
    for letter in "".join(fields[1:5]):
        kind = 0 if letter == "-" else _LETTERS.find(letter.upper())
        if kind < 0 or letter == " ":
            raise ValueError("a square is C, E, G, L, R (hen), small for second, or '-', not " + repr(letter))
        codes.append(kind + 8 if kind and letter != letter.upper() else kind)
    counts = [0] * 6
    for letter in fields[5].replace("-", ""):
        kind = "CEG".find(letter.upper())
        if kind < 0:
            raise ValueError("a hand holds C, E and G, small for second, not " + repr(letter))
        counts[kind if letter == letter.upper() else kind + 3] += 1
    return _build(codes, counts, "SG".index(fields[0]))


def _parse_csa(lines):
    codes = []
    for line in lines[:4]:
        line = line + " " * (9 - len(line))
        if len(line) != 9:
            raise ValueError("a row is three squares such as '-KI-LI-ZO', not " + repr(line))
        for i in (0, 3, 6):
            square = line[i : i + 3]
            if square in (" . ", " .", "   "):
                codes.append(0)
            elif square[0] in "+-" and square[1:] in _CSA[1:]:
                codes.append(_CSA.index(square[1:]) + (8 if square[0] == "-" else 0))
            else:
                raise ValueError("a square is ' . ' or a sign and HI, ZO, KI, LI or NI, not " + repr(square))
    held = lines[4].strip()
    if len(held) != 6 or any(c not in "012" for c in held):
        raise ValueError("line 5 counts the hands in six digits of 0 to 2 such as 000000, not " + repr(held))
    if lines[5].strip() not in ("+", "-"):
        raise ValueError("line 6 is the side to move, + (first) or -, not " + repr(lines[5]))
    return _build(codes, [int(c) for c in held], "+-".index(lines[5].strip()))


def _build(codes, counts, side):
    state = side << 60
    total = [0, counts[0] + counts[3], counts[1] + counts[4], counts[2] + counts[5], 0]
    for square, code in enumerate(codes):
        state |= code << 4 * square
        total[_CHICK if code & 7 == _HEN else code & 7] += 1
    for kind in (1, 2, 3):
        if total[kind] != 2:
            raise ValueError(
                "there are two of each but the lion, not " + str(total[kind]) + " of " + _CSA[kind]
            )
    if codes.count(_LION) > 1 or codes.count(_LION + 8) > 1 or total[4] == 0:
        raise ValueError("each side has one lion, and at most one of them is caught")
    for i, count in enumerate(counts):
        state |= count << 48 + 2 * i
    return state


def format_move(state, move):
    side = turn(state)
    origin = move >> 4
    target = move & 15
    if origin >= 12:
        return "+-"[side] + "00" + square_name(target) + _CSA[origin - 11]
    piece = play(state, move) >> 4 * target & 7
    return "+-"[side] + square_name(origin) + square_name(target) + _CSA[piece]


def parse_move(state, text):
    """Sign, from, to, piece after the move; sign and piece may be left out of a move on the board."""
    body = text.strip().upper()
    if body[:1] in ("+", "-"):
        if body[0] != "+-"[turn(state)]:
            raise ValueError("the sign " + repr(body[0]) + " is the other side's")
        body = body[1:]
    piece = body[4:]
    if len(body) not in (4, 6) or (piece and piece not in _CSA[1:]):
        raise ValueError("a move is such as +B3B2HI, B3B2 or +00B2HI, not " + repr(text))
    target = _square(body[2:4])
    if body[:2] == "00":
        if piece not in _CSA[1:4]:
            raise ValueError("a drop names HI, ZO or KI, such as 00B2HI, not " + repr(text))
        return _CSA.index(piece) + 11 << 4 | target
    move = _square(body[:2]) << 4 | target
    if piece and format_move(state, move)[5:] != piece:
        raise ValueError("the piece after that move is not " + piece)
    return move


def _square(name):
    col = "ABC".find(name[0])
    row = "1234".find(name[1])
    if col < 0 or row < 0:
        raise ValueError("a square is A1 to C4, not " + repr(name))
    return 3 * row + col


def draw(state):
    """The six lines of the public solver's position files."""
    lines = []
    for row in range(4):
        line = ""
        for square in range(3 * row, 3 * row + 3):
            code = state >> 4 * square & 15
            line += "+-"[code >> 3] + _CSA[code & 7] if code else " . "
        lines.append(line)
    lines.append("".join([str(state >> 48 + 2 * i & 3) for i in range(6)]))
    lines.append("+-"[turn(state)])
    return "\n".join(lines)


def ending(state):
    if outcome(state) == 0:
        return ""
    return "try" if _has(state, _LION) and _has(state, _LION + 8) else "catch"


# --- view -------------------------------------------------------------------


def cells(state):
    return tuple([_letter(state >> 4 * square & 15).strip() for square in range(12)])


def hands(state):
    first = tuple([("CEG"[i], state >> 48 + 2 * i & 3) for i in range(3)])
    second = tuple([("ceg"[i], state >> 54 + 2 * i & 3) for i in range(3)])
    return (first, second)


def squares(state, move):
    origin = move >> 4
    if origin >= 12:
        return (-1, move & 15, ("CEG", "ceg")[turn(state)][origin - 12])
    return (origin, move & 15, "")


def square_name(square):
    return "ABC"[square % 3] + "1234"[square // 3]


def directions(piece):
    steps = _STEPS[_LETTERS.index(piece.upper())]
    way = 1 if piece == piece.upper() else -1
    return tuple([(way * rows, way * cols, 0) for rows, cols in steps])
