"""Commands that change the game: positions, moves, undo."""

from __future__ import annotations

from collections.abc import Callable

from othello_bot.base.notation import PASS, Color, move_name
from othello_bot.dialects.command_table import Call, CommandGroup
from othello_bot.engine import Limits, Steps
from othello_bot.protocol.gtp import (
    UNACCEPTABLE_SIZE,
    GtpError,
    parse_colored_moves,
    parse_decimal,
    parse_integer,
    parse_optional_color,
    parse_play,
    syntax_error,
)
from othello_bot.rules import Game, Position

GAME = CommandGroup("Game")

_UNDO_AND_REDO = ("undo [N], redo [N]", "take back a move, or N; replay it")


@GAME.command(
    "newgame",
    "[position]",
    """Begins a new game from the usual start or from a position: 64 cells of X, O and -, then the side to move. Resets
    the clocks.""",
    """
> newgame
=
> newgame ---------------------------OX------XO--------------------------- O
=
> legal_moves
= e3 f4 c5 d6
""",
    for_people=("newgame, new [POSITION]", "begin a new game"),
    aliases=("new",),
)
def _newgame(call: Call) -> str:
    call.session.new_game(Position.parse(call.command.text) if call.arguments else None)
    return ""


@GAME.command(
    "boardsize",
    "8",
    "Accepts the size 8 and refuses any other. The board does not change.",
    """
> boardsize 8
=
> boardsize 19
? unacceptable size
""",
)
def _boardsize(call: Call) -> str:
    (size,) = call.expect(1)
    if parse_integer(size) != 8:
        raise GtpError(UNACCEPTABLE_SIZE)
    return ""


@GAME.command(
    "clear_board",
    "",
    "The same as `newgame` without a position.",
    """
> clear_board
=
""",
)
def _clear_board(call: Call) -> str:
    call.expect(0)
    call.session.new_game()
    return ""


@GAME.command(
    "komi",
    "points",
    "Accepted for controllers written for Go; has no effect.",
    """
> komi 6.5
=
""",
)
def _komi(call: Call) -> str:
    (points,) = call.expect(1)
    parse_decimal(points)
    return ""


@GAME.command(
    "setposition",
    "position",
    "Sets up a position. The clocks and the transposition table stay. There is nothing to undo afterwards.",
    """
> setposition ---------------------------OX------XXX-----XO---------------X---- O
? syntax error: ...
> setposition --------------------------XXX------XO--------------------------- O
=
> legal_moves
= c3 e3 c5
""",
)
def _setposition(call: Call) -> str:
    call.expect(1, 66)
    call.session.take_game(Game(Position.parse(call.command.text)))
    return ""


@GAME.command(
    "set_position",
    "[colour square]...",
    """Sets up discs, given as pairs of colour and square, with black to move, as in KataGo; without arguments, the
    usual start. If a square is named twice, the command is refused and the board does not change.""",
    """
> set_position b d4 w e4 b d5
=
> position
= ---------------------------XO------X---------------------------- X
""",
)
def _set_position(call: Call) -> str:
    if not call.arguments:
        call.session.take_game(Game())
        return ""
    call.session.take_game(Game(position_of_discs(call)))
    return ""


def position_of_discs(call: Call) -> Position:
    """Return the position of a command's pairs of colour and square, black to move; raise GtpError."""
    discs: dict[int, Color] = {}
    for pair in parse_colored_moves(call.arguments):
        if pair.move == PASS:
            raise syntax_error("expected a square (a1 to h8), got 'pass'")
        if pair.move in discs:
            raise GtpError(f"expected each square once, got {move_name(pair.move)}")
        discs[pair.move] = pair.color
    black = sum(1 << square for square, color in discs.items() if color is Color.BLACK)
    white = sum(1 << square for square, color in discs.items() if color is Color.WHITE)
    return Position.from_colors(black, white)


