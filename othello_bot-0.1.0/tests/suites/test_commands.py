"""The commands perft, bench and solve, called as the command line calls them."""

from __future__ import annotations

import gzip
import json
import random
import re
from pathlib import Path

import pytest

from othello_bot import kernel
from othello_bot.base.notation import move_name
from othello_bot.cli import main
from othello_bot.engine.deepening import fixed_depth
from othello_bot.kernel import Searcher
from othello_bot.suites.bench import SIGNATURE
from tests.kernel.positions import BitboardPair, filled, minimax, played

# The side to move is X in all of them.
POSITIONS = [played(random.Random(seed), empties) for seed, empties in ((1, 6), (2, 7), (3, 8))]


def board_text(position: BitboardPair) -> str:
    return "".join("X" if position[0] >> i & 1 else "O" if position[1] >> i & 1 else "-" for i in range(64)) + " X"


def best_moves(position: BitboardPair) -> tuple[int, list[str]]:
    lines = fixed_depth(Searcher(1), *position, 60, count=64)
    best = max(line.score for line in lines)
    assert best == minimax(*position, {})
    return best, [move_name(line.move) for line in lines if line.score == best]


def problem(position: BitboardPair, error: int = 0) -> str:
    best, moves = best_moves(position)
    return f"{board_text(position)}; " + " ".join(f"{move.upper()}:{best + error:+d};" for move in moves)


@pytest.fixture
def right(tmp_path: Path) -> Path:
    """Return a file whose scores are right, in each form of the format, with comments and empty lines."""
    best, _ = best_moves(POSITIONS[1])
    lines = [
        "% a comment",
        "",
        problem(POSITIONS[0]),
        f"{board_text(POSITIONS[1])}; {best:+d};",
        board_text(POSITIONS[2]),
    ]
    path = tmp_path / "right.obf"
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    path = tmp_path / "wrong.obf"
    path.write_text(problem(POSITIONS[0]) + "\n" + problem(POSITIONS[1], error=-2) + "\n")
    return path


def test_perft(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["perft", "6"]) == 0
    head, *rows = capsys.readouterr().out.splitlines()
    assert head.split() == ["depth", "leaves", "seconds", "Mleaves/s"]
    assert [row.split()[:2] for row in rows] == [
        ["1", "4"], ["2", "12"], ["3", "56"], ["4", "244"], ["5", "1396"], ["6", "8200"],
    ]  # fmt: skip


