# pragma version 0.4.3
# pragma optimize gas
"""
@title Tic-tac-toe against the contract
@license MIT
@notice A person's move is answered in the same transaction. No stakes: see docs/chain.md.
@dev Three rungs are one procedure (Newell and Simon, 1972), stopped early on the lower two. The same
     procedure in Python is gokaku.opponents.ladder, to which this one is equal at every position.

     Cells are numbered 0 to 8, row by row. A board is a set of cells: bit 2**cell. Inside the
     procedure a word holds sixteen lanes of sixteen bits: the eight lines of the board for the
     machine (low half) and the same eight for the person (high half), so one step sees them all.
"""

# --- what the world sees ---

struct Game:
    player: address
    boardPlayer: uint16  # cells the person has taken, bit 2**cell
    boardCpu: uint16
    moves: uint8         # of both sides
    difficulty: uint8    # 0 easy, 1 normal, 2 hard
    result: uint8        # 0 in progress, 1 the person won, 2 the machine won, 3 draw
    cpuFirst: bool

# A cell 255 is none: the machine has not moved.
event GameCreated:
    gameId: indexed(uint256)
    player: indexed(address)
    difficulty: uint8
    cpuFirst: bool
    cpuCell: uint8

event MovePlayed:
    gameId: indexed(uint256)
    player: indexed(address)
    playerCell: uint8
    cpuCell: uint8
    result: uint8

event GameFinished:
    gameId: indexed(uint256)
    result: uint8

EASY: constant(uint256) = 0
NORMAL: constant(uint256) = 1
HARD: constant(uint256) = 2

IN_PROGRESS: constant(uint256) = 0
PLAYER_WON: constant(uint256) = 1
CPU_WON: constant(uint256) = 2
DRAW: constant(uint256) = 3

NO_CELL: constant(uint8) = 255
PAGE: constant(uint256) = 100  # the most games that getGames returns
UNASKED: constant(uint256) = 256  # no uint8

# --- what is kept: a game is one word ---

# boardPlayer | boardCpu << 16 | moves << 32 | difficulty << 40 | result << 48 | cpuFirst << 56
# | player << 64. A word 0 is no game: nobody's address is 0.
BOARD_CPU: constant(uint256) = 16
MOVES: constant(uint256) = 32
DIFFICULTY: constant(uint256) = 40
RESULT: constant(uint256) = 48
CPU_FIRST: constant(uint256) = 56
PLAYER: constant(uint256) = 64

BYTE: constant(uint256) = 255

gameCount: public(uint256)
_games: HashMap[uint256, uint256]

# --- boards ---

ALL: constant(uint256) = 511
CENTRE: constant(uint256) = 1 << 4
CORNERS: constant(uint256) = 1 << 0 | 1 << 2 | 1 << 6 | 1 << 8

# A 1 in each of the eight lanes of the low half, of the high half, of both.
LOW: constant(uint256) = 1 | 1 << 16 | 1 << 32 | 1 << 48 | 1 << 64 | 1 << 80 | 1 << 96 | 1 << 112
HIGH: constant(uint256) = LOW << 128
ONES: constant(uint256) = LOW | HIGH
# The highest bit of each lane. No board reaches it, so lanes do not carry into each other.
TOP: constant(uint256) = ONES << 15
TOP_LOW: constant(uint256) = LOW << 15
BELOW_TOP: constant(uint256) = TOP - ONES
BELOW_TOP_LOW: constant(uint256) = TOP_LOW - LOW
# Rows, columns, diagonals.
LINES_LOW: constant(uint256) = (
    7 | 56 << 16 | 448 << 32 | 73 << 48 | 146 << 64 | 292 << 80 | 273 << 96 | 84 << 112
)
FEET: constant(uint256) = ALL | ALL << 128
LINES: constant(uint256) = LINES_LOW | LINES_LOW << 128

# To count cells: after HAKMEM, item 169 (Beeler, Gosper, Schroeppel 1972).
COPIES: constant(uint256) = 1 | 1 << 15 | 1 << 30 | 1 << 45
DIGITS: constant(uint256) = (2**60 - 1) // 15

# The number of a cell, in four bits at the place of 2**cell modulo 11: these remainders all differ.
NUMBERS: constant(uint256) = (
    0 << 4 | 1 << 8 | 2 << 16 | 3 << 32 | 4 << 20 | 5 << 40 | 6 << 36 | 7 << 28 | 8 << 12
)


