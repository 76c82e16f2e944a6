"""The commands that a person can type in a game: a move, or a word that does something else."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from othello_bot.base.boards import plain
from othello_bot.base.errors import InputError, counted
from othello_bot.base.notation import Color, NotationError, move_name, parse_decimal, parse_integer, parse_move
from othello_bot.engine import Engine, Options, SearchResult, carried_out, find_option
from othello_bot.play.players import Watch, parse_player, watched
from othello_bot.play.table import GameTable, TableClocks
from othello_bot.review import GameReview, Grade, review_steps, slip_lines
from othello_bot.rules import CannotRedo, CannotUndo, Game
from othello_bot.session import keeping, standing
from othello_bot.terminal.keyboard import complete_path, complete_word

REVIEW_LEVEL: Final = 12
"""Level of the searches of a review: a whole game takes a few seconds."""


def review_lines(game: Game, watch: Watch) -> list[str]:
    """Return what the moves of a game were worth, as text; `watch` may end the review, which is then incomplete."""
    stopped = False

    def watch_and_note(result: SearchResult | None) -> bool:
        nonlocal stopped
        stopped = watch(result) or stopped
        return stopped

    with Engine(Options(book=False)) as engine:
        steps = review_steps(game, REVIEW_LEVEL, None, lambda: stopped, onlooker=engine.onlooker)
        moves = carried_out(steps, lambda request: watched(engine, request, watch_and_note))
    review = GameReview(game.copy(), REVIEW_LEVEL, tuple(moves))
    return [
        *([] if review.complete else [f"stopped: {len(moves)} of {counted(game.ply, 'move')} reviewed"]),
        *slip_lines(review),
        *(_side_line(review, color) for color in Color),
    ]


def _side_line(review: GameReview, color: Color) -> str:
    """Return how well a side played, in one line."""
    player = review.player(color)
    total = player.total
    accuracy = "no move with a choice" if total.accuracy is None else f"accuracy {total.accuracy:.0f} %"
    lost = f"{counted(total.loss, 'disc')} lost"
    slips = [
        counted(total.slips[grade], grade.name.lower(), grade.plural) for grade in reversed(Grade) if total.slips[grade]
    ]
    rating = [] if player.rating is None else [f"plays like a player rated {player.rating}"]
    return f"{color.name.lower()}: {', '.join([accuracy, lost, *slips, *rating])}"


HELP: Final = (
    ("f5", "play a move; a pass is played for you"),
    ("go", "let your adviser play a move for you"),
    ("hint [N]", "ask your adviser for the best move, or the N best"),
    ("moves", "list your legal moves"),
    ("board", "draw the board again"),
    ("score", "count the discs"),
    ("transcript", "list the moves of the game"),
    ("review", "see which moves lost discs, and what was better"),
    ("undo [N], redo", "take back your last move, or your last N; play it again"),
    ("new", "begin a new game"),
    ("level N", "how deep the engine thinks, 0 to 60, or auto"),
    ("strength S", "how strong it plays: beginner to champion, or a number"),
    ("side S", "play black, white, both or none"),
    ("switch", "change sides with your opponent"),
    ("black P, white P", "who plays black or white: human, engine:10, iago, iago:3"),
    ("clock M [S]", "M minutes each and S seconds a move; clock off ends it"),
    ("save FILE", "keep the game: .ggf, .sgf, .pgn, or a transcript"),
    ("load FILE", "continue the game in a file"),
    ("resign", "give up"),
    ("help [COMMAND]", "list the commands, or explain one"),
    ("quit", "leave"),
)
"""The commands and what they do; a line may explain two, with a comma between them."""

_HELP_COLUMN: Final = 2 + max(len(usage) for usage, _ in HELP)

AFTER_THE_GAME: Final = "review, transcript, undo, new, save, load or quit"
"""What a person may want once the game is over."""

FILE_WORDS: Final = ("save", "load")

LONGEST_MINUTES: Final = 10_000


class PlayError(InputError):
    """A line that cannot be obeyed; the game is unchanged."""


def obey(table: GameTable, line: str) -> None:
    """Execute a command or play a move; raise an error that says what would be accepted, and change nothing."""
    word, _, rest = line.partition(" ")
    command = COMMANDS.get(plain(word).lower())
    if command is not None:
        command(table, rest.strip())
    elif line:
        _require_a_game(table, line)
        try:
            move = parse_move(plain(line))
        except NotationError:
            raise PlayError("move", line, "a move such as f5, or a command; help lists them") from None
        table.game.position.play(move)  # raises IllegalMove, which names the legal ones
        table.made(move)


def completion(table: GameTable) -> Callable[[str, str], list[str]]:
    """Return the completions of the last word of a line typed in this game."""

    def complete(before: str, text: str) -> list[str]:
        words = before.split()
        if not words:
            return complete_word([*COMMANDS, *_moves(table)], text)
        if words[0].lower() in FILE_WORDS:
            return complete_path(before.lstrip()[len(words[0]) :], text)
        return complete_word(SECOND_WORDS.get(words[0].lower(), ()), text) if len(words) == 1 else []

    return complete


def _require_a_game(table: GameTable, what: str) -> None:
    if table.is_over:
        raise PlayError("after the game", what, AFTER_THE_GAME)


def _moves(table: GameTable) -> list[str]:
    return [move_name(move) for move in table.game.position.legal_moves]


# -- the game ---------------------------------------------------------------------------------------------------------


def _go(table: GameTable, rest: str) -> None:
    _require_a_game(table, "go")
    position = table.game.position
    with table.thinking() as watch:
        move = table.players.adviser.choose(position, table.clock(), watch)
    table.made(move)


def _hint(table: GameTable, rest: str) -> None:
    _require_a_game(table, "hint")
    count = _count("hint", rest) if rest else None
    with table.thinking() as watch:
        lines = table.players.adviser.suggest(table.game.position, watch, count)
    table.front.say("\n".join(lines))


def _review(table: GameTable, rest: str) -> None:
    if not table.game.ply:
        raise PlayError("review", "this game", "one with moves")
    with table.thinking() as watch:
        lines = review_lines(table.game, watch)
    table.front.say("\n".join(lines))


def _undo(table: GameTable, rest: str) -> None:
    """Take back the requested number of own moves, with the answers and passes after them.

    A resignation and a loss on time count as one move.
    """
    count = _count("undo", rest) if rest else 1
    twin = table.game.copy()
    for done in range(int(table.ended_early), count):
        if not _take_back_one(table, twin):
            expected = f"at most {counted(done, 'move')} of yours" if done else "a move of yours before it"
            raise CannotUndo("cannot undo", count, expected)
    table.replace(twin)


def _take_back_one(table: GameTable, game: Game) -> bool:
    """Take back the person's last move; return false without one."""
    while game.ply:
        game.undo()
        if _is_for_a_person(table, game):
            return True
    return False


