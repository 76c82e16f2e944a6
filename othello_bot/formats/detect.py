"""Read games from text of unknown format: GGF, SGF, PGN, or one transcript a line."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Final

from othello_bot.errors import FormatError
from othello_bot.formats import ggf, pgn, sgf
from othello_bot.formats.record import GameRecord
from othello_bot.rules import Game, IllegalMove, PositionError

_READERS: Final[tuple[tuple[re.Pattern[str], Callable[[str], Iterator[GameRecord]]], ...]] = (
    (re.compile(r"\s*(?:\d+\s*)?\(;\s*GM\[\s*[A-Za-z]"), ggf.read_games),
    (re.compile(r"\s*\(\s*;"), sgf.read_games),
    (re.compile(r"\s*(?:\[\s*\w+\s+\"|\{)"), pgn.read_games),
    # PGN moves without tags differ from a transcript by the result after them, or by move numbers that continue over
    # lines.
    (re.compile(r"\s*1\s?\.\s*[a-h][1-8][^%#]*(?:\*|1-0|0-1|1/2-1/2|\d\d?-\d\d?)\s*$", re.IGNORECASE), pgn.read_games),
    (re.compile(r"\s*1\s?\.[^\n]*\n\s*(?:[2-9]|\d\d)\s?\."), pgn.read_games),
)


def read_games(text: str) -> Iterator[GameRecord]:
    """Yield the games of a text in the format that its beginning shows.

    Any other text is read as transcripts, one a line, where # and % begin a comment. Raise FormatError at the first
    game that cannot be read; the message says where.
    """
    for beginning, reader in _READERS:
        if beginning.match(text):
            return reader(text)
    return _read_transcripts(text)


def _read_transcripts(text: str) -> Iterator[GameRecord]:
    """Yield the game of each line that has one."""
    place = 0
    for line in text.splitlines(keepends=True):
        moves = re.split("[#%]", line, maxsplit=1)[0]
        if moves.strip():
            try:
                yield GameRecord(Game.from_transcript(moves))
            except FormatError as error:
                raise FormatError("transcript", error.value, error.expected, place + error.place) from error
            except (IllegalMove, PositionError) as error:
                raise FormatError("transcript", error.value, error.expected, place) from error
        place += len(line)
