"""The commands of a game at the terminal: those of a session that people use, and those about its players.

Where a person means something else than a host, or should see more, a command of that name is carried out in another way.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from othello_bot.base.clocks import Clocks, TimeSystem
from othello_bot.base.errors import InputError
from othello_bot.base.notation import Color, NotationError, parse_integer
from othello_bot.base.output import words_of
from othello_bot.dialects.command_table import Call, CommandGroup, Declaration, Handler, assemble
from othello_bot.dialects.gtp import COMMANDS as SESSION_COMMANDS
from othello_bot.engine import files_of
from othello_bot.play.adviser import SUGGESTED_LINES
from othello_bot.play.players import parse_player
from othello_bot.protocol.gtp import GtpError
from othello_bot.protocol.time_commands import parse_time_left, parse_time_settings
from othello_bot.session import Answer, keeping

if TYPE_CHECKING:
    from othello_bot.engine import Steps
    from othello_bot.play.session import PlayingSession

_LARGEST_COUNT: Final = 999
"""Most moves that a command takes; more than a game has."""

GAME = CommandGroup("Game")
SEARCH = CommandGroup("Search")
SESSION = CommandGroup("Session")

_INSTEAD: Final[dict[str, Declaration]] = {}
"""Commands of the session that a game carries out or answers in another way."""

_SEATS: Final = ("black P, white P", "who plays: human, engine:10, iago, iago:3")
_OPTIONS: Final = ("options, setoption N [V]", "all settings with their values; change one")
_SIDES: Final = ("side S, switch", "play black, white, both, none; change sides")


class PlayError(InputError):
    """A line that cannot be obeyed; the game is unchanged."""


def _instead(name: str) -> Callable[[Handler], Handler]:
    """Declare the decorated function as the handler of the session's command `name` in a game."""

    def declare(handler: Handler) -> Handler:
        execute: Any = handler
        _INSTEAD[name] = replace(SESSION_COMMANDS[name], how=Answer(execute))
        return handler

    return declare


def _session(call: Call) -> PlayingSession:
    session: PlayingSession = call.session  # type: ignore[assignment]  # only `play` has this table
    return session


@GAME.command(
    "genmove",
    "",
    "Lets your adviser choose a move and plays it for you.",
    """
> go
black (human) plays d3
""",
    for_people=("go, genmove", "let your adviser play a move for you"),
    aliases=("go",),
)
def _go(call: Call) -> Steps[str]:
    call.expect(0)
    session = _session(call)
    session.live.require_going_on("go")
    session.made((yield from session.seats.adviser.choose(session.game, session.clock())))
    return ""


@_instead("undo")
def _undo(call: Call) -> str:
    call.session.undo(_count(call))
    return ""


@_instead("redo")
def _redo(call: Call) -> str:
    call.session.redo(_count(call))
    return ""


@_instead("resign")
def _resign(call: Call) -> str:
    call.expect(0)
    call.session.resign()
    return ""  # the end is told after every kind of end


@_instead("showboard")
def _showboard(call: Call) -> str:
    call.expect(0)
    _session(call).show()
    return ""


@_instead("legal_moves")
def _legal_moves(call: Call) -> str:
    return str(SESSION_COMMANDS["legal_moves"].how.handler(call)) or "no move"


@_instead("transcript")
def _transcript(call: Call) -> str:
    return str(SESSION_COMMANDS["transcript"].how.handler(call)) or "no move yet"


@SEARCH.command(
    "hint",
    "[n]",
    """The best move in your adviser's opinion, or the n best; by default 3 of the engine, and all that a textbook player
    rates.""",
    """
> hint 1
""",
    for_people=("hint, suggest [N]", "ask your adviser for the best moves"),
    aliases=("suggest",),
)
def _hint(call: Call) -> Steps[str]:
    session = _session(call)
    session.live.require_going_on("hint")
    adviser = session.seats.adviser
    if adviser.is_textbook:
        count = _count(call) if call.arguments else None
        return "\n".join((yield from adviser.suggest(session.game, count)))
    if not call.arguments:
        call.command = replace(call.command, arguments=(str(SUGGESTED_LINES),))
    outcome = SESSION_COMMANDS["hint"].how.handler(call)
    return outcome if isinstance(outcome, str) else (yield from outcome)


