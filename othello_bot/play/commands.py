"""The commands that a person can type in a game: a move, or a word that does something else."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial
from typing import Final, NamedTuple

from othello_bot.base.boards import plain
from othello_bot.base.clocks import Clocks, TimeSettings, TimeSystem
from othello_bot.base.errors import InputError, did_you_mean
from othello_bot.base.notation import (
    Color,
    NotationError,
    TranscriptError,
    move_name,
    parse_integer,
)
from othello_bot.dialects.command_table import Call, find, help_of
from othello_bot.dialects.gtp import COMMANDS as SESSION_COMMANDS
from othello_bot.dialects.gtp import GtpDialect
from othello_bot.engine import OPTIONS, SearchRequest, SearchResult, carried_out, files_of, find_option, listing
from othello_bot.formats.transcripts import moves_to_play
from othello_bot.game import LiveGame
from othello_bot.play.players import SUGGESTED_LINES, Watch, parse_player, watched
from othello_bot.play.table import GameTable
from othello_bot.protocol.gtp import Command, parse_play
from othello_bot.protocol.time_commands import (
    KGS_TIME_SYSTEMS,
    parse_kata_time_settings,
    parse_people_clock,
    parse_time_left,
    parse_time_settings,
)
from othello_bot.protocol.wire import LineWriter
from othello_bot.rules import Game, Position
from othello_bot.session import Output, keeping, standing
from othello_bot.session.game_log import notes_of
from othello_bot.terminal.keyboard import complete_path, complete_word

FILE_WORDS: Final = ("save", "load", "games")
_LARGEST_COUNT: Final = 999
"""Most moves that a command takes; more than a game has."""


class PlayError(InputError):
    """A line that cannot be obeyed; the game is unchanged."""


class PlayCommand(NamedTuple):
    """A command as a game at the terminal executes it: its name, what to type, what it does, and the function."""

    name: str
    usage: str
    about: str
    execute: Callable[[GameTable, str], None]


COMMANDS: Final[dict[str, PlayCommand]] = {}
"""The commands that a game executes in its own way, by their words; the words of those that a session has are its own."""

HELP: Final[list[tuple[str, str]]] = [("f5, f5d6c3", "play a move, or a pasted opening; a pass is played for you")]
"""What can be typed, and what it does; a line may explain two, with a comma between them."""


def _command(
    name: str, about: str = "", usage: str = ""
) -> Callable[[Callable[[GameTable, str], None]], Callable[[GameTable, str], None]]:
    """Declare the decorated function as a command; the session's words for it, if there are any, are understood too.

    Without `about`, `help` has no line of its own for it; without `usage`, it is used as in the session.
    """

    def declare(execute: Callable[[GameTable, str], None]) -> Callable[[GameTable, str], None]:
        declared = SESSION_COMMANDS.get(name)
        typed = usage or (declared.usage if declared is not None else name)
        for word in (name, *(declared.aliases if declared is not None else ())):
            COMMANDS[word] = PlayCommand(name, typed, about, execute)
        if about and (typed, about) not in HELP:
            HELP.append((typed, about))
        return execute

    return declare


def obey(table: GameTable, line: str) -> None:
    """Execute a command or play moves; raise an error that says what would be accepted, and change nothing."""
    word, _, rest = line.partition(" ")
    command = COMMANDS.get(plain(word).lower())
    if command is not None:
        command.execute(table, rest.strip())
    elif line:
        _play(table, line)


def _play(table: GameTable, line: str) -> None:
    """Play a move, or all moves of a pasted opening or none."""
    try:
        moves = moves_to_play(line, table.game.position)
    except TranscriptError as error:
        if error.begins_as_moves:
            raise
        table.live.require_going_on(line)
        close = did_you_mean(line.split()[0], COMMANDS)
        raise PlayError("move", line, f"a move such as f5, or a command{close or '; help lists them'}") from None
    _play_moves(table, line, moves)


def _play_moves(table: GameTable, line: str, moves: tuple[int, ...]) -> None:
    """Play a move, or all of several or none."""
    table.live.require_going_on(line)
    if len(moves) == 1:
        table.game.position.play(moves[0])  # raises IllegalMove, which names the legal ones
        table.made(moves[0])
        return
    twin = table.game.copy()
    twin.play_moves(moves)
    table.replace(replace(table.live, game=twin, notes=table.live.known))


def completion(table: GameTable) -> Callable[[str, str], list[str]]:
    """Return the completions of the last word of a line typed in this game."""

    def complete(before: str, text: str) -> list[str]:
        words = before.split()
        if not words:
            return complete_word([*_words_for_people(), *_moves(table)], text)
        command = COMMANDS.get(words[0].lower())
        name = command.name if command is not None else ""
        if name in FILE_WORDS:
            return complete_path(before.lstrip()[len(words[0]) :], text)
        if name == "help":
            return complete_word(_words_for_people(), text)
        return complete_word(SECOND_WORDS.get(name, ()), text) if len(words) == 1 else []

    return complete


def _words_for_people() -> list[str]:
    declared = {word: find(SESSION_COMMANDS, word) for word in COMMANDS}
    return [word for word, found in declared.items() if found is None or found.for_people is not None]


def _moves(table: GameTable) -> list[str]:
    return [move_name(move) for move in table.game.position.legal_moves]


# -- the game ---------------------------------------------------------------------------------------------------------


@_command("genmove", "let your adviser play a move for you", "go")
def _go(table: GameTable, rest: str) -> None:
    table.live.require_going_on("go")
    with table.thinking() as watch:
        move = table.players.adviser.choose(table.game, table.clock(), watch)
    table.made(move)


@_command("play")
def _play_command(table: GameTable, rest: str) -> None:
    """Play the moves of a host's command, of the side to move or the one after a forced pass."""
    wanted = parse_play(rest.split())
    table.live.position_for(wanted.color)
    _play_moves(table, rest, wanted.moves)


