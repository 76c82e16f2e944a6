"""Commands about game files: loading, saving, listing what a file holds."""

from __future__ import annotations

from othello_bot.base.errors import FormatError, InputError, counted
from othello_bot.dialects.command_table import Call, CommandGroup
from othello_bot.protocol.gtp import CANNOT_LOAD_FILE, CANNOT_SAVE_FILE, GtpError, error_text, syntax_error

FILES = CommandGroup("Files")


@FILES.command(
    "load",
    "file [number]",
    """Loads a game from a GGF, SGF, PGN, Othello Quest or transcript file or a WTHOR base (.wtb), and answers how many
    moves it has and whose turn it is. The number says which of several games: a terminal asks for it, in a pipe it has
    to be there. `~` is the home folder.""",
    """
> load /nowhere/game.ggf
? cannot load file: ...
""",
    for_people=("load FILE", "go on with a game, of any usual format"),
)
def _load(call: Call) -> str:
    from othello_bot.session import keeping  # imported here: few sessions use files

    name, number = keeping.split_number(_file(call))
    try:
        record = keeping.load(name, number, call.session.person)
    except (OSError, InputError) as error:
        raise _cannot_load(error) from None
    call.session.take_game(record.game, record)
    game = record.game
    turn = "the game is over" if game.is_over else f"{game.position.color.name.lower()} to move"
    return f"{counted(game.ply, 'move')}, {turn}"


@FILES.command(
    "save",
    "file [overwrite]",
    """Saves the game with its players, date, clocks and the seed in use: as GGF, SGF, PGN, JSON of Othello Quest, WTHOR
    (.wtb) or the position as OBF where the name ends so, as a transcript under any other. A name that then ends in
    .gz, .bz2 or .xz compresses it. `~` is the home folder. A file that exists is replaced only after the word
    `overwrite`, or a yes to the question that a terminal asks.""",
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
    for_people=("games FILE", "list the games of a file"),
)
def _games(call: Call) -> str:
    from othello_bot.formats.files import open_games, user_path

    try:
        games = open_games(user_path(_file(call)))
    except (OSError, FormatError) as error:
        raise _cannot_load(error) from None
    return "\n".join(f"{number} {title}" for number, title in enumerate(games.titles, start=1))


@FILES.command(
    "loadsgf",
    "file [move]",
    """Loads a game from an SGF file, up to before the move of that number where one is given. Both ways of writing
    squares are understood, f5 and those of Go programs. Answers the side to move.""",
    """
> loadsgf /nowhere/game.sgf
? cannot load file: ...
""",
)
def _loadsgf(call: Call) -> str:
    from othello_bot.base.files import read_regular
    from othello_bot.formats.files import user_path
    from othello_bot.formats.reading import first_game_of_content
    from othello_bot.formats.record import LARGEST_FILE_BYTES
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
    """The game as SGF with its players, date, clocks and the seed in use, as the answer or into a file. A file that
    exists is replaced only after the word `overwrite`, or a yes to the question that a terminal asks.""",
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
    name, overwrite = keeping.split_overwrite(_file(call))
    try:
        keeping.save(session.record(), name, session.person, overwrite=overwrite, ending=ending)
    except (OSError, InputError) as error:
        raise GtpError(error_text(CANNOT_SAVE_FILE, keeping.reason(error))) from None
    session.log.mark_saved(session.game)


def _file(call: Call) -> str:
    """Return the text after the command; raise GtpError if there is none."""
    if not call.arguments:
        raise syntax_error(f"a file is missing (usage: {call.table[call.command.name].usage})")
    return call.command.text


def _cannot_load(error: OSError | InputError) -> GtpError:
    from othello_bot.session.keeping import reason

    return GtpError(error_text(CANNOT_LOAD_FILE, reason(error)))
