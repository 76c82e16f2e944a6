"""Openings and the order of games."""

from __future__ import annotations

import gzip
import hashlib
import lzma
import os
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from othello_bot.arena.config import OpeningConfig, OpeningOrder
from othello_bot.arena.errors import ConfigError
from othello_bot.arena.match import game_count, game_tasks
from othello_bot.arena.openings import BALANCED_FILE, RandomOpenings, _beyond, digest, load
from othello_bot.base.notation import PASS
from othello_bot.book import SHIPPED, Book, key_of, write_compact
from othello_bot.formats import ggf
from othello_bot.formats.record import GameRecord
from othello_bot.rules.game import Game
from othello_bot.rules.position import Position
from tests.arena.builders import match
from tests.book.books import entries, key, lines
from tests.formats.samples import wthor_file


def test_the_built_in_set_is_large_balanced_and_free_of_mirror_images() -> None:
    openings = load(OpeningConfig(order=OpeningOrder.SEQUENTIAL), seed=1)
    assert openings.count is not None and openings.count >= 1000
    first = next(line for line in BALANCED_FILE.read_text().splitlines() if not line.startswith("#"))
    assert openings.of_round(0).moves == Game.from_transcript(first.split("#")[0].strip()).moves
    seen = set()
    for number in range(openings.count):
        opening = openings.of_round(number)
        assert opening.start == Position.start()
        assert len(opening.moves) == 8
        assert PASS not in opening.moves
        canonical, _ = opening.game().position.canonical()
        seen.add((canonical.mover, canonical.opponent))
    assert len(seen) == openings.count
    scores = [int(line.split("#")[1]) for line in BALANCED_FILE.read_text().splitlines() if not line.startswith("#")]
    assert len(scores) == openings.count
    assert all(abs(score) <= 2 for score in scores)


@pytest.mark.slow
def test_a_shuffled_list_plays_every_opening_before_it_repeats_one() -> None:
    openings = load(OpeningConfig(), seed=5)
    count = openings.count
    assert count is not None
    first, second = ([openings.of_round(turn * count + i) for i in range(count)] for turn in (0, 1))
    assert len(set(first)) == count
    assert set(first) == set(second)
    assert first != second
    assert [load(OpeningConfig(), seed=5).of_round(i) for i in range(9)] == first[:9]
    assert [load(OpeningConfig(), seed=6).of_round(i) for i in range(9)] != first[:9]


def test_random_openings_have_the_plies_that_were_asked_for() -> None:
    openings = load(OpeningConfig("random", plies=12), seed=3)
    assert openings.count is None
    for number in range(50):
        opening = openings.of_round(number)
        assert sum(move != PASS for move in opening.moves) == 12
        assert not opening.game().is_over
        assert opening == RandomOpenings(12, 3).of_round(number)
    assert len({openings.of_round(number) for number in range(50)}) == 50


def test_transcripts_with_comments_and_a_length(tmp_path: Path) -> None:
    path = tmp_path / "lines.txt"
    path.write_text("# two lines\nf5d6c3d3c4 # tiger\nF5 f6 E6 f4\n")
    openings = load(OpeningConfig(str(path), plies=3, order=OpeningOrder.SEQUENTIAL), seed=1)
    assert [openings.of_round(i).moves for i in range(3)] == [
        Game.from_transcript(text).moves for text in ("f5d6c3", "f5f6e6", "f5d6c3")
    ]


def test_positions_of_an_obf_file(tmp_path: Path) -> None:
    path = tmp_path / "ends.obf"
    game = Game.from_transcript("f5d6c3")
    path.write_text(f"{game.position.to_string()}; D3:+2;\n")
    opening = load(OpeningConfig(str(path)), seed=1).of_round(0)
    assert opening.start == game.position
    assert opening.moves == ()


def test_games_of_a_ggf_file(tmp_path: Path) -> None:
    path = tmp_path / "games.ggf"
    path.write_text(ggf.write_game(GameRecord(Game.from_transcript("f5d6c3d3"))) + "\n")
    openings = load(OpeningConfig(str(path), plies=2), seed=1)
    assert openings.of_round(0).moves == Game.from_transcript("f5d6").moves


def test_an_opening_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    path = tmp_path / "lines.txt"
    path.write_text("f5d6c3\n\nf5a1\n")
    with pytest.raises(ConfigError, match=r"illegal move 'a1': expected .* \(game 2, line 3, move 2\)"):
        load(OpeningConfig(str(path)), seed=1)


