"""A process as a player, through `protocol`'s client: any engine that speaks GTP, NBoard or our own session."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import othello_bot
from othello_bot.arena.config import EngineConfig, PlayerKind
from othello_bot.arena.errors import ArenaError
from othello_bot.arena.players import Choice, Failure, Player
from othello_bot.arena.reports import Ending
from othello_bot.arena.time_control import PlayLimits, Timer
from othello_bot.position import Position
from protocol.client import Client
from protocol.clocks import GameClock
from protocol.conversation import BestMove, Deadlines, Script, Send
from protocol.conversation_gtp import GtpConversation
from protocol.conversation_nboard import NBoardConversation
from protocol.detect import Dialect
from protocol.errors import (
    EngineCrashed,
    EngineEnded,
    EngineError,
    EngineGarbage,
    EngineNotStarted,
    EngineRefused,
    EngineStalled,
    EngineUnsupported,
)
from protocol.notation import NotationError, parse_board, parse_decimal, parse_integer

GRACE_S: Final = 1.0
"""How long an engine is waited for when its time is up: who answers then has lost on time, who does not has stalled."""

_OWN_FOLDER: Final = str(Path(othello_bot.__file__).resolve().parent.parent)

OWN_COMMAND: Final = (
    sys.executable,
    "-c",
    f"import sys; sys.path.insert(0, {_OWN_FOLDER!r}); from othello_bot.cli import main; sys.exit(main([]))",
)
"""This engine as a process, wherever the arena itself was started and whether it is installed or not."""

_ENDINGS: Final[tuple[tuple[type[EngineError], Ending], ...]] = (
    (EngineCrashed, Ending.CRASH),
    (EngineEnded, Ending.EXIT),
    (EngineStalled, Ending.STALL),
    (EngineGarbage, Ending.GARBAGE),
    (EngineRefused, Ending.REFUSAL),
)


class _Gtp(GtpConversation):
    """GTP with lines of the user's own."""

    def raw(self, line: str) -> Script[None]:
        """Send a line that is the user's business, and raise EngineRefused where the engine refuses it."""
        yield from self._demand(line)


class _Native(_Gtp):
    """Our own session: GTP, and after each move the question how it was found."""

    _last = ""

    def best_move(
        self,
        clocks: tuple[GameClock, GameClock] | None = None,
        within_s: float | None = None,
        thoughts: bool = False,
    ) -> Script[BestMove]:
        """Send `genmove`, then for `thoughts` `stats`, which is about an earlier move where the book chose this one."""
        known = "stats" in self.info.commands
        best = yield from super().best_move(clocks, within_s, thoughts and not known)
        if best.move is None or not thoughts or not known:
            return best
        reply = yield from self._ask("stats")
        if not reply.ok or reply.text == self._last:
            return best
        self._last = reply.text
        facts = dict(re.findall(r"^(depth|score|nodes) (\S+)", reply.text, re.MULTILINE))
        try:
            score = parse_decimal(facts["score"]) if "score" in facts else None
            nodes = parse_integer(facts["nodes"]) if "nodes" in facts else None
        except NotationError as error:
            raise self.garbage("answered stats with no number", error.offending) from None
        return BestMove(best.move, best.time_s, score, facts.get("depth", ""), nodes)


class _NBoard(NBoardConversation):
    """NBoard with lines of the user's own."""

    def raw(self, line: str) -> Script[None]:
        """Send a line; a ping shows that it was digested."""
        yield Send(line)
        yield from self.ping()


_CONVERSATIONS: Final[dict[str, type[_Gtp | _NBoard]]] = {"native": _Native, "gtp": _Gtp, "nboard": _NBoard}


