"""Commands that show the board and the game, and those that load and save it."""

from __future__ import annotations

from othello_bot.base.errors import FormatError, InputError
from othello_bot.base.notation import move_name
from othello_bot.base.output import words_of
from othello_bot.base.visible import visible
from othello_bot.dialects.command_table import Call, CommandGroup
from othello_bot.engine import files_of
from othello_bot.protocol.gtp import (
    CANNOT_LOAD_FILE,
    CANNOT_SAVE_FILE,
    CANNOT_SCORE,
    GtpError,
    error_text,
    format_score,
    syntax_error,
)
from othello_bot.session import standing

RECORD = CommandGroup("Board")

_SCORE_AND_TRANSCRIPT = ("score, transcript", "the discs, and at the end who won; the moves")
_LOAD_AND_GAMES = ("load FILE, games FILE", "open a game, or list the games, of a file")


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
    for_people=_SCORE_AND_TRANSCRIPT,
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
        reason = call.session.verdict if call.session.resigned else "the game is not over"
        raise GtpError(error_text(CANNOT_SCORE, reason))
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
    for_people=_SCORE_AND_TRANSCRIPT,
)
def _score(call: Call) -> str:
    call.expect(0)
    session = call.session
    return f"{session.verdict}; {standing(session.position)}" if session.resigned else standing(session.position)


FILES = CommandGroup("Files")


@FILES.command(
    "load",
    "file [number]",
    """Loads a game from a GGF, SGF, PGN, Othello Quest or transcript file or a WTHOR base (.wtb), and answers how many
    moves it has and whose turn it is. The number selects one of several games; a terminal asks for it, in a pipe it is
    required. `~` is the home folder.""",
    """
> load /nowhere/game.ggf
? cannot load file: ...
""",
    for_people=_LOAD_AND_GAMES,
)
def _load(call: Call) -> str:
    from othello_bot.session import keeping  # imported here: few sessions use files

    name, number = keeping.split_number(_file(call))
    try:
        record = keeping.load(name, number, call.session.person)
    except (OSError, InputError) as error:
        raise _cannot_load(error) from None
    call.session.take_game(record.game, record)
    return keeping.loaded(record.game)


@FILES.command(
    "save",
    "file [overwrite]",
    """Saves the game with its players, date, clocks and the seed in use. The ending of the name selects the format: .ggf,
    .sgf, .pgn, .json (Othello Quest), .wtb (WTHOR) or .obf (the position); any other ending writes a transcript. A
    further .gz, .bz2 or .xz compresses the file. `~` is the home folder. An existing file is replaced only with the word
    `overwrite`, or after a yes to the question that a terminal asks.""",
    """
> save /nowhere/game.ggf
? cannot save file: ...
""",
    for_people=("save FILE", "keep the game: .ggf, .sgf, .pgn or .txt"),
)
def _save(call: Call) -> str:
    _save_game(call)
    return ""


@FILES.command(
    "games",
    "file",
    "Lists the games of a file with the numbers that `load` takes: players, discs, date, event, first moves.",
    """
> games /nowhere/games.wtb
? cannot load file: ...
""",
    for_people=_LOAD_AND_GAMES,
)
def _games(call: Call) -> str:
    from othello_bot.formats.writing import open_games, user_path

    try:
        games = open_games(user_path(_file(call)))
    except (OSError, FormatError) as error:
        raise _cannot_load(error) from None
    return "\n".join(f"{number} {title}" for number, title in enumerate(games.titles, start=1))


@FILES.command(
    "loadsgf",
    "file [move]",
    """Loads a game from an SGF file, or only the part before the move with that number. Squares may be written as f5 or as
    Go programs write them. Answers the side to move.""",
    """
> loadsgf /nowhere/game.sgf
? cannot load file: ...
""",
)
def _loadsgf(call: Call) -> str:
    from othello_bot.base.files import read_regular
    from othello_bot.formats.reading import first_game_of_content
    from othello_bot.formats.record import LARGEST_FILE_BYTES
    from othello_bot.formats.writing import user_path
    from othello_bot.session import keeping

    name, limit = keeping.split_number(_file(call))
    try:
        path = user_path(name)
        # The first game of a large collection is available by then.
        record = first_game_of_content(read_regular(path, LARGEST_FILE_BYTES), path.name)
    except (OSError, FormatError) as error:
        raise _cannot_load(error) from None
    game = record.game.copy()
    if limit is not None and limit - 1 < game.ply:
        game.undo(game.ply - max(0, limit - 1))
    call.session.take_game(game, record)
    return call.session.position.color.name.lower()


@FILES.command(
    "printsgf",
    "[file [overwrite]]",
    """Answers the game as SGF with its players, date, clocks and the seed in use, or writes it to a file. An existing file
    is replaced only with the word `overwrite`, or after a yes to the question that a terminal asks.""",
    """
> play f5
=
> printsgf
= (;...B[f5])
""",
)
def _printsgf(call: Call) -> str:
    from othello_bot.formats import sgf

    if not call.command.text:
        return sgf.write_game(call.session.record())
    _save_game(call, ending=".sgf")
    return ""


def _save_game(call: Call, ending: str = "") -> None:
    """Save the session's game in the file that the command names; raise GtpError if that fails."""
    from othello_bot.session import keeping

    session = call.session
    text = _file(call)
    try:
        name, overwrite = keeping.split_overwrite(text)
        kept = files_of(session.engine.options)
        keeping.save(session.record(), name, session.person, overwrite=overwrite, ending=ending, kept=kept)
    except (OSError, InputError) as error:
        raise GtpError(error_text(CANNOT_SAVE_FILE, visible(words_of(error)))) from None
    session.log.mark_saved(session.game)


def _file(call: Call) -> str:
    """Return the text after the command; raise GtpError if it is empty."""
    if not call.arguments:
        raise syntax_error(f"a file is missing (usage: {call.usage})")
    return call.command.text


def _cannot_load(error: OSError | InputError) -> GtpError:
    return GtpError(error_text(CANNOT_LOAD_FILE, visible(words_of(error))))