def book_file(path: Path, *texts: str) -> str:
    graph = lines(*texts)
    write_compact(path, entries(graph), {})
    return str(path)


def test_the_openings_of_a_book_are_its_positions_by_the_lines_that_lose_least(tmp_path: Path) -> None:
    source = book_file(tmp_path / "my.book", "f5d6c3", "f5f6")
    openings = load(OpeningConfig(source, order=OpeningOrder.SEQUENTIAL), seed=1)
    assert openings.count == 1 + 1 + 2 + 1
    found = [openings.of_round(number).game() for number in range(openings.count)]
    assert [game.ply for game in found] == [0, 1, 2, 2, 3]
    assert {key_of(game.position) for game in found} == {key(text) for text in ("", "f5", "f5d6", "f5f6", "f5d6c3")}


def test_the_openings_of_a_book_may_all_have_one_length(tmp_path: Path) -> None:
    source = book_file(tmp_path / "my.book", "f5d6c3", "f5f6")
    openings = load(OpeningConfig(source, plies=2), seed=1)
    assert openings.count == 2
    assert {len(openings.of_round(number).moves) for number in range(2)} == {2}
    with pytest.raises(ConfigError, match="a move to play after 9 plies"):
        load(OpeningConfig(source, plies=9), seed=1)


def test_of_two_lines_to_a_position_an_opening_has_the_better_one(tmp_path: Path) -> None:
    graph = lines("f5d6c3d3c4", "f5d6c4d3c3")
    node = graph.nodes[key("f5d6c4")]
    assert node.entry.leaf is not None
    graph.add(node.key, replace(node.entry, leaf=node.entry.leaf._replace(score=9)))
    path = tmp_path / "my.book"
    write_compact(path, entries(graph), {})
    openings = load(OpeningConfig(str(path), plies=5), seed=1)
    assert key_of(openings.of_round(0).game().position) == key("f5d6c3d3c4")
    assert key_of(openings.of_round(0).game().position_at(3)) == key("f5d6c3")


@pytest.mark.slow
def test_the_shipped_book_has_openings() -> None:
    openings = load(OpeningConfig("book"), seed=1)
    assert openings.count is not None and openings.count >= 200
    assert digest("book") == digest(str(SHIPPED))


def test_a_damaged_book_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "my.book"
    book_file(path, "f5d6c3")
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(ConfigError, match="a book that can be read"):
        load(OpeningConfig(str(path)), seed=1)


@pytest.mark.parametrize("text", ["", "f5d6c3z9", "f5f5"])
def test_a_file_without_openings_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "lines.txt"
    path.write_text(text)
    with pytest.raises(ConfigError, match="openings"):
        load(OpeningConfig(str(path)), seed=1)


def test_a_file_that_is_not_there_is_refused() -> None:
    with pytest.raises(ConfigError, match="balanced, book, random, start"):
        load(OpeningConfig("/no/such/file"), seed=1)


def test_two_engines_swap_colours_over_each_opening() -> None:
    tasks = list(game_tasks(match(rounds=2)))
    assert [(t.pair, t.leg, t.round, t.black, t.white) for t in tasks] == [
        (0, 0, 0, 0, 1),
        (0, 1, 0, 1, 0),
        (1, 0, 1, 0, 1),
        (1, 1, 1, 1, 0),
    ]


@pytest.mark.parametrize(("form", "meetings"), [("gauntlet", 3), ("round-robin", 6)])
def test_tournaments_give_every_meeting_the_same_games(form: str, meetings: int) -> None:
    config = match("random", "random", "random", "random", format=form, rounds=3)
    tasks = list(game_tasks(config))
    assert len(tasks) == game_count(config) == 2 * 3 * meetings
    assert set(Counter(frozenset((t.black, t.white)) for t in tasks).values()) == {6}
    assert set(Counter((t.black, t.white) for t in tasks).values()) == {3}
    if form == "gauntlet":
        assert all(0 in (t.black, t.white) for t in tasks)


def test_more_rounds_only_continue_the_sequence() -> None:
    three = ("random", "random", "random")
    short, long = (list(game_tasks(match(*three, format="round-robin", rounds=rounds))) for rounds in (2, 5))
    assert long[: len(short)] == short


