"""A game in the terminal for the tests: a session with its transcript, a clock that a test turns, arguments."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import replace

from othello_bot.base.clocks import TimeSettings, TimeSystem
from othello_bot.engine import Options
from othello_bot.play import command as play
from othello_bot.play.players import ENGINE_OPTIONS, Seats, parse_player
from othello_bot.play.session import PlayingSession
from othello_bot.rules.game import Game
from othello_bot.rules.position import Position
from othello_bot.terminal.keyboard import Lines
from othello_bot.terminal.picture import Scene, TerminalLook

SMALL = replace(ENGINE_OPTIONS, hash=1)
"""The options of an engine that starts at once: a large table takes longer to make than to search."""


class OneLine(Lines):
    """Shows a board in one line."""

    def show(self, scene: Scene) -> None:
        self.tell(f"[{scene.position.to_string()}] {scene.black.clock} {scene.white.clock} {scene.facts}")


class Evening:
    """A game with its transcript: lines go in, everything shown is kept."""

    def __init__(
        self,
        *lines: str | Callable[[], str],
        black: str = "human",
        white: str = "human",
        game: Game | None = None,
        clock: tuple[float, float] | None = None,
        now_s: Callable[[], float] = time.monotonic,
        seed: int = 1,
        adviser: str = "marappan:1",
        options: Options = SMALL,
    ) -> None:
        self.lines = iter(lines)
        self.shown: list[str] = []
        self.prompts: list[str] = []
        seed = seed if options.seed is None else options.seed
        with Seats(parse_player(black), parse_player(white), parse_player(adviser), seed, options) as players:
            self.terminal = self.make_terminal()
            control = TimeSettings() if clock is None else TimeSettings(TimeSystem.FISCHER, *clock)
            self.session = PlayingSession(game or Game(), players, control, self.terminal, now_s=now_s)
            play.play(self.session)

    def make_terminal(self) -> Lines:
        return OneLine(self.shown.append, TerminalLook(), self.read_line)

    def read_line(self, prompt: str) -> str:
        self.prompts.append(prompt)
        try:
            line = next(self.lines)
        except StopIteration:
            raise EOFError from None
        return line if isinstance(line, str) else line()

    @property
    def text(self) -> str:
        return "".join(self.shown)

    @property
    def moves(self) -> str:
        return self.session.game.transcript()


ONE_MOVE_LEFT = Position.parse("-" + "O" * 6 + "X" + "O" * 56 + " X")


class Stopwatch:
    """A clock whose time goes by where a test says so."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s

    def then(self, seconds: float, line: str) -> Callable[[], str]:
        """Return a function that types the line after this many seconds."""

        def typed() -> str:
            self.now_s += seconds
            return line

        return typed


def arguments(*words: str) -> argparse.Namespace:
    parser = argparse.ArgumentParser()
    play.add_arguments(parser)
    return parser.parse_args(words)