class _Driver(Client):
    """A client whose conversation can also say what the user wants said."""

    def __init__(self, config: EngineConfig) -> None:
        deadlines = Deadlines(start_s=config.start_s, move_s=config.timeout_s)
        command = OWN_COMMAND if config.kind is PlayerKind.SELF else config.command
        super().__init__(command, Dialect.GTP, deadlines=deadlines, cwd=config.folder or None, name=config.name)
        self._talk = _CONVERSATIONS[config.dialect](self.process.fault, deadlines)
        self.conversation = self._talk

    def raw(self, line: str) -> None:
        """Send a line as it is."""
        self._run(self._talk.raw(line))


class ProcessPlayer(Player):
    """An engine as a child process."""

    _driver: _Driver | None = None

    def start(self) -> None:
        """Start the process, send its init lines, set its options and limits."""
        driver = _Driver(self.config)
        with self._judged(starting=True):
            try:
                info = driver.start()
            except EngineNotStarted as error:
                raise ArenaError(str(error)) from error
        self._driver = driver
        self.identity = f"{info.name or self.config.name} {info.version}".strip()
        try:
            with self._judged(starting=True):
                for line in self.config.init:
                    driver.raw(line)
            self._set_options(driver)
        except BaseException:
            self.close()
            raise

    def _set_options(self, driver: _Driver) -> None:
        """Set options and limits; what an engine refuses here makes the match senseless."""
        limits = self.config.limits
        settings = [*self.config.options, *_limit_options(limits, self.config.dialect)]
        with self._judged(starting=True):
            for name, value in settings:
                try:
                    driver.set_option(name, value)
                except (EngineRefused, EngineUnsupported) as error:
                    raise ArenaError(f"option {name}={value}: {error}") from error

    def new_game(self, start: Position, moves: tuple[int, ...], seed: str) -> None:
        """Set up the opening and the time control."""
        driver = self._started
        board = parse_board(start.to_string())
        with self._judged():
            try:
                driver.new_game(board, self.config.limits.settings if self._tells_clocks else None)
                driver.set_position(board, moves)
            except EngineUnsupported as error:
                raise ArenaError(f"{error}; openings from the usual start would do") from error

    def played(self, move: int) -> None:
        """Tell the engine."""
        with self._judged():
            self._started.play(move)

    def choose(self, position: Position, clocks: tuple[Timer, Timer]) -> Choice:
        """Ask the engine, and wait as long as its clock and a grace allow."""
        timer = clocks[position.color]
        within_s = timer.allowed_s + self.config.margin_s + GRACE_S if timer.runs else None
        told = (clocks[0].told, clocks[1].told) if timer.runs and self._tells_clocks else None
        with self._judged():
            best = self._started.best_move(told, within_s, thoughts=True)
        return Choice(best.move, best.time_s, best.score, best.depth, best.nodes)

    def close(self) -> None:
        """End the process for certain."""
        if self._driver is not None:
            self._driver.close()
            self._driver = None

    @property
    def _tells_clocks(self) -> bool:
        """Whether time is announced by the protocol's clocks: our own session has an option for the time of a move."""
        limits = self.config.limits
        return limits.control is not None or (limits.move_time_s is not None and self.config.dialect != "native")

    @property
    def _started(self) -> _Driver:
        assert self._driver is not None
        return self._driver

    @contextmanager
    def _judged(self, starting: bool = False) -> Iterator[None]:
        """Turn what the engine did wrong into a Failure."""
        try:
            yield
        except EngineUnsupported as error:
            raise ArenaError(str(error)) from error
        except EngineError as error:
            ending = next(ending for kind, ending in _ENDINGS if isinstance(error, kind))
            late = isinstance(error, EngineStalled) and error.phase == "start"
            raise Failure(Ending.NO_START if starting or late else ending, str(error)) from error


def _limit_options(limits: PlayLimits, dialect: str) -> list[tuple[str, str]]:
    """Return the limits that are options of the engine rather than clocks of the game."""
    named = [("depth", limits.depth), ("nodes", limits.nodes), ("level", limits.level)]
    options = [(name, str(value)) for name, value in named if value is not None]
    if limits.move_time_s is not None and dialect == "native":
        options.append(("move_time", str(max(1, round(1000 * limits.move_time_s)))))
    return options
