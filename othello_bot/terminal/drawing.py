"""The drawing of a game: the board, and beside it the players, their discs and clocks, the side to move, and facts.

The program has only this drawing: a session's terminal and `play` both show it.
"""

from __future__ import annotations

from othello_bot.terminal.look import Colors, Look
from othello_bot.terminal.picture import Picture, draw_plain
from othello_bot.terminal.scene import Scene


def draw(scene: Scene, look: Look, columns: int = 80) -> Picture:
    """Return the drawing of a scene for a terminal with this look and width in columns."""
    if look.colors is Colors.NONE:
        return draw_plain(scene, columns)
    from othello_bot.terminal.colored import draw_colored  # imported here: importing rich takes a while

    return draw_colored(scene, look, columns)
