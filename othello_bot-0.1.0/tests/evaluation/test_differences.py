"""Tables as differences, and back."""

from __future__ import annotations

import random
from array import array

import pytest

from othello_bot.evaluation import differences


@pytest.mark.parametrize("count", [1, 2, 5])
@pytest.mark.parametrize("size", [1, 2, 3, 64, 777])
def test_tables_come_back_whatever_their_numbers(count: int, size: int) -> None:
    draw = random.Random(count * size)
    tables = draw.randbytes(count * size)
    assert b"".join(differences.to_bytes(differences.of_bytes(tables, count), count)) == tables
    words = array("h", (draw.choice((-32768, 32767, 0, -1, draw.randint(-300, 300))) for _ in range(count * size)))
    assert b"".join(differences.to_words(differences.of_words(words.tobytes(), count), count)) == words.tobytes()


def test_neighbours_that_are_alike_leave_zeros() -> None:
    assert differences.of_bytes(bytes(range(10)) * 3, 3) == bytes(range(10)) + bytes(20)
    alike = array("h", [1000, -1000, 1001, -1003])
    assert differences.of_words(alike.tobytes(), 2) == bytes([104, 152, 129, 125, 4, 252, 0, 0])


def test_tables_of_unequal_size_are_refused() -> None:
    for function in (differences.of_bytes, differences.to_bytes, differences.of_words, differences.to_words):
        with pytest.raises(ValueError, match=r"expected 4 tables of one size"):
            function(bytes(6), 4)
