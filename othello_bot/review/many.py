"""Reviewing many games: those that the store lacks, on all cores or a cluster, each kept as soon as it is done."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Final

from othello_bot.cluster import Workers
from othello_bot.engine import Engine, Options
from othello_bot.review.game_review import review_game
from othello_bot.review.store import ReviewStore
from othello_bot.review.stored_review import game_from, to_bytes

HASH_MIB: Final = 64
"""Size of a process's transposition table: enough for the endgame of one game."""

QUICK_LEVEL: Final = 8
"""Up to this level, a review takes less than a tenth of a second, so a task has several games."""

GAMES_OF_QUICK_TASK: Final = 16

Piece = tuple[tuple[bytes, str, str], ...]
"""The games of one task: key, start and moves of each."""

_own = threading.local()
"""The engine of each thread: it and its table live as long as the thread."""


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
    engine: Engine | None = getattr(_own, "engine", None)
    if engine is None:
        engine = _own.engine = Engine(Options(hash=HASH_MIB, book=False))
    return [(key, to_bytes(review_game(engine, game_from(start, moves), level))) for key, start, moves in piece]
