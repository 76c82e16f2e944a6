"""The JSON in which the server of Othello Quest hands out a finished game.

A game has two players with their ratings, "created" in ISO 8601, "tcb" (the time for all moves in ms), and
"position" with "moves": "m" is a square, "-" for a pass, and "t" the time of the move in ms. A move without "m" is a
resignation. The answer of the server wraps it: {"args": [game]}. A file may hold one game, a list, or one a line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from othello_bot.errors import FormatError
from othello_bot.formats.found import FoundGame, Lines
from othello_bot.formats.record import UNTOLD_MARGIN, ClockSetting, FileMove, GameRecord, MoveNote
from othello_bot.rules import Position
from protocol.notation import PASS, Color, NotationError, move_name, parse_move

BEGINNING: Final = re.compile(r"\s*(?:\[\s*)*\{\s*(?:\"|\})")
"""The beginning of a text of games in JSON."""

_DECODER: Final = json.JSONDecoder()
_BETWEEN: Final = re.compile(r"[\s,\[\]]*")
NEXT: Final = re.compile(r"(?<=\n)\{")
"""Where a line begins with a game."""

_DEEPEST: Final = 64
_LARGEST_NUMBER: Final = 1e12
_PLACE: Final = "Othello Quest"


def found_games(text: str) -> Iterator[FoundGame]:
    """Yield the games of a JSON text, readable or not."""
    lines = Lines(text)
    number = 0
    place = _skip(text, 0)
    while place < len(text):
        try:
            value, end = _decode(text, place)
            games = list(_games_of(value, place))
        except FormatError as error:
            number += 1
            yield FoundGame(number, min(error.place, len(text)), lines.line_of(place), error=error)
            again = NEXT.search(text, place + 1)
            place = len(text) if again is None else again.start()
            continue
        for game in games:
            number += 1
            try:
                yield FoundGame(number, place, lines.line_of(place), _record(game, place))
            except FormatError as error:
                yield FoundGame(number, place, lines.line_of(place), error=error)
        place = _skip(text, end)


def _skip(text: str, place: int) -> int:
    """Return the offset of the next value; lists may begin and end before it, so a part of a list is readable too."""
    found = _BETWEEN.match(text, place)
    return place if found is None else found.end()


def _decode(text: str, place: int) -> tuple[Any, int]:
    """Return the JSON value at an offset and the offset behind it; raise FormatError if there is none."""
    if _deepest(text, place) > _DEEPEST:
        raise FormatError("JSON", text[place : place + 16], f"at most {_DEEPEST} values within each other", place)
    try:
        return _DECODER.raw_decode(text, place)
    except json.JSONDecodeError as error:
        raise FormatError("JSON", text[error.pos : error.pos + 16], "an Othello Quest game", error.pos) from error
    except (ValueError, RecursionError) as error:
        raise FormatError("JSON", text[place : place + 16], "an Othello Quest game", place) from error


def _deepest(text: str, place: int) -> int:
    """Return how many brackets follow each other at an offset: the decoder calls itself for each."""
    found = re.compile(r"[\[{\s]*").match(text, place)
    return 0 if found is None else sum(char in "[{" for char in found[0])


def _games_of(value: Any, place: int) -> Iterator[dict[str, Any]]:
    """Yield the games in a value: a game, the server's answer, or a list of either; raise FormatError for another."""
    if isinstance(value, dict) and isinstance(value.get("args"), list):
        value = value["args"]
    for game in value if isinstance(value, list) else [value]:
        if isinstance(game, dict) and isinstance(game.get("args"), list) and len(game["args"]) == 1:
            game = game["args"][0]
        if not isinstance(game, dict):
            raise FormatError("JSON value", json.dumps(game)[:60], 'a game with "position"', place)
        yield game


def _record(game: dict[str, Any], place: int) -> GameRecord:
    """Return a game; raise FormatError, at the offset of its JSON value, if it is none."""
    position = game.get("position")
    moves = position.get("moves") if isinstance(position, dict) else None
    if not isinstance(moves, list):
        raise FormatError("game", ", ".join(map(str, game))[:60], '"position" with "moves"', place)
    record = GameRecord(place=_PLACE)
    players = game.get("players")
    players = players if isinstance(players, list) else []
    for player, color in zip(players, ("black", "white"), strict=False):
        if isinstance(player, dict):
            setattr(record, color, _text(player.get("name", player.get("id"))))
            setattr(record, f"{color}_rating", _number(player.get("oldR")))
    record.date = _text(game.get("created"))[:10]
    base_ms = _number(game.get("tcb"))
    record.clock = None if base_ms is None else ClockSetting(base_ms / 1000)
    line: list[FileMove] = []
    for move in moves:
        _read_move(record, line, move, place)
    record.add_line(line)
    return record


def _read_move(record: GameRecord, line: list[FileMove], move: Any, place: int) -> None:
    """Add one move of the JSON to the line; one without a square is a resignation."""
    if not isinstance(move, dict):
        raise FormatError("move", json.dumps(move)[:60], 'like {"m": "f5", "t": 1000}', place)
    name = move.get("m")
    if name is None:
        record.add_line(line)
        line.clear()
        if not record.game.is_over and not record.ending:
            loser_is_black = record.game.position.color is Color.BLACK
            record.result, record.ending = -UNTOLD_MARGIN if loser_is_black else UNTOLD_MARGIN, "resignation"
        return
    try:
        square = PASS if name == "-" else parse_move(_text(name))
    except NotationError as error:
        raise FormatError("move", _text(name), error.expected, place) from error
    if record.ending:
        raise FormatError("move", _text(name), "none after the resignation", place)
    spent_ms = _number(move.get("t"))
    line.append(FileMove(square, place, note=None if spent_ms is None else MoveNote(None, spent_ms / 1000)))


def _text(value: Any) -> str:
    """Return a text or a number as a text; an empty one for anything else."""
    return " ".join(str(value).split()) if isinstance(value, str | int | float) and not isinstance(value, bool) else ""


def _number(value: Any) -> float | None:
    """Return a number that can be a rating or a time; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= _LARGEST_NUMBER:
        return None
    return float(value)


def write_game(record: GameRecord) -> str:
    """Return a game as one line of JSON. Raise FormatError if it has another start than the usual one."""
    if record.game.start != Position.start():
        raise FormatError("start", record.game.start.to_string(), "the usual start, which Othello Quest does not store")
    moves: list[dict[str, object]] = []
    for ply, move in enumerate(record.game.moves):
        note = record.notes.get(ply)
        seconds = 0.0 if note is None or note.seconds is None else note.seconds
        moves.append({"m": "-" if move == PASS else move_name(move), "t": round(1000 * seconds)})
    players = [
        {"name": name} | ({} if rating is None else {"oldR": rating})
        for name, rating in ((record.black, record.black_rating), (record.white, record.white_rating))
    ]
    game: dict[str, object] = {"players": players}
    if record.date:
        game["created"] = record.date
    if record.clock is not None:
        game["tcb"] = round(1000 * record.clock.base_s)
    if record.ending == "resignation" and _resigns(record):
        moves.append({"t": 0})
    game["position"] = {"moves": moves}
    return json.dumps(game)


def _resigns(record: GameRecord) -> bool:
    """Return whether the player to move is the one who lost."""
    lost_by = Color.BLACK if (record.result or 0) < 0 else Color.WHITE
    return not record.game.is_over and record.game.position.color is lost_by
