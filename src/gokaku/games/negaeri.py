"""Negaeri shogi (寝返り将棋): drop a piece, and the enemies it sandwiches change sides and promote.

A rule file (docs/rule-files.md): pure functions of ints, no imports, one text for every runtime.

A position is (first, second, pawns, rooks, bishops, promoted, meta). The first six are sets of
squares: row r, column c is bit 7 * r + c + 8, so that a ring of bits off the board surrounds the
36 and no shift wraps from one row into the next. A piece of none of the kinds is a king. Meta, from
bit 0: first's pawns in hand (4 bits), rooks (3), bishops (3); the same of second; at bit 20 the
side to move; at bit 21 how many passes came last. A move is 64 * from + to over squares 0 to 35,
row-major; from 36, 37, 38 drops a pawn, a rook, a bishop; 64 * 39 is a pass.
"""

TITLE = ("Negaeri shogi", "寝返り将棋")
ROWS = 6
COLS = 6
MAX_MOVES = 256
REPETITION = 4
PIECES = {
    "K": ("king", "玉"),
    "P": ("pawn", "歩"),
    "R": ("rook", "飛車"),
    "B": ("bishop", "角"),
    "+P": ("promoted pawn", "と金"),
    "+R": ("dragon", "龍"),
    "+B": ("horse", "馬"),
}

_PASS = 64 * 39
_MAX_CHAIN = 5
_TOP = 63 << 8
_BOTTOM = 63 << 43
_BOARD = _TOP | 63 << 15 | 63 << 22 | 63 << 29 | 63 << 36 | _BOTTOM
_RING = ((1 << 58) - 1) & ~_BOARD

# The eight directions as differences of bits; sets of them are masks with direction i at bit i.
_DELTAS = (-8, -7, -6, -1, 1, 6, 7, 8)
_STRAIGHT = 0b01011010
_DIAGONAL = 0b10100101
_AHEAD = (0b00000010, 0b01000000)
_GOLD = (_STRAIGHT | 0b00000101, _STRAIGHT | 0b10100000)

