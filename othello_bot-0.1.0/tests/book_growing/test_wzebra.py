"""Books of WZebra: what a compressed one says is read, and damaged ones are refused."""

from __future__ import annotations

import gzip
from array import array
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from othello_bot.base.notation import PASS, Color, move_name, parse_square
from othello_bot.book.entry import BookError, Entry, Key
from othello_bot.book.store import Store
from othello_bot.book_growing import wzebra
from othello_bot.book_growing.exchange import graph_of, import_book
from othello_bot.rules.game import Game
from othello_bot.rules.position import SYMMETRIES, transform_square
from tests.book.books import key


@dataclass
class WZebraNode:
    """A position of a WZebra book: Black's score, the leaf with Black's score, flags, and the moves that go on."""

    score: int = 0
    leaf: int = -1
    leaf_score: int = wzebra.NO_SCORE
    flags: int = 18 << wzebra.DEPTH_SHIFT
    moves: dict[str, WZebraNode] = field(default_factory=dict)
    white_score: int | None = None


def number(name: str) -> int:
    """Return a square as the file has it."""
    square = parse_square(name)
    return 10 * (square // 8 + 1) + square % 8 + 1


def preorder(node: WZebraNode) -> Iterator[WZebraNode]:
    yield node
    for child in node.moves.values():
        yield from preorder(child)


def written(root: WZebraNode) -> bytes:
    """Return the file of a book."""
    nodes = list(preorder(root))
    numbers = array("h", [len(node.moves) for node in nodes])
    numbers.extend(number(move) for node in nodes for move in node.moves)
    for node in nodes:
        numbers.extend((node.score, node.score if node.white_score is None else node.white_score))
    numbers.extend(node.leaf for node in nodes)
    numbers.extend(node.leaf_score for node in nodes)
    numbers.extend(node.flags for node in nodes)
    return len(nodes).to_bytes(4, "little") + (len(nodes) - 1).to_bytes(4, "little") + numbers.tobytes()


def book_of(root: WZebraNode) -> dict[Key, Entry]:
    return dict(wzebra.read(written(root)))


SMALL = WZebraNode(
    128, moves={"f5": WZebraNode(-256, moves={"d6": WZebraNode(300), "f6": WZebraNode(-300, number("f4"), -640)})}
)


def test_positions_scores_and_depths_are_read() -> None:
    book = book_of(SMALL)
    assert set(book) == {key(""), key("f5"), key("f5d6"), key("f5f6")}
    assert book[key("")] == Entry(1, level=18)
    assert book[key("f5")].score == 2  # Black's -2, and White is to move
    assert book[key("f5d6")].score == 2 and book[key("f5f6")].score == -2


def test_solved_scores_are_read_as_such_and_not_as_proven() -> None:
    entry = book_of(WZebraNode(moves={"f5": WZebraNode(30_004, flags=53)}))[key("f5")]
    assert (entry.score, entry.level, entry.lower, entry.upper) == (-4, wzebra.SOLVED_LEVEL, -64, 64)


def test_estimates_beyond_the_board_are_those_of_a_rout() -> None:
    assert book_of(WZebraNode(-19_000))[key("")].score == -64


def test_each_side_has_the_score_of_its_own_view_of_draws() -> None:
    book = book_of(WZebraNode(0, white_score=30_002, moves={"f5": WZebraNode(0, white_score=30_002)}))
    assert book[key("")].score == 0 and book[key("f5")].score == -2


def images_of(move: int) -> set[int]:
    return {transform_square(move, symmetry) for symmetry in SYMMETRIES}


@pytest.mark.parametrize("transcript", ["f5f6", "f5d6c3d3", "f5d6c4"])
def test_a_leaf_is_read_where_only_one_image_of_it_is_a_legal_move(transcript: str) -> None:
    position = Game.from_transcript(transcript).position
    certain = 0
    for move in position.legal_moves:
        root = node = WZebraNode()
        for at in range(0, len(transcript), 2):
            node.moves[transcript[at : at + 2]] = node = WZebraNode()
        node.leaf, node.leaf_score = number(move_name(move)), -640
        leaf = book_of(root)[key(transcript)].leaf
        if len(images_of(move) & set(position.legal_moves)) > 1:
            assert leaf is None
            continue
        certain += 1
        score = -5 if position.color is Color.BLACK else 5
        assert leaf is not None and (leaf.score, leaf.depth, leaf.selectivity) == (score, 18, 73)
        canonical, _ = position.canonical()
        assert canonical.play(leaf.move).canonical()[0] == position.play(move).canonical()[0]
    assert certain


def test_a_move_into_the_book_is_no_leaf() -> None:
    root = WZebraNode(moves={"f5": WZebraNode(0, number("f6"), 128, moves={"f6": WZebraNode()})})
    assert book_of(root)[key("f5")].leaf is None


def test_forced_passes_are_played_and_their_positions_added() -> None:
    transcript = "d3c3e6d2d1e1b2c1"
    root = node = WZebraNode()
    for at in range(0, len(transcript), 2):
        node.moves[transcript[at : at + 2]] = node = WZebraNode()
    book = book_of(root)
    passing = Game.from_transcript(transcript).position
    assert passing.must_pass and key(transcript) not in book
    after, _ = passing.play(PASS).canonical()
    assert (after.mover, after.opponent) in book
    assert key(transcript) in graph_of(iter(book.items())).nodes


DAMAGED = {
    "no book": b"\x05\0\0\0",
    "too short": written(SMALL)[:-2],
    "too long": written(SMALL) + b"\0\0",
    "an illegal move": written(WZebraNode(moves={"a1": WZebraNode()})),
    "a score": written(WZebraNode(30_065)),
    "a leaf's score": written(WZebraNode(moves={"f5": WZebraNode(0, number("f6"), 30_065)})),
    "too many moves": written(SMALL)[:8] + b"\x09" + written(SMALL)[9:],
    "a negative number": written(SMALL)[:8] + b"\xff\xff" + written(SMALL)[10:],
    "too few moves": written(SMALL)[:8] + b"\x00" + written(SMALL)[9:],
    "no square": written(SMALL)[:16] + b"\x09" + written(SMALL)[17:],
}


@pytest.mark.parametrize("damage", DAMAGED)
def test_damaged_books_are_refused(damage: str) -> None:
    with pytest.raises(BookError):
        list(wzebra.read(DAMAGED[damage]))


@pytest.mark.parametrize("packed", [False, True])
def test_a_book_is_imported_packed_or_not(packed: bool, tmp_path: Path) -> None:
    path = tmp_path / "book.cmp.z"
    path.write_bytes(gzip.compress(written(SMALL)) if packed else written(SMALL))
    with Store(":memory:") as store:
        assert import_book(store, path) == 4
        entry = store.find(key("f5"))
        assert entry is not None and [move.score for move in entry.moves] == [-2, 2]


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (gzip.compress(written(SMALL), mtime=0)[:-9], "a whole gzip file"),
        (gzip.compress(b"something else", mtime=0), "a compressed book"),
        (wzebra.BIN_MAGIC + bytes(26), "book.bin does not hold its positions"),
    ],
    ids=["not whole", "no book", "book.bin"],
)
def test_other_files_are_refused_and_nothing_is_added(content: bytes, why: str, tmp_path: Path) -> None:
    path = tmp_path / "book.cmp.z"
    path.write_bytes(content)
    with Store(":memory:") as store:
        with pytest.raises(BookError, match=why):
            import_book(store, path)
        assert len(store) == 0


def test_a_score_that_no_game_has_is_refused_at_its_place() -> None:
    with pytest.raises(BookError, match=r"score of the WZebra book 30065: expected at most 30064 \(at offset 10\)"):
        book_of(WZebraNode(moves={"f5": WZebraNode(30_065)}))


def test_a_position_without_moves_may_come_before_others() -> None:
    book = book_of(
        WZebraNode(
            moves={"f5": WZebraNode(moves={"d6": WZebraNode(), "f6": WZebraNode(moves={"e6": WZebraNode(256)})})}
        )
    )
    assert set(book) == {key(text) for text in ("", "f5", "f5d6", "f5f6", "f5f6e6")}
    assert book[key("f5f6e6")].score == -2


def test_a_large_book_is_known_by_its_first_bytes() -> None:
    beginning = (3_000_000).to_bytes(4, "little") + (2_999_999).to_bytes(4, "little")
    assert wzebra.is_book(beginning, 8 + 2 * (7 * 3_000_000 - 1))
    assert not wzebra.is_book(beginning, 8 + 2 * 7 * 3_000_000)
