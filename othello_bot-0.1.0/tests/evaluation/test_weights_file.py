"""The weights file: a round trip, and a clear refusal of everything that is not one."""

from __future__ import annotations

import random
import struct
from array import array
from dataclasses import replace
from pathlib import Path

import pytest

from othello_bot import kernel
from othello_bot.evaluation import weights
from othello_bot.kernel import feature_columns, patterns
from othello_bot.rules.position import Position

STAGES = [0] * 31 + [1] * 30


def reduced_size() -> int:
    return kernel.reduced_index(array("i", bytes(4 * patterns.TABLE_SIZE)))


def factors() -> weights.Factors:
    count = kernel.factor_reduced_index(array("i", bytes(4 * patterns.FACTOR_ROWS)))
    rows = array("b", ((i * 7919) % 41 - 20 for i in range(2 * patterns.CHANNELS * count)))
    shift = array("h", ((i * 7919) % 401 - 200 for i in range(61 * patterns.CHANNELS)))
    scale = array("h", (100 * value + empties for empties in range(61) for value in range(65)))
    for empties in range(61):
        scale[65 * empties] = 0
    signs = array("b", [0] + [1] * 16 + [-1] * 15)
    phases = bytes([0] * 30 + [1] * 31)
    return weights.Factors(phases, rows.tobytes(), shift.tobytes(), signs.tobytes(), scale.tobytes())


@pytest.fixture(scope="module", params=["tables", "tables and factors"])
def content(request: pytest.FixtureRequest) -> bytes:
    size = reduced_size()
    tables = array("h", ((i * 7919) % 401 - 200 for i in range(2 * size))).tobytes()
    return weights.to_bytes(STAGES, tables, factors() if request.param == "tables and factors" else None)


@pytest.mark.slow
def test_round_trip(content: bytes) -> None:
    parts = weights.split(content)
    assert list(parts.stage_of_empties) == STAGES
    assert parts.reduced.cast("h")[1000] == (1000 * 7919) % 401 - 200
    assert parts.factors in (None, factors())
    assert weights.to_bytes(parts.stage_of_empties, parts.reduced, parts.factors) == content


@pytest.mark.slow
def test_loaded_weights_are_sums_of_their_entries(content: bytes) -> None:
    numbers = array("i", bytes(4 * patterns.TABLE_SIZE))
    size = kernel.reduced_index(numbers)
    parts = weights.split(content)
    loaded = weights.from_bytes(weights.to_bytes(parts.stage_of_empties, parts.reduced))
    reduced = parts.reduced.cast("h")
    for text, stage in (("-" * 27 + "OX------XO" + "-" * 27 + " X", 1), ("X" * 20 + "O" * 30 + "-" * 14 + " X", 0)):
        position = Position.parse(text)
        columns = memoryview(array("i", bytes(4 * 31))).cast("B").cast("i", (1, 31))
        feature_columns(array("Q", [position.mover]), array("Q", [position.opponent]), columns)
        expected = sum(reduced[stage * size + numbers[column]] for column in columns.cast("B").cast("i"))
        assert loaded.evaluate(position.mover, position.opponent) == pytest.approx(expected / 128)


