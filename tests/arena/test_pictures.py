"""What the pictures of a report draw, on axes that note what they are told."""

from __future__ import annotations

import math
from typing import Any

from othello_bot.arena.pictures import _draw_ladder, _draw_times
from othello_bot.arena.statistics import Rating, RunningMoments

ENGINES = [("A", "C0", "-"), ("B", "C1", "-")]


class Axes:
    """Axes that only note which methods are called, each with its arguments."""

    def __init__(self) -> None:
        self.calls: list[tuple[str, tuple[Any, ...], dict[str, Any]]] = []

    def __getattr__(self, name: str) -> Any:
        if name in ("yaxis", "transAxes"):
            return self

        def note(*arguments: Any, **named: Any) -> None:
            self.calls.append((name, arguments, named))

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
    _draw_ladder(axes, ENGINES, [Rating(30.0, 12.0), Rating(-30.0, math.inf)])
    assert axes.of("errorbar") == [(30.0, 0), (-30.0, 1)]
    assert [named["xerr"] for name, _, named in axes.calls if name == "errorbar"] == [12.0, 0.0]
    assert [text for text, _ in axes.of("annotate")] == ["+30 ± 12", "no games"]


def test_bands_of_times_end_at_0() -> None:
    axes = Axes()
    _draw_times(axes, ENGINES, {"A": {10: moments(0.25, 9.75), 12: moments(0.0)}, "B": {10: moments(3.0)}})
    (places, low, high), (_, other, _) = axes.of("fill_between")
    assert places == [10, 12] and low == [0.0, 0.0] and other == [3.0] and high[0] > 9.75
    assert axes.of("plot") == [([10, 12], [5.0, 0.0]), ([10], [3.0])]
    assert not axes.of("set_yscale")


def test_times_that_differ_much_have_a_logarithmic_axis() -> None:
    axes = Axes()
    _draw_times(axes, ENGINES, {"A": {10: moments(2.0)}, "B": {10: moments(201.0)}})
    assert axes.of("set_yscale") == [("log",)]
    assert [named for name, _, named in axes.calls if name == "set_ylim"] == [{"bottom": 1.0}]
