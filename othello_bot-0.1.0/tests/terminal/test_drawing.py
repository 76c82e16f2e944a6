"""The drawn board: every kind of terminal, the last move, what it turned over, the players, widths."""

from __future__ import annotations

import io
import re
from pathlib import Path

import pytest

from othello_bot.base.notation import PASS, Color
from othello_bot.engine.strength import NAMES
from othello_bot.rules import Game, Position
from othello_bot.terminal.picture import (
    CLOCK_COLUMNS,
    Colors,
    Scene,
    Seat,
    TerminalLook,
    clock_text,
    look_of,
    turn_text,
    what_the_last_move_did,
)
from othello_bot.terminal.screen import draw
from tests.terminal.screens import DUMB, MANY_COLORS, NO_COLOR, SIXTEEN_COLORS, TRUE_COLOR, Terminal

GAME = Game.from_transcript("f5d6c3d3c4f4f6f3e6e7")
ESCAPES = re.compile(r"\x1b\[[0-9;]*m")


def scene(game: Game = GAME) -> Scene:
    last_move, turned = what_the_last_move_did(game)
    black, white = Seat("you", "4:53"), Seat("a name that is much longer than there is room for", "0:07.5")
    return Scene(game.position, last_move, turned, black, white, turn_text(game.position), (("level", "10"),))


def test_what_the_last_move_did() -> None:
    assert what_the_last_move_did(Game()) == (None, 0)
    move, turned = what_the_last_move_did(Game.from_transcript("f5"))
    assert (move, turned) == (37, 1 << 36)
    passed = Game(Position.parse("-XXXXXXO" + "O" * 56 + " X"))
    passed.play(PASS)
    assert what_the_last_move_did(passed) == (PASS, 0)


def test_without_colours() -> None:
    assert draw(scene(), TerminalLook()).text == (
        "    a  b  c  d  e  f  g  h     > X  you                             6     4:53\n"
        " 1  .  .  .  .  .  .  .  .       O  a name that is much longer ...  8   0:07.5\n"
        " 2  .  .  +  +  +  +  +  .\n"
        " 3  .  .  X  O  +  O  .  .     black to move\n"
        " 4  .  .  X  X  O  O  +  .     last move: white e7, 2 discs turned\n"
        " 5  .  .  .  X (O) X  .  .     level: 10\n"
        " 6  .  .  +  O (O) X  .  .\n"
        " 7  .  .  .  + [O] +  .  .     X black  O white  + possible move\n"
        " 8  .  .  .  +  .  .  .  .     [ ] last move  ( ) turned by it"
    )


@pytest.mark.parametrize("colors", [Colors.SIXTEEN, Colors.MANY, Colors.TRUE])
@pytest.mark.parametrize("signs", [True, False])
def test_every_drawing_shows_the_same(colors: Colors, signs: bool) -> None:
    text = ESCAPES.sub("", draw(scene(), TerminalLook(colors, signs)).text)
    if signs:
        assert text.count("●") == 14 + 2 and text.count("•") == 11
    else:
        assert text.isascii() and (text.count("X"), text.count("O")) == (6 + 1, 8 + 1)
    for part in ("black to move", "last move: white e7, 2 discs turned", "level: 10", "4:53", "0:07.5", "you"):
        assert part in text


def test_every_step_of_the_engine_is_named_whole_at_80_columns() -> None:
    for name in (f"engine, strength {step}" for step, _ in NAMES):
        both = Scene(Position.start(), black=Seat("you", "10:00"), white=Seat(name, "10:00"))
        assert name in draw(both, TerminalLook(), 80).text


def test_a_finished_game_has_nobody_on_turn() -> None:
    game = Game.from_transcript("f5d6c5f4e3f6g5e6e7")
    text = draw(scene(game), TerminalLook()).text
    assert "the game is over" in text and "> " not in text and "+ " not in text.replace("+ possible", "")


