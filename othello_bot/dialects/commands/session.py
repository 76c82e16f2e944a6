"""Commands about the session itself: who we are, what we can do, options, stopping and ending."""

from __future__ import annotations

import time

from othello_bot.dialects.command_table import Call, CommandGroup
from othello_bot.engine import listing
from othello_bot.version import __version__
from protocol.gtp import PROTOCOL_VERSION, GtpError, error_text, parse_integer, syntax_error

SESSION = CommandGroup("Session")


@SESSION.command(
    "protocol_version",
    "",
    "The version of GTP that is spoken, 2.",
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
    "The engine's name, which the option `name` sets.",
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
    "`true` where a command of that name exists, else `false`.",
    """
> known_command genmove
= true
> known_command castle
= false
""",
)
def _known_command(call: Call) -> str:
    (name,) = call.expect(1)
    return "true" if name.lower() in call.table else "false"


@SESSION.command(
    "list_commands",
    "",
    "The names of all commands, one on a line.",
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
    "[command]",
    "All commands with their arguments, or the syntax, effect and an example of one.",
    """
> help undo
= syntax: undo [n]
effect: Takes back n moves...
example:
  > play f5...
""",
)
def _help(call: Call) -> str:
    arguments = call.expect(0, 1)
    if not arguments:
        lines = ["a move alone (f5) is played; commands:"]
        subject = ""
        for declaration in call.table.values():
            if declaration.subject != subject:
                subject = declaration.subject
                lines.append(f"{subject}:")
            lines.append(f"  {declaration.usage}")
        return "\n".join([*lines, "help COMMAND says more"])
    found = call.table.get(arguments[0].lower())
    if found is None:
        raise GtpError(error_text("unknown command", arguments[0]))
    example = "\n".join(f"  {line}" for line in found.example.split("\n"))
    return f"syntax: {found.usage}\neffect: {found.effect}\nexample:\n{example}"


@SESSION.command(
    "options",
    "",
    "Every option with its value, type, default, range and meaning, one on a line.",
    """
> options
= hash = ... (integer, default 64, 1 to 1048576 MiB): size of the transposition table
...
""",
)
def _options(call: Call) -> str:
    call.expect(0)
    return "\n".join(listing(call.session.engine.options))


@SESSION.command(
    "setoption",
    "name value | name N value V",
    """Sets an option. The long form is for hosts that know it from other games. A name or value that does not exist is
    refused with what would be accepted, and everything stays as it was.""",
    """
> setoption level 12
=
> setoption name ponder value on
=
> setoption level 99
? option level '99': expected 0 to 60
""",
)
def _setoption(call: Call) -> str:
    words = call.arguments
    lower = [word.lower() for word in words]
    if lower[:1] == ["name"] and "value" in lower[2:]:
        split = lower.index("value", 2)
        name, value = " ".join(words[1:split]), " ".join(words[split + 1 :])
    elif words:
        name, value = words[0], " ".join(words[1:])
    else:
        raise syntax_error(f"a name and a value are missing (usage: {call.table['setoption'].usage})")
    call.session.set_option(name, value)
    return ""


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
    return call.session.engine.options.text(name)


@SESSION.command(
    "stop",
    "",
    """Ends every search that was asked for before it, and thinking ahead. It is answered at once, before the command
    that searches; that one then answers with what it has: `genmove` with the best move so far.""",
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
    "`readyok`, at once, also while a search runs.",
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
    "`pong` with the number, at once, also while a search runs.",
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
    "Processor time that the engine has used, in seconds, all threads together.",
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
    "The games that can be played: Othello. Quarry asks for this.",
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
    "Accepts the game Othello, in any case, and refuses any other.",
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
    "Forgets what earlier searches learned; the game stays.",
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
    "Ends the session, after this answer. What came before is answered first.",
    """
> quit
=
""",
    quits=True,
)
def _quit(call: Call) -> str:
    call.expect(0)
    return ""
