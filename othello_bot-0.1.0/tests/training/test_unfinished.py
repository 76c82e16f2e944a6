"""Saved states of computations: only the same computation continues from them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from othello_bot.cluster import Workers
from othello_bot.training.progress import Unfinished, each_once, fingerprint

NUMBERS = np.arange(6, dtype=np.int32)


def test_what_was_saved_last_comes_back(tmp_path: Path) -> None:
    said: list[str] = []
    file = Unfinished(tmp_path / "folder" / "fit.unfinished", said.append)
    assert file.load("mark") is None
    assert said == []
    for factor in (1, 2):
        file.save("mark", {"numbers": NUMBERS * factor, "count": np.array(factor)})
    state = file.load("mark")
    assert state is not None
    assert state["numbers"].tolist() == [0, 2, 4, 6, 8, 10] and int(state["count"]) == 2
    assert sorted(state) == ["count", "numbers"]
    file.save("mark", state)
    assert "continuing" in said.pop()
    file.remove()
    file.remove()
    assert file.load("mark") is None and not said
    assert list(file.path.parent.iterdir()) == []


def test_of_another_computation_is_nothing(tmp_path: Path) -> None:
    said: list[str] = []
    file = Unfinished(tmp_path / "fit.unfinished", said.append)
    file.save("mark", {"numbers": NUMBERS})
    assert file.load("other mark") is None
    assert "another computation" in said[0] and str(file.path) in said[0]


@pytest.mark.parametrize("damage", ["cut", "altered", "empty", "text"])
def test_a_damaged_file_is_nothing(tmp_path: Path, damage: str) -> None:
    said: list[str] = []
    file = Unfinished(tmp_path / "fit.unfinished", said.append)
    file.save("mark", {"numbers": np.arange(1000)})
    data = bytearray(file.path.read_bytes())
    if damage == "altered":
        data[len(data) // 2] ^= 1
    kept = {"cut": bytes(data[:-100]), "altered": bytes(data), "empty": b"", "text": b"no archive"}[damage]
    file.path.write_bytes(kept)
    assert file.load("mark") is None
    assert "starting from the beginning" in said[0]


def test_a_fingerprint_tells_options_and_numbers_apart() -> None:
    marks = {
        fingerprint(words, arrays)
        for words, arrays in (
            ((), ()),
            ((1,), ()),
            (("1",), ()),
            ((1,), (NUMBERS,)),
            ((1,), (NUMBERS[1:],)),
            ((1,), (NUMBERS[::-1],)),
            ((1,), (NUMBERS.astype(np.uint32),)),
            ((1,), (NUMBERS.reshape(2, 3),)),
            ((1,), (NUMBERS[:3], NUMBERS[3:])),
        )
    }
    assert len(marks) == 9
    assert fingerprint((1,), (NUMBERS,)) == fingerprint((1,), (NUMBERS.copy(),))


def test_results_of_tasks_are_kept_until_all_are_there(tmp_path: Path) -> None:
    file = Unfinished(tmp_path / "statistics.unfinished")
    numbers = [(number,) for number in (3, 0, 2, 5)]
    with Workers(1) as workers, pytest.raises(ZeroDivisionError):
        each_once(workers, lambda number: [12 / number, float(number)], numbers, "killed", file, "mark")
    done: list[int] = []

    def counted(number: int) -> list[float]:
        done.append(number)
        return [12 / (number or 1), float(number)]

    with Workers(1) as workers:
        found = each_once(workers, counted, numbers, "again", file, "mark")
        assert found == [[4.0, 3.0], [12.0, 0.0], [6.0, 2.0], [2.4, 5.0]]
        assert done == [0, 2, 5]
        done.clear()
        assert each_once(workers, counted, numbers, "once more", file, "mark") == found and not done
        assert each_once(workers, counted, numbers[:2], "others", file, "other mark") == found[:2] and done == [3, 0]
