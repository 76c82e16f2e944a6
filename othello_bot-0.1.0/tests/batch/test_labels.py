"""The teacher against plain minimax, its files, and a killed run."""

from __future__ import annotations

import importlib
import json
import math
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import distributed
import numpy as np
import pytest

from othello_bot import batch
from othello_bot.base import posix
from othello_bot.base.errors import InputError
from othello_bot.batch import label_files
from othello_bot.batch import labels as teacher
from othello_bot.batch.games import read_positions
from othello_bot.batch.labels import OVER, SHARD, UNSCORED, shard_count
from othello_bot.cli import main
from othello_bot.rules import Game, Position
from tests.kernel.positions import minimax

pytestmark = pytest.mark.process


def positions_with(empties: int, games: int, seed: int = 1) -> tuple[Any, Any]:
    """Return the positions of random games with so many empty squares."""
    played = batch.replay(batch.random_games(games, seed))
    there = np.arange(played.mover.shape[1]) <= played.lengths[:, None]
    movers, opponents = played.mover[there], played.opponent[there]
    chosen = batch.encode(movers, opponents).sum(axis=(1, 2, 3)) == 64 - empties
    return movers[chosen], opponents[chosen]


def test_exact_labels_are_those_of_plain_minimax() -> None:
    parts = [positions_with(empties, 40, empties) for empties in range(7)]
    parts += [(other, own) for own, other in parts]  # the other side to move: some must pass
    movers, opponents = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    labels = batch.label(movers, opponents, moves=True)
    assert labels.move_scores is not None and labels.best_moves is not None
    seen: set[str] = set()
    known: dict[tuple[int, int], int] = {}
    for index, (mover, opponent) in enumerate(zip(movers.tolist(), opponents.tolist(), strict=True)):
        score = minimax(mover, opponent, known)
        assert labels.score[index] == score and labels.wld[index] == (score > 0) - (score < 0)
        position = Position(mover, opponent)
        afters = {move: position.play(move) for move in position.legal_moves}
        expected = {move: -minimax(after.mover, after.opponent, known) for move, after in afters.items()}
        found = {square: int(value) for square, value in enumerate(labels.move_scores[index]) if value != UNSCORED}
        assert found == expected
        best = sum(1 << move for move, value in expected.items() if value == score)
        assert int(labels.best_moves[index]) == best
        if expected:
            assert best >> int(labels.best[index]) & 1
        else:
            assert labels.best[index] == (64 if position.must_pass else OVER)
        seen.add("move" if expected else "pass" if position.must_pass else "over")
    assert seen == {"move", "pass", "over"}


def test_labels_do_not_depend_on_workers_and_moves() -> None:
    movers, opponents = positions_with(8, 1500)
    assert shard_count(len(movers)) == 2
    alone = batch.label(movers, opponents)
    shared = batch.label(movers, opponents, processes=2)
    assert all(np.array_equal(*pair) for pair in zip(alone[:3], shared[:3], strict=True))
    assert alone.move_scores is None and alone.best_moves is None
    with_moves = batch.label(movers[:50], opponents[:50], moves=True)
    assert np.array_equal(with_moves.score, alone.score[:50])


def test_a_level_and_empty_arrays() -> None:
    start = Position.start()
    labels = batch.label(np.array([start.mover], np.uint64), np.array([start.opponent], np.uint64), level=3, moves=True)
    assert labels.move_scores is not None and len(set(labels.move_scores[0].tolist())) == 2
    nothing = batch.label(np.zeros(0, np.uint64), np.zeros(0, np.uint64), moves=True)
    assert nothing.move_scores is not None and nothing.move_scores.shape == (0, 64) and nothing.score.shape == (0,)
    for level in (0, 99, 1.5, "3"):
        with pytest.raises(ValueError, match="level"):
            batch.label(np.zeros(0, np.uint64), np.zeros(0, np.uint64), level=level)  # type: ignore[arg-type]


