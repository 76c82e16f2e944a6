"""What a user notices of a session: how good its short searches are, how long a level takes, its memory."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, field

import psutil

from othello_bot.arena.config import PlayLimits
from othello_bot.base.boards import parse_board
from othello_bot.base.errors import InputError
from othello_bot.engine import DEFAULT_LEVEL
from othello_bot.formats import obf
from othello_bot.protocol.client import Client
from othello_bot.protocol.detect import Dialect
from othello_bot.protocol.errors import EngineError

from .measures import midgames
from .yardstick import PerformanceError

MOVE_TIMES_S = (0.05, 0.1)
"""Times a move of the searches for the best moves of the hard positions."""

MIDGAME_EMPTIES = range(32, 51)
"""Of the positions along one game, those in which the wait for a level is measured."""

SMALL_TABLE = ("--hash", "16", "--threads", "1")
SEARCH_ALONE = (*SMALL_TABLE, "--book", "off", "--move-overhead", "0")


@dataclass
class Playing:
    """The figures of one program; each list has one entry a run."""

    name: str
    command: tuple[str, ...]
    best: dict[float, list[float]] = field(default_factory=lambda: {move_s: [] for move_s in MOVE_TIMES_S})
    """Shares of the hard positions in which it plays a best move, by the time a move in seconds."""
    wait_s: list[float] = field(default_factory=list)
    """Mean seconds of a move of the default level."""
    session_mib: list[float] = field(default_factory=list)
    """MiB after three moves with a table of 16 MiB and one thread."""
    default_mib: list[float] = field(default_factory=list)
    """The same with the default options."""

    def measure(self, hard: Sequence[obf.Problem]) -> None:
        """Measure each figure once more; raise PerformanceError if the program fails."""
        try:
            self._measure(hard)
        except EngineError as error:
            raise PerformanceError(f"{self.name}: {error}") from None

    def _measure(self, hard: Sequence[obf.Problem]) -> None:
        for move_s, shares in self.best.items():
            shares.append(_best_share(self.command, hard, move_s))
        self.wait_s.append(_wait_s(self.command))
        self.session_mib.append(_mib(self.command, *SMALL_TABLE))
        self.default_mib.append(_mib(self.command))


def command_line(text: str) -> tuple[str, ...]:
    """Return the words of a command in the shell's syntax; raise InputError for another text."""
    words: tuple[str, ...] = ()
    with suppress(ValueError):  # a quotation mark without its twin
        words = tuple(shlex.split(text))
    if not words:
        raise InputError("program", text, "a command")
    return words


def program(text: str) -> Playing:
    """Return the program of ``NAME=COMMAND``; raise InputError for another text."""
    name, _, command = text.partition("=")
    if name:
        with suppress(InputError):
            return Playing(name, command_line(command))
    raise InputError("program", text, "NAME=COMMAND")


def this_program() -> Playing:
    """Return the program of this checkout."""
    return Playing("this program", (sys.executable, "-m", "othello_bot"))


def _session(command: Sequence[str], *options: str) -> Client:
    return Client((*command, *options, "gtp"), Dialect.GTP)


def _best_share(command: Sequence[str], hard: Sequence[obf.Problem], move_s: float) -> float:
    """Return the share of the problems in which a program plays a best move within `move_s` seconds, one thread."""
    fixed = PlayLimits(move_time_s=move_s).settings
    right = 0
    with _session(command, *SEARCH_ALONE) as client:
        for problem in hard:
            client.new_game(parse_board(problem.position.to_string()), fixed)
            right += client.best_move().move in problem.best_moves
    return right / len(hard)


def _wait_s(command: Sequence[str]) -> float:
    """Return the mean seconds of a move of the default level in the midgame, one thread, each with an empty table."""
    positions = [position for position in midgames() if position.empties in MIDGAME_EMPTIES]
    seconds = 0.0
    with _session(command, *SEARCH_ALONE, "--level", str(DEFAULT_LEVEL)) as client:
        for position in positions:
            client.new_game(parse_board(position.to_string()))
            waited_s = client.waited_s
            client.best_move()
            seconds += client.waited_s - waited_s
    return seconds / len(positions)


def _mib(command: Sequence[str], *options: str) -> float:
    """Return the resident memory of a session after three moves, in MiB."""
    with _session(command, *options) as client:
        for _ in range(3):
            client.best_move()
        assert client.process.pid is not None
        return psutil.Process(client.process.pid).memory_info().rss / 2**20
