"""The review of a terminal game: the moves that lost discs, what was better, and how well each side played."""

from __future__ import annotations

from typing import Final

from othello_bot.base.errors import counted
from othello_bot.base.notation import Color
from othello_bot.engine import Engine, Options, SearchRequest, SearchResult, carried_out
from othello_bot.play.players import LOOK_S, Watch
from othello_bot.review import GameReview, Grade, review_steps, slip_lines
from othello_bot.rules import Game

LEVEL: Final = 12
"""Playing level of the searches: a whole game takes a few seconds."""


def review_lines(game: Game, watch: Watch) -> list[str]:
    """Return what the moves of a game were worth, as text; `watch` may end the review, which is then incomplete."""
    stopped = False

    with Engine(Options(book=False)) as engine:

        def search(request: SearchRequest) -> SearchResult:
            nonlocal stopped
            latest: SearchResult | None = None

            def improved(result: SearchResult) -> None:
                nonlocal latest
                latest = result

            engine.go(request.position, request.limits, on_progress=improved)
            while True:
                try:
                    return engine.wait(LOOK_S)
                except TimeoutError:
                    if watch(latest):
                        stopped = True
                        engine.stop()

        moves = carried_out(review_steps(game, LEVEL, None, lambda: stopped), search)
    review = GameReview(game.copy(), LEVEL, tuple(moves))
    return [
        *([] if review.complete else [f"stopped: {len(moves)} of {counted(game.ply, 'move')} reviewed"]),
        *slip_lines(review),
        *(_side_line(review, color) for color in Color),
    ]


def _side_line(review: GameReview, color: Color) -> str:
    """Return how well a side played, in one line."""
    total = review.player(color).total
    accuracy = "no move with a choice" if total.accuracy is None else f"accuracy {total.accuracy:.0f} %"
    lost = f"{counted(total.loss, 'disc')} lost"
    slips = [
        counted(total.slips[grade], grade.name.lower(), grade.plural) for grade in reversed(Grade) if total.slips[grade]
    ]
    return f"{color.name.lower()}: {', '.join([accuracy, lost, *slips])}"
