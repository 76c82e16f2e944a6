"""Every parser of the project with its declared errors: one list for the property tests and for scripts/fuzz.

`Parser.check` checks the promises of each entry: an accepted text has a value which, written and read again, is written
the same; a refused text raises the declared error, with a short message of one line.
"""

from __future__ import annotations

import shlex
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from othello_bot import strategies
from othello_bot.arena import settings
from othello_bot.arena.config import ResignRule
from othello_bot.arena.errors import ConfigError
from othello_bot.base import boards, clocks, notation
from othello_bot.base.clocks import TimeControl
from othello_bot.base.errors import FormatError, InputError
from othello_bot.base.evaluated import EvaluatedMove
from othello_bot.base.notation import START, NotationError
from othello_bot.book import opening
from othello_bot.book.compact import CompactBook
from othello_bot.book.entry import BookError
from othello_bot.book.store import Store
from othello_bot.book_growing import exchange, showing, truth, wzebra
from othello_bot.book_growing.exchange import graph_of
from othello_bot.engine.options import Options, find_option
from othello_bot.evaluation import weights
from othello_bot.formats import ggf, obf, pgn, quest, reading, sgf, transcripts, wthor, xof
from othello_bot.formats import reading as formats
from othello_bot.formats.found import FoundGame
from othello_bot.formats.record import GameRecord
from othello_bot.play.players import parse_player
from othello_bot.protocol import (
    analysis,
    cassio,
    detect,
    ggs,
    ggs_values,
    gtp,
    nboard,
    nboard_values,
    time_commands,
)
from othello_bot.protocol import edax as edax_console
from othello_bot.protocol.cassio import CassioError
from othello_bot.protocol.edax import EdaxError
from othello_bot.protocol.gtp import GtpError
from othello_bot.protocol.nboard_values import NBoardError
from othello_bot.rules import game as rules_game
from othello_bot.rules.game import Game
from othello_bot.rules.position import IllegalMove, Position, PositionError
from othello_bot.strategies.techniques import parse_switches
from othello_bot.web import messages

LONGEST_ERROR = 400
"""Characters of a message: what goes into a reply is one short line, whatever came in."""

LONGEST_LISTING = 1000
"""Characters of a message that lists what would be accepted: options, strategies, settings."""

KNOWN_WORDS = """12 play genmove b w black f5 F5 d6 pass PA z9 -- 0 -1 1.5 nan 1e999 99999999999999999999 true interval
    avoid minmoves fischer canadian nboard set depth game move F5/1/2 F5//x hint ping === search book nodestats status
    pong analysis myname ENGINE-PROTOCOL init midgame-search feed-hash ready. info winrate pv order rootInfo = ?
    =12 # ( ; ] 100% 100%W 12@73% 1,2 ٣ é"""

WORDS = (
    *KNOWN_WORDS.split(),
    "\x00",
    "\u2028",
    "\udc80",
    START.cells,
    START.cells + "X",
    f"{START.cells}X, move F5, depth 12, @73%, B+2.00 <= v",
)
"""What the dialects are made of, and what they stumble over, for inputs that put it together in a wrong order."""

Reader = Callable[[Any], object]
Writer = Callable[[Any], str]


@dataclass(frozen=True)
class Parser:
    """A parser: its name, its function, its errors, and the writer of its values, if there is one.

    `raw`: whether it reads bytes instead of text.
    """

    name: str
    read: Reader
    errors: type[Exception] | tuple[type[Exception], ...]
    write: Writer | None = None
    raw: bool = False
    longest_error: int = LONGEST_ERROR

    def check(self, given: str | bytes) -> bool:
        """Return whether the input is accepted; raise AssertionError, or an undeclared error, if a promise is broken."""
        try:
            value = self.read(given)
        except self.errors as error:
            message = str(error)
            assert len(message) < self.longest_error, f"{self.name}: a message of {len(message)} characters"
            assert "\n" not in message, f"{self.name}: a message of several lines: {message!r}"
            return False
        if self.write is not None and value is not None:
            text = self.write(value)
            again = self.write(self.read(text))
            assert again == text, f"{self.name}: written as {text!r}, then as {again!r}"
        return True