# --- playing ---

@external
def newGame(difficulty: uint8, cpuFirst: bool) -> uint256:
    """
    @notice Starts a game of the caller's.
    @param difficulty 0 easy, 1 normal, 2 hard
    @param cpuFirst whether the machine makes the first move, which it does here and now
    @return the game's number; transactions return nothing to their sender, who reads it from GameCreated
    """
    if difficulty > 2:
        self.NoSuchDifficulty(difficulty)
    gameId: uint256 = self.gameCount
    self.gameCount = unsafe_add(gameId, 1)

    word: uint256 = convert(msg.sender, uint256) << PLAYER | convert(difficulty, uint256) << DIFFICULTY
    cpuCell: uint8 = NO_CELL
    if cpuFirst:
        answer: uint256 = self._lowest(
            self._candidates(0, 0, convert(difficulty, uint256), self._seed(gameId, 0))
        )
        cpuCell = self._number(answer)
        word |= answer << BOARD_CPU | 1 << MOVES | 1 << CPU_FIRST
    self._games[gameId] = word
    log GameCreated(gameId=gameId, player=msg.sender, difficulty=difficulty, cpuFirst=cpuFirst, cpuCell=cpuCell)
    return gameId


@external
def play(gameId: uint256, cell: uint8):
    """
    @notice Takes a cell in one of the caller's games; the machine answers at once.
    """
    self._play(gameId, cell, UNASKED)


@external
def playAt(gameId: uint256, cell: uint8, moves: uint8):
    """
    @notice As play, but only while so many moves have been made: a click or a transaction that comes
            twice is not taken for the next move.
    """
    self._play(gameId, cell, convert(moves, uint256))


@internal
def _play(gameId: uint256, cell: uint8, expected: uint256):
    word: uint256 = self._word(gameId)
    if word >> RESULT & BYTE != IN_PROGRESS:
        self.GameOver(gameId)
    player: address = convert(word >> PLAYER, address)
    if player != msg.sender:
        self.NotYourGame(player, msg.sender)
    moves: uint256 = word >> MOVES & BYTE
    if expected != UNASKED and expected != moves:
        self.GameMovedOn(gameId, convert(moves, uint8))
    if cell > 8:
        self.CellOutOfRange(cell)

    mine: uint256 = word >> BOARD_CPU & ALL
    theirs: uint256 = word & ALL
    taken: uint256 = 1 << convert(cell, uint256)
    if (mine | theirs) & taken != 0:
        self.CellTaken(cell)

    theirs |= taken
    word = unsafe_add(word, taken | 1 << MOVES)
    cpuCell: uint8 = NO_CELL
    result: uint256 = IN_PROGRESS
    if self._won(theirs):
        result = PLAYER_WON
    elif moves == 8:
        result = DRAW
    else:
        difficulty: uint256 = word >> DIFFICULTY & BYTE
        seed: uint256 = 0
        if difficulty == EASY:
            seed = self._seed(gameId, unsafe_add(moves, 1))
        answer: uint256 = self._lowest(self._candidates(mine, theirs, difficulty, seed))
        cpuCell = self._number(answer)
        word = unsafe_add(word, answer << BOARD_CPU | 1 << MOVES)
        if self._won(mine | answer):
            result = CPU_WON
        elif moves == 7:
            result = DRAW
    word |= result << RESULT
    self._games[gameId] = word

    log MovePlayed(
        gameId=gameId, player=msg.sender, playerCell=cell, cpuCell=cpuCell, result=convert(result, uint8)
    )
    if result != IN_PROGRESS:
        log GameFinished(gameId=gameId, result=convert(result, uint8))


@internal
@view
def _seed(gameId: uint256, moves: uint256) -> uint256:
    """
    @dev Not a random number: it is known before the transaction is sent, and whoever proposes the block
         before can choose it. Good enough for a machine that plays badly on purpose and for nothing else.
    """
    # Block 0 has no parent.
    parent: bytes32 = empty(bytes32)
    if block.number != 0:
        parent = blockhash(unsafe_sub(block.number, 1))
    return convert(keccak256(abi_encode(parent, self, gameId, moves)), uint256)


# --- reading ---

@external
@view
def getGame(gameId: uint256) -> Game:
    """
    @notice The game of that number.
    """
    return self._game(gameId)


