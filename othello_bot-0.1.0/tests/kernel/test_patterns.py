"""The patterns' shapes, which of their states share a weight, and the fingerprint that identifies files."""

from __future__ import annotations

import random
import sys
import types
from array import array
from pathlib import Path

import pytest

from othello_bot import kernel
from othello_bot.kernel import patterns


@pytest.mark.parametrize("of", ["tables", "factors"])
def test_mirrored_states_share_a_number_and_no_others_do(of: str) -> None:
    if of == "tables":
        shapes, offsets = patterns.PATTERNS, patterns.OFFSETS
        size, number = patterns.TABLE_SIZE, kernel.reduced_index
    else:
        shapes, offsets = patterns.FACTOR_PATTERNS, patterns.FACTOR_OFFSETS
        size, number = patterns.FACTOR_ROWS, kernel.factor_reduced_index
    numbers = array("i", bytes(4 * size))
    assert number(numbers) == len(set(numbers)) == max(numbers) + 1
    rng = random.Random(8)
    for pattern, offset in zip(shapes, offsets, strict=True):
        part = numbers[offset : offset + pattern.states]
        if pattern.mirror is None:
            assert len(set(part)) == pattern.states
            continue
        fixed = 3 ** sum(1 for i, image in enumerate(pattern.mirror) if i <= image)
        assert len(set(part)) == (pattern.states + fixed) // 2
        for _ in range(200):
            digits = [rng.randrange(3) for _ in pattern.squares]
            mirrored = [digits[i] for i in pattern.mirror]
            state, image = (sum(digit * 3**i for i, digit in enumerate(read)) for read in (digits, mirrored))
            assert part[state] == part[image]


def test_patterns_have_their_shapes() -> None:
    assert len(patterns.FEATURES) == 28
    assert patterns.TABLE_SIZE == patterns.COUNTS_OFFSET + 2054
    assert len(patterns.FACTOR_FEATURES) == 54
    assert patterns.FACTOR_ROWS == patterns.FACTOR_COUNTS_OFFSET + 2054 + 8 * 4096
    for shapes in (patterns.PATTERNS, patterns.FACTOR_PATTERNS):
        assert len({pattern.name for pattern in shapes}) == len(shapes)
    for pattern in patterns.PATTERNS + patterns.FACTOR_PATTERNS:
        assert len(set(pattern.squares)) == len(pattern.squares) <= 10
        assert pattern.places[0] == pattern.squares
        assert len(pattern.places) in (1, 2, 4, 8)
        assert 2 * pattern.centre + 1 == pattern.states
        if pattern.mirror is not None:
            assert sorted(pattern.mirror) == list(range(len(pattern.squares)))
        else:
            assert len(pattern.places) == 8, "a shape without a mirror has eight places"


def test_every_square_is_read_by_a_pattern() -> None:
    assert {square for _, place in patterns.FACTOR_FEATURES for square in place} == set(range(64))


def test_fingerprint_changes_with_the_shapes() -> None:
    """Weights made for other patterns would be read as garbage: the fingerprint must tell them apart."""
    source = Path(patterns.__file__).read_text(encoding="utf-8")
    fingerprints = {patterns.FINGERPRINT}
    changes = (
        ('"b2 a1 b1 c1 d1 e1 f1 g1 h1 g2"', '"g2 h1 g1 f1 e1 d1 c1 b1 a1 b2"'),
        ('"b2 a1 b1 c1 d1 e1 f1 g1 h1 g2"', '"a1 b1 c1 d1 e1 f1 g1 h1"'),
        ('"edge block"', '"block at the edge"'),
        ('("odd quadrants", 6)', '("odd quadrants", 7)'),
        ('"d1 e2 f3 g4 h5"', '"h5 g4 f3 e2 d1"'),
        ('"a1 b1 c1 d1 a2 b2 c2 d2 a3 b3 a4 b4"', '"a1 b1 c1 d1 a2 b2 c2 d2 a3 b3 c3 d3"'),
    )
    for before, now in changes:
        assert before in source
        module = types.ModuleType("patterns_changed")
        sys.modules[module.__name__] = module  # dataclasses look their module up
        try:
            exec(compile(source.replace(before, now), "patterns_changed", "exec"), module.__dict__)
        finally:
            del sys.modules[module.__name__]
        fingerprints.add(module.FINGERPRINT)
    assert len(fingerprints) == 1 + len(changes)
