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


def _reach(code, square):
    """The same as a set of squares."""
    packed = _targets(code, square)
    mask = 0
    for i in range(packed >> 32):
        mask |= 1 << (packed >> 4 * i & 15)
    return mask


# By 12 * piece code + square.
_TARGETS = tuple([_targets(code, square) for code in range(16) for square in range(12)])
_REACH = tuple([_reach(code, square) for code in range(16) for square in range(12)])

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
        if code >> 3 == side and _REACH[12 * code + origin] >> square & 1:
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
    if state >> 48 & 0xFFF == 0 and _stuck(state, side):
        return 2 - side
    return 0


def _stuck(state, side):
    """Whether a side with empty hands has no move. It loses; but only with all pieces but one its own.

    Among all positions (mirrored and turned ones apart) that is so in two, which no move leads to.
    """
    pieces = (state | state >> 1 | state >> 2) & 0x111111111111
    theirs = pieces & (~(state >> 3) if side else state >> 3)
    if theirs & theirs - 1:
        return False
    for square in range(12):
        code = state >> 4 * square & 15
        if code and code >> 3 == side:
            packed = _TARGETS[12 * code + square]
            for i in range(packed >> 32):
                there = state >> 4 * (packed >> 4 * i & 15) & 15
                if there == 0 or there >> 3 != side:
                    return False
    return True


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


# --- index (for solving) ----------------------------------------------------
#
# Every position with both lions has a number: it is turned so that first is to move, and mirrored if
# that makes the lions' squares a smaller pair. Then, for each pair of lions, the elephants on the ten
# other squares, the giraffes on what is left, the chicks on what is left, without gaps. The pairs of
# lions that leave a game open come first; the positions below INDEX_SIZE are those that are solved.


def _ways(squares, count, kinds):
    """The ways to have two alike pieces: `count` on that many squares, in `kinds` states, others in hand."""
    if count == 0:
        return 3
    if count == 1:
        return 2 * squares * kinds
    return (squares * (squares - 1) >> 1) * kinds * kinds


def _mirrored(square):
    return square + 2 - 2 * (square % 3)


