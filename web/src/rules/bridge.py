"""Runs in MicroPython beside the rule files and speaks JSON with the page.

It knows the contract of docs/rule-files.md and no game's name. It holds the game in play as its
history and judges repetition from it, as the server's board does.
"""

import json

_loaded = {}
_name = ""
_rules = None
_history = []  # (state, key, the move that led here or None)


def load(name):
    """The rule module of that name; its file was put on the path before."""
    if name not in _loaded:
        _loaded[name] = __import__("game_" + name)
    return _loaded[name]


def describe(name):
    """What never changes during a game."""
    rules = load(name)
    pieces = {}
    for letter, names in rules.PIECES.items():
        for cell in (letter, letter.lower()):
            directions = rules.directions(cell) if hasattr(rules, "directions") else []
            pieces[cell] = {"names": names, "directions": directions}
    count = rules.ROWS * rules.COLS
    return {
        "name": name,
        "title": rules.TITLE,
        "rows": rules.ROWS,
        "cols": rules.COLS,
        "pieces": pieces,
        "squares": [rules.square_name(square) for square in range(count)],
        "oriented": hasattr(rules, "directions"),
        "repetition": rules.REPETITION,
    }


def open_game(name, position, moves):
    """Begins a game from a position text ("" for the start) and replays moves."""
    global _name, _rules, _history
    rules = load(name)
    before = (_name, _rules, _history)
    _name, _rules, _history = name, rules, []
    try:
        _append(rules.parse(position) if position else rules.start(), None)
        for ply, text in enumerate(moves):
            try:
                _play(text)
            except ValueError as error:
                raise ValueError("ply " + str(ply + 1) + ": " + str(error))
    except ValueError:
        _name, _rules, _history = before
        raise
    return snapshot()


def play(text):
    before = _history[-1][0]
    _play(text)
    view = snapshot()
    view["before"] = _rules.cells(before)
    return view


def undo(plies):
    del _history[max(1, len(_history) - plies) :]
    return snapshot()


def look(plies):
    """The view after that many plies of the game in play, which stays as it is."""
    global _history
    whole = _history
    _history = whole[: max(0, plies) + 1]
    try:
        return snapshot()
    finally:
        _history = whole


def read(name, text):
    """Opens a record: a position or none, then moves, one a line; `#` starts a comment."""
    lines = [line.split("#")[0].rstrip() for line in text.replace("\r", "").split("\n")]
    lines = [line for line in lines if line]
    rules = load(name)
    # A position may take several lines; the longest prefix that is one is taken for it.
    for size in range(len(lines), 0, -1):
        position = "\n".join(lines[:size])
        try:
            rules.parse(position)
        except ValueError:
            continue
        return open_game(name, position, lines[size:])
    return open_game(name, "", lines)


def record():
    """The game as text that `read` and the command line read back."""
    root = _history[0][0]
    position = _rules.draw(root)
    try:
        drawn = _rules.parse(position) == root
    except ValueError:
        drawn = False
    if not drawn:
        position = _rules.format(root)
    return "\n".join([position] + [entry[2]["text"] for entry in _history[1:]]) + "\n"


def _append(state, move):
    _history.append((state, _rules.key(state), move))


def _ended():
    """(outcome, ending) of the newest position, repetition included."""
    state, key, _ = _history[-1]
    result = _rules.outcome(state)
    if result == 0 and _rules.REPETITION:
        if sum(1 for entry in _history if entry[1] == key) >= _rules.REPETITION:
            return _rules.repeated(state), "repetition"
    return result, _rules.ending(state)


def _legal(state):
    if _ended()[0]:
        return []
    buf = [0] * _rules.MAX_MOVES
    return buf[: _rules.moves(state, buf)]


def _find(state, legal, text):
    reason = "it is not legal here"
    try:
        code = _rules.parse_move(state, text)
        if code in legal:
            return code
    except ValueError as error:
        reason = str(error)
    # Notation that only the list of legal moves explains; slower, so it comes second.
    for code in legal:
        if _rules.format_move(state, code) == text:
            return code
    raise ValueError(text + ": " + reason)


def _play(text):
    state = _history[-1][0]
    if _ended()[0]:
        raise ValueError("the game is over: " + text)
    code = _find(state, _legal(state), text)
    cells = _rules.cells(state)
    move = _move(state, code, cells)
    move["taken"] = cells[move["to"]] if move["from"] >= 0 else ""
    move["side"] = _rules.turn(state)
    move["flips"] = _rules.flips(state, code) if hasattr(_rules, "flips") else []
    _append(_rules.play(state, code), move)


def _move(state, code, cells):
    source, target, piece = _rules.squares(state, code)
    if source >= 0:
        piece = cells[source]
    return {"text": _rules.format_move(state, code), "from": source, "to": target, "piece": piece}


def snapshot():
    """The newest position as a drawing needs it, with the legal moves and the record."""
    state = _history[-1][0]
    result, ending = _ended()
    root = _history[0][0]
    cells = _rules.cells(state)
    return {
        "game": _name,
        "root": "" if root == _rules.start() else _rules.format(root),
        "cells": cells,
        "hands": _rules.hands(state),
        "turn": _rules.turn(state),
        "outcome": result,
        "ending": ending,
        "moves": [_move(state, code, cells) for code in _legal(state)],
        "played": [entry[2] for entry in _history[1:]],
        "regions": _rules.regions(state) if hasattr(_rules, "regions") else [],
    }


_COMMANDS = {
    "describe": describe,
    "open": open_game,
    "play": play,
    "undo": undo,
    "look": look,
    "read": read,
    "record": record,
}


def call(command, arguments):
    """One command with its arguments as a JSON list; the answer is `{"ok": ...}` or `{"error": text}`."""
    try:
        return json.dumps({"ok": _COMMANDS[command](*json.loads(arguments))})
    except ValueError as error:
        return json.dumps({"error": str(error)})
