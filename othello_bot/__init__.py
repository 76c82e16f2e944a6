"""othello-bot: an Othello engine."""
