"""What a game teaches the opening book: the losses of its first moves, and better moves."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Final

from othello_bot.book import Book, Row
from othello_bot.engine import Limits, SearchRequest, SearchResult
from othello_bot.rules import SYMMETRIES, Game, Position, transform_square
from protocol.notation import PASS

LEARNED_PLIES: Final = 24
"""Plies of a game to learn: later, no two games are the same, and a search is better than a memory."""

FIRST_MOVE: Final = 26
"""c4: the first move of all lines of a book, because the four first moves are symmetric."""


def rows_of_game(
    game: Game, book: Book, limits: Callable[[], Limits], interrupted: Callable[[], bool]
) -> Generator[SearchRequest, SearchResult, list[Row]]:
    """Return steps that end in the rows that a game adds to a book: those of its first moves, and of better ones.

    The loss of a move that is not in the book is searched, before and after the move, under `limits`. When
    `interrupted` returns true, the rows judged so far are the result. A game from another start has no rows.
    """
    if game.start != Position.start() or not game.ply:
        return []
    moves = _turned(game.moves)
    position = game.start
    rows: list[Row] = []
    for ply, move in enumerate(moves[:LEARNED_PLIES]):
        if move == PASS:
            break
        line = moves[:ply]
        losses = {known.move: known.loss for known in book.lookup(position)}
        if move not in losses:
            best = yield SearchRequest(position, limits())
            if interrupted():
                break
            losses[move] = 0
            if best.move != move:
                after = position.play(move)
                value = float(-after.score())
                if not after.is_over:
                    value = -(yield SearchRequest(after, limits())).score
                    if interrupted():
                        break
                losses[move] = min(64, max(0, round(best.score - value)))
                rows.append(Row((*line, best.move), 0, None))
        rows.append(Row((*line, move), losses[move], None))
        position = position.play(move)
    return rows


def _turned(moves: tuple[int, ...]) -> tuple[int, ...]:
    """Return the moves of a game from the usual start, transformed so that they begin like the lines of the book."""
    start = Position.start()
    for index in SYMMETRIES:
        if start.transform(index) == start and transform_square(moves[0], index) == FIRST_MOVE:
            return tuple(transform_square(move, index) for move in moves)
    raise AssertionError(f"{moves[0]} is no first move")
