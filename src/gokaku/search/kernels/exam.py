"""Kernel: plays random games and folds all that the rules say at every ply into one number a game.

The exam that every game sits: the number must be the same in every runtime, so this file, like the
rule files, imports nothing and stays within ints below 2^62.
"""

rules: object
SCALAR: bool

_MASK = (1 << 62) - 1


def fold(digest, number):
    return ((digest ^ number) * 0x1E3779B97F4A7C15 + 0x3F58476D1CE4E5B9) & _MASK


def fold_state(digest, state):
    if SCALAR:
        return fold(digest, state)
    for part in state:
        digest = fold(digest, part)
    return digest


def play(seed, longest, buffer, trace):
    """Plays one game of at most `longest` plies; returns how many it took.

    buffer: room for MAX_MOVES ints. trace: room for longest + 1 ints; entry k becomes the digest of
    every position, key, side to move, outcome and move list up to ply k.
    """
    state = rules.start()
    digest = fold(0, seed)
    ply = 0
    while True:
        digest = fold_state(fold_state(digest, state), rules.key(state))
        result = rules.outcome(state)
        digest = fold(digest, 4 * rules.turn(state) + result)
        if result != 0:
            trace[ply] = digest
            return ply
        # A move list is folded as one sum, in which the place of a move counts.
        n = rules.moves(state, buffer)
        total = n
        for i in range(n):
            total = (total * 31 + buffer[i]) & 0xFFFFFFFFFFF
        digest = fold(digest, total)
        digest = fold(digest, rules.evaluate(state) + (1 << 40))
        trace[ply] = digest
        if ply == longest:
            return ply
        state = rules.play(state, buffer[(digest >> 20) % n])
        ply += 1
