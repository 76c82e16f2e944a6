"""othello-bot train solve-held-out: which positions it solves, how it continues, and what it refuses."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from othello_bot.base.errors import InputError
from othello_bot.cluster import Workers
from othello_bot.engine import fixed_depth
from othello_bot.kernel import Searcher
from othello_bot.training import boards, games, held_out, labels, measuring
from othello_bot.training.factors import is_held_out
from othello_bot.training.games import SelfPlay
from othello_bot.training.labels import Band
from tests.kernel.positions import minimax
from tests.training.running import train

NOBODY = np.zeros(0, np.uint64)
EMPTIES = 6


@pytest.fixture(scope="module")
def collection(tmp_path_factory: pytest.TempPathFactory) -> boards.PositionStore:
    result = boards.PositionStore(tmp_path_factory.mktemp("store"))
    with Workers(1) as workers:
        games.make_positions(result, workers, "tiny", range(2), SelfPlay(games=12, depths=(1,)), None, 7)
        labels.label(result, workers, result.shards(), (Band(EMPTIES, EMPTIES, 1),), None, 2)
    return result


def keys(records: boards.Records) -> set[int]:
    return set(boards.keys(records["mover"], records["opponent"]).tolist())


def test_only_held_out_games_are_drawn_from_and_the_seed_tells_which(collection: boards.PositionStore) -> None:
    held = [collection.read(path) for path in collection.shards() if is_held_out(collection.number(path))]
    records = held_out.drawn(collection, EMPTIES, 8, NOBODY, 1)
    assert len(keys(records)) == 8 and keys(records) <= keys(np.concatenate(held))
    assert set(boards.empties(records["mover"], records["opponent"]).tolist()) == {EMPTIES}
    assert (held_out.drawn(collection, EMPTIES, 8, NOBODY, 1) == records).all()
    assert (held_out.drawn(collection, EMPTIES, 5, NOBODY, 1) == records[:5]).all()
    assert (held_out.drawn(collection, EMPTIES, 8, NOBODY, 2) != records).any()
    excluded = np.sort(boards.keys(records["mover"][:2], records["opponent"][:2]))
    every = len(held_out.drawn(collection, EMPTIES, 10, excluded, 1))
    with pytest.raises(InputError, match="--count 1000: expected at most"):
        held_out.drawn(collection, EMPTIES, 1000, NOBODY, 1)
    assert every == 10 and not set(excluded.tolist()) & keys(held_out.drawn(collection, EMPTIES, 10, excluded, 1))


def test_scores_are_exact_and_those_in_the_file_stay(collection: boards.PositionStore, tmp_path: Path) -> None:
    path = tmp_path / "held.obf"
    records = held_out.drawn(collection, EMPTIES, 8, NOBODY, 1)
    with Workers(1) as workers:
        held_out.write_solved(workers, None, records[:5], path)
        first = measuring.read(path)
        pairs = list(zip(records["mover"].tolist(), records["opponent"].tolist(), strict=True))
        assert first.positions == tuple(pairs[:5])
        assert first.scores == tuple(minimax(*pair, {}) for pair in pairs[:5])
        # One that could not be: it is taken as it stands.
        lines = path.read_text().splitlines()
        path.write_text("\n".join([*lines[:-1], lines[-1].split(";")[0] + "; +63;"]) + "\n")
        held_out.write_solved(workers, None, records, path)
    assert measuring.read(path).scores == (*first.scores[:4], 63, *(minimax(*pair, {}) for pair in pairs[5:]))


@pytest.mark.slow
def test_a_file_with_other_positions_is_left_alone(collection: boards.PositionStore, tmp_path: Path) -> None:
    path = tmp_path / "held.obf"
    words = ["solve-held-out", "--folder", str(collection.folder), "--processes", "1", "--weights", "handmade"]
    assert train([*words, "--empties", str(EMPTIES), "--count", "4", "--output", str(path)]) == 0
    before = path.read_bytes()
    other = [*words, "--empties", str(EMPTIES), "--count", "4", "--seed", "9", "--output", str(path)]
    assert train(other) == 2
    assert path.read_bytes() == before


@pytest.mark.slow
def test_deep_searches_score_them_where_solving_takes_too_long(
    collection: boards.PositionStore, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "deep.obf"
    words = ["solve-held-out", "--folder", str(collection.folder), "--processes", "1", "--weights", "handmade"]
    words += ["--empties", str(EMPTIES), "--count", "6", "--output", str(path)]
    assert train([*words, "--depth", "2"]) == 0
    assert "; scores of searches of 2 plies at 73 % from the mover's view" in path.read_text().splitlines()[0]
    found = measuring.read(path)
    searcher = Searcher(1)
    assert found.scores == tuple(fixed_depth(searcher, *pair, 2, 0)[0].score for pair in found.positions)
    assert found.scores != tuple(minimax(*pair, {}) for pair in found.positions)
    before = path.read_bytes()
    for other in ([], ["--depth", "3"]):
        assert train([*words, *other]) == 2
        assert "a new file, or one that begins with" in capsys.readouterr().err
    assert path.read_bytes() == before


@pytest.mark.parametrize("option", [("--empties", "61"), ("--count", "0"), ("--depth", "0"), ("--depth", "6")])
def test_numbers_that_cannot_be(option: tuple[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["solve-held-out", "--empties", "6", *option, "--output", str(tmp_path / "held.obf")]
    assert train(words) == 2
    assert capsys.readouterr().err.startswith(f"othello-bot train solve-held-out: {option[0]} {option[1]}: expected ")


def test_new_games_give_a_position_each_and_a_larger_count_appends(
    tmp_path: Path,
) -> None:
    path = tmp_path / "new.obf"
    words = ["solve-held-out", "--new-games", "--weights", "handmade", "--processes", "1", "--empties", "6"]
    words += ["--folder", str(tmp_path / "store"), "--output", str(path)]
    assert train([*words, "--count", "3"]) == 0
    first = measuring.read(path)
    assert train([*words, "--count", "5"]) == 0
    more = measuring.read(path)
    assert more.positions[:3] == first.positions and len(set(more.positions)) == 5
    assert more.scores == tuple(minimax(*pair, {}) for pair in more.positions)
    assert {64 - (mover | opponent).bit_count() for mover, opponent in more.positions} == {6}
    assert train([*words, "--count", "3", "--seed", "5"]) == 2  # other games: the file stays as it is
    assert measuring.read(path) == more
    with Workers(1) as workers:
        again = held_out.played(workers, None, 6, 5, 4)
    assert list(zip(again["mover"].tolist(), again["opponent"].tolist(), strict=True)) == list(more.positions)


def test_positions_that_take_long_are_tasks_of_their_own() -> None:
    for empties, sizes in ((25, [20, 20, 5]), (26, [1] * 45)):
        records = np.zeros(45, boards.RECORD)
        records["mover"], records["opponent"] = 1, (1 << 64 - empties) - 2
        assert [len(part) for _, part, _ in labels.tasks(None, records)] == sizes
        assert labels.tasks_for(records) == len(sizes)
        assert [len(part) for _, part, _ in labels.tasks(None, records, 18)] == [20, 20, 5]
    assert labels.tasks_for(records[:0]) == 0 == len(list(labels.tasks(None, records[:0])))
