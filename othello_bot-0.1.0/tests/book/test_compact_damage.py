"""Compact files whose checksums are right and whose content is not: every number in them is checked."""

from __future__ import annotations

import errno
import os
import struct
import zlib
from pathlib import Path

import pytest

from othello_bot.base.notation import PASS
from othello_bot.book.compact import DIRECTORY, HEADER, CompactBook, read_header, to_bytes
from othello_bot.book.entry import BookError, Entry, Scored
from othello_bot.book.opening import Library
from othello_bot.book.store import Store

KEY = (1, 2)
ENTRY = Entry(3, -64, 64, 21, 5, 0, 127, (Scored(19, 3, 10, 73, 300),), Scored(26, -1, 8, 73))
BLOCK = HEADER.size + DIRECTORY.size
"""Place of the only block: count (2 bytes), key (16), offset of the record (2), and the record."""

RECORD = BLOCK + 20
MOVE = RECORD + 5


def changed(place: int, form: str, *values: int) -> bytearray:
    """Return the file of one entry with other numbers at a place, and right checksums."""
    data = bytearray(to_bytes([(KEY, ENTRY)], {KEY: "Tiger"}))
    struct.pack_into(form, data, place, *values)
    return sealed(data)


def sealed(data: bytearray) -> bytearray:
    """Write the checksums anew."""
    blocks_at, names_at = struct.unpack_from("<QQ", data, 24)
    place, length = struct.unpack_from("<QI", data, HEADER.size + 16)
    struct.pack_into("<I", data, HEADER.size + 28, zlib.crc32(data[place : place + length]))
    sums = zlib.crc32(data[HEADER.size : blocks_at]), zlib.crc32(data[names_at:])
    struct.pack_into("<II", data, HEADER.size - 12, *sums)
    struct.pack_into("<I", data, HEADER.size - 4, zlib.crc32(data[: HEADER.size - 4]))
    return data


def test_the_file_without_a_change_is_whole() -> None:
    book = CompactBook.from_bytes(bytes(changed(BLOCK, "<H", 1)))
    assert book.damage() == [] and list(book.entries()) == [(KEY, ENTRY)] and book.name(KEY) == "Tiger"


@pytest.mark.parametrize(
    ("place", "form", "value", "message"),
    [
        (0, "B", 0, "book file"),
        (8, "<H", 0, "version of the book 0: expected 1"),
        (8, "<H", 2, "version of the book 2: expected 1"),
        (16, "<I", 2, "places in the book"),
        (20, "<I", 0, "names of the book 22: expected no bytes after the last name"),
        (20, "<I", 2, "name of the book 22: expected a key, a length and UTF-8"),
        (40, "<Q", 1, "length of the book .*: expected 1 bytes"),
        (24, "<Q", BLOCK + 1, "places in the book"),
        (32, "<Q", BLOCK - 1, "places in the book"),
    ],
)
def test_headers_that_are_wrong(place: int, form: str, value: int, message: str) -> None:
    with pytest.raises(BookError, match=message):
        CompactBook.from_bytes(bytes(changed(place, form, value)))


@pytest.mark.parametrize(
    ("place", "form", "value", "message"),
    [
        (MOVE, "B", PASS + 1, "move of the book '65, 3': expected a move 0 to 64, a score -64 to 64"),
        (MOVE + 1, "b", 65, "move of the book"),
        (MOVE + 1, "b", -65, "move of the book"),
        (RECORD, "b", 65, "score of the book 65: expected one between its bounds -64 and 64"),
        (RECORD + 1, "b", -65, "score of the book"),
        (RECORD + 1, "b", 4, "score of the book"),
        (RECORD + 2, "b", 2, "score of the book"),
        (RECORD + 2, "b", 65, "score of the book"),
        (RECORD - 2, "<H", 65535, "record of the book 0: expected a whole record"),
        (BLOCK, "<H", 65535, "block of the book 0: expected a block with all its keys"),
        (BLOCK, "<H", 3, "block of the book 0: expected a block with all its keys"),
        (HEADER.size + 24, "<I", 1, "block of the book 0: expected the checksum"),
        (HEADER.size + 24, "<I", 19, "block of the book 0: expected a block with all its keys"),
        (HEADER.size + 16, "<Q", BLOCK - 1, "block of the book 0"),
        (HEADER.size + 24, "<I", 1000, "block of the book 0"),
    ],
)
def test_blocks_that_are_wrong(place: int, form: str, value: int, message: str) -> None:
    book = CompactBook.from_bytes(bytes(changed(place, form, value)))
    with pytest.raises(BookError, match=message):
        book.find(KEY)
    assert len(book.damage()) == 1 and book.damage()[0]


