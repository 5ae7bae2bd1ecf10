"""A game that is nothing but a random graph with mirror images: small enough to be solved by brute force.

Nodes 2j and 2j + 1 are mirror images; those from 2 * PAIRS on are their own. A state is a node, plus
SIDE when second is to move; END is a game that the side just moved has won.
"""

PAIRS = 3000
OWN = 300
NODES = 2 * PAIRS + OWN
SIDE = 1 << 20
END = NODES

MAX_MOVES = 16
REPETITION = 0
INDEX_SIZE = PAIRS + OWN


def mirrored(node):
    return node ^ 1 if node < 2 * PAIRS else node


def _graph():
    """Every node's different successors, closed under mirroring; whether it is won at once."""
    seed = 12345
    edges: list[list[int]] = [[] for _ in range(NODES)]
    won = [0] * NODES
    for node in list(range(0, 2 * PAIRS, 2)) + list(range(2 * PAIRS, NODES)):
        seed = (seed * 69069 + 1) % 2**32
        targets = []
        for _ in range(1 + (seed >> 20) % 4):
            seed = (seed * 69069 + 1) % 2**32
            target = (seed >> 8) % NODES
            # Many edges lead to self-mirrored nodes, where the counting is subtle.
            if (seed >> 4) % 5 == 0:
                target = 2 * PAIRS + target % OWN
            targets.append(target)
            if node >= 2 * PAIRS:
                targets.append(mirrored(target))
        targets = sorted(set(targets))
        seed = (seed * 69069 + 1) % 2**32
        won[node] = won[mirrored(node)] = (seed >> 16) % 12 == 0
        edges[node] = targets
        if node < 2 * PAIRS:
            edges[node + 1] = sorted([mirrored(target) for target in targets])
    return edges, won


_EDGES, _WON_LIST = _graph()
_BACK: list[list[int]] = [[] for _ in range(NODES)]
for _node in range(NODES):
    for _target in _EDGES[_node]:
        _BACK[_target].append(_node)


def _flat(lists):
    begins = [0]
    items = []
    for one in lists:
        items += one
        begins.append(len(items))
    return tuple(begins), tuple(items)


_TO_BEGIN, _TO = _flat(_EDGES)
_FROM_BEGIN, _FROM = _flat(_BACK)
_WON = tuple([int(won) for won in _WON_LIST])
MAX_UNMOVES = max(len(one) for one in _BACK)
TABLES = _EDGES, _WON_LIST


def start():
    return 0


def turn(state):
    return state >> 20


def outcome(state):
    return 2 - (state >> 20) if state & SIDE - 1 == END else 0


def moves(state, buf):
    node = state & SIDE - 1
    n = 0
    for i in range(_TO_BEGIN[node], _TO_BEGIN[node + 1]):
        buf[n] = _TO[i]
        n += 1
    if _WON[node]:
        buf[n] = END
        n += 1
    return n


def play(state, move):
    return move | (state & SIDE) ^ SIDE


def key(state):
    return state


def evaluate(state):
    return 0


def mirror(state):
    node = state & SIDE - 1
    return state ^ 1 if node < 2 * PAIRS else state


def can_win(state):
    return _WON[state & SIDE - 1] != 0


def safe_moves(state, buf):
    n = moves(state, buf)
    kept = 0
    for i in range(n):
        if _WON[buf[i]] == 0:
            buf[kept] = buf[i]
            kept += 1
    return kept


def index_of(state):
    node = state & SIDE - 1
    return node >> 1 if node < 2 * PAIRS else node - PAIRS


def state_at(slot):
    return 2 * slot if slot < PAIRS else slot + PAIRS


def unmoves(state, buf):
    node = state & SIDE - 1
    n = 0
    for i in range(_FROM_BEGIN[node], _FROM_BEGIN[node + 1]):
        buf[n] = _FROM[i] | (state & SIDE) ^ SIDE
        n += 1
    return n
