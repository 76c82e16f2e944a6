"""One game while it is played: turn, forced passes, clocks, endings, undo and redo. Values without any input or output."""

from othello_bot.game.live import (
    AFTER_THE_GAME,
    LOST,
    AfterTheGame,
    EndedBy,
    Ending,
    LiveGame,
    WrongColor,
)

__all__ = ["AFTER_THE_GAME", "LOST", "AfterTheGame", "EndedBy", "Ending", "LiveGame", "WrongColor"]