@pytest.mark.parametrize(
    ("place", "form", "value"),
    [
        (MOVE, "B", PASS),
        (MOVE + 1, "b", 64),
        (MOVE + 1, "b", -64),
        (RECORD + 1, "b", 3),
        (HEADER.size + 24, "<I", 20),
    ],
)
def test_numbers_at_the_edges_are_right(place: int, form: str, value: int) -> None:
    book = CompactBook.from_bytes(bytes(changed(place, form, value)))
    assert book.damage() == [] and book.find(KEY) is not None


def test_a_wrong_number_of_positions_is_damage() -> None:
    book = CompactBook.from_bytes(bytes(changed(12, "<I", 2)))
    assert book.damage() == ["1 position: expected 2 as the header says"]


def test_the_keys_of_the_directory_are_those_of_the_blocks_and_ascend() -> None:
    book = CompactBook.from_bytes(bytes(changed(HEADER.size, "<Q", 0)))
    assert book.damage() == [f"first key of a block 0: expected that of the directory (at offset {BLOCK})"]
    book = CompactBook.from_bytes(to_bytes([((2, 1), ENTRY), ((1, 2), ENTRY)], {}))
    with pytest.raises(BookError, match=r"keys of the book '0x1, 0x2': expected ascending keys"):
        list(book.entries())
    book = CompactBook.from_bytes(to_bytes([((1, 2), ENTRY), ((1, 2), ENTRY)], {}))
    assert book.damage()


def test_a_name_that_is_cut_off() -> None:
    data = bytearray(to_bytes([], {KEY: "Tiger"}))
    data[-6] = 6  # its length
    with pytest.raises(BookError, match="name of the book 'Tiger': expected 6 bytes"):
        CompactBook.from_bytes(bytes(resealed_names(data)))
    data[-6], data[-1] = 5, 255
    with pytest.raises(BookError, match="UTF-8"):
        CompactBook.from_bytes(bytes(resealed_names(data)))


def resealed_names(data: bytearray) -> bytearray:
    (names_at,) = struct.unpack_from("<Q", data, 32)
    struct.pack_into("<I", data, HEADER.size - 8, zlib.crc32(data[names_at:]))
    struct.pack_into("<I", data, HEADER.size - 4, zlib.crc32(data[: HEADER.size - 4]))
    return data


def test_the_largest_numbers_of_games() -> None:
    largest = Entry(0, won=2**63 - 1, drawn=128, lost=2**56)
    assert CompactBook.from_bytes(to_bytes([(KEY, largest)], {})).find(KEY) == largest
    book = CompactBook.from_bytes(to_bytes([(KEY, Entry(0, won=2**63))], {}))
    with pytest.raises(BookError, match=r"number of games .*: expected at most nine bytes"):
        book.find(KEY)


def test_long_names_are_cut_between_characters() -> None:
    book = CompactBook.from_bytes(to_bytes([], {(1, 2): "x" * 255, (3, 4): "x" + "ü" * 200}))
    assert book.names() == {(1, 2): "x" * 255, (3, 4): "x" + "ü" * 127}


def test_an_empty_file_and_one_shorter_than_a_header(tmp_path: Path) -> None:
    (tmp_path / "empty.book").touch()
    with pytest.raises(BookError, match="expected a file that is not empty"):
        CompactBook(tmp_path / "empty.book")
    whole = to_bytes([], {})
    for length in (8, HEADER.size - 1):
        with pytest.raises(BookError, match=f"length of the book {length}: expected at least {HEADER.size} bytes"):
            read_header(whole[:length])
    assert read_header(whole).length == HEADER.size


def test_damage_is_told_with_its_place() -> None:
    whole = to_bytes([(KEY, ENTRY)], {KEY: "Tiger", (3, 4): "Rose"})
    names_at = read_header(whole).names_at
    data = bytearray(whole)
    data[12] ^= 1
    with pytest.raises(BookError) as caught:
        CompactBook.from_bytes(bytes(data))
    assert caught.value.place == HEADER.size - 4
    for names, at in ((1, 22), (3, 43)):
        data = bytearray(whole)
        struct.pack_into("<I", data, 20, names)
        with pytest.raises(BookError) as caught:
            CompactBook.from_bytes(bytes(resealed_names(data)))
        assert caught.value.place == names_at + at
    data = bytearray(whole)
    data[names_at + 22 + 16] = 9  # the length of the second name
    with pytest.raises(BookError, match="name of the book 'Rose': expected 9 bytes") as caught:
        CompactBook.from_bytes(bytes(resealed_names(data)))
    assert caught.value.place == names_at + 22


def test_books_that_are_not_there(tmp_path: Path) -> None:
    absent = str(tmp_path / "absent.book")
    with pytest.raises(FileNotFoundError) as caught:
        Store(absent)
    assert (caught.value.errno, caught.value.filename) == (errno.ENOENT, absent)
    with pytest.raises(FileNotFoundError) as caught:
        Library(os.pathsep.join((str(tmp_path / "new.book"), absent)))
    assert (caught.value.errno, caught.value.filename) == (errno.ENOENT, absent)
