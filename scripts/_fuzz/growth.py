"""How the run time of each parser grows with its input: fillers, alone and in valid inputs, and inner parts repeated.

Every candidate is read at a small size first. Those that are slow or grow fast are read at 100 KB to 1 MB, each twice
as long as the one before. Two bounds count: the ratio for twice the input, and that to a valid input of the same size.
"""

from __future__ import annotations

import gc
import math
import random
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from types import FrameType
from typing import Final

from tests.parsers import Parser

FILLERS: Final = (
    *(
        "-",
        " ",
        "0",
        "7",
        "a",
        "X",
        "f5",
        "f5d6",
        "[",
        "]",
        "(",
        ")",
        "{",
        "}",
        '"',
        "'",
        "\\",
        "\n",
        "\t",
        ".",
        ",",
        ":",
    ),
    *(";", "/", "|", "=", "+", "#", "%", "&", "<", ">", "@", "*", "?", "\x00", "\r", "\u00e9", "\udc80", "\u2028"),
    *(
        "[[",
        "[{",
        "({[",
        "(;",
        "[]",
        "()",
        "{}",
        '""',
        '"\\',
        "\\\\]",
        "\n ",
        " \n",
        "\r\n",
        "\n\n-",
        "- ",
        "-- ",
        "a ",
    ),
    *(
        "1.",
        "1. ",
        "1. f5 ",
        "12:",
        "0-1 ",
        "a=",
        "a.",
        "a.a=1\n",
        "B[",
        "B[]",
        "PB[a]",
        '{"a":',
        "[1,",
        "X-O",
        "--- -\n",
    ),
    *("<a>", "&amp;", "# \n", "f5 -- ", "pa", "(f5", "//", "=1", "a:b ", "9 8\n", "1 " * 8 + "\n", "- " * 8 + "\n"),
)

FIRST_BYTES: Final = 8_000
"""Size at which the candidates are compared; and once more at twice the size."""

SIZES: Final = (100_000, 200_000, 400_000, 800_000)
CHOSEN: Final = 4
"""Candidates of a parser that are read at all sizes."""

VALID: Final = 4
"""Valid inputs of a parser in which fillers and repeats are put."""

NORMAL: Final = 2
"""Valid inputs that are repeated to tell what is normal: the slowest ones."""

CUTS: Final = 4

MOST_DOUBLING: Final = 2.5
MOST_OF_VALID: Final = 3.0

LEAST_S: Final = 0.02
"""A shorter time says nothing about growth: noise, and the cost of starting."""

LEAST_NS: Final = 350.0
"""A reading that takes less time a byte is quick enough, whatever valid input takes: some parsers read only the
beginning of it.
"""

PATIENCE_S: Final = 10.0
"""Processor time after which a reading is given up; it counts as that long."""

Clock = Callable[[], float]


class GivenUp(BaseException):
    """A reading took longer than `PATIENCE_S`; no parser catches this."""


