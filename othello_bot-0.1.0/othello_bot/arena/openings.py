"""The openings of a match: the built-in set, those of a book or a file, or random; the same seed gives the same ones."""

from __future__ import annotations

import hashlib
import random
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Final

from othello_bot.arena.config import BUILT_IN, OpeningConfig, OpeningOrder
from othello_bot.arena.errors import ConfigError
from othello_bot.base.errors import FormatError, InputError, counted
from othello_bot.base.files import DATA_FOLDER, read_at_most, refuse_special
from othello_bot.book import SHIPPED, Book, Key, Manner, is_book, key_of, open_book
from othello_bot.formats.reading import games_of_file
from othello_bot.rules import Game, Position, parse_moves

RANDOM: Final = "random"
START: Final = "start"
BOOK: Final = "book"
"""The openings of the shipped book."""

LARGEST_BYTES: Final = 1 << 28
"""Size limit of a file of openings."""

MOST_OPENINGS: Final = 1_000_000
"""Most games of a file of openings; a small compressed file may hold more."""

RANDOM_PLIES: Final = 8

BALANCED_FILE: Final = DATA_FOLDER / "balanced-openings.txt"
"""The built-in openings, made by scripts/make-openings as their first lines describe."""

_SHIPPED: Final = {BUILT_IN: BALANCED_FILE, BOOK: SHIPPED}
"""The files of the sources that come with the program."""

OpeningMoves = tuple[int, ...]

_Reached = dict[Key, tuple[int, OpeningMoves, Position]]
"""The positions after this many plies, each with the discs that the line to it loses, and the line."""

_ANY: Final = random.Random(1)
"""Whether the book has a move does not depend on the generator."""


@dataclass(frozen=True, slots=True)
class Opening:
    """A position to play from, given as a start and the moves (passes included) that lead to it."""

    start: Position
    moves: tuple[int, ...] = ()

    def game(self) -> Game:
        """Return the game so far."""
        game = Game(self.start)
        game.play_moves(self.moves)
        return game


class Openings(ABC):
    """A sequence of openings, one for each round."""

    @abstractmethod
    def of_round(self, number: int) -> Opening:
        """Return the opening of a round 0, 1, ..."""

    @property
    @abstractmethod
    def count(self) -> int | None:
        """The number of different openings; None if it is unlimited."""


class RandomOpenings(Openings):
    """Random moves from the usual start."""

    def __init__(self, plies: int, seed: int) -> None:
        self._plies = plies
        self._seed = seed

    def of_round(self, number: int) -> Opening:
        """Return the opening; a game that ends too early is replaced by another one."""
        rng = random.Random(f"opening {self._seed} {number}")
        while True:
            game = Game()
            while game.position.legal_moves and sum(move < 64 for move in game.moves) < self._plies:
                game.play_moves((rng.choice(game.position.legal_moves),))
                if game.position.must_pass:
                    game.play(64)
            if not game.is_over:
                return Opening(game.start, game.moves)

    @property
    def count(self) -> int | None:
        """None: the number is unlimited."""
        return None


class ListedOpenings(Openings):
    """Openings from a list, in its order or in one chosen by the seed, repeated endlessly."""

    def __init__(self, listed: Sequence[Opening], shuffled: bool, seed: int) -> None:
        self._listed = tuple(listed)
        self._shuffled = shuffled
        self._seed = seed

    def of_round(self, number: int) -> Opening:
        """Return the opening; each pass through the list has its own order."""
        turn, place = divmod(number, len(self._listed))
        if self._shuffled:
            place = _order(len(self._listed), f"order {self._seed} {turn}")[place]
        return self._listed[place]

    @property
    def count(self) -> int | None:
        """The length of the list."""
        return len(self._listed)


@lru_cache(maxsize=2)
def _order(size: int, seed: str) -> tuple[int, ...]:
    places = list(range(size))
    random.Random(seed).shuffle(places)
    return tuple(places)


def digest(source: str) -> str:
    """Return the digest of a source file, empty if the source is not a file; raise ConfigError if it is unreadable."""
    if source in (RANDOM, START):
        return ""
    book = _book_at(source)
    content = _content(source).replace(b"\r\n", b"\n") if book is None else book.read_bytes()
    return hashlib.sha256(content).hexdigest()


