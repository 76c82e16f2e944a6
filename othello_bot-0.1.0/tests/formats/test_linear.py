"""Broken games in a row: no reader looks at the rest of the text again for each of them."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import pytest

from othello_bot.formats import ggf, pgn, sgf
from othello_bot.formats.found import Lines, TextFormat
from othello_bot.formats.reading import games_of_content
from othello_bot.formats.record import LONGEST_TEXT, joined
from tests.formats.samples import first_game


class CountingPattern:
    """A pattern that counts the characters which its searches may have looked at."""

    def __init__(self, pattern: re.Pattern[str]) -> None:
        self.seen: int = 0
        self._pattern = pattern

    def search(self, text: str, place: int) -> re.Match[str] | None:
        found = self._pattern.search(text, place)
        self.seen += (len(text) if found is None else found.end()) - place
        return found


def steps(form: TextFormat, text: str) -> int:
    """Return how many characters are looked at for the beginnings of games."""
    counting = CountingPattern(form.restart)
    pattern: Any = counting
    list(replace(form, restart=pattern).games(text))
    return counting.seen + sum(1 for _ in form.games(text))


@pytest.mark.parametrize("form", [ggf.FORMAT, sgf.FORMAT, pgn.FORMAT], ids=lambda form: form.name)
@pytest.mark.parametrize("part", ["(;)", "(", "(;GM[Othello]B[a1];)", "(;GM[2]B[f5", "x ", "[a", '[Event "x"]\n'])
def test_twice_the_text_is_twice_the_work(form: TextFormat, part: str) -> None:
    small, large = (steps(form, "(;GM[x" + part * count) for count in (300, 600))
    assert large <= 2.5 * small + 100


def test_lines_are_counted_from_the_last_place() -> None:
    lines = Lines("a\nb\nc\nd")
    assert [lines.line_of(place) for place in (6, 0, 3, 2, 7)] == [4, 1, 2, 2, 4]


def test_comments_have_a_limit() -> None:
    comment = ""
    for _ in range(100):
        comment = joined(comment, "word " * 1000)
    assert len(comment) == LONGEST_TEXT + 1
    assert comment.endswith("\u2026")
    assert joined(comment, "more") is comment


@pytest.mark.parametrize("space", [" " * 70_000, "\n" * 70_000, "\t \r\n" * 20_000])
def test_space_has_no_meaning(space: str) -> None:
    assert first_game(ggf, f"(;{space}GM{space}[Othello]{space}B[f5]{space};{space})").game.ply == 1
    assert first_game(sgf, f"({space};GM{space}[2]{space};B[f5]{space})").game.ply == 1
    record = first_game(pgn, f'{space}[{space}Black{space}"a"{space}]\n1.{space}f5{{{space}3s{space}}}{space}*')
    assert (record.game.ply, record.notes[0].seconds) == (1, 3.0)


@pytest.mark.parametrize("space", [" ", "\u2028", "\t"])
@pytest.mark.parametrize(("behind", "plies"), [("X f5d6\n", 2), ("X\n", 0), ("", 0)])
def test_space_behind_a_board_is_looked_at_once(space: str, behind: str, plies: int) -> None:
    """Where two parts of an expression take the same space, this takes minutes."""
    board = "-" * 27 + "OX------XO" + "-" * 27
    (found,) = games_of_content(f"{board}{space * 70_000}{behind}".encode())
    assert found.checked().game.ply == plies
