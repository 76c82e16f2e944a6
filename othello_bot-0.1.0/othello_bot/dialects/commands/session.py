"""Commands about the session: names, versions, lists of commands, options, stopping and ending."""

from __future__ import annotations

import time

from othello_bot.base.errors import did_you_mean
from othello_bot.base.version import __version__
from othello_bot.dialects.command_table import (
    HOSTS,
    Call,
    CommandGroup,
    find,
    help_for_hosts,
    help_for_people,
    help_of,
    known_words,
)
from othello_bot.engine import OPTIONS, described, listing
from othello_bot.protocol.gtp import PROTOCOL_VERSION, GtpError, error_text, parse_integer, syntax_error

SESSION = CommandGroup("Session")

_OPTION_NAMES = frozenset(option.name for option in OPTIONS)


@SESSION.command(
    "protocol_version",
    "",
    "The version of GTP, 2.",
    """
> protocol_version
= 2
""",
)
def _protocol_version(call: Call) -> str:
    call.expect(0)
    return PROTOCOL_VERSION


@SESSION.command(
    "name",
    "",
    "The engine's name, set by the option `name`.",
    """
> name
= othello-bot
""",
)
def _name(call: Call) -> str:
    call.expect(0)
    return call.session.engine.options.name


@SESSION.command(
    "version",
    "",
    "The engine's version.",
    """
> version
= ...
""",
)
def _version(call: Call) -> str:
    call.expect(0)
    return __version__


@SESSION.command(
    "known_command",
    "name",
    "`true` if the command exists, `false` otherwise.",
    """
> known_command genmove
= true
> known_command castle
= false
""",
)
def _known_command(call: Call) -> str:
    (name,) = call.expect(1)
    return "true" if find(call.table, name.lower()) else "false"


@SESSION.command(
    "list_commands",
    "",
    "The names of all commands, one per line.",
    """
> list_commands
= protocol_version
...
quit
...
""",
)
def _list_commands(call: Call) -> str:
    call.expect(0)
    return "\n".join(call.table)


@SESSION.command(
    "help",
    "[command | option | hosts]",
    """Without an argument, the commands that people use; with `hosts`, those that programs use; otherwise syntax,
    effect and an example of one command, or the value and the meaning of an option.""",
    """
> help undo
= syntax: undo [n]
effect: Takes back n moves...
example:
  > play f5...
""",
    for_people=("help, ? [COMMAND]", "this list, or all about a command or an option"),
    aliases=("?",),
)
def _help(call: Call) -> str:
    arguments = call.expect(0, 1)
    if not arguments:
        return help_for_people(call.table)
    word = arguments[0].lower()
    if word == HOSTS:
        return help_for_hosts(call.table)
    if (found := find(call.table, word)) is not None:
        return help_of(found)
    if word in _OPTION_NAMES:
        return f"an option, set by setoption {word}\n{described(call.session.options)[word]}"
    close = did_you_mean(word, [*known_words(call.table), *_OPTION_NAMES])
    raise GtpError(error_text("unknown command", f"{arguments[0]}{close}"))


@SESSION.command(
    "options",
    "",
    "Every option with its value, type, default, range and meaning, one per line.",
    """
> options
= hash = ... (integer, default 64, 1 to 1048576 MiB): size of the transposition table
...
""",
    for_people=("options", "all settings with their values"),
)
def _options(call: Call) -> str:
    call.expect(0)
    return "\n".join(listing(call.session.options))


@SESSION.command(
    "setoption",
    "name [value] | name N [value V]",
    """Sets an option; without a value, answers with the present one and changes nothing. `auto` and `none` reset
    every option. The long form is for hosts that know it from other games. An unknown name or an invalid
    value is refused, and the answer says what would be accepted.""",
    """
> setoption level 12
=
> setoption level
= 12
> setoption name ponder value on
=
> setoption level 99
? option level '99': expected 0 to 60, or auto
""",
    for_people=("setoption NAME [VALUE]", "change or tell a setting, such as level"),
)
def _setoption(call: Call) -> str:
    words = call.arguments
    lower = [word.lower() for word in words]
    if lower[:1] == ["name"] and "value" in lower[2:]:
        split = lower.index("value", 2)
        name, value = " ".join(words[1:split]), " ".join(words[split + 1 :])
    elif lower[:1] == ["name"] and "_".join(lower[1:]) in _OPTION_NAMES:
        name, value = " ".join(words[1:]), ""
    elif words:
        name, value = words[0], " ".join(words[1:])
    else:
        raise syntax_error(f"a name and a value are missing (usage: {call.usage})")
    return call.session.set_or_tell(name, value)


