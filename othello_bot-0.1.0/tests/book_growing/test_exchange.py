"""Books of other programs: what is written is read, a public book of Edax survives, and damaged files are refused."""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from othello_bot.book.compact import CompactBook
from othello_bot.book.entry import BookError, Entry, Key
from othello_bot.book.store import Store
from othello_bot.book_growing.exchange import (
    export_book,
    graph_of,
    import_book,
    read_edax,
    read_egaroucid,
    write_edax,
    write_egaroucid,
)
from othello_bot.book_growing.exchange import lines as count_lines
from othello_bot.book_growing.graph import Graph
from othello_bot.book_growing.maintenance import faults
from othello_bot.rules.game import Game
from tests.book.books import add, entries, key, lines

GRAPH = lines("f5d6c3d3c4", "f5f6e6f4", "d3c3e6d2d1e1b2c1pa")
"""With a position where the player must pass."""

PASSING = key("d3c3e6d2d1e1b2c1")


def scores(graph: Graph) -> dict[tuple[int, int], tuple[int, list[tuple[int, int]], tuple[int, int] | None]]:
    """Return what every format keeps: score, links and leaf."""
    return {
        one: (
            node.entry.score,
            [(move.move, move.score) for move in node.entry.moves],
            None if node.entry.leaf is None else node.entry.leaf[:2],
        )
        for one, node in graph.nodes.items()
    }


@pytest.mark.parametrize(("read", "write"), [(read_edax, write_edax), (read_egaroucid, write_egaroucid)])
def test_what_is_written_is_read(
    read: Callable[[bytes], Iterator[tuple[Key, Entry]]], write: Callable[[Graph], bytes]
) -> None:
    again = graph_of(read(write(GRAPH)))
    assert scores(again) == scores(GRAPH)
    assert not any(node.pending for node in again.nodes.values())


def test_edax_keeps_the_games() -> None:
    graph = lines("f5d6")
    node = graph.nodes[key("f5")]
    object.__setattr__(node.entry, "won", 7)
    again = graph_of(read_edax(write_edax(graph)))
    assert again.nodes[key("f5")].entry.won == 7


def test_positions_with_a_pass_are_in_edaxs_books_and_not_in_egaroucids() -> None:
    assert PASSING in dict(read_edax(write_edax(GRAPH)))
    assert PASSING not in dict(read_egaroucid(write_egaroucid(GRAPH)))
    assert PASSING in graph_of(read_egaroucid(write_egaroucid(GRAPH))).nodes


def test_the_layout_of_edax() -> None:
    graph = lines("f5")
    content = write_edax(graph)
    assert content[:9] == b"XADEKOOB\4"
    # Level, empty squares, errors of midgame and endgame, verbosity, and how many positions follow.
    assert struct.unpack_from("<6i", content, 18) == (3, 60, 2, 1, 0, 2)
    first, second = sorted((key(""), key("f5")))
    # The start has one link and no leaf, the position after it a leaf only.
    after = 42 + 40 + (4 if first == key("") else 2)
    assert struct.unpack_from("<QQ", content, 42) == first and struct.unpack_from("<QQ", content, after) == second
    assert len(content) == 42 + 2 * 40 + 4 + 2


def test_the_layout_of_egaroucid() -> None:
    content = write_egaroucid(lines("f5"))
    assert content[:14] == b"DICUORAGE\3\2\0\0\0" and len(content) == 14 + 2 * 25


def test_the_number_of_lines_is_that_of_all_ends() -> None:
    numbers = count_lines(lines("f5d6", "f5f6"))
    assert numbers[key("f5d6")] == numbers[key("f5f6")] == 1
    # Both and the leaf after f5; the start has one move.
    assert numbers[key("f5")] == 3 == numbers[key("")]


def test_a_book_without_all_its_leaves_is_not_exported() -> None:
    graph = Graph()
    add(graph, key("f5"))
    add(graph, min(graph.nodes[key("f5")].choices.items())[1])
    for write in (write_edax, write_egaroucid):
        with pytest.raises(BookError, match=r"positions without a leaf 1: .*book fix"):
            write(graph)


def test_images_are_turned_to_the_canonical_one() -> None:
    content = bytearray(write_edax(lines("f5")))
    record = struct.pack("<QQ", *_image("f5"))
    content[42 : 42 + 16] = record
    with pytest.raises(BookError, match="move of the book"):
        graph_of(read_edax(bytes(content)))


def _image(text: str) -> tuple[int, int]:
    position = Game.from_transcript(text).position
    image = next(one for one in position.symmetries() if one.canonical()[1] != 0)
    return image.mover, image.opponent


def damaged(content: bytes, place: int, new: bytes) -> bytes:
    return content[:place] + new + content[place + len(new) :]


