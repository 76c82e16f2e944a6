"""Selections of games: by year, rating, players, colour, event, result, and whether people or programs played."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from othello_bot import kernel
from othello_bot.base.errors import InputError
from othello_bot.base.notation import Color
from othello_bot.explorer.names import Players
from othello_bot.explorer.store import NO_RESULT
from othello_bot.formats.record import Range, plain

RESULTS: Final = {"black": (1, NO_RESULT - 1), "white": (-NO_RESULT, -1), "draw": (0, 0), "unknown": (NO_RESULT,) * 2}
"""The results by who won, as the column of results has them."""

BETWEEN: Final = ("people", "programs", "both")
"""Who played: people alone, programs alone, or a person against a program."""


class Names:
    """The names of a base by their ids; id 0 is the unknown one."""

    def __init__(self, rows: Iterable[tuple[int, int, str, int]]) -> None:
        self._rows = {id: (bool(event), text, number) for id, event, text, number in rows}

    @cached_property
    def _plain(self) -> dict[int, str]:
        return {id: plain(text) for id, (_, text, _) in self._rows.items()}

    def text(self, id: int) -> str:
        """Return a name; the number of a WTHOR base whose names are not known, such as "player 12"."""
        if id not in self._rows:
            return ""
        is_event, text, number = self._rows[id]
        return text or f"{'event' if is_event else 'player'} {number}"

    def flags(self, part: str, *, event: bool) -> bytes:
        """Return 1 for the id of each player, or event, whose name has this part, or whose number it is; 0 for others."""
        wanted = plain(part)
        digits = wanted.removeprefix("event " if event else "player ")
        number = int(digits) if digits.isascii() and digits.isdecimal() and len(digits) < 10 else -1
        known = self._plain
        return self._flags(
            id
            for id, (is_event, text, its_number) in self._rows.items()
            if is_event is event and (its_number == number or (text and wanted in known[id]))
        )

    def flags_of(self, players: Players) -> bytes:
        """Return 1 for the id of each player in a list, 0 for the others."""
        rows = self._rows.items()
        return self._flags(id for id, (is_event, text, number) in rows if not is_event and players.has(text, number))

    def _flags(self, ids: Iterable[int]) -> bytes:
        flags = bytearray(max(self._rows, default=0) + 1)
        for id in ids:
            flags[id] = 1
        return bytes(flags)


@dataclass(frozen=True)
class Selection:
    """Which games count; None and empty texts take all.

    `player`, `opponent` and `event` are parts of names, in any case and without accents, or numbers of a WTHOR base.
    `color` is the player's. `rating` and `years` include both ends; the ratings of both players must be in the range,
    so that games without them are left out. `results` are some of RESULTS. `between` is one of BETWEEN, and needs
    the list of `programs`. Raise InputError for what does not fit together.
    """

    years: Range | None = None
    rating: Range | None = None
    player: str = ""
    color: Color | None = None
    opponent: str = ""
    event: str = ""
    results: frozenset[str] = frozenset()
    between: str = ""
    programs: Players | None = None

    def __post_init__(self) -> None:
        """Check the values."""
        if self.color is not None and not self.player:
            raise InputError("color", self.color.name.lower(), "the name of a player with it")
        if self.opponent and not self.player:
            raise InputError("opponent", self.opponent, "the name of a player with it")
        if not self.results <= RESULTS.keys():
            raise InputError("result", ", ".join(sorted(self.results)), f"some of {', '.join(RESULTS)}")
        if self.between and self.between not in BETWEEN:
            raise InputError("between", self.between, f"one of {', '.join(BETWEEN)}")
        if self.between and self.programs is None:
            expected = "a list of the programs with it, --programs FILE, here or at `explore build`"
            raise InputError("between", self.between, expected)

    @property
    def takes_all(self) -> bool:
        """Whether every game is in the selection."""
        return self == Selection(programs=self.programs)

    def kept(self, columns: Mapping[str, memoryview], names: Callable[[], Names], games: int) -> bytes:
        """Return 1 for each of so many games that is in the selection, 0 for the others. What it does not need, columns
        and `names`, is not asked for.
        """
        kept = int.from_bytes(bytes([1]) * games, "little")
        for marks, wanted in self._marks(columns, names, games):
            table = bytes(value in wanted for value in range(256))
            kept &= int.from_bytes(marks.translate(table), "little")
        return kept.to_bytes(games, "little")

    def _marks(
        self, columns: Mapping[str, memoryview], names: Callable[[], Names], games: int
    ) -> Iterable[tuple[bytearray, frozenset[int]]]:
        """Yield for each condition the marks of the games, and which of them are wanted."""
        if self.years is not None:
            marks = bytearray(games)
            kernel.mark_range(columns["dates"], 10_000 * self.years.low, 10_000 * self.years.high + 9999, 1, marks)
            yield marks, frozenset((1,))
        if self.rating is not None:
            marks = bytearray(games)
            for mark, column in ((1, "black_rating"), (2, "white_rating")):
                kernel.mark_range(columns[column], max(1, self.rating.low), self.rating.high, mark, marks)
            yield marks, frozenset((3,))
        if self.player:
            yield self._marks_of_players(columns, names, games)
        if self.event:
            marks = bytearray(games)
            kernel.mark_flagged(columns["event"], names().flags(self.event, event=True), 1, marks)
            yield marks, frozenset((1,))
        if self.results:
            marks = bytearray(games)
            for result in self.results:
                kernel.mark_range(columns["results"], *RESULTS[result], 1, marks)
            yield marks, frozenset((1,))
        if self.between and self.programs is not None:
            marks = bytearray(games)
            flags = names().flags_of(self.programs)
            kernel.mark_flagged(columns["black"], flags, 1, marks)
            kernel.mark_flagged(columns["white"], flags, 2, marks)
            yield marks, frozenset({"people": (0,), "programs": (3,), "both": (1, 2)}[self.between])

    def _marks_of_players(
        self, columns: Mapping[str, memoryview], names: Callable[[], Names], games: int
    ) -> tuple[bytearray, frozenset[int]]:
        marks = bytearray(games)
        players = names().flags(self.player, event=False)
        kernel.mark_flagged(columns["black"], players, 1, marks)
        kernel.mark_flagged(columns["white"], players, 2, marks)
        if self.opponent:
            opponents = names().flags(self.opponent, event=False)
            kernel.mark_flagged(columns["black"], opponents, 4, marks)
            kernel.mark_flagged(columns["white"], opponents, 8, marks)
        as_black, as_white = (1 | 8, 2 | 4) if self.opponent else (1, 2)
        wanted = {
            value
            for value in range(16)
            if (value & as_black == as_black and self.color is not Color.WHITE)
            or (value & as_white == as_white and self.color is not Color.BLACK)
        }
        return marks, frozenset(wanted)