@SESSION.command(
    "getoption",
    "name",
    "The value of an option.",
    """
> getoption threads
= 1
""",
)
def _getoption(call: Call) -> str:
    (name,) = call.expect(1)
    return call.session.options.text(name)


_LEVEL_AND_STRENGTH = ("level [N], strength [S]", "how deep it thinks, how strong it plays")


@SESSION.command(
    "level",
    "[value]",
    """Sets the option `level`, and `strength` to champion, which a level needs; without a value, tells the level, and what
    limits the search where that is not the level alone.""",
    """
> level
= auto (level 21)
> level 12
=
> level
= 12
> level 99
? option level '99': expected 0 to 60, or auto
""",
    for_people=_LEVEL_AND_STRENGTH,
)
def _level(call: Call) -> str:
    return _set_or_tell(call, "level")


@SESSION.command(
    "strength",
    "[value]",
    """Sets the option `strength`, a name or a number, and resets `level`; without a value, tells the strength.""",
    """
> strength novice
=
> strength
= novice
> strength champion
=
""",
    for_people=_LEVEL_AND_STRENGTH,
)
def _strength(call: Call) -> str:
    return _set_or_tell(call, "strength")


def _set_or_tell(call: Call, name: str) -> str:
    """Set the option from the command's text, or return its value if there is none."""
    session = call.session
    if not call.arguments:
        return session.options.told(name, session.live.is_clocked)
    session.set_strength(name, call.command.text)
    return ""


@SESSION.command(
    "stop",
    "",
    """Ends every search requested before it, and thinking ahead. It is answered at once, before the command that
    searches. That command then answers with its result so far: `genmove` with the best move so far.""",
    """
> stop
=
""",
    overtakes=True,
    stops=True,
)
def _stop(call: Call) -> str:
    call.expect(0)
    if not call.session.engine.searching:
        call.session.stop_thinking_ahead()
    return ""


@SESSION.command(
    "isready",
    "",
    "Answers `readyok` at once, even during a search.",
    """
> isready
= readyok
""",
    overtakes=True,
)
def _isready(call: Call) -> str:
    call.expect(0)
    return "readyok"


@SESSION.command(
    "ping",
    "[n]",
    "Answers `pong` and the number at once, even during a search.",
    """
> ping 7
= pong 7
""",
    overtakes=True,
)
def _ping(call: Call) -> str:
    arguments = call.expect(0, 1)
    return f"pong {parse_integer(arguments[0])}" if arguments else "pong"


@SESSION.command(
    "cputime",
    "",
    "Processor time used by the engine, in seconds, over all threads.",
    """
> cputime
= ...
""",
)
def _cputime(call: Call) -> str:
    call.expect(0)
    return f"{time.process_time():.3f}"


@SESSION.command(
    "list_games",
    "",
    "The supported games: Othello. Quarry sends this.",
    """
> list_games
= Othello
""",
)
def _list_games(call: Call) -> str:
    call.expect(0)
    return "Othello"


@SESSION.command(
    "set_game",
    "name",
    "Accepts Othello, in upper or lower case, and refuses any other game.",
    """
> set_game Othello
=
> set_game Chess
? unsupported game: Chess
""",
)
def _set_game(call: Call) -> str:
    (name,) = call.expect(1)
    if name.lower() != "othello":
        raise GtpError(error_text("unsupported game", name))
    return ""


@SESSION.command(
    "clear_cache",
    "",
    "Forgets the results of earlier searches. The game does not change.",
    """
> clear_cache
=
""",
)
def _clear_cache(call: Call) -> str:
    call.expect(0)
    call.session.engine.clear()
    return ""


@SESSION.command(
    "quit",
    "",
    """Ends the session. Earlier commands are answered first. A terminal asks whether to save a game that would be
    lost.""",
    """
> quit
=
""",
    for_people=("quit, exit, q", "leave"),
    aliases=("exit", "q"),
    quits=True,
)
def _quit(call: Call) -> str:
    call.expect(0)
    call.session.leave()
    return ""
