"""The measurements of the textbook page: resumable, killable, limited in time, and a page from finished work."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "scripts" / "textbook_results"
TINY = ["--games", "4", "--positions", "1", "--depth", "2", "--random-depth", "1"]


@pytest.fixture(autouse=True)
def path_to_the_measurements(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "scripts"))


def measure(folder: Path, *words: str) -> int:
    from _textbook import command

    return command.main([*TINY, "--cache", str(folder / "cache"), "--output", str(folder / "docs" / "book.md"), *words])


def page(folder: Path) -> str:
    return (folder / "docs" / "book.md").read_text()


def test_measures_and_does_nothing_twice(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    names = ["random", "orders", "zero-window"]
    assert measure(tmp_path, "--only", *names) == 0
    first = capsys.readouterr().out
    assert "random 8/8  minimax 1 3" in first
    text = page(tmp_path)
    assert "| random order | 100 % | 100 % | 100 % | 100 % |" in text and "8 of 8 units of work" in text
    assert "Not measured yet." in text, "the other experiments have their place on the page too"
    assert (tmp_path / "docs" / "book" / "random-wins.svg").read_text().startswith("<?xml")
    assert measure(tmp_path, "--only", *names) == 0
    assert "\n0 units done" in capsys.readouterr().out
    assert page(tmp_path) == text


def test_tables_show_hand_made_results(tmp_path: Path) -> None:
    from _textbook.store import Store

    store = Store(tmp_path / "cache")
    for number, margin in enumerate((10, -2, 0, 4)):
        for algorithm, seconds in (("minimax", 6.0), ("alpha-beta", 2.0)):
            if algorithm == "alpha-beta" or number < 2:
                values = {"margin": margin, "seconds": seconds, "took": seconds}
                store.put("random", f"{algorithm} 1 {number}", values, "2026-01-02")
    store.put("iago", "3 0", {"scores": [12, 0], "took": 1.0}, "2026-01-02")
    for name, nodes, seconds in (("plain", 3000, 8.0), ("solver", 100, 0.004)):
        for mode in ("margin", "win only"):
            store.put("endgame", f"{name}, {mode} 0", {"score": 4, "nodes": nodes, "seconds": seconds}, "2026-01-03")
    used = {"engine_seconds": 0.5, "engine_moves": 50, "seconds": 2.0}
    store.put("engine", "iago:3 one ply 0", {"scores": [20, -6], "weights": "abc"} | used, "2026-01-03")
    assert measure(tmp_path, "--page-only") == 0
    text = page(tmp_path)
    # Two of four games won with alpha-beta, one of two with minimax, which took three times as long.
    assert "| 1 | 50.0 % (15-85) | 4 | 2.00 | 50.0 % (9-91) | 2 (sampled, 0 min) | 6.00 | 3.0 | - |" in text
    assert "| 3 | 8 of 10 | 1.5 of 2 | 75.0 % (20-97) | +6.0 |" in text
    assert "| plain, margin | 3,000 | 8,000.00 | 30.0 | 2000 |" in text
    assert "disagreed about the margin in 0 positions" in text.replace("\n", " ")
    assert "| `iago:3` | 50.0 % (9-91) of 2 | +7.0 | 10.0 | 25 % | - of 0 | - | - | - |" in text
    assert "Evaluation weights: SHA-256 abc." in text.replace("\n", " ")
    assert "2026-01-02" in text


def test_limits_of_time(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert measure(tmp_path, "--only", "iago", "--minutes", "0") == 0
    assert "the 0 minutes are up" in capsys.readouterr().out
    assert measure(tmp_path, "--only", "random", "--cell-minutes", "0.0000001") == 0
    shown = capsys.readouterr().out
    assert shown.count("the rest is skipped") == 2 and "2 units done" in shown
    assert "1 (sampled, 0 min)" in page(tmp_path)


def test_a_torn_line_counts_as_not_done(tmp_path: Path) -> None:
    from _textbook.store import Store

    store = Store(tmp_path)
    store.put("iago", "one", {"scores": [1]}, "2026-01-01")
    store.put("iago", "two", {"scores": [2]}, "2026-01-01")
    path = tmp_path / "iago.jsonl"
    path.write_text(path.read_text()[:-9])
    again = Store(tmp_path)
    assert again.get("iago", "one") == {"scores": [1]} and again.get("iago", "two") is None
    again.put("iago", "two", {"scores": [3]}, "2026-01-01")
    assert Store(tmp_path).get("iago", "two") == {"scores": [3]}
    assert json.loads(path.read_text().splitlines()[0])["key"] == "one"


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGKILL])
def test_killed_and_resumed(number: signal.Signals, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from _textbook import command

    words = ["--games", "100", "--random-depth", "2", "--only", "random"]
    words += ["--cache", str(tmp_path), "--output", str(tmp_path / "page.md")]
    with subprocess.Popen([sys.executable, str(SCRIPT), *words], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        for line in process.stdout:
            if "random 5/" in line:
                process.send_signal(number)
                break
        shown = process.stdout.read()
        code = process.wait(timeout=30)
    if number == signal.SIGTERM:
        assert code == 130 and "stopped; run it again to go on" in shown
        assert "units of work" in (tmp_path / "page.md").read_text()
    else:
        assert code == -signal.SIGKILL
    done = len((tmp_path / "random.jsonl").read_text().splitlines())
    assert done >= 5
    assert command.main([*words, "--minutes", "0"]) == 0
    assert f"{400 - done} of 400 units to do" in capsys.readouterr().out


def test_bad_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    from _textbook import command

    for words in (["--only", "nothing"], ["--games", "1"], ["--depth", "1"]):
        with pytest.raises(SystemExit):
            command.main(words)
    assert "expected at least 4 games" in capsys.readouterr().err
