"""Limits refuse impossible values, and say what would be accepted."""

from __future__ import annotations

from typing import Any

import pytest

from othello_bot.base.clocks import ClockState
from othello_bot.engine.limits import LimitError, Limits, limits_requested


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        ({"level": 61}, "0 to 60"),
        ({"level": -1}, "0 to 60"),
        ({"depth": 0}, "1 to 60"),
        ({"nodes": 0}, "1 or more"),
        ({"move_time_s": -0.1}, "0 or more"),
        ({"move_time_s": float("nan")}, "finite"),
        ({"multi_pv": 0}, "1 to 64"),
        ({"selectivity": 50}, "73, 87, 95, 98, 99, 100"),
        ({"alpha": 3, "beta": 3}, "alpha < beta"),
        ({"alpha": 4, "beta": 3}, "alpha < beta"),
        ({"alpha": -65}, "-64"),
        ({"beta": 65}, "64"),
        ({"level": "5"}, "a whole number from 0 to 60"),
        ({"level": 5.0}, "a whole number from 0 to 60"),
        ({"level": True}, "0 to 60"),
        ({"depth": "5"}, "1 to 60"),
        ({"nodes": "many"}, "a whole number, 1 or more"),
        ({"move_time_s": "1"}, "seconds"),
        ({"alpha": "0"}, "alpha < beta"),
        ({"clock": 60}, "a ClockState"),
        ({"considered": frozenset(["f5"])}, "squares"),
        ({"considered": frozenset([64])}, "squares"),
        ({"considered": frozenset([-1])}, "squares"),
    ],
)
def test_refused(arguments: dict[str, Any], expected: str) -> None:
    with pytest.raises(LimitError, match="expected") as caught:
        Limits(**arguments)
    assert expected in caught.value.expected


@pytest.mark.parametrize(
    "arguments",
    [
        *({"remaining_s": "60"}, {"remaining_s": 1.0, "increment_s": "1"}, {"remaining_s": 1, "moves_to_go": "3"}),
        *({"remaining_s": float("nan")}, {"remaining_s": float("inf")}, {"remaining_s": 1, "increment_s": -1}),
        {"remaining_s": 1, "moves_to_go": 0},
    ],
)
def test_a_senseless_clock_is_refused(arguments: dict[str, Any]) -> None:
    with pytest.raises(LimitError, match="expected"):
        Limits(clock=ClockState(**arguments))


def test_accepted_at_the_edges() -> None:
    Limits(level=0)
    Limits(level=60, depth=60, nodes=1, move_time_s=0.0, multi_pv=64, selectivity=100, alpha=-64, beta=64, wld=True)


@pytest.mark.parametrize(
    ("depth", "alpha", "beta", "precision", "limits"),
    [
        (8, -4, 6, 87, Limits(depth=8, selectivity=87, alpha=-4, beta=6)),
        (8, -4.2, 5.5, 90, Limits(depth=8, selectivity=95, alpha=-5, beta=6)),
        (8, 3, 3, 0, Limits(depth=8, selectivity=73, alpha=3, beta=4)),
        (8, 64, 64, 100, Limits(depth=8, selectivity=100, alpha=63, beta=64)),
        (8, 5, -5, 73, Limits(depth=8, selectivity=73, alpha=5, beta=6)),
        (0, -64, 64, 73, Limits(depth=1, selectivity=73)),
        (None, -64, 64, 100, Limits(depth=20, selectivity=100)),
        (30, -64, 64, 100, Limits(depth=20, selectivity=100)),
    ],
)
def test_what_a_controller_requests_is_rounded_to_what_a_search_can_do(
    depth: int | None, alpha: float, beta: float, precision: int, limits: Limits
) -> None:
    assert limits_requested(20, depth, alpha, beta, precision) == limits
