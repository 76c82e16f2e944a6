"""All games of a file: found by content, bad ones reported with their place, long files in pieces."""

from __future__ import annotations

import bz2
import gzip
import lzma
from pathlib import Path

import pytest

from othello_bot.errors import FormatError
from othello_bot.formats import ggf, obf, pgn, pieces, quest, sgf, transcripts
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
    monkeypatch.setattr(pieces, "PIECE_BYTES", 700)
    cut = list(games_of_content(text.encode()))
    assert [(found.number, found.line, found.checked().game) for found in cut] == [
        (found.number, found.line, found.checked().game) for found in whole
    ]


def test_positions_in_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "% positions\n" + "\n".join(obf.write_game(GameRecord(game)) for game in GAMES)
    monkeypatch.setattr(pieces, "PIECE_BYTES", 200)
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
    monkeypatch.setattr(pieces, "PIECE_BYTES", 68 * 8)
    assert list(games_of_file(path)) == whole
    (tmp_path / "WTH_2001.jou").write_bytes(names_file(["???", "Ann", "Cy"], 20))
    assert next(games_of_file(path)).checked().black == "Cy"
    with pytest.raises(FormatError, match="file of names"):
        list(games_of_file(tmp_path / "WTHOR.JOU"))


def test_a_base_is_known_by_its_content() -> None:
    assert [found.checked().game for found in games_of_content(wthor_file(GAMES))] == GAMES


@pytest.mark.parametrize(("ending", "module"), [(".gz", gzip), (".bz2", bz2), (".xz", lzma)])
def test_compressed_files(ending: str, module: object, tmp_path: Path) -> None:
    path = tmp_path / f"games.ggf{ending}"
    content: bytes = module.compress(b"(;GM[Othello]B[f5];)")  # type: ignore[attr-defined]
    path.write_bytes(content)
    assert [found.checked().game.transcript() for found in games_of_file(path)] == ["f5"]
    path.write_bytes(content[:-8])
    with pytest.raises(FormatError, match="compressed file"):
        list(games_of_file(path))


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "latin-1", "utf-8"])
def test_encodings(encoding: str) -> None:
    text = '[Black "Jürgen"]\n\n1. f5 *\n'
    assert next(games_of_content(text.encode(encoding))).checked().black == "Jürgen"
