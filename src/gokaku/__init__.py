"""gokaku: an opponent for everyone at small board games."""

from gokaku.board import BadPosition, Board, Game, GameOver, IllegalMove, Outcome, UnknownGame, game

__all__ = ["BadPosition", "Board", "Game", "GameOver", "IllegalMove", "Outcome", "UnknownGame", "game"]
