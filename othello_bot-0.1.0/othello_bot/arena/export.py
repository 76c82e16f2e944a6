"""`othello-bot match export STORE --form FORM`: stored games in all formats of `convert`, as JSON lines or CSV."""

from __future__ import annotations

import argparse
import contextlib
import functools
import json
from collections.abc import Callable, Collection, Iterable, Iterator
from datetime import datetime, timezone
from pathlib import Path
from typing import Final

from othello_bot.arena.adjudication import Ending
from othello_bot.arena.display import write
from othello_bot.arena.errors import ConfigError, guarded
from othello_bot.arena.match import Match, MatchDisplay
from othello_bot.arena.report import ChosenMatches
from othello_bot.arena.report_command import add_store_arguments, chosen_matches, stores_of
from othello_bot.arena.stored import Result, StoredGame, StoredMatch
from othello_bot.base import posix
from othello_bot.base.descriptors import is_special, opened
from othello_bot.base.files import open_regular, whole_file
from othello_bot.base.outputs import OVERWRITE, FileTaken, check_outputs, database, refuse_taken
from othello_bot.base.visible import csv_line, csv_text, visible
from othello_bot.formats import pgn
from othello_bot.formats.record import UNTOLD_MARGIN, EndedBy, GameRecord, MoveNote
from othello_bot.formats.writing import form_game, write_games, written_files
from othello_bot.rules import Game, Position, parse_moves

_ENDINGS: Final = {
    Ending.BOARD: EndedBy.RULES,
    Ending.SOLVED: EndedBy.RULES,
    Ending.RESIGNATION: EndedBy.RESIGNATION,
    Ending.RESIGN_RULE: EndedBy.RESIGNATION,
    Ending.AGREEMENT: EndedBy.RESIGNATION,
    Ending.TIME: EndedBy.TIME,
}
"""What the formats tell of an ending; all others count as a player who left."""

_COLUMNS: Final[dict[str, Callable[[StoredMatch, StoredGame], object]]] = {
    "pair": lambda match, game: game.result.pair,
    "leg": lambda match, game: game.result.leg,
    "round": lambda match, game: game.result.round,
    "black": lambda match, game: match.names[game.result.black],
    "white": lambda match, game: match.names[game.result.white],
    "black_points": lambda match, game: game.result.black_points,
    "discs": lambda match, game: game.result.discs,
    "ending": lambda match, game: game.result.ending.value,
    "loser": lambda match, game: None if game.loser_slot is None else match.names[game.loser_slot],
    "repeats": lambda match, game: game.result.repeats,
    "opening_plies": lambda match, game: game.opening_plies,
    "start": lambda match, game: game.start,
    "moves": lambda match, game: game.moves,
    "black_s": lambda match, game: game.result.black_s,
    "white_s": lambda match, game: game.result.white_s,
    "began": lambda match, game: game.began,
    "duration_s": lambda match, game: game.duration_s,
    "overhead_ms": lambda match, game: game.result.overhead_ms,
    "black_identity": lambda match, game: game.identities[0],
    "white_identity": lambda match, game: game.identities[1],
    "machine": lambda match, game: game.machine,
    "detail": lambda match, game: game.result.detail,
    "match": lambda match, game: match.key,
}
"""The columns of the CSV form, and the keys of the JSON form that are not lists."""

_MOVE_KEYS: Final = ("ply", "used_s", "left_s", "score", "depth", "nodes", "planned_s")
"""The keys of each move in the JSON form."""


def export(chosen: ChosenMatches, form: str) -> Iterator[str]:
    """Yield the text of every game of matches in one of FORMS, line ends included."""
    if form == "csv":
        yield csv_line(_COLUMNS)
    write = FORMS[form]
    for store, match in chosen:
        for game in store.games(match.id):
            yield write(match, game)


