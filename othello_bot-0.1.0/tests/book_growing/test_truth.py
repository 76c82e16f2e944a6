"""Comparing books with what is proven."""

from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import pytest

from othello_bot.base.errors import FormatError
from othello_bot.book.book import Book
from othello_bot.book.compact import CompactBook, to_bytes
from othello_bot.book.store import Store
from othello_bot.book_growing import command, growing
from othello_bot.book_growing.expansion import Levels, Reach
from othello_bot.book_growing.graph import Graph
from othello_bot.book_growing.maintenance import deepening, faults, statistics
from othello_bot.book_growing.truth import (
    DRAWN_LINE,
    Comparison,
    Proof,
    compared,
    drawn_line_faults,
    learn_proofs,
    read_proofs,
    report,
    score_in,
)
from othello_bot.cli import main
from othello_bot.engine import SearchRequest
from othello_bot.engine.deepening import Search
from othello_bot.engine.request import SearchResult
from othello_bot.rules.game import Game
from tests.book.books import add, entries, found, key, lines

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


@pytest.mark.parametrize(
    "content", [b"", b"a,b\n", b"obf,\xff\n", HEAD.encode() + b"\xff\n", HEAD.encode() + b"x" * 200_000]
)
def test_what_is_no_table_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "proofs.csv"
    path.write_bytes(content)
    with pytest.raises(FormatError, match=r"of (the )?proofs .*: expected (CSV|a first line|a position)"):
        read_proofs(path)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_proofs_in_any_encoding_and_compressed(encoding: str, tmp_path: Path) -> None:
    path = tmp_path / "proofs.csv.gz"
    path.write_bytes(gzip.compress(f"{HEAD}{ROW},-64,0\r\n".encode(encoding)))
    assert read_proofs(path) == [Proof(F5, 0, 64)]