def test_arguments_that_are_refused(tmp_path: Path) -> None:
    movers, opponents = positions_with(4, 5)
    start = Position.start()
    board = np.array([start.mover], np.uint64), np.array([start.opponent], np.uint64)
    bad: dict[str, tuple[Any, ...]] = {
        "told": (3, "f", True, [], lambda: None, lambda done: None, object),
        "cluster": (3, "", "x", "tcp://host", 1.5, [], True, b"tcp://host:1"),
        "most_empties": (-1, 61, None, 1.5, "3", True),
    }
    for name, values in bad.items():
        for value in values:
            with pytest.raises(InputError, match=name):
                batch.label(movers, opponents, **{name: value})
    for odd in (3, None, 1.5):
        with pytest.raises(InputError, match=r"source .*: expected the path of a file"):
            batch.label_file(odd, "out.npz")  # type: ignore[arg-type]
        with pytest.raises(InputError, match=r"target .*: expected the path of a file"):
            batch.label_file("in.npz", odd)  # type: ignore[arg-type]
    both = tuple(np.concatenate(arrays) for arrays in zip((movers, opponents), board, strict=True))
    message = f"index {len(movers)}: empty squares 60: expected at most 24 for exact labels; a level"
    with pytest.raises(InputError, match=message):
        batch.label(*both)
    np.savez(tmp_path / "in.npz", mover=both[0], opponent=both[1])
    with pytest.raises(InputError, match=message):
        batch.label_file(str(tmp_path / "in.npz"), str(tmp_path / "out.npz"))
    assert [path.name for path in tmp_path.iterdir()] == ["in.npz"]
    with pytest.raises(InputError, match="index 0: empty squares 4: expected at most 3"):
        batch.label(movers, opponents, most_empties=3)
    assert batch.label(*both, level=1, most_empties=3).score.shape == (len(movers) + 1,)


def test_a_call_leaves_nothing_for_the_next_one() -> None:
    movers, opponents = positions_with(11, 60)
    alone = batch.label(movers[:1], opponents[:1], moves=True)
    for _ in range(2):
        batch.label(movers, opponents, moves=True)
        again = batch.label(movers[:1], opponents[:1], moves=True)
        for found, expected in zip(again[:5], alone[:5], strict=True):
            assert found is not None and expected is not None and np.array_equal(found, expected)


@pytest.mark.parametrize(
    ("empties", "level"), [(empties, None) for empties in (0, 3, 8, 10, 11)] + [(30, 1), (30, 5), (30, 6), (11, 4)]
)
def test_few_positions_have_the_labels_that_they_have_among_many(empties: int, level: int | None) -> None:
    """Few positions use a part of the tables, which is cleared sooner: that must not show."""
    movers, opponents = positions_with(empties, 8, 5)
    many = np.concatenate((movers, movers)), np.concatenate((opponents, opponents))
    for moves in (False, True):
        for first in range(len(movers)):
            alone, among = (
                batch.label(*(array[first:end] for array in many), level=level, moves=moves)
                for end in (first + 1, first + len(movers))
            )
            for found, expected in zip(alone[:5], among[:5], strict=True):
                assert (found is None) is (expected is None)
                assert found is None or expected is None or np.array_equal(found, expected[:1])


def test_the_policy_follows_from_the_scores() -> None:
    parts = [positions_with(empties, 40, empties) for empties in (0, 3, 6)]
    movers, opponents = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    for temperature in (0, 2.0):
        labels = batch.label(movers, opponents, policy=temperature)
        assert labels.policy is not None and labels.move_scores is not None and labels.policy.dtype == np.float32
        for row, scores, best in zip(labels.policy, labels.move_scores.tolist(), labels.best, strict=True):
            likely = [0.0] * 65
            for square, score in enumerate(scores):
                if score != UNSCORED:
                    worse = max(scores) - score
                    likely[square] = math.exp(-worse / temperature) if temperature else float(not worse)
            likely[64] = float(best == 64)
            total = sum(likely)
            assert row.tolist() == pytest.approx([value / total if total else 0.0 for value in likely], abs=1e-6)
    for policy in (-1, 65, "1", True, float("nan")):
        with pytest.raises(InputError, match=r"policy .*: expected a temperature from 0 to 64 discs"):
            batch.label(movers, opponents, policy=policy)  # type: ignore[arg-type]