@external
@view
def getGames(offset: uint256, limit: uint256) -> DynArray[Game, PAGE]:
    """
    @notice Games from number `offset` on, at most `limit` of them and at most 100; none beyond the last.
    """
    games: DynArray[Game, PAGE] = []
    count: uint256 = self.gameCount
    if offset < count:
        for i: uint256 in range(min(min(limit, unsafe_sub(count, offset)), PAGE), bound=PAGE):
            games.append(self._game(unsafe_add(offset, i)))
    return games


@external
@view
def boardOf(gameId: uint256) -> uint8[9]:
    """
    @notice The nine cells: 0 empty, 1 the person's, 2 the machine's.
    """
    word: uint256 = self._word(gameId)
    cells: uint8[9] = empty(uint8[9])
    for i: uint256 in range(9):
        persons: uint256 = word >> i & 1
        machines: uint256 = word >> BOARD_CPU >> i & 1
        cells[i] = convert(persons | machines << 1, uint8)
    return cells


@external
@pure
def previewCpuMove(boardCpu: uint16, boardPlayer: uint16, difficulty: uint8, seed: uint256) -> uint8:
    """
    @notice The cell that the machine would take, for any board; a person may look it up as well.
    @dev Bits from 9 on are ignored. Cells that both boards hold count as taken by both.
    @param seed which of the empty cells, counted upwards and round, where easy plays anything
    """
    if difficulty > 2:
        self.NoSuchDifficulty(difficulty)
    mine: uint256 = convert(boardCpu, uint256) & ALL
    theirs: uint256 = convert(boardPlayer, uint256) & ALL
    if mine | theirs == ALL:
        self.BoardFull()
    return self._number(self._lowest(self._candidates(mine, theirs, convert(difficulty, uint256), seed)))


@internal
@view
def _word(gameId: uint256) -> uint256:
    word: uint256 = self._games[gameId]
    if word == 0:
        self.NoSuchGame(gameId)
    return word


@internal
@view
def _game(gameId: uint256) -> Game:
    word: uint256 = self._word(gameId)
    return Game(
        player=convert(word >> PLAYER, address),
        boardPlayer=convert(word & ALL, uint16),
        boardCpu=convert(word >> BOARD_CPU & ALL, uint16),
        moves=convert(word >> MOVES & BYTE, uint8),
        difficulty=convert(word >> DIFFICULTY & BYTE, uint8),
        result=convert(word >> RESULT & BYTE, uint8),
        cpuFirst=word >> CPU_FIRST & 1 != 0,
    )


# --- the procedure ---

@internal
@pure
def _candidates(mine: uint256, theirs: uint256, difficulty: uint256, seed: uint256) -> uint256:
    """
    @dev The cells that the first step to apply allows, of which the lowest is taken. There must be an
         empty cell. The lanes of the low half speak of the machine's lines, of the high half of the
         person's.
    """
    free: uint256 = (mine | theirs) ^ ALL
    own: uint256 = (unsafe_mul(mine, LOW) | unsafe_mul(theirs, HIGH)) & LINES
    others: uint256 = own << 128 | own >> 128
    # What the lines without a stone of the other side lack.
    lacking: uint256 = (own ^ LINES) & ~self._whole(others)

    # 1. Win. 2. Block. A line with two stones lacks one cell.
    cells: uint256 = self._folded(lacking & self._whole(self._without_lowest(own)))
    if cells & ALL != 0:
        return cells & ALL
    if difficulty == EASY:
        return self._nth(free, seed)
    if cells >> 128 != 0:
        return cells >> 128
    if difficulty == NORMAL:
        return self._preferred(free)

    # 3. Fork: the cells that two lines with one stone lack. There are no lines with two by now.
    open: uint256 = lacking & self._whole(own)
    once: uint256 = open | open >> 64
    twice: uint256 = open & open >> 64
    twice |= twice >> 32 | once & once >> 32
    once |= once >> 32
    twice |= twice >> 16 | once & once >> 16
    if twice & ALL != 0:
        return self._preferred(twice & ALL)

    # 4. The other side's forks: take the only one, or force an answer that is none of them.
    forks: uint256 = twice >> 128 & ALL
    if forks != 0:
        if forks & unsafe_sub(forks, 1) == 0:
            return forks
        ours: uint256 = open & unsafe_mul(LOW, ALL)
        calm: uint256 = ours & ~unsafe_mul(forks, LOW)
        # Of the two cells that such a line lacks, taking one makes the other the answer.
        forcing: uint256 = ours & self._whole(self._without_lowest(calm))
        forcing |= (ours ^ calm) & self._whole(calm)
        forcing = self._folded(forcing)
        if forcing != 0:
            return forcing

    # 5. Centre, else the corner opposite to one the other side holds, else the preferred cell.
    if free & CENTRE != 0:
        return CENTRE
    held: uint256 = theirs & self._turned(free & CORNERS)
    if held != 0:
        return self._turned(self._lowest(held))
    return self._preferred(free)