@_command("hint", "ask your adviser for the best move, or the N best", "hint [N]")
def _hint(table: GameTable, rest: str) -> None:
    table.live.require_going_on("hint")
    adviser = table.players.adviser
    if adviser.is_textbook:
        count = _count("hint", rest) if rest else None
        with table.thinking() as watch:
            lines = adviser.suggest(table.game.position, watch, count)
        table.front.say("\n".join(lines))
    else:
        _through_a_session(
            table,
            "hint",
            rest or str(SUGGESTED_LINES),
            lambda request, watch: adviser.advice(table.game, request.limits.multi_pv, watch),
        )


@_command("legal_moves", "list your legal moves", "moves")
def _legal_moves(table: GameTable, rest: str) -> None:
    table.front.say(" ".join(_moves(table)) or "no move")


@_command("showboard", "draw the board again", "board")
def _showboard(table: GameTable, rest: str) -> None:
    table.show()


@_command("final_score")
@_command("score", "count the discs")
def _score(table: GameTable, rest: str) -> None:
    discs = standing(table.game.position)
    table.front.say(f"{table.verdict}; {discs}" if table.live.ending else discs)


@_command("transcript", "list the moves of the game")
def _transcript(table: GameTable, rest: str) -> None:
    table.front.say(table.game.transcript(passes=True) or "no move yet")


@_command("review", "see which moves lost discs, and what was better")
def _review(table: GameTable, rest: str) -> None:
    _through_a_session(table, "review", rest)


def _through_a_session(
    table: GameTable, name: str, rest: str, answer: Callable[[SearchRequest, Watch], SearchResult] | None = None
) -> None:
    """Execute a command of the session about the game, with the adviser's engine, and show its answer.

    `answer` searches; by default the engine does as it is asked.
    """
    declaration = SESSION_COMMANDS[name]
    command = Command(name, tuple(rest.split()), None, rest)
    if declaration.answer(command).ends_on_input:
        raise PlayError(name, rest, f"{declaration.usage.partition(' |')[0]}")
    session = table.players.session
    session.live, session.person = LiveGame(table.game), table.front.person
    call = Call(GtpDialect(session, Output(LineWriter(-1), session.traffic)), command, declaration, time.monotonic())
    outcome = declaration.handler(call)
    if not isinstance(outcome, str):
        with table.thinking() as watch:

            def noted(result: SearchResult | None) -> bool:
                call.interrupted = watch(result) or call.interrupted
                return call.interrupted

            ask = answer or partial(watched, session.engine)
            outcome = carried_out(outcome, lambda request: ask(request, noted))
    table.front.say(outcome.strip("\n"))


