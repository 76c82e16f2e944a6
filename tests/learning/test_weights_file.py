"""The weights file: a round trip, and a clear refusal of everything that is not one."""

from __future__ import annotations

import struct
from array import array

import pytest

from othello_bot import patterns, weights
from othello_bot.kernel import evaluation
from othello_bot.position import Position

STAGES = [0] * 31 + [1] * 30


def reduced_size() -> int:
    return evaluation.reduced_index(array("i", bytes(4 * patterns.TABLE_SIZE)))


@pytest.fixture(scope="module")
def content() -> bytes:
    size = reduced_size()
    return weights.to_bytes(STAGES, array("h", ((i * 7919) % 401 - 200 for i in range(2 * size))).tobytes())


def test_round_trip(content: bytes) -> None:
    stages, reduced = weights.split(content)
    assert list(stages) == STAGES
    assert reduced.cast("h")[1000] == (1000 * 7919) % 401 - 200


def test_loaded_weights_are_sums_of_their_entries(content: bytes) -> None:
    numbers = array("i", bytes(4 * patterns.TABLE_SIZE))
    size = evaluation.reduced_index(numbers)
    loaded = weights.from_bytes(content)
    reduced = weights.split(content)[1].cast("h")
    for text, stage in (("-" * 27 + "OX------XO" + "-" * 27 + " X", 1), ("X" * 20 + "O" * 30 + "-" * 14 + " X", 0)):
        position = Position.parse(text)
        columns = memoryview(array("i", bytes(4 * 65))).cast("B").cast("i", (1, 65))
        evaluation.feature_columns(array("Q", [position.mover]), array("Q", [position.opponent]), columns)
        expected = sum(reduced[stage * size + numbers[column]] for column in columns.tolist()[0])
        assert loaded.evaluate(position.mover, position.opponent) == pytest.approx(expected / 128)


def test_value_is_the_same_for_all_symmetric_images(content: bytes) -> None:
    loaded = weights.from_bytes(content)
    position = Position.start().play(19).play(18).play(17)
    assert len({loaded.evaluate(image.mover, image.opponent) for image in position.symmetries()}) == 1


def test_truncated_file_is_refused(content: bytes) -> None:
    for length in (0, 10, 100, len(content) - 1):
        with pytest.raises(weights.WeightsError, match=r"truncated|must begin with"):
            weights.from_bytes(content[:length])


def test_file_that_is_too_long_is_refused(content: bytes) -> None:
    with pytest.raises(weights.WeightsError, match="expected"):
        weights.from_bytes(content + b"\0")


@pytest.mark.parametrize("place", [30, 200, -1])
def test_damaged_file_is_refused(content: bytes, place: int) -> None:
    damaged = bytearray(content)
    damaged[place] ^= 1
    with pytest.raises(weights.WeightsError, match="checksum"):
        weights.from_bytes(bytes(damaged))


def test_foreign_file_is_refused() -> None:
    with pytest.raises(weights.WeightsError, match="not a file of weights"):
        weights.from_bytes(b"EDAX" * 1000)


def test_other_version_and_other_patterns_are_refused(content: bytes) -> None:
    for place, form, message in ((8, "<H", "version"), (12, "<I", "patterns")):
        other = bytearray(content)
        struct.pack_into(form, other, place, 77)
        with pytest.raises(weights.WeightsError, match=message):
            weights.from_bytes(bytes(other))


def test_message_names_the_file(tmp_path: object) -> None:
    path = tmp_path / "broken.weights"  # type: ignore[operator]
    path.write_bytes(b"nothing")
    with pytest.raises(weights.WeightsError, match=r"broken\.weights"):
        weights.load(path)


def test_shipped_file_loads_and_is_small_enough() -> None:
    assert weights.DEFAULT_FILE.stat().st_size <= 12 << 20
    start = Position.start()
    assert abs(weights.load().evaluate(start.mover, start.opponent)) < 5