def test_of_lines_to_a_position_that_lose_as_much_an_opening_has_the_first_in_order() -> None:
    def lookup(position: Position) -> list[SimpleNamespace]:
        return [SimpleNamespace(move=move, loss=0) for move in reversed(position.legal_moves)]

    book = cast("Book", SimpleNamespace(lookup=lookup, entry=lambda position: object()))
    start = Position.start()
    (reached,) = _beyond(book, {key_of(start): (0, (), start)}).values()
    assert reached == (0, (start.legal_moves[0],), start.play(start.legal_moves[0]))


def f5_lines(count: int) -> str:
    return "f5d6c3d3c4\nf5f6e6f4\n" * count


@pytest.mark.parametrize(
    ("name", "content", "first"),
    [
        ("utf-16.txt", "f5d6c3 # café".encode("utf-16"), "f5d6c3"),
        ("bom.txt", b"\xef\xbb\xbff5d6c3\n", "f5d6c3"),
        ("latin.pgn", '[White "Andr\u00e9"]\n\n1. f5 d6 2. c3 d3 *\n'.encode("latin-1"), "f5d6c3d3"),
        ("lines.txt.gz", gzip.compress(f5_lines(2).encode(), mtime=0), "f5d6c3d3c4"),
        ("lines.txt.xz", lzma.compress(f5_lines(2).encode()), "f5d6c3d3c4"),
        ("windows.txt", f5_lines(1).replace("\n", "\r\n").encode(), "f5d6c3d3c4"),
        ("names.txt", b"C4c3  Diagonal Opening\nf5d6c3  Tiger\n", "c4c3"),
        ("games.sgf", b"(;GM[2]PB[a]PW[b];B[f5];W[d6])", "f5d6"),
        ("packed.txt", gzip.compress(b"f5d6c3d3\n", mtime=0), "f5d6c3d3"),
        ("base.wtb", wthor_file([Game.from_transcript("f5d6c3d3")]), "f5d6c3d3"),
    ],
)
def test_openings_are_read_as_convert_reads_games(tmp_path: Path, name: str, content: bytes, first: str) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    assert digest(str(path))
    opening = load(OpeningConfig(str(path), order=OpeningOrder.SEQUENTIAL), seed=1).of_round(0)
    assert opening.moves == Game.from_transcript(first).moves


def test_a_file_of_openings_has_the_digest_of_its_text(tmp_path: Path) -> None:
    path = tmp_path / "lines.txt"
    path.write_bytes(f5_lines(1).encode())
    same = digest(str(path))
    assert same == hashlib.sha256(f5_lines(1).encode()).hexdigest()
    path.write_bytes(f5_lines(1).replace("\n", "\r\n").encode())
    assert digest(str(path)) == same


@pytest.mark.parametrize("make", [os.mkfifo, lambda path: path.symlink_to("/dev/zero"), Path.mkdir])
def test_what_may_block_or_never_end_is_no_file_of_openings(make: Callable[[Path], None], tmp_path: Path) -> None:
    path = tmp_path / "lines.txt"
    make(path)
    for read in (digest, lambda source: load(OpeningConfig(source), seed=1)):
        with pytest.raises(ConfigError, match="or a file that can be read"):
            read(str(path))


def test_a_file_of_too_many_openings_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "lines.txt.gz"
    path.write_bytes(gzip.compress(f5_lines(5).encode()))
    monkeypatch.setattr("othello_bot.arena.openings.MOST_OPENINGS", 9)
    with pytest.raises(ConfigError, match="at most 9 games"):
        load(OpeningConfig(str(path)), seed=1)
    monkeypatch.setattr("othello_bot.arena.openings.LARGEST_BYTES", 20)
    with pytest.raises(ConfigError, match="at most 20 bytes"):
        digest(str(path))


@pytest.mark.parametrize("damage", [lambda data: data[:-9], lambda data: data[:12] + b"\xff" * 9 + data[21:]])
def test_a_damaged_compressed_file_is_refused(damage: Callable[[bytes], bytes], tmp_path: Path) -> None:
    path = tmp_path / "lines.txt.gz"
    path.write_bytes(damage(gzip.compress(f5_lines(500).encode())))
    with pytest.raises(ConfigError, match="that can be read"):
        load(OpeningConfig(str(path)), seed=1)