def test_progress_is_told() -> None:
    movers, opponents = positions_with(5, 1200)
    heard: list[tuple[int, int]] = []
    batch.label(movers, opponents, told=lambda done, count: heard.append((done, count)))
    assert heard == [(0, len(movers)), (SHARD, len(movers)), (len(movers), len(movers))]


def test_positions_of_files(tmp_path: Path) -> None:
    game = Game.from_transcript("f5d6c3d3")
    games = tmp_path / "games.txt"
    games.write_text("f5d6c3d3\nf5\n", encoding="utf-8")
    movers, opponents = read_positions(games)
    afters = [*map(game.position_at, range(5)), game.position_at(0), game.position_at(1)]
    assert movers.tolist() == [position.mover for position in afters]
    assert opponents.tolist() == [position.opponent for position in afters]
    np.savez(tmp_path / "some.npz", mover=movers, opponent=opponents)
    assert np.array_equal(read_positions(tmp_path / "some.npz")[0], movers)
    np.savez(tmp_path / "other.npz", discs=movers)
    with pytest.raises(InputError, match=r"arrays of other\.npz 'discs': expected mover and opponent"):
        read_positions(tmp_path / "other.npz")


def test_a_file_says_what_made_it_and_is_not_overwritten(tmp_path: Path) -> None:
    movers, opponents = positions_with(5, 60)
    source, target = tmp_path / "in.npz", tmp_path / "out.npz"
    np.savez(source, mover=movers, opponent=opponents)
    assert batch.label_file(source, target, moves=True) == len(movers)
    with np.load(target) as found:
        about = json.loads(str(found["about"]))
        assert (about["program"], about["level"], about["moves"]) == ("othello-bot", None, True)
        assert np.array_equal(found["score"], batch.label(movers, opponents).score)
        assert found["move_scores"].shape == (len(movers), 64)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["in.npz", "out.npz"]
    with pytest.raises(InputError, match="expected another name"):
        batch.label_file(source, target)
    with pytest.raises(InputError, match=r"expected a name that ends with \.npz or \.parquet"):
        batch.label_file(source, tmp_path / "out.csv")


