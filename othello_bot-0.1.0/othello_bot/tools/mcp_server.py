"""`othello-bot mcp`: a tool server for language models on standard input and output; it needs the extra `mcp`.

Games have ids, several at once. The other tools take a text instead: moves like f5d6c3, or a board of 64 cells with the
side to move, which moves may follow. Positions are drawn as text; an error names what would be accepted.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import functools
import importlib
import inspect
import itertools
import json
import os
import signal
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, TypeVar, cast

from othello_bot.base.errors import INTERRUPTED, InputError
from othello_bot.base.notation import Color, move_name
from othello_bot.base.output import report
from othello_bot.base.posix import has_lost_reader
from othello_bot.base.version import __version__, missing
from othello_bot.engine import DEFAULT_LEVEL, MEAN_RATING, Limits, Options
from othello_bot.explorer import GameBase, answer, question
from othello_bot.protocol.wire import stdin_with_end
from othello_bot.review import DEFAULT_LEVEL as DEFAULT_REVIEW_LEVEL
from othello_bot.review import review_steps
from othello_bot.review.engines import AsyncEngine
from othello_bot.rules import Game

T = TypeVar("T")

Parameters = Mapping[str, inspect.Parameter]

LONGEST_S: Final = 10.0
"""Most seconds that a call may search."""

MOST_RATED: Final = 50
"""Most games that one rating may count."""

MOST_GAMES: Final = 1000
"""Games that are kept; a new one then ends the oldest."""

WATCH_S: Final = 0.5
"""Seconds between two looks whether the client still reads."""

MOST_WAITING: Final = 8
"""Calls that may wait for the engine; the next one is refused."""

INSTRUCTIONS: Final = (
    "Othello (Reversi). Squares are a1 to h8, row 1 is the top row; X is black and moves first, O is white. Scores are"
    " discs from the view of the player to move."
)


class McpGames:
    """The games of one server, and the tools on them; each returns text. Errors are InputErrors, and change nothing.

    All run in one event loop. A call whose task is cancelled ends its search.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic, base: GameBase | None = None) -> None:
        self._clock = clock
        self._base = base
        self._games: dict[str, Game] = {}
        self._numbers = itertools.count(1)
        self._engine = AsyncEngine(Options(hash=16, threads=1))
        self._turn = asyncio.Lock()
        self._waiting = 0

    async def new_game(self, moves: str = "") -> str:
        """Begin a game, from the start or after the moves; return its id and its position."""
        game = Game.from_transcript(moves)
        if len(self._games) >= MOST_GAMES:
            del self._games[next(iter(self._games))]
        name = f"game{next(self._numbers)}"
        self._games[name] = game
        return f"id: {name}\n{described(game)}"

    async def show(self, game: str) -> str:
        """Return the position of a game, by its id or as moves or a board, with the legal moves."""
        return described(self._game(game))

    async def play(self, game: str, move: str) -> str:
        """Play a move, like f5 or pass, in the game with this id; return the position after it and after a forced pass."""
        played = self._known(game)
        played.play(move)
        if played.position.must_pass:
            played.play("pass")
        return described(played)

    async def best_move(self, game: str, strength: str = "champion", seconds: float | None = None) -> str:
        """Return the move that the engine would play, at a strength: beginner, novice, casual, hobbyist, club, strong,
        expert, master, grandmaster or champion. `game` is an id, moves or a board. Without `seconds`, at most 10, the
        champion plays at level 21.
        """
        place = _unfinished(self._game(game))
        allowed_ms = None if seconds is None else max(1, round(1000 * _seconds(seconds)))
        async with self._engine_in_turn() as engine:
            engine.engine.set_option("strength", strength)
            engine.engine.set_option("move_time", allowed_ms)
            choice = await engine.choose(place)
        return f"{move_name(choice.move)} ({choice.source})"

    async def evaluate(self, game: str, seconds: float | None = None) -> str:
        """Return the best moves of a position with their scores in discs and the lines that follow. `game` is an id,
        moves or a board. Without `seconds`, at most 10, the search ends at level 21, or after 10 seconds.
        """
        place = _unfinished(self._game(game))
        limits = Limits(level=DEFAULT_LEVEL, move_time_s=LONGEST_S, multi_pv=5)
        if seconds is not None:
            limits = Limits(move_time_s=_seconds(seconds), multi_pv=5)
        async with self._engine_in_turn() as engine:
            found = await engine.search(place, limits)
        return "\n".join(
            f"{move_name(line.move)} {line.score:+d} {' '.join(map(move_name, line.pv))}" for line in found.lines
        )

    async def review(self, game: str) -> str:
        """Return what each move of a game lost, in discs, and the move that was better. `game` is an id or moves. After 10
        seconds no further move is judged.
        """
        reviewed = self._game(game)
        async with self._engine_in_turn() as engine:
            ends_s = self._clock() + LONGEST_S
            steps = review_steps(reviewed.copy(), DEFAULT_REVIEW_LEVEL, stopped=lambda: self._clock() >= ends_s)
            judged = await engine.carry_out(steps)
        lines = [*map(str, judged)]
        if len(judged) < reviewed.ply:
            lines.append(f"{len(judged)} of {reviewed.ply} moves judged, because the time was up")
        return "\n".join(lines) or "no moves"

    async def rate(self, as_black: list[str] | None = None, as_white: list[str] | None = None) -> str:
        """Return how strong a player is, judged by the moves of at most 50 games: those played as Black and those
        played as White, each an id or moves. The more games, the smaller the error. Ratings are from 500 to 1950. After 10
        seconds no further game is begun.
        """
        given = [(text, Color.BLACK) for text in as_black or ()] + [(text, Color.WHITE) for text in as_white or ()]
        if not 1 <= len(given) <= MOST_RATED:
            raise InputError("games", len(given), f"1 to {MOST_RATED} of them, in as_black and as_white")
        games = [(self._game(text), color) for text, color in given]
        counted = 0

        def in_time() -> Iterator[tuple[Game, Color]]:
            nonlocal counted
            ends_s = self._clock() + LONGEST_S
            for game in games:
                counted += 1
                yield game
                if self._clock() >= ends_s:
                    return

        async with self._engine_in_turn() as engine:
            rating, error = await _in_thread(functools.partial(engine.engine.people_model.rating, in_time()))
        less = (
            ""
            if counted == len(games)
            else f"; only the first {counted} of {len(games)} games, because the time was up"
        )
        return f"{rating:.0f} ± {error:.0f} (the mean of tournament players is {MEAN_RATING}{less})"

    async def played(self, game: str, filters: str = "") -> str:
        """Return what was played in a position in a base of games: for each move its games, the mover's wins, draws and
        losses, and years. `game` is an id, moves or a board. `filters` are words like --years 2010- --player "name"
        --color black --event "name" --result draw; --games lists games instead, --page 2 more of them.
        """
        if self._base is None:
            raise InputError("base of games", "none", "a server that was started with --base FILE")
        asked = question(filters)
        if asked.programs is not None:
            raise InputError("filters", filters, "no --programs, which would read a file")
        place = self._game(game)
        async with self._engine_in_turn() as engine:
            return "\n".join(await asyncio.to_thread(answer, self._base, place, asked, engine.engine))

    @contextlib.asynccontextmanager
    async def lifespan(self) -> AsyncIterator[None]:
        """End the engine after the block."""
        try:
            yield
        finally:
            await self._engine.close()

    @contextlib.asynccontextmanager
    async def _engine_in_turn(self) -> AsyncIterator[AsyncEngine]:
        """Wait for the engine and have it to oneself within the block; raise InputError if too many calls wait."""
        if self._waiting >= MOST_WAITING:
            raise InputError("calls that wait", self._waiting, f"fewer than {MOST_WAITING}; call again later")
        self._waiting += 1
        try:
            await self._turn.acquire()
        finally:
            self._waiting -= 1
        try:
            yield await self._engine.__aenter__()
        finally:
            self._turn.release()

    def _known(self, name: str) -> Game:
        if name not in self._games:
            raise InputError("game", name, "the id of a game that new_game has begun")
        return self._games[name]

    def _game(self, text: str) -> Game:
        """Return a copy of the game with this id, or the game of moves or a board."""
        if text in self._games:
            return self._games[text].copy()
        if text.strip().isdecimal() and len(text) < 64:  # would be read as a game whose moves are still to come
            raise InputError("game", text, "the id of a game that new_game has begun, moves such as f5d6c3, or a board")
        return Game.from_transcript(text)