# -- the protocols ----------------------------------------------------------------------------------------------------


def _after_the_verb(line: str) -> str:
    return line.partition(" ")[2]


def _kata_time(settings: clocks.TimeSettings) -> str:
    return _after_the_verb(time_commands.format_kata_time_settings(settings))


def _time_settings(settings: clocks.TimeSettings) -> str:
    return _after_the_verb(time_commands.format_time_settings(settings))


def _time_left(told: clocks.TimeLeft) -> str:
    return _after_the_verb(time_commands.format_time_left(told))


def _info(moves: tuple[EvaluatedMove, ...]) -> str:
    # The utility is made from the win rate before that is rounded, so only a report that was read once is stable.
    return analysis.format_info(analysis.parse_info(analysis.format_info(moves)))


def _reply(text: str) -> gtp.Reply:
    return gtp.parse_reply(text.rstrip("\n").split("\n"))


def _ggs_messages(data: bytes) -> list[ggs.Message]:
    return [one for frame in ggs.FrameReader().feed(data + b"\nREADY\n") for one in ggs.parse_frame(frame)]


PROTOCOL_PARSERS = (
    Parser("color", notation.parse_color, NotationError, lambda color: color.letter),
    Parser("square", notation.parse_square, NotationError, notation.move_name),
    Parser("move", notation.parse_move, NotationError, notation.move_name),
    Parser("transcript", notation.parse_transcript, NotationError, notation.format_transcript),
    Parser("board", boards.parse_board, NotationError, str),
    Parser("integer", notation.parse_integer, NotationError, str),
    Parser("decimal", notation.parse_decimal, NotationError, notation.format_decimal),
    Parser("duration", notation.parse_duration, NotationError, lambda seconds: f"{seconds:.6f}"),
    Parser("time-control", TimeControl.parse, NotationError, str),
    Parser("boolean", notation.parse_boolean, NotationError, lambda value: str(value).lower()),
    Parser("gtp-command", gtp.parse, GtpError),
    Parser("gtp-play", lambda line: gtp.parse_play(line.split()), GtpError),
    Parser("gtp-optional-color", lambda line: gtp.parse_optional_color(line.split()), GtpError),
    Parser("gtp-colored-moves", lambda line: gtp.parse_colored_moves(line.split()), GtpError),
    Parser("gtp-reply", _reply, GtpError, gtp.format_reply),
    Parser("time-settings", lambda line: time_commands.parse_time_settings(line.split()), GtpError, _time_settings),
    Parser("time-left", lambda line: time_commands.parse_time_left(line.split()), GtpError, _time_left),
    Parser(
        "kata-time-settings", lambda line: time_commands.parse_kata_time_settings(line.split()), GtpError, _kata_time
    ),
    Parser("analyze-arguments", lambda line: analysis.parse_analyze(line.split()), GtpError),
    Parser("info", analysis.parse_info, NotationError, _info),
    Parser("nboard-command", nboard.parse_command, NBoardError, str),
    Parser("nboard-response", nboard.parse_response, NBoardError, str),
    Parser("nboard-move", nboard_values.parse_annotated, NBoardError, nboard_values.annotated),
    Parser("edax-command", edax_console.parse_command, EdaxError),
    Parser("nboard-game", nboard_values.parse_game, NBoardError),
    Parser("nboard-depth", nboard_values.parse_depth, NBoardError, str),
    Parser("cassio-command", cassio.parse_command, CassioError, str),
    Parser("cassio-response", cassio.parse_response, CassioError, str),
    Parser("dialect", detect.detect, NotationError),
    Parser("ggs-type", ggs_values.parse_match_type, NotationError, str),
    Parser("ggs-clock", ggs_values.parse_clock, NotationError, str),
    Parser("ggs-time-shown", ggs_values.parse_time_shown, NotationError),
    Parser("ggs-move", ggs_values.parse_played, NotationError, nboard_values.annotated),
    Parser("ggs-login", ggs_values.parse_login, NotationError, str),
    Parser("ggs-session", _ggs_messages, NotationError, raw=True),
)
"""What reads the lines of controllers and of engines."""


