"""The players of a match: programs that run as processes, and our own engine in this one.

An engine process is any program that speaks GTP, NBoard or our own session. Anything a player does wrong becomes a
`Failure`, which loses the game. What would make the whole match meaningless, such as a program that does not exist,
becomes an ArenaError.
"""

from __future__ import annotations

import math
import random
import sys
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Final

from othello_bot import strategies
from othello_bot.arena.adjudication import Ending, Failure, engine_failure, exception_failure
from othello_bot.arena.config import A_DAY, INNER, EngineConfig, PlayerDialect, PlayerKind
from othello_bot.arena.conversations import CONVERSATIONS
from othello_bot.arena.errors import ArenaError
from othello_bot.base import posix
from othello_bot.base.boards import parse_board
from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.base.notation import PASS, START
from othello_bot.base.version import __version__
from othello_bot.base.visible import visible
from othello_bot.engine import Engine, Limits, Options, Player, SearchResult, Steps
from othello_bot.protocol.client import Client
from othello_bot.protocol.conversation import Conversation, Deadlines, Faults
from othello_bot.protocol.conversation_gtp import GtpConversation
from othello_bot.protocol.conversation_json import BotzoneConversation, JsonConversation
from othello_bot.protocol.errors import EngineError, EngineNotStarted, EngineRefused, EngineUnsupported
from othello_bot.protocol.process import EngineProcess, OnLine
from othello_bot.rules import Game, Position, position_of

GRACE_S: Final = 1.0
"""Seconds to wait after an engine's time is up: a late answer loses on time, no answer counts as a stall."""

LOOK_S: Final = 1.0
"""Seconds between two looks at the memory of an engine."""

_OWN_FOLDER: Final = str(Path(__file__).resolve().parents[2])

OWN_COMMAND: Final = (
    sys.executable,
    "-c",
    f"import sys; sys.path[:] = [{_OWN_FOLDER!r}, *filter(None, sys.path)];"
    "from othello_bot.__main__ import main; sys.exit(main())",
)
"""This engine as a process; works from any folder, installed or not, and takes no module from the folder."""


class ArenaPlayer(Player, ABC):
    """A player that plays one game after the other: its start, what it is told, and what it does wrong.

    Every method may raise Failure. Of the limits, only the clocks count: its settings have the others.
    """

    def __init__(self, config: EngineConfig) -> None:
        self.config = config
        self.identity = config.name
        """Name and version as the engine reports them."""
        self.on_line: OnLine | None = None
        """Receives every line sent and received."""
        self.waited_s = 0.0
        """Seconds for which the arena has waited for it outside `choose` and `latency_s`, from the first opening on."""
        self._illegal: tuple[int, ...] = ()

    @property
    def last_words(self) -> tuple[str, ...]:
        """The last lines exchanged with the player and the last of its stderr, for the record of a failure."""
        return ()

    @abstractmethod
    def start(self) -> None:
        """Make it ready; nothing is left behind after a Failure."""

    @abstractmethod
    def new_game(self, game: Game, seed: str) -> None:
        """Begin a game with its opening; `seed` is for its random choices."""

    def take_back(self, game: Game, illegal: tuple[int, ...]) -> None:
        """Go back to the game in which it chose `illegal` moves, to choose again."""
        self._illegal = illegal

    def latency_s(self) -> float | None:
        """Return the seconds that a question without a search takes; None for a player that is not asked anything."""
        return None


def drawn(seed: str) -> int:
    """Return the number that a player draws from the seed of a game."""
    return random.Random(seed).getrandbits(32)


class InnerPlayer(ArenaPlayer):
    """Our own engine inside the worker. It forgets everything between games, so that games are independent."""

    _engine: Engine | None = None

    def start(self) -> None:
        """Make the engine with its options. Raise ArenaError if it cannot be made."""
        config = self.config
        try:
            strategy = config.strategy
            self._engine = Engine(Options(strategy=strategy, hash=1) if strategy else config.engine_options())
        except (OSError, ValueError, MemoryError) as error:
            reason = str(error) or "not enough memory"
            raise ArenaError(f"engine {config.name}: cannot be made: {reason}") from error
        if not strategy:
            self.identity = f"othello-bot {__version__}"

    def new_game(self, game: Game, seed: str) -> None:
        """Forget the last game, and restart the random choices from the game's seed, or from the seed that was set."""
        assert self._engine is not None
        self._engine.clear()
        self._engine.prepare()
        self._engine.set_option("seed", dict(self.config.options).get("seed") or drawn(seed))

    def choose(
        self, place: Position | Game, limits: Limits, on_report: Callable[[SearchResult], None] | None = None
    ) -> Steps[EvaluatedMove]:
        """Return steps that end in the engine's choice, under its clock; `time_s` is all that they took."""
        engine = self._engine
        assert engine is not None
        began = time.perf_counter()
        try:
            chosen = yield from engine.player.choose(place, engine.default_limits(limits.clock), on_report)
        except strategies.IllegalStrategyMove as error:
            raise Failure(Ending.ILLEGAL, str(error)) from error
        except Exception as error:  # whatever a player raises loses its game, with the reason kept
            raise exception_failure(error) from error
        used_s = time.perf_counter() - began
        if chosen.result is None:
            return replace(chosen, words=chosen.source, time_s=used_s)
        planned_s = engine.budget.optimum_s
        return replace(chosen, time_s=used_s, planned_s=planned_s if math.isfinite(planned_s) else None)

    def close(self) -> None:
        """End the engine's thread."""
        if self._engine is not None:
            self._engine.close()
            self._engine = None