def record_of(match: StoredMatch, stored: StoredGame) -> GameRecord:
    """Return a stored game as a record for the formats, with the scores and times of its moves and how it ended."""
    result = stored.result
    game = Game(Position.parse(stored.start))
    game.play_moves(parse_moves(stored.moves))
    margin = UNTOLD_MARGIN * (2 * result.black_points - 1)
    return GameRecord(
        game,
        black=match.names[result.task.black],
        white=match.names[result.task.white],
        event=match.config.event or f"match {match.key[:8]}",
        place=stored.machine.split(" ")[0],
        date=datetime.fromtimestamp(stored.began, timezone.utc).strftime("%Y.%m.%d_%H:%M:%S.UTC"),
        round=f"{result.task.round + 1}.{result.task.leg + 1}",
        result=margin if result.discs is None else float(result.discs),
        ending=_ENDINGS.get(result.ending, EndedBy.LEFT),
        black_clock=match.config.engines[result.black].limits.control,
        white_clock=match.config.engines[result.white].limits.control,
        comment=f"seed {match.config.seed} {result.pair} {result.leg}",
        notes={move.ply: MoveNote(move.score, move.used_s) for move in stored.played},
    )


def _pgn(match: StoredMatch, game: StoredGame) -> str:
    record = record_of(match, game)
    record.date = record.date.split("_")[0]
    if record.black_clock == record.white_clock:
        record.clock = record.black_clock
    return pgn.write_game(record) + "\n"


def _transcript(match: StoredMatch, game: StoredGame) -> str:
    record = record_of(match, game)
    start = "" if game.start == Position.start().to_string() else f"{game.start} "
    result = f"{record.result:+.0f}" if record.result else "0"
    ending = "" if game.result.ending is Ending.BOARD else f" {game.result.ending.value}"
    players = f"{record.black} - {record.white}"
    return f"{start}{record.game.transcript()} # {visible(players)} {result}{ending}\n"


def _json_line(match: StoredMatch, game: StoredGame) -> str:
    content = _columns(match, game)
    content["last_words"] = list(game.last_words)
    for name in ("stops", "stalls", "latencies_s", "retries", "overtimes_s"):
        content[name] = list(getattr(game.result, name))
    content["played"] = [{name: getattr(move, name) for name in _MOVE_KEYS} for move in game.played]
    return json.dumps(content) + "\n"


def _columns(match: StoredMatch, game: StoredGame) -> dict[str, object]:
    return {name: value(match, game) for name, value in _COLUMNS.items()}


def _cell(column: tuple[str, object]) -> object:
    """Return the cell of a column. Only a board may begin with -, its empty square; other texts come from outside."""
    name, value = column
    return csv_text(value) if isinstance(value, str) and name != "start" else value


def _written(ending: str) -> Callable[[StoredMatch, StoredGame], str]:
    """Return the writer of a format that needs nothing but the record."""
    return lambda match, game: str(form_game(record_of(match, game), ending))


WTHOR: Final = "wthor"
"""The form of a base, which is several files."""

FORMS: Final[dict[str, Callable[[StoredMatch, StoredGame], str]]] = {
    "ggf": _written(".ggf"),
    "sgf": _written(".sgf"),
    "pgn": _pgn,
    "obf": _written(".obf"),
    "quest": _written(".json"),
    "transcript": _transcript,
    "jsonl": _json_line,
    "csv": lambda match, game: csv_line(map(_cell, _columns(match, game).items())),
}


GAMES_ENDINGS: Final = {
    ".ggf": "ggf",
    ".sgf": "sgf",
    ".pgn": "pgn",
    ".obf": "obf",
    ".txt": "transcript",
    ".jsonl": "jsonl",
    ".csv": "csv",
}
"""The forms that a game can be added to, by the ending of a file."""


def has_only(file: Iterable[bytes], lines: Collection[bytes]) -> bool:
    """Return whether a file has no other lines than these; the last one may be cut."""
    for line in file:
        if line.rstrip(b"\r\n") in lines:
            continue
        if line.endswith(b"\n") or not any(whole.startswith(line) for whole in lines):
            return False
    return True


