"""The texts of GoGui's commands."""

from __future__ import annotations

import pytest

from othello_bot.protocol.gogui import number_board, parameter


@pytest.mark.parametrize(
    ("value", "choices", "line"),
    [
        (True, (), "[bool] Name 1"),
        (False, (), "[bool] Name 0"),
        (5, (), "[string] Name 5"),
        ("b", ("a", "b"), "[list/a/b] Name b"),
    ],
)
def test_a_parameter_says_how_it_is_set(value: bool | int | str, choices: tuple[str, ...], line: str) -> None:
    assert parameter("Name", value, choices) == line


def test_a_board_of_numbers_has_eight_rows_the_eighth_first() -> None:
    rows = number_board(list(range(64))).split("\n")
    assert len(rows) == 8 and rows[0].split()[0].startswith("56") and rows[-1].split()[0].startswith("0")
