"""The compact file: what is written is read, damage is found, and only what is asked for is read."""

from __future__ import annotations

import random
import zlib
from pathlib import Path

import pytest

from othello_bot.book import compact
from othello_bot.book.compact import BLOCK_POSITIONS, CompactBook, to_bytes, write
from othello_bot.book.entry import BookError, Key
from tests.book.books import random_entries

NAMES: dict[Key, str] = {(5, 2): "Tiger", (1, 4): "Büffel"}


@pytest.mark.parametrize("count", [0, 1, BLOCK_POSITIONS, BLOCK_POSITIONS + 1, 1000])
def test_what_is_written_is_read(count: int, tmp_path: Path) -> None:
    given = random_entries(count)
    path = tmp_path / "small.book"
    assert write(path, given, NAMES) == path.stat().st_size
    with CompactBook(path) as book:
        assert len(book) == count
        assert list(book.entries()) == given
        assert book.names() == NAMES
        assert book.name((5, 2)) == "Tiger" and book.name((9, 9)) is None
        assert book.damage() == []
        for key, entry in given:
            assert book.find(key) == entry


def test_positions_that_are_not_there_are_not_found() -> None:
    given = random_entries(300)
    book = CompactBook.from_bytes(to_bytes(given, {}))
    known = {key for key, _ in given}
    near = [(mover, opponent + step) for mover, opponent in known for step in (-1, 1)]
    for key in [(0, 0), (2**64 - 1, 2**64 - 1), *near]:
        assert key in known or book.find(key) is None


@pytest.mark.parametrize("seed", range(8))
def test_every_changed_byte_is_found(seed: int) -> None:
    rng = random.Random(seed)
    given = random_entries(200)
    whole = to_bytes(given, NAMES)
    for _ in range(60):
        place = rng.randrange(len(whole))
        damaged = bytearray(whole)
        damaged[place] ^= 1 << rng.randrange(8)
        try:
            book = CompactBook.from_bytes(bytes(damaged))
        except BookError:
            continue
        assert book.damage(), place


def test_damage_in_one_block_leaves_the_others_readable() -> None:
    given = random_entries(3 * BLOCK_POSITIONS)
    whole = bytearray(to_bytes(given, {}))
    whole[-1] ^= 1
    book = CompactBook.from_bytes(bytes(whole))
    assert book.find(given[0][0]) == given[0][1]
    with pytest.raises(BookError, match="block of the book 2: expected the checksum"):
        book.find(given[-1][0])


@pytest.mark.parametrize("length", [0, 1, 7, 8, 40, compact.HEADER.size, 200])
def test_files_that_are_cut_off_are_refused(length: int, tmp_path: Path) -> None:
    path = tmp_path / "cut.book"
    path.write_bytes(to_bytes(random_entries(100), {})[:length])
    with pytest.raises(BookError):
        CompactBook(path)


def test_the_directory_leads_to_one_block_only(monkeypatch: pytest.MonkeyPatch) -> None:
    given = random_entries(5000)
    book = CompactBook.from_bytes(to_bytes(given, {}))
    sums: list[int] = []
    crc32 = zlib.crc32

    def counted(data: bytes) -> int:
        sums.append(len(data))
        return crc32(data)

    monkeypatch.setattr(zlib, "crc32", counted)
    book.find(given[2500][0])
    book.find(given[2500][0])
    assert len(sums) == 1