# -- positions, games and files ---------------------------------------------------------------------------------------


def _written(write: Callable[[GameRecord], str], separator: str = "\n") -> Writer:
    return lambda records: separator.join(map(write, records))


def _list_of(read: Callable[[Any], Iterable[object]]) -> Reader:
    return lambda text: list(read(text))


def _games_found(found: Iterable[FoundGame]) -> list[GameRecord]:
    """Return the readable games; raise the error of the first bad one if there is no other."""
    games = list(found)
    records = [game.record for game in games if game.record is not None]
    if games and not records:
        games[0].checked()
    return records


def _transcript(game: Game) -> str:
    return f"{game.start.to_string()} {game.transcript(passes=True)}"


def _split_start(text: str) -> object:
    start, _ = rules_game.split_start(text)
    return start


def _names(text: str) -> list[opening.NamedLine]:
    lines = opening.read_names(text)
    opening.names_of(lines)
    return lines


def _names_text(lines: list[opening.NamedLine]) -> str:
    return "\n".join(f"{notation.format_transcript(line.moves, passes=False)} {line.name}" for line in lines)


def _compact_book(data: bytes) -> int:
    book = CompactBook.from_bytes(data)
    for key, entry in list(book.entries()):
        assert book.find(key) == entry
    return len(book.names())


def _growing_book(data: bytes) -> int:
    with tempfile.NamedTemporaryFile() as file:
        file.write(data)
        file.flush()
        try:
            with Store(file.name) as store:
                found = [*store.names(), *dict(store.entries())]
                store.damage()
                return len(store) + sum(store.name(key) is not None for key in found if store.find(key) is not None)
        finally:
            for journal in ("-wal", "-shm", "-journal"):
                Path(file.name + journal).unlink(missing_ok=True)


def _proofs(text: str) -> int:
    with tempfile.NamedTemporaryFile() as file:
        file.write(text.encode("utf-8", "surrogateescape"))
        file.flush()
        return len(truth.read_proofs(Path(file.name)))


def _edax_book(data: bytes) -> int:
    return len(graph_of(exchange.read_edax(data)))


def _egaroucid_book(data: bytes) -> int:
    return len(graph_of(exchange.read_egaroucid(data)))


def _wzebra_book(data: bytes) -> int:
    return len(graph_of(wzebra.read(data)))


def _wthor_games(data: bytes) -> list[wthor.WthorGame]:
    games = list(wthor.read_games(data))
    for game in games:
        try:
            ggf.write_game(game.record(["black"], ["event"]))
        except FormatError:
            continue  # one broken game does not end the reading
    return games


def _annotated(value: tuple[int, Any]) -> str:
    return ggf.format_annotated_move(*value)


def _weights(data: bytes) -> object:
    return weights.split(data).stage_of_empties


POSITION_ERRORS = (FormatError, PositionError, IllegalMove)

