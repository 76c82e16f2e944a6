"""Searches for the opening book: learning from games."""

from __future__ import annotations

from othello_bot.book_growing.learning_from_games import rows_of_game

__all__ = ["rows_of_game"]