def command(*words: object) -> list[str]:
    return [sys.executable, "-m", "othello_bot", "label", *map(str, words)]


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """Return the address of a Dask cluster of one worker."""
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, protocol="tcp", dashboard_address=None
    ) as made:
        yield made.scheduler_address


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the labels of three shards that one run has made, beside its `in.npz`."""
    folder = tmp_path_factory.mktemp("whole")
    movers, opponents = positions_with(11, 2 * SHARD + 100)
    np.savez(folder / "in.npz", mover=movers, opponent=opponents)
    words = command(folder / "in.npz", "--policy", "2", folder / "whole.npz")
    ended = subprocess.run(words, capture_output=True, text=True)
    assert ended.returncode == 0 and ended.stdout.startswith(f"{len(movers)} positions labelled")
    return folder / "whole.npz"


def test_a_killed_run_goes_on_to_the_same_bytes_whoever_works(whole: Path, tmp_path: Path, cluster: str) -> None:
    """Killed with a process of this machine, it goes on with a Dask cluster."""
    source = whole.with_name("in.npz")
    words = (source, "--policy", "2")
    killed = tmp_path / "killed.npz"
    with subprocess.Popen(command(*words, killed, "--processes", "1"), start_new_session=True) as process:
        shards = tmp_path / "killed.npz.shards"
        while not (kept := sorted(shards.glob("0*.npz"))) and process.poll() is None:
            time.sleep(0.005)
        os.killpg(process.pid, signal.SIGKILL)
    assert kept and not killed.exists()
    made = kept[0].stat().st_mtime_ns
    with pytest.raises(InputError, match="expected shards of these positions and settings; remove the folder"):
        batch.label_file(source, killed, level=2)
    assert kept[0].stat().st_mtime_ns == made
    rest = subprocess.run(command(*words, killed, "--cluster", cluster), capture_output=True, text=True)
    assert rest.returncode == 0 and not shards.exists()
    assert killed.read_bytes() == whole.read_bytes()


def test_a_run_that_ends_in_the_middle_keeps_every_finished_shard(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cluster: str
) -> None:
    """Ended by a cluster, it goes on with two processes, and labels only what is missing."""
    movers, opponents = positions_with(4, 2 * SHARD + 100)
    assert shard_count(len(movers)) == 3
    source, target = tmp_path / "in.npz", tmp_path / "out.npz"
    np.savez(source, mover=movers, opponent=opponents)
    label_shard = teacher._label_shard

    def failing(shard: int, *arguments: Any) -> teacher.Labels:
        if shard == 2:
            raise RuntimeError("the power is off")
        return label_shard(shard, *arguments)

    monkeypatch.setattr(teacher, "_label_shard", failing)
    with pytest.raises(RuntimeError, match="the power is off"):
        batch.label_file(source, target, cluster=cluster)
    monkeypatch.undo()
    kept = len(list(tmp_path.glob("out.npz.shards/0*.npz"))) * SHARD
    heard: list[int] = []
    assert batch.label_file(source, target, processes=2, told=lambda done, count: heard.append(done)) == len(movers)
    assert heard[0] == kept > 0 and heard[-1] == len(movers)
    with np.load(target) as found:
        assert np.array_equal(found["score"], batch.label(movers, opponents).score)


def test_parquet_in_and_out(tmp_path: Path) -> None:
    parquet = importlib.import_module("pyarrow.parquet")
    movers, opponents = positions_with(6, 100)
    np.savez(tmp_path / "in.npz", mover=movers, opponent=opponents)
    batch.label_file(tmp_path / "in.npz", tmp_path / "first.parquet", policy=1)
    table = parquet.read_table(tmp_path / "first.parquet")
    assert json.loads(table.schema.metadata[b"about"])["program"] == "othello-bot"
    expected = batch.label(movers, opponents, policy=1)
    for name, column in expected._asdict().items():
        found = np.array(table.column(name).to_pylist())
        assert np.array_equal(found.astype(column.dtype), column), name
    # What was written can be read again, with its labels in the way.
    batch.label_file(tmp_path / "first.parquet", tmp_path / "second.npz", processes=2)
    with np.load(tmp_path / "second.npz") as arrays:
        assert np.array_equal(arrays["score"], expected.score) and np.array_equal(arrays["mover"], movers)


def test_signed_columns_of_parquet_hold_the_same_bits_as_their_refusal_says(tmp_path: Path) -> None:
    pyarrow, parquet = importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
    movers = np.array([1 << 63 | 2, 4], np.uint64)
    signed = pyarrow.table({"mover": movers.view(np.int64), "opponent": np.array([8, 16], np.int64)})
    parquet.write_table(signed, tmp_path / "signed.parquet")
    with pytest.raises(InputError) as refused:
        batch.label_file(tmp_path / "signed.parquet", tmp_path / "out.npz", level=1)
    assert str(refused.value).endswith("numpy.asarray(column).view(numpy.uint64) reads int64 as bitboards")
    column = parquet.read_table(tmp_path / "signed.parquet").column("mover")
    assert np.array_equal(np.asarray(column).view(np.uint64), movers)


def test_two_runs_to_one_file(tmp_path: Path) -> None:
    movers, opponents = positions_with(4, 20)
    np.savez(tmp_path / "in.npz", mover=movers, opponent=opponents)
    target, shards = tmp_path / "out.npz", tmp_path / "out.npz.shards"
    shards.mkdir()
    with posix.sole_holder(shards / "lock"):  # as another process that labels
        second = subprocess.run(command(tmp_path / "in.npz", target), capture_output=True, text=True)
        assert second.returncode == 2 and "expected no other run that writes it; one is still running" in second.stderr
        assert not target.exists() and shards.exists()
        # Nor does a run with other settings call the work of the other one useless.
        (shards / "belongs.json").write_text("{}")
        with pytest.raises(InputError, match="one is still running"):
            batch.label_file(tmp_path / "in.npz", target, level=2)
    (shards / "belongs.json").unlink()
    both = [subprocess.Popen(command(tmp_path / "in.npz", target), stderr=subprocess.PIPE) for _ in range(2)]
    errors = [(process.communicate()[1], process.returncode) for process in both]
    assert sorted(code for _, code in errors)[0] == 0 and all(b"Traceback" not in text for text, _ in errors)
    assert not shards.exists()
    with np.load(target) as found:
        assert np.array_equal(found["score"], batch.label(movers, opponents).score)


def test_a_run_that_comes_too_late_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    movers, opponents = positions_with(4, 20)
    target = tmp_path / "out.npz"

    def read(source: Path) -> tuple[object, object]:
        target.write_bytes(b"by another run")  # which ends while this one reads
        return movers, opponents

    monkeypatch.setattr(label_files, "read_positions", read)
    with pytest.raises(InputError, match="existing file"):
        batch.label_file(tmp_path / "in.npz", target)
    assert [path.name for path in tmp_path.iterdir()] == ["out.npz"]
    assert target.read_bytes() == b"by another run"


def test_parquet_files_that_are_refused(tmp_path: Path) -> None:
    pyarrow, parquet = importlib.import_module("pyarrow"), importlib.import_module("pyarrow.parquet")
    tables = {
        "other": ({"discs": [1]}, "columns of other.parquet 'discs': expected mover and opponent"),
        "signed": (
            {"mover": [1], "opponent": [2]},
            "column mover of signed.parquet, type 'int64': expected uint64; numpy",
        ),
        "floats": (
            {"mover": [1.0], "opponent": [2.0]},
            "column mover of floats.parquet, type 'double': expected uint64",
        ),
        "holes": (
            {"mover": pyarrow.array([1, None], "uint64"), "opponent": [2, 4]},
            "empty cells in column mover of holes.parquet 1: expected none",
        ),
        "words": (
            {"mover": ["f5"], "opponent": ["d6"]},
            "column mover of words.parquet, type 'string': expected uint64",
        ),
    }
    for name, (columns, message) in tables.items():
        parquet.write_table(pyarrow.table(columns), tmp_path / f"{name}.parquet")
        with pytest.raises(InputError, match=message):
            batch.label_file(tmp_path / f"{name}.parquet", tmp_path / "out.npz")
    (tmp_path / "short.parquet").write_bytes((tmp_path / "signed.parquet").read_bytes()[:-9])
    with pytest.raises(InputError, match=r"file 'short\.parquet': expected a Parquet file, whole"):
        batch.label_file(tmp_path / "short.parquet", tmp_path / "out.npz")
    assert not list(tmp_path.glob("out*"))


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("missing.npz", "out.npz"), "missing.npz: No such file"),
        (("missing.parquet", "out.npz"), "missing.parquet: No such file"),
        (("missing.ggf", "out.parquet"), "missing.ggf: No such file"),
        (("game.txt", "out.npz"), "expected at most 24 for exact labels; a level, or a higher limit"),
        (("missing.npz", "out.csv"), "expected a name that ends with .npz"),
        (("text.npz", "out.npz"), "expected an .npz archive of NumPy arrays"),
        (("short.npz", "out.npz"), "expected an .npz archive of NumPy arrays"),
        (("alone.npz", "out.npz"), "expected an .npz archive of NumPy arrays"),
        (("start.npz", "out.npz"), "index 0: empty squares 60: expected at most 24 for exact labels"),
        (("both.npz", "out.npz"), "index 1: bitboards (3, 1): expected no square"),
    ],
)
def test_the_command_refuses(
    words: tuple[str, ...],
    message: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "text.npz").write_text("no archive", encoding="utf-8")
    (tmp_path / "game.txt").write_text("f5d6c3", encoding="utf-8")
    np.savez(tmp_path / "both.npz", mover=np.array([1, 3], np.uint64), opponent=np.array([2, 1], np.uint64))
    start = Position.start()
    np.savez(
        tmp_path / "start.npz", mover=np.array([start.mover], np.uint64), opponent=np.array([start.opponent], np.uint64)
    )
    (tmp_path / "short.npz").write_bytes((tmp_path / "both.npz").read_bytes()[:-30])
    with (tmp_path / "alone.npz").open("wb") as file:
        np.save(file, np.zeros(3, np.uint64))
    monkeypatch.chdir(tmp_path)
    code = main(["label", *words])
    said = capsys.readouterr()
    assert (code, said.out) == (2, "")
    told = " ".join(said.err.split())
    assert message in told and "Traceback" not in told and "most_empties" not in told