_HAND = (0, 4, 7)  # where a side's pawns, rooks and bishops are counted in its ten bits of meta
_HAND_MASK = (15, 7, 7)
_BIT = tuple([8 + square + square // 6 for square in range(36)])
_SQUARE = tuple([(bit - 8) // 7 * 6 + (bit - 8) % 7 if _BOARD >> bit & 1 else -1 for bit in range(58)])


def _bits(mask):
    """The set bits of a 6-bit mask, upwards, a nibble each from bit 0; their number at bit 24."""
    packed = n = 0
    for i in range(6):
        if mask >> i & 1:
            packed |= i << 4 * n
            n += 1
    return packed | n << 24


_ROW_BITS = tuple([_bits(mask) for mask in range(64)])


# --- kernel -----------------------------------------------------------------


def start():
    first = 14 << 36 | 14 << 43
    second = 28 << 8 | 28 << 15
    pawns = 14 << 36 | 28 << 15
    hands = 4 | 1 << 4 | 1 << 7 | 3 << 10 | 1 << 14 | 1 << 17
    return (first, second, pawns, 1 << 44 | 1 << 12, 1 << 46 | 1 << 10, 0, hands)


def turn(state):
    return state[6] >> 20 & 1


def outcome(state):
    pieces = state[2] | state[3] | state[4]
    if state[0] & ~pieces == 0:
        return 2
    if state[1] & ~pieces == 0:
        return 1
    if state[6] >> 21 == 2:
        return repeated(state)
    return 0


def repeated(state):
    """More pieces on the board wins."""
    lead = _count(state[0]) - _count(state[1])
    return 1 if lead > 0 else 2 if lead < 0 else 3


def _count(squares):
    n = 0
    for row in range(8, 50, 7):
        n += _ROW_BITS[squares >> row & 63] >> 24
    return n


def moves(state, buf):
    first, second, pawns, rooks, bishops, promoted, meta = state
    side = meta >> 20 & 1
    mine = second if side else first
    taken = first | second
    last_row = _BOTTOM if side else _TOP
    n = 0
    for row in range(8, 50, 7):
        packed = _ROW_BITS[mine >> row & 63]
        for _ in range(packed >> 24):
            bit = row + (packed & 15)
            packed >>= 4
            high = promoted >> bit & 1
            free = _BOARD & ~mine
            far = 0
            if pawns >> bit & 1:
                reach = _GOLD[side] if high else _AHEAD[side]
                if high == 0:
                    free &= ~last_row
            elif rooks >> bit & 1:
                far = _STRAIGHT
                reach = 255 if high else far
            elif bishops >> bit & 1:
                far = _DIAGONAL
                reach = 255 if high else far
            else:
                reach = 255
            base = 64 * _SQUARE[bit]
            for i in range(8):
                if reach >> i & 1:
                    delta = _DELTAS[i]
                    target = bit + delta
                    while free >> target & 1:
                        buf[n] = base + _SQUARE[target]
                        n += 1
                        if far >> i & 1 == 0 or taken >> target & 1:
                            break
                        target += delta
    for kind in range(3):
        if meta >> 10 * side + _HAND[kind] & _HAND_MASK[kind]:
            free = _BOARD & ~taken
            if kind == 0:
                free &= ~last_row
            base = 64 * (36 + kind)
            for row in range(6):
                packed = _ROW_BITS[free >> 7 * row + 8 & 63]
                for _ in range(packed >> 24):
                    buf[n] = base + 6 * row + (packed & 15)
                    packed >>= 4
                    n += 1
    if n == 0:
        buf[0] = _PASS
        return 1
    return n


def _sandwiched(origins, mine, prey):
    """The prey in unbroken rows from an origin to a piece of mine or to the edge."""
    ends = mine | _RING
    found = 0
    for i in range(4, 8):
        delta = _DELTAS[i]
        # A row holds at most five of them: one to begin with and four more.
        run = origins << delta & prey
        if run:
            held = ends >> delta & prey
            for _ in range(4):
                run |= run << delta & prey
                held |= held >> delta & prey
            found |= run & held
        run = origins >> delta & prey
        if run:
            held = ends << delta & prey
            for _ in range(4):
                run |= run >> delta & prey
                held |= held << delta & prey
            found |= run & held
    return found


def _prey(state):
    """The pieces that the side to move could flip: not the king, nor those that stand next to it."""
    theirs = state[0] if state[6] >> 20 & 1 else state[1]
    guarded = theirs & ~(state[2] | state[3] | state[4])
    guarded |= guarded << 1 | guarded >> 1
    guarded |= guarded << 7 | guarded >> 7
    return theirs & ~guarded


def play(state, move):
    first, second, pawns, rooks, bishops, promoted, meta = state
    side = meta >> 20 & 1
    hands = meta & 0xFFFFF
    origin = move >> 6
    if move == _PASS:
        return (first, second, pawns, rooks, bishops, promoted, (meta ^ 1 << 20) + (1 << 21))
    mine = second if side else first
    theirs = first if side else second
    there = 1 << _BIT[move & 63]
    if origin >= 36:
        kind = origin - 36
        hands -= 1 << 10 * side + _HAND[kind]
        prey = _prey(state)
        mine |= there
        flipped = there
        for _ in range(_MAX_CHAIN):
            flipped = _sandwiched(flipped, mine, prey)
            if flipped == 0:
                break
            mine |= flipped
            theirs &= ~flipped
            prey &= ~flipped
            promoted |= flipped
        if kind == 0:
            pawns |= there
        elif kind == 1:
            rooks |= there
        else:
            bishops |= there
    else:
        here = 1 << _BIT[origin]
        if theirs & there:
            if pawns & there:
                hands += 1 << 10 * side
            elif rooks & there:
                hands += 16 << 10 * side
            elif bishops & there:
                hands += 128 << 10 * side
            theirs &= ~there
            pawns &= ~there
            rooks &= ~there
            bishops &= ~there
            promoted &= ~there
        mine = mine & ~here | there
        if pawns & here:
            pawns = pawns & ~here | there
        elif rooks & here:
            rooks = rooks & ~here | there
        elif bishops & here:
            bishops = bishops & ~here | there
        if promoted & here:
            promoted = promoted & ~here | there
    meta = hands | (1 - side) << 20
    if side:
        return (theirs, mine, pawns, rooks, bishops, promoted, meta)
    return (mine, theirs, pawns, rooks, bishops, promoted, meta)


def key(state):
    """Board, hands and side to move: a pass before does not make the position another one."""
    return (state[0], state[1], state[2], state[3], state[4], state[5], state[6] & 0x1FFFFF)


def evaluate(state):
    """Pieces on the board (promoted ones more) and in hand."""
    first, second, pawns, rooks, bishops, promoted, meta = state
    score = 60 * (_count(pawns & first) - _count(pawns & second))
    score += 110 * (_count(rooks & first) - _count(rooks & second))
    score += 90 * (_count(bishops & first) - _count(bishops & second))
    score += 40 * (_count(promoted & first) - _count(promoted & second))
    score += 60 * ((meta & 15) - (meta >> 10 & 15))
    score += 150 * ((meta >> 4 & 7) - (meta >> 14 & 7))
    score += 120 * ((meta >> 7 & 7) - (meta >> 17 & 7))
    if meta >> 20 & 1:
        score = -score
    return score + 20  # the move itself


# --- text -------------------------------------------------------------------


def format(state):
    """36 cells row-major, the hands, the side to move, and `pass` if a pass came last.

    Such as `.,.,b,k,...|S:P4R1B1/G:P3R1B1|sente`; capitals are first's, `+` is promoted.
    """
    held = ["".join([letter.upper() + str(count) for letter, count in hand]) for hand in hands(state)]
    fields = [
        ",".join([c or "." for c in cells(state)]),
        "S:" + held[0] + "/G:" + held[1],
        ("sente", "gote")[turn(state)],
    ]
    return "|".join(fields + ["pass"] * (state[6] >> 21))


def parse(text):
    fields = text.strip().split("|")
    if len(fields) < 3 or len(fields) > 5 or any(field != "pass" for field in fields[3:]):
        raise ValueError(
            "expected cells, hands and turn such as '.,.,b,...|S:P4R1B1/G:P3R1B1|sente', got " + repr(text)
        )
    names = fields[0].split(",")
    if len(names) != 36:
        raise ValueError("there are 36 cells, joined by commas, not " + str(len(names)))
    sets = [0, 0, 0, 0, 0, 0]  # first, second, pawns, rooks, bishops, promoted
    kings = [0, 0]
    for square, name in enumerate(names):
        if name == ".":
            continue
        if name.upper() not in PIECES:
            raise ValueError("a cell is '.', K, P, R, B, +P, +R or +B, small for second, not " + repr(name))
        bit = 1 << _BIT[square]
        letter = name[-1]
        owner = 0 if letter == letter.upper() else 1
        sets[owner] |= bit
        if letter.upper() == "K":
            kings[owner] += 1
        else:
            sets[2 + "PRB".index(letter.upper())] |= bit
        if name[0] == "+":
            sets[5] |= bit
        elif name in "Pp" and bit & (_TOP, _BOTTOM)[owner]:
            raise ValueError("a pawn cannot stand on its last row, square " + square_name(square))
    if max(kings) > 1 or sum(kings) == 0:
        raise ValueError("each side has one king, and at most one of them is caught")
    held = fields[1].split("/")
    counts = []
    for prefix, hand in zip(("S:", "G:"), held):
        if hand[:2] == prefix and hand[2:3] == "P" and "R" in hand and "B" in hand:
            pawns, _, rest = hand[3:].partition("R")
            rooks, _, bishops = rest.partition("B")
            counts += [pawns, rooks, bishops]
    if len(held) != 2 or len(counts) != 6 or any(not c.isdigit() for c in counts):
        raise ValueError("the hands are such as S:P4R1B1/G:P3R1B1, not " + repr(fields[1]))
    numbers = [int(c) for c in counts]
    for i, most in enumerate((13, 4, 4)):
        total = _count(sets[2 + i]) + numbers[i] + numbers[i + 3]
        if total != most:
            raise ValueError("there are " + str(most) + " of " + "PRB"[i] + " in all, here " + str(total))
    if fields[2] not in ("sente", "gote"):
        raise ValueError("the side to move is sente or gote, not " + repr(fields[2]))
    meta = (1 << 20 if fields[2] == "gote" else 0) | len(fields) - 3 << 21
    for i, number in enumerate(numbers):
        meta |= number << 10 * (i // 3) + _HAND[i % 3]
    return tuple(sets + [meta])


def format_move(state, move):
    if move == _PASS:
        return "pass"
    origin = move >> 6
    target = square_name(move & 63)
    if origin >= 36:
        return "PRB"[origin - 36] + "*" + target
    return square_name(origin) + "-" + target


def parse_move(state, text):
    body = text.strip()
    if body.lower() == "pass":
        return _PASS
    if len(body) == 4 and body[1] == "*" and body[0].upper() in "PRB":
        return 64 * (36 + "PRB".index(body[0].upper())) + _square(body[2:])
    if len(body) == 5 and body[2] == "-":
        return 64 * _square(body[:2]) + _square(body[3:])
    raise ValueError("a move is P*13 (drop on row 1, column 3), 42-32 or pass, not " + repr(text))


def _square(name):
    if len(name) != 2 or any(c not in "012345" for c in name):
        raise ValueError("a square is its row and its column from 0 to 5 such as 42, not " + repr(name))
    return 6 * int(name[0]) + int(name[1])


def draw(state):
    view = cells(state)
    lines = ["     c0 c1 c2 c3 c4 c5"]
    for row in range(6):
        names = [" " * (2 - len(c or ".")) + (c or ".") for c in view[6 * row : 6 * row + 6]]
        lines.append("r" + str(row) + "   " + " ".join(names))
    for name, hand in zip(("first", "second"), hands(state)):
        held = [letter + "*" + str(count) for letter, count in hand if count]
        lines.append(name + " holds " + (" ".join(held) or "nothing"))
    lines.append(("first", "second")[turn(state)] + " to move")
    return "\n".join(lines)


def ending(state):
    if outcome(state) == 0:
        return ""
    return "passes" if state[6] >> 21 == 2 else "king"


# --- view -------------------------------------------------------------------


def cells(state):
    first, second, pawns, rooks, bishops, promoted, _ = state
    view = []
    for bit in _BIT:
        name = ""
        if (first | second) >> bit & 1:
            name = "K"
            for letter, kind in (("P", pawns), ("R", rooks), ("B", bishops)):
                if kind >> bit & 1:
                    name = letter
            if second >> bit & 1:
                name = name.lower()
            if promoted >> bit & 1:
                name = "+" + name
        view.append(name)
    return tuple(view)


def hands(state):
    view = []
    for side in range(2):
        held = state[6] >> 10 * side
        letters = ("PRB", "prb")[side]
        view.append(tuple([(letters[i], held >> _HAND[i] & _HAND_MASK[i]) for i in range(3)]))
    return tuple(view)


def squares(state, move):
    origin = move >> 6
    if move == _PASS:
        return (-1, -1, "")
    if origin >= 36:
        return (-1, move & 63, ("PRB", "prb")[turn(state)][origin - 36])
    return (origin, move & 63, "")


def square_name(square):
    return str(square // 6) + str(square % 6)


def flips(state, move):
    """The squares that a move turns over, step by step."""
    if move >> 6 < 36 or move == _PASS:
        return ()
    origins = 1 << _BIT[move & 63]
    mine = (state[1] if turn(state) else state[0]) | origins
    prey = _prey(state)
    steps = []
    for _ in range(_MAX_CHAIN):
        origins = _sandwiched(origins, mine, prey)
        if origins == 0:
            break
        mine |= origins
        prey &= ~origins
        steps.append(tuple([square for square in range(36) if origins >> _BIT[square] & 1]))
    return tuple(steps)


def directions(piece):
    side = 0 if piece == piece.upper() else 1
    name = piece.upper()
    if name == "P":
        reach, far = _AHEAD[side], 0
    elif name == "+P":
        reach, far = _GOLD[side], 0
    else:
        far = _STRAIGHT if name[-1] == "R" else _DIAGONAL if name[-1] == "B" else 0
        reach = far if name in ("R", "B") else 255
    view = []
    for i, delta in enumerate(_DELTAS):
        if reach >> i & 1:
            rows = (delta + 10) // 7 - 1  # -8..-6 is the row above, 6..8 the row below
            view.append((rows, delta - 7 * rows, far >> i & 1))
    return tuple(view)
