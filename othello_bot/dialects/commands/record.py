"""Commands that show the board and the game."""

from __future__ import annotations

from othello_bot.base.notation import move_name
from othello_bot.dialects.command_table import Call, CommandGroup
from othello_bot.protocol.gtp import CANNOT_SCORE, GtpError, error_text, format_score
from othello_bot.session import standing

RECORD = CommandGroup("Board")


@RECORD.command(
    "showboard",
    "",
    "Draws the board, row 1 at the top, with the side to move, the disc counts and the opening's name.",
    """
> play f5
=
> showboard
=
  a b c d e f g h
1 . . . . . . . . 1
2 . . . . . . . . 2
3 . . . . . . . . 3
4 . . . O X . . . 4
5 . . . X X X . . 5
6 . . . . . . . . 6
7 . . . . . . . . 7
8 . . . . . . . . 8
  a b c d e f g h
white (O) to move, X 4  O 1
""",
    for_people=("showboard, board", "draw the board"),
    aliases=("board",),
)
def _showboard(call: Call) -> str:
    call.expect(0)
    return f"\n{call.session.draw_board(call.session)}"


@RECORD.command(
    "legal_moves",
    "",
    "The legal moves of the side to move; `pass` if it must pass, nothing if the game is over.",
    """
> legal_moves
= d3 c4 f5 e6
""",
    for_people=("legal_moves, moves", "the moves that the rules allow"),
    aliases=("moves",),
)
def _legal_moves(call: Call) -> str:
    call.expect(0)
    position = call.session.position
    return "pass" if position.must_pass else " ".join(map(move_name, position.legal_moves))


@RECORD.command(
    "position",
    "",
    "The board as 64 cells and the side to move, in the format of `newgame` and `setposition`.",
    """
> position
= ---------------------------OX------XO--------------------------- X
""",
)
def _position(call: Call) -> str:
    call.expect(0)
    return call.session.position.to_string()


@RECORD.command(
    "transcript",
    "",
    "The moves of the game, passes as `pa`, in the format of `play`.",
    """
> play b f5
=
> transcript
= f5
""",
    for_people=("transcript", "the moves of the game"),
)
def _transcript(call: Call) -> str:
    call.expect(0)
    return call.session.game.transcript(passes=True)


@RECORD.command(
    "final_score",
    "",
    "The score of a finished game: `B+12`, `W+4` or `0`. Empty squares count for the winner.",
    """
> final_score
? cannot score: the game is not over
""",
)
def _final_score(call: Call) -> str:
    call.expect(0)
    game = call.session.game
    if not game.is_over:
        raise GtpError(error_text(CANNOT_SCORE, "the game is not over"))
    return format_score(game.final_score)


@RECORD.command(
    "score",
    "",
    "The discs of both sides, and in a finished game who won; empty squares count for the winner.",
    """
> play f5
=
> score
= black 4, white 1
""",
    for_people=("score", "the discs, and at the end who won"),
)
def _score(call: Call) -> str:
    call.expect(0)
    return standing(call.session.position)