@_instead("final_score")
def _final_score(call: Call) -> str:
    return str(SESSION_COMMANDS["score"].how.handler(call))


@_instead("save")
def _save(call: Call) -> str:
    session = _session(call)
    name, overwrite = keeping.split_overwrite(_file(call))
    kept = files_of(session.seats.options)
    try:
        path = keeping.save(session.record(), name, session.person, overwrite=overwrite, kept=kept)
    except OSError as error:
        raise GtpError(words_of(error)) from None
    session.log.mark_saved(session.game)
    return f"saved in {path}"


@_instead("load")
def _load(call: Call) -> str:
    session = _session(call)
    name, number = keeping.split_number(_file(call))
    try:
        record = keeping.load(name, number, session.person)
    except OSError as error:
        raise GtpError(words_of(error)) from None
    session.take_game(record.game, record)
    return ""


@_instead("time_settings")
def _time_settings(call: Call) -> str:
    settings = parse_time_settings(call.arguments)
    is_fischer = settings.system is TimeSystem.UNDECIDED and settings.main_s
    settings = replace(settings, system=TimeSystem.FISCHER) if is_fischer else settings
    call.session.clocks = Clocks.start(settings)
    return ""


@_instead("time_left")
def _time_left(call: Call) -> str:
    call.session.clocks = call.session.clocks.time_left(parse_time_left(call.arguments))
    return call.session.clocks_text()


@SESSION.command(
    "black",
    "[player]",
    """Lets somebody else play black: human, engine, engine:LEVEL, engine:strength=STRENGTH, or a strategy. Alone, tells
    who does.""",
    """
> black iago:3
""",
    for_people=_SEATS,
)
def _black(call: Call) -> str:
    return _seat(call, Color.BLACK)


@SESSION.command("white", "[player]", "The same for white.", "\n> white engine:10\n", for_people=_SEATS)
def _white(call: Call) -> str:
    return _seat(call, Color.WHITE)


def _seat(call: Call, color: Color) -> str:
    """Let somebody else play a colour, or tell who does."""
    session = _session(call)
    if not call.arguments:
        return session.seats.name(color)
    with session.changing_players():
        session.seats.seat(color, parse_player(call.command.text))
    return ""


@SESSION.command(
    "side",
    "black | white | both | none",
    "Lets you play black, white, both sides or none.",
    """
> side white
""",
    for_people=_SIDES,
)
def _side(call: Call) -> str:
    session = _session(call)
    with session.changing_players():
        session.seats.set_side(call.command.text)
    return ""


@SESSION.command("switch", "", "Changes sides with your opponent.", "\n> switch\n", for_people=_SIDES)
def _switch(call: Call) -> str:
    call.expect(0)
    session = _session(call)
    with session.changing_players():
        session.seats.switch()
    return ""


def _file(call: Call) -> str:
    if not call.arguments:
        raise PlayError(call.command.name, "", "the name of a file")
    return call.command.text


def _count(call: Call) -> int:
    """Return the number of moves that follows a command, 1 by default."""
    if not call.arguments:
        return 1
    try:
        return parse_integer(call.command.text, 1, _LARGEST_COUNT)
    except NotationError:
        raise PlayError(call.command.name, call.command.text, f"a number of moves, 1 to {_LARGEST_COUNT}") from None


_ALSO: Final = (
    *("play", "clear_board", "setposition", "position", "final_score", "book", "eval", "getoption", "name", "version"),
    *("time_settings", "kata-time_settings", "kgs-time_settings", "time_left", "clocks"),
)
"""Commands of hosts that are useful in a game too."""

_OWN: Final = {**_INSTEAD, **assemble((GAME, SEARCH, SESSION))}


def _table() -> dict[str, Declaration]:
    """Return the commands, in the order of the session's; those that only a game has come last."""
    wanted = {name for name, one in SESSION_COMMANDS.items() if one.for_people is not None} | set(_ALSO)
    table = {name: _OWN.get(name, one) for name, one in SESSION_COMMANDS.items() if name in wanted}
    for name in ("options", "setoption"):  # on one line, so that the help fits a screen
        table[name] = replace(table[name], for_people=_OPTIONS)
    return {**table, **_OWN}


COMMANDS: Final = _table()
"""All commands by name."""

FOR_PEOPLE: Final = {name: one for name, one in COMMANDS.items() if one.for_people is not None}
"""Those that people use: what a tab completes."""