@GAME.command(
    "play",
    "[colour] move...",
    """Plays a move or a whole transcript, all or nothing. Without a colour, the side to move plays. A missing pass is
    inserted; a repeated pass, or one after the end of the game, changes nothing. A colour alone is a pass. A refused
    move leaves the board unchanged.""",
    """
> play b f5
=
> play w f6
=
> play e6f4 g5 e7
=
> play a1
? illegal move 'a1': expected ...
""",
)
def _play(call: Call) -> str:
    wanted = parse_play(call.arguments)
    call.session.play(wanted.color, wanted.moves)
    return ""


@GAME.command(
    "gogui-play_sequence",
    "[colour move]...",
    "Plays moves with their colours, all or nothing.",
    """
> gogui-play_sequence b f5 w d6 b c3
=
> transcript
= f5d6c3
""",
)
def _play_sequence(call: Call) -> str:
    call.session.play_colored([(pair.color, pair.move) for pair in parse_colored_moves(call.arguments)])
    return ""


@GAME.command(
    "genmove",
    "[colour]",
    """Chooses a move, plays it and answers it: a square, or `pass` if there is no legal move or the game is over.
    Without a colour, the side to move plays. The clock and the options limit the search; the first limit reached
    applies. `stop` makes it answer at once with the best move so far.""",
    """
> setoption depth 2
=
> genmove b
= ...
""",
    for_people=("genmove, go", "let the engine play a move"),
    aliases=("go",),
)
def _genmove(call: Call) -> Steps[str]:
    session = call.session
    position = session.live.position_for(parse_optional_color(call.arguments))
    if position.is_over:
        return "pass"
    choice = yield from session.chosen(position, session.move_limits(position.color))
    session.finish_move(call, position.color, choice)
    return move_name(choice.move)


@GAME.command(
    "reg_genmove",
    "[colour]",
    "Chooses a move like `genmove`, but without a clock, and does not play it.",
    """
> setoption depth 2
=
> reg_genmove b
= ...
> transcript
=
""",
)
def _reg_genmove(call: Call) -> Steps[str]:
    return move_not_played(call, lambda color: call.session.engine.default_limits())


def move_not_played(call: Call, limits: Callable[[Color], Limits]) -> Steps[str]:
    """Return steps that end in the name of a move chosen, but not played, for the colour that the command names."""
    session = call.session
    position = session.live.position_for(parse_optional_color(call.arguments))
    if position.is_over:
        return "pass"
    choice = yield from session.chosen(position, limits(position.color))
    return move_name(choice.move)


@GAME.command(
    "undo",
    "[n]",
    """Takes back n moves, by default 1. A pass counts as a move; a pass inserted by `play` is taken back with the move
    after it, and a resignation as a move. In `othello-bot play` your own moves count, and the answers go with them.""",
    """
> play f5d6
=
> undo
=
> transcript
= f5
> undo 5
? cannot undo ...
""",
    for_people=_UNDO_AND_REDO,
)
def _undo(call: Call) -> str:
    call.session.undo(_count(call))
    return ""


@GAME.command(
    "gg-undo",
    "[n]",
    "GoGui's name for `undo`.",
    """
> play f5d6c3
=
> gg-undo 2
=
""",
)
def _gg_undo(call: Call) -> str:
    call.session.undo(_count(call))
    return ""


@GAME.command(
    "redo",
    "[n]",
    "Replays n moves that were taken back, by default 1; in `othello-bot play` moves of your own, with the answers.",
    """
> play f5d6
=
> undo 2
=
> redo
=
> transcript
= f5
""",
    for_people=_UNDO_AND_REDO,
)
def _redo(call: Call) -> str:
    call.session.redo(_count(call))
    return ""


@GAME.command(
    "resign",
    "",
    """Lets the side to move resign, and answers who wins. `undo` takes the resignation back; a saved game has it as its
    result.""",
    """
> play f5
=
> resign
= white resigns: black wins
> play d6
? after the game 'a move': expected review, transcript, undo...
> undo
=
""",
    for_people=("resign", "give up"),
)
def _resign(call: Call) -> str:
    call.expect(0)
    call.session.resign()
    return call.session.verdict


def _count(call: Call) -> int:
    arguments = call.expect(0, 1)
    return parse_integer(arguments[0], 0, 1000) if arguments else 1
