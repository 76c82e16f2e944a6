"""Which books an engine uses, and which one learns."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from othello_bot.book.compact import write
from othello_bot.book.entry import BookError, Entry
from othello_bot.book.opening import Library, open_book, shipped_book
from othello_bot.book.store import Store
from tests.book.books import random_entries


def test_the_shipped_book_is_whole() -> None:
    with shipped_book() as book:
        assert book.damage() == []
        assert len(book) > 150


@pytest.mark.slow
def test_a_new_file_is_created_when_there_is_something_to_learn(tmp_path: Path) -> None:
    path = tmp_path / "my book"
    library = Library(str(path))
    assert not path.exists()
    store = library.learning()
    assert path.exists() and len(store) == len(shipped_book())
    assert library.learning() is store
    library.close()
    with Store(str(path)) as again:
        assert again.names() == shipped_book().names()


@pytest.mark.slow
def test_without_a_file_it_is_learned_in_memory() -> None:
    library = Library()
    store = library.learning()
    with store.transaction():
        store.put((1, 2), Entry(5))
    assert store.path == ":memory:"
    library.close()


def test_the_first_file_that_can_be_written_learns(tmp_path: Path) -> None:
    compact, first, second = (tmp_path / name for name in ("compact.book", "first", "second"))
    write(compact, random_entries(3), {})
    for path in (first, second):
        Store(str(path), create=True).close()
    library = Library(os.pathsep.join(map(str, (compact, first, second))))
    assert library.learning().path == str(first)
    assert len(library.book) == 3 + len(shipped_book())
    library.close()


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "a book of othello-bot"),
        (b"c4 0\n", "a book of othello-bot"),
        (b"XADEKOOB\4", "`othello-bot book import` reads Edax's"),
        (b"DICUORAGE\3", "`othello-bot book import` reads Egaroucid's"),
    ],
)
def test_other_files_are_refused(content: bytes, why: str, tmp_path: Path) -> None:
    path = tmp_path / "other"
    path.write_bytes(content)
    with pytest.raises(BookError, match=why):
        open_book(path)
    with pytest.raises(BookError, match=why):
        Library(str(path))


def test_places_that_do_not_exist_are_refused(tmp_path: Path) -> None:
    for path in (tmp_path / "nowhere" / "book", tmp_path):
        with pytest.raises(OSError):
            Library(str(path))
