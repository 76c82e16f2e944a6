"""All games of a file: found by content, bad ones reported with their place, long files in pieces."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from othello_bot.base.errors import FormatError
from othello_bot.formats import ggf, obf, pgn, quest, reading, sgf, transcripts
from othello_bot.formats.found import FoundGame
from othello_bot.formats.reading import games_of_content, games_of_file
from othello_bot.formats.record import GameRecord
from othello_bot.rules import Game
from tests.formats.samples import names_file, wthor_file
from tests.rules.strategies import random_game

GAMES = [random_game(seed) for seed in range(12)]
WRITERS = {
    "GGF": ggf.write_game,
    "SGF": sgf.write_game,
    "PGN": pgn.write_game,
    "Othello Quest": quest.write_game,
    "transcripts": transcripts.write_game,
}


def shown(found: FoundGame) -> tuple[int, int, str]:
    """Return number, line, and transcript or reason."""
    return (
        found.number,
        found.line,
        found.record.game.transcript() if found.record else found.error.reason if found.error else "",
    )


@pytest.mark.parametrize("name", WRITERS)
def test_games_in_pieces_are_all_games_in_order(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = "\n".join(WRITERS[name](GameRecord(game)) for game in GAMES)
    whole = list(games_of_content(text.encode()))
    assert [found.checked().game for found in whole] == GAMES
    monkeypatch.setattr(reading, "PIECE_BYTES", 700)
    cut = list(games_of_content(text.encode()))
    assert [(found.number, found.line, found.checked().game) for found in cut] == [
        (found.number, found.line, found.checked().game) for found in whole
    ]


def test_positions_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "% positions\n" + "\n".join(obf.write_game(GameRecord(game)) for game in GAMES)
    monkeypatch.setattr(reading, "PIECE_BYTES", 200)
    found = list(games_of_content(text.encode()))
    assert [game.checked().game.start for game in found] == [game.position for game in GAMES]
    assert [game.line for game in found] == list(range(2, 14))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "(;GM[Othello]B[f5];)\n(;GM[Othello]B[f5]W[a1];)\n(;GM[Othello]B[d3];)",
            [(1, 1, "f5"), (2, 2, "illegal move 'a1': expected f4 d6 f6"), (3, 3, "d3")],
        ),
        (
            "(;GM[Othello]B[f5];)\n(;GM[Othello]B[f5\n(;GM[Othello]B[d3];)",
            [(1, 1, "f5"), (2, 2, "GGF tag 'f5 (;GM[Othello': expected a ] before the next game"), (3, 3, "d3")],
        ),
        (
            "(;GM[2];B[f5])\n(;GM[2];B[f5];W[a1])\n(;GM[2];B[d3])",
            [(1, 1, "f5"), (2, 2, "illegal move 'a1': expected f4 d6 f6"), (3, 3, "d3")],
        ),
        (
            "(;GM[2];B[f5])\n(;GM[2];B[f5]\n(;GM[2];B[d3])",
            [(1, 1, "f5"), (2, 3, "SGF '': expected a property like B[f5], or ; ( or )"), (3, 3, "d3")],
        ),
        (
            '[Event "1"]\n\n1. f5 *\n\n[Event "2"]\n\n1. f5 a1 2. c3 *\n\n[Event "3"]\n\n1. d3 *\n',
            [(1, 1, "f5"), (2, 7, "illegal move 'a1': expected f4 d6 f6"), (3, 9, "d3")],
        ),
        (
            '[Event "1"]\n\n1. f5 ( d6 *\n\n[White "2"]\n\n1. d3 *\n',
            [(1, 3, """PGN '( d6 *  [White "': expected a ) after it"""), (2, 5, "d3")],
        ),
        (
            '[Event "1"]\n\n1. f5 {oh d6 *\n\n[White "2"]\n\n1. d3 {a} *\n',
            [(1, 3, """PGN comment 'oh d6 *  [White ': expected a } before the next game"""), (2, 5, "d3")],
        ),
        (
            "(;GM[2];B[f5](;GM[2];B[d3])\n(;GM[2];B[f5\n(;GM[2];B[c4])",
            [
                (1, 2, "SGF value '[f5 (;GM[2]': expected a ] before the next game"),
                (2, 1, "d3"),
                (3, 2, "SGF '[f5 (;GM[2];B[c4': expected a property like B[f5], or ; ( or )"),
                (4, 3, "c4"),
            ],
        ),
        (
            '{"position": {"moves": [{"m": "f5"}]}}\n{"position": \n{"position": {"moves": [{"m": "d3"}]}}\n',
            [
                (1, 1, "f5"),
                (2, 2, """JSON '': expected an Othello Quest game"""),
                (3, 3, "d3"),
            ],
        ),
        (
            "f5d6\nf5a1\nd3c3\n",
            [(1, 1, "f5d6"), (2, 2, "illegal move 'a1': expected f4 d6 f6"), (3, 3, "d3c3")],
        ),
        (
            "f5d6\nf5d6x9\nd3c3\n",
            [(1, 1, "f5d6"), (2, 2, "transcript 'f5d6x9': expected moves (f5d6c3, passes as pa)"), (3, 3, "d3c3")],
        ),
    ],
    ids=[
        *("GGF", "GGF, unclosed", "SGF", "SGF, unclosed", "PGN", "PGN, unclosed", "PGN comment", "SGF value"),
        *("Quest", "lines", "word"),
    ],
)
def test_a_bad_game_is_reported_and_hides_no_other(text: str, expected: list[tuple[int, int, str]]) -> None:
    assert [shown(found) for found in games_of_content(text.encode())] == expected


def test_a_base_with_a_bad_game_and_a_cut_off_end(tmp_path: Path) -> None:
    data = wthor_file([Game.from_transcript("f5d6"), Game.from_transcript("f5f6"), Game.from_transcript("d3")])
    broken = data[: 16 + 68 + 8] + bytes([11]) + data[16 + 68 + 9 : -30]
    path = tmp_path / "base.wtb"
    path.write_bytes(broken)
    found = list(games_of_file(path))
    assert [game.place for game in found] == ["game 1 (byte 16)", "game 2 (byte 92)", "game 3 (byte 4)"]
    assert found[0].checked().game.transcript() == "f5d6"
    assert [game.error.reason for game in found[1:] if game.error] == [
        "illegal move 'a1': expected d3 c4 f5 e6",
        "WTHOR file '190 bytes': expected 220 bytes for 3 games",
    ]


def test_a_base_in_pieces_and_the_names_that_suit_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "WTH_2001.wtb"
    path.write_bytes(wthor_file(GAMES))
    (tmp_path / "OTHER.JOU").write_bytes(names_file(["x", "x", "x"], 20))
    (tmp_path / "WTHOR.JOU").write_bytes(names_file(["???", "Ann", "Bo"], 20))
    whole = list(games_of_file(path))
    assert [(game.checked().black, game.checked().white) for game in whole[:1]] == [("Bo", "")]
    monkeypatch.setattr(reading, "PIECE_BYTES", 68 * 8)
    assert list(games_of_file(path)) == whole
    (tmp_path / "WTH_2001.jou").write_bytes(names_file(["???", "Ann", "Cy"], 20))
    assert next(games_of_file(path)).checked().black == "Cy"
    with pytest.raises(FormatError, match="file of names"):
        list(games_of_file(tmp_path / "WTHOR.JOU"))


def test_a_base_is_known_by_its_content() -> None:
    assert [found.checked().game for found in games_of_content(wthor_file(GAMES))] == GAMES


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress])
def test_what_is_compressed_is_known_by_its_content(pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    path = tmp_path / "games.txt"
    path.write_bytes(pack(b"f5d6c3\n"))
    assert [found.checked().game.transcript() for found in games_of_file(path)] == ["f5d6c3"]
    assert [found.checked().game.transcript() for found in games_of_content(path.read_bytes())] == ["f5d6c3"]
    path.write_bytes(path.read_bytes()[:-8])
    with pytest.raises(FormatError, match="compressed file"):
        list(games_of_file(path))
    plain = tmp_path / "plain.txt.gz"
    plain.write_bytes(b"f5d6c3\n")
    assert [found.checked().game.transcript() for found in games_of_file(plain)] == ["f5d6c3"]


def test_a_small_upload_does_not_hold_a_large_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "LARGEST_UNPACKED_BYTES", 1000)
    with pytest.raises(FormatError, match="compressed file"):
        list(games_of_content(gzip.compress(b"f5d6c3\n" * 1000)))


def archive(**members: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, content in members.items():
            packed.writestr(name.replace("__", "/").replace("_", "."), content)
    return file.getvalue()


def test_the_files_of_an_archive(tmp_path: Path) -> None:
    path = tmp_path / "games.zip"
    names = names_file(["???", "Ann", "Bo"], 20)
    path.write_bytes(archive(a__WTH_wtb=wthor_file(GAMES[:1]), a__WTHOR_JOU=names, b_txt=b"f5d6\n\nf5f6\n"))
    found = list(games_of_file(path))
    assert [game.checked().game for game in found] == [GAMES[0], *map(Game.from_transcript, ("f5d6", "f5f6"))]
    assert [game.number for game in found] == [1, 2, 3]
    assert found[0].checked().black == "Bo"
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(FormatError, match=r"compressed file 'games\.zip'"):
        list(games_of_file(path))


def test_standard_input(monkeypatch: pytest.MonkeyPatch) -> None:
    reader, writer = os.pipe()
    os.write(writer, archive(a_txt=b"f5d6\n"))
    os.close(writer)
    with open(reader) as stream:
        monkeypatch.setattr(sys, "stdin", stream)
        assert [found.checked().game.transcript() for found in games_of_file(Path("-"))] == ["f5d6"]


@pytest.mark.parametrize(
    "encoding",
    ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "cp1252", "latin-1", "utf-8"],
)
def test_encodings(encoding: str, monkeypatch: pytest.MonkeyPatch) -> None:
    text = '[Black "Jürgen"]\n\n1. f5 *\n\n[Black "Zoë"]\n\n1. f5 d6 *\n'
    games = [found.checked() for found in games_of_content(text.encode(encoding))]
    assert [game.black for game in games] == ["Jürgen", "Zoë"]
    monkeypatch.setattr(reading, "PIECE_BYTES", 50)
    assert [found.checked() for found in games_of_content(text.encode(encoding))] == games


@pytest.mark.parametrize("encoding", ["utf-8", "shift_jis", "euc_jp", "iso2022_jp", "utf-16"])
def test_japanese_encodings(encoding: str) -> None:
    text = "第１局　黒：ソ能表　白：高橋\n・Ｆ５Ｄ６Ｃ３　ソ連の定石\n"
    (found,) = games_of_content(text.encode(encoding))
    assert found.checked().game.transcript() == "f5d6c3"
    assert found.checked().comment == "ソ連の定石"


@pytest.mark.parametrize("name", ["André", "Andrés", "Ærø", "Ann\u2019s"])
def test_names_of_old_files_are_not_japanese(name: str) -> None:
    (found,) = games_of_content(f'[Black "{name}"]\n\n1. f5 *\n'.encode("cp1252"))
    assert found.checked().black == name


def test_half_a_character_does_not_change_the_encoding() -> None:
    content = '[Black "Zoë Müller Ægir"]\n[White "An'.encode() + b'\xc3"]\n\n1. f5 *\n'
    (found,) = games_of_content(content)
    assert (found.checked().black, found.checked().white) == ("Zoë Müller Ægir", "An\ufffd")


def test_marks_within_a_text_and_old_line_ends() -> None:
    assert len(list(games_of_content(b"\xef\xbb\xbff5d6\n\n\xef\xbb\xbff5f6\n"))) == 2
    assert [found.line for found in games_of_content(b"f5d6c3d3\rf5f6e6f4\r")] == [1, 2]


def test_a_mark_before_a_text_in_an_old_encoding() -> None:
    (found,) = games_of_content(b"\xef\xbb\xbff5d6 Andr\xe9\n")
    assert found.checked().comment == "André"


def tagged(name: str) -> str:
    return f'[Event "x"]\n[Black "{name}"]\n\n1. f5 d6 *\n\n'


@pytest.mark.parametrize("many", ["Jürgen", "高橋", "Anna"])
def test_latin_1_and_utf_8_in_one_file(many: str) -> None:
    content = tagged(many).encode() * 3 + tagged("André").encode("latin-1") + tagged("ÆRØ").encode("latin-1")
    content += tagged("Ann\u2019s").encode("cp1252") + tagged("Zoë").encode()
    names = [found.checked().black for found in games_of_content(content)]
    assert names == [*[many] * 3, "André", "ÆRØ", "Ann\u2019s", "Zoë"]


@pytest.mark.parametrize("other", ["utf-8", "latin-1"])
def test_escape_sequences_of_japanese_beside_another_encoding(other: str) -> None:
    content = tagged("André").encode(other) + tagged("高橋 晃二").encode("iso2022_jp") + tagged("Ærø").encode(other)
    names = [found.checked().black for found in games_of_content(content)]
    assert names == ["André", "高橋 晃二", "Ærø"]


def test_escape_sequences_of_japanese_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "PIECE_BYTES", 200)
    for count in (0, 9):
        content = (tagged("Anna") * count + tagged("高橋 晃二") * 9).encode("iso2022_jp")
        names = [found.checked().black for found in games_of_content(content)]
        assert names == [*["Anna"] * count, *["高橋 晃二"] * 9]


def test_an_odd_board_does_not_end_a_long_file(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "PIECE_BYTES", 300)
    content = b"f5d6c3\n" * 50 + b"12" + b"X-O" * 20 + b"--\n" + b"f5d6c3\n" * 50
    found = list(games_of_content(content))
    assert [one.line for one in found if one.error] == [51]
    assert len(found) == 101
