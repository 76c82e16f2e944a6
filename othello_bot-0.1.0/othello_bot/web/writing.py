"""The games of uploads as the page takes them, and a game as text of a format."""

from __future__ import annotations

import base64
import binascii
import itertools
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from othello_bot.base.errors import FormatError, InputError
from othello_bot.base.notation import Color, format_transcript
from othello_bot.formats import reading, record, wthor
from othello_bot.formats.record import EndedBy, GameRecord
from othello_bot.formats.table import WRITTEN
from othello_bot.rules import Position

if TYPE_CHECKING:
    from othello_bot.web.messages import AskText

MOST_GAMES: Final = 10_000
"""Games of an upload that are listed; the reply says whether there are more. The largest WTHOR year has 9,113."""

MOST_FILES: Final = 8

Listing = dict[str, Any]


def written(ask: AskText) -> str:
    """Return the game in a format; raise InputError for an unknown format or ending."""
    endings = {ending.value: ending for ending in EndedBy}
    if ask.ending not in endings:
        raise InputError("ending", ask.ending, f"one of {', '.join(filter(None, endings))}, or an empty text")
    lost = {"black": -record.UNTOLD_MARGIN, "white": record.UNTOLD_MARGIN}.get(ask.loser)
    game = GameRecord(
        ask.game, ask.black, ask.white, date=ask.date, result=lost, ending=endings[ask.ending if lost else ""]
    )
    forms = {ending[1:]: form for ending, form in WRITTEN.items() if form.read is not None}
    if ask.format not in forms:
        raise InputError("format", ask.format, f"one of {', '.join(forms)}")
    return str(forms[ask.format].written(game))


def listed(body: bytes) -> Listing:
    """Return the games of an upload: `{"files": [{"name": ..., "base64": ...}]}`.

    The file of games may come with the files of names of a WTHOR base. Raise InputError, also for a game that cannot be
    read.
    """
    files = _files(body)
    bases = [content for name, content in files if name.endswith(".wtb")]
    if bases:
        return _listing(_wthor_games(bases[0], files))
    if len(files) != 1:
        raise FormatError("files", [name for name, _ in files], "one file of games, or a WTHOR base with its names")
    name, content = files[0]
    return _listing(_game(found.checked()) for found in reading.games_of_content(content, name))


def _files(body: bytes) -> list[tuple[str, bytes]]:
    """Return the names, in small letters, and the contents of an upload's files."""
    try:
        parts = json.loads(body)["files"]
        files = [(str(part["name"]).lower(), base64.b64decode(part["base64"], validate=True)) for part in parts]
    except (ValueError, TypeError, KeyError, RecursionError, binascii.Error):
        raise FormatError("upload", f"{len(body)} bytes", 'a JSON object {"files": [{"name", "base64"}]}') from None
    if len(files) > MOST_FILES:
        raise FormatError("files", len(files), f"at most {MOST_FILES}")
    return files


def _wthor_games(base: bytes, files: list[tuple[str, bytes]]) -> Iterator[Listing]:
    """Yield the games of a WTHOR base with the names of the other files, without those that have an illegal move."""
    players = next((wthor.read_players(content) for name, content in files if name.endswith(".jou")), [])
    tournaments = next((wthor.read_tournaments(content) for name, content in files if name.endswith(".trn")), [])
    for game in wthor.read_games(base):
        try:
            yield _game(game.record(players, tournaments))
        except FormatError:
            continue


def _game(game: GameRecord) -> Listing:
    result = game.known_result
    if game.ending and not game.game.is_over and abs(result or 0) == record.UNTOLD_MARGIN:
        result = None  # nobody has counted discs
    return {
        "start": "" if game.game.start == Position.start() else game.game.start.to_string(),
        "moves": format_transcript(game.game.moves),
        "black": game.black,
        "white": game.white,
        "date": game.date,
        "event": game.event,
        "result": result,
        "won": {Color.BLACK: "X", Color.WHITE: "O", None: ""}[game.known_winner],
    }


def _listing(games: Iterator[Listing]) -> Listing:
    """Return the first games of an upload, and whether there are more."""
    shown = list(itertools.islice(games, MOST_GAMES + 1))
    return {"kind": "games", "games": shown[:MOST_GAMES], "more": len(shown) > MOST_GAMES}
