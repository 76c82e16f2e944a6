"""Games whose squares are numbers are named as such, and a text without a game always has a reason."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from othello_bot.base.notation import PASS
from othello_bot.formats import transcripts
from tests.formats.test_transcripts import told
from tests.rules.strategies import random_game

WAYS: dict[str, Callable[[int, int], str]] = {
    "numbers from 0 to 63": lambda file, rank: str(8 * rank + file),
    "numbers from 1 to 64": lambda file, rank: str(8 * rank + file + 1),
    "numbers from 11 to 88": lambda file, rank: f"{rank + 1}{file + 1}",
    "numbers from 0 to 77": lambda file, rank: f"{file}{rank}",
    "pairs of numbers": lambda file, rank: f"{file + 1}-{rank + 1}",
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("separator", [" ", ", ", "\n", ";"])
def test_games_as_numbers(way: str, separator: str) -> None:
    squares = [move for move in random_game(3).moves if move != PASS]
    text = separator.join(WAYS[way](square & 7, square >> 3) for square in squares)
    (reason,) = told(text)
    assert reason.startswith("1: squares '") and way in reason and "f5d6c3" in reason
    if separator != "\n":
        among = told(f"f5d6c3\n\n{text}\nf5f6e6f4\n")
        assert [among[0], among[2]] == ["f5d6c3", "f5f6e6f4"] and way in among[1]


def test_pairs_in_brackets_and_a_label() -> None:
    assert "pairs of numbers" in told("(5, 4), (3, 5), (2, 2)  , (3, 2)")[0]
    assert "numbers from 0 to 63" in told("moves: 37 43 18 19")[0]


@pytest.mark.parametrize("text", ["34 30", "f5d6c3\n34 30\n", "1 2 3 4\nf5 d6 c3\n", "f5 d6 c3\n12 34 56 78\n"])
def test_other_numbers_hide_no_game(text: str) -> None:
    assert [one for one in told(text) if one == "f5d6c3"] == ["f5d6c3"] * ("f5" in text)


@pytest.mark.parametrize("text", ["34 30", "12", "[37, 43, 18]", "1 2 3 4 5", "!!!", "(hello)", "{37, 43}", "5-6"])
def test_a_text_without_a_game_has_a_reason(text: str) -> None:
    (found,) = transcripts.found_games(text)
    assert found.error is not None and "f5d6c3" in str(found.error)
