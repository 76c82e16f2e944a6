"""GoGui's analyse menu: its entries, the dialog of settings, and values drawn on the board."""

from __future__ import annotations

from othello_bot.dialects.command_table import Call, CommandGroup
from othello_bot.dialects.commands.search import no_move_text, search_of_moves
from othello_bot.dialects.gogui_graphics import expected_line, move_values, outcome_board
from othello_bot.engine import OptionError, Options, find_option
from othello_bot.protocol import gogui
from othello_bot.protocol.gogui import AnalyzeCommand, AnalyzeType
from othello_bot.session import Steps

GOGUI_ANALYZE = CommandGroup("GoGui's analyse menu")

_MENU = (
    AnalyzeCommand(AnalyzeType.PARAMETERS, "Settings", "gogui-settings"),
    AnalyzeCommand(AnalyzeType.GRAPHICS, "Values of the moves", "gogui-move_values"),
    AnalyzeCommand(AnalyzeType.NUMBERS, "Expected results of the moves", "gogui-outcomes"),
    AnalyzeCommand(AnalyzeType.GRAPHICS, "Expected line", "gogui-expected_line"),
    AnalyzeCommand(AnalyzeType.POINTS, "Legal moves", "gogui-rules_legal_moves"),
    AnalyzeCommand(AnalyzeType.STRING, "Evaluation", "eval"),
    AnalyzeCommand(AnalyzeType.LONG_STRING, "Five best moves", "hint 5"),
    AnalyzeCommand(AnalyzeType.LONG_STRING, "Last search", "stats"),
    AnalyzeCommand(AnalyzeType.LONG_STRING, "Analysis of the game", "analyze"),
    AnalyzeCommand(AnalyzeType.STRING, "Result", "gogui-rules_final_result"),
    AnalyzeCommand(AnalyzeType.LONG_STRING, "Options", "options"),
)

_SETTINGS = ("strength", "level", "threads", "book", "ponder", "live_graphics")
"""The options in the dialog, in its order."""

_MOST_CHOICES = 100
"""Most values of an integer option that is shown as a list."""


@GOGUI_ANALYZE.command(
    "gogui-analyze_commands",
    "",
    """The entries of GoGui's analyse menu. Only GoGui sends this command: from now on, searches are drawn on its board
    with `gogui-gfx` lines on stderr, unless the option `live_graphics` is off.""",
    """
> gogui-analyze_commands
= param/Settings/gogui-settings
gfx/Values of the moves/gogui-move_values
...
""",
)
def _analyze_commands(call: Call) -> str:
    call.expect(0)
    call.session.draws_live = True
    return gogui.analyze_commands(_MENU)


@GOGUI_ANALYZE.command(
    "gogui-settings",
    "[option value]",
    """Without arguments, the options in GoGui's settings dialog, one per line: kind, name, value. With an option and a
    value, sets the option like `setoption`; 1 is on, 0 off.""",
    """
> gogui-settings level 12
=
> gogui-settings book 0
=
> gogui-settings
= [list/beginner/...] strength champion
[list/auto/0/...] level 12
[string] threads 1
[bool] book 0
[bool] ponder 0
[bool] live_graphics 1
""",
)
def _settings(call: Call) -> str:
    options = call.session.engine.options
    if not call.arguments:
        return "\n".join(_parameter(name, options) for name in _SETTINGS)
    name, value = call.expect(2)
    if name.lower() not in _SETTINGS:
        raise OptionError("setting", name, f"one of {', '.join(_SETTINGS)}")
    call.session.set_option(name, value)
    return ""


def _parameter(name: str, options: Options) -> str:
    option = find_option(name)
    value = options.value(name)
    if isinstance(value, bool):
        return gogui.parameter(option.name, value)
    choices: tuple[str, ...] = ()
    if option.choices is not None:
        choices = option.choices()
    elif option.kind == "integer" and option.maximum - option.minimum < _MOST_CHOICES:
        numbers = range(option.minimum, option.maximum + 1)
        choices = tuple(dict.fromkeys([*option.named_values, *map(option.format, numbers)]))
    return gogui.parameter(option.name, option.format(value), choices)


@GOGUI_ANALYZE.command(
    "gogui-move_values",
    "",
    """Searches all legal moves and answers drawing commands: the score of each move on its square, in discs for the
    side to move, the best moves in green. The options limit the search; `stop` ends it with its result so far.""",
    """
> setoption depth 3
=
> gogui-move_values
= COLOR green ...
LABEL ...
TEXT Black ..., depth 3@...
""",
)
def _move_values(call: Call) -> Steps:
    call.expect(0)
    position = call.session.position
    if not position.legal_bits:
        return f"TEXT {no_move_text(position)}"
    return move_values(position, (yield from search_of_moves(call.session, 64)))


@GOGUI_ANALYZE.command(
    "gogui-outcomes",
    "",
    """Searches all legal moves and answers a board of numbers, row 8 first: 1 where the move wins for Black, -1 where
    it wins for White, 0 for a draw or no move.""",
    """
> setoption depth 3
=
> gogui-outcomes
= 0.00 0.00 0.00 0.00 0.00 0.00 0.00 0.00
...
""",
)
def _outcomes(call: Call) -> Steps:
    call.expect(0)
    position = call.session.position
    if not position.legal_bits:
        return outcome_board(position, ())
    result = yield from search_of_moves(call.session, 64)
    return outcome_board(position, result.lines)


@GOGUI_ANALYZE.command(
    "gogui-expected_line",
    "",
    "Searches the position and answers drawing commands that show the principal variation as numbered discs.",
    """
> setoption depth 3
=
> gogui-expected_line
= VAR B ...
TEXT Black ..., depth 3@...
""",
)
def _expected_line(call: Call) -> Steps:
    call.expect(0)
    position = call.session.position
    if not position.legal_bits:
        return f"TEXT {no_move_text(position)}"
    return expected_line(position, (yield from search_of_moves(call.session, 1)))