class ProcessPlayer(ArenaPlayer):
    """An engine as a child process."""

    _client: Client | None = None

    def __init__(self, config: EngineConfig) -> None:
        super().__init__(config)
        self._untold: list[int] = []
        """Moves to be sent with its next turn."""
        self._watch: MemoryWatch | None = None

    def start(self) -> None:
        """Start the process, send its init lines, set its options and limits."""
        client = self._launched()
        info = client.info
        self.identity = f"{info.name or self.config.name} {info.version}".strip()
        try:
            with self._judged(starting=True):
                for line in self.config.init:
                    client.raw(line)
            self._set_options(client)
        except BaseException:
            self.close()
            raise

    def _launched(self, former: Conversation | None = None) -> Client:
        """Start a process, which goes on with the conversation of a former one if there is one."""
        config = self.config

        def talk(faults: Faults, deadlines: Deadlines | None) -> Conversation:
            if former is not None:
                former.faults = faults
                return former
            made = CONVERSATIONS[config.dialect](faults, deadlines)
            if isinstance(made, GtpConversation) and config.dialect is PlayerDialect.GTP:
                made.passes = config.passes
            return made

        client = self._client = Client(
            _own_command(config) if config.kind is PlayerKind.SELF else config.command,
            deadlines=Deadlines(start_s=config.start_s, move_s=config.timeout_s),
            cwd=config.folder or None,
            name=config.name,
            on_line=self._hear,
            talk=talk,
        )
        with self._judged(starting=True):
            try:
                client.start()
            except EngineNotStarted as error:
                raise ArenaError(str(error)) from error
            if config.memory_mib is not None:
                self._watch = MemoryWatch(client.process, config.memory_mib)
        return client

    def _hear(self, mark: str, line: str) -> None:
        if self.on_line is not None:
            self.on_line(mark, line)

    def _set_options(self, client: Client) -> None:
        """Set options and limits. Raise ArenaError if the engine refuses one: its games would mean nothing."""
        with self._judged(starting=True):
            for name, value in () if _set_at_start(self.config) else self.config.settings:
                try:
                    client.set_option(name, value)
                except (EngineRefused, EngineUnsupported) as error:
                    raise ArenaError(f"option {name}={value}: {error}") from error

    def new_game(self, game: Game, seed: str) -> None:
        """Set up the opening and the time control."""
        client = self._started
        self._untold.clear()
        self._illegal = ()
        board = parse_board(game.start.to_string())
        with self._judged():
            try:
                if self.config.kind is PlayerKind.SELF and not _set_at_start(self.config):
                    client.set_option("seed", dict(self.config.options).get("seed") or str(drawn(seed)))
                with nullcontext() if board == START else self._waiting():
                    client.new_game(board, self.config.limits.settings if self._tells_clocks else None)
                with self._waiting():
                    client.set_position(board, game.moves)
            except EngineUnsupported as error:
                raise ArenaError(f"{error}; openings from the usual start would do") from error

    def played(self, move: int) -> None:
        """Send the move with the next turn; a pass at once, so that the engine may think while its opponent does."""
        self._untold.append(move)
        if move == PASS:
            with self._judged(), self._waiting():
                while self._untold:
                    self._started.play(self._untold.pop(0))

    def choose(
        self, place: Position | Game, limits: Limits, on_report: Callable[[SearchResult], None] | None = None
    ) -> Steps[EvaluatedMove]:
        """Return steps that request a move, and wait as long as the engine's clock, its margin and a grace period allow.

        They yield no search. `time_s` of the move is the time for which the engine was waited for.
        """
        yield from ()
        position, clock, theirs = position_of(place), limits.clock, limits.opponent_clock or A_DAY
        within_s = None if clock is None else clock.move_s + self.config.margin_s + GRACE_S
        states = None
        if clock is not None and self._tells_clocks:
            states = (theirs, clock) if position.color else (clock, theirs)
        with self._judged():
            talk = self._started.conversation
            if isinstance(talk, BotzoneConversation):
                for move in self._untold:
                    self._started.play(move)
                self._untold.clear()
                if talk.spent:
                    self.close()
                    talk.renewed()
                    self._launched(talk)
            if isinstance(talk, JsonConversation):
                talk.board, talk.legal = parse_board(position.to_string()), position.legal_moves
                talk.illegal = self._illegal
            client = self._started
            waited_s = client.waited_s
            best = client.turn(self._untold, states, within_s)
        self._untold.clear()
        self._illegal = ()
        return replace(best, time_s=client.waited_s - waited_s)

    def take_back(self, game: Game, illegal: tuple[int, ...]) -> None:
        """Set the game up again without the illegal moves, which a program that speaks JSON is told."""
        super().take_back(game, illegal)
        with self._judged(), self._waiting():
            self._started.set_position(parse_board(game.start.to_string()), game.moves)

    def latency_s(self) -> float | None:
        """Return the seconds that a ping takes; None if the protocol has no ping."""
        if not self._started.conversation.has_ping:
            return None
        with self._judged():
            return self._started.ping()

    @property
    def last_words(self) -> tuple[str, ...]:
        """The last lines sent and received, and the last of its stderr."""
        return () if self._client is None else tuple(map(visible, self._client.last_words))

    def close(self) -> None:
        """End the process for certain."""
        if self._watch is not None:
            self._watch.end()
            self._watch = None
        if self._client is not None:
            self._client.close()
            self._client = None

    @property
    def _tells_clocks(self) -> bool:
        """Whether the protocol's clock commands are used; our own session has an option for the time per move."""
        limits = self.config.limits
        return limits.control is not None or (
            limits.move_time_s is not None and self.config.dialect is not PlayerDialect.NATIVE
        )

    @property
    def _started(self) -> Client:
        assert self._client is not None
        return self._client

    @contextmanager
    def _waiting(self) -> Iterator[None]:
        """Count the time for which the engine is waited for."""
        client = self._started
        before_s = client.waited_s
        yield
        self.waited_s += client.waited_s - before_s

    @contextmanager
    def _judged(self, starting: bool = False) -> Iterator[None]:
        """Turn an error of the engine into a Failure."""
        try:
            yield
        except EngineUnsupported as error:
            raise ArenaError(str(error)) from error
        except EngineError as error:
            if self._watch is not None and self._watch.excess:
                raise Failure(Ending.MEMORY, self._watch.excess, self.last_words) from error
            raise engine_failure(error, starting, self.last_words) from error


