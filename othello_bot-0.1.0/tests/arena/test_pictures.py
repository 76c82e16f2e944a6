"""What the pictures of a report draw, on axes that note what they are told."""

from __future__ import annotations

import math
import random
import warnings
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from othello_bot.arena.match import game_tasks
from othello_bot.arena.pictures import _draw_ladder, _draw_times, write_pictures
from othello_bot.arena.ratings import Rating
from othello_bot.arena.statistics import RunningMoments
from othello_bot.arena.store import MatchStore
from tests.arena.builders import OPENING, match, random_game, report_of

ENGINES = [("A", "C0", "-"), ("B", "C1", "-")]


class Axes:
    """Axes that only note which methods are called, each with its arguments."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = []
        self.names: list[str] = []
        """The names in the legend."""

    def __getattr__(self, name: str) -> Any:
        if name in ("yaxis", "transAxes"):
            return self

        def note(*arguments: Any, **named: Any) -> Any:
            self.calls.append((name, arguments, named))
            if name == "legend":
                texts = [SimpleNamespace(set_text=self.names.append) for _ in arguments[0]]
                return SimpleNamespace(get_texts=lambda: texts)
            return ["a line"]

        return note

    def of(self, name: str) -> list[tuple[Any, ...]]:
        """Return the arguments of all calls of a method."""
        return [arguments for called, arguments, _ in self.calls if called == name]


def moments(*numbers: float) -> RunningMoments:
    found = RunningMoments()
    for number in numbers:
        found.add(number)
    return found


def test_the_ladder_has_every_engine_with_its_rating() -> None:
    axes = Axes()
    _draw_ladder(axes, ENGINES, [Rating(30.0, 18.0, 44.0), Rating(-30.0, -math.inf, math.inf)])
    assert axes.of("errorbar") == [(30.0, 0), (-30.0, 1)]
    assert [named["xerr"] for name, _, named in axes.calls if name == "errorbar"] == [[[12.0], [14.0]], [[0.0], [0.0]]]
    assert [text for text, _ in axes.of("annotate")] == ["+30.0 (+18.0 to +44.0)", "-30.0 (no interval)"]


def test_bands_of_times_end_at_0() -> None:
    axes = Axes()
    _draw_times(axes, ENGINES, {"A": {10: moments(0.25, 9.75), 12: moments(0.0)}, "B": {10: moments(3.0)}})
    (places, low, high), (_, other, _) = axes.of("fill_between")
    assert places == [10, 12] and low == [0.0, 0.0] and other == [3.0] and high[0] > 9.75
    assert axes.of("plot") == [([10, 12], [5.0, 0.0]), ([10], [3.0])]
    assert not axes.of("set_yscale")
    assert axes.names == ["A", "B"]


def test_times_that_differ_much_have_a_logarithmic_axis() -> None:
    axes = Axes()
    _draw_times(axes, ENGINES, {"A": {10: moments(2.0)}, "B": {10: moments(201.0)}})
    assert axes.of("set_yscale") == [("log",)]
    assert [named for name, _, named in axes.calls if name == "set_ylim"] == [{"bottom": 1.0}]


@pytest.mark.slow
@pytest.mark.parametrize(
    "names",
    [
        ("$x_{", r"$\frac{1}{$"),
        (r"\$5 \alpha", "a$b$c"),
        ("_hidden", "__nolegend__"),
        ("[bold]x[/]", "%d {0} {x}"),
        ("\x1b[31mred\nline", "\u202eright to left \u4e2d\u6587 \U0001f600"),
        ("x" * 10_000, "#&~^"),
    ],
)
def test_pictures_draw_every_name_as_it_is(
    names: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    figures = pytest.importorskip("matplotlib.figure")
    drawn: list[str] = []
    save = figures.Figure.savefig

    def saved(figure: Any, *arguments: Any, **named: Any) -> None:
        save(figure, *arguments, **named)
        for axes in figure.axes:
            legend = axes.get_legend()
            drawn.extend(text.get_text() for text in (*axes.get_yticklabels(), *(legend.get_texts() if legend else ())))

    monkeypatch.setattr(figures.Figure, "savefig", saved)
    config = match("random tc=60+1", "random tc=60+1 name=B", rounds=1, event=names[0])
    engines = zip(config.engines, names, strict=True)
    config = replace(config, engines=tuple(replace(engine, name=name) for engine, name in engines))
    with MatchStore(tmp_path / "matches.db") as store, warnings.catch_warnings():
        warnings.simplefilter("error")
        stored = store.open_match(config, "here")
        for task in game_tasks(config):
            store.add(stored.id, report_of(task, OPENING, random_game(random.Random(task.leg), OPENING)))
        pictures = write_pictures(store, stored, tmp_path / "pictures")
    assert [picture.name.split("-")[1] for picture in pictures] == [
        "ladder.png",
        "scores.png",
        "times.png",
        "clock.png",
    ]
    assert [drawn.count(name) for name in stored.shown_names] == [4, 4]