def _lion_pairs():
    """By 12 * mine + theirs: 2 * number (+ 1 if it is that of the mirrored pair); -1 on one square."""
    numbers = [-1] * 144
    count = 0
    for solved in (True, False):
        for mine in range(12):
            for theirs in range(12):
                near = abs(mine // 3 - theirs // 3) < 2 and abs(mine % 3 - theirs % 3) < 2
                # On its far row a lion has won, or is taken now or never.
                over = near or mine < 3 or theirs > 8
                if mine != theirs and over != solved and numbers[12 * mine + theirs] < 0:
                    numbers[12 * _mirrored(mine) + _mirrored(theirs)] = 2 * count + 1
                    numbers[12 * mine + theirs] = 2 * count
                    count += 1
    return tuple(numbers)


def _classes():
    """Where each class begins, by 9 * elephants + 3 * giraffes + chicks on the board; then the end."""
    begins = [0]
    for e in range(3):
        for g in range(3):
            for c in range(3):
                size = _ways(10, e, 2) * _ways(10 - e, g, 2) * _ways(10 - e - g, c, 4)
                begins.append(begins[-1] + size)
    return tuple(begins)


def _nth_bits(mask):
    """The set bits of a 6-bit mask, upwards, a nibble each from bit 0; their number at bit 24."""
    packed = n = 0
    for i in range(6):
        if mask >> i & 1:
            packed |= i << 4 * n
            n += 1
    return packed | n << 24


_LION_PAIR = _lion_pairs()
_LIONS = tuple([_LION_PAIR.index(2 * n) for n in range(max(_LION_PAIR) // 2 + 1)])
_CLASS = _classes()
_NTH = tuple([_nth_bits(mask) for mask in range(64)])
_TWO = tuple([low | high << 4 for high in range(10) for low in range(high)])
_EACH = _CLASS[27]  # positions of one pair of lions
INDEX_SIZE = 21 * _EACH
NUMBERS = len(_LIONS) * _EACH
MAX_UNMOVES = 400

# By piece code: its bit in the sets of elephants, giraffes, chicks and hens, hens, second's pieces.
_IN_SETS = tuple(
    [
        (code & 7 == 2)
        | (code & 7 == 3) << 12
        | (code & 7 in (1, 5)) << 24
        | (code & 7 == 5) << 36
        | (code >> 3) << 48
        for code in range(16)
    ]
)
_IS_LION = (0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0)


def mirror(state):
    """The same position seen in a mirror; nothing in the rules tells them apart."""
    swapped = (state & 0x00F00F00F00F) << 8 | (state & 0xF00F00F00F00) >> 8
    return state & ~0xF0FF0FF0FF0F | swapped


def flip(state):
    """The same position seen from the other side of the board: the sides change places."""
    x = mirror(state) & 0xFFFFFFFFFFFF
    x = (x & 0xFFF) << 36 | (x & 0xFFF000) << 12 | x >> 12 & 0xFFF000 | x >> 36
    x ^= ((x | x >> 1 | x >> 2) & 0x111111111111) << 3
    hands = state >> 48 & 0xFFF
    return x | (hands >> 6 | hands << 6 & 0xFC0) << 48 | (state ^ 1 << 60) & 1 << 60


def _lion(state, side):
    """The square of a side's lion; there must be one."""
    code = _LION + 8 * side
    square = 0
    for i in range(12):
        square += i if state >> 4 * i & 15 == code else 0
    return square


def _tries(state, side):
    """Whether side's lion, to move, has a Try that the other side could not answer."""
    home = _lion(state, side)
    if home // 3 != 1 + side:
        return False
    for target in range(9 * side, 9 * side + 3):
        there = state >> 4 * target & 15
        if _REACH[12 * _LION + home] >> target & 1 and (there == 0 or there >> 3 != side):
            if not _attacked(state, target, 1 - side):
                return True
    return False


def can_win(state):
    """Whether the side to move of a running position can win with its next move."""
    side = state >> 60 & 1
    return _attacked(state, _lion(state, 1 - side), side) or _tries(state, side)


def ended(state):
    """Whether Tanaka (2009) counts the game as over: a lion can be taken, or a Try has come through."""
    side = state >> 60 & 1
    return outcome(state) != 0 or _attacked(state, _lion(state, 1 - side), side)


def _attackers(state, square, side):
    """Whence a piece of `side` could step onto the square: a nibble each; their number at bit 32."""
    lion = _TARGETS[12 * _LION + square]
    packed = n = 0
    for i in range(lion >> 32):
        origin = lion >> 4 * i & 15
        code = state >> 4 * origin & 15
        if code >> 3 == side and _REACH[12 * code + origin] >> square & 1:
            packed |= origin << 4 * n
            n += 1
    return packed | n << 32


def safe_moves(state, buf):
    """The moves after which the other side cannot win at once; asked where `can_win` is false."""
    side = state >> 60 & 1
    n = moves(state, buf)
    kept = 0
    if _lion(state, 1 - side) // 3 == 2 - side:  # before its far row: a move may open the way or bar it
        for i in range(n):
            if not can_win(play(state, buf[i])):
                buf[kept] = buf[i]
                kept += 1
        return kept
    home = _lion(state, side)
    attackers = _attackers(state, home, 1 - side)
    count = attackers >> 32
    for i in range(n):
        move = buf[i]
        if move >> 4 == home:
            safe = not _attacked(state, move & 15, 1 - side)
        else:
            safe = count == 0 or (count == 1 and move & 15 == attackers & 15)
        if safe:
            buf[kept] = move
            kept += 1
    return kept


def _below(free, bit):
    """How many of the free squares come before a bit."""
    before = free & bit - 1
    return (_NTH[before & 63] >> 24) + (_NTH[before >> 6] >> 24)


def _nth(free, n):
    """The n-th of the free squares."""
    low = _NTH[free & 63]
    count = low >> 24
    if n < count:
        return low >> 4 * n & 15
    return 6 + (_NTH[free >> 6] >> 4 * (n - count) & 15)


def _number(free, group, theirs, hens, kinds, held):
    """The number of one kind's arrangement: `group` on the free squares, `held` of the rest in my hand."""
    if group == 0:
        return held
    low = group & -group
    high = group ^ low
    number = _below(free, low)
    kind = (theirs & low != 0) + 2 * (hens & low != 0)
    if high == 0:
        return 2 * (kinds * number + kind) + held
    rank = _below(free, high)
    number += rank * (rank - 1) >> 1
    return (kinds * number + kind) * kinds + (theirs & high != 0) + 2 * (hens & high != 0)


def _size(group):
    return 0 if group == 0 else 1 if group & group - 1 == 0 else 2


def index_of(state):
    """The slot of a running position; -1 for some in which the side to move can end the game at once."""
    number = number_of(state)
    return number if number < INDEX_SIZE else -1


def number_of(state):
    """The number of any position in which no lion is caught."""
    if state >> 60 & 1:
        state = flip(state)
    sets = lions = 0
    for square in range(12):
        code = state >> 4 * square & 15
        sets |= _IN_SETS[code] << square
        lions += _IS_LION[code] * square
    mine = lions & 15
    theirs = lions >> 4
    pair = _LION_PAIR[12 * mine + theirs]
    if pair & 1:
        return _slot_of_mirrored(state, sets, mine, theirs, pair)
    slot = _slot_of(state, sets, mine, theirs, pair)
    if mine % 3 == 1 and theirs % 3 == 1:  # the lions are their own mirror image
        return min(slot, _slot_of_mirrored(state, sets, mine, theirs, pair))
    return slot


def _slot_of_mirrored(state, sets, mine, theirs, pair):
    low = sets & 0x249249249249249
    high = sets & 0x924924924924924
    sets = sets ^ low ^ high | low << 2 | high >> 2
    return _slot_of(state, sets, _mirrored(mine), _mirrored(theirs), pair)


def _slot_of(state, sets, mine, theirs, pair):
    elephants = sets & 0xFFF
    giraffes = sets >> 12 & 0xFFF
    chicks = sets >> 24 & 0xFFF
    hens = sets >> 36 & 0xFFF
    owned = sets >> 48
    e = _size(elephants)
    g = _size(giraffes)
    c = _size(chicks)
    free = 0xFFF & ~(1 << mine | 1 << theirs)
    number = _number(free, elephants, owned, 0, 2, state >> 50 & 3)
    free &= ~elephants
    number = number * _ways(10 - e, g, 2) + _number(free, giraffes, owned, 0, 2, state >> 52 & 3)
    free &= ~giraffes
    number = number * _ways(10 - e - g, c, 4) + _number(free, chicks, owned, hens, 4, state >> 48 & 3)
    return (pair >> 1) * _EACH + _CLASS[9 * e + 3 * g + c] + number


def _arranged(free, number, count, kinds, code):
    """The pieces of one kind by `_number`: their squares at bit 48 and their codes on the board below."""
    if count == 0:
        return 0
    if count == 1:
        number >>= 1
        square = _nth(free, number // kinds)
        kind = number % kinds
        return 1 << 48 + square | (code + 8 * (kind & 1) + 4 * (kind >> 1)) << 4 * square
    kind = number % kinds
    number //= kinds
    square = _nth(free, _TWO[number // kinds] >> 4)
    packed = 1 << 48 + square | (code + 8 * (kind & 1) + 4 * (kind >> 1)) << 4 * square
    kind = number % kinds
    square = _nth(free, _TWO[number // kinds] & 15)
    return packed | 1 << 48 + square | (code + 8 * (kind & 1) + 4 * (kind >> 1)) << 4 * square


def _held(number, count):
    """How many of a kind I hold, by `_number`."""
    return number if count == 0 else number & 1 if count == 1 else 0


def state_at(slot):
    """The position of a slot or number, first to move; -1 where that of its mirror image stands for it."""
    pair = slot // _EACH
    number = slot - pair * _EACH
    kind = 26
    while number < _CLASS[kind]:
        kind -= 1
    number -= _CLASS[kind]
    e = kind // 9
    g = kind // 3 % 3
    c = kind % 3
    ways = _ways(10 - e - g, c, 4)
    chicks = number % ways
    number //= ways
    ways = _ways(10 - e, g, 2)
    giraffes = number % ways
    elephants = number // ways
    mine = _LIONS[pair] // 12
    theirs = _LIONS[pair] % 12
    free = 0xFFF & ~(1 << mine | 1 << theirs)
    state = _LION << 4 * mine | _LION + 8 << 4 * theirs
    packed = _arranged(free, elephants, e, 2, 2)
    free &= ~(packed >> 48)
    state |= packed & 0xFFFFFFFFFFFF
    packed = _arranged(free, giraffes, g, 2, 3)
    free &= ~(packed >> 48)
    state |= packed & 0xFFFFFFFFFFFF
    state |= _arranged(free, chicks, c, 4, 1) & 0xFFFFFFFFFFFF
    held = _held(chicks, c)
    state |= held << 48 | 2 - c - held << 54
    held = _held(elephants, e)
    state |= held << 50 | 2 - e - held << 56
    held = _held(giraffes, g)
    state |= held << 52 | 2 - g - held << 58
    if mine % 3 == 1 and theirs % 3 == 1 and number_of(state) != slot:
        return -1
    return state


def unmoves(state, buf):
    """Writes the positions from which a move leads to a running one; returns how many.

    They may be turned round, and those are left out in which that side could have taken the lion
    instead. Some of the others are over already.
    """
    if state >> 60 & 1 == 0:
        state = flip(state)
    home = _lion(state, 1)
    attackers = _attackers(state, home, 0)
    back = state ^ 1 << 60
    n = 0
    if attackers >> 32 > 1:  # one of them stood there before
        return 0
    for target in range(12):
        code = state >> 4 * target & 15
        if code == 0 or code >> 3 or (attackers >> 32 and attackers & 15 != target):
            continue
        lifted = back & ~(15 << 4 * target)
        if code < _LION:
            buf[n] = lifted + (1 << 46 + 2 * code)
            n += 1
        if code != _CHICK or target >= 3:
            n = _unsteps(lifted, code, target, home, buf, n)
        if code == _HEN and target < 3:
            n = _unsteps(lifted, _CHICK, target, home, buf, n)
    return n


def _unsteps(lifted, before, target, home, buf, n):
    """Writes the positions before a piece of first's, `before` as it then was, stepped onto the target."""
    # A step backwards is the other side's step forwards.
    origins = _TARGETS[12 * (before | 8) + target]
    for i in range(origins >> 32):
        origin = origins >> 4 * i & 15
        if lifted >> 4 * origin & 15 or _REACH[12 * before + origin] >> home & 1:
            continue
        stood = lifted | before << 4 * origin
        buf[n] = stood
        n += 1
        for kind in range(1, 4):
            if lifted >> 46 + 2 * kind & 3:
                taken = stood - (1 << 46 + 2 * kind)
                buf[n] = taken | kind + 8 << 4 * target
                n += 1
                if kind == _CHICK:
                    buf[n] = taken | _HEN + 8 << 4 * target
                    n += 1
    return n


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


def solver_order(state, move):
    """Sorts moves as the public solver lists them: by target, C to A and 1 to 4, drops first, then by origin.

    Seen by the side to move. Of the order among origins the published samples show only a part.
    """
    turned = 11 if turn(state) else 0
    target = abs(turned - (move & 15))
    key = 64 * (2 - target % 3) + 16 * (target // 3)
    origin = move >> 4
    if origin >= 12:
        return key + origin - 12
    origin = abs(turned - origin)
    row = origin // 3 - target // 3
    col = origin % 3 - target % 3
    return key + 6 - 3 * row + (0, 2, 1)[col]  # from ahead, level, behind; straight, left, right


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
    if not _has(state, _LION) or not _has(state, _LION + 8):
        return "catch"
    tried = _on_far_row(state, 0) >= 0 or _on_far_row(state, 1) >= 0
    return "try" if tried else "stuck"


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
