"""The games to review: all games of files in any format that the engine reads, and reports of those that it cannot."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from othello_bot.base.errors import InputError
from othello_bot.formats.files import user_path
from othello_bot.formats.reading import games_of_file
from othello_bot.formats.record import GameRecord
from othello_bot.review.store import Heading

Report = Callable[[str], None]
"""Receives what could not be read: file, place and reason, in one line."""


def games_of_files(names: Sequence[str], report: Report) -> Iterator[tuple[str, str, Heading]]:
    """Yield (start, moves, heading) of each game of the files that can be read and has a move; report the others."""
    for name in names:
        path = user_path(name)
        try:
            yield from _games_of(path, report)
        except OSError as error:
            report(f"{name}: {error.strerror or error}")
        except InputError as error:
            report(f"{name}: {error}")


def _games_of(path: Path, report: Report) -> Iterator[tuple[str, str, Heading]]:
    for found in games_of_file(path):
        if found.record is None:
            report(f"{path}, {found.place}: {found.error}")
        elif not found.record.game.ply:
            report(f"{path}, {found.place}: no move to review")
        else:
            game = found.record.game
            heading = heading_of(found.record, str(path), found.place)
            yield game.start.to_string(), game.transcript(passes=True), heading


def heading_of(record: GameRecord, file: str, place: str) -> Heading:
    """Return the heading of a game that stands in a file."""
    return Heading(file, place, record.black, record.white, record.event, record.date, record.known_result)