@internal
@pure
def _nth(cells: uint256, seed: uint256) -> uint256:
    """
    @dev The cells from number `seed` on, counted upwards and round.
    """
    # Four copies, of which every fourth bit is kept: each cell once, in hexadecimal digits of their own,
    # whose sum is the remainder modulo 15.
    count: uint256 = (unsafe_mul(cells, COPIES) & DIGITS) % 15
    rest: uint256 = cells
    for _: uint256 in range(seed % count, bound=9):
        rest &= unsafe_sub(rest, 1)
    return rest


@internal
@pure
def _preferred(cells: uint256) -> uint256:
    """
    @dev Those that lie on the most lines: in the end the order is 4, 0, 2, 6, 8, 1, 3, 5, 7.
    """
    if cells & CENTRE != 0:
        return CENTRE
    if cells & CORNERS != 0:
        return cells & CORNERS
    return cells


@internal
@pure
def _lowest(cells: uint256) -> uint256:
    return cells & unsafe_sub(0, cells)


@internal
@pure
def _turned(corners: uint256) -> uint256:
    """
    @dev Each corner's opposite: 0 and 8, 2 and 6.
    """
    return (corners << 8 | corners << 4 & 64 | corners >> 4 & 4 | corners >> 8) & CORNERS


@internal
@pure
def _number(cell: uint256) -> uint8:
    return convert(NUMBERS >> unsafe_mul(4, cell % 11) & 15, uint8)


@internal
@pure
def _won(board: uint256) -> bool:
    lacking: uint256 = ~unsafe_mul(board, LOW) & LINES_LOW
    return unsafe_add(lacking, BELOW_TOP_LOW) & TOP_LOW != TOP_LOW


# --- lanes ---

@internal
@pure
def _whole(lanes: uint256) -> uint256:
    """
    @dev All cells of the lanes that hold any.
    """
    return unsafe_mul(unsafe_add(lanes, BELOW_TOP) >> 15 & ONES, ALL)


@internal
@pure
def _without_lowest(lanes: uint256) -> uint256:
    """
    @dev Each lane less its lowest cell, if it has any.
    """
    return lanes & unsafe_sub(lanes | TOP, ONES)


@internal
@pure
def _folded(lanes: uint256) -> uint256:
    """
    @dev The cells of any lane of a half, in that half's lowest lane.
    """
    folded: uint256 = lanes | lanes >> 64
    folded |= folded >> 32
    return (folded | folded >> 16) & FEET


# --- errors ---

# This version of Vyper cannot declare errors: chain/build.py adds the functions below to the ABI as such.

@internal
@pure
def NoSuchGame(gameId: uint256):
    raw_revert(abi_encode(gameId, method_id=method_id("NoSuchGame(uint256)")))


@internal
@pure
def GameOver(gameId: uint256):
    raw_revert(abi_encode(gameId, method_id=method_id("GameOver(uint256)")))


@internal
@pure
def NotYourGame(player: address, caller: address):
    raw_revert(abi_encode(player, caller, method_id=method_id("NotYourGame(address,address)")))


@internal
@pure
def GameMovedOn(gameId: uint256, moves: uint8):
    raw_revert(abi_encode(gameId, moves, method_id=method_id("GameMovedOn(uint256,uint8)")))


@internal
@pure
def CellOutOfRange(cell: uint8):
    raw_revert(abi_encode(cell, method_id=method_id("CellOutOfRange(uint8)")))


@internal
@pure
def CellTaken(cell: uint8):
    raw_revert(abi_encode(cell, method_id=method_id("CellTaken(uint8)")))


@internal
@pure
def BoardFull():
    raw_revert(method_id("BoardFull()"))


@internal
@pure
def NoSuchDifficulty(difficulty: uint8):
    raw_revert(abi_encode(difficulty, method_id=method_id("NoSuchDifficulty(uint8)")))
