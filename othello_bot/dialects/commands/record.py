"""Commands that show the board and the game, and that read and write records."""

from __future__ import annotations

from pathlib import Path

from othello_bot.dialects.command_table import Call, CommandGroup
from othello_bot.errors import FormatError, InputError
from othello_bot.files import whole_file
from protocol.gtp import (
    CANNOT_LOAD_FILE,
    CANNOT_SAVE_FILE,
    CANNOT_SCORE,
    GtpError,
    error_text,
    format_score,
    parse_integer,
    syntax_error,
)
from protocol.notation import move_name

RECORD = CommandGroup("Board and record")


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
)
def _showboard(call: Call) -> str:
    call.expect(0)
    session = call.session
    opening = session.opening_name()
    board = session.draw_board(session.position)
    return f"\n{board}" + (f"\nopening: {opening}" if opening else "")


@RECORD.command(
    "legal_moves",
    "",
    "The legal moves of the side to move; `pass` if it must pass, nothing if the game is over.",
    """
> legal_moves
= d3 c4 f5 e6
""",
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
    return format_score(game.score)


@RECORD.command(
    "loadsgf",
    "file [move]",
    """Loads a game from an SGF file; with a move number, only the moves before it. Squares may be written as f5 or as
    in Go. Answers the side to move.""",
    """
> loadsgf /nowhere/game.sgf
? cannot load file: ...
""",
)
def _loadsgf(call: Call) -> str:
    from othello_bot.formats import sgf  # imported here: few sessions load a game
    from othello_bot.formats.record import LARGEST_FILE_BYTES

    name, limit = _file_and_number(call)
    try:
        with open(name, "rb") as file:
            # Of a large collection the first game is there by then.
            text = file.read(LARGEST_FILE_BYTES).decode("utf-8", "replace")
        game = sgf.read_game(text).game
    except (OSError, FormatError) as error:
        raise GtpError(error_text(CANNOT_LOAD_FILE, _reason(error))) from None
    if limit is not None and limit - 1 < game.ply:
        game.undo(game.ply - max(0, limit - 1))
    call.session.take_game(game)
    return call.session.position.color.name.lower()


@RECORD.command(
    "printsgf",
    "[file]",
    "Answers the game as SGF, including the current seed, or writes it to a file.",
    """
> play f5
=
> printsgf
= (;...B[f5])
""",
)
def _printsgf(call: Call) -> str:
    from othello_bot.formats import sgf
    from othello_bot.formats.record import GameRecord

    seed = call.session.engine.options.seed
    text = sgf.write_game(GameRecord(game=call.session.game.copy(), comment=f"seed {seed}"))
    if not call.command.text:
        return text
    try:
        with whole_file(Path(call.command.text)) as file:
            file.write(f"{text}\n".encode())
    except OSError as error:
        raise GtpError(error_text(CANNOT_SAVE_FILE, _reason(error))) from None
    return ""


def _file_and_number(call: Call) -> tuple[str, int | None]:
    """Return the file name, which may have spaces, and the number after it, if there is one."""
    if not call.arguments:
        raise syntax_error(f"a file is missing (usage: {call.table[call.command.name].usage})")
    name, _, last = call.command.text.rpartition(" ")
    if name and last.isascii() and last.isdigit():
        return name.strip(), parse_integer(last, 1)
    return call.command.text, None


def _reason(error: Exception) -> str:
    if isinstance(error, OSError):
        return error.strerror or str(error)
    return str(error) if isinstance(error, InputError) else type(error).__name__
