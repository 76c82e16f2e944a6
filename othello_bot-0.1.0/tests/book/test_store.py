"""The store: what is put is found, a transaction is whole, and what is no book is refused."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path

import pytest

from othello_bot.book.entry import BookError, Entry
from othello_bot.book.store import BUSY_MS, Store
from tests.book.books import random_entries


def filled(path: Path, count: int = 50) -> Store:
    store = Store(str(path), create=True)
    with store.transaction():
        for key, entry in random_entries(count):
            store.put(key, entry)
        store.put_name((1, 2), "Tiger")
    return store


def changed(path: Path, *changes: str) -> str:
    """Return the path of a book that was filled and then changed by these statements."""
    filled(path).close()
    with sqlite3.connect(path) as database:
        for change in changes:
            database.execute(change)
    database.close()
    return str(path)


def test_what_is_put_is_found_again(tmp_path: Path) -> None:
    path = tmp_path / "my.book"
    filled(path).close()
    given = random_entries(50)
    with Store(str(path)) as store:
        assert store.writable and len(store) == 50
        assert list(store.entries()) == given
        assert [store.find(key) for key, _ in given] == [entry for _, entry in given]
        assert store.find((0, 0)) is None
        assert store.name((1, 2)) == "Tiger" and store.names() == {(1, 2): "Tiger"}
        assert store.damage() == []


def test_an_entry_is_replaced_and_removed() -> None:
    with Store(":memory:") as store, store.transaction():
        (key, entry), *_ = random_entries(1)
        store.put(key, entry)
        store.put(key, Entry(7))
        assert store.find(key) == Entry(7) and len(store) == 1
        store.remove(key)
        store.remove(key)
        assert store.find(key) is None and len(store) == 0


def test_a_transaction_that_fails_changes_nothing(tmp_path: Path) -> None:
    with filled(tmp_path / "my.book") as store:
        with pytest.raises(KeyError), store.transaction():
            store.put((3, 4), Entry(1))
            raise KeyError("3, 4")
        assert store.find((3, 4)) is None and len(store) == 50


def test_two_read_while_one_writes(tmp_path: Path) -> None:
    path = tmp_path / "my.book"
    with filled(path) as writer, Store(str(path)) as one, Store(str(path)) as other:
        with writer.transaction():
            writer.put((3, 4), Entry(1))
            assert one.find((3, 4)) is None
            assert len(list(other.entries())) == 50
        assert one.find((3, 4)) == Entry(1) == other.find((3, 4))


@pytest.mark.parametrize("content", [b"c4 0\n", b"SQLite format 3\0 and then nothing", b"\0" * 5000])
def test_files_that_are_no_book_are_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "other"
    path.write_bytes(content)
    with pytest.raises(BookError, match="expected a book of othello-bot"):
        Store(str(path))
    assert path.read_bytes() == content


def test_the_database_of_another_program_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE t (x)")
    with pytest.raises(BookError, match="not another program's database"):
        Store(str(path))


def test_a_later_version_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BookError, match="version of the book 9: expected 1"):
        Store(changed(tmp_path / "my.book", "PRAGMA user_version = 9"))


def test_a_missing_file_is_only_created_on_request(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(FileNotFoundError):
        Store(str(tmp_path / "absent.book"))
    with pytest.raises(OSError):
        Store(str(tmp_path / "nowhere" / "new.book"), create=True)
    with pytest.raises(OSError, match="/dev/stdout: '-'"):
        Store("-", create=True)
    assert list(tmp_path.iterdir()) == []


def test_a_damaged_file_is_noticed(tmp_path: Path) -> None:
    path = tmp_path / "my.book"
    filled(path, 500).close()
    content = bytearray(path.read_bytes())
    content[4096 * 2 : 4096 * 3] = bytes(4096)
    path.write_bytes(content)
    with Store(str(path)) as store:
        assert store.damage()


REFUSALS = {
    "UPDATE positions SET score = 'six'": "position of the book 'six': expected a number from -64 to 64",
    "UPDATE positions SET score = 65": "position of the book 65: expected a number from -64 to 64",
    "UPDATE positions SET level = 256": "position of the book 256: expected a number from 0 to 255",
    "UPDATE positions SET won = 1.5": "position of the book 1.5: expected a number",
    "UPDATE positions SET leaf_move = 3, leaf_score = NULL": "leaf of the book None: expected a number from -64 to 64",
    "UPDATE positions SET leaf_move = 99, leaf_score = 0": "leaf of the book 99: expected a number from 0 to 64",
    "INSERT INTO moves SELECT id, -1, 0, 0, 0, 0 FROM positions": "move of the book -1: expected a number from 0 to 64",
    "UPDATE moves SET selectivity = 101": "move of the book 101: expected a number from 0 to 100",
    "UPDATE moves SET games = -1": "move of the book -1: expected a number",
    "DROP TABLE moves": "a book that can be read",
    "DROP TABLE positions": "a book that can be read",
}
"""A change that SQLite allows, and what is told about it."""


@pytest.mark.parametrize("change", REFUSALS)
def test_an_entry_that_cannot_be_is_refused(change: str, tmp_path: Path) -> None:
    path = tmp_path / "my.book"
    (key, entry), *_ = [one for one in random_entries(50) if one[1].moves and one[1].leaf is not None]
    with Store(str(path), create=True) as store, store.transaction():
        store.put(key, entry)
    with sqlite3.connect(path) as database:
        database.execute(change)
    with Store(str(path)) as store:
        with pytest.raises(BookError, match=re.escape(REFUSALS[change])):
            store.find(key)
        with pytest.raises(BookError, match=re.escape(REFUSALS[change])):
            list(store.entries())


@pytest.mark.parametrize("change", ["UPDATE names SET name = x'ff'", "DROP TABLE names"])
def test_a_name_that_cannot_be_is_refused(change: str, tmp_path: Path) -> None:
    with Store(changed(tmp_path / "my.book", change)) as store:
        with pytest.raises(BookError):
            store.names()
        with pytest.raises(BookError):
            store.name((1, 2))


def test_a_book_without_its_tables_cannot_be_counted_or_written(tmp_path: Path) -> None:
    with Store(changed(tmp_path / "my.book", "DROP TABLE positions")) as store:
        with pytest.raises(BookError, match="no such table"):
            len(store)
        with pytest.raises(OSError, match="no such table"), store.transaction():
            store.put((3, 4), Entry(1))


def test_a_damaged_page_is_refused_when_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "my.book"
    filled(path, 500).close()
    content = bytearray(path.read_bytes())
    content[4096:] = bytes(len(content) - 4096)
    path.write_bytes(content)
    with Store(str(path)) as store, pytest.raises(BookError, match="malformed"), store.transaction():
        store.put((3, 4), Entry(1))


def test_a_damaged_schema_is_refused_whatever_bytes_are_in_it(tmp_path: Path) -> None:
    path = tmp_path / "my.book"
    filled(path).close()
    content = path.read_bytes()
    path.write_bytes(content.replace(b"CREATE TABLE moves", b"CREATE \xf2\xf3BLE moves"))
    with pytest.raises(BookError, match="expected a book of othello-bot"):
        Store(str(path))


def test_a_schema_that_claims_more_bytes_than_memory_has_is_refused(tmp_path: Path) -> None:
    """Found by fuzzing: two levels of pages of 512 bytes, and a row of 2**64 - 1 bytes."""
    content = bytearray(4712)
    for at, piece in {
        0: b"SQLite format 3\0\x02\0\0\0\0@  ",
        63: b"\x01",
        68: b"OBBK",
        100: b"\x05\0\0\0\x02",
        112: b"\x01\xfb\x01\xf6",
        505: b"\x06\0\0\0\0\x04",
        1536: b"\x0d\0\0\0\x02",
        2560: b"\x0d\0\0\0\x02\0\0\0\0\xd3",
        2771: b"\xff" * 9 + b"\0L",
    }.items():
        content[at : at + len(piece)] = piece
    path = tmp_path / "my.book"
    path.write_bytes(content)
    with pytest.raises(BookError, match=r"expected a book of othello-bot .*memory"):
        Store(str(path))


def test_the_file_bears_our_mark_and_an_unknown_position_no_name(tmp_path: Path) -> None:
    path = tmp_path / "my.book"
    with filled(path) as store:
        assert store.name((1, 2)) == "Tiger" and store.name((3, 4)) is None
    assert path.read_bytes()[68:72] == b"OBBK"


def test_a_book_with_a_table_of_facts_as_early_versions_made_it_still_opens(tmp_path: Path) -> None:
    table = "CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID"
    with Store(changed(tmp_path / "my.book", table)) as store:
        assert store.name((1, 2)) == "Tiger" and store.damage() == [] and store.writable


@pytest.mark.parametrize("column", ["mover", "opponent"])
def test_both_boards_are_checked(column: str, tmp_path: Path) -> None:
    changes = [f"UPDATE positions SET {column} = 'one' WHERE id = 3", f"UPDATE names SET {column} = 'x'"]
    with Store(changed(tmp_path / "my.book", *changes)) as store:
        with pytest.raises(BookError, match=r"^position of the book 'one': expected a number"):
            list(store.entries())
        with pytest.raises(BookError, match="named position of the book"):
            store.names()


def test_a_board_may_have_its_last_square_alone() -> None:
    with Store(":memory:") as store, store.transaction():
        store.put((1, 1 << 63), Entry(5))
        store.put_name((1, 1 << 63), "Corners")
        assert list(store.entries()) == [((1, 1 << 63), Entry(5))]
        assert store.names() == {(1, 1 << 63): "Corners"}


def test_a_store_waits_as_long_as_stated_for_another_writer() -> None:
    with Store(":memory:") as store:
        assert store._database.execute("PRAGMA busy_timeout").fetchone() == (BUSY_MS,)