@pytest.mark.parametrize("colors", list(Colors))
@pytest.mark.parametrize("columns", [20, 28, 40, 72, 73, 80, 200])
def test_no_line_is_longer_than_the_terminal(colors: Colors, columns: int) -> None:
    picture = draw(scene(), TerminalLook(colors), columns)
    widths = [len(ESCAPES.sub("", line)) for line in picture.lines]
    assert max(widths) <= max(columns - 1, 28)
    for color, row, column in picture.clocks:
        shown = ESCAPES.sub("", picture.lines[row])[column : column + CLOCK_COLUMNS]
        assert shown.strip() == ("4:53" if color is Color.BLACK else "0:07.5")
    assert len(picture.clocks) == (2 if columns >= 72 else 0)


@pytest.mark.parametrize("columns", [47, 50, 60, 80])
def test_a_narrow_terminal_shortens_names_before_the_numbers_of_discs(columns: int) -> None:
    last_move, turned = what_the_last_move_did(GAME)
    seats = Seat("a name of some length"), Seat("another name")
    for look in (TerminalLook(), TerminalLook(Colors.SIXTEEN)):
        picture = draw(Scene(GAME.position, last_move, turned, *seats), look, columns)
        lines = [ESCAPES.sub("", line).rstrip() for line in picture.lines]
        for name, discs in (("a name", " 6"), ("another", " 8")):
            assert next(line for line in lines if name[:5] in line).endswith(discs)
        assert any("last move: white e7, 2 discs turned" in line for line in lines)


class Stream(io.StringIO):
    """A terminal, or not, with an encoding."""

    encoding = "UTF-8"
    terminal = True

    def isatty(self) -> bool:
        return self.terminal


@pytest.mark.parametrize(
    ("variables", "look"),
    [
        (TRUE_COLOR, TerminalLook(Colors.TRUE, True, True)),
        (MANY_COLORS, TerminalLook(Colors.MANY, True, True)),
        (SIXTEEN_COLORS, TerminalLook(Colors.SIXTEEN, True, True)),
        (NO_COLOR, TerminalLook(Colors.NONE, True, True)),
        (DUMB, TerminalLook(Colors.NONE, True, False)),
        ({}, TerminalLook(Colors.NONE, True, False)),
    ],
)
def test_what_a_terminal_can_show(variables: dict[str, str], look: TerminalLook) -> None:
    assert look_of(Stream(), variables) == look
    assert look_of(Stream(), variables, "never").colors is Colors.NONE
    assert look_of(Stream(), variables, "always").colors is not Colors.NONE


def test_no_terminal_and_no_unicode() -> None:
    stream = Stream()
    stream.terminal = False
    assert look_of(stream, TRUE_COLOR) == TerminalLook(Colors.NONE, True, False)
    stream.terminal, stream.encoding = True, "ANSI_X3.4-1968"
    assert look_of(stream, TRUE_COLOR) == TerminalLook(Colors.TRUE, False, True)


def test_without_rich_the_board_is_drawn_plainly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert look_of(Stream(), TRUE_COLOR).colors is Colors.NONE


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(300, "5:00"), (59.9, "0:59"), (10, "0:10"), (9.99, "0:09.9"), (0.05, "0:00.0"), (0, "0:00"), (-3, "0:00")],
)
def test_what_a_clock_shows(seconds: float, text: str) -> None:
    assert clock_text(seconds) == text


def test_hours_on_a_clock() -> None:
    assert clock_text(3725) == "1:02:05"


@pytest.mark.process
@pytest.mark.parametrize("variables", [TRUE_COLOR, MANY_COLORS, SIXTEEN_COLORS], ids=["true", "256", "16"])
def test_on_a_real_terminal_black_is_black_and_white_is_white(tmp_path: Path, variables: dict[str, str]) -> None:
    """Both stand on the board's own ground, which is the same on light and dark terminals."""
    with Terminal(["--option", "hash=1"], tmp_path, variables) as terminal:
        terminal.wait_for("black to move")
        terminal.prompt("othello> ")
        top = next(row for row, text in enumerate(terminal.rows) if text.startswith("    a  b"))
        white, black = terminal.cell(top + 4, 3 + 3 * 3 + 1), terminal.cell(top + 4, 3 + 4 * 3 + 1)
        assert (white.data, black.data) == ("●", "●")
        assert white.fg in ("brightwhite", "fdfdfb", "ffffff") and black.fg in ("black", "0b0d0c", "000000")
        assert white.bg not in ("default", white.fg) and black.bg not in ("default", black.fg)
        assert not black.bold and not white.bold, "bold black is grey on many terminals"