def load(config: OpeningConfig, seed: int) -> Openings:
    """Return the openings that a configuration asks for; raise ConfigError if there are none."""
    if config.source == START:
        return ListedOpenings([Opening(Position.start())], shuffled=False, seed=seed)
    if config.source == RANDOM:
        return RandomOpenings(RANDOM_PLIES if config.plies is None else config.plies, seed)
    if config.source == BUILT_IN:
        return ListedOpenings(_built_in(config.plies), config.order is OpeningOrder.RANDOM, seed)
    book = _book_at(config.source)
    if book is not None:
        return ListedOpenings(_of_book(book, config), config.order is OpeningOrder.RANDOM, seed)
    listed = [opening for opening in _of_games(config) if not opening.game().is_over]
    if not listed:
        raise ConfigError("openings", config.source, "at least one game that has not ended (see --opening-plies)")
    return ListedOpenings(listed, config.order is OpeningOrder.RANDOM, seed)


def _book_at(source: str) -> Path | None:
    """Return the file of a book; None for a source that is not a book. Raise ConfigError if it cannot be read."""
    path = _SHIPPED.get(source, Path(source))
    try:
        # A pipe would be empty when it is read again.
        refuse_special(path)
        return path if is_book(path) else None
    except OSError as error:
        raise _unreadable(source, error) from error


def _of_book(path: Path, config: OpeningConfig) -> list[Opening]:
    """Return the openings of a book; raise ConfigError if there are none."""
    try:
        lines = lines_of_book(path, config.plies)
    except (OSError, InputError) as error:
        raise ConfigError("openings", config.source, f"a book that can be read: {error}") from error
    if not lines:
        wanted = "" if config.plies is None else f" after {counted(config.plies, 'ply', 'plies')}"
        raise ConfigError("openings", config.source, f"a book that has a move to play{wanted}")
    return [Opening(Position.start(), line) for line in lines]


def _content(source: str) -> bytes:
    """Return the content of a file of games; raise ConfigError if it cannot be read."""
    try:
        return read_at_most(_SHIPPED.get(source, Path(source)), LARGEST_BYTES, "file of openings")
    except (OSError, InputError) as error:
        raise _unreadable(source, error) from error


def _unreadable(source: str, error: OSError | InputError) -> ConfigError:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else error
    known = ", ".join((*_SHIPPED, RANDOM, START))
    return ConfigError("openings", source, f"{known}, or a file that can be read ({reason})")


def _built_in(plies: int | None) -> list[Opening]:
    """Return the built-in set. Its lines are known to be legal and without passes, so they are not checked."""
    lines = (line.split("#")[0] for line in _content(BUILT_IN).decode().splitlines())
    return [Opening(Position.start(), parse_moves(line)[:plies]) for line in lines if line]


def _of_games(config: OpeningConfig) -> list[Opening]:
    """Return the openings of a file of games or positions; raise ConfigError if one of them cannot be read."""
    openings = []
    try:
        for found in games_of_file(config.source):
            game = found.checked().game
            openings.append(Opening(game.start, game.moves[: config.plies]))
            if len(openings) > MOST_OPENINGS:
                raise FormatError("file", config.source, f"at most {MOST_OPENINGS} games")
    except (OSError, InputError) as error:
        raise ConfigError("openings", config.source, f"games or positions that can be read: {error}") from error
    return openings


def lines_of_book(path: Path, plies: int | None = None) -> list[OpeningMoves]:
    """Return lines from the start of the game to the positions of a book where it has a move to play, the short first.

    `plies`: only lines of this length, passes included. Each position, images counted once, ends one line. Raise
    BookError for a file that is not a book, OSError if it cannot be read.
    """
    with open_book(path) as source:
        book = Book([source])
        found: list[OpeningMoves] = []
        reached: _Reached = {key_of(Position.start()): (0, (), Position.start())}
        while reached:
            for _, line, position in reached.values():
                if (plies is None or len(line) == plies) and _has_a_choice(book, position):
                    found.append(line)
            reached = _beyond(book, reached)
    return found


def _has_a_choice(book: Book, position: Position) -> bool:
    """Return whether the book chooses a move in a position where there is one."""
    return not position.must_pass and book.choose(position, Manner(), _ANY) is not None


def _beyond(book: Book, reached: _Reached) -> _Reached:
    """Return the positions of the book one ply later."""
    after: _Reached = {}
    for lost, line, position in reached.values():
        for known in book.lookup(position):
            child = position.play(known.move)
            key = key_of(child)
            ahead = (lost + known.loss, (*line, known.move))
            if (key not in after or ahead < after[key][:2]) and book.entry(child) is not None:
                after[key] = (*ahead, child)
    return after