for _name in ("analyze", "policy", "stats", "book", "eval", "position", "games", "name", "version"):
    _command(_name)(partial(lambda name, table, rest: _through_a_session(table, name, rest), _name))


@_command("undo", "take back your last move, or your last N; play it again", "undo [N], redo")
def _undo(table: GameTable, rest: str) -> None:
    """Take back the requested number of own moves, with the answers and passes after them.

    A resignation and a loss on time count as one move.
    """
    table.replace(table.live.undo(_count("undo", rest) if rest else 1, table.players.people))


@_command("redo")
def _redo(table: GameTable, rest: str) -> None:
    """Replay the requested number of own moves that were taken back, with the answers and passes after them."""
    table.replace(table.live.redo(_count("redo", rest) if rest else 1, table.players.people))


@_command("clear_board")
@_command("newgame", "begin a new game", "new")
def _new(table: GameTable, rest: str) -> None:
    start = Position.parse(rest) if rest else None
    if table.offer_to_save():
        table.new_game(start)
    else:
        table.front.say("the game goes on")


@_command("setposition")
def _setposition(table: GameTable, rest: str) -> None:
    """Continue from a position; the clocks go on."""
    start = Position.parse(rest)
    if table.offer_to_save():
        table.log.begin()
        table.replace(LiveGame(Game(start)))
    else:
        table.front.say("the game goes on")


@_command("resign", "give up")
def _resign(table: GameTable, rest: str) -> None:
    table.live.require_going_on("resign")
    table.resign()


# -- players and clocks -----------------------------------------------------------------------------------------------


@_command("level", "how deep the engine thinks, 0 to 60, or auto; alone, tells it", "level [N]")
def _level(table: GameTable, rest: str) -> None:
    _set_or_tell(table, "level", rest)


@_command("strength", "how strong it plays: beginner to champion, or a number", "strength [S]")
def _strength(table: GameTable, rest: str) -> None:
    _set_or_tell(table, "strength", rest)


@_command("setoption")
def _setoption(table: GameTable, rest: str) -> None:
    name, _, value = rest.partition(" ")
    _set_or_tell(table, find_option(name).name, value.strip())


@_command("getoption")
def _getoption(table: GameTable, rest: str) -> None:
    name = find_option(rest).name
    table.front.say(table.players.engine_options(name).text(name))


@_command("options")
def _options(table: GameTable, rest: str) -> None:
    table.front.say("\n".join(listing(table.players.engine_options("options"))))


def _set_or_tell(table: GameTable, name: str, value: str) -> None:
    """Set an option of the engine on the sides that it plays, or tell its value."""
    if not value:
        table.front.say(table.players.engine_options(name).told(name, table.live.is_clocked))
        return
    with table.changing_players():
        table.players.set_option(name, value)


@_command("side", "play black, white, both or none", "side S")
def _side(table: GameTable, rest: str) -> None:
    with table.changing_players():
        table.players.set_side(rest)


@_command("switch", "change sides with your opponent")
def _switch(table: GameTable, rest: str) -> None:
    with table.changing_players():
        table.players.switch()


@_command("black", "who plays black or white: human, engine:10, iago, iago:3", "black P, white P")
def _black(table: GameTable, rest: str) -> None:
    _seat(table, Color.BLACK, rest)


@_command("white")
def _white(table: GameTable, rest: str) -> None:
    _seat(table, Color.WHITE, rest)


def _seat(table: GameTable, color: Color, text: str) -> None:
    """Let somebody else play a colour, or tell who does."""
    if not text:
        table.front.say(table.players.name(color))
        return
    with table.changing_players():
        table.players.seat(color, parse_player(text))


@_command("clock", "M minutes each and S seconds a move; clock off ends it", "clock M [S]")
def _clock(table: GameTable, rest: str) -> None:
    """Set the clocks from `M`, `M S` or `off`, or tell both."""
    if not rest:
        shown = table.clocks_now()
        table.front.say(", ".join(f"{color.name.lower()} {text}" for color, text in shown.items()) or "no clock")
        return
    _start_clocks(table, parse_people_clock(rest) or TimeSettings())


