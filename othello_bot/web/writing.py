"""The games of uploads as the page takes them, and a game as text of a format."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Iterator
from typing import Any, Final

from othello_bot.errors import FormatError, InputError
from othello_bot.formats import detect, ggf, obf, pgn, record, sgf, wthor
from othello_bot.formats.record import LARGEST_FILE_BYTES, GameRecord
from othello_bot.rules import Position
from othello_bot.web.messages import AskText
from protocol.notation import format_transcript

MOST_GAMES: Final = 5000
"""Games of an upload that are listed; the reply says how many there are."""

MOST_FILES: Final = 8

Listed = dict[str, Any]


def written(ask: AskText) -> str:
    """Return the game in a format; raise InputError for an unknown one."""
    lost = {"black": -record.UNTOLD_MARGIN, "white": record.UNTOLD_MARGIN}.get(ask.loser)
    game = GameRecord(
        ask.game, black=ask.black, white=ask.white, date=ask.date, result=lost, ending=ask.ending if lost else ""
    )
    writers = {"ggf": ggf.write_game, "sgf": sgf.write_game, "pgn": pgn.write_game}
    if ask.format not in writers:
        raise InputError("format", ask.format, f"one of {', '.join(writers)}")
    return writers[ask.format](game)


def listed(body: bytes) -> Listed:
    """Return the games of an upload: `{"files": [{"name": ..., "base64": ...}]}`.

    The file of games may come with the files of names of a WTHOR base. Raise InputError, also for a game that cannot be
    read.
    """
    files = _files(body)
    bases = [content for name, content in files if name.endswith(".wtb")]
    if bases:
        return _listing(_wthor_games(bases[0], files))
    if len(files) != 1 or not files[0][1].strip():
        raise InputError("files", [name for name, _ in files], "one file of games, or a WTHOR base with its names")
    name, content = files[0]
    if len(content) > LARGEST_FILE_BYTES:
        raise InputError("file", name, f"at most {LARGEST_FILE_BYTES >> 20} MiB of text")
    text = _decoded(content)
    problems = _positions(text)
    return _listing(iter(problems) if problems else map(_game, detect.read_games(text)))


def _files(body: bytes) -> list[tuple[str, bytes]]:
    """Return the names, in small letters, and the contents of an upload's files."""
    try:
        parts = json.loads(body)["files"]
        files = [(str(part["name"]).lower(), base64.b64decode(part["base64"], validate=True)) for part in parts]
    except (ValueError, TypeError, KeyError, RecursionError, binascii.Error):
        raise InputError("upload", f"{len(body)} bytes", 'a JSON object {"files": [{"name", "base64"}]}') from None
    if len(files) > MOST_FILES:
        raise InputError("files", len(files), f"at most {MOST_FILES}")
    return files


def _decoded(content: bytes) -> str:
    """Return the text of a file: UTF-8, or else Latin-1 as in old files."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")


def _positions(text: str) -> list[Listed]:
    """Return the positions of an OBF text; none if its first line is not one."""
    try:
        problems = list(obf.read(text.splitlines()))
    except (FormatError, InputError):
        return []
    return [
        {"start": problem.position.to_string(), "moves": "", "title": f"position {number}"}
        for number, problem in enumerate(problems, 1)
    ]


def _wthor_games(base: bytes, files: list[tuple[str, bytes]]) -> Iterator[Listed]:
    """Yield the games of a WTHOR base with the names of the other files; the page checks the moves of the one chosen.
    """
    players = next((wthor.read_players(content) for name, content in files if name.endswith(".jou")), [])
    tournaments = next((wthor.read_tournaments(content) for name, content in files if name.endswith(".trn")), [])
    for game in wthor.read_games(base):
        yield {**_heading(game.heading(players, tournaments)), "start": "", "moves": format_transcript(game.moves)}


def _game(game: GameRecord) -> Listed:
    start = "" if game.game.start == Position.start() else game.game.start.to_string()
    return {**_heading(game), "start": start, "moves": format_transcript(game.game.moves)}


def _heading(game: GameRecord) -> Listed:
    return {
        "black": game.black,
        "white": game.white,
        "date": game.date,
        "event": game.event,
        "result": game.known_result,
        "ending": game.ending,
    }


def _listing(games: Iterator[Listed]) -> Listed:
    """Return the first games of an upload and their number; raise FormatError if there is none."""
    shown: list[Listed] = []
    count = 0
    for game in games:
        count += 1
        if len(shown) < MOST_GAMES:
            shown.append(game)
    if not count:
        raise FormatError("upload", "", "a game: transcript, GGF, SGF, PGN, WTHOR, or a position in OBF")
    return {"kind": "games", "games": shown, "count": count}