def _redo(table: GameTable, rest: str) -> None:
    """Replay moves that were taken back until it is a person's turn."""
    twin = table.game.copy()
    if not twin.redoable:
        raise CannotRedo("cannot redo", 1, "an undo before it")
    twin.redo()
    while twin.redoable and not _is_for_a_person(table, twin):
        twin.redo()
    table.replace(twin)


def _is_for_a_person(table: GameTable, game: Game) -> bool:
    """Return whether a person has a move to make there."""
    return table.players.computer(game.position.color) is None and not game.position.must_pass


def _new(table: GameTable, rest: str) -> None:
    if table.offer_to_save():
        table.new_game()
    else:
        table.front.say("the game goes on")


def _resign(table: GameTable, rest: str) -> None:
    _require_a_game(table, "resign")
    table.resign()


# -- players and clocks -----------------------------------------------------------------------------------------------


def _level(table: GameTable, rest: str) -> None:
    with table.changing_players():
        table.players.set_level(rest)


def _strength(table: GameTable, rest: str) -> None:
    with table.changing_players():
        table.players.set_strength(rest)


def _side(table: GameTable, rest: str) -> None:
    with table.changing_players():
        table.players.set_side(rest)


def _switch(table: GameTable, rest: str) -> None:
    with table.changing_players():
        table.players.switch()


