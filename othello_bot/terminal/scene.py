"""The content of a drawing as a value: the board, the effect of the last move, the players and their clocks."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from othello_bot.base.notation import PASS, Color
from othello_bot.rules import Position

if TYPE_CHECKING:
    from othello_bot.rules import Game


@dataclass(frozen=True, slots=True)
class Seat:
    """A player's name in the drawing, and the text of the clock, empty for none."""

    name: str = ""
    clock: str = ""


@dataclass(frozen=True, slots=True)
class Scene:
    """Everything that one drawing shows.

    `last_move` is the move that led to `position`, None at the start; `turned` is the bitboard of the discs that it
    flipped. `facts` are lines of a label and a value: level, opening.
    """

    position: Position
    last_move: int | None = None
    turned: int = 0
    black: Seat = Seat()
    white: Seat = Seat()
    headline: str = ""
    facts: tuple[tuple[str, str], ...] = ()

    def seat(self, color: Color) -> Seat:
        """Return the seat of one player."""
        return self.black if color is Color.BLACK else self.white

    def discs(self, color: Color) -> int:
        """Return the number of one player's discs."""
        position = self.position
        return (position.black if color is Color.BLACK else position.white).bit_count()

    @property
    def mover(self) -> Color | None:
        """The side to move; None if the game is over."""
        return None if self.position.is_over else self.position.color


def what_the_last_move_did(game: Game) -> tuple[int | None, int]:
    """Return the last move, None before the first, and the bitboard of the discs that it flipped."""
    if not game.ply:
        return None, 0
    move = game.moves[-1]
    if move == PASS:
        return PASS, 0
    before, after = game.position_at(game.ply - 1), game.position
    return move, (after.opponent & before.opponent)


def turn_text(position: Position) -> str:
    """Return in words whose turn it is."""
    if position.is_over:
        return "the game is over"
    name = position.color.name.lower()
    return f"{name} has no move and must pass" if position.must_pass else f"{name} to move"


def clock_text(seconds: float) -> str:
    """Return the text of a clock: minutes and seconds rounded down, tenths in the last ten seconds."""
    if 0 < seconds < 10:
        return f"0:{int(10 * seconds) / 10:04.1f}"
    minutes, rest = divmod(max(0, int(seconds)), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
