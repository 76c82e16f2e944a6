"""othello-bot train fit-scale: the correction that searches need, as a scale of their leaves."""

from __future__ import annotations

import itertools
import random
from pathlib import Path

import pytest

from othello_bot.base.errors import InputError
from othello_bot.evaluation import weights
from othello_bot.rules import Position
from othello_bot.training.scale import (
    CORRECTED_AT,
    LEAST_RISE,
    Correction,
    corrections,
    hats,
    joined,
    scale_of,
    with_scale,
)
from tests.training.running import train


def test_a_correction_is_linear_between_knots_and_odd() -> None:
    assert [hats(value) for value in (0, 5, 10, 14, 20, 30, 36, 45, 64, 70)] == [
        [0, 0, 0, 0, 0],
        [0.5, 0, 0, 0, 0],
        [1, 0, 0, 0, 0],
        pytest.approx([0.6, 0.4, 0, 0, 0]),
        [0, 1, 0, 0, 0],
        [0, 0, 1, 0, 0],
        pytest.approx([0, 0, 0.6, 0.4, 0]),
        [0, 0, 0, 1, 0],
        [0, 0, 0, 0, 1],
        [0, 0, 0, 0, 1],
    ]
    assert all(hats(-value) == [-share for share in hats(value)] for value in range(1, 65))


@pytest.mark.parametrize("sizes", [*itertools.product((-20.0, -1.0, 20.0), repeat=5)])
def test_a_scale_always_rises_from_zero_to_the_whole_board_at_most(sizes: tuple[float, ...]) -> None:
    limited = joined({10: Correction(sizes, (0.1,) * 5, 10)}, {})[10]
    scale = scale_of({10: limited})
    assert scale[10][0] == 0 and scale[10][64] <= 64 * 128
    assert all(high - low >= 128 * LEAST_RISE - 1 for low, high in itertools.pairwise(scale[10]))
    assert scale[11] == [128 * value for value in range(65)]
    for knot, size, least in zip(CORRECTED_AT[1:], sizes, limited, strict=True):
        assert scale[10][knot] == pytest.approx(128 * (knot + least), abs=1)
        assert least == size or knot == 64 or {-20, 20} & {*sizes}


@pytest.mark.slow
def test_corrections_are_found_in_searches_that_need_them() -> None:
    rng = random.Random(5)
    true = {4: (1.5, 0.5, 1.0, -2.0, 0.0), 5: (-0.75, -1.5, 0.0, 1.0, -1.0)}
    scores = []
    for empties, sizes in true.items():
        for _ in range(4000):
            reported = rng.uniform(-60, 60)
            moved = sum(size * share for size, share in zip(sizes, hats(reported), strict=True))
            scores.append((empties, reported, reported + moved + rng.gauss(0, 2)))
    found = corrections(scores)
    for empties, sizes in true.items():
        one = found[empties]
        assert one.scores == 4000
        for size, discs, error in zip(sizes, one.discs, one.errors, strict=True):
            assert 0.03 < error < 0.2 and abs(discs - size) < 4 * error


def test_searches_and_static_values_count_alike_where_both_are_known() -> None:
    errors = (0.1,) * 5
    searches = {
        2: Correction((-1.0, 0.0, 0.0, 0.0, 0.0), errors, 10),
        6: Correction((1.0, 9.0, -9.0, 0.0, 9.0), errors, 10),
    }
    static = {8: Correction((2.0, 4.0, 0.0, 0.0, 0.0), errors, 10)}
    alone, both = joined(searches, {}), joined(searches, static)
    assert list(alone) == list(range(1, 61))
    assert [alone[empties][0] for empties in (1, 2, 3, 4, 6, 60)] == [-1, -1, -0.5, 0, 1, 1]
    assert alone[6] == (1, 9, 1.5, 0, 0)  # 11, 29, 31.5, 45 and 64 at the knots: at least a quarter of the way up
    assert [both[empties][0] for empties in (5, 6, 8, 60)] == [0.5, 1.5, 1.5, 1.5]


def test_another_scale_changes_values_and_nothing_else() -> None:
    data = weights.unpacked().read_bytes()
    plain = weights.from_bytes(with_scale(data, scale_of({})))
    scaled = weights.from_bytes(with_scale(data, scale_of(dict.fromkeys(range(1, 61), (2.0, 2.0, 2.0, 2.0, 0.0)))))
    position = Position.parse("-XXXXX--O-XXOO--OOXXXO--OXOOOX--OXOOXXX-OOOXXX----OX-X-------X-- O")
    value = plain.evaluate(position.mover, position.opponent)
    moved = value + 2 * sum(hats(value)[:-1])
    assert scaled.evaluate(position.mover, position.opponent) == pytest.approx(moved, abs=0.02)


def test_tables_alone_have_no_scale(tmp_path: Path) -> None:
    parts = weights.split(weights.unpacked().read_bytes())
    with pytest.raises(InputError, match="a weights file with factors"):
        with_scale(weights.to_bytes(parts.stage_of_empties, parts.reduced), scale_of({}))


def test_the_command_writes_a_function_whose_scale_fits_the_positions(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    solved, output = tmp_path / "solved.obf", tmp_path / "new.weights"
    words = ["solve-held-out", "--new-games", "--processes", "1", "--folder", str(tmp_path), "--output", str(solved)]
    assert train([*words, "--empties", "7", "--count", "12"]) == 0
    assert train(["fit-scale", "--processes", "1", "--output", str(output), str(solved)]) == 0
    text = capsys.readouterr().out
    assert "searches,  1 empties: " in text and "searches,  3 empties: " in text and "12 scores" in text
    assert "static,  7 empties: " in text and " 4 empties: " not in text
    old, new = (weights.split(path.read_bytes()) for path in (weights.unpacked(), output))
    assert old.factors is not None and new.factors is not None
    assert bytes(new.reduced) == bytes(old.reduced) and bytes(new.factors.rows) == bytes(old.factors.rows)
    assert bytes(new.factors.scale) != bytes(old.factors.scale)
    assert train(["fit-scale", "--weights", "handmade", "--output", str(output), str(solved)]) == 2
