"""The targets: each parser of tests/parsers.py, the lines of the wire, whole sessions, and the controllers' readers.

A target accepts any bytes and returns; any error that it raises is a finding.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from _fuzz import replies, sessions, streams
from tests.parsers import PARSERS, Parser

SLOWEST_S: Final = 2.0
"""Limit of processor seconds for one input, instrumented; the slowest takes a twentieth."""

STRETCHED_BYTES: Final = 60_000
"""Occasionally an input, or a part of it, is repeated to this length, that of the longest line, to find run times that
are not linear.
"""

STRETCHED_S: Final = 10.0
STRETCH_EVERY: Final = 200

NOTICED_S: Final = 0.5
MOST_GROWTH: Final = 3.0
"""A stretched input that takes longer than `NOTICED_S` may take this many times as long as one of half its length."""


@dataclass(frozen=True)
class Target:
    """A target: the function to call with the input, and its share of the time relative to the other targets."""

    name: str
    run: Callable[[bytes], object]
    share: int = 1
    parser: Parser | None = None


class ParserRun:
    """Checks a parser's promises on each input, and its run time."""

    def __init__(self, parser: Parser) -> None:
        self._parser = parser
        self._runs = 0

    def __call__(self, data: bytes) -> None:
        self._runs += 1
        self._check(data, SLOWEST_S)
        if data and self._runs % STRETCH_EVERY == 0:
            # Which part is repeated depends on the input alone, so that a finding can be replayed.
            rng = random.Random(data)
            first = rng.randrange(len(data))
            last = rng.randrange(first + 1, len(data) + 1)
            for before, part, after in ((b"", data, b""), (data[:first], data[first:last], data[last:])):
                half_s = self._check(before + part * (STRETCHED_BYTES // 2 // len(part)) + after, STRETCHED_S)
                whole_s = self._check(before + part * (STRETCHED_BYTES // len(part)) + after, STRETCHED_S)
                grown = f"{part[:60]!r} repeated took {half_s:.1f} s, for twice the length {whole_s:.1f} s"
                assert whole_s < NOTICED_S or whole_s < MOST_GROWTH * half_s, grown

    def _check(self, data: bytes, slowest_s: float) -> float:
        """Check an input; return the seconds that it took."""
        began = time.thread_time()
        self._parser.check(data if self._parser.raw else data.decode("utf-8", "surrogateescape"))
        took = time.thread_time() - began
        assert took < slowest_s, f"{self._parser.name}: {len(data)} bytes took {took:.1f} s"
        return took


def all_targets() -> dict[str, Target]:
    """Return every target by its name, the largest first."""
    targets = [
        *(Target(name, run, 8) for name, run in sessions.RUNS.items()),
        *(Target(name, run, 4) for name, run in replies.RUNS.items()),
        Target("lines", streams.lines),
        Target("rust-reversi", streams.rust_reversi),
        Target("codingame", streams.codingame),
        *(Target(parser.name, ParserRun(parser), parser=parser) for parser in PARSERS),
    ]
    return {target.name: target for target in targets}
