"""Pictures of a match: the Elo ladder with error bars, score by stage of the game, time used by move.

In the latter two the horizontal axis is the number of discs on the board before the move, which means the same in every
game, passes or not.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

from othello_bot.arena.errors import MissingExtra
from othello_bot.arena.ladder import ratings
from othello_bot.arena.report import tally_of
from othello_bot.arena.reports import MoveReport
from othello_bot.arena.statistics import QUANTILE_95, RunningMoments
from othello_bot.arena.store import Store
from othello_bot.arena.stored import StoredMatch
from othello_bot.formats.transcript import parse_moves
from othello_bot.position import PASS, Color, Position

_SIZE_INCHES: Final = (8.0, 4.5)

Stages = Mapping[str, Mapping[int, RunningMoments]]
"""By engine and number of discs on the board."""


def write_pictures(store: Store, match: StoredMatch, folder: Path) -> list[Path]:
    """Write the pictures of a match into a folder and return their paths. Raises MissingExtra without matplotlib."""
    try:
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtra("the pictures of a report", "matplotlib") from error
    folder.mkdir(parents=True, exist_ok=True)
    scores, times = by_stage(store, match)
    drawings: dict[str, Callable[[Any], None]] = {
        "ladder": lambda axes: _draw_ladder(axes, store, match),
        "scores": lambda axes: _draw_stages(axes, scores, "score in discs, the engine's own view"),
        "times": lambda axes: _draw_stages(axes, times, "time for a move in ms"),
    }
    paths = []
    for name, draw in drawings.items():
        figure: Any = Figure(figsize=_SIZE_INCHES, layout="constrained")
        draw(figure.subplots())
        path = folder / f"{match.key[:8]}-{name}.png"
        figure.savefig(path, dpi=120)
        paths.append(path)
    return paths


def by_stage(store: Store, match: StoredMatch) -> tuple[Stages, Stages]:
    """Return the scores (discs, own view) and the times (ms) of all engines by the number of discs on the board."""
    scores: dict[str, dict[int, RunningMoments]] = defaultdict(lambda: defaultdict(RunningMoments))
    times: dict[str, dict[int, RunningMoments]] = defaultdict(lambda: defaultdict(RunningMoments))
    for game in store.games(match.id):
        start = 64 - Position.parse(game.start).empties
        discs = [start]
        for move in parse_moves(game.moves):
            discs.append(discs[-1] + (move != PASS))
        for move_report in game.played:
            name = match.names[_slot(move_report, game.result.task.black, game.result.task.white)]
            stage = discs[move_report.ply]
            times[name][stage].add(1000 * move_report.used_s)
            if move_report.score is not None:
                scores[name][stage].add(move_report.score)
    return scores, times


def _slot(move: MoveReport, black: int, white: int) -> int:
    return black if move.color is Color.BLACK else white


def _draw_ladder(axes: Any, store: Store, match: StoredMatch) -> None:
    tally = tally_of(store, match)
    rated = ratings(len(match.names), {pair: meeting.pairs for pair, meeting in tally.meetings.items()})
    order = sorted(range(len(rated)), key=lambda slot: rated[slot].elo)
    errors = [rated[slot].error if rated[slot].error < float("inf") else 0.0 for slot in order]
    axes.errorbar([rated[slot].elo for slot in order], range(len(order)), xerr=errors, fmt="o", capsize=4)
    axes.set_yticks(range(len(order)), [match.names[slot] for slot in order])
    axes.set_xlabel("Elo, mean of all engines 0, with 95 % intervals")
    axes.grid(axis="x", alpha=0.3)
    axes.margins(y=0.2)


def _draw_stages(axes: Any, stages: Stages, label: str) -> None:
    for name in sorted(stages):
        found = sorted(stages[name].items())
        places = [discs for discs, _ in found]
        means = [moments.mean for _, moments in found]
        errors = [QUANTILE_95 * moments.standard_error if moments.count > 1 else 0.0 for _, moments in found]
        (line,) = axes.plot(places, means, label=name)
        low = [mean - error for mean, error in zip(means, errors, strict=True)]
        high = [mean + error for mean, error in zip(means, errors, strict=True)]
        axes.fill_between(places, low, high, alpha=0.2, color=line.get_color())
    if not stages:
        axes.text(0.5, 0.5, "no engine told any", ha="center", transform=axes.transAxes)
    else:
        axes.legend()
    axes.set_xlabel("discs on the board before the move")
    axes.set_ylabel(label)
    axes.grid(alpha=0.3)
