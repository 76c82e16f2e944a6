"""Pictures of a match: the Elo ladder with error bars, score by stage of the game, time used by move.

In the latter two the horizontal axis is the number of discs on the board before the move, which means the same in every
game, passes or not.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from othello_bot.arena.errors import MissingExtra
from othello_bot.arena.games import MoveReport, StoredMatch
from othello_bot.arena.report import tally_of
from othello_bot.arena.statistics import QUANTILE_95, Rating, RunningMoments, ratings
from othello_bot.arena.store import Store
from othello_bot.rules import Position, parse_moves
from protocol.notation import PASS, Color

_SIZE_INCHES: Final = (8.0, 4.5)

_ROW_INCHES: Final = 0.3
"""Height per engine if there are many."""

_WIDE_RANGE: Final = 100
"""Ratio of times above which the axis is logarithmic."""

Engine = tuple[str, str, str]
"""Name, colour and line style."""

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
    tally = tally_of(store, match)
    rated = ratings(len(match.names), {pair: meeting.pairs for pair, meeting in tally.meetings.items()})
    best_first = sorted(range(len(rated)), key=lambda slot: -rated[slot].elo)
    # An engine has the same colour and place in all pictures.
    engines = [(match.names[slot], f"C{slot % 10}", "-" if slot < 10 else "--") for slot in best_first]
    title = f"{match.config.event or f'match {match.key[:8]}'}, {tally.games} games"
    drawings: dict[str, Callable[[Any], None]] = {
        "ladder": lambda axes: _draw_ladder(axes, engines, [rated[slot] for slot in best_first]),
        "scores": lambda axes: _draw_stages(axes, engines, scores, "score in discs, the engine's own view"),
        "times": lambda axes: _draw_times(axes, engines, times),
    }
    paths = []
    for name, draw in drawings.items():
        width, height = _SIZE_INCHES
        figure: Any = Figure(figsize=(width, max(height, _ROW_INCHES * len(engines))), layout="constrained")
        axes = figure.subplots()
        axes.set_title(title)
        draw(axes)
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


def _draw_ladder(axes: Any, engines: Sequence[Engine], rated: Sequence[Rating]) -> None:
    for row, ((_, color, _), rating) in enumerate(zip(engines, rated, strict=True)):
        known = math.isfinite(rating.error)
        axes.errorbar(rating.elo, row, xerr=rating.error if known else 0.0, fmt="o", capsize=4, color=color)
        text = f"{rating.elo:+.0f} ± {rating.error:.0f}" if known else "no games"
        axes.annotate(text, (rating.elo, row), xytext=(0, 7), textcoords="offset points", ha="center", fontsize=8)
    axes.set_yticks(range(len(engines)), [name for name, _, _ in engines])
    axes.set_ylim(len(engines) - 0.4, -0.6)
    axes.set_xlabel("Elo, mean of all engines 0, with 95 % intervals")
    axes.grid(axis="x", alpha=0.3)


def _draw_stages(axes: Any, engines: Sequence[Engine], stages: Stages, label: str, least: float = -math.inf) -> None:
    """Draw a line with a 95 % band for each engine that has values; the band is cut off at `least`."""
    for name, color, style in engines:
        found = sorted(stages.get(name, {}).items())
        if not found:
            continue
        places = [discs for discs, _ in found]
        means = [max(least, moments.mean) for _, moments in found]
        errors = [QUANTILE_95 * moments.standard_error if moments.count > 1 else 0.0 for _, moments in found]
        axes.plot(places, means, label=name, color=color, linestyle=style)
        low = [max(least, mean - error) for mean, error in zip(means, errors, strict=True)]
        high = [mean + error for mean, error in zip(means, errors, strict=True)]
        axes.fill_between(places, low, high, alpha=0.15, color=color)
    if not stages:
        axes.text(0.5, 0.5, "no engine told any", ha="center", transform=axes.transAxes)
    else:
        axes.legend(loc="center left", bbox_to_anchor=(1.0, 0.5), frameon=False)
    axes.set_xlabel("discs on the board before the move")
    axes.set_ylabel(label)
    axes.grid(alpha=0.3)


def _draw_times(axes: Any, engines: Sequence[Engine], times: Stages) -> None:
    """Draw the times, on a logarithmic axis if they differ too much for a linear one."""
    means = [moments.mean for stages in times.values() for moments in stages.values() if moments.mean > 0]
    logarithmic = bool(means) and max(means) > _WIDE_RANGE * min(means)
    # With few games the bands reach below 0, which a logarithmic axis does not have.
    least = min(means) / 2 if logarithmic else 0.0
    _draw_stages(axes, engines, times, "time for a move in ms", least)
    if logarithmic:
        axes.set_yscale("log")
        axes.set_ylim(bottom=least)
        axes.yaxis.set_major_formatter("{x:g}")