async def _in_thread(estimate: Callable[[Callable[[], bool]], T]) -> T:
    """Return what a function returns that runs in a thread and polls its argument, whether to go on.

    If this task is cancelled, wait for the function's end, so that the engine is free again.
    """
    cancelled = False
    work = asyncio.ensure_future(asyncio.to_thread(estimate, lambda: not cancelled))
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        cancelled = True
        await asyncio.wait([work])
        raise


def described(game: Game) -> str:
    """Return a position as text: the moves so far, the drawn board, and what the player to move may do."""
    position = game.position
    if position.is_over:
        black, white = position.discs
        state = f"The game is over: black {black}, white {white}; score for black {game.final_score:+d}."
    elif position.must_pass:
        state = "No legal move: pass."
    else:
        state = f"Legal moves: {' '.join(map(move_name, position.legal_moves))}"
    return f"moves: {game.transcript(passes=True) or 'none'}\n{position}\n{state}"


def _unfinished(game: Game) -> Game:
    if game.is_over:
        raise InputError("game", game.transcript(), "one that is not over")
    return game


def _seconds(seconds: float) -> float:
    if not 0 < seconds <= LONGEST_S:
        raise InputError("seconds", seconds, f"a number above 0 and up to {LONGEST_S:g}")
    return seconds


