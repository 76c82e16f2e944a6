"""Reviewing games: what each move was worth, what was better, and how well each player did in each phase."""

from __future__ import annotations

from othello_bot.review.game_review import (
    DEFAULT_LEVEL,
    GameReview,
    ReviewProgress,
    analysis_steps,
    review_game,
    review_steps,
)
from othello_bot.review.judgement import Grade, JudgedMove, LossTally, Phase, PlayerTally, grade_of, phase_of
from othello_bot.review.store import STORE_NAME, stored_reviews
from othello_bot.review.text_report import move_object, people_object, player_object, review_lines

__all__ = [
    "DEFAULT_LEVEL",
    "GameReview",
    "Grade",
    "STORE_NAME",
    "JudgedMove",
    "Phase",
    "PlayerTally",
    "ReviewProgress",
    "LossTally",
    "analysis_steps",
    "engines",
    "grade_of",
    "move_object",
    "phase_of",
    "people_object",
    "player_object",
    "review_game",
    "review_lines",
    "review_steps",
    "stored_reviews",
]