@_command("clocks")
def _clocks(table: GameTable, rest: str) -> None:
    _clock(table, "")


@_command("time_settings")
def _time_settings(table: GameTable, rest: str) -> None:
    """Set the clocks in seconds, as hosts do; what they may mean two ways is seconds for each move."""
    settings = parse_time_settings(rest.split())
    is_fischer = settings.system is TimeSystem.UNDECIDED and settings.main_s
    _start_clocks(table, replace(settings, system=TimeSystem.FISCHER) if is_fischer else settings)


@_command("kata-time_settings")
def _kata_time_settings(table: GameTable, rest: str) -> None:
    _start_clocks(table, parse_kata_time_settings(rest.split()))


@_command("kgs-time_settings")
def _kgs_time_settings(table: GameTable, rest: str) -> None:
    _start_clocks(table, parse_kata_time_settings(rest.split(), KGS_TIME_SYSTEMS))


@_command("time_left")
def _time_left(table: GameTable, rest: str) -> None:
    table.set_clocks(table.clocks.time_left(parse_time_left(rest.split())))
    _clock(table, "")


def _start_clocks(table: GameTable, settings: TimeSettings) -> None:
    table.set_clocks(Clocks.start(settings))
    table.show()


# -- files and words --------------------------------------------------------------------------------------------------


@_command("save", "keep the game: .ggf, .sgf, .pgn, or a transcript", "save FILE")
def _save(table: GameTable, rest: str) -> None:
    if not rest:
        raise PlayError("save", rest, "the name of a file")
    name, overwrite = keeping.split_overwrite(rest)
    kept = files_of(table.players.options)
    path = keeping.save(table.record(), name, table.front.person, overwrite=overwrite, kept=kept)
    table.log.mark_saved(table.game)
    table.front.say(f"saved in {path}")


@_command("load", "continue the game in a file", "load FILE")
def _load(table: GameTable, rest: str) -> None:
    if not rest:
        raise PlayError("load", rest, "the name of a file")
    name, number = keeping.split_number(rest)
    record = keeping.load(name, number, table.front.person)
    if not table.offer_to_save():
        table.front.say("the game goes on")
        return
    table.front.say(keeping.loaded(record.game))
    table.replace(LiveGame(record.game.copy(), notes=notes_of(record)), record)


def _count(what: str, text: str) -> int:
    """Return the number of moves that follows a command."""
    try:
        return parse_integer(text, 1, _LARGEST_COUNT)
    except NotationError:
        raise PlayError(what, text, f"a number of moves, 1 to {_LARGEST_COUNT}") from None


@_command("help", "list the commands, or explain one", "help [COMMAND]")
def _help(table: GameTable, rest: str) -> None:
    """List the commands, or explain one: in a line, or as the session does."""
    if not rest:
        width = 2 + max(len(usage) for usage, _ in HELP)
        table.front.say("\n".join(f"{usage:{width}}{about}" for usage, about in HELP))
        return
    word = plain(rest).lower()
    command = COMMANDS.get(word)
    for usage, about in HELP:
        names = [one.split(" ")[0] for one in usage.split(", ")]
        if word in names or (command is not None and command.execute in _executed(names)):
            table.front.say(f"{usage}  {about}")
            return
    declared = find(SESSION_COMMANDS, word) if command is not None else None
    if declared is None:
        close = did_you_mean(word, COMMANDS)
        raise PlayError("help", rest, f"a command, or nothing for the list of all{close}")
    table.front.say(help_of(declared))


def _executed(names: Iterable[str]) -> list[Callable[[GameTable, str], None]]:
    return [COMMANDS[name].execute for name in names if name in COMMANDS]


@_command("quit", "leave")
def _quit(table: GameTable, rest: str) -> None:
    table.leave()


SECOND_WORDS: Final[dict[str, Iterable[str]]] = {
    "strength": [name for name, _ in find_option("strength").names],
    "level": ("auto",),
    "setoption": [option.name for option in OPTIONS],
    "getoption": [option.name for option in OPTIONS],
    "side": ("black", "white", "both", "none"),
    "clock": ("off",),
    "black": ("human", "engine"),
    "white": ("human", "engine"),
}
