"""Reviewing many games: those of files in any format that the store lacks, on all cores or a cluster."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Final

from othello_bot.base.errors import InputError
from othello_bot.cluster import Workers
from othello_bot.engine import Search, SearchRequest, SearchResult, carried_out
from othello_bot.formats.reading import games_of_file
from othello_bot.formats.record import GameRecord
from othello_bot.formats.writing import user_path
from othello_bot.review.game_review import GameReview
from othello_bot.review.steps import review_steps
from othello_bot.review.store import Heading, ReviewStore, game_from, to_bytes
from othello_bot.rules import Game

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


HASH_MIB: Final = 64
"""Size of a process's transposition table: enough for the endgame of one game."""

QUICK_HASH_MIB: Final = 4
"""The same for quick reviews, where clearing a larger table would take longer than the searches."""

QUICK_LEVEL: Final = 8
"""Up to this level, a review takes less than a tenth of a second, so a task has several games."""

GAMES_OF_QUICK_TASK: Final = 16

Piece = tuple[tuple[bytes, str, str], ...]
"""The games of one task: key, start and moves of each."""

_own = threading.local()
"""The search of each thread: it and its table live as long as the thread."""


def review_missing(
    store: ReviewStore, workers: Workers, level: int, advance: Callable[[int], None] = lambda games: None
) -> None:
    """Review the games of this run that the store lacks; call `advance` with the number of games just stored."""
    for _, found in workers.each(review_piece, ((level, piece) for piece in _pieces(store, level))):
        store.add(found)
        advance(len(found))


def _pieces(store: ReviewStore, level: int) -> Iterator[Piece]:
    """Yield the games without a review in pieces, each for one task."""
    games = store.missing()
    while piece := tuple(islice(games, GAMES_OF_QUICK_TASK if level <= QUICK_LEVEL else 1)):
        yield piece


def review_piece(level: int, piece: Piece) -> list[tuple[bytes, bytes]]:
    """Review some games in this thread; return key and review of each."""
    search: Search | None = getattr(_own, "search", None)
    hash_mib = QUICK_HASH_MIB if level <= QUICK_LEVEL else HASH_MIB
    if search is None or search.hash_mib != hash_mib:
        search = _own.search = Search(hash_mib)
    return [(key, to_bytes(_reviewed(search, game_from(start, moves), level))) for key, start, moves in piece]


def _reviewed(search: Search, game: Game, level: int) -> GameReview:
    """Review a game with a search of this thread: an engine has a thread of its own, which costs time to wake."""

    def answer(request: SearchRequest) -> SearchResult:
        return search.run(request.position.mover, request.position.opponent, request.limits)

    search.clear()
    return GameReview(game, level, tuple(carried_out(review_steps(game, level), answer)))
