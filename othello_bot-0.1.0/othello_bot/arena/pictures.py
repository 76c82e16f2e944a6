"""Pictures of a match: the Elo ladder with error bars; by stage of the game, the score, the time for a move, and the
clock (planned and used time, and what is left); and of a tuning: how its parameters went.

In those by stage, the horizontal axis is the number of discs on the board before the move, which means the same in
every game, passes or not.
"""

from __future__ import annotations

import math
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from othello_bot.arena.errors import MissingExtra
from othello_bot.arena.ratings import Rating
from othello_bot.arena.report import rated, rating_text, tally_of
from othello_bot.arena.spsa import SpsaWalk
from othello_bot.arena.statistics import QUANTILE_95, RunningMoments
from othello_bot.arena.store import MatchStore
from othello_bot.arena.stored import NAME_COLUMNS, StoredMatch
from othello_bot.base.errors import counted
from othello_bot.base.files import whole_file
from othello_bot.base.notation import PASS
from othello_bot.base.visible import visible
from othello_bot.rules import Position, parse_moves

_SIZE_INCHES: Final = (8.0, 4.5)

_ROW_INCHES: Final = 0.3
"""Height per engine if there are many."""

_WALK_INCHES: Final = 2.0
"""Height per parameter of a tuning."""

_TITLE_COLUMNS: Final = 60
"""Most columns of the name of a match in the title."""

_WIDE_RANGE: Final = 100
"""Ratio of times above which the axis is logarithmic."""

EngineLabels = tuple[str, str, str]
"""Name, colour and line style."""

Stages = Mapping[str, Mapping[int, RunningMoments]]
"""By engine and number of discs on the board."""


@dataclass(frozen=True, slots=True)
class ByStage:
    """Means over all games: scores in discs, own view; times used, planned and left on the clock afterwards, in ms."""

    scores: Stages
    used: Stages
    planned: Stages
    left: Stages


def write_pictures(store: MatchStore, match: StoredMatch, folder: Path) -> list[Path]:
    """Write the pictures of a match into a folder and return their paths. Raise MissingExtra without matplotlib."""
    found = by_stage(store, match)
    tally = tally_of(store, match)
    ladder = rated(len(match.names), tally)
    best_first = sorted(range(len(ladder)), key=lambda slot: -ladder[slot].elo)
    # An engine has the same colour and place in all pictures.
    engines = [(match.names[slot], f"C{slot % 10}", "-" if slot < 10 else "--") for slot in best_first]
    event = visible(match.config.event, _TITLE_COLUMNS)
    title = f"{event or f'match {match.key[:8]}'}, {counted(tally.games, 'game')}"
    drawings: dict[str, Callable[[Any], object]] = {
        "ladder": lambda axes: _draw_ladder(axes, engines, [ladder[slot] for slot in best_first]),
        "scores": lambda axes: _draw_stages(axes, engines, found.scores, "score in discs, the engine's own view"),
        "times": lambda axes: _draw_times(axes, engines, found.used),
    }
    if found.left:
        drawings["clock"] = lambda axes: _draw_clock(axes, engines, found)
    paths = []
    for name, draw in drawings.items():
        path = folder / f"{match.key[:8]}-{name}.png"
        with _picture(path, title, max(_SIZE_INCHES[1], _ROW_INCHES * len(engines))) as axes:
            draw(axes[0])
        paths.append(path)
    return paths


def write_walk(walk: SpsaWalk, match: StoredMatch, folder: Path) -> Path:
    """Write how the parameters of a tuning went, iteration by iteration; return the picture's path."""
    parameters, path = walk.tuning.parameters, folder / f"{match.key[:8]}-tuning.png"
    name = visible(match.config.event, _TITLE_COLUMNS) or f"tuning {match.key[:8]}"
    title = f"{name}, {counted(len(walk.done), 'iteration')}"
    with _picture(path, title, max(_SIZE_INCHES[1], _WALK_INCHES * len(parameters)), len(parameters)) as axes:
        for place, (one, drawn) in enumerate(zip(parameters, axes, strict=True)):
            values = [one.start, *(done.after[place] for done in walk.done)]
            reach = [walk.tuning.reach(one, number) for number in range(len(values))]
            drawn.plot(values, color=f"C{place % 10}")
            low = [one.clipped(value - by) for value, by in zip(values, reach, strict=True)]
            high = [one.clipped(value + by) for value, by in zip(values, reach, strict=True)]
            drawn.fill_between(range(len(values)), low, high, color=f"C{place % 10}", alpha=0.15)
            drawn.axhline(one.start, color="grey", linestyle=":")
            drawn.set_ylim(one.low, one.high)
            drawn.set_ylabel(visible(one.name, NAME_COLUMNS))
            drawn.grid(alpha=0.3)
        axes[-1].set_xlabel("iterations; dotted: the start, band: the values of both engines")
    return path


@contextmanager
def _picture(path: Path, title: str, height_inches: float, rows: int = 1) -> Iterator[Sequence[Any]]:
    """Yield the axes of a picture, which is written afterwards. Raise MissingExtra without matplotlib."""
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError as error:
        raise MissingExtra("the pictures of a report", "matplotlib") from error
    path.parent.mkdir(parents=True, exist_ok=True)
    # Names are not formulas. Letters that the font lacks become boxes, without a warning for each.
    with matplotlib.rc_context({"text.parse_math": False, "text.usetex": False}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=r"Glyph .* missing")
        figure: Any = Figure(figsize=(_SIZE_INCHES[0], height_inches), layout="constrained")
        axes = figure.subplots(rows, 1, sharex=True, squeeze=False)[:, 0]
        axes[0].set_title(title)
        yield axes
        with whole_file(path) as file:
            figure.savefig(file, dpi=120, format="png")