EDAX = write_edax(lines("f5d6"))
EGAROUCID = write_egaroucid(lines("f5d6"))


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"", "begins with"),
        (EDAX[:30], "length of the Edax book 30"),
        (damaged(EDAX, 8, b"\3"), "version of the Edax book 3: expected 4"),
        (EDAX[:-1], "length of the Edax book"),
        (EDAX + b"\0", "length of the Edax book"),
        (damaged(EDAX, 38, b"\xff\xff\0\0"), "expected 65535 positions"),
        (damaged(EDAX, 42, b"\xff" * 16), "position of the book"),
        (damaged(EDAX, 42 + 32, b"\0\1"), "score of the book 256"),
        (damaged(EDAX, len(EDAX) - 1, b"\0"), "move of the book 0"),
        (damaged(EDAX, len(EDAX) - 1, b"\xc8"), "move of the book 200"),
    ],
)
def test_damaged_books_of_edax_are_refused(content: bytes, why: str) -> None:
    with pytest.raises(BookError, match=why):
        list(read_edax(content))


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"EGAROUCID\3", "begins with"),
        (EGAROUCID[:12], "length of the Egaroucid book 12"),
        (damaged(EGAROUCID, 9, b"\2"), "version of the Egaroucid book 2: expected 3"),
        (EGAROUCID[:-1], "length of the Egaroucid book"),
        (damaged(EGAROUCID, 14, b"\xff" * 16), "position of the book"),
        (damaged(EGAROUCID, 14 + 16, b"\x7f"), "score of the book 127"),
        (damaged(EGAROUCID, 14 + 23, b"\0"), "move of the book 0"),
    ],
)
def test_damaged_books_of_egaroucid_are_refused(content: bytes, why: str) -> None:
    with pytest.raises(BookError, match=why):
        list(read_egaroucid(content))


def test_books_are_exported_by_the_ending_and_imported_by_the_content(tmp_path: Path) -> None:
    with Store(":memory:") as store:
        GRAPH.save(store)
        for node in GRAPH.nodes.values():
            with store.transaction():
                store.put(node.key, node.entry)
        for name in ("a.dat", "b.egbk3", "c.book"):
            assert export_book(store, tmp_path / name) == len(GRAPH)
            (tmp_path / name).rename(tmp_path / "other")
            with Store(":memory:") as other:
                assert import_book(other, tmp_path / "other") == len(GRAPH)
                assert faults(other) == []
                assert import_book(other, tmp_path / "other") == 0
        with pytest.raises(BookError, match=r"ends in one of \.book, \.dat, \.egbk3"):
            export_book(store, tmp_path / "a.txt")
        export_book(store, tmp_path / "whole.book")
    with CompactBook(tmp_path / "whole.book") as book:
        assert list(book.entries()) == entries(GRAPH)


def test_an_import_that_fails_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "cut.dat"
    path.write_bytes(EDAX[:-1])
    with Store(":memory:") as store:
        with pytest.raises(BookError):
            import_book(store, path)
        assert len(store) == 0


def test_counts_are_written_as_large_as_the_format_holds() -> None:
    graph = lines("f5d6")
    object.__setattr__(graph.nodes[key("f5")].entry, "won", 1 << 40)
    assert graph_of(read_edax(write_edax(graph))).nodes[key("f5")].entry.won == (1 << 32) - 1
    written = write_egaroucid(GRAPH)
    numbers = [struct.unpack_from("<I", written, at + 18)[0] for at in range(14, len(written), 25)]
    assert max(numbers) > 2


def test_a_position_before_a_pass_has_the_score_with_the_other_sign() -> None:
    graph = graph_of(read_edax(write_edax(GRAPH)))
    after = Game.from_transcript("d3c3e6d2d1e1b2c1pa").position
    canonical, _ = after.canonical()
    score = graph.nodes[canonical.mover, canonical.opponent].entry.score
    found = graph_of((one, entry) for one, entry in read_egaroucid(write_egaroucid(GRAPH)))
    assert found.nodes[PASSING].entry.score == -score


@pytest.mark.parametrize("score", [-3, 0, 2, 3, 64])
def test_bounds_for_edax_lie_around_the_score(score: int) -> None:
    graph = lines("f5")
    node = graph.nodes[key("f5")]
    assert node.entry.leaf is not None
    graph.add(node.key, replace(node.entry, leaf=node.entry.leaf._replace(score=score)))
    content = write_edax(graph)
    at = 42 + (0 if key("f5") < key("") else 40 + 4)
    assert struct.unpack_from("<3h", content, at + 32) == (score, score - 2, min(64, score + 2))


def test_numbers_of_lines_are_written_as_large_as_the_format_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = lines("f5")
    monkeypatch.setattr("othello_bot.book_growing.exchange.lines", lambda graph: dict.fromkeys(graph.nodes, 1 << 40))
    assert struct.unpack_from("<I", write_egaroucid(graph), 14 + 18) == ((1 << 31) - 1,)