class MemoryWatch(threading.Thread):
    """Looks at the memory of a process and of what it has started, each second, and kills what exceeds its limit.

    A limit of address space would be simpler, but some run-time systems (Java) reserve much more than they use.
    Raise ArenaError where the system does not show it, or a thread cannot be started.
    """

    def __init__(self, process: EngineProcess, most_mib: int) -> None:
        super().__init__(name="memory watch", daemon=True)
        self.excess = ""
        """What was found, once the limit was exceeded."""
        self._process = process
        self._most_mib = most_mib
        self._over = threading.Event()
        if process.running and not posix.resident_mib(process.family):
            raise ArenaError("memory=: this system does not show how much memory a process uses")
        try:
            self.start()
        except RuntimeError as error:
            raise ArenaError(f"cannot start a thread: {error}") from error

    def run(self) -> None:
        """Look until the process has ended, or `end` is called."""
        while not self._over.wait(LOOK_S) and self._process.running:
            used_mib = posix.resident_mib(self._process.family)
            if used_mib > self._most_mib:
                self.excess = f"used {used_mib:.0f} MiB of {self._most_mib} MiB"
                self._process.signal_group(certain=True)
                return

    def end(self) -> None:
        """Stop looking."""
        self._over.set()


def _set_at_start(config: EngineConfig) -> bool:
    """Return whether the settings go on the command line, because NBoard has no command for our options."""
    return config.kind is PlayerKind.SELF and config.dialect is PlayerDialect.NBOARD


def _own_command(config: EngineConfig) -> tuple[str, ...]:
    """Return the command line of our own engine for its dialect."""
    # One seed for all games, because it cannot be set for each; the match is reproducible in the order of its games.
    settings = [("seed", "0"), *config.settings] if _set_at_start(config) else []
    words = [word for name, value in settings for word in ("--option", f"{name}={value}")]
    return (*OWN_COMMAND, "--protocol", config.dialect, *words)


def make_player(config: EngineConfig) -> ArenaPlayer:
    """Return the player of a configuration, not yet started."""
    return (InnerPlayer if config.kind in INNER else ProcessPlayer)(config)
