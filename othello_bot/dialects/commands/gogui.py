"""Commands that let GoGui play Othello; those of its analyse menu are in `gogui_analyze`."""

from __future__ import annotations

from othello_bot.base.notation import PASS
from othello_bot.dialects.command_table import Call, CommandGroup
from othello_bot.dialects.commands.game import position_of_discs
from othello_bot.protocol import gogui
from othello_bot.protocol.gtp import GtpError, parse_color
from othello_bot.rules import Game, Position

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
