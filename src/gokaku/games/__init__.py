"""The registry: which games there are. A new game is one new file here and one word below."""

NAMES = ("tictactoe", "ultimate", "dobutsu", "negaeri")