def _seat(color: Color) -> Callable[[GameTable, str], None]:
    def seat(table: GameTable, rest: str) -> None:
        with table.changing_players():
            table.players.seat(color, parse_player(rest))

    return seat


def _clock(table: GameTable, rest: str) -> None:
    """Set the clocks from `M`, `M S` or `off`."""
    if rest.lower() == "off":
        table.set_clocks(None)
        table.show()
        return
    words = rest.replace("+", " ").split()
    minutes = _number(words[0], LONGEST_MINUTES) if 1 <= len(words) <= 2 else None
    seconds = _number(words[1], 60 * LONGEST_MINUTES) if len(words) == 2 else 0.0
    if not minutes or seconds is None:
        raise PlayError("clock", rest, "minutes for each player, possibly seconds for each move after them, or off")
    control = 60 * minutes, seconds
    table.set_clocks(TableClocks(*control) if table.clocks is None else table.clocks.restarted(*control))
    table.show()


def _number(text: str, most: float) -> float | None:
    """Return a number from 0 to `most`, None for anything else."""
    try:
        return parse_decimal(text, 0, most)
    except NotationError:
        return None


# -- files and words --------------------------------------------------------------------------------------------------


def _save(table: GameTable, rest: str) -> None:
    if not rest:
        raise PlayError("save", rest, "the name of a file")
    name, overwrite = keeping.split_overwrite(rest)
    path = keeping.save(table.record(), name, table.front.person, overwrite=overwrite)
    table.log.mark_saved(table.game)
    table.front.say(f"saved in {path}")


def _load(table: GameTable, rest: str) -> None:
    if not rest:
        raise PlayError("load", rest, "the name of a file")
    name, number = keeping.split_number(rest)
    record = keeping.load(name, number, table.front.person)
    if not table.offer_to_save():
        table.front.say("the game goes on")
        return
    table.replace(record.game.copy(), record)


def _count(what: str, text: str) -> int:
    """Return the number of moves that follows a command."""
    try:
        return parse_integer(text, 1, 999)
    except NotationError:
        raise PlayError(what, text, "a number of moves, 1 or more") from None


def _help(table: GameTable, rest: str) -> None:
    """List the commands, or those with one name."""
    word = rest.lower()
    command = COMMANDS.get(word)
    chosen = []
    for usage, about in HELP:
        names = [one.split(" ")[0] for one in usage.split(", ")]
        if not word or word in names or (command is not None and command in map(COMMANDS.get, names)):
            chosen.append(f"{usage:{_HELP_COLUMN}}{about}")
    if not chosen:
        raise PlayError("help", rest, "a command, or nothing for the list of all")
    table.front.say("\n".join(chosen))


def _say(text: Callable[[GameTable], str]) -> Callable[[GameTable, str], None]:
    return lambda table, rest: table.front.say(text(table))


def _quit(table: GameTable, rest: str) -> None:
    table.leave()


COMMANDS: Final[dict[str, Callable[[GameTable, str], None]]] = {
    "go": _go,
    "hint": _hint,
    "suggest": _hint,
    "moves": _say(lambda table: " ".join(_moves(table)) or "no move"),
    "board": lambda table, rest: table.show(),
    "score": _say(lambda table: standing(table.game.position)),
    "transcript": _say(lambda table: table.game.transcript(passes=True) or "no move yet"),
    "review": _review,
    "analyze": _review,
    "undo": _undo,
    "redo": _redo,
    "new": _new,
    "level": _level,
    "strength": _strength,
    "side": _side,
    "switch": _switch,
    "black": _seat(Color.BLACK),
    "white": _seat(Color.WHITE),
    "clock": _clock,
    "save": _save,
    "load": _load,
    "resign": _resign,
    "help": _help,
    "?": _help,
    "quit": _quit,
    "exit": _quit,
    "q": _quit,
}

SECOND_WORDS: Final[dict[str, Iterable[str]]] = {
    "strength": [name for name, _ in find_option("strength").names],
    "side": ("black", "white", "both", "none"),
    "clock": ("off",),
    "black": ("human", "engine"),
    "white": ("human", "engine"),
}
