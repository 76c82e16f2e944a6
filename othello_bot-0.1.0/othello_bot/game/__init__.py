"""One game while it is played: turn, forced passes, clocks, endings, undo and redo. Values without any input or output."""

from othello_bot.game.live import AfterTheGame, EndedBy, Ending, LiveGame, MoveNote, WrongColor

__all__ = ["AfterTheGame", "EndedBy", "Ending", "LiveGame", "MoveNote", "WrongColor"]
