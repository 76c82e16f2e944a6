"""Any text: a parser returns a value or raises its declared error, and nothing else."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from othello_bot.evaluation import weights
from othello_bot.protocol.wire import clean
from tests.parsers import PARSERS, WORDS

LINES = st.text() | st.lists(st.sampled_from(WORDS), max_size=9).map(" ".join) | st.binary().map(clean)


# All parsers are given the same inputs, because making one takes longer than reading it.
@pytest.mark.slow
@given(LINES)
@settings(max_examples=4 * settings().max_examples)
def test_every_parser_of_text_keeps_its_promises(line: str) -> None:
    for parser in PARSERS:
        if not parser.raw:
            parser.check(line)


@given(st.binary())
def test_every_parser_of_bytes_keeps_its_promises(data: bytes) -> None:
    for parser in PARSERS:
        if parser.raw:
            parser.check(data)


# What scripts/fuzz has found, and reading after it: a promise was broken by this input, once.
FOUND = [
    ("decimal", "9" * 18),
    ("decimal", "1e99"),
    ("rules-square", "\udcff" * 100),
    ("position", "\udcff" * 100),
    ("ggf-clock", "\udcff" * 100),
    ("sgf", f"(;GM[{chr(0xDC80) * 200}];)"),
    # A control character that counts as white space for str.strip and not for float.
    ("ggf-move", "C3//\x1d2"),
    # Numbers that have more digits when they are written than a number that is read may have.
    ("ggf-move", "f5/11e9/599/2"),
    ("ggf-move", "f5/999999999.999"),
    ("ggf-move", "f5/999999998.999"),
    # A finished game, and a result that its board contradicts.
    ("pgn", "1. f5 d6 2. c5 f4 3. e3 f6 4. g5 e6 5. e7 1-2"),
    # More digits than int takes.
    ("opening-names", "c4 " + "0" * 5000),
    ("strategy", "iago:" + "\udc87" * 200),
    ("strategy", "textbook:3:" + "\udc87" * 200),
    ("strategy", "weighted" + "\n" * 9 + ":w"),
    ("switches", "x" * 2000),
    ("switches", "completion=" + "x" * 2000),
    ("player", "textbook:of5ok:" + "\udcff" * 200),
    ("arena-engine", "iago:" + "\udcff" * 200),
    ("arena-engine", "engine level=1 option=2 option.threads=5"),
    ("weights-loaded", weights.to_bytes([0] * 61, bytes(8))),
    ("weights-loaded", weights.to_bytes([0] * 61, b"")),
    ("weights-loaded", weights.to_bytes([0] * 60 + [200], bytes(402))),
]


@pytest.mark.parametrize(("name", "bad"), FOUND)
def test_what_fuzzing_has_found(name: str, bad: str | bytes) -> None:
    (parser,) = [parser for parser in PARSERS if parser.name == name]
    parser.check(bad)