FORMAT_PARSERS = (
    Parser("rules-square", notation.parse_square, notation.NotationError, notation.square_name),
    Parser("rules-move", notation.parse_move, notation.NotationError, notation.move_name),
    Parser("position", Position.parse, PositionError, Position.to_string),
    Parser("moves", rules_game.parse_moves, FormatError, lambda moves: notation.format_transcript(moves)),
    Parser("start", _split_start, PositionError, Position.to_string),
    Parser("game", Game.from_transcript, POSITION_ERRORS, _transcript),
    Parser("games-of-any-format", _list_of(formats.read_games), FormatError, _written(ggf.write_game)),
    Parser("ggf", _list_of(ggf.FORMAT.records), FormatError, _written(ggf.write_game)),
    Parser("transcripts", lambda text: _games_found(transcripts.found_games(text)), FormatError),
    Parser("quest", lambda text: _games_found(quest.found_games(text)), FormatError),
    Parser("game-file", lambda data: _games_found(reading.games_of_content(data)), FormatError, raw=True),
    Parser("ggf-clock", ggf.parse_clock, FormatError, ggf.format_clock),
    Parser("ggf-move", ggf.parse_annotated_move, FormatError, _annotated),
    Parser("sgf", _list_of(sgf.FORMAT.records), FormatError, _written(sgf.write_game)),
    Parser("xof", lambda text: _games_found(xof.FORMAT.games(text)), FormatError),
    Parser("pgn", _list_of(pgn.FORMAT.records), FormatError, _written(pgn.write_game)),
    Parser("obf", obf.parse_line, FormatError, obf.format_line),
    Parser("opening-names", _names, BookError, _names_text),
    Parser("compact-book", _compact_book, BookError, raw=True),
    Parser("growing-book", _growing_book, (BookError, OSError), raw=True),
    Parser("book-proofs", _proofs, FormatError),
    Parser("book-position", showing.position_of_text, InputError),
    Parser("edax-book", _edax_book, BookError, raw=True),
    Parser("egaroucid-book", _egaroucid_book, BookError, raw=True),
    Parser("wzebra-book", _wzebra_book, BookError, raw=True),
    Parser("wthor-header", wthor.read_header, FormatError, raw=True),
    Parser("wthor-games", _wthor_games, FormatError, raw=True),
    Parser("wthor-players", wthor.read_players, FormatError, raw=True),
    Parser("wthor-tournaments", wthor.read_tournaments, FormatError, raw=True),
    Parser("weights", _weights, weights.WeightsError, raw=True),
    Parser("weights-loaded", weights.from_bytes, weights.WeightsError, raw=True),
)
"""What reads files, and the texts in which positions and games travel."""


# -- options, players and matches -------------------------------------------------------------------------------------


def _option(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    option = find_option(name)
    changed = Options().with_value(name, value)
    return option.name, changed.text(option.name)


def _strategy(spec: str) -> str:
    strategies.make(spec)
    return spec


def _switches(text: str) -> object:
    return parse_switches(dict(word.partition("=")[::2] for word in text.split("+")))


def _engine(text: str) -> object:
    try:
        # The shell's business, too: shlex takes quadratic time.
        words = shlex.split(text) if len(text) <= settings.LONGEST_TEXT else text.split()
    except ValueError:
        return None
    return settings.engine_config(settings.settings_of_words(words))


def _match(text: str) -> object:
    return settings.match_config(settings.settings_of_toml(text, "match.toml"))


SETTING_PARSERS = (
    Parser("option", _option, InputError, "=".join, longest_error=LONGEST_LISTING),
    Parser("strategy", _strategy, strategies.StrategyError, str, longest_error=LONGEST_LISTING),
    Parser("switches", _switches, ValueError, longest_error=LONGEST_LISTING),
    Parser("player", parse_player, InputError, lambda player: player.text, longest_error=LONGEST_LISTING),
    Parser("resign-rule", ResignRule.parse, ConfigError, lambda rule: f"{rule.discs!r}/{rule.moves}"),
    Parser("arena-engine", _engine, ConfigError, longest_error=LONGEST_LISTING),
    Parser("page-message", messages.parse, InputError, longest_error=LONGEST_LISTING),
    Parser("arena-match-file", _match, ConfigError, longest_error=LONGEST_LISTING),
)
"""What reads the settings of options, of players, and of the arena's matches."""

PARSERS = (*PROTOCOL_PARSERS, *FORMAT_PARSERS, *SETTING_PARSERS)
"""All of them."""
