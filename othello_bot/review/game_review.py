"""The review of one game: its judged moves, and what they say about both players."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from othello_bot.base.errors import InputError
from othello_bot.base.notation import Color
from othello_bot.engine import Engine, carried_out
from othello_bot.review.judgement import JudgedMove, Phase, PlayerTally, had_choice, phase_of
from othello_bot.review.steps import DEFAULT_LEVEL, Observer, review_steps
from othello_bot.rules import Game


@dataclass(frozen=True, slots=True)
class GameReview:
    """A game with the judgement on each of its moves, in their order; some are missing if the review was stopped."""

    game: Game
    level: int
    moves: tuple[JudgedMove, ...]

    @property
    def complete(self) -> bool:
        """Whether every move is judged."""
        return len(self.moves) == self.game.ply

    def empties(self, move: JudgedMove) -> int:
        """Return the number of empty squares before a move."""
        return self.game.position_at(move.ply - 1).empties

    def phase(self, move: JudgedMove) -> Phase:
        """Return the phase in which a move was made."""
        return phase_of(self.empties(move))

    def losses(self, color: Color) -> list[tuple[int, int]]:
        """Return (empties, loss in discs) of each move of a player who had a choice."""
        return [
            (self.empties(move), move.loss)
            for move in self.moves
            if move.color is color and had_choice(self.game, move)
        ]

    def player(self, color: Color) -> PlayerTally:
        """Return what the moves of one player add up to."""
        tally = PlayerTally()
        tally.add_game(self.losses(color))
        return tally

    def mistakes(self) -> list[JudgedMove]:
        """Return the moves that lost discs, in their order; each has the better move and the line behind it."""
        return [move for move in self.moves if move.loss]


def review_game(
    engine: Engine,
    game: Game,
    level: int = DEFAULT_LEVEL,
    observer: Observer | None = None,
    stopped: Callable[[], bool] = lambda: False,
) -> GameReview:
    """Review a game; blocks. Earlier searches are forgotten, so that the same game always has the same review.

    `observer` is called after each judged move. `stopped` is asked after each search; to end the running search as
    well, call `engine.stop()` from another thread once `stopped` answers true. The result then holds the moves judged
    so far. Raise `InputError` for anything but an engine and a game, `LimitError` for a level out of range.
    """
    if not isinstance(engine, Engine):
        raise InputError("engine", engine, "an Engine")
    engine.clear()
    moves = carried_out(review_steps(game, level, observer, stopped), engine.answer)
    return GameReview(game.copy(), level, tuple(moves))
