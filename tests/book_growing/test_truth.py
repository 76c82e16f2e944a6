"""Comparing books with what is proven."""

from __future__ import annotations

from pathlib import Path

import pytest

from othello_bot.book.book import Book
from othello_bot.book.compact import CompactBook
from othello_bot.book.compact_writing import to_bytes
from othello_bot.book_growing import command
from othello_bot.book_growing.truth import (
    DRAWN_LINE,
    Comparison,
    Proof,
    compared,
    drawn_line_faults,
    read_proofs,
    report,
    score_in,
)
from othello_bot.cli import main
from othello_bot.engine.deepening import Search, SearchResult
from othello_bot.engine.limits import Limits
from othello_bot.errors import FormatError
from othello_bot.rules.game import Game
from tests.book.books import add, entries, key, lines

HEAD = "obf,count,score,alpha,beta\n"
F5 = Game.from_transcript("f5").position
ROW = f"{F5.to_string()};,1,0"


def book_of(*texts: str) -> Book:
    return Book([CompactBook.from_bytes(to_bytes(entries(lines(*texts)), {}))])


def test_the_drawn_line_is_a_game_that_is_drawn() -> None:
    game = Game.from_transcript(DRAWN_LINE)
    assert game.is_over and game.position.score() == 0 and game.position.empties == 0


@pytest.mark.parametrize(("window", "bounds"), [("-64,0", (0, 64)), ("0,64", (-64, 0)), ("-64,64", (0, 0))])
def test_windows_are_bounds(window: str, bounds: tuple[int, int], tmp_path: Path) -> None:
    path = tmp_path / "proofs.csv"
    path.write_text(f"{HEAD}{ROW},{window}\n")
    assert read_proofs(path) == [Proof(F5, *bounds)]


def test_two_windows_of_a_position_prove_together(tmp_path: Path) -> None:
    path = tmp_path / "proofs.csv"
    path.write_text(f"{HEAD}{ROW},-64,0\n{ROW},0,64\n")
    assert read_proofs(path) == [Proof(F5, 0, 0)]


@pytest.mark.parametrize("content", [b"obf,\xff\n", HEAD.encode() + b"\xff\n", HEAD.encode() + b"x" * 200_000])
def test_what_is_no_text_or_no_table_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "proofs.csv"
    path.write_bytes(content)
    with pytest.raises(FormatError, match=r"of the proofs .*: expected CSV in UTF-8"):
        read_proofs(path)


@pytest.mark.parametrize("head", ["", "a,b\n"])
def test_other_files_are_refused(head: str, tmp_path: Path) -> None:
    path = tmp_path / "proofs.csv"
    path.write_text(head)
    with pytest.raises(FormatError):
        read_proofs(path)


@pytest.mark.parametrize("row", ["x", f"{ROW},1,2", "no board,1,0,-64,0", f"{ROW},-64", ""])
def test_other_lines_are_refused(row: str, tmp_path: Path) -> None:
    path = tmp_path / "proofs.csv"
    path.write_text(f"{HEAD}{row}\n")
    with pytest.raises(FormatError):
        read_proofs(path)


@pytest.mark.parametrize(
    ("lower", "upper", "score", "discs"), [(0, 64, -3, 3), (-64, 0, 4, 4), (0, 0, 0, 0), (0, 64, 9, 0), (0, 0, -1, 1)]
)
def test_a_contradiction_is_counted_in_discs(lower: int, upper: int, score: int, discs: int) -> None:
    (one,) = compared([Proof(F5, lower, upper)], lambda position: score)
    assert one.discs == discs
    head, *named = report([one])
    assert head == f"1 positions compared, {int(discs > 0)} contradicted, {int(discs > 2)} by more than 2 discs"
    assert len(named) == (discs > 2)


def test_positions_that_a_book_does_not_know_are_left_out() -> None:
    proofs = [Proof(F5, 0, 0), Proof(Game.from_transcript("f5f4").position, 0, 0)]
    found = list(compared(proofs, score_in(book_of("f5d6"))))
    assert [(one.proof.position, one.score) for one in found] == [(F5, 0)]


def test_the_drawn_line_is_compared() -> None:
    assert drawn_line_faults(book_of(DRAWN_LINE[:12])) == (7, [])
    graph = lines(DRAWN_LINE[:6])
    add(graph, key("f5d6"), 4)
    add(graph, key("f5f6"), -2)
    book = Book([CompactBook.from_bytes(to_bytes(entries(graph), {}))])
    _, faults = drawn_line_faults(book)
    assert "ply 2: f6 scores +2, more than a draw" in faults


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "proofs.csv"
    path.write_text(f"{HEAD}{ROW},-64,0\n")
    assert main(["book", "truth", str(path)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("1 positions compared, ") and "positions of the drawn line known" in out
    assert main(["book", "truth", str(path), "--search", "1"]) == 0
    assert capsys.readouterr().out.startswith("1 positions compared, ")


def proofs_of(path: Path, transcripts: tuple[str, ...]) -> str:
    rows = [f"{Game.from_transcript(text).position.to_string()};,1,0,-64,0\n" for text in transcripts]
    path.write_text(HEAD + "".join(rows))
    return str(path)


def test_a_sample_is_drawn_by_the_seed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = proofs_of(tmp_path / "proofs.csv", ("f5", "f5d6", "f5f6", "f5f4", "f5d6c3", "f5d6c4"))
    drawn = []

    def noted(proofs: list[Proof], score_of: object) -> list[object]:
        drawn.append(tuple(proof.position for proof in proofs))
        return []

    monkeypatch.setattr(command, "compared", noted)
    for seed in ("1", "1", "2"):
        assert main(["book", "truth", path, "--sample", "3", "--seed", seed]) == 0
    assert [len(set(one)) for one in drawn] == [3, 3, 3]
    assert drawn[0] == drawn[1] != drawn[2]


def test_what_was_compared_before_an_interruption_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = proofs_of(tmp_path / "proofs.csv", ("f5", "f5d6"))
    run = Search.run
    searched: list[int] = []

    def once(search: Search, mover: int, opponent: int, limits: Limits) -> SearchResult:
        if searched:
            raise KeyboardInterrupt
        searched.append(mover)
        return run(search, mover, opponent, limits)

    monkeypatch.setattr(Search, "run", once)
    assert main(["book", "truth", path, "--search", "1"]) == 0
    output = capsys.readouterr()
    assert output.out.startswith("1 positions compared, ") and output.err == "interrupted\n"


def test_the_widest_contradiction_comes_first() -> None:
    found = [
        Comparison(Proof(Game.from_transcript(text).position, 0, 0), score, score)
        for text, score in (("f5", 4), ("f5d6", 9), ("f5f6", 6))
    ]
    summary, *wide = report(found)
    assert summary == "3 positions compared, 3 contradicted, 3 by more than 2 discs"
    assert [line.split("score ")[1].split(",")[0] for line in wide] == ["+9", "+6", "+4"]
