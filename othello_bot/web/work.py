"""What the engine does for a message: steps of searches, as the scheduler takes them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from othello_bot.base.notation import Color, move_name
from othello_bot.engine import Engine, Steps
from othello_bot.web.messages import AskMove, AskReview

if TYPE_CHECKING:
    from othello_bot.review import ReviewProgress

Reply = dict[str, Any]

LARGEST_SEED: Final = 2**31


def choose_move(engine: Engine, ask: AskMove, longest_s: float) -> Steps[Reply]:
    """Return steps that choose the engine's move; without a clock it thinks for `longest_s` seconds at most."""
    # The steps begin while the engine is idle. The seed differs from move to move and is the same if asked again.
    engine.set_option("strength", ask.strength)
    engine.set_option("seed", (ask.seed * 129 + ask.game.ply) % LARGEST_SEED)
    limits = engine.default_limits(ask.clock)
    if ask.clock is None and (limits.move_time_s is None or limits.move_time_s > longest_s):
        limits = replace(limits, move_time_s=longest_s)
    choice = yield from engine.choosing(ask.game, limits)
    reply: Reply = {"kind": "move", "move": move_name(choice.move), "source": choice.source}
    if choice.result is not None and choice.result.lines:
        reply |= {"score": choice.result.score, "reached": choice.result.reached()}
    return reply


def review_moves(engine: Engine, ask: AskReview, tell: Callable[[Reply], None]) -> Steps[Reply]:
    """Return steps that review a game; each judged move is told at once, the sums for both players come last.

    The same game has the same review as by `othello-bot review`: the engine forgets what it searched before.
    """
    from othello_bot.review import GameReview, move_object, player_object, review_steps  # it would delay the first page

    game = ask.game

    def judged(progress: ReviewProgress) -> None:
        move = move_object(GameReview(game, ask.level, ()), progress.move)
        tell({"kind": "judged", "done": progress.done, "total": progress.total, **move})

    engine.clear()
    moves = yield from review_steps(game, ask.level, judged, first_ply=ask.first_ply)
    review = GameReview(game, ask.level, tuple(moves))
    return {
        "kind": "reviewed",
        "level": ask.level,
        "players": {color.name.lower(): player_object(review.player(color)) for color in Color},
    }
