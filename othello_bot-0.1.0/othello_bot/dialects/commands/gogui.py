"""Commands that let GoGui play Othello, and those of its analyse menu, which draw the results of searches."""

from __future__ import annotations

from typing import TYPE_CHECKING

from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.base.notation import PASS, Color, parse_integer
from othello_bot.dialects.command_table import Call, CommandGroup
from othello_bot.dialects.commands.game import position_of_discs
from othello_bot.dialects.commands.search import likeliest_first, no_move_text
from othello_bot.engine import MEAN_RATING, OptionError, OptionKind, Options, Steps, find_option
from othello_bot.protocol import gogui
from othello_bot.protocol.analysis import win_rate
from othello_bot.protocol.gogui import AnalyzeCommand, AnalyzeType
from othello_bot.protocol.gtp import GtpError, parse_color
from othello_bot.rules import Game, Position
from othello_bot.session import signed

if TYPE_CHECKING:
    from collections.abc import Sequence

    from othello_bot.engine import SearchResult


BEST_COLOR = "green"
"""Background colour of the best moves; one of GoGui's colour names."""

PV_MOVES = 9
"""Number of moves drawn of the principal variation: each covers a square with a disc and a number."""


def live_search(position: Position, result: SearchResult) -> str:
    """Return drawing commands for a running search of `position`: its values, or the pv if it has only one line."""
    return move_values(position, result) if len(result.lines) > 1 else expected_line(position, result)


def move_values(position: Position, result: SearchResult) -> str:
    """Return drawing commands for the values of moves in discs from the mover's view, with the best ones marked."""
    best = [line.move for line in result.lines if line.score == result.best.score]
    labels = gogui.labels((line.move, signed(line.discs)) for line in result.lines)
    return f"COLOR {BEST_COLOR} {gogui.points(best)}\nLABEL {labels}\n{_summary(position, result.best)}"


def expected_line(position: Position, result: SearchResult) -> str:
    """Return drawing commands for the principal variation: numbered discs."""
    line = gogui.variation(result.pv[:PV_MOVES], position.color)
    return f"VAR {line}\n{_summary(position, result.best)}"


def outcome_board(position: Position, lines: Sequence[EvaluatedMove]) -> str:
    """Return a board of numbers: the expected result of each line on its first square, from 1 (Black wins) to -1."""
    values = [0.0] * 64
    for line in lines:
        mover_wins = 2 * win_rate(line.discs, exact=line.exact) - 1
        values[line.move] = mover_wins if position.color is Color.BLACK else -mover_wins
    return gogui.number_board(values)


def _summary(position: Position, line: EvaluatedMove) -> str:
    mover = position.color.name.capitalize()
    return f"TEXT {mover} {gogui.points([line.move])} {signed(line.discs)}, depth {line.reached()}"


GOGUI = CommandGroup("GoGui")


@GOGUI.command(
    "gogui-rules_game_id",
    "",
    "The game: Othello.",
    """
> gogui-rules_game_id
= Othello
""",
)
def _game_id(call: Call) -> str:
    call.expect(0)
    return gogui.GAME_ID


@GOGUI.command(
    "gogui-rules_board_size",
    "",
    "The board's size: 8.",
    """
> gogui-rules_board_size
= 8
""",
)
def _board_size(call: Call) -> str:
    call.expect(0)
    return gogui.BOARD_SIZE


@GOGUI.command(
    "gogui-rules_board",
    "",
    "The board, row 8 first, because GoGui draws row 1 at the bottom. Squares have the same names in both.",
    """
> play f5
=
> gogui-rules_board
= . . . . . . . .
. . . . . . . .
. . . . . . . .
. . . X X X . .
. . . O X . . .
. . . . . . . .
. . . . . . . .
. . . . . . . .
""",
)
def _board(call: Call) -> str:
    call.expect(0)
    return gogui.rules_board(call.session.position.board)


@GOGUI.command(
    "gogui-rules_legal_moves",
    "",
    "The legal moves in capitals, `pass` for a forced pass, nothing if the game is over.",
    """
> gogui-rules_legal_moves
= D3 C4 F5 E6
""",
)
def _legal_moves(call: Call) -> str:
    call.expect(0)
    position = call.session.position
    return gogui.rules_legal_moves((PASS,) if position.must_pass else position.legal_moves)


@GOGUI.command(
    "gogui-rules_side_to_move",
    "",
    "The side to move.",
    """
> gogui-rules_side_to_move
= black
""",
)
def _side_to_move(call: Call) -> str:
    call.expect(0)
    return gogui.rules_side_to_move(call.session.position.color)


@GOGUI.command(
    "gogui-rules_final_result",
    "",
    "The result in words, for a dialog; during the game, the discs so far.",
    """
> gogui-rules_final_result
= The game is not over. Discs: B 2 and W 2.
> play d3c3f5f4f3d2d1e3b3
=
> gogui-rules_final_result
= Black wins by 64 points. Final score is B 13 and W 0.
""",
)
def _final_result(call: Call) -> str:
    call.expect(0)
    position = call.session.position
    score = call.session.game.final_score if position.is_over else None
    return gogui.rules_final_result(position.black.bit_count(), position.white.bit_count(), score)