def test_factors_of_a_file_are_those_of_the_kernel(content: bytes) -> None:
    parts = weights.split(content)
    expected = weights.from_bytes(weights.to_bytes(parts.stage_of_empties, parts.reduced))
    position = Position.start().play(19).play(18).play(17)
    board = position.mover, position.opponent
    before = expected.evaluate(*board)
    if parts.factors:
        rows = memoryview(parts.factors.rows).cast("B").cast("b", (len(parts.factors.rows) // 32, 32))
        shift = memoryview(parts.factors.shift).cast("B").cast("h", (61, 32))
        scale = memoryview(parts.factors.scale).cast("B").cast("h", (61, 65))
        expected.set_factors(
            list(parts.factors.phase_of_empties), rows, shift, memoryview(parts.factors.signs).cast("b"), scale
        )
        assert expected.evaluate(*board) != before
    assert weights.from_bytes(content).evaluate(*board) == expected.evaluate(*board)


@pytest.mark.slow
def test_factors_that_the_kernel_refuses_are_no_weights(content: bytes) -> None:
    parts, good = weights.split(content), factors()
    for bad in (
        replace(good, rows=good.rows[:-32]),
        replace(good, phase_of_empties=bytes([0] * 30 + [3] * 31)),
        replace(good, shift=array("h", [5000] * (61 * 32)).tobytes()),
        replace(good, signs=bytes(32 * [1])),
        replace(good, scale=bytes(61 * 65 * 2)),
    ):
        with pytest.raises(weights.WeightsError, match="factors"):
            weights.from_bytes(weights.to_bytes(parts.stage_of_empties, parts.reduced, bad))


def test_value_is_the_same_for_all_symmetric_images(content: bytes) -> None:
    loaded = weights.from_bytes(content)
    position = Position.start().play(19).play(18).play(17)
    assert len({loaded.evaluate(image.mover, image.opponent) for image in position.symmetries()}) == 1


def test_truncated_file_is_refused(content: bytes) -> None:
    for length in (*range(0, 200, 7), 1 << 16, len(content) - 64, len(content) - 1):
        with pytest.raises(weights.WeightsError, match=r"truncated|must begin with"):
            weights.from_bytes(content[:length])


def test_file_that_is_too_long_is_refused(content: bytes) -> None:
    for more in (1, 2, 64, 4096):
        with pytest.raises(weights.WeightsError, match="expected"):
            weights.from_bytes(content + bytes(more))


def test_each_damaged_bit_is_noticed(content: bytes) -> None:
    """All bits before the weights, and some of the weights and of the padding behind them."""
    rng = random.Random(2)
    places = [
        *range(8 * 110),
        *(rng.randrange(8 * len(content)) for _ in range(200)),
        *range(8 * (len(content) - 64), 8 * len(content)),
    ]
    damaged = bytearray(content)
    for place in places:
        damaged[place // 8] ^= 1 << place % 8
        with pytest.raises(weights.WeightsError):
            weights.split(damaged)
        damaged[place // 8] ^= 1 << place % 8
    assert weights.split(damaged) == weights.split(content)


@pytest.mark.parametrize("place", [16, 31, 40, 48, 200, -1])
def test_message_on_a_damaged_file(content: bytes, place: int) -> None:
    damaged = bytearray(content)
    damaged[place] ^= 1
    with pytest.raises(weights.WeightsError, match="the checksum does not fit; the file is damaged"):
        weights.from_bytes(bytes(damaged))


def test_other_version_and_other_patterns_are_refused(content: bytes) -> None:
    for place, form, message in (
        (8, "<H", "version 77: this program reads"),
        (12, "<I", "patterns 0000004d: this program has"),
    ):
        other = bytearray(content)
        struct.pack_into(form, other, place, 77)
        with pytest.raises(weights.WeightsError, match=message):
            weights.from_bytes(bytes(other))


def test_message_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "broken.weights"
    for text in (b"EDAX" * 1000, b"nothing", b""):
        path.write_bytes(text)
        with pytest.raises(weights.WeightsError, match=r"broken\.weights: not a file of weights"):
            weights.load(path)


def test_weights_outlive_the_place_of_their_file(content: bytes, tmp_path: Path) -> None:
    """A loaded file stays usable when another file replaces it, including stages that were not used yet."""
    path = tmp_path / "used.weights"
    path.write_bytes(content)
    loaded, expected = weights.load(path), weights.from_bytes(content)
    other = tmp_path / "other.weights"
    other.write_bytes(bytes(len(content)))
    other.replace(path)
    late = Position.parse("X" * 20 + "O" * 30 + "-" * 14 + " X")
    for position in (Position.start(), late):
        board = position.mover, position.opponent
        assert loaded.evaluate(*board) == expected.evaluate(*board)


def test_shipped_file_loads_and_is_small_enough() -> None:
    path = weights.unpacked()
    assert path.stat().st_size <= 48 << 20 and weights.PACKED_FILE.stat().st_size <= 16 << 20
    start = Position.start()
    assert abs(weights.load(path).evaluate(start.mover, start.opponent)) < 5
