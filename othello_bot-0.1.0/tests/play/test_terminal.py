"""A game on a real terminal: the board, clocks that tick, the flag, what the engine thinks, Ctrl-C, saving."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from othello_bot.formats.writing import open_games
from tests.terminal.screens import CTRL_C, DUMB, TAB, TRUE_COLOR, Terminal

pytestmark = pytest.mark.process

ENDLESS = ("--book", "off", "--book-randomness", "0")
"""Without a book and varied openings, an engine of level 60 takes hours for its first move, unless it is stopped."""


def test_a_person_plays(tmp_path: Path) -> None:
    with Terminal(["play", "--white", "weighted"], tmp_path, TRUE_COLOR, lines=60) as terminal:
        terminal.wait_for("you play black against weighted").prompt("black> ")
        terminal.send("f5\r")
        terminal.wait_for("white (weighted) plays").prompt("black> ")
        assert terminal.text.count("a  b  c  d") == 2, "the board is drawn once a turn"
        assert "last move: white" in terminal.text
        terminal.send("un" + TAB)
        terminal.prompt("black> undo ")
        terminal.send("\r")
        terminal.wait_until(lambda screen: screen.text.count("a  b  c  d") == 3 and screen.line == "black> ")


def test_control_c_clears_the_line_and_twice_leaves_after_an_offer_to_save(tmp_path: Path) -> None:
    with Terminal(["play", "--white", "weighted"], tmp_path) as terminal:
        terminal.prompt("black> ")
        terminal.send("f5\r")
        terminal.wait_for("plays").prompt("black> ")
        terminal.send("resign")
        terminal.prompt("black> resign")
        terminal.send(CTRL_C)
        terminal.wait_for("resign^C").prompt("black> ")
        terminal.send(CTRL_C)
        terminal.wait_for("save the game first?")
        terminal.send("mine.sgf\r")
        assert terminal.end() == 0
    record = open_games(tmp_path / "mine.sgf").read(0)
    assert (record.black, record.white, record.game.ply) == ("human", "weighted", 2)


def test_the_engine_tells_what_it_thinks_and_control_c_lets_it_move(tmp_path: Path) -> None:
    with Terminal(["play", "--black", "engine:60", *ENDLESS], tmp_path) as terminal:
        terminal.wait_until(lambda screen: "n/s, " in screen.line, "its thinking")
        terminal.send(CTRL_C)
        terminal.prompt("white> ")
        assert "black (engine:60) plays" in terminal.text and "n/s" not in terminal.text


def test_advice_takes_as_long_as_the_person_wants(tmp_path: Path) -> None:
    with Terminal(["play", "--suggest", "engine:60"], tmp_path) as terminal:
        terminal.prompt("black> ")
        terminal.send("hint\r")
        terminal.wait_until(lambda screen: "n/s, " in screen.line, "its thinking")
        terminal.send(CTRL_C)
        terminal.wait_for("expected").prompt("black> ")


def test_the_clocks_tick_beside_the_board(tmp_path: Path) -> None:
    with Terminal(["play", "--white", "weighted", "--minutes", "5"], tmp_path) as terminal:
        terminal.prompt("black> ")
        shown = re.compile(r"you .* 2     (\d:\d\d)")
        terminal.wait_until(lambda screen: bool(shown.search(screen.text)))
        terminal.send("mov")
        for text in ("4:58", "4:57"):
            terminal.wait_until(lambda screen, text=text: f"2     {text}" in screen.text)  # type: ignore[misc]
        assert terminal.line == "black> mov", "the cursor stays where it was"
        assert re.search(r"weighted +2     5:00", terminal.text)


def test_the_flag_falls_when_it_falls(tmp_path: Path) -> None:
    """Nobody has to press Enter."""
    with Terminal(["play", "--white", "weighted", "--minutes", "0.01"], tmp_path) as terminal:
        terminal.wait_for("black has no time left and forfeits: white wins").prompt("over> ")
        terminal.send("quit\r")
        assert terminal.end() == 0


def test_two_computers_are_ended_by_control_c(tmp_path: Path) -> None:
    with Terminal(["play", "--black", "engine:60", "--white", "engine:60", *ENDLESS], tmp_path) as terminal:
        terminal.wait_for("plays engine, level 60 (white)")
        terminal.send(CTRL_C)
        assert terminal.end() == 130
        assert b"Traceback" not in terminal.raw


def test_watching_can_be_paused(tmp_path: Path) -> None:
    with Terminal(["play", "--white", "engine:60", *ENDLESS], tmp_path) as terminal:
        terminal.prompt("black> ")
        terminal.send("side none\r")
        terminal.wait_until(lambda screen: "n/s, " in screen.line, "its thinking")
        terminal.send(CTRL_C)
        terminal.prompt("paused> ")
        terminal.send("side black\r")
        terminal.wait_until(lambda screen: screen.line == "black> " or "n/s, " in screen.line)


def test_a_dumb_terminal(tmp_path: Path) -> None:
    with Terminal(["play", "--white", "weighted", "--minutes", "5"], tmp_path, DUMB) as terminal:
        terminal.wait_until(lambda screen: re.fullmatch(r"black \d:\d\d> ", screen.line) is not None)
        terminal.send("f5\r")
        terminal.wait_for("white (weighted) plays")
        terminal.wait_until(lambda screen: re.fullmatch(r"black \d:\d\d> ", screen.line) is not None)
        assert b"\x1b" not in terminal.raw
