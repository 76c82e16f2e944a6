"""Stored games in other forms: GGF, PGN, transcripts, JSON lines, CSV; one text a game, as the store yields them."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator
from datetime import datetime, timezone
from typing import Any, Final

from othello_bot.arena.store import Store
from othello_bot.arena.stored import StoredGame, StoredMatch
from othello_bot.formats import ggf, pgn
from othello_bot.formats.record import UNTOLD_MARGIN, ClockSetting, GameRecord, MoveNote
from othello_bot.rules import Game, Position, parse_moves
from protocol.notation import Color

_ENDINGS: Final = {
    "board": "",
    "solved": "",
    "resignation": "resignation",
    "resign rule": "resignation",
    "time": "time",
}
"""How the formats name what ended a game; all else is a player who left."""

_COLUMNS: Final = (
    "pair",
    "leg",
    "round",
    "black",
    "white",
    "black_points",
    "discs",
    "ending",
    "loser",
    "repeats",
    "opening_plies",
    "start",
    "moves",
    "black_s",
    "white_s",
    "began",
    "duration_s",
    "overhead_ms",
    "black_identity",
    "white_identity",
    "machine",
    "detail",
)


def export(store: Store, match: StoredMatch, form: str) -> Iterator[str]:
    """Yield the text of every game of a match in one of FORMS, line ends included."""
    if form == "csv":
        yield _csv_line(_COLUMNS)
    write = FORMS[form]
    for game in store.games(match.id):
        yield write(match, game)


def record_of(match: StoredMatch, stored: StoredGame) -> GameRecord:
    """Return a stored game as the formats write it: with scores and times of the moves, and why it ended."""
    result = stored.result
    game = Game(Position.parse(stored.start))
    game.play_moves(parse_moves(stored.moves))
    margin = UNTOLD_MARGIN * (2 * result.black_points - 1)
    return GameRecord(
        game,
        black=match.names[result.task.black],
        white=match.names[result.task.white],
        event=match.config["event"] or f"match {match.key[:8]}",
        place=stored.machine.split(" ")[0],
        date=datetime.fromtimestamp(stored.began, timezone.utc).strftime("%Y.%m.%d_%H:%M:%S.UTC"),
        round=f"{result.task.round + 1}.{result.task.leg + 1}",
        result=margin if result.discs is None else float(result.discs),
        ending=_ENDINGS.get(result.ending, "left"),
        black_clock=_clock(match, result.task.black),
        white_clock=_clock(match, result.task.white),
        comment=f"seed {match.config['seed']} {result.task.pair} {result.task.leg}",
        notes={move.ply: MoveNote(move.score, move.used_s) for move in stored.played},
    )


def _clock(match: StoredMatch, slot: int) -> ClockSetting | None:
    control = match.config["engines"][slot]["limits"]["control"]
    return None if control is None else ClockSetting(control["main_s"], control["increment_s"])


def _ggf(match: StoredMatch, game: StoredGame) -> str:
    return ggf.write_game(record_of(match, game)) + "\n"


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
    ending = "" if game.result.ending == "board" else f" {game.result.ending}"
    return f"{start}{record.game.transcript()} # {record.black} - {record.white} {result}{ending}\n"


def _json_line(match: StoredMatch, game: StoredGame) -> str:
    content = dict(zip(_COLUMNS, _row(match, game), strict=True))
    content["match"] = match.key
    content["last_words"] = list(game.last_words)
    content["played"] = [
        {
            "ply": move.ply,
            "used_s": move.used_s,
            "left_s": move.left_s,
            "score": move.score,
            "depth": move.depth,
            "nodes": move.nodes,
        }
        for move in game.played
    ]
    return json.dumps(content) + "\n"


def _row(match: StoredMatch, game: StoredGame) -> tuple[Any, ...]:
    """Return what is known of a game, in the order of _COLUMNS."""
    result = game.result
    task = result.task
    loser = None if result.loser is None else match.names[task.black if result.loser is Color.BLACK else task.white]
    return (
        task.pair,
        task.leg,
        task.round,
        match.names[task.black],
        match.names[task.white],
        result.black_points,
        result.discs,
        result.ending,
        loser,
        result.repeats,
        game.opening_plies,
        game.start,
        game.moves,
        *result.seconds,
        game.began,
        game.duration_s,
        result.overhead_ms,
        *game.identities,
        game.machine,
        result.detail,
    )


def _csv_line(values: tuple[Any, ...]) -> str:
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(values)
    return line.getvalue()


FORMS: Final[dict[str, Callable[[StoredMatch, StoredGame], str]]] = {
    "ggf": _ggf,
    "pgn": _pgn,
    "transcript": _transcript,
    "jsonl": _json_line,
    "csv": lambda match, game: _csv_line(_row(match, game)),
}