def test_a_table_without_a_position(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "proofs.csv"
    path.write_text(HEAD)
    assert main(["book", "truth", str(path)]) == 1
    assert capsys.readouterr().err == f"othello-bot book truth: no position in {path}\n"


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
    assert head == f"1 position compared, {int(discs > 0)} contradicted, {int(discs > 2)} by more than 2 discs"
    assert len(named) == (discs > 2)


def test_positions_that_a_book_does_not_know_are_left_out() -> None:
    proofs = [Proof(F5, 0, 0), Proof(Game.from_transcript("f5f4").position, 0, 0)]
    compared_ones = list(compared(proofs, score_in(book_of("f5d6"))))
    assert [(one.proof.position, one.score) for one in compared_ones] == [(F5, 0)]


def test_the_drawn_line_is_compared() -> None:
    assert drawn_line_faults(book_of(DRAWN_LINE[:12])) == (7, [])
    graph = lines(DRAWN_LINE[:6])
    add(graph, key("f5d6"), 4)
    add(graph, key("f5f6"), -2)
    book = Book([CompactBook.from_bytes(to_bytes(entries(graph), {}))])
    _, wrong = drawn_line_faults(book)
    assert "ply 2: f6 scores +2, more than a draw" in wrong


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "proofs.csv"
    path.write_text(f"{HEAD}{ROW},-64,0\n")
    assert main(["book", "truth", str(path)]) == 0
    out = capsys.readouterr().out
    assert out.startswith("1 position compared, ") and "positions of the drawn line known" in out
    assert main(["book", "truth", str(path), "--search", "1"]) == 0
    assert capsys.readouterr().out.startswith("1 position compared, ")


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
    answer = Search.answer
    searched: list[int] = []

    def once(search: Search, request: SearchRequest) -> SearchResult:
        if searched:
            raise KeyboardInterrupt
        searched.append(request.position.mover)
        return answer(search, request)

    monkeypatch.setattr(Search, "answer", once)
    assert main(["book", "truth", path, "--search", "1"]) == 0
    output = capsys.readouterr()
    assert output.out.startswith("1 position compared, ") and output.err == "othello-bot book: interrupted\n"


def test_the_widest_contradiction_comes_first() -> None:
    three = [
        Comparison(Proof(Game.from_transcript(text).position, 0, 0), score, score)
        for text, score in (("f5", 4), ("f5d6", 9), ("f5f6", 6))
    ]
    summary, *wide = report(three)
    assert summary == "3 positions compared, 3 contradicted, 3 by more than 2 discs"
    assert [line.split("score ")[1].split(",")[0] for line in wide] == ["+9", "+6", "+4"]


# -- learning what is proven ------------------------------------------------------------------------------------------


def test_a_proof_is_a_bound_and_stays_one() -> None:
    graph = lines("f5d6", "f5f6")
    add(graph, key("f5d6"), 6)
    assert learn_proofs(graph, [Proof(Game.from_transcript("f5f6").position, 3, 64)]) > 1
    entry = graph.nodes[key("f5f6")].entry
    assert (entry.score, entry.lower, entry.upper) == (3, 3, 64)
    assert (graph.nodes[key("f5")].entry.score, graph.nodes[key("f5")].entry.upper) == (0, 0)
    add(graph, key("f5f6"), -9)
    assert graph.nodes[key("f5f6")].entry.score == 3
    assert entries(Graph(entries(graph))) == entries(graph)
    with Store(":memory:") as store:
        graph.save(store)
        assert faults(store) == []


def test_what_the_book_does_not_have_and_what_contradicts_it_is_not_learned() -> None:
    graph = lines("f5")
    assert learn_proofs(graph, [Proof(Game.from_transcript("f5f4").position, 0, 0)]) == 2  # the drawn line's own
    assert graph.nodes[key("f5")].entry.exact
    assert learn_proofs(graph, [Proof(F5, 4, 64)]) == 0


def test_a_book_that_learned_the_drawn_line_is_true_there() -> None:
    graph = lines(DRAWN_LINE, "f5d6c4", "f5f6")
    add(graph, key("f5d6"), 4)
    add(graph, key("f5d6c3"), -2)
    add(graph, key("f5f6"), -2)
    learn_proofs(graph, [])
    node = graph.nodes[key("f5d6")]
    assert node.entry.leaf is not None
    graph.add(node.key, replace(node.entry, leaf=node.entry.leaf._replace(score=8)))
    book = Book([CompactBook.from_bytes(to_bytes(entries(graph), {}))])
    assert drawn_line_faults(book) == (60, [])
    assert book.lookup(Game.from_transcript("f5d6").position)[0].exact
    entry = graph.nodes[key("f5f6")].entry
    assert (entry.score, entry.lower, entry.upper) == (0, 0, 64)


def test_the_command_learns(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "my.book"
    with Store(str(path), create=True) as store:
        lines("f5f6").save(store)
    monkeypatch.setattr(growing, "carry_out", lambda task, search: found(task, 1))
    proofs = proofs_of(tmp_path / "proofs.csv", ("f5f6",))
    assert main(["book", "truth", proofs, str(path), "--learn"]) == 0
    out = capsys.readouterr().out
    assert "60 positions of the drawn line known, 0 contradicted" in out and "1 position compared, 0 contra" in out
    assert main(["book", "check", str(path)]) == 0
    with Store(str(path)) as store:
        entry = store.find(key("f5f6"))
    assert entry is not None and (entry.lower, entry.upper) == (0, 64)


def test_only_a_growing_book_learns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["book", "truth", proofs_of(tmp_path / "proofs.csv", ("f5",)), "--learn"]) == 2
    assert "expected a growing book" in capsys.readouterr().err


def test_a_proven_position_is_searched_deeper_as_others_are() -> None:
    graph = lines("f5d6c4")
    learn_proofs(graph, [])
    deeper = Levels(late=9, early=9)
    assert {task.key for task in deepening(graph, Reach(64, 64), deeper)} == {key("f5"), key("f5d6"), key("f5d6c4")}
    with Store(":memory:") as store:
        graph.save(store)
        figures = statistics(store)
    assert (figures.lines, figures.solved_lines, figures.grade) == (1, 0, "F")