def test_perft_of_one_depth_from_a_position(capsys: pytest.CaptureFixture[str]) -> None:
    text = "--XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X"
    assert main(["perft", "2", "--only", "--position", text]) == 0
    (row,) = capsys.readouterr().out.splitlines()[1:]
    assert row.split()[:2] == ["2", "57"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["perft", "0"], "expected an integer from 1 to 60"),
        (["perft", "61"], "expected an integer from 1 to 60"),
        (["perft", "six"], "expected an integer from 1 to 60"),
        (["perft", "2", "--position", "XO"], "64"),
        (["perft"], "depth"),
    ],
)
def test_perft_refuses(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    captured = capsys.readouterr()
    assert said in captured.err and captured.out == ""


@pytest.mark.slow
def test_bench_quiet_prints_the_signature_alone(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--quiet"]) == 0
    assert capsys.readouterr().out == f"Bench: {SIGNATURE}\n"


def test_solve_table(right: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", str(right), "--hash", "1"]) == 0
    head, *rows, total = capsys.readouterr().out.splitlines()
    assert head.split() == ["#", "empties", "best", "score", "nodes", "seconds", "Mnodes/s", "verdict"]
    verdicts = ["right", "right", "-"]
    assert len(rows) == len(POSITIONS)
    for number, (row, position, verdict) in enumerate(zip(rows, POSITIONS, verdicts, strict=True), 1):
        best, moves = best_moves(position)
        fields = row.split()
        assert fields[:2] == [str(number), str(64 - (position[0] | position[1]).bit_count())]
        assert fields[2] in moves
        assert int(fields[3]) == best
        assert fields[7] == verdict
    assert re.match(r" *all .* 2 of 2 right$", total)


def test_solve_wrong_scores(wrong: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", str(wrong), "--hash", "1"]) == 1
    rows = capsys.readouterr().out.splitlines()
    assert rows[1].endswith("right")
    best, moves = best_moves(POSITIONS[1])
    assert f"WRONG, expected {' or '.join(moves)} {best - 2:+d}" in rows[2]
    assert rows[3].endswith("1 of 2 right")


def test_solve_json(right: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", str(right), "--hash", "1", "--threads", "2", "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert (content["threads"], content["hash_mib"], content["wld"]) == (2, 1, False)
    for entry, position in zip(content["positions"], POSITIONS, strict=True):
        best, moves = best_moves(position)
        assert entry["score"] == best and entry["best"] in moves and entry["line"][0] == entry["best"]
        assert entry["board"] == board_text(position)
        assert entry["nodes"] > 0 and entry["seconds"] >= 0
    assert [entry["right"] for entry in content["positions"]] == [True, True, None]
    assert [entry["expected"] for entry in content["positions"]][2] is None
    assert content["total"]["positions"] == 3 and content["total"]["right"] == 2
    assert content["total"]["nodes"] == sum(entry["nodes"] for entry in content["positions"])


def test_solve_win_draw_or_loss(right: Path, capsys: pytest.CaptureFixture[str]) -> None:
    truths = [minimax(*position, {}) for position in POSITIONS]
    assert main(["solve", str(right), "--hash", "1", "--wld", "--json"]) == 0
    content = json.loads(capsys.readouterr().out)
    assert content["wld"] is True
    assert [entry["score"] for entry in content["positions"]] == [(t > 0) - (t < 0) for t in truths]
    assert main(["solve", str(right), "--hash", "1", "--wld"]) == 0
    rows = capsys.readouterr().out.splitlines()[1:-1]
    assert [row.split()[3] for row in rows] == [("loss", "draw", "win")[(t > 0) - (t < 0) + 1] for t in truths]


def test_solve_part_of_a_file(right: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", str(right), "--hash", "1", "--first", "2", "--count", "1", "--json"]) == 0
    (entry,) = json.loads(capsys.readouterr().out)["positions"]
    assert entry["number"] == 2 and entry["board"] == board_text(POSITIONS[1])


def test_solve_positions_where_nothing_can_be_played(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rng = random.Random(4)
    stuck = (filled(rng, 4, 0.2) for _ in range(1000))
    passing = next(p for p in stuck if not kernel.legal_moves(*p) and kernel.legal_moves(p[1], p[0]))
    truth = minimax(*passing, {})
    path = tmp_path / "ends.obf"
    path.write_text(f"{'X' * 40 + '-' * 24} O; -64;\n{board_text(passing)}; PA:{truth:+d};\n")
    assert main(["solve", str(path), "--hash", "1", "--json"]) == 0
    finished, passed = json.loads(capsys.readouterr().out)["positions"]
    assert (finished["best"], finished["line"], finished["score"], finished["right"]) == (None, [], -64, True)
    assert (passed["best"], passed["score"], passed["right"]) == ("pass", truth, True)


def test_solve_refuses_a_bad_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "bad.obf"
    path.write_text("% fine\n" + "-" * 64 + " X; Z9:+2;\n")
    assert main(["solve", str(path), "--hash", "1"]) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and captured.err.startswith("othello-bot solve: ") and "line 2" in captured.err
    assert captured.err.count("\n") == 1


ENDING = "XXXXXXXX XXXXXXXX XXXXXXXX XXXXXXXX XXXXXXXX XXXXXXXX XXXXXXXX XXXXXXO-"
DRAWN = "  a b c d e f g h\n" + "".join(
    f"{number} {' '.join(row)} {number}\n" for number, row in enumerate(ENDING.replace("X", "*").split(), 1)
)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("bom.obf", f"\ufeff{ENDING.replace(' ', '')} X; H8:+64;\r\n".encode()),
        ("wide.obf", f"{ENDING.replace(' ', '')} X; H8:+64;\r\n".encode("utf-16")),
        ("packed.obf.gz", gzip.compress(f"{ENDING.replace(' ', '')} X; H8:+64;\n".encode(), mtime=0)),
        ("drawn.txt", f"{DRAWN}black to move\n".encode()),
        ("brackets.txt", f"[8 {ENDING} X]\n".encode()),
        ("rows.txt", ENDING.replace(" ", "\n").encode()),
    ],
)
def test_solve_takes_positions_in_any_form(
    name: str, content: bytes, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    assert main(["solve", str(path), "--hash", "1", "--json"]) == 0
    (solved,) = json.loads(capsys.readouterr().out)["positions"]
    if name != "rows.txt":  # by the number of discs, it is White's turn, who has no move
        assert (solved["best"], solved["score"]) == ("h8", 64)
    assert solved["right"] is (True if "obf" in name else None)


def test_solve_tells_that_there_is_nothing_to_solve(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "nothing.obf"
    path.write_text("% nothing\n")
    assert main(["solve", str(path), "--hash", "1"]) == 1
    assert capsys.readouterr().err == f"othello-bot solve: no position in {path}\n"


def test_solve_refuses_a_missing_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", str(tmp_path / "none.obf"), "--hash", "1"]) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and "none.obf" in captured.err


@pytest.mark.parametrize("setting", [["--threads", "0"], ["--threads", "100000"], ["--hash", "1000000000"]])
def test_solve_refuses_what_no_machine_has(right: Path, setting: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["solve", str(right), "--hash", "1", *setting])
    assert ended.value.code == 2
    captured = capsys.readouterr()
    assert captured.out == "" and f"error: argument {setting[0]}: {setting[1]!r}: expected 1 to " in captured.err


@pytest.mark.parametrize("command", ["solve", "bench"])
def test_a_table_that_the_machine_has_no_memory_for_is_refused(
    command: str, right: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [str(right)] if command == "solve" else []
    assert main([command, *files, "--hash", "1048576"]) == 2
    captured = capsys.readouterr()
    assert captured.out == "" and captured.err.startswith(f"othello-bot {command}: ") and "1048576" in captured.err


def test_solve_at_a_level_does_not_search_to_the_end(right: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def nodes(*words: str) -> int:
        main(["solve", str(right), "--hash", "1", "--json", *words])
        return int(json.loads(capsys.readouterr().out)["total"]["nodes"])

    assert nodes("--level", "1") < nodes("--level", "60") == nodes()


@pytest.mark.slow
def test_bench_with_other_options_is_no_signature(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--quiet", "--evaluation", "handmade"]) == 0
    assert re.fullmatch(r"nodes, no signature with these options: \d+\n", capsys.readouterr().out)