@GOGUI.command(
    "gogui-rules_captured_count",
    "",
    "The numbers of white and black discs on the board. GoGui shows them beside the board, where Go has prisoners.",
    """
> play f5
=
> gogui-rules_captured_count
= 1 4
""",
)
def _captured_count(call: Call) -> str:
    call.expect(0)
    position = call.session.position
    return gogui.rules_captured_count(position.black.bit_count(), position.white.bit_count())


def _game_without_moves(call: Call) -> Position:
    """Return the start of the game, which set-up commands may change only before the first move."""
    if call.session.game.ply:
        raise GtpError("expected a board without moves: clear_board comes before")
    return call.session.position


@GOGUI.command(
    "gogui-setup",
    "[colour square]...",
    """Sets up discs after `clear_board`, given as pairs of colour and square, with black to move. The four discs of the
    usual start are removed. Refused after a move has been played.""",
    """
> clear_board
=
> gogui-setup b D4 w E4 b F4
=
> position
= ---------------------------XOX---------------------------------- X
""",
)
def _setup(call: Call) -> str:
    _game_without_moves(call)
    call.session.take_game(Game(position_of_discs(call)))
    return ""


@GOGUI.command(
    "gogui-setup_player",
    "colour",
    "Sets the side to move of a set-up position or of the usual start. Refused after a move has been played.",
    """
> gogui-setup_player w
=
> gogui-rules_side_to_move
= white
""",
)
def _setup_player(call: Call) -> str:
    (name,) = call.expect(1)
    color = parse_color(name)
    position = _game_without_moves(call)
    call.session.take_game(Game(Position.from_colors(position.black, position.white, color)))
    return ""


@GOGUI.command(
    "gogui-interrupt",
    "",
    "Declares that the comment line `# interrupt` ends a running search, like `stop` but without an answer.",
    """
> gogui-interrupt
=
""",
)
def _interrupt(call: Call) -> str:
    call.expect(0)
    return ""


@GOGUI.command(
    "gogui-title",
    "",
    "A title for GoGui's window.",
    """
> gogui-title
= othello-bot
""",
)
def _title(call: Call) -> str:
    call.expect(0)
    return call.session.engine.options.name


GOGUI_ANALYZE = CommandGroup("GoGui's analyse menu")

_DRAWN_CHANCE = 0.005
"""Moves that are less likely are not drawn."""

_MENU = (
    AnalyzeCommand(AnalyzeType.PARAMETERS, "Settings", "gogui-settings"),
    AnalyzeCommand(AnalyzeType.GRAPHICS, "Values of the moves", "gogui-move_values"),
    AnalyzeCommand(AnalyzeType.NUMBERS, "Expected results of the moves", "gogui-outcomes"),
    AnalyzeCommand(AnalyzeType.GRAPHICS, "What people play", "gogui-policy"),
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
    "[option [value]]",
    """Without arguments, the options in GoGui's settings dialog, one per line: kind, name, value. With an option and a
    value, sets the option like `setoption`; 1 is on, 0 off. With an option alone, tells its value.""",
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
    name, *values = call.expect(1, 2)
    if name.lower() not in _SETTINGS:
        raise OptionError("setting", name, f"one of {', '.join(_SETTINGS)}")
    return call.session.set_or_tell(name, "".join(values))


def _parameter(name: str, options: Options) -> str:
    option = find_option(name)
    value = options.value(name)
    if isinstance(value, bool):
        return gogui.parameter(option.name, value)
    choices: tuple[str, ...] = ()
    if option.kind is OptionKind.CHOICE:
        choices = option.named_values
    elif option.kind is OptionKind.INTEGER and option.maximum - option.minimum < _MOST_CHOICES:
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
def _move_values(call: Call) -> Steps[str]:
    call.expect(0)
    position = call.session.position
    if not position.legal_bits:
        return f"TEXT {no_move_text(position)}"
    return move_values(position, (yield from call.session.best_moves(64)))


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
def _outcomes(call: Call) -> Steps[str]:
    call.expect(0)
    position = call.session.position
    if not position.legal_bits:
        return outcome_board(position, ())
    result = yield from call.session.best_moves(64)
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
def _expected_line(call: Call) -> Steps[str]:
    call.expect(0)
    position = call.session.position
    if not position.legal_bits:
        return f"TEXT {no_move_text(position)}"
    return expected_line(position, (yield from call.session.best_moves(1)))


@GOGUI_ANALYZE.command(
    "gogui-policy",
    "[rating]",
    """Answers drawing commands for what players of a rating, by default 1500, are likely to play: the probability of each
    move in percent, the likeliest in green. The text names the rating, which is from 500 to 1950 (see `policy`).""",
    """
> play f5
=
> gogui-policy
= COLOR green ...
LABEL ...
TEXT People rated 1500
""",
)
def _draw_policy(call: Call) -> str:
    from othello_bot.policy import clamped  # imported here: a session starts without it

    chances = likeliest_first(call, call.arguments, alone=False)
    if not chances:
        return f"TEXT {no_move_text(call.session.position)}"
    best = [move for move, chance in chances if chance >= chances[0][1] - 1e-9]
    drawn = [(move, f"{100 * chance:.0f}") for move, chance in chances if chance >= _DRAWN_CHANCE]
    rating = clamped(parse_integer(call.arguments[0])) if call.arguments else MEAN_RATING
    return f"COLOR {BEST_COLOR} {gogui.points(best)}\nLABEL {gogui.labels(drawn)}\nTEXT People rated {rating}"