def by_stage(store: MatchStore, match: StoredMatch) -> ByStage:
    """Return the scores and times of all engines by the number of discs on the board."""
    scores, used, planned, left = (_stages() for _ in range(4))
    for game in store.games(match.id):
        start = 64 - Position.parse(game.start).empties
        discs = [start]
        for move in parse_moves(game.moves):
            discs.append(discs[-1] + (move != PASS))
        for move_report in game.played:
            name = match.names[game.result.slots[move_report.color]]
            stage = discs[move_report.ply]
            used[name][stage].add(1000 * move_report.used_s)
            if move_report.planned_s is not None:
                planned[name][stage].add(1000 * move_report.planned_s)
            if move_report.left_s is not None:
                left[name][stage].add(1000 * move_report.left_s)
            if move_report.score is not None:
                scores[name][stage].add(move_report.score)
    return ByStage(scores, used, planned, left)


def _stages() -> dict[str, dict[int, RunningMoments]]:
    return defaultdict(lambda: defaultdict(RunningMoments))


def _draw_ladder(axes: Any, engines: Sequence[EngineLabels], rated: Sequence[Rating]) -> None:
    for row, ((_, color, _), rating) in enumerate(zip(engines, rated, strict=True)):
        text = rating_text(rating)
        if math.isfinite(rating.elo):
            ends = [[rating.elo - rating.low], [rating.high - rating.elo]]
            shown = [[end if math.isfinite(end) else 0.0 for end in side] for side in ends]
            axes.errorbar(rating.elo, row, xerr=shown, fmt="o", capsize=4, color=color)
        elif math.isfinite(rating.place) and rating.place:
            # A bound: an arrow to the side on which the rating is.
            axes.plot(rating.place, row, ">" if math.isfinite(rating.low) else "<", color=color)
        else:
            text = "unknown"
        axes.annotate(text, (rating.place, row), xytext=(0, 7), textcoords="offset points", ha="center", fontsize=8)
    axes.set_yticks(range(len(engines)), [visible(name, NAME_COLUMNS) for name, _, _ in engines])
    axes.set_ylim(len(engines) - 0.4, -0.6)
    axes.set_xlabel("Elo with 95 % intervals")
    axes.grid(axis="x", alpha=0.3)


def _draw_stages(
    axes: Any, engines: Sequence[EngineLabels], stages: Stages, label: str, least: float = -math.inf
) -> dict[str, Any]:
    """Draw a line with a 95 % band for each engine that has values; the band is cut off at `least`.

    Return the lines by engine.
    """
    drawn: dict[str, Any] = {}
    for name, color, style in engines:
        found = sorted(stages.get(name, {}).items())
        if not found:
            continue
        places = [discs for discs, _ in found]
        means = [max(least, moments.mean) for _, moments in found]
        errors = [QUANTILE_95 * moments.standard_error if moments.count > 1 else 0.0 for _, moments in found]
        drawn[name] = axes.plot(places, means, color=color, linestyle=style)[0]
        low = [max(least, mean - error) for mean, error in zip(means, errors, strict=True)]
        high = [mean + error for mean, error in zip(means, errors, strict=True)]
        axes.fill_between(places, low, high, alpha=0.15, color=color)
    if not stages:
        axes.text(0.5, 0.5, "no engine reported any", ha="center", transform=axes.transAxes)
    else:
        _legend(axes, drawn, loc="center left", bbox_to_anchor=(1.0, 0.5))
    axes.set_xlabel("discs on the board before the move")
    axes.set_ylabel(label)
    axes.grid(alpha=0.3)
    return drawn


def _legend(axes: Any, drawn: Mapping[str, Any], **place: Any) -> None:
    """Draw the legend. Its names are set afterwards: matplotlib leaves out labels that begin with an underscore."""
    legend = axes.legend(list(drawn.values()), list(map(str, range(len(drawn)))), frameon=False, **place)
    for text, name in zip(legend.get_texts(), drawn, strict=True):
        text.set_text(visible(name, NAME_COLUMNS))


def _draw_times(axes: Any, engines: Sequence[EngineLabels], times: Stages) -> None:
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


def _draw_clock(axes: Any, engines: Sequence[EngineLabels], found: ByStage) -> None:
    """Draw used times as lines, planned ones as dots, and on a second axis what is left on the clock."""
    drawn = _draw_stages(axes, engines, found.used, "time for a move in ms; dots: planned", 0.0)
    right = axes.twinx()
    for name, color, _ in engines:
        planned, left = sorted(found.planned.get(name, {}).items()), sorted(found.left.get(name, {}).items())
        axes.plot([discs for discs, _ in planned], [moments.mean for _, moments in planned], "o", color=color, ms=3)
        right.plot([discs for discs, _ in left], [moments.mean / 1000 for _, moments in left], ":", color=color)
    axes.set_ylim(bottom=0)
    right.set_ylim(bottom=0)
    right.set_ylabel("left on the clock in s (dotted)")
    # Without this one, the legend would be hidden behind the second axis.
    _legend(axes, drawn, loc="upper right")