class GamesFile(MatchDisplay):
    """A display that also writes each game to a file as soon as it has ended, in the format of the file's ending.

    A resumed match rewrites the file, with its earlier games. Of several arenas that play the same match, the first one
    writes the games of all; when it has ended, another one goes on with the file.
    """

    def __init__(self, display: MatchDisplay, path: Path, *, overwrite: bool = False) -> None:
        """Raise ConfigError for an ending without a format. `overwrite` lets a file of anything be replaced."""
        if path.suffix.lower() not in GAMES_ENDINGS:
            raise ConfigError("file of games", str(path), f"a name ending in {', '.join(GAMES_ENDINGS)}")
        self._display = display
        self._path = path
        self._overwrite = overwrite
        self._form = GAMES_ENDINGS[path.suffix.lower()]
        self._match: Match | None = None
        self._held = contextlib.ExitStack()
        """Holds the file while this arena writes it."""
        self._is_writer = False

    def begin(self, match: Match) -> None:
        """Write the games played before. Raise FileTaken rather than replace a file of something else."""
        self._write_all(match)
        self._match = match
        self._display.begin(match)

    def _write_all(self, match: Match) -> None:
        """Write all games, and hold the file, unless another arena does. Raise FileTaken."""
        with self._sole_writer() as is_free:
            if not is_free and self._match is not None:
                return
            there = self._lines()  # before the store is asked: another arena adds to the store first
            written = "".join(export([(match.store, match.stored)], self._form)).encode("utf-8", "replace")
            lines = set(written.splitlines())
            refuse_taken(self._path, overwrite=self._overwrite, is_own=lambda _: has_only(there, lines), word=OVERWRITE)
            if not is_free:
                return
            with whole_file(self._path) as file:
                file.write(written)
        self._is_writer = self._held.enter_context(self._sole_writer())

    def _lines(self) -> list[bytes]:
        """Return the lines of the file; none of what is no file."""
        if not self._is_file:
            return []
        with open_regular(self._path) as file:
            return file.readlines()

    @property
    def _is_file(self) -> bool:
        return self._path.is_file() and not is_special(self._path)

    def _sole_writer(self) -> contextlib.AbstractContextManager[bool]:
        """Hold the file unless another process does; what is no file, or not yet one, is free."""
        return posix.sole_holder(self._path) if self._is_file else contextlib.nullcontext(True)

    def game(self, result: Result) -> None:
        """Add a game."""
        assert self._match is not None
        if self._is_writer:
            text = FORMS[self._form](self._match.stored, self._match.store.game(self._match.stored.id, result.id))
            with open(self._path, "ab", opener=opened) as file:
                file.write(text.encode("utf-8", "replace"))
        else:
            self._write_all(self._match)
        self._display.game(result)

    def look(self) -> None:
        """Do as the display does."""
        self._display.look()

    def end(self) -> None:
        """Do as the display does."""
        self._held.close()
        self._display.end()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of the command."""
    parser.description = "Write the games of the matches in a store."
    add_store_arguments(parser)
    parser.add_argument("--form", choices=(*FORMS, WTHOR), required=True, help="the format")
    parser.add_argument("--output", type=Path, metavar="FILE", help="the file to write (standard output)")
    parser.add_argument(
        "--overwrite", action="store_true", help="let --output replace a file with anything but games of these matches"
    )


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "replace")


def _is_list_of(path: Path, chosen: ChosenMatches, form: str) -> bool:
    """Return whether a file has nothing but games of these matches, in this form."""
    with open_regular(path) as file:
        return has_only(file, {line for text in export(chosen, form) for line in _encoded(text).splitlines()})


@guarded("match export")
def run(args: argparse.Namespace) -> int:
    """Write the games; return 0, 1 for an unusable file, 2 for a match that is not in the store."""
    if args.output is not None:
        outputs = written_files(args.output, ".wtb" if args.form == WTHOR else "")
        check_outputs({"--output": outputs}, store=database(*stores_of(args)))
    with chosen_matches(args) as chosen:
        if args.form == WTHOR:
            if args.output is None:
                raise ConfigError("output", "none", "a FILE for a WTHOR base, which keeps names in files beside it")
            records = (record_of(match, game) for store, match in chosen for game in store.games(match.id))
            try:
                write_games(records, args.output, ending=".wtb", overwrite=args.overwrite)
            except FileTaken as error:
                raise FileTaken(args.output.with_name(str(error.value)), f"{error.expected}, or {OVERWRITE}") from None
        elif args.output is None:
            for text in export(chosen, args.form):
                write(text)
        else:
            own = functools.partial(_is_list_of, chosen=chosen, form=args.form)
            refuse_taken(args.output, overwrite=args.overwrite, is_own=own, word=OVERWRITE)
            with whole_file(args.output) as file:
                file.writelines(_encoded(text) for text in export(chosen, args.form))
    return 0
