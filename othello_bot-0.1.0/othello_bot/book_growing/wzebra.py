"""WZebra's compressed books, `book.cmp`, also as the `book.cmp.z` of its version for phones, which is packed with gzip.

The layout was found from such a file. All numbers are little-endian, of 16 bits but for the first two: the number of
positions, and that of moves, one less (32 bits each). Then follow for each position, from the start of the game in
preorder, its number of moves; the moves of all positions, ten times the rank plus the file; two scores of each
position, for a black and a white WZebra, which may value draws differently; the best move that leads out of the book,
the score of that move, and a word of which the upper six bits are the depth of the search. Scores are Black's, in
1/128 of a disc, those far beyond 64 discs for a rout; solved ones are discs, and 30000 farther from 0.

Each position hangs on one move only; the other moves that lead to it are found by the graph. The best move out of the
book is turned or mirrored in a way that the file does not say: it is read where only one image of it is a legal move
out of the book. `book.bin`, the book as it grows, names its positions by hash values alone, and cannot be read.
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from othello_bot.base.notation import PASS, Color
from othello_bot.book import HIGHEST, BookError, Entry, Key, Scored, key_of
from othello_bot.book_growing.graph import choices_of, scored
from othello_bot.rules import SYMMETRIES, Position, transform_square

BIN_MAGIC: Final = bytes.fromhex("9e0a020b")
"""How `book.bin` begins: 2718 and 2818."""

NO_SCORE: Final = 9999
SOLVED: Final = 30_000
DISC: Final = 128
DEPTH_SHIFT: Final = 10
SOLVED_LEVEL: Final = 60
"""The level that a solved score is given here."""

_HEADER_BYTES: Final = 8


def is_book(beginning: bytes, length: int) -> bool:
    """Return whether a file of this length begins like a compressed book: it has no magic word, but a certain length."""
    positions, moves = (int.from_bytes(beginning[at : at + 4], "little", signed=True) for at in (0, 4))
    fits = positions >= 1 and moves == positions - 1 and length == _length(positions)
    return fits and len(beginning) >= _HEADER_BYTES


def _length(positions: int) -> int:
    return _HEADER_BYTES + 2 * (positions + (positions - 1) + 5 * positions)


@dataclass(frozen=True, slots=True)
class _Columns:
    """The columns of the file."""

    counts: array[int]
    moves: array[int]
    scores: array[int]
    leaves: array[int]
    leaf_scores: array[int]
    flags: array[int]


def read(data: bytes) -> Iterator[tuple[Key, Entry]]:
    """Yield the positions of a book with their entries; raise BookError if the data is not a compressed book."""
    if not is_book(data[:_HEADER_BYTES], len(data)):
        raise BookError("WZebra book", data[:_HEADER_BYTES], "a compressed book (book.cmp), all of it")
    columns = _columns(data)
    found = list(_walk(columns))
    known = {key for key, _ in found}
    for index, (key, position) in enumerate(found):
        yield key, _entry(columns, index, position, known)


def _columns(data: bytes) -> _Columns:
    numbers = array("h")
    numbers.frombytes(data[_HEADER_BYTES:])
    if sys.byteorder == "big":
        numbers.byteswap()
    count = (len(numbers) + 1) // 7
    ends = [count, 2 * count - 1, 4 * count - 1, 5 * count - 1, 6 * count - 1, 7 * count - 1]
    return _Columns(*(numbers[start:end] for start, end in zip([0, *ends], ends, strict=False)))


def _walk(columns: _Columns) -> Iterator[tuple[Key, Position]]:
    """Yield the positions in the order of the file, each as it is on the board, forced passes played."""
    waiting = [Position.start()]
    next_move = index = 0
    for index, count in enumerate(columns.counts):
        if not waiting:
            break
        position = waiting.pop()
        moves = columns.moves[next_move : next_move + max(0, count)]
        if len(moves) != count:
            raise BookError("number of moves", count, f"at most {len(columns.moves) - next_move}", _at(index))
        next_move += count
        waiting += [_after(position, move, index) for move in reversed(moves)]
        yield key_of(position), position
    else:
        index += 1
    if waiting or index != len(columns.counts):
        raise BookError("positions of the WZebra book", index, f"{len(columns.counts)} that hang together", _at(index))


def _after(position: Position, move: int, index: int) -> Position:
    """Return the position after a move of the file; raise BookError for one that is not legal."""
    square = _square(move)
    if square is None or not position.legal_bits >> square & 1:
        raise BookError("move of the WZebra book", move, "a legal move", _at(index))
    after = position.play(square)
    return after.play(PASS) if after.must_pass else after


def _square(move: int) -> int | None:
    """Return the square of a move of the file, None for any other number."""
    rank, file = divmod(move, 10)
    return 8 * (rank - 1) + file - 1 if 1 <= rank <= 8 and 1 <= file <= 8 else None


def _entry(columns: _Columns, index: int, position: Position, known: set[Key]) -> Entry:
    """Return the entry of a position; raise BookError for an impossible score."""
    depth = (columns.flags[index] & 0xFFFF) >> DEPTH_SHIFT
    black, white = columns.scores[2 * index], columns.scores[2 * index + 1]
    score, solved = _score(black if position.color is Color.BLACK else white, position.color, index)
    level = SOLVED_LEVEL if solved else depth
    return Entry(score, level=level, leaf=_leaf(columns, index, position, known, depth))


def _score(number: int, color: Color, index: int) -> tuple[int, bool]:
    """Return a score of the file in discs from the view of a player, and whether it is solved."""
    solved = abs(number) >= SOLVED
    discs = abs(number) - SOLVED if solved else min(HIGHEST, round(abs(number) / DISC))
    if discs > HIGHEST:
        raise BookError("score of the WZebra book", number, f"at most {SOLVED + HIGHEST}", _at(index))
    return discs if (number > 0) == (color is Color.BLACK) else -discs, solved


def _leaf(columns: _Columns, index: int, position: Position, known: set[Key], depth: int) -> Scored | None:
    """Return the best move that leads out of the book; None without one, or if several of its images could be meant."""
    number, square = columns.leaf_scores[index], _square(columns.leaves[index])
    if number == NO_SCORE or square is None:
        return None
    canonical, _ = position.canonical()
    images = {transform_square(square, symmetry) for symmetry in SYMMETRIES}
    possible = [move for move, key in choices_of(canonical).items() if move in images and key not in known]
    if len(possible) != 1:
        return None
    score, solved = _score(number, position.color, index)
    return scored(possible[0], score, SOLVED_LEVEL if solved else depth, position.empties)


def _at(index: int) -> int:
    """Return the offset of what the file says about the moves of a position."""
    return _HEADER_BYTES + 2 * index