def server(games: McpGames) -> Any:
    """Return the SDK's server with the tools on some games; raise ImportError where the SDK is missing."""
    sdk = importlib.import_module("mcp.server")
    asking = games.best_move, games.evaluate, games.review, games.rate, games.played
    tools: tuple[Callable[..., Awaitable[str]], ...] = (games.new_game, games.show, games.play, *asking)
    parameters = {tool.__name__: inspect.signature(tool).parameters for tool in tools}

    class Server(sdk.MCPServer):  # type: ignore[misc, name-defined, unused-ignore]
        async def call_tool(self, name: str, arguments: dict[str, Any], context: Any = None) -> Any:
            # The SDK drops arguments that a tool does not have.
            with _told_to_model():
                _check_names(name, arguments, parameters)
            try:
                return await super().call_tool(name, arguments, context)
            except Exception as error:
                if (refused := _refused_by_kind(name, error.__cause__)) is not None:
                    raise refused from None
                raise

    made = Server(
        "othello-bot",
        version=__version__,
        instructions=INSTRUCTIONS,
        log_level="WARNING",
        lifespan=lambda _: games.lifespan(),
    )
    for tool in tools:
        made.tool(structured_output=False)(_worded(tool))
    return made


def _check_names(name: str, arguments: Mapping[str, object], parameters: Mapping[str, Parameters]) -> None:
    """Raise InputError for a tool that there is not, and for arguments that it does not have or that are missing."""
    if name not in parameters:
        raise InputError("tool", name, f"one of {', '.join(parameters)}")
    known = parameters[name]
    for given in arguments:
        if given not in known:
            raise InputError(f"argument of {name}", given, f"no others than {', '.join(known)}")
    needed = [one.name for one in known.values() if one.default is inspect.Parameter.empty]
    if not arguments.keys() >= set(needed):
        raise InputError(f"arguments of {name}", ", ".join(arguments) or "none", f"{' and '.join(needed)}, at least")


def _refused_by_kind(name: str, cause: object) -> Exception | None:
    """Return what a client is told of an argument that the SDK refuses for its type; None for another cause."""
    if type(cause).__name__ != "ValidationError":
        return None
    first = cast("Any", cause).errors()[0]
    place = ".".join(map(str, first["loc"]))
    expected = first["msg"].removeprefix("Input should be ")
    error = InputError(f"argument {place} of {name}", json.dumps(first["input"], default=str), expected)
    return _tool_error(error)


def _worded(tool: Callable[..., Awaitable[str]]) -> Callable[..., Awaitable[str]]:
    """Return a tool whose errors by input are told to the model in our words."""

    @functools.wraps(tool)
    async def call(*words: Any, **named: Any) -> str:
        with _told_to_model():
            return await tool(*words, **named)

    return call


@contextlib.contextmanager
def _told_to_model() -> Iterator[None]:
    """Turn InputErrors into the SDK's ToolError, the only one whose text reaches the client."""
    try:
        yield
    except InputError as error:
        raise _tool_error(error) from None


def _tool_error(error: InputError) -> Exception:
    return cast("Exception", importlib.import_module("mcp.server.mcpserver.exceptions").ToolError(str(error)))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("--base", type=Path, metavar="FILE", help="the base of games that the tool `played` asks")


def run(args: argparse.Namespace) -> int:
    """Serve until the client is gone, or until Ctrl-C; then end all searches. Return 0, 130, or 2 without the SDK."""
    base = None
    if args.base is not None:
        try:
            base = GameBase(args.base)
        except InputError as error:
            report(error, "mcp")
            return 2
    games = McpGames(base=base)
    try:
        made = server(games)
    except ImportError:
        report(missing("the tool server", "the SDK of MCP", "mcp"), "mcp")
        return 2
    end = stdin_with_end()
    answers = os.dup(1)
    code = 0

    def interrupt(*_: object) -> None:
        # As if the client had left: the SDK then cancels all calls. It cannot leave a read of the input by itself.
        nonlocal code
        code = INTERRUPTED
        end()

    def watch() -> None:
        # Another process may have inherited the client's end of our input, and keep it open.
        while not has_lost_reader(answers):
            time.sleep(WATCH_S)
        end()

    signal.signal(signal.SIGINT, interrupt)
    threading.Thread(target=watch, name="client watch", daemon=True).start()
    try:
        made.run("stdio")
    except Exception:
        if not has_lost_reader(answers):
            raise
    return code