@dataclass(frozen=True)
class RepeatedInput:
    """An input of any size: a beginning, a part that is repeated, and an end."""

    name: str
    before: bytes
    part: bytes
    after: bytes

    def of_size(self, size_bytes: int) -> bytes:
        """Return the input with about this size."""
        return self.before + self.part * max(1, size_bytes // len(self.part)) + self.after


@dataclass(frozen=True)
class GrowthCurve:
    """Processor seconds of a candidate, and of the slowest valid input, by size."""

    parser: str
    candidate: str
    seconds: dict[int, float]
    valid: dict[int, float]

    @property
    def ns_per_byte(self) -> float:
        """Nanoseconds a byte at the largest size that was read."""
        size = max(self.seconds)
        return 1e9 * self.seconds[size] / size

    @property
    def doubling(self) -> float:
        """The largest ratio between two sizes of which one is twice the other."""
        return max(
            (s / self.seconds[n // 2] for n, s in self.seconds.items() if s >= LEAST_S and n // 2 in self.seconds),
            default=0.0,
        )

    @property
    def of_valid(self) -> float:
        """The largest ratio to a valid input of the same size; 0 where the parser has none so long."""
        return max(
            (s / self.valid[n] for n, s in self.seconds.items() if s >= LEAST_S and n in self.valid), default=0.0
        )

    @property
    def is_over(self) -> bool:
        """Whether a bound is exceeded."""
        slow = self.ns_per_byte > LEAST_NS and self.of_valid > MOST_OF_VALID
        return slow or self.doubling > MOST_DOUBLING

    def __str__(self) -> str:
        ratio = f"{self.of_valid:8.1f}" if self.valid else f"{'-':>8}"
        mark = "OVER" if self.is_over else ""
        return f"{self.parser:24} {self.ns_per_byte:10.0f} {self.doubling:8.1f} {ratio} {mark:5} {self.candidate}"


def inner_part(text: bytes, rng: random.Random) -> RepeatedInput:
    """Return an input in which an inner part of a text is repeated."""
    first = rng.randrange(len(text))
    last = rng.randrange(first + 1, len(text) + 1)
    part = text[first:last]
    return RepeatedInput(f"{part[:40]!r} repeated in {text[:40]!r}", text[:last], part, text[last:])


def candidates(valid: Sequence[bytes], rng: random.Random) -> Iterator[RepeatedInput]:
    """Yield fillers alone and inside valid inputs, and valid inputs of which an inner part is repeated."""
    fillers = [
        (repr(filler), filler.encode("utf-8", "surrogateescape" if "\udc80" in filler else "strict"))
        for filler in FILLERS
    ]
    mixed = [filler for _, filler in fillers]
    fillers += [("a mixture", b"".join(rng.choices(mixed, k=40))) for _ in range(6)]
    for name, filler in fillers:
        yield RepeatedInput(name, b"", filler, b"")
    for number, text in enumerate(valid):
        for _ in range(CUTS):
            inner = inner_part(text, rng)
            yield inner
            yield replace(inner, name=f"{inner.name}, without the end", after=b"")
        for name, filler in fillers:
            cut = rng.randrange(len(text) + 1)
            yield RepeatedInput(
                f"{name} in valid input {number} behind {text[max(0, cut - 20) : cut]!r}",
                text[:cut],
                filler,
                text[cut:],
            )


class Meter:
    """Reads inputs with a parser and counts their processor time; `clock` can be replaced for a count of steps."""

    def __init__(self, parser: Parser, clock: Clock = time.thread_time) -> None:
        self._parser = parser
        self._clock = clock
        self.findings: dict[str, bytes] = {}
        """Errors that the parser does not declare, each with the beginning of an input."""

    def seconds(self, data: bytes) -> float:
        """Return how long an input takes, accepted or refused; `PATIENCE_S` if it was given up."""
        given = data if self._parser.raw else data.decode("utf-8", "surrogateescape")
        former = signal.signal(signal.SIGVTALRM, _give_up)
        began = self._clock()
        try:
            gc.disable()  # its runs are rare and long
            signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE_S)
            self._parser.read(given)
        except GivenUp:
            return PATIENCE_S
        except self._parser.errors as error:
            str(error)
        except Exception as error:  # noqa: BLE001 - a finding, which must not end the measurement
            self.findings.setdefault(f"{type(error).__name__}: {error}"[:200], data[:100])
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            gc.enable()
            signal.signal(signal.SIGVTALRM, former)
        return max(self._clock() - began, 1e-9)

    def by_size(self, candidate: RepeatedInput, sizes: Sequence[int] = SIZES) -> dict[int, float]:
        """Return the seconds at each size, up to the first that is given up."""
        found: dict[int, float] = {}
        for size in sizes:
            data = candidate.of_size(size)
            first = self.seconds(data)
            found[size] = first if first > 1 else min(first, *(self.seconds(data) for _ in range(2)))
            if found[size] >= PATIENCE_S / 2:
                break
        return found


def _give_up(number: int, frame: FrameType | None) -> None:
    raise GivenUp


def measured(parser: Parser, valid: Sequence[bytes], meter: Meter, seed: int = 1) -> list[GrowthCurve]:
    """Return the growth of the slowest candidates of a parser, the worst first; `valid` are inputs that it accepts."""
    rng = random.Random(seed)
    wholes = [whole for text in valid if (whole := _repeatable(parser, text)) is not None]
    wholes = sorted(wholes, key=lambda whole: meter.seconds(whole.of_size(FIRST_BYTES)))[-NORMAL:]
    by_whole = [meter.by_size(whole) for whole in wholes]
    normal = {size: max(each.get(size, 0.0) for each in by_whole) for size in SIZES} if by_whole else {}
    ranked: list[tuple[float, RepeatedInput]] = []
    for candidate in candidates(valid[:VALID], rng):
        small = meter.seconds(candidate.of_size(FIRST_BYTES))
        if small < LEAST_S * FIRST_BYTES / SIZES[-1]:
            continue  # not slow at any size, unless it grows
        large = meter.seconds(candidate.of_size(2 * FIRST_BYTES))
        # What it would take at the largest size, if it goes on to grow as it does here.
        exponent = min(3.0, max(1.0, math.log2(large / small)))
        ranked.append((large * (SIZES[-1] / 2 / FIRST_BYTES) ** exponent, candidate))
    ranked.sort(key=lambda one: -one[0])
    growths = [GrowthCurve(parser.name, one.name, meter.by_size(one), normal) for _, one in ranked[:CHOSEN]]
    return sorted(
        growths, key=lambda one: (-one.is_over, -max(one.doubling / MOST_DOUBLING, one.of_valid / MOST_OF_VALID))
    )


def _repeatable(parser: Parser, text: bytes) -> RepeatedInput | None:
    """Return a valid input of any size made from one of a few games or lines; None if it cannot be repeated."""
    for end in (b"\n", b"\n\n", b" ", b""):
        candidate = RepeatedInput("valid", b"", text + end, b"")
        data = candidate.of_size(FIRST_BYTES)
        try:
            if parser.read(data if parser.raw else data.decode("utf-8", "surrogateescape")):
                return candidate
        except parser.errors:
            continue
    return None
