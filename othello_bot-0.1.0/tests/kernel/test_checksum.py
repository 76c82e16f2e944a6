"""The checksum of weights files."""

from __future__ import annotations

import itertools
import random
from array import array

import pytest

from othello_bot.kernel import fletcher_checksum


def test_checksum_is_fletchers() -> None:
    rng = random.Random(1)
    words = array("I", (rng.randrange(1 << 32) for _ in range(32 * 16)))
    sums = list(itertools.accumulate(words))
    assert fletcher_checksum(words) == (sums[-1], sum(sums))
    highest = array("I", [(1 << 32) - 1] * 200_000)
    total = 200_000 * 200_001 // 2 * ((1 << 32) - 1)
    assert fletcher_checksum(highest) == (200_000 * ((1 << 32) - 1), total % (1 << 64)), "sums overflow quietly"
    with pytest.raises(ValueError, match="17 words: not a multiple of 16"):
        fletcher_checksum(array("I", [0] * 17))


def test_words_that_have_changed_places_are_noticed() -> None:
    words = array("I", range(64))
    before = fletcher_checksum(words)
    for first, second in ((0, 1), (0, 16), (5, 37), (62, 63)):
        changed = words[:]
        changed[first], changed[second] = words[second], words[first]
        assert fletcher_checksum(changed) != before
