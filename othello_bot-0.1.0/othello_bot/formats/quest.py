"""The JSON in which the server of Othello Quest hands out a finished game.

A game has two players with their ratings, "created" in ISO 8601, "tcb" (the time for all moves in ms), and
"position" with "moves": "m" is a square, "-" for a pass, and "t" the time of the move in ms. "startPos" holds moves
before them, in games from drawn openings. "s" in the last entry says how the game ended for the player on turn after
all moves: WIN, LOSE or DRAW, with :RESIGN, :TIMEUP or :DISCONNECT. An entry with neither "m" nor "s" is a resignation.
The answer of the server wraps it: {"args": [game]}. A file may hold one game, a list, or one a line.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, Final

from othello_bot.base.clocks import TimeControl
from othello_bot.base.errors import FormatError
from othello_bot.base.notation import PASS, NotationError, move_name, number_of, parse_move, parse_transcript
from othello_bot.formats.found import FoundGame, Lines
from othello_bot.formats.record import (
    EndedBy,
    FileMove,
    GameRecord,
    MoveNote,
    is_day,
    one_line,
    read_date,
)
from othello_bot.rules import Position

BEGINNING: Final = re.compile(r"\s*(?:\[\s*)*\{\s*(?:\"(?![^\"\n]*\"\s*[,}])|\})")
"""The beginning of a text of games in JSON; a text in braces without a colon behind it is an array of C."""

_LONGEST_INTEGER: Final = 18


def _integer(text: str) -> int | float:
    """Return the number that digits stand for; as a float if they are many, because int() takes quadratic time."""
    return int(text) if len(text) <= _LONGEST_INTEGER else float(text)


_DECODER: Final = json.JSONDecoder(parse_int=_integer)
_BETWEEN: Final = re.compile(r"(?:[\s,\[\]]+|\{\})*")
"""What may stand between games, objects without content included."""

NEXT: Final = re.compile(r"(?<=\n)\{(?=\s*\")")
"""Where a line begins with a game."""

_PART: Final = re.compile(r'"[^"\\\n]*(?:\\[^\n][^"\\\n]*)*"|["\[\]{}]')
"""A string, a bracket, or the quote of a string that does not end."""

_DEEPEST: Final = 64
_LARGEST_NUMBER: Final = 1e12
PLACE: Final = "Othello Quest"
_EXPECTED: Final = "an Othello Quest game"
_KINDS: Final = ("reversi", "othello", "xot")
"""What the kind of a game begins with in "gtype"."""

_REASONS: Final = {
    "RESIGN": EndedBy.RESIGNATION,
    "TIME": EndedBy.TIME,
    "DISCONN": EndedBy.LEFT,
    "ABANDON": EndedBy.LEFT,
    "LEFT": EndedBy.LEFT,
    "AGREE": EndedBy.AGREEMENT,
}
"""The endings by what stands behind WIN, LOSE and DRAW, or what that begins with."""

_WRITTEN_REASONS: Final = {
    EndedBy.RESIGNATION: "RESIGN",
    EndedBy.TIME: "TIMEUP",
    EndedBy.LEFT: "DISCONNECT",
    EndedBy.AGREEMENT: "AGREEMENT",
}


def found_games(text: str) -> Iterator[FoundGame]:
    """Yield the games of a JSON text, readable or not."""
    lines = Lines(text)
    number = 0
    limit, recovering = len(text), False
    place = _skip(text, 0)
    while place < len(text):
        # A broken value may not reach into the next line that begins with one: otherwise time would grow with the
        # square of the length.
        if recovering and place >= limit:
            limit = _next(text, place + 1)
        try:
            value, end = _decode(text, place, limit)
            games = list(_games_of(value, place))
        except FormatError as error:
            number += 1
            yield FoundGame(number, min(error.place, len(text)), lines.line_of(place), error=error)
            if not recovering:
                limit, recovering = _next(text, place + 1), True
            place = limit
            continue
        for game in games:
            number += 1
            try:
                yield FoundGame(number, place, lines.line_of(place), _record(game, place))
            except FormatError as error:
                yield FoundGame(number, place, lines.line_of(place), error=error)
        place = _skip(text, end)


def _next(text: str, place: int) -> int:
    """Return the offset of the next line that begins with a game, or the end of the text."""
    again = NEXT.search(text, place)
    return len(text) if again is None else again.start()


def _skip(text: str, place: int) -> int:
    """Return the offset of the next value; lists may begin and end before it, so a part of a list is readable too."""
    found = _BETWEEN.match(text, place)
    return place if found is None else found.end()


def _decode(text: str, place: int, limit: int) -> tuple[Any, int]:
    """Return the JSON object at an offset and the offset behind it; raise FormatError if there is none that ends."""
    if text[place] != "{":
        raise FormatError("JSON", text[place : place + 16], _EXPECTED, place)
    end = _end_of(text, place, limit)
    try:
        return _DECODER.decode(text[place:end]), end
    except json.JSONDecodeError as error:
        at = place + error.pos
        raise FormatError("JSON", text[at : at + 16], _EXPECTED, at) from error
    except (ValueError, RecursionError) as error:
        raise FormatError("JSON", text[place : place + 16], _EXPECTED, place) from error


def _end_of(text: str, place: int, limit: int) -> int:
    """Return the offset behind the value that begins at an offset; raise FormatError for one without an end or too deep.

    The decoder calls itself for each bracket, and reads to the end of the text before it refuses.
    """
    depth = 0
    for part in _PART.finditer(text, place, limit):
        if part[0] in "[{":
            depth += 1
            if depth > _DEEPEST:
                raise FormatError("JSON", text[place : place + 16], f"at most {_DEEPEST} values in each other", place)
        elif part[0] in "]}":
            depth -= 1
            if not depth:
                return part.end()
        elif part[0] == '"':
            raise FormatError("JSON", text[part.start() : part.start() + 16], 'a " at the end', part.start())
    raise FormatError("JSON", "", _EXPECTED, limit)


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
    """Return a game; raise FormatError, at the offset of its JSON value, if it is not one."""
    position = game.get("position")
    moves = position.get("moves") if isinstance(position, dict) else None
    if not isinstance(position, dict) or not isinstance(moves, list):
        raise FormatError("game", ", ".join(map(str, game))[:60], '"position" with "moves"', place)
    kind = _text(game.get("gtype"))
    if kind and not kind.lower().startswith(_KINDS):
        raise FormatError("kind of game", kind, "reversi", place)
    record = GameRecord(place=PLACE)
    players = game.get("players")
    players = players if isinstance(players, list) else []
    for player, color in zip(players, ("black", "white"), strict=False):
        if isinstance(player, dict):
            setattr(record, color, _text(player.get("name")) or _text(player.get("id")))
            setattr(record, f"{color}_rating", number_of(player.get("oldR"), 0, _LARGEST_NUMBER))
    record.tell_date(_text(game.get("created")))
    base_ms = number_of(game.get("tcb"), 0, _LARGEST_NUMBER)
    record.clock = None if base_ms is None else TimeControl(base_ms / 1000)
    record.add_line(_start_moves(position.get("startPos"), place))
    line, status = _moves(moves, place)
    record.add_line(line)
    if status is not None:
        _take_ending(record, status)
    return record


def _start_moves(value: Any, place: int) -> list[FileMove]:
    """Return the moves before the first one of the players."""
    text = "".join(map(_text, value)) if isinstance(value, list) else _text(value)
    try:
        moves = parse_transcript(text)
    except NotationError as error:
        raise FormatError("startPos", error.value, 'moves like "f5d6c3"', place) from error
    return [FileMove(move, place) for move in moves]


def _moves(entries: list[Any], place: int) -> tuple[list[FileMove], str | None]:
    """Return the moves of a game, and how it ended: "" for a resignation, None if no entry says anything."""
    line: list[FileMove] = []
    status: str | None = None
    resigned = False
    for entry in entries:
        if not isinstance(entry, dict):
            raise FormatError("move", json.dumps(entry)[:60], 'like {"m": "f5", "t": 1000}', place)
        name, said = entry.get("m"), _text(entry.get("s"))
        status = said or status
        if name is None:
            resigned = True
            continue
        try:
            square = PASS if name == "-" else parse_move(_text(name))
        except NotationError as error:
            raise FormatError("move", _text(name), error.expected, place) from error
        if resigned:
            raise FormatError("move", _text(name), "none after the end of the game", place)
        spent_ms = number_of(entry.get("t"), 0, _LARGEST_NUMBER)
        line.append(FileMove(square, place, note=None if spent_ms is None else MoveNote(None, spent_ms / 1000)))
    return line, "" if resigned and not status else status


def _take_ending(record: GameRecord, status: str) -> None:
    """Take how a game ended for the player on turn; where the rules end it, the board tells more."""
    if record.game.is_over:
        return
    word, _, reason = (status or "LOSE:RESIGN").upper().partition(":")
    record.ending = next((_REASONS[name] for name in _REASONS if reason.startswith(name)), EndedBy.RULES)
    color = record.game.position.color
    if word == "DRAW":
        record.result = 0.0
    elif word in ("WIN", "LOSE"):
        record.tell_winner(color if word == "WIN" else color.opponent)
    if word not in ("DRAW", "WIN", "LOSE") or (reason and not record.ending):
        record.comment = f"the game ended with {status}"


def _text(value: Any) -> str:
    """Return a text or a number as a text; an empty one for anything else."""
    return one_line(str(value)) if isinstance(value, str | int | float) and not isinstance(value, bool) else ""


def write_game(record: GameRecord) -> str:
    """Return a game as one line of JSON. Raise FormatError if it has another start than the usual one."""
    if record.game.start != Position.start():
        raise FormatError("start", record.game.start.to_string(), "the usual start, which Othello Quest does not store")
    moves: list[dict[str, object]] = []
    for ply, move in enumerate(record.game.moves):
        moves.append({"m": "-" if move == PASS else move_name(move)})
        note = record.notes.get(ply)
        if note is not None and note.seconds is not None:
            moves[-1]["t"] = round(1000 * note.seconds)
    players = [
        {"name": one_line(name)} | ({} if rating is None else {"oldR": rating})
        for name, rating in ((record.black, record.black_rating), (record.white, record.white_rating))
    ]
    game: dict[str, object] = {"players": players}
    if record.date:
        game["created"] = _created(record)
    if record.clock is not None:
        game["tcb"] = round(1000 * record.clock.main_s)
    if (status := _status(record)) is not None:
        moves.append({"s": status})
    game["position"] = {"moves": moves}
    return json.dumps(game)


def _created(record: GameRecord) -> str:
    """Return the date in ISO 8601, with the time of day if it is known in universal time."""
    date, time_of_day = read_date(one_line(record.date))
    time_of_day = record.time_of_day or time_of_day
    is_told = is_day(date) and time_of_day.endswith(" UTC")
    return f"{date}T{time_of_day.removesuffix(' UTC')}.000Z" if is_told else date


def _status(record: GameRecord) -> str | None:
    """Return how a game ended for the player on turn; None if it is over by the rules, or nothing is known."""
    winner = record.known_winner
    if record.game.is_over or (winner is None and record.result is None):
        return None
    word = "DRAW" if winner is None else "WIN" if winner is record.game.position.color else "LOSE"
    return f"{word}:{_WRITTEN_REASONS[record.ending]}" if record.ending else word
