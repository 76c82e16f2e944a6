"""Searches for the opening book: growing it, and learning from games."""

from __future__ import annotations

from othello_bot.book_growing.learning_from_games import learn_game

__all__ = ["learn_game"]
